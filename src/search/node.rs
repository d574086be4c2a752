//! A node of the search: principal-variation search with a transposition table.
//!
//! `search_node` is the table of contents: is the node decided? what does the table know? is it decided without its
//! moves? then the moves, best first: is one worth a search, how deep, and at last what was learned.

use super::control::Stopped;
use super::moves::{MoveLoop, Outcome};
use super::node_context::{NodeContext, estimate};
use super::singular::Singularity;
use super::worker::Search;
use crate::score::{Bound, MAX_PLY, Score};
use crate::transposition::Known;

/// What kind of node is searched: on the principal variation, with an open window, or off it, with a null window.
pub(super) trait NodeKind {
    const IS_PV: bool;
}

/// A node that may become part of the principal variation.
pub(super) struct Pv;
/// A node that only proves a bound.
pub(super) struct NonPv;

impl NodeKind for Pv {
    const IS_PV: bool = true;
}

impl NodeKind for NonPv {
    const IS_PV: bool = false;
}

/// The scores between which the value of a node matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The smallest window above `alpha`.
    #[inline(always)]
    pub(super) fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window as the opponent sees it.
    #[inline(always)]
    pub(super) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Narrowed to what mates at this ply leave possible; empty if a shorter mate is already known.
    #[inline(always)]
    fn within_mates(self, ply: usize) -> Window {
        Window { alpha: self.alpha.max(Score::mated_at(ply)), beta: self.beta.min(Score::mating_at(ply + 1)) }
    }

    /// With `alpha` at least this.
    #[inline(always)]
    fn raised_to(self, score: Score) -> Window {
        Window { alpha: self.alpha.max(score), ..self }
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

impl Search<'_> {
    /// The score of the position at this ply for its side to move, within the window.
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        is_cut_node: bool,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence::<N>(window, ply);
        }
        self.enter_node(ply)?;
        if let Some(score) = self.drawn_by_law(ply) {
            return Ok(score);
        }
        let certain = self.certain_score(window, ply);
        let window = window.within_mates(ply).raised_to(certain);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let known = self.table.probe(self.position().key(), ply);
        if let Some(known) = self.table_cutoff::<N>(known, window, depth, ply, is_cut_node) {
            self.learn_from_table(&known, window, depth, ply);
            return Ok(known.score);
        }
        let proved = self.ask_tables(depth, ply);
        if proved.settles(window) {
            self.remember_proved(proved, depth, ply, N::IS_PV);
            return Ok(proved.score);
        }
        let certain = certain.max(proved.at_least());
        let window = window.raised_to(certain);
        let node = self.assess::<N>(window, depth, ply, is_cut_node, known);
        if !N::IS_PV
            && node.excluded.is_none()
            && self.verification.is_none_or(|verification| verification.ply != ply)
            && let Some(score) = self.pruned_node(&node)?
        {
            return Ok(score);
        }
        Ok(self.search_moves::<N>(&node)?.max(certain).min(proved.at_most()))
    }

    /// What the side to move has whatever the search says: a draw, if it can repeat a position.
    #[inline(always)]
    fn certain_score(&self, window: Window, ply: usize) -> Score {
        let can_repeat = window.alpha < Score::DRAW && self.game.has_upcoming_repetition(ply);
        if can_repeat { Score::DRAW } else { Score::MINUS_INFINITE }
    }

    /// Whether what the table knows settles the window, depth aside. Not near the fifty-move limit, of which the table
    /// knows nothing, and no mate or tablebase win beyond it.
    #[inline(always)]
    pub(super) fn table_settles(&self, known: &Known, window: Window, ply: usize) -> bool {
        let clock = self.position().halfmove_clock() as usize;
        let in_time = |plies: usize| {
            let left = plies.saturating_sub(ply);
            // Tables know the position itself only with the counter at 0.
            clock + left <= 100 && (left > 0 || clock == 0 || known.score.is_mate())
        };
        known.bound.settles(known.score, window.alpha, window.beta)
            && clock < 90
            && known.score.plies_to_proof().is_none_or(in_time)
    }

    /// What the table knows, if it settles the node. Not on the principal variation, which must stay complete, and not when
    /// a move is excluded.
    #[inline(always)]
    fn table_cutoff<N: NodeKind>(
        &self,
        known: Option<Known>,
        window: Window,
        depth: i32,
        ply: usize,
        is_cut_node: bool,
    ) -> Option<Known> {
        let known = known.filter(|_| !N::IS_PV && self.plies[ply].excluded.is_none())?;
        let settled = known.depth >= depth
            && self.table_settles(&known, window, ply)
            && self.is_expected(&known, window, depth, is_cut_node);
        settled.then_some(known)
    }

    /// Whether the table's verdict is the one that the kind of node leads to expect. Another one is worth a search where
    /// much hangs on it.
    #[inline(always)]
    fn is_expected(&self, known: &Known, window: Window, depth: i32, is_cut_node: bool) -> bool {
        depth < self.worker.params.unexpected_cutoff_depth || (known.score >= window.beta) == is_cut_node
    }

    /// What is known of the node before its moves are tried. Without a table move it is searched a ply shallower where
    /// that can be mended: the next visit will find one (internal iterative reduction, Chess Programming Wiki).
    pub(super) fn assess<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        is_cut_node: bool,
        known: Option<Known>,
    ) -> NodeContext {
        let evaluations = self.evaluations(known.as_ref(), ply);
        self.plies[ply].evaluation = evaluations.corrected;
        self.plies[ply + 2].cutoffs = 0;
        let excluded = self.plies[ply].excluded;
        let unordered = known.is_none_or(|known| known.mv.is_none()) && excluded.is_none() && !self.proves_mate;
        let shallower = ply > 0 && unordered && (N::IS_PV || is_cut_node) && depth >= self.worker.params.iir_depth;
        let swing = self.swing(evaluations.corrected, ply).filter(|_| excluded.is_none());
        if let Some(swing) = swing {
            self.learn_from_swing(swing, ply);
        }
        NodeContext {
            window,
            depth: depth - shallower as i32,
            ply,
            is_cut_node,
            known,
            excluded,
            was_pv: N::IS_PV || known.is_some_and(|known| known.was_pv),
            raw_evaluation: evaluations.raw,
            evaluation: evaluations.corrected,
            estimate: estimate(evaluations.corrected, known.as_ref()),
            improving: self.is_improving(evaluations.corrected, ply),
            worsening: swing.is_some_and(|swing| swing > 0),
            correction: evaluations.correction.abs(),
            correction_keys: evaluations.keys,
        }
    }

    fn search_moves<N: NodeKind>(&mut self, node: &NodeContext) -> Result<Score, Stopped> {
        let mut moves = MoveLoop::new(self, node);
        while let Some(candidate) = moves.next(self, node) {
            let extension = match self.extension::<N>(node, &candidate, &moves)? {
                Singularity::Extend(plies) => plies,
                Singularity::MultiCut(score) => return Ok(score),
            };
            let score = self.search_move::<N>(node, &candidate, &moves.state(), extension)?;
            if moves.record(&candidate, score) && N::IS_PV {
                self.pv.extend(node.ply, candidate.mv);
            }
            if moves.has_cut() {
                break;
            }
        }
        if moves.found_none() {
            return Ok(self.score_without_moves(node));
        }
        let outcome = moves.outcome();
        if outcome.bound == Bound::Lower {
            self.plies[node.ply].cutoffs += 1;
        }
        let outcome = Outcome { score: self.drawn_to_beta(node, &outcome), ..outcome };
        self.learn_from(node, &outcome, &moves);
        Ok(outcome.score)
    }

    /// A fail-high drawn towards beta, the more the shallower the node: how far beyond it the truth lies is not known.
    #[inline(always)]
    fn drawn_to_beta(&self, node: &NodeContext, outcome: &Outcome) -> Score {
        let (score, beta) = (outcome.score, node.window.beta);
        let proved = outcome.bound != Bound::Lower || score.is_decisive() || beta.is_decisive() || self.proves_mate;
        if proved { score } else { beta + (score - beta) * node.depth / (node.depth + 1) }
    }

    /// Mate or stalemate; with a move excluded, nothing as good as that move.
    #[inline(always)]
    fn score_without_moves(&self, node: &NodeContext) -> Score {
        if node.excluded.is_some() { node.window.alpha } else { self.score_of_end(node.ply) }
    }

    /// Mate or stalemate.
    #[inline(always)]
    pub(super) fn score_of_end(&self, ply: usize) -> Score {
        if self.position().in_check() { Score::mated_at(ply) } else { Score::DRAW }
    }
}
