//! The shape of the network and the scales of its numbers.
//!
//! 768 inputs (own or enemy, kind, square; mirrored so that the own king stands on the left half), one hidden layer seen
//! from both sides, squared clipped ReLU, and an output for each of several ranges of the number of men.

/// Inputs of one perspective: two owners, six kinds, 64 squares.
pub const INPUTS: usize = 768;
/// Hidden units of one perspective.
pub const HIDDEN: usize = 256;
/// Outputs, chosen by the number of men.
pub const OUTPUT_BUCKETS: usize = 8;
/// What 1.0 is in the hidden layer.
pub const INPUT_SCALE: i32 = 255;
/// What 1.0 is in the output weights.
pub const OUTPUT_SCALE: i32 = 64;
/// Evaluation units for an output of 1.0.
pub const EVALUATION_SCALE: i32 = 400;
/// Output weights keep within this, so that a clipped unit times a weight fits sixteen bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

const _: () = assert!(INPUT_SCALE * (MAX_OUTPUT_WEIGHT as i32) <= i16::MAX as i32);
const _: () = assert!(HIDDEN.is_multiple_of(32));

/// The output for this many men on the board.
#[inline(always)]
pub const fn output_bucket(men: u32) -> usize {
    let men = if men < 2 { 2 } else { men as usize };
    let bucket = (men - 2) * OUTPUT_BUCKETS / 31;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// A number that differs between networks that cannot be exchanged: in the manner of FNV-1a over sizes and scales.
pub const fn hash() -> u64 {
    let numbers = [
        INPUTS as u64,
        HIDDEN as u64,
        OUTPUT_BUCKETS as u64,
        INPUT_SCALE as u64,
        OUTPUT_SCALE as u64,
        EVALUATION_SCALE as u64,
    ];
    let mut hash = 0xCBF2_9CE4_8422_2325;
    let mut index = 0;
    while index < numbers.len() {
        hash = (hash ^ numbers[index]).wrapping_mul(0x0000_0100_0000_01B3);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_all_numbers_of_men() {
        assert_eq!((output_bucket(2), output_bucket(32)), (0, OUTPUT_BUCKETS - 1));
        assert!((2..32).all(|men| output_bucket(men + 1) - output_bucket(men) <= 1));
    }
}
