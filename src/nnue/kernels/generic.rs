//! The kernels themselves, for any vector.

use super::RowChanges;
use super::vector::Vector;
use crate::nnue::architecture::{HIDDEN, INPUT_SCALE};
use crate::nnue::network::Row;

/// `target` becomes `source` with rows added and removed.
///
/// # Safety
/// The processor must have the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn apply<V: Vector>(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    const { assert!(HIDDEN.is_multiple_of(V::LANES)) }
    for at in (0..HIDDEN).step_by(V::LANES) {
        // SAFETY: `at` and the lanes after it lie within a row, and the caller vouches for the instructions.
        unsafe {
            let mut sum = V::load(source.0.as_ptr().add(at));
            for row in changes.added {
                sum = sum.add(V::load(row.0.as_ptr().add(at)));
            }
            for row in changes.removed {
                sum = sum.sub(V::load(row.0.as_ptr().add(at)));
            }
            sum.store(target.0.as_mut_ptr().add(at));
        }
    }
}

/// The sum of squared clipped units times weights over both perspectives.
///
/// A unit times its weight fits sixteen bits (checked where the scales are defined), so that the second product can be the
/// one that widens.
///
/// # Safety
/// The processor must have the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn output<V: Vector>(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    // SAFETY: every load lies within a row, and the caller vouches for the instructions.
    unsafe {
        let (zero, one) = (V::splat(0), V::splat(INPUT_SCALE as i16));
        let mut sums = V::zero_sums();
        for (row, weights) in [own, other].into_iter().zip(weights) {
            for at in (0..HIDDEN).step_by(V::LANES) {
                let unit = V::load(row.0.as_ptr().add(at)).max(zero).min(one);
                let weighted = unit.multiply(V::load(weights.0.as_ptr().add(at)));
                sums = V::add_sums(sums, weighted.multiply_to_sums(unit));
            }
        }
        V::total(sums)
    }
}
