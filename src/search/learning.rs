//! What a searched node teaches: histories for the order of moves, corrections of the evaluation, the table's entry.

use super::history::{MovedTo, QuietContext, bonus, malus};
use super::moves::{Candidate, MoveLoop, Outcome};
use super::node::Window;
use super::node_context::NodeContext;
use super::worker::{PlyState, Search};
use crate::chess::Move;
use crate::score::{Bound, Score};
use crate::transposition::{Known, Learned};

impl Search<'_> {
    /// What is kept for later: histories, corrections, and the entry of the table.
    pub(super) fn learn_from(&mut self, node: &NodeContext, outcome: &Outcome, moves: &MoveLoop) {
        match outcome.bound {
            Bound::Lower => {
                self.learn_from_cutoff(node, outcome, moves);
                if node.excluded.is_none() {
                    self.learn_refutation(node.depth, node.ply);
                }
            }
            // With a move left out the others are expected to fail: that says nothing of the move before.
            Bound::Upper if node.excluded.is_none() => self.learn_from_fail_low(node),
            Bound::Upper | Bound::Exact => {}
        }
        if node.excluded.is_none() {
            self.learn_correction(node, outcome);
            self.store(node, outcome);
        }
    }

    /// The cutting move is rewarded, those of its kind tried before it are punished. Where the quiet move that stood first in
    /// the order cuts, the order was right: at low depth there is nothing to learn.
    fn learn_from_cutoff(&mut self, node: &NodeContext, outcome: &Outcome, moves: &MoveLoop) {
        let Some(cut) = outcome.mv else { return };
        let params = &self.worker.params;
        let is_quiet = |mv: Move| !mv.is_noisy();
        let expected = is_quiet(cut) && moves.tried.iter().filter(|&&(mv, _)| is_quiet(mv)).count() == 1;
        if expected && node.depth <= params.history_expected_depth {
            return;
        }
        let (bonus, malus) = (bonus(node.depth, params), malus(node.depth, params));
        let histories = &mut self.worker.histories;
        let position = self.game.position();
        for &(mv, piece) in &moves.tried {
            let amount = if mv == cut { bonus } else { -malus };
            if mv.is_noisy() {
                histories.learn_noisy(position, mv, amount);
            } else if !cut.is_noisy() {
                // Quiet moves are tried after the captures anyway: a capture that cuts says nothing against them.
                histories.learn_quiet(&moves.quiet_context, piece, mv, amount);
            }
        }
    }

    /// The table has settled the node: its move is rewarded again where it cuts off.
    pub(super) fn learn_from_table(&mut self, known: &Known, window: Window, depth: i32, ply: usize) {
        if known.score < window.beta {
            return;
        }
        self.learn_refutation(depth, ply);
        let Some(mv) = known.mv.filter(|mv| !mv.is_noisy()) else { return };
        let Some(piece) = self.position().piece_on(mv.from()) else { return };
        let context = QuietContext::new(self.position(), self.past_moves(ply));
        let params = &self.worker.params;
        let bonus = bonus(depth, params) * params.history_table_cutoff / 100;
        self.worker.histories.learn_quiet(&context, piece, mv, bonus);
    }

    /// The evaluations before and after a quiet move say at once whether it was good: their sum is what it lost.
    pub(super) fn learn_from_swing(&mut self, swing: i32, ply: usize) {
        let params = &self.worker.params;
        let PlyState { mv: Some(mv), exposure, .. } = self.plies[ply - 1] else { return };
        if mv.is_noisy() {
            return;
        }
        let limit = params.evaluation_swing_limit;
        let bonus = (-swing * params.evaluation_swing_slope / 16).clamp(-limit, limit);
        let color = !self.position().side_to_move();
        self.worker.histories.learn_squares(color, exposure, mv, bonus);
    }

    /// A late move that had to be searched again at full depth has shown what it is worth as a reply.
    pub(super) fn learn_from_second_look(
        &mut self,
        candidate: &Candidate,
        score: Score,
        window: &Window,
        node: &NodeContext,
    ) {
        if candidate.mv.is_noisy() {
            return;
        }
        let params = &self.worker.params;
        let amount = if score <= window.alpha {
            -malus(node.depth, params)
        } else if score >= window.beta {
            bonus(node.depth, params)
        } else {
            return;
        };
        let past = self.past_moves(node.ply);
        let amount = amount * params.history_second_look / 100;
        self.worker.histories.learn_reply(&past, MovedTo::new(candidate.piece, candidate.mv.to()), amount);
    }

    /// All moves failed low: the move before, if quiet, has refuted them.
    fn learn_from_fail_low(&mut self, node: &NodeContext) {
        let Some(before) = node.ply.checked_sub(1) else { return };
        let state = &self.plies[before];
        let Some(refuting) = state.moved_to.filter(|_| state.mv.is_some_and(|mv| !mv.is_noisy())) else { return };
        let past = self.past_moves(before);
        let params = &self.worker.params;
        let amount = bonus(node.depth, params) * params.history_fail_low / 100;
        self.worker.histories.learn_reply(&past, refuting, amount);
        let PlyState { mv: Some(mv), exposure, .. } = self.plies[before] else { return };
        let color = !self.position().side_to_move();
        self.worker.histories.learn_squares(color, exposure, mv, amount);
    }

    /// The node has failed high: the move before it, if it was quiet and among the first of its node, is refuted.
    fn learn_refutation(&mut self, depth: i32, ply: usize) {
        let Some(before) = ply.checked_sub(1) else { return };
        let PlyState { mv: Some(mv), moved_to: Some(refuted), number, .. } = self.plies[before] else { return };
        if mv.is_noisy() || number > 2 {
            return;
        }
        let past = self.past_moves(before);
        let params = &self.worker.params;
        let amount = malus(depth, params) * params.history_refutation / 100;
        self.worker.histories.learn_reply(&past, refuted, -amount);
    }

    /// Compares the score with the static evaluation, where the two speak of the same thing: a quiet position, and a
    /// bound that does not leave open which of them is right.
    fn learn_correction(&mut self, node: &NodeContext, outcome: &Outcome) {
        let Some(evaluation) = node.evaluation else { return };
        let consistent = match outcome.bound {
            Bound::Exact => true,
            Bound::Lower => outcome.score > evaluation,
            Bound::Upper => outcome.score < evaluation,
        };
        if consistent && !outcome.mv.is_some_and(Move::is_noisy) && !outcome.score.is_decisive() {
            self.worker.corrections.learn(&node.correction_keys, node.depth, outcome.score - evaluation);
        }
    }

    pub(super) fn store(&self, node: &NodeContext, outcome: &Outcome) {
        let learned = Learned {
            mv: outcome.mv,
            score: outcome.score,
            evaluation: node.raw_evaluation,
            depth: node.depth,
            bound: outcome.bound,
            was_pv: node.was_pv,
        };
        self.table.store(self.position().key(), node.ply, learned);
    }
}
