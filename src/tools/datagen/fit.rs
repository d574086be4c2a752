//! Fits the model of wins, draws and losses to games: `datagen fit`.
//!
//! Positions are counted by material and score; the constants of the model are those of the greatest likelihood, found by
//! Fisher's scoring with Levenberg's damping. Source of the method: Nocedal and Wright, "Numerical Optimization", chapter 10.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use super::files::games;
use crate::chess::Color;
use crate::score::win_model::{MATERIAL, MATERIAL_SCALE, WinModel, material};
use crate::tools::viriformat::{RecordError, TrainingGame};

/// Scores are counted in classes so wide.
const CLASS: i32 = 8;
/// Scores further from 0 are left out: few games are open there, and those that are, being drawn endings which the
/// evaluation takes for won, would bend the model where it matters.
const LARGEST_SCORE: i32 = 600;
/// The constants of `a`, then those of `b`.
const CONSTANTS: usize = 8;
const MOST_STEPS: usize = 200;

type Vector = [f64; CONSTANTS];
type Matrix = [Vector; CONSTANTS];

/// How often the side to move won, drew and lost, by material and class of its score.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    cells: BTreeMap<(i32, i32), [f64; 3]>,
    games: u64,
}

impl Outcomes {
    /// Counts all games of the files. Half a game at the end of a file that is being written does not matter.
    ///
    /// # Errors
    /// When a file cannot be read or holds something else.
    pub fn read(files: &[PathBuf]) -> io::Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        for path in files {
            for record in games(path)? {
                match record {
                    Ok(record) => outcomes.add(&record),
                    Err(RecordError::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => break,
                    Err(error) => return Err(io::Error::other(format!("{}: {error}", path.display()))),
                }
            }
        }
        Ok(outcomes)
    }

    fn add(&mut self, record: &TrainingGame) {
        self.games += 1;
        for (position, _, white_score) in record.positions() {
            let (score, points) = match position.side_to_move() {
                Color::White => (i32::from(white_score), record.result as usize),
                Color::Black => (-i32::from(white_score), 2 - record.result as usize),
            };
            let material = material(position.board());
            if score.abs() < LARGEST_SCORE && MATERIAL.contains(&material) {
                let cell = self.cells.entry((material, score.div_euclid(CLASS))).or_default();
                cell[2 - points] += 1.0;
            }
        }
    }

