//! Positions to learn from, packed so that tens of millions fit into memory.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::chess::{Bitboard, Color, Move, Piece, Position, Square};
use crate::nnue::architecture::{EVALUATION_SCALE, output_bucket};
use crate::nnue::features::Perspective;
use crate::tools::viriformat::TrainingGame;

/// Which positions of a game are learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct Filters {
    /// Leave out the first plies of each game.
    pub first_plies: usize,
    /// Leave out positions in check.
    pub no_checks: bool,
    /// Leave out positions whose move captures or promotes.
    pub no_captures: bool,
    /// Leave out scores further from 0 than this, in evaluation units.
    pub largest_score: i16,
    /// One game of so many is held out to measure what was learned.
    pub held_out_every: usize,
}

impl Default for Filters {
    fn default() -> Filters {
        Filters { first_plies: 2, no_checks: true, no_captures: true, largest_score: 2_500, held_out_every: 64 }
    }
}

impl Filters {
    fn keeps(&self, ply: usize, position: &Position, mv: Move, score: i16) -> bool {
        ply >= self.first_plies
            && !(self.no_checks && position.in_check())
            && !(self.no_captures && (mv.is_capture() || mv.is_promotion()))
            && score.unsigned_abs() <= self.largest_score.unsigned_abs()
    }
}

/// One position with what is known of its value, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    occupied: Bitboard,
    /// The index of each man, four bits each, in the order of its squares.
    men: [u8; 16],
    mover: Color,
    /// Score to learn in evaluation units, for the side to move.
    pub(super) score: i16,
    /// Points of the side to move in parts of `WHOLE_POINT`.
    points: u8,
}

/// A won game counts so many parts of a point.
const WHOLE_POINT: u8 = 200;

/// The inputs of both views, the side to move first, and the output in use.
pub(super) struct Inputs {
    pub(super) own: [u16; 32],
    pub(super) other: [u16; 32],
    pub(super) count: usize,
    pub(super) bucket: usize,
}

impl Sample {
    /// `white_points` are those that the game brought White, from 0 to 1.
    pub(super) fn new(position: &Position, white_score: i16, white_points: f32) -> Sample {
        let occupied = position.board().occupied();
        let mut men = [0; 16];
        for (index, square) in occupied.into_iter().enumerate() {
            let piece = position.piece_on(square).map_or(0, Piece::index);
            men[index / 2] |= (piece as u8) << (4 * (index % 2));
        }
        let mover = position.side_to_move();
        let parts = (white_points * f32::from(WHOLE_POINT)).round() as u8;
        let (score, points) = match mover {
            Color::White => (white_score, parts),
            Color::Black => (white_score.saturating_neg(), WHOLE_POINT - parts),
        };
        Sample { occupied, men, mover, score, points }
    }

    /// What the game brought the side to move, from 0 to 1.
    pub(super) fn result(&self) -> f32 {
        f32::from(self.points) / f32::from(WHOLE_POINT)
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let piece = |index: usize| Piece::ALL[(self.men[index / 2] >> (4 * (index % 2)) & 15) as usize];
        self.occupied.into_iter().enumerate().map(move |(index, square)| (piece(index), square))
    }

    /// What the position switches on.
    pub(super) fn inputs(&self) -> Inputs {
        let mut kings = [Square::A1; 2];
        for (piece, square) in self.pieces() {
            if matches!(piece, Piece::WhiteKing | Piece::BlackKing) {
                kings[piece.color().index()] = square;
            }
        }
        let view = |color: Color| Perspective::new(color, kings[color.index()]);
        let (own, other) = (view(self.mover), view(!self.mover));
        let mut inputs = Inputs { own: [0; 32], other: [0; 32], count: 0, bucket: output_bucket(self.occupied.len()) };
        for (piece, square) in self.pieces() {
            inputs.own[inputs.count] = own.input(piece, square) as u16;
            inputs.other[inputs.count] = other.input(piece, square) as u16;
            inputs.count += 1;
        }
        inputs
    }
}

/// Everything to learn from, and what is held out.
pub(super) struct Samples {
    pub(super) training: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    pub(super) games: usize,
    pub(super) positions: usize,
}

impl Samples {
    /// Reads all games of `files`, and of those files whose results say nothing. Whole games are held out: positions of one
    /// game are too much alike.
    pub(super) fn read(
        files: &[PathBuf],
        without_results: &[PathBuf],
        filters: &Filters,
        foresight: f32,
    ) -> io::Result<Samples> {
        let mut samples = Samples { training: Vec::new(), held_out: Vec::new(), games: 0, positions: 0 };
        let inputs = files.iter().map(|file| (file, true)).chain(without_results.iter().map(|file| (file, false)));
        for (file, has_results) in inputs {
            samples.read_file(file, has_results, filters, foresight)?;
        }
        Ok(samples)
    }

    fn read_file(&mut self, path: &Path, has_results: bool, filters: &Filters, foresight: f32) -> io::Result<()> {
        let mut input = BufReader::with_capacity(1 << 20, File::open(path)?);
        loop {
            let record = TrainingGame::read(&mut input)
                .map_err(|error| io::Error::other(format!("{}: game {}: {error}", path.display(), self.games + 1)))?;
            let Some(record) = record else {
                return Ok(());
            };
            self.add(&record, has_results, filters, foresight);
        }
    }

