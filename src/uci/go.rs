//! The parameters of `go`.
//!
//! A `go` is always answered by a move, because a client that gets none waits for ever. So what cannot be read is told,
//! and counts as the most careful value: no time, no nodes.

use std::time::Duration;

use super::command::{COMMAND_WORDS, CommandError};
use crate::chess::notation::parse_move;
use crate::chess::{Color, Position};
use crate::search::{ClockState, Limits};

/// `go` as sent, with what could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParameters {
    /// Remaining milliseconds of White and Black.
    pub time: [Option<u64>; 2],
    /// Increments in milliseconds of White and Black.
    pub increment: [Option<u64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// Plies.
    pub depth: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Milliseconds for the move.
    pub move_time: Option<u64>,
    /// Moves to a mate.
    pub mate: Option<u64>,
    /// Whether only `stop` ends the search.
    pub infinite: bool,
    /// Whether the search begins on the opponent's time.
    pub ponder: bool,
    /// The moves to search, as sent.
    pub search_moves: Vec<String>,
    /// What could not be read.
    pub errors: Vec<CommandError>,
}

const WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Reads the words after `go`.
pub(super) fn parse_go(words: &[&str]) -> GoParameters {
    let mut go = GoParameters::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if let Some((name, slot)) = go.number_slot(word) {
            let text = words.next_if(|next| !WORDS.contains(next)).unwrap_or_default();
            let number = text.parse::<i128>();
            // Negative numbers are what remains after a flag has fallen: nothing.
            *slot = Some(number.as_ref().map_or(0, |&number| number.clamp(0, u32::MAX as i128 * 1000) as u64));
            if number.is_err() {
                go.errors.push(CommandError::Number(name, text.into()));
            }
            continue;
        }
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|next| !WORDS.contains(next) && !COMMAND_WORDS.contains(next)) {
                    go.search_moves.push(mv.into());
                }
            }
            _ => go.errors.push(CommandError::Word("go", word.into())),
        }
    }
    go
}

impl GoParameters {
    /// The place of the number that follows this word, if one does.
    fn number_slot(&mut self, word: &str) -> Option<(&'static str, &mut Option<u64>)> {
        Some(match word {
            "wtime" => ("wtime", &mut self.time[0]),
            "btime" => ("btime", &mut self.time[1]),
            "winc" => ("winc", &mut self.increment[0]),
            "binc" => ("binc", &mut self.increment[1]),
            "movestogo" => ("movestogo", &mut self.moves_to_go),
            "depth" => ("depth", &mut self.depth),
            "nodes" => ("nodes", &mut self.nodes),
            "movetime" => ("movetime", &mut self.move_time),
            "mate" => ("mate", &mut self.mate),
            _ => return None,
        })
    }

    /// The limits for a search of this position, and the texts of `searchmoves` that are no legal moves.
    pub(super) fn limits(&self, position: &Position, overhead: Duration) -> (Limits, Vec<String>) {
        let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
        for text in &self.search_moves {
            match parse_move(position, text) {
                Ok(mv) => search_moves.push(mv),
                Err(_) => illegal.push(text.clone()),
            }
        }
        let limits = Limits {
            clock: self.clock(position.side_to_move()),
            move_time: self.move_time.map(|time| less_overhead(Duration::from_millis(time), overhead)),
            // The engine's options say how time is counted.
            nodes_per_ms: None,
            depth: self.depth.map(|depth| depth.min(i32::MAX as u64) as i32),
            nodes: self.nodes,
            soft_nodes: None,
            mate: self.mate.map(|moves| moves.min(i32::MAX as u64) as i32),
            infinite: self.infinite,
            ponder: self.ponder,
            // That is an option, too.
            uses_opponents_time: false,
            search_moves,
            handicap: None,
        };
        (limits, illegal)
    }

    /// The mover's clock. If any clock was sent but not the mover's, none of its time is left.
    fn clock(&self, mover: Color) -> Option<ClockState> {
        let milliseconds = |values: [Option<u64>; 2]| Duration::from_millis(values[mover.index()].unwrap_or(0));
        let sent = self.time != [None; 2] || self.increment != [None; 2] || self.moves_to_go.is_some();
        sent.then(|| ClockState {
            remaining: milliseconds(self.time),
            increment: milliseconds(self.increment),
            // Some clients send 0 when there is no further time control.
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(u32::MAX as u64) as u32),
        })
    }
}

/// A fixed time per move less what is lost on the way, but never less than three quarters of it.
fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time - overhead.min(time / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> GoParameters {
        parse_go(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn all_parameters_combine() {
        let go = parse(
            "searchmoves e2e4 d2d4 ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 movetime 8 mate 9",
        );
        assert_eq!((go.time, go.increment, go.moves_to_go), ([Some(1), Some(2)], [Some(3), Some(4)], Some(5)));
        assert_eq!((go.depth, go.nodes, go.move_time, go.mate, go.ponder), (Some(6), Some(7), Some(8), Some(9), true));
        assert_eq!((go.search_moves.len(), go.errors.len()), (2, 0));
        assert_eq!(parse("infinite"), GoParameters { infinite: true, ..Default::default() });
    }

    #[test]
    fn what_cannot_be_read_counts_as_nothing_left() {
        let go = parse("wtime -50 btime abc movetime");
        assert_eq!((go.time, go.move_time), ([Some(0), Some(0)], Some(0)));
        assert_eq!(go.errors.len(), 2);
        assert_eq!(parse("depth depth 3").depth, Some(3));
        assert_eq!(parse("nodes 99999999999999999999").nodes, Some(u32::MAX as u64 * 1000));
        assert_eq!(parse("x").errors, [CommandError::Word("go", "x".into())]);
    }

    #[test]
    fn a_missing_own_clock_is_an_empty_one() {
        let position = Position::initial();
        let (limits, _) = parse("btime 5000 binc 10").limits(&position, Duration::ZERO);
        assert_eq!(limits.clock.unwrap().remaining, Duration::ZERO);
        let (limits, _) = parse("wtime 5000").limits(&position, Duration::ZERO);
        assert_eq!(limits.clock.unwrap().remaining, Duration::from_secs(5));
        let (limits, illegal) = parse("searchmoves e2e5 e2e4").limits(&position, Duration::ZERO);
        assert_eq!((limits.search_moves.len(), illegal, limits.clock), (1, vec!["e2e5".to_string()], None));
        let (limits, _) = parse("movetime 100").limits(&position, Duration::from_millis(20));
        assert_eq!(limits.move_time, Some(Duration::from_millis(80)));
    }
}
