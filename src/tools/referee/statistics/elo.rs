//! Elo, normalised Elo and likelihood of superiority from pair counts.

use serde::Serialize;

use super::{CONFIDENCE, Pentanomial};

/// An estimate with its 95 % interval. Infinite where the score is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The likeliest value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the figure after the plus-minus sign.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The logistic curve: the score that a player this much stronger expects.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The inverse of [`expected_score`]; infinite for scores of 0 and 1 (and beyond).
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The Elo difference. `None` without pairs.
pub fn elo(pairs: &Pentanomial) -> Option<Estimate> {
    let moments = pairs.moments()?;
    let margin = CONFIDENCE * (moments.variance / moments.pairs).sqrt();
    let value = |score| elo_of_score(score);
    Some(Estimate { value: value(moments.mean), low: value(moments.mean - margin), high: value(moments.mean + margin) })
}

/// Normalised Elo: the score above one half in standard deviations of a game, scaled so that it equals Elo for small
/// differences and no draws. The number of games that a test needs depends on it alone. `None` without pairs or spread.
///
/// The interval takes into account that the standard deviation is an estimate as well (delta method).
pub fn normalized_elo(pairs: &Pentanomial) -> Option<Estimate> {
    let moments = pairs.moments().filter(|moments| moments.variance > 0.0)?;
    let per_pair = (moments.mean - 0.5) / moments.variance.sqrt();
    let shape = 1.0 - per_pair * moments.skewness + per_pair.powi(2) * (moments.kurtosis - 1.0) / 4.0;
    let margin = CONFIDENCE * (shape.max(0.0) / moments.pairs).sqrt();
    Some(Estimate {
        value: per_pair * NORMALIZED_ELO_PER_PAIR,
        low: (per_pair - margin) * NORMALIZED_ELO_PER_PAIR,
        high: (per_pair + margin) * NORMALIZED_ELO_PER_PAIR,
    })
}

/// Normalised Elo for one standard deviation of a pair score: 800 / ln 10 for a standard deviation of a game, and a
/// pair's is smaller by the square root of two.
pub(super) const NORMALIZED_ELO_PER_PAIR: f64 = 800.0 / std::f64::consts::LN_10 / std::f64::consts::SQRT_2;

/// The probability that the player is the stronger one, seen from the results alone. `None` without pairs.
pub fn likelihood_of_superiority(pairs: &Pentanomial) -> Option<f64> {
    let moments = pairs.moments()?;
    let lead = moments.mean - 0.5;
    if lead == 0.0 {
        return Some(0.5);
    }
    Some(normal_distribution(lead / (moments.variance / moments.pairs).sqrt()))
}

/// The probability that a standard normal variable is below `x`.
fn normal_distribution(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64, tolerance: f64) {
        assert!((left - right).abs() <= tolerance, "{left} is not {right}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(expected_score(0.0), 0.5, 0.0);
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
        for score in [0.001, 0.25, 0.5, 0.76, 0.999] {
            close(expected_score(elo_of_score(score)), score, 1e-12);
        }
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn figures_equal_those_worked_out_by_hand() {
        // Mean 0.6; squared deviations 0.1225 * 1, 0.01 * 4, 0.0225 * 5, so variance 0.275 / 10 = 0.0275.
        let pairs = Pentanomial([0, 1, 4, 5, 0]);
        let elo = elo(&pairs).expect("ten pairs");
        close(elo.value, 70.4365, 1e-3);
        // Standard error sqrt(0.00275) = 0.0524404, times 1.96 gives 0.102781: scores 0.497219 and 0.702781.
        close(elo.low, 400.0 * (0.497219f64 / 0.502781).log10(), 1e-3);
        close(elo.high, 400.0 * (0.702781f64 / 0.297219).log10(), 1e-3);
        // 0.1 / sqrt(2 * 0.0275) * 347.4356.
        close(normalized_elo(&pairs).expect("ten pairs").value, 148.146, 1e-2);
        // 0.1 / 0.0524404 = 1.906925 standard deviations.
        close(likelihood_of_superiority(&pairs).expect("ten pairs"), 0.971736, 1e-5);
    }

    /// Statistics that the Monty project's test server published for one of its tests (score 0.4375, variance per game
    /// 0.11523), worked out by Fishtest's own program.
    #[test]
    fn figures_equal_published_ones() {
        let pairs = Pentanomial([13, 37, 50, 25, 3]);
        let moments = pairs.moments().expect("128 pairs");
        close(moments.mean, 0.4375, 1e-12);
        close(2.0 * moments.variance, 0.11523, 1e-5);
        close(moments.skewness, -0.01324, 1e-5);
        close(moments.kurtosis - 3.0, -0.50187, 1e-5);
        close(normalized_elo(&pairs).expect("128 pairs").value, -63.97, 5e-3);
        close(elo(&pairs).expect("128 pairs").value, -43.6578, 1e-4);
    }

    #[test]
    fn one_sided_results_stay_numbers_with_a_meaning() {
        let all_won = Pentanomial([0, 0, 0, 0, 7]);
        assert_eq!(elo(&all_won).expect("pairs").value, f64::INFINITY);
        assert_eq!(normalized_elo(&all_won), None);
        assert_eq!(likelihood_of_superiority(&all_won), Some(1.0));
        let all_level = Pentanomial([0, 0, 9, 0, 0]);
        assert_eq!(elo(&all_level).expect("pairs"), Estimate { value: 0.0, low: 0.0, high: 0.0 });
        assert_eq!(likelihood_of_superiority(&all_level), Some(0.5));
    }
}
