//! How much shallower late moves are searched first.
//!
//! With good ordering a late move rarely matters; a search that finds otherwise is repeated at full depth (Chess
//! Programming Wiki, "Late Move Reductions"). Terms are summed in 1/1024 ply and rounded once.

use super::params::Params;

const SIDE: usize = 64;

/// ln(depth) * ln(move number) and a base, worked out once, in 1/1024 ply; for noisy and for quiet moves.
pub(super) struct ReductionTable(Box<[[[i32; SIDE]; SIDE]; 2]>);

/// What decides how much a late move is reduced.
#[derive(Clone, Copy, Default)]
pub(super) struct LateMove {
    pub(super) depth: i32,
    /// Its number in the order of its node, from 1.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    pub(super) history: i32,
    pub(super) is_pv: bool,
    /// Whether the table remembers the node as part of a principal variation.
    pub(super) was_pv: bool,
    pub(super) is_cut_node: bool,
    pub(super) improving: bool,
    pub(super) gives_check: bool,
    pub(super) table_move_is_noisy: bool,
    /// Whether many moves have cut off lately below the node.
    pub(super) child_cuts_often: bool,
    /// Whether an earlier move has raised alpha.
    pub(super) alpha_raised: bool,
    /// How far the static evaluation has been corrected, in evaluation units, 0 or more.
    pub(super) correction: i32,
}

impl ReductionTable {
    pub(super) fn new(params: &Params) -> ReductionTable {
        let mut table = Box::new([[[0; SIDE]; SIDE]; 2]);
        let noisy = (params.late_noisy_base, params.late_noisy_divisor);
        let quiet = (params.late_move_base, params.late_move_divisor);
        for (kind, (base, divisor)) in table.iter_mut().zip([noisy, quiet]) {
            for (depth, row) in kind.iter_mut().enumerate().skip(1) {
                for (number, cell) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    *cell = base + (102_400.0 * product / divisor as f64) as i32;
                }
            }
        }
        ReductionTable(table)
    }

    /// The reduction by depth and number alone, in 1/1024 ply.
    #[inline(always)]
    pub(super) fn base(&self, depth: i32, number: usize, is_quiet: bool) -> i32 {
        self.0[is_quiet as usize][(depth.max(0) as usize).min(SIDE - 1)][number.min(SIDE - 1)]
    }

    /// Plies to reduce a move by, 0 or more.
    pub(super) fn plies(&self, case: &LateMove, params: &Params) -> i32 {
        let given = |condition: bool, amount: i32| if condition { amount } else { 0 };
        let sum = self.base(case.depth, case.number, case.is_quiet)
            - case.history * 1024 / params.late_move_history_divisor
            - given(case.is_pv, params.late_move_pv)
            - given(case.was_pv, params.late_move_was_pv)
            - given(case.gives_check, params.late_move_check)
            - case.correction * params.late_move_correction
            + given(case.alpha_raised, params.late_move_alpha_raised)
            + given(case.is_cut_node, params.late_move_cut_node)
            + given(!case.improving, params.late_move_not_improving)
            + given(case.table_move_is_noisy, params.late_move_noisy_table_move)
            + given(case.child_cuts_often, params.late_move_child_cutoffs);
        (sum / 1024).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_depth_and_number_and_shrinks_with_history() {
        let params = Params::DEFAULT;
        let table = ReductionTable::new(&params);
        let late = |depth, number| LateMove { depth, number, is_quiet: true, improving: true, ..LateMove::default() };
        let plies = |case: LateMove| table.plies(&case, &params);
        assert!(plies(late(12, 20)) > plies(late(6, 6)));
        assert!(plies(LateMove { is_pv: true, ..late(12, 20) }) < plies(late(12, 20)));
        assert!(plies(LateMove { is_cut_node: true, ..late(12, 20) }) > plies(late(12, 20)));
        assert!(plies(LateMove { correction: 400, ..late(12, 20) }) < plies(late(12, 20)));
        let with_history = |history| plies(LateMove { history, ..late(12, 20) });
        assert!(with_history(20_000) < with_history(-20_000));
        assert_eq!(with_history(1_000_000), 0, "a reduction never extends");
        assert_eq!(plies(late(500, 500)), plies(late(63, 63)));
        assert!(plies(LateMove { is_quiet: false, ..late(12, 20) }) < plies(late(12, 20)));
    }
}
