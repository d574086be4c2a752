//! Positions, moves and games as text. Every reader returns a typed error that names the text at fault; none panics.

mod epd;
mod fen;
mod movetext;
mod perft_line;
mod san;
mod uci_move;

pub use epd::{Epd, EpdError, Operand, Operation};
pub use fen::{FenError, format_fen, format_shredder_fen, parse_fen, parse_setup};
pub use movetext::{ScoreError, ScoreFault, parse_score};
pub use perft_line::{PerftLine, PerftLineError};
pub use san::{SanError, format_san, parse_san};
pub use uci_move::{CastlingSpelling, MoveError, format_move, parse_move};
