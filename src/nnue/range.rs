//! Whether the integers that kernels compute with can hold whatever a network makes of any position.
//!
//! Kernels add modulo 2^16 in the hidden layer and modulo 2^32 in the output, so only final sums must fit, and the order
//! of additions does not matter.

use super::architecture::{HIDDEN, INPUT_SCALE};
use super::network::Row;

/// Squares of the board: the inputs of one square exclude each other, as it holds one man at most.
const SQUARES: usize = 64;
/// No position has more men.
const MOST_MEN: usize = 32;

/// The largest sum of weights of one sign that 32 men on 32 squares can switch on for a hidden unit, as a distance from 0.
fn furthest(inputs: &[Row], unit: usize, sign: i32) -> i32 {
    let mut largest = [0; SQUARES];
    for (input, row) in inputs.iter().enumerate() {
        let of_square = &mut largest[input % SQUARES];
        *of_square = (*of_square).max(sign * row.0[unit] as i32);
    }
    largest.sort_unstable();
    largest[SQUARES - MOST_MEN..].iter().sum()
}

/// The first hidden unit that could leave sixteen bits: its bias and the weights of the worst 32 squares, each with the worst
/// man on it. That asks a little more than the worst legal position does.
pub(super) fn overflowing_unit(inputs: &[Row], bias: &Row) -> Option<usize> {
    (0..HIDDEN).find(|&unit| {
        let bias = bias.0[unit] as i32;
        bias + furthest(inputs, unit, 1) > i16::MAX as i32 || bias - furthest(inputs, unit, -1) < i16::MIN as i32
    })
}

/// The first output whose sum could leave thirty-two bits: every unit with a weight of one sign fully on.
pub(super) fn overflowing_output(outputs: &[[Row; 2]]) -> Option<usize> {
    let limit = i32::MAX as i64 / (INPUT_SCALE as i64 * INPUT_SCALE as i64);
    outputs.iter().position(|rows| {
        let weights = || rows.iter().flat_map(|row| row.0).map(i64::from);
        let (positive, negative): (i64, i64) = (weights().filter(|&w| w > 0).sum(), weights().filter(|&w| w < 0).sum());
        positive > limit || -negative > limit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::architecture::INPUTS;

    /// Inputs with this weight at one unit, on every square of one kind.
    fn inputs(weight: i16) -> Vec<Row> {
        let mut inputs = vec![Row::ZERO; INPUTS];
        inputs[..SQUARES].iter_mut().for_each(|row| row.0[5] = weight);
        inputs
    }

    #[test]
    fn a_unit_may_reach_the_end_of_its_range_and_no_further() {
        let with_bias = |weight, bias| {
            let mut row = Row::ZERO;
            row.0[5] = bias;
            overflowing_unit(&inputs(weight), &row)
        };
        assert_eq!(with_bias(1023, 31), None);
        assert_eq!(with_bias(1023, 32), Some(5));
        assert_eq!(with_bias(-1024, 0), None);
        assert_eq!(with_bias(-1024, -1), Some(5));
    }

    #[test]
    fn a_square_holds_one_man() {
        let mut inputs = vec![Row::ZERO; INPUTS];
        inputs.iter_mut().step_by(SQUARES).for_each(|row| row.0[0] = 3_000);
        assert_eq!(overflowing_unit(&inputs, &Row::ZERO), None);
    }

    #[test]
    fn outputs_whose_sums_could_overflow_are_found() {
        let limit = i32::MAX / (INPUT_SCALE * INPUT_SCALE);
        let fits = (limit / (2 * HIDDEN) as i32) as i16;
        let outputs = |weight: i16| {
            let mut rows = [[Row::ZERO; 2]; 2];
            rows[1].iter_mut().flat_map(|row| &mut row.0).for_each(|place| *place = weight);
            overflowing_output(&rows)
        };
        assert_eq!((outputs(fits), outputs(-fits)), (None, None));
        assert_eq!((outputs(fits + 1), outputs(-fits - 1)), (Some(1), Some(1)));
    }
}
