//! Games for training, played by the engine against itself.
//!
//! `play` makes one game, `run` many on several threads into one file of records that is only ever appended to, `files`
//! looks at, checks, merges and shuffles such files. The playing code is the one of every match: only limits differ.

pub mod files;
mod openings;
mod play;
mod run;

pub use play::GameSettings;
pub use run::{RunSettings, run};
