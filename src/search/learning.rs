//! What a searched node teaches: histories for the order of moves, corrections of the evaluation, the table's entry.

use super::history::{bonus, malus};
use super::moves::{MoveLoop, Outcome};
use super::node_context::NodeContext;
use super::worker::Search;
use crate::chess::Move;
use crate::score::Bound;
use crate::transposition::Learned;

impl Search<'_> {
    /// What is kept for later: histories, corrections, and the entry of the table.
    pub(super) fn learn_from(&mut self, node: &NodeContext, outcome: &Outcome, moves: &MoveLoop) {
        match outcome.bound {
            Bound::Lower => self.learn_from_cutoff(node, outcome, moves),
            // With a move left out the others are expected to fail: that says nothing of the move before.
            Bound::Upper if node.excluded.is_none() => self.learn_from_fail_low(node),
            Bound::Upper | Bound::Exact => {}
        }
        if node.excluded.is_none() {
            self.learn_correction(node, outcome);
            self.store(node, outcome);
        }
    }

    /// The cutting move is rewarded, those of its kind tried before it are punished.
    fn learn_from_cutoff(&mut self, node: &NodeContext, outcome: &Outcome, moves: &MoveLoop) {
        let Some(cut) = outcome.mv else { return };
        let params = &self.worker.params;
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

    /// All moves failed low: the move before, if quiet, has refuted them.
    fn learn_from_fail_low(&mut self, node: &NodeContext) {
        let Some(before) = node.ply.checked_sub(1) else { return };
        let state = &self.plies[before];
        let Some(refuting) = state.moved_to.filter(|_| state.mv.is_some_and(|mv| !mv.is_noisy())) else { return };
        let past = self.past_moves(before);
        let amount = bonus(node.depth, &self.worker.params) / 2;
        self.worker.histories.learn_reply(&past, refuting, amount);
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
