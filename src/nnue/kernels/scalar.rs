//! Plain Rust: eight numbers at a time, which compilers turn into whatever the build allows.

use super::vector::Vector;
use super::{RowChanges, generic};
use crate::nnue::network::Row;

#[derive(Clone, Copy)]
struct Plain([i16; 8]);

// SAFETY: needs no instructions beyond those of the build.
unsafe impl Vector for Plain {
    type Sums = [i32; 4];

    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Plain {
        // SAFETY: the caller vouches for eight numbers.
        Plain(unsafe { from.cast::<[i16; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller vouches for eight numbers.
        unsafe { to.cast::<[i16; 8]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Plain {
        Plain([value; 8])
    }

    #[inline(always)]
    unsafe fn add(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    #[inline(always)]
    unsafe fn sub(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }

    #[inline(always)]
    unsafe fn min(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i].min(other.0[i])))
    }

    #[inline(always)]
    unsafe fn max(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i].wrapping_mul(other.0[i])))
    }

    #[inline(always)]
    unsafe fn multiply_to_sums(self, other: Plain) -> [i32; 4] {
        let product = |i: usize| self.0[i] as i32 * other.0[i] as i32;
        std::array::from_fn(|i| product(2 * i) + product(2 * i + 1))
    }

    #[inline(always)]
    unsafe fn zero_sums() -> [i32; 4] {
        [0; 4]
    }

    #[inline(always)]
    unsafe fn add_sums(one: [i32; 4], other: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|i| one[i] + other[i])
    }

    #[inline(always)]
    unsafe fn total(sums: [i32; 4]) -> i32 {
        sums.iter().sum()
    }
}

pub(super) unsafe fn apply(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    // SAFETY: plain Rust runs anywhere.
    unsafe { generic::apply::<Plain>(source, target, changes) }
}

pub(super) unsafe fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    // SAFETY: plain Rust runs anywhere.
    unsafe { generic::output::<Plain>(own, other, weights) }
}
