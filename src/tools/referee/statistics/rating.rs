//! Ratings of all players of a tournament by maximum likelihood on the logistic curve (Bradley and Terry, 1952, with a
//! draw as half a win), with error bars that take draws and paired games into account.

use super::CONFIDENCE;
use super::elo::expected_score;

/// What one player took from another over all their games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// Index of the one player.
    pub player: usize,
    /// Index of the other.
    pub opponent: usize,
    /// Points of the first one.
    pub points: f64,
    /// Games between them.
    pub games: f64,
    /// The same games in pairs, for the error bars.
    pub pairs: PairScore,
}

/// Sums over the finished pairs of an encounter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairScore {
    /// How many pairs.
    pub count: f64,
    /// Sum of the points that the first player took from each pair (0 to 2).
    pub sum: f64,
    /// Sum of their squares.
    pub squares: f64,
}

/// One player's rating.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Rating {
    /// Elo; the mean of all players is 0 unless one player's rating is fixed.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for the fixed player.
    pub margin: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Ratings {
    /// In the order of the players' indices.
    pub players: Vec<Rating>,
    /// Whether half a draw was added to each encounter on both sides because the results alone have no finite maximum:
    /// some players never lost a point to the others, or never met them.
    pub smoothed: bool,
}

/// Points on the Elo scale for one unit of natural logarithm of the odds.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// Rates `players` players. `fixed` is a player whose rating is given.
pub fn rate(players: usize, encounters: &[Encounter], fixed: Option<(usize, f64)>) -> Ratings {
    if players == 0 {
        return Ratings { players: Vec::new(), smoothed: false };
    }
    let smoothed = !is_connected(players, encounters);
    let mut encounters = encounters.to_vec();
    if smoothed {
        for encounter in &mut encounters {
            encounter.points += 0.5;
            encounter.games += 1.0;
        }
    }
    let mut elo = maximize(players, &encounters);
    let variances = variances(players, &encounters, &elo, fixed.map(|(player, _)| player));
    let shift = match fixed {
        Some((player, rating)) => rating - elo[player],
        None => -elo.iter().sum::<f64>() / players as f64,
    };
    elo.iter_mut().for_each(|elo| *elo += shift);
    let rating = |(elo, variance): (f64, f64)| Rating { elo, margin: CONFIDENCE * variance.max(0.0).sqrt() };
    Ratings { players: elo.into_iter().zip(variances).map(rating).collect(), smoothed }
}

/// Whether from each player a chain of points taken leads to every other: only then a finite maximum exists.
fn is_connected(players: usize, encounters: &[Encounter]) -> bool {
    let points_taken = encounters.iter().flat_map(|encounter| {
        let (one, other) = (encounter.player, encounter.opponent);
        let first_took = (encounter.points > 0.0).then_some((one, other));
        let second_took = (encounter.points < encounter.games).then_some((other, one));
        first_took.into_iter().chain(second_took)
    });
    let steps: Vec<(usize, usize)> = points_taken.collect();
    let reversed: Vec<(usize, usize)> = steps.iter().map(|&(from, to)| (to, from)).collect();
    reaches_all(players, &steps) && reaches_all(players, &reversed)
}

/// Whether the steps lead from the first player to all others.
fn reaches_all(players: usize, steps: &[(usize, usize)]) -> bool {
    let mut reached = vec![false; players];
    let mut open = vec![0];
    while let Some(player) = open.pop() {
        if !std::mem::replace(&mut reached[player], true) {
            open.extend(steps.iter().filter(|&&(from, _)| from == player).map(|&(_, to)| to));
        }
    }
    reached.into_iter().all(|reached| reached)
}

/// Newton's method on the log-likelihood, which is concave; the first player stays at 0 to fix the scale.
fn maximize(players: usize, encounters: &[Encounter]) -> Vec<f64> {
    let mut elo = vec![0.0; players];
    for _ in 0..200 {
        let mut gradient = vec![0.0; players];
        for encounter in encounters {
            let surplus = encounter.points - encounter.games * expectation(encounter, &elo);
            gradient[encounter.player] += surplus;
            gradient[encounter.opponent] -= surplus;
        }
        let step = solve(information(players, encounters, &elo), &gradient, 0);
        // Far from the maximum the curve is flat and a full step could overshoot.
        let largest = step.iter().fold(0.0f64, |largest, step| largest.max(step.abs()));
        let scale = ELO_PER_LOG_ODDS * (1.0 / largest.max(1.0));
        elo.iter_mut().zip(&step).for_each(|(elo, step)| *elo += scale * step);
        if largest < 1e-9 {
            break;
        }
    }
    elo
}

