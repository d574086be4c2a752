//! The first ply: the list of root moves and the loop over them.

use super::control::Stopped;
use super::history::{Histories, QuietContext};
use super::iterate::QUIET_PERIOD;
use super::moves::{LoopState, Outcome};
use super::node::{Pv, Window};
use super::node_context::NodeContext;
use super::params::Params;
use super::picker::MovePicker;
use super::report::{Event, Finding};
use super::tables::{RootPart, TableRank};
use super::worker::Search;
use crate::chess::{Move, Position};
use crate::score::{Bound, Score};
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
    /// Nodes searched below the move in all iterations.
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// The line that begins with the move.
    pub(super) pv: Vec<Move>,
    /// What endgame tables say of it, if they know it.
    pub(super) by_tables: Option<TableRank>,
    /// The line by the tables, once it has been told.
    pub(super) table_line: Vec<Move>,
}

/// The root moves, best first.
#[derive(Clone, Debug)]
pub(super) struct RootMoves(pub(super) Vec<RootMove>);

impl RootMove {
    /// What the iteration has found, if this move is the best.
    pub(super) fn finding(&self) -> Finding {
        let RootMove { mv, score, selective_depth, ref pv, .. } = *self;
        Finding { mv, score, selective_depth, pv: pv.clone() }
    }

    /// The win that the move has been found to be, in this iteration or, if it has not been searched in it, the one before.
    fn proved_win(&self) -> Option<Score> {
        let score = if self.score == Score::MINUS_INFINITE { self.previous } else { self.score };
        (score.is_win() && self.bound != Bound::Upper).then_some(score)
    }
}

