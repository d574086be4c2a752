//! The network in floating point.

use crate::chess::random::SplitMix64;
use crate::nnue::architecture::{HIDDEN, INPUTS, OUTPUT_BUCKETS};

/// All weights, or all gradients, in one list: input weights by input, input bias, output weights by bucket and view,
/// output bias.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
}

const INPUT_WEIGHTS: usize = INPUTS * HIDDEN;
const OUTPUT_WEIGHTS: usize = OUTPUT_BUCKETS * 2 * HIDDEN;

/// How many weights there are.
pub(super) const WEIGHTS: usize = INPUT_WEIGHTS + HIDDEN + OUTPUT_WEIGHTS + OUTPUT_BUCKETS;

/// Weights and biases as parts of the list.
pub(super) struct Parts<'a> {
    pub(super) inputs: &'a [f32],
    pub(super) input_bias: &'a [f32],
    pub(super) outputs: &'a [f32],
    pub(super) output_bias: &'a [f32],
}

impl Model {
    pub(super) fn zero() -> Model {
        Model { weights: vec![0.0; WEIGHTS] }
    }

    /// Random weights of the usual sizes: evenly spread within the inverse root of how many inputs are on.
    pub(super) fn random(seed: u64) -> Model {
        let mut random = SplitMix64::new(seed);
        let mut model = Model::zero();
        let input_limit = 1.0 / (32.0_f32).sqrt();
        let output_limit = 1.0 / (2.0 * HIDDEN as f32).sqrt();
        let (hidden_part, output_part) = model.weights.split_at_mut(INPUT_WEIGHTS + HIDDEN);
        let mut fill = |weights: &mut [f32], limit: f32| {
            for weight in weights {
                let unit = (random.next() >> 40) as f32 / (1 << 24) as f32;
                *weight = (2.0 * unit - 1.0) * limit;
            }
        };
        fill(&mut hidden_part[..INPUT_WEIGHTS], input_limit);
        fill(&mut output_part[..OUTPUT_WEIGHTS], output_limit);
        model
    }

    pub(super) fn parts(&self) -> Parts<'_> {
        let (inputs, rest) = self.weights.split_at(INPUT_WEIGHTS);
        let (input_bias, rest) = rest.split_at(HIDDEN);
        let (outputs, output_bias) = rest.split_at(OUTPUT_WEIGHTS);
        Parts { inputs, input_bias, outputs, output_bias }
    }
}

/// Where the weights of an input begin.
#[inline(always)]
pub(super) fn input_at(input: u16) -> usize {
    input as usize * HIDDEN
}

/// Where the bias of the hidden layer begins.
pub(super) const INPUT_BIAS_AT: usize = INPUT_WEIGHTS;

/// Where the output weights of a bucket begin, the own view first.
#[inline(always)]
pub(super) fn outputs_at(bucket: usize) -> usize {
    INPUT_WEIGHTS + HIDDEN + bucket * 2 * HIDDEN
}

/// Where the output bias of a bucket is.
#[inline(always)]
pub(super) fn output_bias_at(bucket: usize) -> usize {
    INPUT_WEIGHTS + HIDDEN + OUTPUT_WEIGHTS + bucket
}

/// Whether the weight at this place belongs to the outputs, which are clipped more narrowly.
pub(super) fn is_output_weight(at: usize) -> bool {
    (outputs_at(0)..output_bias_at(0)).contains(&at)
}
