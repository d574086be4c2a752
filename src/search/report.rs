//! What a search tells while it runs and when it has ended: numbers and moves, no text.

use std::time::Duration;

use crate::chess::Move;
use crate::score::{Bound, Score};

/// The state of one principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The iteration, in plies.
    pub depth: i32,
    /// The furthest ply that was reached for this variation.
    pub selective_depth: usize,
    /// Which of several variations, from 1.
    pub rank: usize,
    /// Its score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search began, as the limits count it.
    pub time: Duration,
    /// Use of the transposition table in thousandths.
    pub permille_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The moves, legal to the end, none past the end of the game.
    pub pv: Vec<Move>,
}

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A variation has a new score.
    Report(Report),
    /// The search of a root move begins.
    RootMove {
        /// The iteration.
        depth: i32,
        /// The move.
        mv: Move,
        /// Its place in the list, from 1.
        number: usize,
    },
}

/// What an iteration has found, as the workers of a team tell each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The best move.
    pub mv: Move,
    /// Its exact score.
    pub score: Score,
    /// The furthest ply that was reached for it.
    pub selective_depth: usize,
    /// The line that begins with it.
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; none when there is no legal move.
    pub best: Option<Move>,
    /// The reply to expect, legal after `best`.
    pub ponder: Option<Move>,
    /// Score of `best`.
    pub score: Score,
    /// Depth of the last iteration that counted.
    pub depth: i32,
    /// The furthest ply that was reached for `best`.
    pub selective_depth: usize,
    /// The line that begins with `best`.
    pub pv: Vec<Move>,
    /// Nodes searched by all workers.
    pub nodes: u64,
    /// How long the own clock has run, as the limits count it; nothing before `ponderhit`.
    pub clock_time: Duration,
    /// A player with a handicap takes this long for the move, from the beginning of the search; at full strength nothing.
    pub pace: Duration,
}

impl SearchResult {
    /// What a worker has found that has not begun.
    pub(super) const NOTHING: SearchResult = SearchResult {
        best: None,
        ponder: None,
        score: Score::DRAW,
        depth: 0,
        selective_depth: 0,
        pv: Vec::new(),
        nodes: 0,
        clock_time: Duration::ZERO,
        pace: Duration::ZERO,
    };
}