    /// Material, score and counts of every class.
    fn cells(&self) -> impl Iterator<Item = (i32, f64, [f64; 3])> + '_ {
        let middle = |class: i32| f64::from(class * CLASS) + f64::from(CLASS - 1) / 2.0;
        self.cells.iter().map(move |(&(material, class), &counts)| (material, middle(class), counts))
    }

    fn positions(&self) -> f64 {
        self.cells.values().flatten().sum()
    }

    fn likelihood(&self, model: &WinModel) -> f64 {
        let of_cell = |(material, score, counts): (i32, f64, [f64; 3])| -> f64 {
            let chances = model.chances(score, material).map(|chance| chance.max(1e-12));
            counts.iter().zip(chances).map(|(count, chance)| count * chance.ln()).sum()
        };
        self.cells().map(of_cell).sum()
    }

    /// The model that makes these outcomes likeliest.
    pub fn fit(&self) -> WinModel {
        let mut constants = [0.0, 0.0, 0.0, 300.0, 0.0, 0.0, 0.0, 100.0];
        let (mut best, mut damping) = (self.likelihood(&model(&constants)), 1e-3);
        for _ in 0..MOST_STEPS {
            let (slope, mut information) = self.slope_and_information(&constants);
            (0..CONSTANTS).for_each(|i| information[i][i] *= 1.0 + damping);
            let step = solve(information, slope);
            let next: Vector = std::array::from_fn(|i| constants[i] + step[i]);
            let likelihood =
                if makes_sense(&model(&next)) { self.likelihood(&model(&next)) } else { f64::NEG_INFINITY };
            if likelihood > best {
                let gain = likelihood - best;
                (constants, best, damping) = (next, likelihood, damping / 10.0);
                if gain < 1e-9 * best.abs() {
                    break;
                }
            } else {
                damping *= 10.0;
            }
        }
        model(&constants)
    }

    /// The derivatives of the likelihood by the constants, and Fisher's information.
    fn slope_and_information(&self, constants: &Vector) -> (Vector, Matrix) {
        let (mut slope, mut information) = ([0.0; CONSTANTS], [[0.0; CONSTANTS]; CONSTANTS]);
        let model = model(constants);
        for (material, score, counts) in self.cells() {
            let chances = model.chances(score, material).map(|chance| chance.max(1e-12));
            let derivatives = derivatives(&model, score, material);
            let total: f64 = counts.iter().sum();
            for outcome in 0..3 {
                let (chance, by) = (chances[outcome], &derivatives[outcome]);
                for i in 0..CONSTANTS {
                    slope[i] += counts[outcome] / chance * by[i];
                    (0..CONSTANTS).for_each(|j| information[i][j] += total / chance * by[i] * by[j]);
                }
            }
        }
        (slope, information)
    }

    /// Counts, the constants as `win_model` wants them, and how the model agrees with the games.
    pub fn report(&self, model: &WinModel) -> Vec<String> {
        let list = |values: &[f64; 4]| values.map(|value| format!("{value:.3}")).join(", ");
        let mut lines = vec![
            format!("{} games, {} positions", self.games, self.positions()),
            format!("mean likelihood of an outcome: {:.4}", (self.likelihood(model) / self.positions()).exp()),
            String::new(),
            "pub const FITTED: WinModel = WinModel {".into(),
            format!("    a: [{}],", list(&model.a)),
            format!("    b: [{}],", list(&model.b)),
            "};".into(),
            String::new(),
        ];
        let by_material = [17, 32, 47, 62, 78].map(|material| {
            let (a, b) = model.parameters(material);
            format!("{material}: {a:.0}, {b:.0}")
        });
        lines.push(format!("a and b by material: {}", by_material.join("; ")));
        lines.push(String::new());
        lines.extend(self.comparison(model));
        lines
    }

    /// A line for each range of material and score.
    fn comparison(&self, model: &WinModel) -> Vec<String> {
        let mut ranges: BTreeMap<(i32, i32), [f64; 6]> = BTreeMap::new();
        for (material, score, counts) in self.cells() {
            let sums = ranges.entry((material / 16, (score / 100.0).floor() as i32)).or_default();
            let total: f64 = counts.iter().sum();
            let chances = model.chances(score, material);
            (0..3).for_each(|i| sums[i] += counts[i]);
            (0..3).for_each(|i| sums[3 + i] += total * chances[i]);
        }
        let heading = "material       score  positions   games: win  draw  loss   model: win  draw  loss   (%)";
        let line = |(&(material, score), sums): (&(i32, i32), &[f64; 6])| {
            let total: f64 = sums[..3].iter().sum();
            let [win, draw, loss, model_win, model_draw, model_loss] = sums.map(|sum| 100.0 * sum / total);
            format!(
                "{:>3} to {:<3} {:>5}..{:<5} {total:>8}        {win:5.1} {draw:5.1} {loss:5.1}         \
                 {model_win:5.1} {model_draw:5.1} {model_loss:5.1}",
                16 * material,
                16 * material + 15,
                100 * score,
                100 * score + 99
            )
        };
        std::iter::once(heading.into()).chain(ranges.iter().map(line)).collect()
    }
}

fn model(constants: &Vector) -> WinModel {
    WinModel { a: std::array::from_fn(|i| constants[i]), b: std::array::from_fn(|i| constants[4 + i]) }
}

/// Chances exist and rise with the score only where both parameters are positive.
fn makes_sense(model: &WinModel) -> bool {
    MATERIAL.map(|material| model.parameters(material)).all(|(a, b)| a >= 1.0 && b >= 1.0)
}

