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
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        if HIDDEN.is_multiple_of(8 * V::LANES) {
            apply_by::<V, 8>(source, target, changes);
        } else if HIDDEN.is_multiple_of(4 * V::LANES) {
            apply_by::<V, 4>(source, target, changes);
        } else {
            apply_by::<V, 1>(source, target, changes);
        }
    }
}

/// As [`apply`], with so many registers at a time, which stay registers while row after row is added.
///
/// # Safety
/// The processor must have the instructions of `V`, and the hidden layer must fill registers `REGISTERS` at a time.
#[inline(always)]
unsafe fn apply_by<V: Vector, const REGISTERS: usize>(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    for at in (0..HIDDEN).step_by(REGISTERS * V::LANES) {
        // SAFETY: the lanes from `at` for all registers lie within a row, and the caller vouches for the instructions.
        unsafe {
            let part = |row: &Row, register: usize| V::load(row.0.as_ptr().add(at + register * V::LANES));
            let mut sums: [V; REGISTERS] = std::array::from_fn(|register| part(source, register));
            for row in changes.added {
                sums = std::array::from_fn(|register| sums[register].add(part(row, register)));
            }
            for row in changes.removed {
                sums = std::array::from_fn(|register| sums[register].sub(part(row, register)));
            }
            for (register, sum) in sums.into_iter().enumerate() {
                sum.store(target.0.as_mut_ptr().add(at + register * V::LANES));
            }
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