fn expectation(encounter: &Encounter, elo: &[f64]) -> f64 {
    expected_score(elo[encounter.player] - elo[encounter.opponent])
}

/// The matrix of second derivatives of the log-likelihood with its sign reversed, in units of log odds.
fn information(players: usize, encounters: &[Encounter], elo: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    for encounter in encounters {
        let expected = expectation(encounter, elo);
        add_edge(&mut matrix, encounter, encounter.games * expected * (1.0 - expected));
    }
    matrix
}

fn add_edge(matrix: &mut [Vec<f64>], encounter: &Encounter, weight: f64) {
    let (one, other) = (encounter.player, encounter.opponent);
    matrix[one][one] += weight;
    matrix[other][other] += weight;
    matrix[one][other] -= weight;
    matrix[other][one] -= weight;
}

/// The variance of each rating in Elo, by the sandwich formula: the information says how ratings follow scores, and the
/// scatter of pair scores around their expectation how uncertain the scores are.
fn variances(players: usize, encounters: &[Encounter], elo: &[f64], fixed: Option<usize>) -> Vec<f64> {
    let mut scatter = vec![vec![0.0; players]; players];
    for encounter in encounters {
        let expected = 2.0 * expectation(encounter, elo);
        let pairs = encounter.pairs;
        let residuals = pairs.squares - 2.0 * expected * pairs.sum + expected * expected * pairs.count;
        // Games outside finished pairs are as uncertain as those within.
        let share = if pairs.count > 0.0 { encounter.games / (2.0 * pairs.count) } else { 0.0 };
        add_edge(&mut scatter, encounter, residuals.max(0.0) * share);
    }
    let information = information(players, encounters, elo);
    let anchor = fixed.unwrap_or(0);
    // Column by column: how the rating of `player` changes with the score of each player.
    let response: Vec<Vec<f64>> = (0..players)
        .map(|player| {
            let unit: Vec<f64> = (0..players).map(|index| f64::from(u8::from(index == player))).collect();
            solve(information.clone(), &unit, anchor)
        })
        .collect();
    let mean: Vec<f64> =
        (0..players).map(|index| response.iter().map(|column| column[index]).sum::<f64>() / players as f64).collect();
    response
        .iter()
        .map(|column| {
            let weights: Vec<f64> = match fixed {
                Some(_) => column.clone(),
                None => column.iter().zip(&mean).map(|(weight, mean)| weight - mean).collect(),
            };
            quadratic_form(&scatter, &weights) * ELO_PER_LOG_ODDS * ELO_PER_LOG_ODDS
        })
        .collect()
}

fn quadratic_form(matrix: &[Vec<f64>], vector: &[f64]) -> f64 {
    let product = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>();
    matrix.iter().zip(vector).map(|(row, weight)| weight * product(row)).sum()
}

/// Solves the linear equations with the unknown of `anchor` held at 0 (Gauss and Jordan, largest pivot first).
/// Unknowns that the equations leave open become 0.
fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64], anchor: usize) -> Vec<f64> {
    let size = right.len();
    let mut right = right.to_vec();
    matrix.iter_mut().for_each(|row| row[anchor] = 0.0);
    matrix[anchor].fill(0.0);
    right[anchor] = 0.0;
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        let Some(pivot) = pivot.filter(|&row| matrix[row][column].abs() > 1e-12) else {
            continue;
        };
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (pivot_row, pivot_value) = (matrix[column].clone(), right[column]);
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column] / pivot_row[column];
            matrix[row].iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            right[row] -= factor * pivot_value;
        }
    }
    let value =
        |index: usize| if matrix[index][index].abs() > 1e-12 { right[index] / matrix[index][index] } else { 0.0 };
    (0..size).map(value).collect()
}

#[cfg(test)]
mod tests;
