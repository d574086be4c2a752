//! AVX2: sixteen numbers at a time.

use std::arch::x86_64::*;

use super::vector::Vector;
use super::{RowChanges, generic};
use crate::nnue::network::Row;

#[derive(Clone, Copy)]
struct Wide(__m256i);

// SAFETY: every function is one instruction or a short run of them that the caller vouches for; rows are aligned to 64
// bytes, so loads and stores of whole registers are aligned.
unsafe impl Vector for Wide {
    type Sums = __m256i;

    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_load_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: see the implementation.
        unsafe { _mm256_store_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_set1_epi16(value)) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_add_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn sub(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_sub_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn min(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_min_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_max_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        unsafe { Wide(_mm256_mullo_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn multiply_to_sums(self, other: Wide) -> __m256i {
        // SAFETY: see the implementation.
        unsafe { _mm256_madd_epi16(self.0, other.0) }
    }

    #[inline(always)]
    unsafe fn zero_sums() -> __m256i {
        // SAFETY: see the implementation.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn add_sums(one: __m256i, other: __m256i) -> __m256i {
        // SAFETY: see the implementation.
        unsafe { _mm256_add_epi32(one, other) }
    }

    #[inline(always)]
    unsafe fn total(sums: __m256i) -> i32 {
        // SAFETY: see the implementation.
        unsafe {
            let half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
            let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<0b10_11_00_01>(pair)))
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn apply(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    // SAFETY: this function has the instructions.
    unsafe { generic::apply::<Wide>(source, target, changes) }
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    // SAFETY: this function has the instructions.
    unsafe { generic::output::<Wide>(own, other, weights) }
}
