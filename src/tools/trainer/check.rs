//! Checks of games and a network against the mistakes that cost more than any choice of training: labels that do not fit,
//! views that are mixed up, a trainer and an engine that disagree, men that are worth nothing.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kernel::value;
use super::model::Model;
use super::quantise::model_of;
use super::samples::Sample;
use crate::chess::{Board, CastlingRights, Color, Piece, PieceKind, Position, Setup};
use crate::nnue::architecture::EVALUATION_SCALE;
use crate::nnue::{Kernels, Network, NetworkEvaluator};
use crate::tools::datagen::Correlation;
use crate::tools::datagen::files::{games, stats};

/// Positions that are looked at, evenly from all files; a part of them where more would take long.
const MOST_POSITIONS: usize = 100_000;
const FEWER_POSITIONS: usize = 1_000;
/// Positions between two that are taken: neighbours are too much alike.
const STEP: usize = 7;
/// Below this scores or values do not foretell results.
const LEAST_CORRELATION: f64 = 0.3;
/// The engine rounds towards 0 at its end, and the trainer computes in single precision.
const LARGEST_DISTANCE: f32 = 1.5;

/// What a check has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was looked at, and the numbers.
    pub text: String,
    /// Whether all is well.
    pub passed: bool,
}

/// A position with the points that its side to move got.
type Labelled = (Position, f64);

/// Runs all checks on a network and the games of these files.
///
/// # Errors
/// When a file cannot be read to its end.
pub fn check(network: Arc<Network>, files: &[PathBuf]) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut positions = Vec::new();
    for file in files {
        let correlation = stats(file)?.correlation();
        findings.push(Finding {
            text: format!("scores foretell results in {}: correlation {correlation:.3}", file.display()),
            passed: correlation >= LEAST_CORRELATION,
        });
        collect(file, MOST_POSITIONS / files.len(), &mut positions)?;
    }
    let fewer: Vec<&Position> = positions
        .iter()
        .step_by(positions.len().div_ceil(FEWER_POSITIONS).max(1))
        .map(|(position, _)| position)
        .collect();
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network), Kernels::best(), &Position::initial());
    findings.push(results(&mut evaluator, &positions));
    findings.push(mirror(&mut evaluator, &positions));
    findings.push(agreement(&mut evaluator, &model_of(&network), &fewer));
    findings.push(worth(&mut evaluator, &fewer));
    Ok(findings)
}

fn collect(file: &Path, most: usize, positions: &mut Vec<Labelled>) -> io::Result<()> {
    let end = positions.len() + most;
    for record in games(file)? {
        let record = record.map_err(|error| io::Error::other(format!("{}: {error}", file.display())))?;
        for (position, ..) in record.positions().step_by(STEP) {
            let points = f64::from(record.result.white_points());
            let points = if position.side_to_move() == Color::White { points } else { 1.0 - points };
            positions.push((position, points));
        }
        if positions.len() >= end {
            positions.truncate(end);
            break;
        }
    }
    Ok(())
}

fn evaluate(evaluator: &mut NetworkEvaluator, position: &Position) -> i32 {
    evaluator.reset(position);
    evaluator.evaluate(position).units()
}

fn results(evaluator: &mut NetworkEvaluator, positions: &[Labelled]) -> Finding {
    let mut correlation = Correlation::default();
    for (position, points) in positions {
        let units = f64::from(evaluate(evaluator, position));
        correlation.add(1.0 / (1.0 + (-units / f64::from(EVALUATION_SCALE)).exp()), *points);
    }
    let value = correlation.value();
    let text = format!("the network foretells results of {} positions: correlation {value:.3}", positions.len());
    Finding { text, passed: value >= LEAST_CORRELATION }
}

