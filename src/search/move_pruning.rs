//! Which moves of a node are not worth a search. Pure: numbers in, a verdict out.
//!
//! All of it is for nodes where something better than being mated is already known, and none of it for the root. Depths
//! are those left after reduction: what would be searched shallowly is judged as shallow.

use super::params::Params;

/// What the node is like, as far as its moves' fate depends on it.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    pub(super) depth: i32,
    pub(super) improving: bool,
    /// The static evaluation less alpha; nothing in check.
    pub(super) surplus: Option<i32>,
}

/// How many moves are tried before the remaining quiet ones are left out (Chess Programming Wiki, "Futility Pruning",
/// move count based pruning).
#[inline(always)]
pub(super) fn late_move_count(state: &NodeState, params: &Params) -> usize {
    let whole = params.late_move_count_base + state.depth * state.depth;
    (if state.improving { whole } else { whole / 2 }) as usize
}

/// Whether quiet moves cannot bring the evaluation up to alpha in the plies left (futility pruning).
#[inline(always)]
pub(super) fn quiet_is_futile(state: &NodeState, reduced_depth: i32, params: &Params) -> bool {
    let margin = params.futility_base + params.futility_slope * reduced_depth;
    reduced_depth < params.futility_depth && state.surplus.is_some_and(|surplus| surplus + margin <= 0)
}

/// Whether a quiet move has done so badly elsewhere that it need not be tried at this depth.
#[inline(always)]
pub(super) fn history_is_hopeless(reduced_depth: i32, history: i32, params: &Params) -> bool {
    reduced_depth < params.history_pruning_depth && history < params.history_pruning_slope * (reduced_depth + 1)
}

/// What a quiet move may lose by exchange, as a negative threshold.
#[inline(always)]
pub(super) fn quiet_exchange_threshold(reduced_depth: i32, params: &Params) -> i32 {
    -params.exchange_quiet_slope * reduced_depth * reduced_depth
}

/// What a noisy move may lose by exchange, as a negative threshold; good history forgives more.
#[inline(always)]
pub(super) fn noisy_exchange_threshold(depth: i32, history: i32, params: &Params) -> i32 {
    -params.exchange_noisy_slope * depth - history.max(0) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: Params = Params::DEFAULT;

    fn state(depth: i32, improving: bool, surplus: i32) -> NodeState {
        NodeState { depth, improving, surplus: Some(surplus) }
    }

    #[test]
    fn more_moves_are_tried_deeper_and_when_improving() {
        assert!(late_move_count(&state(4, true, 0), &PARAMS) > late_move_count(&state(4, false, 0), &PARAMS));
        assert!(late_move_count(&state(5, false, 0), &PARAMS) > late_move_count(&state(4, false, 0), &PARAMS));
    }

    #[test]
    fn futility_needs_a_bad_evaluation_and_little_depth() {
        assert!(quiet_is_futile(&state(3, true, -1000), 2, &PARAMS));
        assert!(!quiet_is_futile(&state(3, true, 0), 2, &PARAMS));
        assert!(!quiet_is_futile(&state(20, true, -3000), 15, &PARAMS));
        let in_check = NodeState { surplus: None, ..state(3, true, 0) };
        assert!(!quiet_is_futile(&in_check, 2, &PARAMS));
    }

    #[test]
    fn bad_history_is_hopeless_only_at_low_depth() {
        let bad = PARAMS.history_pruning_slope - 1;
        assert!(history_is_hopeless(0, bad, &PARAMS));
        assert!(!history_is_hopeless(3, bad, &PARAMS));
        assert!(!history_is_hopeless(10, -60_000, &PARAMS));
    }

    #[test]
    fn deeper_nodes_allow_larger_losses() {
        assert!(quiet_exchange_threshold(4, &PARAMS) < quiet_exchange_threshold(2, &PARAMS));
        assert!(noisy_exchange_threshold(4, 0, &PARAMS) < noisy_exchange_threshold(2, 0, &PARAMS));
        assert!(noisy_exchange_threshold(4, 9000, &PARAMS) < noisy_exchange_threshold(4, 0, &PARAMS));
    }
}
