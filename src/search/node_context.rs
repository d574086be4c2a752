//! What is known of a node before its moves are tried: what the table says, the evaluations, where the game is going.

use super::history::{CorrectionKeys, MovedTo, PAST_PLIES, PastMoves};
use super::node::Window;
use super::worker::Search;
use crate::chess::Move;
use crate::score::{Bound, Score};
use crate::transposition::Known;

/// A node about to be searched.
#[derive(Clone, Copy)]
pub(super) struct NodeContext {
    pub(super) window: Window,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether a move is expected to fail high.
    pub(super) is_cut_node: bool,
    pub(super) known: Option<Known>,
    /// A move left out to see what the others are worth.
    pub(super) excluded: Option<Move>,
    /// Whether the node is, or is remembered as, part of a principal variation.
    pub(super) was_pv: bool,
    /// The static evaluation as the network gives it; none in check.
    pub(super) raw_evaluation: Option<Score>,
    /// The same corrected by what searches of similar positions found.
    pub(super) evaluation: Option<Score>,
    /// The best guess: the evaluation, or the table's score where that says more.
    pub(super) estimate: Option<Score>,
    /// Whether the evaluation is better than at the mover's last turn.
    pub(super) improving: bool,
    /// Whether the last move has made things worse for the opponent, who made it.
    pub(super) worsening: bool,
    /// How far the evaluation has been corrected, 0 or more.
    pub(super) correction: i32,
    pub(super) correction_keys: CorrectionKeys,
}

impl NodeContext {
    pub(super) fn in_check(&self) -> bool {
        self.evaluation.is_none()
    }
}

/// The evaluations of a position.
#[derive(Clone, Copy)]
pub(super) struct Evaluations {
    pub(super) raw: Option<Score>,
    pub(super) corrected: Option<Score>,
    /// What was added to correct it.
    pub(super) correction: i32,
    pub(super) keys: CorrectionKeys,
}

/// The better of two guesses: the table's score where its bound says that the truth lies beyond the evaluation.
pub(super) fn estimate(evaluation: Option<Score>, known: Option<&Known>) -> Option<Score> {
    let evaluation = evaluation?;
    let better = known.filter(|known| {
        let points_there = match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.score > evaluation,
            Bound::Upper => known.score < evaluation,
        };
        points_there && !known.score.is_decisive()
    });
    Some(better.map_or(evaluation, |known| known.score))
}

/// The evaluation nearer to a draw the nearer the fifty-move rule is.
#[inline(always)]
fn faded(units: i32, halfmove_clock: u16) -> i32 {
    units * (200 - halfmove_clock.min(100) as i32) / 200
}

impl Search<'_> {
    /// The evaluations of the position at this ply, from the table if it is there; none in check, where they mean nothing.
    #[inline(always)]
    pub(super) fn evaluations(&mut self, known: Option<&Known>, ply: usize) -> Evaluations {
        let [last, before] = [1, 2].map(|back| self.moved_to(ply, back));
        let keys = CorrectionKeys::new(self.position(), last, before);
        if self.position().in_check() {
            return Evaluations { raw: None, corrected: None, correction: 0, keys };
        }
        let raw = known.and_then(|known| known.evaluation).unwrap_or_else(|| self.evaluate());
        let correction = self.worker.corrections.of(&keys, &self.worker.params);
        let corrected = Score::evaluation(faded(raw.units(), self.position().halfmove_clock()) + correction);
        Evaluations { raw: Some(raw), corrected: Some(corrected), correction, keys }
    }

    /// Whether the evaluation is better than when the side to move was last on turn and not in check.
    #[inline(always)]
    pub(super) fn is_improving(&self, evaluation: Option<Score>, ply: usize) -> bool {
        let earlier = |back: usize| ply.checked_sub(back).and_then(|earlier| self.plies[earlier].evaluation);
        match (evaluation, earlier(2).or(earlier(4))) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// The sum of both sides' evaluations before and after the last move, each from its mover's view: above 0 when the
    /// opponent has lost by moving.
    #[inline(always)]
    pub(super) fn swing(&self, evaluation: Option<Score>, ply: usize) -> Option<i32> {
        let before = self.plies[ply.checked_sub(1)?].evaluation?;
        Some(evaluation?.units() + before.units())
    }

    /// The moves of the last plies, for histories.
    #[inline(always)]
    pub(super) fn past_moves(&self, ply: usize) -> PastMoves {
        PAST_PLIES.map(|back| self.moved_to(ply, back))
    }

    #[inline(always)]
    fn moved_to(&self, ply: usize, back: usize) -> Option<MovedTo> {
        ply.checked_sub(back).and_then(|earlier| self.plies[earlier].moved_to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(score: Score, bound: Bound) -> Known {
        Known { mv: None, score, evaluation: None, depth: 3, bound, was_pv: false }
    }

    #[test]
    fn the_table_overrules_the_evaluation_only_in_the_direction_of_its_bound() {
        let evaluation = Score::evaluation(50);
        let with = |units, bound| estimate(Some(evaluation), Some(&known(Score::evaluation(units), bound)));
        assert_eq!(with(80, Bound::Lower), Some(Score::evaluation(80)));
        assert_eq!(with(20, Bound::Lower), Some(evaluation));
        assert_eq!(with(20, Bound::Upper), Some(Score::evaluation(20)));
        assert_eq!(with(80, Bound::Upper), Some(evaluation));
        assert_eq!(with(20, Bound::Exact), Some(Score::evaluation(20)));
        assert_eq!(estimate(Some(evaluation), Some(&known(Score::mating_at(5), Bound::Lower))), Some(evaluation));
        assert_eq!(estimate(None, None), None);
    }

    #[test]
    fn evaluations_fade_towards_the_fifty_move_rule() {
        let evaluation = 300;
        assert_eq!(faded(evaluation, 0), 300);
        assert_eq!(faded(evaluation, 100), 150);
        assert!(faded(evaluation, 60) < faded(evaluation, 20));
    }
}
