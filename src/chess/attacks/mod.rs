//! Which squares a man attacks, and the lines between squares. All tables are constants made at compile time.

mod leapers;
mod lines;
mod magic_numbers;
pub mod magic_search;
mod rays;
mod sliders;

pub use leapers::{king_attacks, knight_attacks, pawn_attacks};
pub use lines::{between, line, open_bishop_attacks, open_rook_attacks};
pub use sliders::{bishop_attacks, queen_attacks, rook_attacks};