impl RootMoves {
    /// The legal moves, or those of `wanted` if any of them is legal, in the order of a first guess.
    pub(super) fn new(position: &Position, wanted: &[Move], histories: &Histories, params: &Params) -> RootMoves {
        let mut picker = MovePicker::new(position, None, QuietContext::new(position, [None; 4]));
        let all: Vec<Move> = std::iter::from_fn(|| picker.next(position, histories, params)).collect();
        let chosen: Vec<Move> = all.iter().copied().filter(|mv| wanted.contains(mv)).collect();
        let moves = if chosen.is_empty() { all } else { chosen };
        let unsearched = |mv| RootMove {
            mv,
            score: Score::MINUS_INFINITE,
            previous: Score::MINUS_INFINITE,
            bound: Bound::Exact,
            nodes: 0,
            selective_depth: 0,
            pv: vec![mv],
            by_tables: None,
            table_line: Vec::new(),
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

    /// Another worker has finished the iteration: what it has found stands for what was found here, but for a better win.
    pub(super) fn adopt(&mut self, finding: Finding) {
        let best = self.0.iter_mut().max_by_key(|own| own.proved_win());
        if let Some((own, win)) = best.and_then(|own| own.proved_win().map(|win| (own, win)))
            && win > finding.score
        {
            own.score = win;
            return;
        }
        for root_move in &mut self.0 {
            root_move.score = Score::MINUS_INFINITE;
            if root_move.mv == finding.mv {
                root_move.score = finding.score;
                root_move.bound = Bound::Exact;
                root_move.selective_depth = finding.selective_depth;
                root_move.pv.clone_from(&finding.pv);
            }
        }
    }

    /// Sorts the moves from this place on: best first, those not searched in this iteration in their former order.
    pub(super) fn sort_from(&mut self, first: usize) {
        self.0[first..].sort_by_key(|root_move| std::cmp::Reverse(root_move.standing()));
    }
}

/// Root moves are announced only in searches that last; announcements that follow each other faster than this are left out.
const BETWEEN_ANNOUNCEMENTS: Duration = Duration::from_millis(50);

impl Search<'_> {
    /// Searches the root moves from place `first` on, and returns the score of the best.
    pub(super) fn search_root(&mut self, window: Window, depth: i32, first: usize) -> Result<Score, Stopped> {
        let known = self.table.probe(self.root.key(), 0);
        let node = self.assess::<Pv>(window, depth, 0, false, known);
        let context = QuietContext::new(&self.root, [None; 4]);
        let first_is_noisy = self.moves.0[first].mv.is_noisy();
        let mut state = LoopState {
            window,
            best_score: Score::MINUS_INFINITE,
            table_move_is_noisy: first_is_noisy,
            alpha_raised: false,
        };
        self.pv.clear(0);
        self.plies[1].cutoffs = 0;
        let mut number = 0;
        for index in first..self.moves.len() {
            let mv = self.moves.0[index].mv;
            self.announce(depth, mv, first, index);
            self.selective_depth = 0;
            let nodes_before = self.nodes;
            let score = match self.moves.part(index, first) {
                RootPart::Full => {
                    number += 1;
                    let candidate = self.candidate(mv, number, &context);
                    self.search_move::<Pv>(&node, &candidate, &state, 0).map(Some)
                }
                RootPart::OnlyMates => {
                    let candidate = self.candidate(mv, index - first + 1, &context);
                    self.mate_by(&candidate, depth, state.window.alpha)
                }
                RootPart::None => Ok(None),
            };
            // Also those of an iteration that another worker has finished first: the search goes on after it.
            self.moves.0[index].nodes += self.nodes - nodes_before;
            let score = score?;
            self.take_note(index, score.filter(|&score| number == 1 || score > state.window.alpha), window);
            let score = score.unwrap_or(Score::MINUS_INFINITE);
            state.best_score = state.best_score.max(score);
            state.alpha_raised |= number > 1 && score > state.window.alpha;
            state.window.alpha = state.window.alpha.max(score);
            if state.window.is_empty() {
                break;
            }
        }
        // A score of some moves only says nothing of the position.
        let is_whole = self.moves.len() == self.root.count_legal_moves() as usize;
        if first == 0 && is_whole && self.moves.0[0].by_tables.is_none() {
            self.remember_root(&node, state.best_score);
        }
        Ok(state.best_score)
    }

    /// Takes note of the score of the move at this place, if it is the best so far.
    fn take_note(&mut self, index: usize, best: Option<Score>, window: Window) {
        match best {
            Some(score) => self.take_over(index, score, window),
            None => self.moves.0[index].score = Score::MINUS_INFINITE,
        }
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

    /// Says that the move at this place is searched for the variation that begins at `first`: of the first variation only,
    /// since the others go through much the same list again.
    fn announce(&mut self, depth: i32, mv: Move, first: usize, index: usize) {
        if first > 0 || !self.control.is_leader() {
            return;
        }
        let now = self.control.elapsed();
        let due = self.announced_at.map_or(QUIET_PERIOD, |last| last + BETWEEN_ANNOUNCEMENTS);
        if now > due {
            self.announced_at = Some(now);
            (self.tell)(Event::RootMove { depth, mv, number: index + 1 });
        }
    }

    fn remember_root(&self, node: &NodeContext, score: Score) {
        let best = self.moves.0.iter().max_by_key(|root_move| root_move.score);
        let bound = bound_of(score, node.window);
        let mv = best.map(|root_move| root_move.mv).filter(|_| bound != Bound::Upper);
        self.store(node, &Outcome { score, mv, bound });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_worker_has_found_heads_the_list() {
        let position = Position::initial();
        let mut moves = RootMoves::new(&position, &[], &Histories::new(), &Params::DEFAULT);
        moves.0.iter_mut().zip([50, 30]).for_each(|(root_move, units)| root_move.score = Score::evaluation(units));
        moves.begin_iteration();
        let [was_first, was_second] = [0, 1].map(|place| moves.0[place].mv);
        moves.0[0].score = Score::evaluation(40);
        let mv = moves.0[5].mv;
        let finding = Finding { mv, score: Score::evaluation(-7), selective_depth: 12, pv: vec![mv] };
        moves.adopt(finding.clone());
        moves.sort_from(0);
        assert_eq!(moves.0[0].finding(), finding);
        assert_eq!(moves.0[0].bound, Bound::Exact);
        assert_eq!([1, 2].map(|place| moves.0[place].mv), [was_first, was_second], "the others in their former order");
        assert_eq!(moves.0[1].score, Score::MINUS_INFINITE);
    }

    #[test]
    fn a_mate_that_is_being_confirmed_is_not_given_up_for_what_another_worker_has_found() {
        let mut moves = RootMoves::new(&Position::initial(), &[], &Histories::new(), &Params::DEFAULT);
        let mv = moves.0[5].mv;
        let finding = |score| Finding { mv, score, selective_depth: 12, pv: vec![mv] };
        moves.0[3].score = Score::mating_at(7);
        moves.0[3].bound = Bound::Lower;
        moves.adopt(finding(Score::evaluation(200)));
        assert_eq!((moves.0[3].score, moves.0[5].score), (Score::mating_at(7), Score::MINUS_INFINITE));
        moves.adopt(finding(Score::mating_at(5)));
        assert_eq!((moves.0[3].score, moves.0[5].score), (Score::MINUS_INFINITE, Score::mating_at(5)));
        let mut moves = RootMoves::new(&Position::initial(), &[], &Histories::new(), &Params::DEFAULT);
        moves.0[3].score = Score::mating_at(7);
        moves.begin_iteration();
        moves.adopt(finding(Score::evaluation(200)));
        assert_eq!((moves.0[3].score, moves.0[5].score), (Score::mating_at(7), Score::MINUS_INFINITE), "found before");
        moves.0[3].bound = Bound::Upper;
        moves.adopt(finding(Score::evaluation(200)));
        assert_eq!((moves.0[3].score, moves.0[5].score), (Score::MINUS_INFINITE, Score::evaluation(200)));
    }
}
