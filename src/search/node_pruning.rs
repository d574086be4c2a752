//! Nodes that are decided without trying their moves: reverse futility, razoring, null move, ProbCut.

use super::control::Stopped;
use super::node::{NonPv, Window};
use super::node_context::NodeContext;
use super::null_move::{NullMoveCase, depth_after_null};
use super::params::Params;
use super::picker::MovePicker;
use super::worker::Search;
use crate::score::{Bound, Score};
use crate::transposition::Learned;

/// A null move's fail-high is being verified by a search without null moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verification {
    /// Where: this node must not be pruned on other grounds, or nothing would be verified.
    pub(super) ply: usize,
    /// The first ply at which null moves are allowed again.
    pub(super) until: usize,
}

/// Which way the evaluation goes.
#[derive(Clone, Copy, Default)]
struct Trend {
    /// Better for the mover than at its last turn.
    improving: bool,
    /// Worse for the opponent by its own last move.
    worsening: bool,
}

/// Whether the estimate is so far above beta that no search of this depth will bring the score below it, and the score to
/// return (Chess Programming Wiki, "Reverse Futility Pruning").
fn reverse_futility(estimate: Score, beta: Score, depth: i32, trend: Trend, params: &Params) -> Option<Score> {
    let plies = 100 * depth
        - if trend.improving { params.reverse_futility_improving } else { 0 }
        - if trend.worsening { params.reverse_futility_worsening } else { 0 };
    let margin = params.reverse_futility_slope * plies.max(0) / 100;
    let holds = depth <= params.reverse_futility_depth
        && estimate - beta >= margin
        && !beta.is_loss()
        && !estimate.is_decisive();
    // Between the two: the estimate is not proved.
    holds.then(|| beta + (estimate - beta) / 3)
}

/// Whether the estimate is so far below alpha that only a capture could help (razoring).
fn is_hopeless(estimate: Score, alpha: Score, depth: i32, params: &Params) -> bool {
    depth <= params.razoring_depth && alpha - estimate > params.razoring_base + params.razoring_slope * depth
}

impl Search<'_> {
    /// The score of a node that need not be searched move by move. Not for nodes of the principal variation.
    pub(super) fn pruned_node(&mut self, node: &NodeContext) -> Result<Option<Score>, Stopped> {
        let Some(estimate) = node.estimate.filter(|_| !self.proves_mate) else {
            return Ok(None);
        };
        let params = &self.worker.params;
        let Window { alpha, beta } = node.window;
        let trend = Trend { improving: node.improving, worsening: node.worsening };
        if let Some(score) = reverse_futility(estimate, beta, node.depth, trend, params) {
            return Ok(Some(score));
        }
        if is_hopeless(estimate, alpha, node.depth, params) {
            let score = self.quiescence::<NonPv>(node.window, node.ply)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        if let Some(score) = self.null_move_cutoff(node, estimate)? {
            return Ok(Some(score));
        }
        self.probcut(node)
    }

    /// The score if even passing fails high. From some depth on a shallower search without null moves has to confirm it:
    /// there zugzwang would be believed for too long.
    fn null_move_cutoff(&mut self, node: &NodeContext, estimate: Score) -> Result<Option<Score>, Stopped> {
        let NodeContext { window, depth, ply, .. } = *node;
        let position = self.position();
        let case = NullMoveCase {
            depth,
            evaluation: estimate,
            beta: window.beta,
            has_pieces: position.has_pieces(position.side_to_move()),
            forbidden: !node.is_cut_node
                || self.plies[ply - 1].mv.is_none()
                || self.verification.is_some_and(|verification| ply < verification.until),
        };
        let Some(reduced) = depth_after_null(&case, &self.worker.params) else {
            return Ok(None);
        };
        self.pass(ply);
        let score = -self.search_node::<NonPv>(window.flipped(), reduced, ply + 1, false)?;
        self.take_back_pass();
        if score < window.beta {
            return Ok(None);
        }
        // A mate found after passing is no proof of a mate.
        let score = if score.is_win() { window.beta } else { score };
        if depth < self.worker.params.null_move_verification_depth || self.verification.is_some() {
            return Ok(Some(score));
        }
        self.verification = Some(Verification { ply, until: ply + 1 + (3 * reduced / 4) as usize });
        let verified = self.search_node::<NonPv>(window, reduced, ply, false);
        self.verification = None;
        Ok((verified? >= window.beta).then_some(score))
    }

    /// ProbCut: a capture that clears beta by a margin in a shallow search will clear beta in a full one (Buro, "ProbCut:
    /// An Effective Selective Extension of the Alpha-Beta Algorithm", ICCA Journal 1995).
    fn probcut(&mut self, node: &NodeContext) -> Result<Option<Score>, Stopped> {
        let NodeContext { window, depth, ply, known, .. } = *node;
        let params = &self.worker.params;
        let raised = window.beta + params.probcut_margin - if node.improving { params.probcut_margin / 4 } else { 0 };
        let denied = known.is_some_and(|known| known.depth >= depth - 3 && known.score < raised);
        let (Some(evaluation), false) = (node.evaluation, denied) else {
            return Ok(None);
        };
        if depth < params.probcut_depth || window.beta.is_decisive() || raised.is_win() {
            return Ok(None);
        }
        let above = Window { alpha: raised - 1, beta: raised };
        let missing = (raised - evaluation) * 100 / params.exchange_worth;
        let mut picker = MovePicker::noisy(self.position(), known.and_then(|known| known.mv), missing);
        while let Some(mv) = picker.next(self.game.position(), &self.worker.histories, &self.worker.params) {
            self.play(mv, ply);
            let mut score = -self.quiescence::<NonPv>(above.flipped(), ply + 1)?;
            if score >= raised {
                score = -self.search_node::<NonPv>(above.flipped(), depth - 4, ply + 1, !node.is_cut_node)?;
            }
            self.take_back();
            if score >= raised {
                let learned = Learned {
                    mv: Some(mv),
                    score,
                    evaluation: node.raw_evaluation,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    was_pv: node.was_pv,
                };
                self.table.store(self.position().key(), ply, learned);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_futility_needs_distance_and_little_depth() {
        let params = Params::DEFAULT;
        let at = |estimate, depth, improving| {
            reverse_futility(
                Score::evaluation(estimate),
                Score::evaluation(0),
                depth,
                Trend { improving, ..Trend::default() },
                &params,
            )
        };
        let far = at(2000, 3, false).unwrap();
        assert!(far > Score::evaluation(0) && far < Score::evaluation(2000));
        assert_eq!(at(2000, 30, false), None);
        assert_eq!(at(params.reverse_futility_slope * 3 - 1, 3, false), None);
        assert!(at(params.reverse_futility_slope * 3 - 1, 3, true).is_some());
        let worse = |trend| reverse_futility(Score::evaluation(200), Score::evaluation(0), 3, trend, &params).is_some();
        assert!(worse(Trend { worsening: true, improving: true }));
        assert!(!worse(Trend::default()));
        let mate = Score::mating_at(9);
        assert_eq!(reverse_futility(mate, Score::evaluation(0), 3, Trend::default(), &params), None);
        assert_eq!(reverse_futility(Score::evaluation(0), Score::mated_at(9), 3, Trend::default(), &params), None);
    }

    #[test]
    fn razoring_only_far_below_alpha_and_near_the_leaves() {
        let params = Params::DEFAULT;
        let hopeless = |estimate, depth| is_hopeless(Score::evaluation(estimate), Score::evaluation(0), depth, &params);
        assert!(hopeless(-3000, 2) && !hopeless(-3000, 12) && !hopeless(-100, 1));
    }
}
