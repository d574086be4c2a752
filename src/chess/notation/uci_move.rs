//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling as the king's two squares or as king takes rook.

use std::fmt;
use std::str::FromStr;

use crate::chess::position::Position;
use crate::chess::types::{CastlingSide, File, Move, PieceKind, Square};

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSpelling {
    /// From the king's square to where it ends: `e1g1`.
    KingTarget,
    /// From the king's square to the rook's: `e1h1`, as Chess960 needs.
    KingTakesRook,
}

/// Why a text is no move here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text does not have the form of a move.
    Syntax(String),
    /// It has, but no such move is legal in the position.
    Illegal(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Syntax(text) => write!(f, "'{text}' is not a move"),
            MoveError::Illegal(text) => write!(f, "move '{text}' is illegal here"),
        }
    }
}

impl std::error::Error for MoveError {}

/// The move as UCI text. Castling from other squares than those of standard chess is always written as king takes rook,
/// because the king's target could be read as a king move.
pub fn format_move(mv: Move, spelling: CastlingSpelling) -> String {
    let mut to = mv.to();
    if mv.is_castling() && spelling == CastlingSpelling::KingTarget {
        let standard = mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
        let side = CastlingSide::towards(mv.from(), mv.to());
        if standard {
            to = Square::new(side.king_target(crate::chess::Color::White).file(), mv.to().rank());
        }
    }
    let mut text = format!("{}{to}", mv.from());
    text.extend(mv.promotion().map(PieceKind::letter));
    text
}

/// Reads a move of the position in either spelling of castling.
///
/// The king's target square is read as castling only if the king cannot go there by a plain move.
///
/// # Errors
/// [`MoveError`], with the text.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let (from, to, promotion) = split(text).ok_or_else(|| MoveError::Syntax(text.into()))?;
    let moves = position.legal_moves();
    let plain = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
    let castling = || {
        let king_target = |mv: &Move| CastlingSide::towards(mv.from(), mv.to()).king_target(position.side_to_move());
        moves.iter().find(|mv| mv.is_castling() && promotion.is_none() && mv.from() == from && king_target(mv) == to)
    };
    plain.or_else(castling).copied().ok_or_else(|| MoveError::Illegal(text.into()))
}

fn split(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    let from = Square::from_str(text.get(0..2)?).ok()?;
    let to = Square::from_str(text.get(2..4)?).ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        letter if letter.len() == 1 => Some(PieceKind::from_letter(letter.chars().next()?)?),
        _ => return None,
    };
    Some((from, to, promotion))
}
