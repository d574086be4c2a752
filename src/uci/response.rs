//! What the engine tells, as lines of the protocol.

use crate::chess::Move;
use crate::chess::notation::{CastlingSpelling, format_move};
use crate::score::{Bound, Score, win_model};
use crate::search::{Event, Report};

/// The name and version of the program.
pub(super) fn name_and_version() -> String {
    format!("Luft {}", env!("CARGO_PKG_VERSION"))
}

/// Nodes a second as a whole number, whatever the time.
pub(super) fn nodes_per_second(nodes: u64, time: std::time::Duration) -> u64 {
    (nodes as u128 * 1_000_000 / time.as_micros().max(1)).min(u64::MAX as u128) as u64
}

/// How scores are told.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreStyle {
    /// The material at the root, as [`win_model::material`] counts it: centipawns depend on it.
    pub(super) material: i32,
    /// Whether the chances of win, draw and loss follow.
    pub(super) win_draw_loss: bool,
}

/// An `info` line.
pub(super) fn info(event: &Event, spelling: CastlingSpelling, style: ScoreStyle) -> String {
    match event {
        Event::Report(report) => info_report(report, spelling, style),
        Event::RootMove { depth, mv, number } => {
            format!("info depth {depth} currmove {} currmovenumber {number}", format_move(*mv, spelling))
        }
    }
}

fn info_report(report: &Report, spelling: CastlingSpelling, style: ScoreStyle) -> String {
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{} nodes {} nps {} hashfull {} tbhits {} time {}",
        report.depth,
        report.selective_depth,
        report.rank,
        score(report.score, style.material),
        chances(report.score, style),
        report.nodes,
        nodes_per_second(report.nodes, report.time),
        report.permille_full,
        report.tablebase_hits,
        report.time.as_millis(),
    );
    if !report.pv.is_empty() {
        line.push_str(" pv");
    }
    for &mv in &report.pv {
        line.push(' ');
        line.push_str(&format_move(mv, spelling));
    }
    line
}

fn score(score: Score, material: i32) -> String {
    match score.moves_to_mate() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", win_model::centipawns(score, material)),
    }
}

fn chances(score: Score, style: ScoreStyle) -> String {
    if !style.win_draw_loss {
        return String::new();
    }
    let (win, draw, loss) = win_model::win_draw_loss(score, style.material);
    format!(" wdl {win} {draw} {loss}")
}

/// The `bestmove` line.
pub(super) fn best_move(best: Option<Move>, ponder: Option<Move>, spelling: CastlingSpelling) -> String {
    let text = |mv: Move| format_move(mv, spelling);
    match (best, ponder) {
        (None, _) => "bestmove (none)".into(),
        (Some(best), None) => format!("bestmove {}", text(best)),
        (Some(best), Some(ponder)) => format!("bestmove {} ponder {}", text(best), text(ponder)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn speed_is_always_a_number() {
        assert_eq!(nodes_per_second(1000, Duration::from_millis(500)), 2000);
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn scores() {
        assert_eq!(score(Score::DRAW, 78), "cp 0");
        assert!(score(Score::evaluation(-35), 78).starts_with("cp -"));
        assert_eq!(score(Score::mating_at(3), 78), "mate 2");
        assert_eq!(score(Score::mated_at(0), 20), "mate 0");
        assert_eq!(score(Score::mated_at(4), 20), "mate -2");
        let style = |win_draw_loss| ScoreStyle { material: 78, win_draw_loss };
        assert_eq!(chances(Score::mated_at(4), style(true)), " wdl 0 0 1000");
        assert_eq!(chances(Score::mated_at(4), style(false)), "");
    }
}
