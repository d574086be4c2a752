//! The arithmetic of the network, written once over a small vector trait and compiled for several instruction sets.
//!
//! [`Kernels::best`] chooses at run time what the processor can do; every choice gives the same numbers, bit for bit,
//! because all sums are of integers that do not overflow.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
mod vector;

use super::network::Row;

/// Rows that come and go when a position changes: two each at most for a move, and up to 32 that come when a layer is built
/// anew.
pub(super) struct RowChanges<'a> {
    pub(super) added: &'a [&'a Row],
    pub(super) removed: &'a [&'a Row],
}

/// One compiled set of kernels.
#[derive(Clone, Copy)]
pub struct Kernels {
    name: &'static str,
    apply: unsafe fn(&Row, &mut Row, &RowChanges<'_>),
    output: unsafe fn(&Row, &Row, &[Row; 2]) -> i32,
}

impl Kernels {
    /// Plain Rust, for any processor.
    pub const SCALAR: Kernels = Kernels { name: "scalar", apply: scalar::apply, output: scalar::output };

    /// All kernels that this processor can run, fastest first.
    pub fn available() -> Vec<Kernels> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                available.push(Kernels { name: "avx512", apply: avx512::apply, output: avx512::output });
            }
            if is_x86_feature_detected!("avx2") {
                available.push(Kernels { name: "avx2", apply: avx2::apply, output: avx2::output });
            }
        }
        #[cfg(target_arch = "aarch64")]
        available.push(Kernels { name: "neon", apply: neon::apply, output: neon::output });
        available.push(Kernels::SCALAR);
        available
    }

    /// The fastest kernels that this processor can run.
    pub fn best() -> Kernels {
        Kernels::available()[0]
    }

    /// What they are compiled for.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// `target` becomes `source` with these rows added and removed.
    #[inline(always)]
    pub(super) fn apply(&self, source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
        // SAFETY: kernels are only offered when the processor has their instructions.
        unsafe { (self.apply)(source, target, changes) }
    }

    /// The sum over both hidden layers of the squared clipped units times their weights.
    #[inline(always)]
    pub(super) fn output(&self, own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
        // SAFETY: kernels are only offered when the processor has their instructions.
        unsafe { (self.output)(own, other, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::SplitMix64;
    use crate::nnue::architecture::{HIDDEN, INPUT_SCALE, MAX_OUTPUT_WEIGHT};

    fn random_row(random: &mut SplitMix64, limit: i32) -> Row {
        Row(std::array::from_fn(|_| (random.below(2 * limit as u64 + 1) as i32 - limit) as i16))
    }

    fn plain_output(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
        let squared = |unit: i16| (unit as i32).clamp(0, INPUT_SCALE).pow(2);
        let sum =
            |row: &Row, weights: &Row| -> i32 { (0..HIDDEN).map(|i| squared(row.0[i]) * weights.0[i] as i32).sum() };
        sum(own, &weights[0]) + sum(other, &weights[1])
    }

    #[test]
    fn all_kernels_equal_plain_arithmetic() {
        let mut random = SplitMix64::new(3);
        for kernels in Kernels::available() {
            for _ in 0..2_000 {
                let rows: Vec<Row> = (0..5).map(|_| random_row(&mut random, 900)).collect();
                let weights = [(); 2].map(|()| random_row(&mut random, MAX_OUTPUT_WEIGHT as i32));
                let expected = plain_output(&rows[0], &rows[1], &weights);
                assert_eq!(kernels.output(&rows[0], &rows[1], &weights), expected, "{}", kernels.name());
                for (added, removed) in [(0, 0), (1, 1), (1, 2), (2, 2), (2, 0), (0, 1)] {
                    let (added, removed): (Vec<&Row>, Vec<&Row>) =
                        (rows[1..1 + added].iter().collect(), rows[3..3 + removed].iter().collect());
                    let mut target = Row::ZERO;
                    kernels.apply(&rows[0], &mut target, &RowChanges { added: &added, removed: &removed });
                    let sum = |i: usize| {
                        let of = |rows: &[&Row]| rows.iter().map(|row| row.0[i]).sum::<i16>();
                        rows[0].0[i] + of(&added) - of(&removed)
                    };
                    assert!((0..HIDDEN).all(|i| target.0[i] == sum(i)), "{}", kernels.name());
                }
            }
        }
    }
}
