//! What each feature of the search is worth, all in one experiment.
//!
//! In every pair of games each side plays with a random part of the features switched off. How the points of the pairs
//! depend on which side had which feature is a linear regression, so that every game says something of every feature: a
//! factorial design (Box, Hunter and Hunter, "Statistics for Experimenters", 1978). A feature's worth is that over the
//! random company of the others, not that in the complete search alone.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::random::SplitMix64;
use crate::search::Params;

/// A feature, and the numbers that switch it off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// What it is called.
    pub name: String,
    /// Parameters of the search, and the values they have without the feature.
    pub without: Vec<(String, i32)>,
}

/// Why a line describes no factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactorError {
    /// The line has no colon between name and settings.
    NoColon(String),
    /// This is not of the form `parameter=value`.
    NoSetting(String),
    /// The search has no such parameter.
    Unknown(String),
}

impl fmt::Display for FactorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactorError::NoColon(line) => write!(f, "'{line}' is not of the form 'name: parameter=value, ...'"),
            FactorError::NoSetting(word) => write!(f, "'{word}' is not of the form 'parameter=value'"),
            FactorError::Unknown(name) => write!(f, "the search has no number called '{name}'"),
        }
    }
}

impl std::error::Error for FactorError {}

/// The factors of a text: a line each, `name: parameter=value, ...`; empty lines and those that begin with `#` say nothing.
///
/// # Errors
/// The first line that describes no factor.
pub fn parse_factors(text: &str) -> Result<Vec<Factor>, FactorError> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(parse_factor).collect()
}

fn parse_factor(line: &str) -> Result<Factor, FactorError> {
    let (name, settings) = line.split_once(':').ok_or_else(|| FactorError::NoColon(line.into()))?;
    let without = settings.split(',').map(|word| parse_setting(word.trim())).collect::<Result<_, _>>()?;
    Ok(Factor { name: name.trim().into(), without })
}

fn parse_setting(word: &str) -> Result<(String, i32), FactorError> {
    let bad = || FactorError::NoSetting(word.into());
    let (name, value) = word.split_once('=').ok_or_else(bad)?;
    let value = value.trim().parse().map_err(|_| bad())?;
    let name = name.trim().to_string();
    if Params::TABLE.iter().any(|(known, ..)| *known == name) {
        Ok((name, value))
    } else {
        Err(FactorError::Unknown(name))
    }
}

/// For each factor, whether a side plays without it: one chance in `one_in`.
pub(super) fn draw_lots(factors: usize, one_in: u64, random: &mut SplitMix64) -> Vec<bool> {
    (0..factors).map(|_| random.below(one_in) == 0).collect()
}

/// The numbers of the search without these factors.
pub(super) fn params_without(factors: &[Factor], without: &[bool]) -> Params {
    let mut params = Params::DEFAULT;
    for (factor, _) in factors.iter().zip(without).filter(|(_, without)| **without) {
        for (name, value) in &factor.without {
            params.set(name, *value);
        }
    }
    params
}

/// One pair of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// For each factor: 1 if only the first side had it, -1 if only the second, else 0.
    pub contrast: Vec<i8>,
    /// By how many points the first side did better, from -2 to 2.
    pub points: f64,
}

impl Observation {
    pub(super) fn new(without: [&[bool]; 2], points: f64) -> Observation {
        let [first, second] = without;
        let contrast = first.iter().zip(second).map(|(&first, &second)| second as i8 - first as i8).collect();
        Observation { contrast, points }
    }
}

/// What a factor is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// Elo that having it wins.
    pub elo: f64,
    /// Half of the 95 % interval.
    pub error: f64,
    /// Pairs in which one side alone had it.
    pub pairs: usize,
}

/// Elo for one point in a pair, near equality: the slope of the logistic curve at one half.
const ELO_A_POINT: f64 = 400.0 / std::f64::consts::LN_10;

