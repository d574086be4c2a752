//! Forward and backward through the network for a run of samples: where all the time goes.
//!
//! Loss is the squared error of expected points: the sigmoid of the output against a blend of the sigmoid of the search's
//! score and the result of the game.

use super::model::{INPUT_BIAS_AT, Model, input_at, output_bias_at, outputs_at};
use super::samples::{Inputs, Sample};
use crate::nnue::architecture::{EVALUATION_SCALE, HIDDEN};

/// How samples become targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blend {
    /// Weight of the result, the rest is that of the score: 0 to 1.
    pub(super) result: f32,
}

type Layer = [f32; HIDDEN];

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Blend {
    /// The points the side to move should expect.
    #[inline(always)]
    fn target(self, sample: &Sample) -> f32 {
        let by_score = sigmoid(sample.score as f32 / EVALUATION_SCALE as f32);
        self.result * sample.result() + (1.0 - self.result) * by_score
    }
}

#[inline(always)]
fn layer_of(weights: &[f32], at: usize) -> &Layer {
    weights[at..at + HIDDEN].try_into().expect("a row has the width of the layer")
}

#[inline(always)]
fn layer_of_mut(weights: &mut [f32], at: usize) -> &mut Layer {
    (&mut weights[at..at + HIDDEN]).try_into().expect("a row has the width of the layer")
}

#[inline(always)]
fn hidden(model: &Model, inputs: &[u16]) -> Layer {
    let mut layer = *layer_of(&model.weights, INPUT_BIAS_AT);
    for &input in inputs {
        let row = layer_of(&model.weights, input_at(input));
        for i in 0..HIDDEN {
            layer[i] += row[i];
        }
    }
    layer
}

/// The output for two hidden layers.
#[inline(always)]
fn output(model: &Model, own: &Layer, other: &Layer, bucket: usize) -> f32 {
    let mut sums = [0.0f32; 16];
    for (layer, side) in [own, other].into_iter().zip(0..) {
        let weights = layer_of(&model.weights, outputs_at(bucket) + side * HIDDEN);
        for chunk in 0..HIDDEN / 16 {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let i = chunk * 16 + lane;
                let unit = layer[i].clamp(0.0, 1.0);
                *sum += unit * unit * weights[i];
            }
        }
    }
    sums.iter().sum::<f32>() + model.weights[output_bias_at(bucket)]
}

/// Adds the gradients of one view.
#[inline(always)]
fn backward(model: &Model, gradients: &mut Model, inputs: &[u16], layer: &Layer, outputs_at: usize, slope: f32) {
    let weights = layer_of(&model.weights, outputs_at);
    let mut below = [0.0; HIDDEN];
    let above = layer_of_mut(&mut gradients.weights, outputs_at);
    for i in 0..HIDDEN {
        let unit = layer[i].clamp(0.0, 1.0);
        above[i] += slope * unit * unit;
        let open = if layer[i] > 0.0 && layer[i] < 1.0 { 1.0 } else { 0.0 };
        below[i] = slope * 2.0 * unit * weights[i] * open;
    }
    let bias = layer_of_mut(&mut gradients.weights, INPUT_BIAS_AT);
    for i in 0..HIDDEN {
        bias[i] += below[i];
    }
    for &input in inputs {
        let row = layer_of_mut(&mut gradients.weights, input_at(input));
        for i in 0..HIDDEN {
            row[i] += below[i];
        }
    }
}

#[inline(always)]
fn learn_all<'a>(model: &Model, samples: impl Iterator<Item = &'a Sample>, blend: Blend, gradients: &mut Model) -> f64 {
    let mut loss = 0.0;
    for sample in samples {
        let Inputs { own, other, count, bucket } = sample.inputs();
        let (own, other) = (&own[..count], &other[..count]);
        let (own_layer, other_layer) = (hidden(model, own), hidden(model, other));
        let points = sigmoid(output(model, &own_layer, &other_layer, bucket));
        let error = points - blend.target(sample);
        loss += (error * error) as f64;
        let slope = 2.0 * error * points * (1.0 - points);
        gradients.weights[output_bias_at(bucket)] += slope;
        backward(model, gradients, own, &own_layer, outputs_at(bucket), slope);
        backward(model, gradients, other, &other_layer, outputs_at(bucket) + HIDDEN, slope);
    }
    loss
}

/// The same code compiled for processors with AVX2 and fused multiply-add.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn learn_avx2<'a>(
    model: &Model,
    samples: impl Iterator<Item = &'a Sample>,
    blend: Blend,
    gradients: &mut Model,
) -> f64 {
    learn_all(model, samples, blend, gradients)
}

/// Adds the gradients of the loss over these samples, and returns the sum of their losses.
pub(super) fn learn<'a>(
    model: &Model,
    samples: impl Iterator<Item = &'a Sample>,
    blend: Blend,
    gradients: &mut Model,
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the instructions.
        return unsafe { learn_avx2(model, samples, blend, gradients) };
    }
    learn_all(model, samples, blend, gradients)
}

/// The sum of the losses over these samples.
pub(super) fn loss<'a>(model: &Model, samples: impl Iterator<Item = &'a Sample>, blend: Blend) -> f64 {
    let loss = |sample: &Sample| {
        let error = sigmoid(value(model, sample)) - blend.target(sample);
        (error * error) as f64
    };
    samples.map(loss).sum()
}

/// The output for one sample, 1.0 being `EVALUATION_SCALE`.
pub(super) fn value(model: &Model, sample: &Sample) -> f32 {
    let Inputs { own, other, count, bucket } = sample.inputs();
    output(model, &hidden(model, &own[..count]), &hidden(model, &other[..count]), bucket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::chess::random::SplitMix64;

    fn samples() -> Vec<Sample> {
        let fens = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, 0.5),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", -150, 0.0),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", 310, 1.0),
        ];
        fens.iter().map(|&(fen, score, points)| Sample::new(&parse_fen(fen).unwrap(), score, points)).collect()
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let (samples, blend) = (samples(), Blend { result: 0.4 });
        let model = Model::random(9);
        let mut gradients = Model::zero();
        let total = learn(&model, samples.iter(), blend, &mut gradients);
        assert!((total - loss(&model, samples.iter(), blend)).abs() < 1e-5);
        // The weights that matter: those of inputs in use, all biases and outputs; a random choice of them.
        let mut random = SplitMix64::new(10);
        let used: Vec<usize> = (0..gradients.weights.len()).filter(|&at| gradients.weights[at] != 0.0).collect();
        assert!(used.len() > 1000);
        let mut checked = 0;
        for _ in 0..400 {
            let at = used[random.below(used.len() as u64) as usize];
            let step = 1e-2;
            let moved = |by: f32| {
                let mut model = model.clone();
                model.weights[at] += by;
                loss(&model, samples.iter(), blend)
            };
            let difference = ((moved(step) - moved(-step)) / (2.0 * step as f64)) as f32;
            let gradient = gradients.weights[at];
            // Single precision and the corners of the clipping allow no better.
            let close = (difference - gradient).abs() <= 0.06 * gradient.abs().max(difference.abs()) + 2e-5;
            checked += close as u32;
        }
        assert!(checked >= 390, "only {checked} of 400 gradients fit");
    }
}
