//! From floating point to the integers that play, and back.

use super::model::{Model, Parts};
use crate::nnue::architecture::{INPUT_SCALE, OUTPUT_SCALE};
use crate::nnue::{Network, NetworkError, Parameters};

/// The network with all weights rounded to their scales.
pub(super) fn quantise_model(model: &Model, description: &str) -> Result<Network, NetworkError> {
    let Parts { inputs, input_bias, outputs, output_bias } = model.parts();
    let scaled = |weights: &[f32], scale: i32| weights.iter().map(|w| (w * scale as f32).round() as i16).collect();
    let parameters = Parameters {
        input_weights: scaled(inputs, INPUT_SCALE),
        input_bias: scaled(input_bias, INPUT_SCALE),
        output_weights: scaled(outputs, OUTPUT_SCALE),
        output_bias: output_bias.iter().map(|w| (w * (INPUT_SCALE * OUTPUT_SCALE) as f32).round() as i32).collect(),
    };
    Network::new(&parameters, description)
}

/// The floating-point model whose weights are exactly those of the network.
pub(super) fn model_of(network: &Network) -> Model {
    let Parameters { input_weights, input_bias, output_weights, output_bias } = network.parameters();
    let scaled = |weights: Vec<i16>, scale: i32| weights.into_iter().map(move |w| w as f32 / scale as f32);
    let weights = scaled(input_weights, INPUT_SCALE)
        .chain(scaled(input_bias, INPUT_SCALE))
        .chain(scaled(output_weights, OUTPUT_SCALE))
        .chain(output_bias.into_iter().map(|w| w as f32 / (INPUT_SCALE * OUTPUT_SCALE) as f32))
        .collect();
    Model { weights }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::random::SplitMix64;
    use crate::nnue::architecture::{EVALUATION_SCALE, HIDDEN};
    use crate::nnue::{Kernels, NetworkEvaluator};
    use crate::tools::trainer::kernel::value;
    use crate::tools::trainer::model::{output_bias_at, outputs_at};
    use crate::tools::trainer::samples::Sample;
    use std::sync::Arc;

    /// Trainer and engine agree on a thousand positions, but for rounding.
    #[test]
    fn the_network_that_plays_is_the_one_that_was_trained() {
        let mut model = Model::random(11);
        // Output weights as large as training makes them: those of a new network would drown in rounding.
        model.weights[outputs_at(0)..output_bias_at(0)].iter_mut().for_each(|weight| *weight *= 12.0);
        let network = Arc::new(quantise_model(&model, "test").unwrap());
        let mut random = SplitMix64::new(12);
        let (mut checked, mut position) = (0, Position::initial());
        // Rounding of each weight adds up to some units, by the root of their number; a view or an input mixed up would cost
        // as much as the values.
        let rounding = (HIDDEN as f32 / 128.0).sqrt();
        let (mut distances, mut sizes) = (0.0, 0.0);
        while checked < 1_000 {
            let moves = position.legal_moves();
            if moves.is_empty() || random.below(80) == 0 {
                position = Position::initial();
                continue;
            }
            position.make(moves[random.below(moves.len() as u64) as usize]);
            let played = NetworkEvaluator::new(Arc::clone(&network), Kernels::best(), &position).evaluate(&position);
            let trained = value(&model, &Sample::new(&position, 0, 0.5)) * EVALUATION_SCALE as f32;
            let distance = (played.units() as f32 - trained).abs();
            assert!(distance < 40.0 * rounding, "{position}: {played:?} {trained}");
            distances += distance / 1_000.0;
            sizes += trained.abs() / 1_000.0;
            checked += 1;
        }
        assert!(distances < 12.0 * rounding && sizes > 60.0 * rounding, "mean distance {distances}, mean size {sizes}");
    }
}
