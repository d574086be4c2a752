//! The laws of chess: everything that is true about positions and moves, and nothing about how good they are.
//!
//! The way in is [`Position`] (one position, legal moves, make) and [`Game`] (a position with its past: repetition and
//! the other draws). Texts are read and written in [`notation`]. No search, no evaluation, no input or output here.

pub mod attacks;
mod exchange;
mod game;
mod movegen;
pub mod notation;
pub mod perft;
mod position;
pub mod random;
mod repetition;
mod types;
pub mod zobrist;

pub use exchange::ExchangeValues;
pub use game::{Game, Outcome};
pub use movegen::Selection;
pub use position::{Board, Observer, PartKeys, Position, Setup, SetupError};
pub use types::*;
