//! NEON: eight numbers at a time. Part of every 64-bit ARM processor.

use std::arch::aarch64::*;

use super::vector::Vector;
use super::{RowChanges, generic};
use crate::nnue::network::Row;

#[derive(Clone, Copy)]
struct Wide(int16x8_t);

// SAFETY: every function is one instruction or a short run of them, which every processor of this architecture has.
unsafe impl Vector for Wide {
    type Sums = int32x4_t;

    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Wide {
        // SAFETY: the caller vouches for eight numbers.
        Wide(unsafe { vld1q_s16(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller vouches for eight numbers.
        unsafe { vst1q_s16(to, self.0) }
    }

    #[inline(always)]
    unsafe fn splat(value: i16) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vdupq_n_s16(value) })
    }

    #[inline(always)]
    unsafe fn add(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vaddq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn sub(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vsubq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn min(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vminq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn max(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vmaxq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Wide) -> Wide {
        // SAFETY: see the implementation.
        Wide(unsafe { vmulq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn multiply_to_sums(self, other: Wide) -> int32x4_t {
        // SAFETY: see the implementation.
        unsafe {
            let low = vmull_s16(vget_low_s16(self.0), vget_low_s16(other.0));
            vmlal_high_s16(low, self.0, other.0)
        }
    }

    #[inline(always)]
    unsafe fn zero_sums() -> int32x4_t {
        // SAFETY: see the implementation.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    unsafe fn add_sums(one: int32x4_t, other: int32x4_t) -> int32x4_t {
        // SAFETY: see the implementation.
        unsafe { vaddq_s32(one, other) }
    }

    #[inline(always)]
    unsafe fn total(sums: int32x4_t) -> i32 {
        // SAFETY: see the implementation.
        unsafe { vaddvq_s32(sums) }
    }
}

#[target_feature(enable = "neon")]
pub(super) unsafe fn apply(source: &Row, target: &mut Row, changes: &RowChanges<'_>) {
    // SAFETY: this function has the instructions.
    unsafe { generic::apply::<Wide>(source, target, changes) }
}

#[target_feature(enable = "neon")]
pub(super) unsafe fn output(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    // SAFETY: this function has the instructions.
    unsafe { generic::output::<Wide>(own, other, weights) }
}
