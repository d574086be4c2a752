//! Positions, moves and games as text. Every reader returns a typed error that names the text at fault; none panics.

mod fen;
mod perft_line;
mod uci_move;

pub use fen::{FenError, format_fen, format_shredder_fen, parse_fen, parse_setup};
pub use perft_line::{PerftLine, PerftLineError};
pub use uci_move::{CastlingSpelling, MoveError, format_move, parse_move};
