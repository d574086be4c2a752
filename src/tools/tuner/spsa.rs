//! Simultaneous perturbation stochastic approximation.
//!
//! All numbers are shifted at once, each up or down at random; the score of the shifted set against the oppositely shifted
//! one moves every number along its own shift. Source: Spall, "An Overview of the Simultaneous Perturbation Method for
//! Efficient Optimization", Johns Hopkins APL Technical Digest 19 (1998). The gains are given by their values at the end
//! of the run, as testers of chess engines have come to do (Fishtest's documentation of SPSA).

use serde::{Deserialize, Serialize};

use crate::chess::random::SplitMix64;

/// One number to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Its value, with fractions that are not yet played.
    pub value: f64,
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// The shift at the end of the run.
    pub last_shift: f64,
}

impl Knob {
    /// A knob that stands at `value`. The shift at the end is a twentieth of the range, one at least: smaller ones do not
    /// show in whole numbers.
    pub fn new(name: &str, value: i32, low: i32, high: i32) -> Knob {
        let (low, high) = (low as f64, high as f64);
        Knob { name: name.into(), value: value as f64, low, high, last_shift: ((high - low) / 20.0).max(1.0) }
    }

    fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }
}

/// How shifts and gains shrink over the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Pairs of games in the whole run.
    pub pairs: u64,
    /// Gain at the end: the part of a shift that a whole point is worth.
    pub last_gain: f64,
}

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The gains of the first pairs are held down by this part of the run.
const STABILITY: f64 = 0.1;

impl Schedule {
    /// The size of a knob's shift at the pair with this number, from 0.
    pub fn shift(&self, knob: &Knob, pair: u64) -> f64 {
        knob.last_shift * (self.pairs as f64 / (pair as f64 + 1.0)).powf(GAMMA)
    }

    /// What a knob moves by for one point at this pair, in the direction of its shift.
    pub fn step(&self, knob: &Knob, pair: u64) -> f64 {
        let stability = STABILITY * self.pairs as f64;
        let decline = ((stability + self.pairs as f64) / (stability + pair as f64 + 1.0)).powf(ALPHA);
        self.last_gain * knob.last_shift * knob.last_shift * decline / self.shift(knob, pair)
    }
}

/// A direction for each knob.
pub(super) fn directions(knobs: usize, random: &mut SplitMix64) -> Vec<f64> {
    (0..knobs).map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect()
}

/// The whole numbers to play with, shifted along `sign` times the directions. Fractions are rounded up as often as they
/// are large, so that the mean is right.
pub(super) fn shifted(
    knobs: &[Knob],
    schedule: &Schedule,
    directions: &[f64],
    sign: f64,
    pair: u64,
    random: &mut SplitMix64,
) -> Vec<i32> {
    let value = |(knob, direction): (&Knob, &f64)| {
        let exact = knob.clamped(knob.value + sign * direction * schedule.shift(knob, pair));
        let chance = random.below(1 << 20) as f64 / (1u64 << 20) as f64;
        (exact + chance).floor().min(knob.high) as i32
    };
    knobs.iter().zip(directions).map(value).collect()
}

/// Moves the knobs after a pair in which the set shifted by plus the directions made this many points more.
pub(super) fn learn(knobs: &mut [Knob], schedule: &Schedule, directions: &[f64], points: f64, pair: u64) {
    for (knob, direction) in knobs.iter_mut().zip(directions) {
        knob.value = knob.clamped(knob.value + direction * points * schedule.step(knob, pair));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A smooth hill with noise: the method climbs it.
    #[test]
    fn climbs_a_noisy_hill() {
        let mut knobs = vec![Knob::new("a", 20, 0, 200), Knob::new("b", 180, 0, 200)];
        let schedule = Schedule { pairs: 20_000, last_gain: 0.002 };
        let mut random = SplitMix64::new(1);
        let height = |values: &[i32]| {
            let distance = |value: i32, best: f64| ((value as f64 - best) / 100.0).powi(2);
            -distance(values[0], 120.0) - distance(values[1], 90.0)
        };
        for pair in 0..schedule.pairs {
            let directions = directions(2, &mut random);
            let plus = shifted(&knobs, &schedule, &directions, 1.0, pair, &mut random);
            let minus = shifted(&knobs, &schedule, &directions, -1.0, pair, &mut random);
            let chance = 1.0 / (1.0 + (-4.0 * (height(&plus) - height(&minus))).exp());
            let points = if (random.below(1000) as f64) < chance * 1000.0 { 1.0 } else { -1.0 };
            learn(&mut knobs, &schedule, &directions, points, pair);
        }
        assert!((knobs[0].value - 120.0).abs() < 25.0, "{knobs:?}");
        assert!((knobs[1].value - 90.0).abs() < 25.0, "{knobs:?}");
    }

    #[test]
    fn values_stay_in_range_and_keep_their_mean() {
        let knob = Knob { value: 10.3, ..Knob::new("a", 10, 0, 11) };
        let schedule = Schedule { pairs: 10, last_gain: 0.002 };
        let mut random = SplitMix64::new(2);
        let knobs = [Knob { last_shift: 0.0, ..knob.clone() }];
        let sum: i32 = (0..10_000).map(|_| shifted(&knobs, &schedule, &[1.0], 1.0, 5, &mut random)[0]).sum();
        assert!((sum as f64 / 10_000.0 - 10.3).abs() < 0.05);
        let mut knobs = [knob];
        (0..10_000).for_each(|_| learn(&mut knobs, &schedule, &[1.0], 2.0, 0));
        assert_eq!(knobs[0].value, 11.0);
        assert_eq!(shifted(&knobs, &schedule, &[1.0], 1.0, 0, &mut random), [11]);
    }

    #[test]
    fn shifts_and_steps_shrink() {
        let knob = Knob::new("a", 10, 0, 100);
        let schedule = Schedule { pairs: 1000, last_gain: 0.002 };
        assert!(schedule.shift(&knob, 0) > schedule.shift(&knob, 500));
        assert!((schedule.shift(&knob, 999) - knob.last_shift).abs() < 1e-9);
        assert!(schedule.step(&knob, 0) > schedule.step(&knob, 500));
        assert!((schedule.step(&knob, 999) - 0.002 * knob.last_shift).abs() < 1e-9);
    }
}
