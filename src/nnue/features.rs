//! Which inputs a position switches on.

use crate::chess::{Color, File, Piece, Position, Square};

/// How one side sees the board: from its own end, and mirrored left to right when its king stands on the right half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    /// Whose view it is.
    pub color: Color,
    /// Whether files are mirrored.
    pub mirrored: bool,
}

impl Perspective {
    /// The view of `color` whose king stands here.
    #[inline(always)]
    pub fn new(color: Color, king: Square) -> Perspective {
        Perspective { color, mirrored: king.file() > File::D }
    }

    /// The view of `color` in this position.
    #[inline(always)]
    pub fn of(position: &Position, color: Color) -> Perspective {
        Perspective::new(color, position.king(color))
    }

    /// The input that a man on a square switches on: 384 for an enemy man, 64 for each kind, and the square as seen.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let square = square.relative_to(self.color);
        let square = if self.mirrored { square.mirrored() } else { square };
        let enemy = (piece.color() != self.color) as usize;
        enemy * 384 + piece.kind().index() * 64 + square.index()
    }

    /// All inputs that the position switches on.
    pub fn inputs(self, position: &Position) -> impl Iterator<Item = usize> + '_ {
        let board = position.board();
        board.occupied().into_iter().filter_map(move |square| Some(self.input(board.piece_on(square)?, square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    fn inputs(fen: &str, color: Color) -> Vec<usize> {
        let position = parse_fen(fen).unwrap();
        let mut inputs: Vec<usize> = Perspective::of(&position, color).inputs(&position).collect();
        inputs.sort();
        inputs
    }

    #[test]
    fn both_sides_of_a_symmetric_position_see_the_same() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(inputs(start, Color::White), inputs(start, Color::Black));
        assert_eq!(inputs(start, Color::White).len(), 32);
    }

    #[test]
    fn exchanging_colours_exchanges_views_and_mirroring_changes_nothing() {
        let here = "2k5/8/3p4/8/8/1N6/8/6K1 w - - 0 1";
        let colours_exchanged = "6k1/8/1n6/8/8/3P4/8/2K5 b - - 0 1";
        let mirrored = "5k2/8/4p3/8/8/6N1/8/1K6 w - - 0 1";
        assert_eq!(inputs(here, Color::White), inputs(colours_exchanged, Color::Black));
        assert_eq!(inputs(here, Color::White), inputs(mirrored, Color::White));
        assert_eq!(inputs(here, Color::Black), inputs(mirrored, Color::Black));
        assert_ne!(inputs(here, Color::White), inputs(here, Color::Black));
    }
}
