//! AVX-512: thirty-two numbers at a time.

use std::arch::x86_64::*;

use super::vector::Vector;
use super::{RowChanges, generic};
use crate::nnue::network::Row;

#[derive(Clone, Copy)]
struct Wide(__m512i);

// SAFETY: every function is one instruction or a short run of them that the caller vouches for; rows are aligned to 64
// bytes, so loads and stores of whole registers are aligned.
unsafe impl Vector for Wide {
    type Sums = __m512i;

    const LANES: usize = 32;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_load_si512(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: see the implementation.
        unsafe { _mm512_store_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_set1_epi16(value)) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_add_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn sub(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_sub_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn min(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_min_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_max_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm512_mullo_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn multiply_to_sums(self, other: Wide) -> __m512i {
        // SAFETY: see the implementation.
        unsafe { _mm512_madd_epi16(self.0, other.0) }
    }

    #[inline(always)]
    unsafe fn zero_sums() -> __m512i {
        // SAFETY: see the implementation.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn add_sums(one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: see the implementation.
        unsafe { _mm512_add_epi32(one, other) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m512i) -> i32 {
        // SAFETY: see the implementation.
        unsafe { _mm512_reduce_add_epi32(sums) }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn apply(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    // SAFETY: this function has the instructions.
    unsafe { generic::apply::<Wide>(source, target, changes) }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    // SAFETY: this function has the instructions.
    unsafe { generic::output::<Wide>(own, other, weights) }
}
