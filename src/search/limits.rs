//! What ends a search.

use std::num::NonZeroU64;
use std::time::Duration;

use super::handicap::Handicap;
use crate::chess::Move;

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// What is left.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// Moves until more time comes; `None` when the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// All limits of one search; the first one reached ends it. None at all is a search without end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Play by this clock.
    pub clock: Option<ClockState>,
    /// Take at most this long.
    pub move_time: Option<Duration>,
    /// Count all time in nodes: so many make a millisecond. None for real time.
    pub nodes_per_ms: Option<NonZeroU64>,
    /// Search no deeper than this many plies.
    pub depth: Option<i32>,
    /// Search no more than this many nodes.
    pub nodes: Option<u64>,
    /// Begin no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves or fewer is proved.
    pub mate: Option<i32>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// Begin on the opponent's time: nothing but `stop` ends the search before `ponderhit`.
    pub ponder: bool,
    /// The game lets the engine think on the opponent's time, so that it spends less of its own between.
    pub uses_opponents_time: bool,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Play no better than so; none for full strength. Endgame tables are not asked then.
    pub handicap: Option<Handicap>,
}

impl Limits {
    /// Whether only `stop` may end the search.
    pub fn is_endless(&self) -> bool {
        let limited = self.clock.is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some();
        self.infinite || !limited
    }

    /// The same for a worker that helps: it goes on until the leader has reached its depth.
    pub(super) fn for_helper(&self) -> Limits {
        Limits { depth: None, soft_nodes: None, ..self.clone() }
    }
}
