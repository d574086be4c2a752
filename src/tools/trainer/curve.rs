//! The losses of a training run as a picture.

use std::io;
use std::path::Path;

use plotters::prelude::*;

/// Loss on training and on held-out positions after one superbatch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Losses {
    pub(super) training: f64,
    pub(super) held_out: f64,
}

/// Draws the curve of losses as an SVG file.
pub(super) fn draw(path: &Path, losses: &[Losses]) -> io::Result<()> {
    let all = losses.iter().flat_map(|losses| [losses.training, losses.held_out]).filter(|loss| loss.is_finite());
    let (low, high) = all.fold((f64::INFINITY, 0.0f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    if losses.is_empty() || low >= high {
        return Ok(());
    }
    let area = SVGBackend::new(path, (900, 500)).into_drawing_area();
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .x_label_area_size(35)
        .y_label_area_size(65)
        .build_cartesian_2d(1..losses.len().max(2), low * 0.995..high * 1.005)
        .map_err(io::Error::other)?;
    chart.configure_mesh().x_desc("superbatch").y_desc("loss").draw().map_err(io::Error::other)?;
    type Pick = fn(&Losses) -> f64;
    let lines: [(&str, RGBColor, Pick); 2] =
        [("training", BLUE, |losses| losses.training), ("held out", RED, |losses| losses.held_out)];
    for (name, color, pick) in lines {
        let points = losses.iter().enumerate().map(|(index, losses)| (index + 1, pick(losses)));
        let series = chart.draw_series(LineSeries::new(points, color)).map_err(io::Error::other)?;
        series.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).draw().map_err(io::Error::other)?;
    area.present().map_err(io::Error::other)
}
