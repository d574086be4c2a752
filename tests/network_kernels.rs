//! Every set of kernels that this processor can run gives the numbers of plain Rust: on many positions from nothing, and
//! along lines of play, where hidden layers are brought up to date over several moves and taken back.

mod random_games;

use std::sync::Arc;

use luft::chess::random::SplitMix64;
use luft::chess::{Move, Position};
use luft::nnue::architecture::{HIDDEN, INPUTS, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS};
use luft::nnue::{Kernels, Network, NetworkEvaluator, Parameters};
use random_games::{Variant, random_move, scaled, visit_positions};

/// A network of random weights so large that units are often clipped at either end.
fn random_network(seed: u64) -> Arc<Network> {
    let mut random = SplitMix64::new(seed);
    let mut numbers = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| random.below(2 * limit as u64 + 1) as i16 - limit).collect()
    };
    let parameters = Parameters {
        input_weights: numbers(INPUTS * HIDDEN, 120),
        input_bias: numbers(HIDDEN, 300),
        output_weights: numbers(OUTPUT_BUCKETS * 2 * HIDDEN, MAX_OUTPUT_WEIGHT),
        output_bias: numbers(OUTPUT_BUCKETS, 9_000).into_iter().map(i32::from).collect(),
    };
    Arc::new(Network::new(&parameters, "random").unwrap())
}

#[test]
fn kernels_equal_plain_arithmetic_on_random_positions() {
    let network = random_network(21);
    let mut evaluators: Vec<NetworkEvaluator> = Kernels::available()
        .into_iter()
        .map(|kernels| NetworkEvaluator::new(Arc::clone(&network), kernels, &Position::initial()))
        .collect();
    let (mut checked, mut lowest, mut highest) = (0, i32::MAX, i32::MIN);
    for (variant, seed) in Variant::ALL.into_iter().zip(31..) {
        visit_positions(variant, seed, scaled(100_000).div_ceil(3), |position| {
            let values = evaluators.iter_mut().map(|evaluator| {
                evaluator.reset(position);
                evaluator.evaluate(position).units()
            });
            // The last is plain Rust.
            let values: Vec<i32> = values.collect();
            let expected = values[values.len() - 1];
            assert!(values.iter().all(|&value| value == expected), "{values:?} {position}");
            (lowest, highest) = (lowest.min(expected), highest.max(expected));
            checked += 1;
        });
    }
    assert!(checked >= 100_000 && lowest < -500 && highest > 500, "{checked} positions, {lowest} to {highest}");
}

/// A line of play with steps back, as a search makes them, and evaluators that follow it.
struct Line {
    positions: Vec<Position>,
    evaluators: Vec<NetworkEvaluator>,
}

impl Line {
    fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    fn play(&mut self, mv: Move) {
        let before = *self.position();
        let mut after = before;
        for evaluator in &mut self.evaluators {
            after = before;
            after.make_observed(mv, evaluator.step());
        }
        self.positions.push(after);
    }

    fn undo(&mut self) {
        self.positions.pop();
        self.evaluators.iter_mut().for_each(NetworkEvaluator::step_back);
    }

    /// All evaluators agree with one that begins here.
    fn check(&mut self, fresh: &mut NetworkEvaluator) {
        let position = self.positions[self.positions.len() - 1];
        fresh.reset(&position);
        let expected = fresh.evaluate(&position);
        for evaluator in &mut self.evaluators {
            assert_eq!(evaluator.evaluate(&position), expected, "{position}");
        }
    }
}

#[test]
fn updates_equal_a_fresh_start_for_every_kernel() {
    let network = random_network(22);
    let mut random = SplitMix64::new(41);
    let evaluator = |kernels, start: &Position| NetworkEvaluator::new(Arc::clone(&network), kernels, start);
    let mut fresh = evaluator(Kernels::SCALAR, &Position::initial());
    let (mut steps, wanted) = (0, scaled(1_000_000));
    while steps < wanted {
        let start = Variant::ALL[random.below(3) as usize].start(&mut random);
        let evaluators = Kernels::available().into_iter().map(|kernels| evaluator(kernels, &start)).collect();
        let mut line = Line { positions: vec![start], evaluators };
        for _ in 0..400 {
            steps += 1;
            match random_move(line.position(), &mut random) {
                Some(mv) if random.below(4) > 0 => line.play(mv),
                _ if line.positions.len() > 1 => line.undo(),
                _ => continue,
            }
            // Often nothing is asked for over several moves.
            if random.below(4) == 0 {
                line.check(&mut fresh);
            }
        }
    }
}
