//! A search for the eyes of a person: a row for each depth, numbers with units, moves as they are spoken of.

use std::time::Duration;

use super::history;
use super::paint::Paint;
use crate::chess::{Color, Position};
use crate::score::{Bound, Score, win_model};
use crate::search::Report;

/// Rows are no longer than this.
const WIDTH: usize = 80;
/// What stands before the line of moves.
const COLUMNS: usize = 33;

/// The rows of one search.
#[derive(Debug, Default)]
pub(super) struct SearchTable {
    /// Whether the heading stands above the rows.
    begun: bool,
}

impl SearchTable {
    /// Another search begins.
    pub(super) fn restart(&mut self) {
        self.begun = false;
    }

    /// The lines that tell of a report: none for bounds, and before the first row a heading.
    pub(super) fn lines(&mut self, report: &Report, position: &Position, paint: Paint) -> Vec<String> {
        let mut lines = Vec::new();
        if report.bound != Bound::Exact || report.pv.is_empty() {
            return lines;
        }
        if !self.begun {
            self.begun = true;
            lines.push(paint.faint(format_args!("{:>5} {:>8} {:>8} {:>8}  line", "depth", "score", "time", "nodes")));
        }
        // Only the best of several variations shows the depth, so that the eye finds where a new one begins.
        let depth = if report.rank == 1 { report.depth.to_string() } else { String::new() };
        let score = paint.strong(format_args!("{:>8}", score_text(report.score, position)));
        let (time, nodes) = (time_text(report.time), count_text(report.nodes));
        let moves = history::line(*position, report.pv.iter().copied(), WIDTH - COLUMNS - 1);
        lines.push(format!("{depth:>5} {score} {time:>8} {nodes:>8}  {moves}"));
        lines
    }
}

/// The score for White: pawns that count as the win model says, or moves to mate.
pub(super) fn score_text(score: Score, position: &Position) -> String {
    let for_white = position.side_to_move() == Color::White;
    let white = if for_white { score } else { -score };
    match score.moves_to_mate() {
        // Whether the side to move mates or is mated, and for whom that is good.
        Some(moves) => format!("{}#{}", if (moves > 0) == for_white { "" } else { "-" }, moves.abs()),
        None => {
            let centipawns = win_model::centipawns(white, win_model::material(position.board()));
            format!("{:+.2}", f64::from(centipawns) / 100.0)
        }
    }
}

/// `0.3s`, `1:05`, `2:00:00`.
pub(super) fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1}s", time.as_millis() as f64 / 1000.0),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// Three digits or a little more, and a unit.
fn count_text(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}k", count / 1_000),
        10_000_000..10_000_000_000 => format!("{}M", count / 1_000_000),
        _ => format!("{}G", count / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_san};

    #[test]
    fn numbers_for_people() {
        let times = [(0, "0.0s"), (1_250, "1.2s"), (59_999, "60.0s"), (65_000, "1:05"), (7_265_000, "2:01:05")];
        for (milliseconds, text) in times {
            assert_eq!(time_text(Duration::from_millis(milliseconds)), text);
        }
        for (count, text) in [(0, "0"), (9_999, "9999"), (12_345, "12k"), (98_765_432, "98M"), (12_345_678_901, "12G")]
        {
            assert_eq!(count_text(count), text);
        }
    }

    #[test]
    fn scores_are_for_white() {
        let white = Position::initial();
        let black = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
        assert_eq!(score_text(Score::mating_at(3), &white), "#2");
        assert_eq!(score_text(Score::mating_at(3), &black), "-#2");
        assert_eq!(score_text(Score::DRAW, &white), "+0.00");
        assert!(score_text(Score::evaluation(50), &white).starts_with('+'));
        assert!(score_text(Score::evaluation(50), &black).starts_with('-'));
    }

    #[test]
    fn rows_stand_under_their_heading_and_fit() {
        let position = Position::initial();
        let mut pv = Vec::new();
        let mut walk = position;
        for text in "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3".split(' ') {
            pv.push(parse_san(&walk, text).unwrap());
            walk.make(pv[pv.len() - 1]);
        }
        let report = |rank, bound| Report {
            depth: 20,
            selective_depth: 30,
            rank,
            score: Score::evaluation(30),
            bound,
            nodes: 1_234_567,
            time: Duration::from_millis(1_500),
            permille_full: 1,
            tablebase_hits: 0,
            pv: pv.clone(),
        };
        let mut table = SearchTable::default();
        let paint = Paint::new(false);
        let lines = table.lines(&report(1, Bound::Exact), &position, paint);
        assert_eq!(lines[0], "depth    score     time    nodes  line");
        assert!(lines[1].starts_with("   20    +0."), "{lines:#?}");
        assert!(
            lines[1].contains("     1.5s    1234k  1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4") && lines[1].len() <= WIDTH
        );
        assert!(table.lines(&report(2, Bound::Exact), &position, paint)[0].starts_with("         +0."));
        assert!(table.lines(&report(1, Bound::Lower), &position, paint).is_empty());
        table.restart();
        assert_eq!(table.lines(&report(1, Bound::Exact), &position, paint).len(), 2);
    }
}
