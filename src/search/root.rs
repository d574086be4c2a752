//! The first ply: the list of root moves and the loop over them.

use super::control::Stopped;
use super::history::Histories;
use super::node::{Pv, Window};
use super::picker::MovePicker;
use super::report::Event;
use super::worker::Search;
use crate::chess::{Move, Position};
use crate::score::{Bound, Score};
use crate::transposition::Learned;
use std::time::Duration;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in the running iteration; minus infinity until it is searched or if it is no better than another.
    pub(super) score: Score,
    /// Score after the iteration before.
    pub(super) previous: Score,
    /// What `score` says.
    pub(super) bound: Bound,
    pub(super) selective_depth: usize,
    /// The line that begins with the move.
    pub(super) pv: Vec<Move>,
}

/// The root moves, best first.
#[derive(Clone, Debug)]
pub(super) struct RootMoves(pub(super) Vec<RootMove>);

impl RootMoves {
    /// The legal moves, or those of `wanted` if any of them is legal, in the order of a first guess.
    pub(super) fn new(position: &Position, wanted: &[Move]) -> RootMoves {
        let mut picker = MovePicker::new(position, None, [None; 2]);
        let histories = Histories::new();
        let all: Vec<Move> = std::iter::from_fn(|| picker.next(position, &histories)).collect();
        let chosen: Vec<Move> = all.iter().copied().filter(|mv| wanted.contains(mv)).collect();
        let moves = if chosen.is_empty() { all } else { chosen };
        let unsearched = |mv| RootMove {
            mv,
            score: Score::MINUS_INFINITE,
            previous: Score::MINUS_INFINITE,
            bound: Bound::Exact,
            selective_depth: 0,
            pv: vec![mv],
        };
        RootMoves(moves.into_iter().map(unsearched).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A new iteration begins: scores become previous scores.
    pub(super) fn begin_iteration(&mut self) {
        for root_move in &mut self.0 {
            if root_move.score != Score::MINUS_INFINITE {
                root_move.previous = root_move.score;
            }
            root_move.score = Score::MINUS_INFINITE;
        }
    }

    /// Sorts the moves from this place on: best first, those not searched in this iteration in their former order.
    pub(super) fn sort_from(&mut self, first: usize) {
        self.0[first..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
    }
}

/// Root moves are announced only in searches that last: clients would drown otherwise.
const QUIET_PERIOD: Duration = Duration::from_secs(3);

impl Search<'_> {
    /// Searches the root moves from place `first` on, and returns the score of the best.
    pub(super) fn search_root(&mut self, window: Window, depth: i32, first: usize) -> Result<Score, Stopped> {
        let mut left = window;
        let mut best = Score::MINUS_INFINITE;
        self.pv.clear(0);
        for index in first..self.moves.len() {
            let mv = self.moves.0[index].mv;
            let number = index - first + 1;
            self.announce(depth, mv, index + 1);
            self.selective_depth = 0;
            let score = self.search_child::<Pv>(mv, left, depth, 0, number)?;
            best = best.max(score);
            if number == 1 || score > left.alpha {
                self.take_over(index, score, window);
            } else {
                self.moves.0[index].score = Score::MINUS_INFINITE;
            }
            left.alpha = left.alpha.max(score);
            if left.is_empty() {
                break;
            }
        }
        if first == 0 {
            self.remember_root(window, depth, best);
        }
        Ok(best)
    }

    /// The move at this place is the best so far, with the line just searched.
    fn take_over(&mut self, index: usize, score: Score, window: Window) {
        let selective_depth = self.selective_depth;
        let root_move = &mut self.moves.0[index];
        root_move.score = score;
        root_move.bound = bound_of(score, window);
        root_move.selective_depth = selective_depth;
        root_move.pv.truncate(1);
        // After a fail-low the line below is that of a refutation, and still what the opponent is expected to do.
        root_move.pv.extend_from_slice(self.pv.line(1));
    }

    fn announce(&mut self, depth: i32, mv: Move, number: usize) {
        if self.control.elapsed() > QUIET_PERIOD {
            (self.tell)(Event::RootMove { depth, mv, number });
        }
    }

    fn remember_root(&mut self, window: Window, depth: i32, score: Score) {
        let evaluation = (!self.root.in_check()).then(|| self.evaluate());
        let best = self.moves.0.iter().max_by_key(|root_move| root_move.score);
        let bound = bound_of(score, window);
        let mv = best.map(|root_move| root_move.mv).filter(|_| bound != Bound::Upper);
        self.table.store(self.root.key(), 0, Learned { mv, score, evaluation, depth, bound, was_pv: true });
    }
}

fn bound_of(score: Score, window: Window) -> Bound {
    if score <= window.alpha {
        Bound::Upper
    } else if score >= window.beta {
        Bound::Lower
    } else {
        Bound::Exact
    }
}