/// The position with colours exchanged and the board turned top to bottom. Castling rights do not matter to a network.
fn colours_exchanged(position: &Position) -> Option<Position> {
    let mut board = Board::empty();
    for square in position.board().occupied() {
        let piece = position.piece_on(square)?;
        board.put(Piece::new(!piece.color(), piece.kind()), square.relative_to(Color::Black));
    }
    let setup = Setup {
        board,
        side_to_move: !position.side_to_move(),
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    setup.validate().ok()
}

fn mirror(evaluator: &mut NetworkEvaluator, positions: &[Labelled]) -> Finding {
    let differs = |(position, _): &&Labelled| {
        colours_exchanged(position).is_none_or(|other| evaluate(evaluator, position) != evaluate(evaluator, &other))
    };
    let different = positions.iter().filter(differs).count();
    let text = format!("exchanging colours changes nothing: {different} of {} positions differ", positions.len());
    Finding { text, passed: different == 0 && !positions.is_empty() }
}

fn agreement(evaluator: &mut NetworkEvaluator, model: &Model, positions: &[&Position]) -> Finding {
    let distance = |position: &&Position| {
        let trained = value(model, &Sample::new(position, 0, 0.5)) * EVALUATION_SCALE as f32;
        (trained - evaluate(evaluator, position) as f32).abs()
    };
    let furthest = positions.iter().map(distance).fold(0.0, f32::max);
    let text = format!("trainer and engine agree on {} positions: {furthest:.2} units apart at most", positions.len());
    Finding { text, passed: furthest <= LARGEST_DISTANCE && !positions.is_empty() }
}

/// What men of each kind are worth to their side on average: more for the stronger kinds, and something for pawns.
fn worth(evaluator: &mut NetworkEvaluator, positions: &[&Position]) -> Finding {
    let mut sums = [(0.0, 0.0); 6];
    for position in positions {
        evaluator.reset(position);
        for (square, value) in evaluator.piece_values(position) {
            let Some(piece) = position.piece_on(square) else { continue };
            let (sum, count) = &mut sums[piece.kind().index()];
            *sum += f64::from(if piece.color() == Color::White { value } else { -value });
            *count += 1.0;
        }
    }
    let of = |kind: PieceKind| {
        let (sum, count) = sums[kind.index()];
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let [pawn, knight, bishop, rook, queen] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].map(of);
    let text = format!(
        "the network finds material: pawn {pawn:.0}, knight {knight:.0}, bishop {bishop:.0}, rook {rook:.0}, queen {queen:.0}"
    );
    let passed = pawn > 0.0 && knight.min(bishop) > pawn && rook > knight.max(bishop) && queen > rook;
    Finding { text, passed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Parameters;
    use crate::nnue::architecture::{HIDDEN, INPUTS, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS};
    use crate::tools::trainer::quantise::quantise_model;
    use crate::tools::trainer::session::tests::material_games;
    use crate::tools::viriformat::WhiteResult;
    use std::fs;

    /// One hidden unit counts the men of its view: the own count is good, that of the opponent bad.
    fn material_network() -> Network {
        let mut parameters = Parameters {
            input_weights: vec![0; INPUTS * HIDDEN],
            input_bias: vec![0; HIDDEN],
            output_weights: vec![0; OUTPUT_BUCKETS * 2 * HIDDEN],
            output_bias: vec![0; OUTPUT_BUCKETS],
        };
        for (kind, value) in [4, 12, 13, 20, 36].into_iter().enumerate() {
            (kind * 64..(kind + 1) * 64).for_each(|input| parameters.input_weights[input * HIDDEN] = value);
        }
        for weights in parameters.output_weights.chunks_exact_mut(2 * HIDDEN) {
            (weights[0], weights[HIDDEN]) = (MAX_OUTPUT_WEIGHT, -MAX_OUTPUT_WEIGHT);
        }
        Network::new(&parameters, "material").unwrap()
    }

    /// Which checks pass on games in which a result is turned round or not.
    fn passed(name: &str, network: Network, turned: bool) -> Vec<bool> {
        let path = std::env::temp_dir().join(format!("luft-check-{name}-{}.vf", std::process::id()));
        let mut bytes = Vec::new();
        for mut game in material_games(60) {
            game.result = match game.result {
                WhiteResult::Win if turned => WhiteResult::Loss,
                WhiteResult::Loss if turned => WhiteResult::Win,
                other => other,
            };
            game.write(&mut bytes).unwrap();
        }
        fs::write(&path, bytes).unwrap();
        let findings = check(Arc::new(network), std::slice::from_ref(&path)).unwrap();
        fs::remove_file(path).unwrap();
        findings.iter().map(|finding| finding.passed).collect()
    }

    #[test]
    fn a_network_that_counts_material_passes() {
        assert_eq!(passed("right", material_network(), false), [true; 5]);
    }

    #[test]
    fn turned_results_and_a_network_that_knows_nothing_are_found() {
        assert_eq!(passed("turned", material_network(), true), [false, false, true, true, true]);
        let random = quantise_model(&Model::random(3), "random").unwrap();
        assert_eq!(passed("random", random, false), [true, false, true, true, false]);
    }
}
