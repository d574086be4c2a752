//! Counts of results: of single games, and of pairs of games.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Games won, drawn and lost by one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WinDrawLoss {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl WinDrawLoss {
    /// Counts a game in which the player took this many half points (0, 1 or 2).
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games seen by the other player.
    pub fn reversed(&self) -> WinDrawLoss {
        WinDrawLoss { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl std::ops::AddAssign for WinDrawLoss {
    fn add_assign(&mut self, other: WinDrawLoss) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Counts of finished pairs of games by the points one player took from both: 0, 1/2, 1, 1 1/2, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// Mean and shape of the distribution of pair scores, a pair score being 0, 1/4, 1/2, 3/4 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// How many pairs.
    pub pairs: f64,
    /// The mean pair score.
    pub mean: f64,
    /// The variance of one pair score.
    pub variance: f64,
    /// The third central moment over the cube of the standard deviation.
    pub skewness: f64,
    /// The fourth central moment over the square of the variance: 3 for a normal distribution.
    pub kurtosis: f64,
}

impl Pentanomial {
    /// The pair scores that the five counts belong to, per game.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair from which the player took this many half points (0 to 4).
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points.min(4) as usize] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs seen by the other player.
    pub fn reversed(&self) -> Pentanomial {
        let [lost, behind, level, ahead, won] = self.0;
        Pentanomial([won, ahead, level, behind, lost])
    }

    /// Mean and shape; `None` without pairs. Skewness and kurtosis are 0 and 3 where there is no variance.
    pub fn moments(&self) -> Option<Moments> {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return None;
        }
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let weighted = self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * value(score));
            weighted.sum::<f64>() / pairs
        };
        let mean = mean_of(&|score| score);
        let variance = mean_of(&|score| (score - mean).powi(2));
        let (skewness, kurtosis) = if variance > 0.0 {
            let third = mean_of(&|score| (score - mean).powi(3));
            let fourth = mean_of(&|score| (score - mean).powi(4));
            (third / variance.powf(1.5), fourth / variance.powi(2))
        } else {
            (0.0, 3.0)
        };
        Some(Moments { pairs, mean, variance, skewness, kurtosis })
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, behind, level, ahead, won] = self.0;
        write!(f, "[{lost}, {behind}, {level}, {ahead}, {won}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_equal_those_worked_out_by_hand() {
        // Scores 0, 1/2, 1/2, 1: mean 1/2, variance (1/4 + 0 + 0 + 1/4) / 4 = 1/8, no skew, fourth moment 1/32.
        let moments = Pentanomial([1, 0, 2, 0, 1]).moments().expect("four pairs");
        assert_eq!((moments.pairs, moments.mean, moments.variance), (4.0, 0.5, 0.125));
        assert_eq!((moments.skewness, moments.kurtosis), (0.0, 2.0));
        // Scores 1/4, 1/4, 1/4, 1: mean 7/16, deviations -3/16 and 9/16, variance (3 * 9 + 81) / 256 / 4 = 27/256.
        let moments = Pentanomial([0, 3, 0, 0, 1]).moments().expect("four pairs");
        assert_eq!((moments.mean, moments.variance), (7.0 / 16.0, 27.0 / 256.0));
        assert_eq!(Pentanomial::default().moments(), None);
    }

    #[test]
    fn reversing_exchanges_the_players() {
        assert_eq!(Pentanomial([1, 2, 3, 4, 5]).reversed(), Pentanomial([5, 4, 3, 2, 1]));
        let mut games = WinDrawLoss::default();
        [2, 2, 1, 0].into_iter().for_each(|half_points| games.add(half_points));
        assert_eq!(games, WinDrawLoss { wins: 2, draws: 1, losses: 1 });
        assert_eq!((games.points(), games.reversed().points()), (2.5, 1.5));
    }
}
