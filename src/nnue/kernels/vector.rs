//! What kernels need of a vector register.

/// A register of sixteen-bit numbers, with sums in thirty-two bits.
///
/// # Safety
/// All functions need the instruction set of the implementation; pointers must be valid for `LANES` numbers.
pub(super) unsafe trait Vector: Copy {
    /// Thirty-two-bit sums, half as many as there are numbers.
    type Sums: Copy;

    /// How many numbers fit.
    const LANES: usize;

    unsafe fn load(from: *const i16) -> Self;
    unsafe fn store(self, to: *mut i16);
    unsafe fn splat(value: i16) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    /// The low sixteen bits of each product.
    unsafe fn multiply(self, other: Self) -> Self;
    /// Products in full, added in pairs.
    unsafe fn multiply_to_sums(self, other: Self) -> Self::Sums;
    unsafe fn zero_sums() -> Self::Sums;
    unsafe fn add_sums(one: Self::Sums, other: Self::Sums) -> Self::Sums;
    unsafe fn total(sums: Self::Sums) -> i32;
}
