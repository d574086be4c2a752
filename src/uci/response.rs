//! What the engine tells, as lines of the protocol.

use crate::chess::Move;
use crate::chess::notation::{CastlingSpelling, format_move};
use crate::score::{Bound, Score};
use crate::search::{Event, Report, SearchResult};

/// The name and version of the program.
pub(super) fn name_and_version() -> String {
    format!("Luft {}", env!("CARGO_PKG_VERSION"))
}

/// Nodes a second as a whole number, whatever the time.
pub(super) fn nodes_per_second(nodes: u64, time: std::time::Duration) -> u64 {
    (nodes as u128 * 1_000_000 / time.as_micros().max(1)).min(u64::MAX as u128) as u64
}

/// An `info` line.
pub(super) fn info(event: &Event, spelling: CastlingSpelling) -> String {
    match event {
        Event::Report(report) => info_report(report, spelling),
        Event::RootMove { depth, mv, number } => {
            format!("info depth {depth} currmove {} currmovenumber {number}", format_move(*mv, spelling))
        }
    }
}

fn info_report(report: &Report, spelling: CastlingSpelling) -> String {
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {} tbhits {} time {}",
        report.depth,
        report.selective_depth,
        report.rank,
        score(report.score),
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

fn score(score: Score) -> String {
    match score.moves_to_mate() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.units()),
    }
}

/// The `bestmove` line.
pub(super) fn best_move(result: &SearchResult, spelling: CastlingSpelling) -> String {
    let text = |mv: Move| format_move(mv, spelling);
    match (result.best, result.ponder) {
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
        assert_eq!(score(Score::evaluation(-35)), "cp -35");
        assert_eq!(score(Score::mating_at(3)), "mate 2");
        assert_eq!(score(Score::mated_at(0)), "mate 0");
        assert_eq!(score(Score::mated_at(4)), "mate -2");
    }
}
