//! AdamW with a cosine schedule, and weights kept within what quantisation can hold.
//!
//! Sources: Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, and "SGDR",
//! 2017.

use super::model::{Model, WEIGHTS, is_output_weight};
use crate::nnue::architecture::{MAX_OUTPUT_WEIGHT, OUTPUT_SCALE};

/// How the learning rate falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Learning rate at the start.
    pub first: f32,
    /// Learning rate at the end.
    pub last: f32,
    /// Batches in which it first rises from nothing.
    pub warm_up: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { first: 1e-3, last: 1e-5, warm_up: 200 }
    }
}

impl Schedule {
    /// The learning rate of batch `step` of `steps`.
    pub(super) fn rate(&self, step: u64, steps: u64) -> f32 {
        let done = step as f32 / steps.max(1) as f32;
        let cosine = (1.0 + (std::f32::consts::PI * done.min(1.0)).cos()) / 2.0;
        let rate = self.last + (self.first - self.last) * cosine;
        rate * ((step + 1) as f32 / self.warm_up.max(1) as f32).min(1.0)
    }
}

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;
/// Weights of the first layer stay within this, so that no sum of 32 of them overflows.
const LARGEST_INPUT_WEIGHT: f32 = 1.98;
const LARGEST_OUTPUT_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_SCALE as f32;

/// Running means of gradients and of their squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
}

impl Moments {
    pub(super) fn zero() -> Moments {
        Moments { first: vec![0.0; WEIGHTS], second: vec![0.0; WEIGHTS] }
    }

    /// Takes the step with this number (from 0) against the gradient, given as the sum over a batch in several parts.
    pub(super) fn step(&mut self, model: &mut Model, parts: &[Model], batch: usize, step: u64, rate: f32) {
        let first_bias = 1.0 - FIRST_DECAY.powf((step + 1) as f32);
        let second_bias = 1.0 - SECOND_DECAY.powf((step + 1) as f32);
        let scale = 1.0 / batch as f32;
        for at in 0..WEIGHTS {
            let gradient = parts.iter().map(|part| part.weights[at]).sum::<f32>() * scale;
            let first = &mut self.first[at];
            *first += (gradient - *first) * (1.0 - FIRST_DECAY);
            let second = &mut self.second[at];
            *second += (gradient * gradient - *second) * (1.0 - SECOND_DECAY);
            let weight = &mut model.weights[at];
            *weight *= 1.0 - rate * WEIGHT_DECAY;
            *weight -= rate * (*first / first_bias) / ((*second / second_bias).sqrt() + EPSILON);
            let limit = if is_output_weight(at) { LARGEST_OUTPUT_WEIGHT } else { LARGEST_INPUT_WEIGHT };
            *weight = weight.clamp(-limit, limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_then_falls() {
        let schedule = Schedule { first: 1.0, last: 0.1, warm_up: 10 };
        let rate = |step| schedule.rate(step, 1000);
        assert!(rate(0) < rate(5) && rate(5) < rate(10));
        assert!(rate(100) > rate(500) && rate(500) > rate(900));
        assert!((rate(1000) - 0.1).abs() < 1e-6);
    }

    #[test]
    fn steps_go_against_the_gradient_and_stay_within_limits() {
        let (mut model, mut moments) = (Model::zero(), Moments::zero());
        let mut gradients = Model::zero();
        gradients.weights[3] = 5.0;
        for step in 0..3_000 {
            moments.step(&mut model, &[gradients.clone()], 2, step, 1e-2);
        }
        assert_eq!(model.weights[3], -LARGEST_INPUT_WEIGHT);
        assert_eq!(model.weights[4], 0.0);
    }
}
