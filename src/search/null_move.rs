//! Null move: if even passing keeps the score above beta, a real move would too.
//!
//! Source: Donninger, "Null move and deep search", ICCA Journal 1993. The side to move must have a piece besides pawns
//! (zugzwang), and two passes in a row would say nothing.

use super::params::Params;
use crate::score::Score;

/// What decides whether a null move is worth trying.
pub(super) struct NullMoveCase {
    pub(super) depth: i32,
    pub(super) evaluation: Score,
    pub(super) beta: Score,
    /// Whether the side to move has a piece besides king and pawns.
    pub(super) has_pieces: bool,
    /// Whether the last move was a null move, no cutoff is expected, or a null move is being verified.
    pub(super) forbidden: bool,
}

/// The depth to search after passing, or none if passing is not worth trying.
pub(super) fn depth_after_null(case: &NullMoveCase, params: &Params) -> Option<i32> {
    let allowed = case.depth >= params.null_move_depth
        && case.has_pieces
        && !case.forbidden
        && case.evaluation >= case.beta
        && !case.beta.is_loss();
    let surplus = (case.evaluation - case.beta) / params.null_move_evaluation_divisor;
    let reduction = params.null_move_base + case.depth / params.null_move_depth_divisor + surplus.min(3);
    allowed.then_some((case.depth - reduction).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_and_depth() {
        let params = Params { null_move_base: 3, null_move_evaluation_divisor: 200, ..Params::DEFAULT };
        let case = |depth, evaluation, has_pieces, forbidden| NullMoveCase {
            depth,
            evaluation: Score::evaluation(evaluation),
            beta: Score::evaluation(100),
            has_pieces,
            forbidden,
        };
        assert_eq!(depth_after_null(&case(8, 100, true, false), &params), Some(3));
        assert_eq!(depth_after_null(&case(8, 900, true, false), &params), Some(0));
        assert_eq!(depth_after_null(&case(8, 99, true, false), &params), None);
        assert_eq!(depth_after_null(&case(8, 100, false, false), &params), None);
        assert_eq!(depth_after_null(&case(8, 100, true, true), &params), None);
        assert_eq!(depth_after_null(&case(2, 100, true, false), &params), None);
    }
}
