//! How much shallower late moves are searched first.
//!
//! With good ordering a late move rarely matters; a search that finds otherwise is repeated at full depth (Chess
//! Programming Wiki, "Late Move Reductions").

use super::params::Params;

const SIDE: usize = 64;

/// ln(depth) * ln(move number), worked out once, in 1/1024 ply.
pub(super) struct ReductionTable(Box<[[i32; SIDE]; SIDE]>);

impl ReductionTable {
    pub(super) fn new(params: &Params) -> ReductionTable {
        let mut table = Box::new([[0; SIDE]; SIDE]);
        let divisor = params.late_move_divisor as f64 / 100.0;
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *cell = params.late_move_base + (1024.0 * product / divisor) as i32;
            }
        }
        ReductionTable(table)
    }

    /// Plies to reduce the move with this number (from 1) by. `history` is its ordering history.
    pub(super) fn plies(&self, depth: i32, number: usize, is_pv: bool, history: i32, params: &Params) -> i32 {
        let base = self.0[(depth as usize).min(SIDE - 1)][number.min(SIDE - 1)];
        let history = history * 1024 / params.late_move_history_divisor;
        let pv = if is_pv { 1024 } else { 0 };
        let plies = (base - history - pv) / 1024;
        // At least one ply stays, and a reduction never extends.
        plies.clamp(0, (depth - 2).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_depth_and_number_and_shrinks_with_history() {
        let params = Params::DEFAULT;
        let table = ReductionTable::new(&params);
        let plies = |depth, number, is_pv, history| table.plies(depth, number, is_pv, history, &params);
        assert_eq!(plies(3, 2, false, 0), 0);
        assert!(plies(12, 20, false, 0) > plies(6, 6, false, 0));
        assert!(plies(12, 20, true, 0) < plies(12, 20, false, 0));
        assert!(plies(12, 20, false, 12_000) < plies(12, 20, false, -12_000));
        assert_eq!(plies(3, 60, false, -16_000), 1, "one ply stays");
        assert_eq!(plies(500, 500, false, 0), plies(63, 63, false, 0));
    }
}
