//! The generalised sequential probability ratio test on pair counts.
//!
//! Under each hypothesis the unknown distribution of pair scores is replaced by the likeliest one that the hypothesis
//! allows: one whose mean is the hypothesis' score (logistic Elo), or whose mean in standard deviations is the
//! hypothesis' value (normalised Elo). Source: Michel Van den Bergh, "Comments on normalized Elo" and "The generalized
//! sequential probability ratio test for multinomial distributions"; the equations here are derived from the likelihood.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_ELO_PER_PAIR, expected_score};
use super::pentanomial::Pentanomial;

/// What the Elo bounds of a test mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo on the logistic curve.
    Logistic,
    /// Normalised Elo, whose bounds need the same number of games whatever the draw rate.
    Normalized,
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo under the null hypothesis.
    pub elo0: f64,
    /// Elo under the alternative, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting `elo1` though `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` though `elo1` is true.
    pub beta: f64,
    /// What the Elo figures mean.
    pub model: EloModel,
}

/// Why the parameters make no test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SprtError {
    /// `elo0` is not below `elo1`.
    Bounds(f64, f64),
    /// An error probability is not between 0 and 1/2.
    Probability(f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Bounds(elo0, elo1) => write!(f, "SPRT bounds {elo0} and {elo1}: the first must be the lower"),
            SprtError::Probability(value) => write!(f, "SPRT error probability {value} is not between 0 and 0.5"),
        }
    }
}

impl std::error::Error for SprtError {}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// `elo0` is accepted: the change is no improvement.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Sprt {
    /// A test with checked parameters.
    ///
    /// # Errors
    /// See [`SprtError`].
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Bounds(elo0, elo1));
        }
        for probability in [alpha, beta] {
            if !(probability > 0.0 && probability < 0.5) {
                return Err(SprtError::Probability(probability));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the results are under `elo1` than under `elo0`; 0 without results.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // An outcome not seen yet may still come: a small count in its place keeps the likelihoods above zero.
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let (null, alternative) = (self.likeliest(&observed, self.elo0), self.likeliest(&observed, self.elo1));
        let ratios =
            null.iter().zip(alternative).map(|(&under_null, under_alternative)| under_alternative / under_null);
        counts.iter().zip(ratios).map(|(count, ratio)| count * ratio.ln()).sum()
    }

    /// Whether the test is over.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio <= lower => Some(Decision::H0),
            ratio if ratio >= upper => Some(Decision::H1),
            _ => None,
        }
    }

    fn likeliest(&self, observed: &[f64; 5], elo: f64) -> [f64; 5] {
        match self.model {
            EloModel::Logistic => {
                let score = expected_score(elo);
                likeliest_with_zero_mean(observed, &Pentanomial::SCORES.map(|value| value - score))
            }
            EloModel::Normalized => likeliest_with_deviations(observed, elo / NORMALIZED_ELO_PER_PAIR),
        }
    }
}

/// The likeliest distribution, given the observed one, under which `values` have mean zero.
///
/// With a Lagrange multiplier x it is `observed / (1 + x * value)`, where x makes the mean zero.
fn likeliest_with_zero_mean(observed: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lowest >= 0.0 || highest <= 0.0 {
        return *observed;
    }
    // The mean falls with x between the two poles: Newton's steps, halving the bracket when one leaves it.
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (&probability, &value) in observed.iter().zip(values) {
            let share = value / (1.0 + x * value);
            mean += probability * share;
            slope += probability * share * share;
        }
        let step = mean / slope;
        if step.abs() < 1e-12 * (1.0 + x.abs()) {
            break;
        }
        if step > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let next = x + step;
        x = if next > low && next < high { next } else { (low + high) / 2.0 };
    }
    std::array::from_fn(|index| observed[index] / (1.0 + x * values[index]))
}

/// The likeliest distribution, given the observed one, whose mean lies `deviations` standard deviations above 1/2.
///
/// The constraint is not linear in the probabilities. Linearised at a distribution with this mean and deviation it says
/// that the values below have mean zero; iterating that converges within a few rounds.
fn likeliest_with_deviations(observed: &[f64; 5], deviations: f64) -> [f64; 5] {
    let mut distribution = *observed;
    for _ in 0..20 {
        let mean: f64 = weighted(&distribution, |score| score);
        let deviation = weighted(&distribution, |score| (score - mean).powi(2)).sqrt();
        let values = Pentanomial::SCORES.map(|score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - deviations * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = likeliest_with_zero_mean(observed, &values);
        let change = next.iter().zip(distribution).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        distribution = next;
        if change < 1e-10 {
            break;
        }
    }
    distribution
}

fn weighted(distribution: &[f64; 5], value: impl Fn(f64) -> f64) -> f64 {
    distribution.iter().zip(Pentanomial::SCORES).map(|(probability, score)| probability * value(score)).sum()
}

#[cfg(test)]
mod tests;