    fn add(&mut self, record: &TrainingGame, has_results: bool, filters: &Filters, foresight: f32) {
        self.games += 1;
        // Without results a record is a position beside a game, which may be among those learned from.
        let held_out = has_results && filters.held_out_every > 0 && self.games.is_multiple_of(filters.held_out_every);
        let first_plies = if has_results { filters.first_plies } else { 0 };
        let filters = Filters { first_plies, ..filters.clone() };
        let target = if held_out { &mut self.held_out } else { &mut self.training };
        let result = has_results.then(|| record.result.white_points());
        let to_learn = foreseen(record, result, foresight);
        for (ply, (position, mv, score)) in record.positions().enumerate() {
            self.positions += 1;
            if filters.keeps(ply, &position, mv, score) {
                let points = result.unwrap_or_else(|| expected_points(to_learn[ply]));
                target.push(Sample::new(&position, to_learn[ply], points));
            }
        }
    }
}

/// The scores to learn, one a position, from White's view: each takes over the share `foresight` of the one after it, in
/// expected points, and the last one that of the result, if there is one.
///
/// Scores of short searches are noisy, and the searches of the next moves see further. This is the lambda-return of
/// temporal difference learning (Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988).
fn foreseen(record: &TrainingGame, result: Option<f32>, foresight: f32) -> Vec<i16> {
    let scale = EVALUATION_SCALE as f32;
    let mut scores: Vec<i16> = record.moves.iter().map(|&(_, score)| score).collect();
    let mut points = result.unwrap_or_else(|| expected_points(scores.last().copied().unwrap_or_default()));
    for score in scores.iter_mut().rev() {
        points = foresight * points + (1.0 - foresight) * expected_points(*score);
        if foresight > 0.0 {
            // Conversion saturates: certainty becomes the largest score.
            *score = (scale * (points / (1.0 - points)).ln()).round() as i16;
        }
    }
    scores
}

/// The points that a score stands for, from 0 to 1.
fn expected_points(score: i16) -> f32 {
    1.0 / (1.0 + (-f32::from(score) / EVALUATION_SCALE as f32).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::tools::viriformat::WhiteResult;

    #[test]
    fn samples_switch_on_what_positions_do() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position = parse_fen(fen).unwrap();
            let inputs = Sample::new(&position, 0, 0.5).inputs();
            let expected = |color| {
                let mut list: Vec<u16> =
                    Perspective::of(&position, color).inputs(&position).map(|input| input as u16).collect();
                list.sort();
                list
            };
            let sorted = |list: &[u16]| {
                let mut list = list.to_vec();
                list.sort();
                list
            };
            let mover = position.side_to_move();
            assert_eq!(sorted(&inputs.own[..inputs.count]), expected(mover));
            assert_eq!(sorted(&inputs.other[..inputs.count]), expected(!mover));
        }
    }

    #[test]
    fn labels_are_those_of_the_side_to_move() {
        let white = parse_fen("4k3/8/8/8/8/8/8/QK6 w - - 0 1").unwrap();
        let black = parse_fen("4k3/8/8/8/8/8/8/QK6 b - - 0 1").unwrap();
        let of = |position, score, points| {
            let sample = Sample::new(position, score, points);
            (sample.score, sample.result())
        };
        assert_eq!(of(&white, 900, 1.0), (900, 1.0));
        assert_eq!(of(&black, 900, 1.0), (-900, 0.0));
        assert_eq!(of(&black, 900, 0.5), (-900, 0.5));
    }

    #[test]
    fn scores_to_learn_look_ahead() {
        let start = parse_fen("4k3/8/8/8/8/8/8/QK6 w - - 0 1").unwrap();
        let mv = start.legal_moves()[0];
        let game = |result| TrainingGame { start, moves: vec![(mv, 0), (mv, 400), (mv, i16::MAX)], result };
        let (won, lost) = (game(WhiteResult::Win), game(WhiteResult::Loss));
        assert_eq!(foreseen(&won, Some(1.0), 0.0), [0, 400, i16::MAX]);
        // Expected points 0.5, 0.73106, 1: half of each with half of the next one's give 0.68276 and 0.86553.
        assert_eq!(foreseen(&won, Some(1.0), 0.5), [307, 745, i16::MAX]);
        let of_lost = |foresight| foreseen(&lost, Some(0.0), foresight);
        assert!(of_lost(0.5).iter().zip(of_lost(0.9)).all(|(near, far)| far < *near));
        assert_eq!(of_lost(1.0), [i16::MIN; 3]);
    }

    #[test]
    fn without_a_result_only_scores_are_learned() {
        let start = parse_fen("4k3/8/8/8/8/8/8/QK6 w - - 0 1").unwrap();
        let mv = start.legal_moves()[0];
        let mut samples = Samples { training: Vec::new(), held_out: Vec::new(), games: 0, positions: 0 };
        let filters = Filters { held_out_every: 1, ..Filters::default() };
        for (result, score) in [(WhiteResult::Loss, 400), (WhiteResult::Win, 400)] {
            samples.add(&TrainingGame { start, moves: vec![(mv, score)], result }, false, &filters, 0.5);
        }
        assert_eq!((samples.training.len(), samples.held_out.len()), (2, 0), "the first ply of a branch counts");
        assert_eq!(samples.training[0], samples.training[1]);
        assert_eq!((samples.training[0].score, samples.training[0].result()), (400, 0.73));
    }

    #[test]
    fn every_filter_filters() {
        let filters = Filters { first_plies: 3, ..Filters::default() };
        let quiet = parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let check = parse_fen("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
        let mv = |position: &Position, capture| {
            position.legal_moves().into_iter().find(|mv| mv.is_capture() == capture).unwrap()
        };
        assert!(filters.keeps(3, &quiet, mv(&quiet, false), 100));
        assert!(!filters.keeps(2, &quiet, mv(&quiet, false), 100));
        assert!(!filters.keeps(3, &quiet, mv(&quiet, true), 100));
        assert!(!filters.keeps(3, &quiet, mv(&quiet, false), i16::MIN));
        assert!(!filters.keeps(3, &check, mv(&check, false), 100));
    }
}
