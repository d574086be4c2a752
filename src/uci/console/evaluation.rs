//! `eval`: what the network makes of a position, in centipawns for White.

use std::sync::Arc;

use crate::chess::{Color, File, Piece, Position, Rank, Square};
use crate::nnue::architecture::output_bucket;
use crate::nnue::{Kernels, Network, NetworkEvaluator};
use crate::score::Score;
use crate::score::win_model::{centipawns, material};

/// Columns of a square of the board.
const WIDTH: usize = 7;

/// The worth of each man, the value of each output, and the evaluation.
pub(super) fn lines(network: &Arc<Network>, position: &Position) -> Vec<String> {
    let mut evaluator = NetworkEvaluator::new(Arc::clone(network), Kernels::best(), position);
    let mut lines = vec!["Centipawns for White. A man is worth what the evaluation loses without it.".into()];
    lines.push(String::new());
    lines.extend(board(position, &evaluator.piece_values(position)));
    lines.push(String::new());
    lines.extend(buckets(position, &evaluator.evaluate_buckets(position)));
    lines.push(String::new());
    let note = if position.in_check() { " (in check: the search does not use it)" } else { "" };
    let score = evaluator.evaluate(position);
    lines.push(format!("Evaluation: {} centipawns for White{note}", for_white(score, position)));
    lines
}

/// With its sign, which tells whom it favours.
fn for_white(score: Score, position: &Position) -> String {
    let score = if position.side_to_move() == Color::White { score } else { -score };
    signed(score, position)
}

fn signed(score: Score, position: &Position) -> String {
    match centipawns(score, material(position.board())) {
        0 => "0".into(),
        value => format!("{value:+}"),
    }
}

/// Two lines for each rank, men above their worth.
fn board(position: &Position, values: &[(Square, i32)]) -> Vec<String> {
    let row = |label: String, cell: &dyn Fn(File) -> String| {
        let cells: String = File::ALL.into_iter().map(|file| format!("{:>WIDTH$}", cell(file))).collect();
        format!("{label:>3}{cells}").trim_end().to_string()
    };
    let mut lines = Vec::new();
    for rank in Rank::ALL.into_iter().rev() {
        let man = |file| position.piece_on(Square::new(file, rank)).map_or('.', Piece::letter).to_string();
        let worth = |file| {
            let value = values.iter().find(|(square, _)| *square == Square::new(file, rank));
            value.map_or(String::new(), |&(_, units)| signed(Score::evaluation(units), position))
        };
        lines.push(row(rank.digit().to_string(), &man));
        lines.push(row(String::new(), &worth));
    }
    lines.push(row(String::new(), &|file| file.letter().to_string()));
    lines
}

/// A line for each output with the numbers of men that it is for; the one in use is marked.
fn buckets(position: &Position, values: &[Score]) -> Vec<String> {
    let used = output_bucket(position.board().occupied().len());
    let mut lines = vec![format!("{:>6} {:>7} {:>11}", "output", "men", "centipawns")];
    for (bucket, &value) in values.iter().enumerate() {
        let mut men = (2..=32).filter(|&men| output_bucket(men) == bucket);
        let first = men.next().unwrap_or_default();
        let range = format!("{first}-{}", men.next_back().unwrap_or(first));
        let mark = if bucket == used { "  in use" } else { "" };
        lines.push(format!("{bucket:>6} {range:>7} {:>11}{mark}", for_white(value, position)));
    }
    lines
}