/// The worth of every factor by least squares; nothing while the pairs do not tell the factors apart.
pub fn worths(observations: &[Observation], factors: usize) -> Option<Vec<Worth>> {
    let mut normal = vec![vec![0.0; factors]; factors];
    let mut sums = vec![0.0; factors];
    for Observation { contrast, points } in observations {
        for (row, &one) in contrast.iter().enumerate() {
            sums[row] += one as f64 * points;
            for (column, &other) in contrast.iter().enumerate() {
                normal[row][column] += one as f64 * other as f64;
            }
        }
    }
    let counts: Vec<usize> = (0..factors).map(|factor| normal[factor][factor] as usize).collect();
    let inverse = inverted(normal)?;
    let slopes: Vec<f64> =
        inverse.iter().map(|row| row.iter().zip(&sums).map(|(weight, sum)| weight * sum).sum()).collect();
    let residual = |observation: &Observation| {
        let expected: f64 = observation.contrast.iter().zip(&slopes).map(|(&one, slope)| one as f64 * slope).sum();
        (observation.points - expected).powi(2)
    };
    let freedom = observations.len().checked_sub(factors).filter(|&freedom| freedom > 0)?;
    let variance = observations.iter().map(residual).sum::<f64>() / freedom as f64;
    let worth = |factor: usize| Worth {
        elo: slopes[factor] * ELO_A_POINT,
        error: 1.96 * (variance * inverse[factor][factor]).sqrt() * ELO_A_POINT,
        pairs: counts[factor],
    };
    Some((0..factors).map(worth).collect())
}

/// The inverse of a symmetric positive definite matrix, by elimination; nothing if it has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| (row == column) as u8 as f64).collect()).collect();
    for pivot in 0..size {
        let divisor = matrix[pivot][pivot];
        if divisor < 1e-9 {
            return None;
        }
        for side in [&mut matrix, &mut inverse] {
            side[pivot].iter_mut().for_each(|cell| *cell /= divisor);
        }
        let (matrix_row, inverse_row) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            subtract(&mut matrix[row], &matrix_row, factor);
            subtract(&mut inverse[row], &inverse_row, factor);
        }
    }
    Some(inverse)
}

fn subtract(row: &mut [f64], other: &[f64], factor: f64) {
    row.iter_mut().zip(other).for_each(|(cell, other)| *cell -= factor * other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_parameters_and_the_word_at_fault() {
        let text = "# features\n\nrazoring: razoring_depth=0\ntwo: iir_depth = 255, probcut_depth=255\n";
        let factors = parse_factors(text).unwrap();
        assert_eq!(factors.len(), 2);
        assert_eq!(factors[1].without, [("iir_depth".to_string(), 255), ("probcut_depth".to_string(), 255)]);
        assert_eq!(parse_factors("razoring"), Err(FactorError::NoColon("razoring".into())));
        assert_eq!(parse_factors("a: iir_depth"), Err(FactorError::NoSetting("iir_depth".into())));
        assert_eq!(parse_factors("a: nonsense=1"), Err(FactorError::Unknown("nonsense".into())));
        let params = params_without(&factors, &[true, false]);
        assert_eq!((params.razoring_depth, params.iir_depth), (0, Params::DEFAULT.iir_depth));
    }

    #[test]
    fn known_worths_are_found_again() {
        let mut random = SplitMix64::new(3);
        let truth = [0.8, 0.0, -0.3];
        let observations: Vec<Observation> = (0..4_000)
            .map(|_| {
                let [first, second] = [(); 2].map(|()| draw_lots(3, 2, &mut random));
                let mut observation = Observation::new([&first, &second], 0.0);
                let expected: f64 =
                    observation.contrast.iter().zip(truth).map(|(&one, slope)| one as f64 * slope).sum();
                observation.points = expected + random.below(2_001) as f64 / 1_000.0 - 1.0;
                observation
            })
            .collect();
        for (worth, slope) in worths(&observations, 3).unwrap().into_iter().zip(truth) {
            assert!((worth.elo - slope * ELO_A_POINT).abs() < 1.5 * worth.error, "{worth:?} {slope}");
            assert!(worth.error < 10.0 && (1_700..2_300).contains(&worth.pairs), "{worth:?}");
        }
    }

    #[test]
    fn factors_that_always_come_together_cannot_be_told_apart() {
        let together = Observation { contrast: vec![1, 1], points: 1.0 };
        assert_eq!(worths(&[together.clone(), together.clone(), together], 2), None);
    }
}
