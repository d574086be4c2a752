//! The words of the rules: colours, pieces, squares, sets of squares, moves and castling rights.
//!
//! All are small `Copy` values. Absence is `Option<_>`, never a magic number: squares, pieces and moves leave room for
//! `None` in the same bytes.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::{ByColor, Color};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Piece, PieceKind};
pub use square::{File, Rank, Square};