/// The derivatives of the chances to win, draw and lose by the constants.
fn derivatives(model: &WinModel, score: f64, material: i32) -> [Vector; 3] {
    let (a, b) = model.parameters(material);
    let x = f64::from(material) / MATERIAL_SCALE;
    let powers = [x * x * x, x * x, x, 1.0];
    let of_logistic = |chance: f64, score: f64| -> Vector {
        let slope = chance * (1.0 - chance);
        let (by_a, by_b) = (-slope / b, -slope * (score - a) / (b * b));
        std::array::from_fn(|i| if i < 4 { by_a * powers[i] } else { by_b * powers[i - 4] })
    };
    let [win, _, loss] = model.chances(score, material);
    let (win, loss) = (of_logistic(win, score), of_logistic(loss, -score));
    [win, std::array::from_fn(|i| -win[i] - loss[i]), loss]
}

/// Solves a system of linear equations by elimination with pivots. Unknowns that the equations leave open become 0.
fn solve(mut matrix: Matrix, mut right: Vector) -> Vector {
    for column in 0..CONSTANTS {
        let pivot = (column..CONSTANTS).max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()));
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..CONSTANTS {
            let factor = if matrix[column][column] == 0.0 { 0.0 } else { matrix[row][column] / matrix[column][column] };
            (column..CONSTANTS).for_each(|i| matrix[row][i] -= factor * matrix[column][i]);
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; CONSTANTS];
    for row in (0..CONSTANTS).rev() {
        let known: f64 = (row + 1..CONSTANTS).map(|i| matrix[row][i] * solution[i]).sum();
        solution[row] = if matrix[row][row] == 0.0 { 0.0 } else { (right[row] - known) / matrix[row][row] };
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::tools::viriformat::WhiteResult;

    #[test]
    fn the_model_that_made_the_outcomes_is_found() {
        let truth = WinModel { a: [-120.0, 260.0, -150.0, 310.0], b: [40.0, -90.0, 80.0, 60.0] };
        let mut outcomes = Outcomes::default();
        for material in MATERIAL {
            for class in -150..150 {
                let score = f64::from(class * CLASS) + f64::from(CLASS - 1) / 2.0;
                let counts = truth.chances(score, material).map(|chance| 1_000.0 * chance);
                outcomes.cells.insert((material, class), counts);
            }
        }
        let found = outcomes.fit();
        for material in MATERIAL {
            let ((a, b), (found_a, found_b)) = (truth.parameters(material), found.parameters(material));
            assert!((a - found_a).abs() < 0.5 && (b - found_b).abs() < 0.5, "{material}: {a} {found_a}, {b} {found_b}");
        }
        let text = outcomes.report(&found).join("\n");
        assert!(text.contains("pub const FITTED: WinModel = WinModel {\n    a: ["), "{text}");
    }

    #[test]
    fn outcomes_are_those_of_the_side_to_move_and_mates_do_not_count() {
        let start = Position::initial();
        let mut position = start;
        let mut moves = Vec::new();
        for score in [40, 40, i16::MAX] {
            let mv = position.legal_moves()[0];
            moves.push((mv, score));
            position.make(mv);
        }
        let mut outcomes = Outcomes::default();
        outcomes.add(&TrainingGame { start, moves, result: WhiteResult::Win });
        let cells: Vec<_> = outcomes.cells().collect();
        assert_eq!(cells, [(78, -36.5, [0.0, 0.0, 1.0]), (78, 43.5, [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn equations_are_solved() {
        let mut matrix = [[0.0; CONSTANTS]; CONSTANTS];
        (0..CONSTANTS).for_each(|i| matrix[i][(i + 1) % CONSTANTS] = (i + 1) as f64);
        matrix[3][3] = 2.0;
        let truth: Vector = std::array::from_fn(|i| i as f64 - 3.5);
        let right: Vector = std::array::from_fn(|i| (0..CONSTANTS).map(|j| matrix[i][j] * truth[j]).sum());
        assert!(solve(matrix, right).iter().zip(truth).all(|(found, truth)| (found - truth).abs() < 1e-9));
    }
}
