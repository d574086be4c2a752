//! The hand-written evaluation: a plain stop-gap until a network has learned better.
//!
//! [`Evaluator`] is the interface that the search sees: it is told of every move through an [`Observer`], can step back,
//! and evaluates a position. Material and squares are kept move by move; mobility, pawns and king safety are worked out
//! when asked. Scores taper from middlegame to endgame with the material left (Chess Programming Wiki, "Tapered Eval").

mod pieces;
mod squares;
mod terms;

use crate::chess::{Color, Observer, Piece, Position, Square};
use crate::score::Score;
use terms::Terms;

/// A middlegame and an endgame value in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    middlegame: i32,
    endgame: i32,
}

const fn pair(middlegame: i32, endgame: i32) -> Pair {
    Pair { middlegame, endgame }
}

impl Pair {
    #[inline(always)]
    fn add(&mut self, other: Pair, times: i32) {
        self.middlegame += other.middlegame * times;
        self.endgame += other.endgame * times;
    }
}

/// Material and squares of one position, White's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Accumulator {
    sum: Pair,
    /// Weight of the middlegame: 24 with all pieces, 0 with none.
    phase: i32,
}

impl Observer for Accumulator {
    #[inline(always)]
    fn added(&mut self, piece: Piece, square: Square) {
        self.sum.add(squares::value(piece, square), 1);
        self.phase += pieces::phase(piece.kind());
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.sum.add(squares::value(piece, square), -1);
        self.phase -= pieces::phase(piece.kind());
    }
}

/// Evaluates positions along a line of play.
#[derive(Clone, Debug)]
pub struct Evaluator {
    current: Accumulator,
    past: Vec<Accumulator>,
}

/// The parts of an evaluation in centipawns, White's view, middlegame and endgame.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// Name, middlegame and endgame value of each part.
    pub parts: Vec<(&'static str, i32, i32)>,
    /// The weight of the middlegame, 0 to 24.
    pub phase: i32,
}

impl Evaluator {
    /// An evaluator that stands at this position.
    pub fn new(position: &Position) -> Evaluator {
        let mut evaluator = Evaluator { current: Accumulator::default(), past: Vec::new() };
        evaluator.reset(position);
        evaluator
    }

    /// Stands at this position now, with nothing to step back to.
    pub fn reset(&mut self, position: &Position) {
        self.past.clear();
        self.current = Accumulator::default();
        for square in position.board().occupied() {
            if let Some(piece) = position.piece_on(square) {
                self.current.added(piece, square);
            }
        }
    }

    /// Takes a step: whoever makes the move tells the returned observer of its changes.
    #[inline(always)]
    pub fn step(&mut self) -> &mut impl Observer {
        self.past.push(self.current);
        &mut self.current
    }

    /// Takes the last step back.
    #[inline(always)]
    pub fn step_back(&mut self) {
        if let Some(accumulator) = self.past.pop() {
            self.current = accumulator;
        }
    }

    /// The value of the position, at which the evaluator must stand, for the side to move. Means little in check.
    pub fn evaluate(&self, position: &Position) -> Score {
        let mut sum = self.current.sum;
        sum.add(Terms::of(position).total(), 1);
        let phase = self.current.phase.clamp(0, pieces::FULL_PHASE);
        let tapered = (sum.middlegame * phase + sum.endgame * (pieces::FULL_PHASE - phase)) / pieces::FULL_PHASE;
        let white_view = terms::scaled_by_winning_chances(position, tapered);
        let own_view = if position.side_to_move() == Color::White { white_view } else { -white_view };
        Score::evaluation(own_view + terms::TEMPO)
    }

    /// What the evaluation of the position is made of.
    pub fn breakdown(&self, position: &Position) -> Breakdown {
        let terms = Terms::of(position);
        let mut parts = vec![("Material and squares", self.current.sum)];
        parts.extend(terms.named());
        Breakdown {
            parts: parts.into_iter().map(|(name, value)| (name, value.middlegame, value.endgame)).collect(),
            phase: self.current.phase.clamp(0, pieces::FULL_PHASE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Setup, notation::parse_fen, random::SplitMix64};

    /// The same position with colours exchanged and the board turned upside down.
    fn colours_exchanged(position: &Position) -> Position {
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            let exchange =
                |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            text.chars().map(exchange).collect()
        };
        let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let castling = if fields[2] == "-" { "-".into() } else { swap(fields[2]) };
        parse_fen(&format!("{} {side} {castling} - 0 1", board.join("/"))).unwrap()
    }

    #[test]
    fn incremental_equals_fresh_and_colours_are_alike() {
        let mut random = SplitMix64::new(7);
        for _ in 0..50 {
            let mut game = Game::new(Position::initial());
            let mut evaluator = Evaluator::new(game.position());
            for _ in 0..120 {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len() as u64) as usize];
                game.play_observed(mv, evaluator.step());
                let position = game.position();
                assert_eq!(evaluator.current, Evaluator::new(position).current);
                let mirrored = colours_exchanged(position);
                let value = evaluator.evaluate(position);
                assert_eq!(value, Evaluator::new(&mirrored).evaluate(&mirrored), "{position}");
            }
            while game.ply() > 0 {
                game.undo();
                evaluator.step_back();
            }
            assert_eq!(evaluator.current, Evaluator::new(game.position()).current);
        }
    }

    #[test]
    fn knows_what_material_is_worth() {
        let evaluate = |fen: &str| {
            let position = parse_fen(fen).unwrap();
            Evaluator::new(&position).evaluate(&position).units()
        };
        let start = Setup::initial().validate().unwrap();
        assert!(Evaluator::new(&start).evaluate(&start).units().abs() < 30);
        assert!(evaluate("4k3/8/8/8/8/8/8/QK6 w - - 0 1") > 700);
        assert!(evaluate("4k3/8/8/8/8/8/8/QK6 b - - 0 1") < -700);
        assert!(evaluate("4k3/8/8/8/8/8/8/NNK5 w - - 0 1").abs() < 30, "two knights cannot force mate");
        assert!(evaluate("4k3/8/8/8/8/8/8/BNK5 w - - 0 1") > 100);
    }
}
