//! The course of the tuned numbers as a picture.

use std::io;
use std::path::Path;

use plotters::prelude::*;

/// Draws each number's way as a part of its range, from its value at the start, over the pairs of games.
pub(super) fn draw(path: &Path, names: &[String], history: &[(u64, Vec<f64>)]) -> io::Result<()> {
    let Some(last) = history.last().map(|(pair, _)| (*pair).max(1)) else {
        return Ok(());
    };
    let all = history.iter().flat_map(|(_, values)| values.iter().copied());
    let (low, high) = all.fold((-0.05f64, 0.05f64), |(low, high), value| (low.min(value), high.max(value)));
    let area = SVGBackend::new(path, (1100, 700)).into_drawing_area();
    area.fill(&WHITE).map_err(io::Error::other)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .x_label_area_size(35)
        .y_label_area_size(65)
        // The names stand to the right of the curves.
        .build_cartesian_2d(0..last + last / 3, low * 1.05..high * 1.05)
        .map_err(io::Error::other)?;
    chart
        .configure_mesh()
        .x_desc("pairs of games")
        .y_desc("change, as a part of the range")
        .draw()
        .map_err(io::Error::other)?;
    for (index, name) in names.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let points = history.iter().map(|(pair, values)| (*pair, values[index]));
        let series = chart.draw_series(LineSeries::new(points, color)).map_err(io::Error::other)?;
        series.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).draw().map_err(io::Error::other)?;
    area.present().map_err(io::Error::other)
}
