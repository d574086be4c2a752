//! What bounds a player's search, and the `go` command that says so.

use std::fmt::Write as _;
use std::time::Duration;

use super::clock::{Clock, TimeControl};
use crate::chess::{ByColor, Color};

/// The bounds of one player's search. Several may be given; the first one reached ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth in plies for each move.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether nothing bounds the search.
    pub fn is_unbounded(&self) -> bool {
        *self == Limits::default()
    }

    /// A text for records: `2+0.02`, `0.1s/move`, `nodes 1000`.
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.clock.as_ref().map(ToString::to_string));
        parts.extend(self.move_time.map(|time| format!("{}s/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.join(" ")
    }

    /// The `go` command for `mover`, whose limits these are.
    pub fn go_command(&self, mover: Color, clocks: &ByColor<Option<Clock>>) -> String {
        let mut text = String::from("go");
        if clocks[mover].is_some() {
            for (color, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
                if let Some(clock) = &clocks[color] {
                    // A clock at zero reads as "no clock" in some engines, and then they think for ever.
                    let remaining = clock.remaining().as_millis().max(1);
                    push(&mut text, time, Some(remaining));
                    push(&mut text, increment, Some(clock.increment().as_millis()));
                }
            }
            push(&mut text, "movestogo", clocks[mover].as_ref().and_then(Clock::moves_to_go).map(u128::from));
        }
        push(&mut text, "movetime", self.move_time.map(|time| time.as_millis().max(1)));
        push(&mut text, "nodes", self.nodes.map(u128::from));
        push(&mut text, "depth", self.depth.map(u128::from));
        text
    }
}

fn push(text: &mut String, word: &str, value: Option<u128>) {
    if let Some(value) = value {
        write!(text, " {word} {value}").expect("a string takes any text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_says_what_the_mover_may_use() {
        let clock = |text: &str| Some(Clock::new(text.parse().expect("a time control")));
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let clocks = ByColor([clock("40/2+0.01"), clock("3")]);
        assert_eq!(
            limits.go_command(Color::White, &clocks),
            "go wtime 2000 winc 10 btime 3000 binc 0 movestogo 40 depth 9"
        );
        assert_eq!(limits.go_command(Color::Black, &clocks), "go wtime 2000 winc 10 btime 3000 binc 0 depth 9");
        let limits = Limits { nodes: Some(1000), move_time: Some(Duration::from_millis(50)), ..Limits::default() };
        assert_eq!(limits.go_command(Color::White, &ByColor([None, clock("3")])), "go movetime 50 nodes 1000");
        assert_eq!(limits.describe(), "0.05s/move nodes 1000");
    }
}
