//! Games for training, played by the engine against itself.
//!
//! `play` makes one game, `branch` positions beside games, `run` many of either on several threads into one file of records
//! that is only ever appended to, `files` looks at, checks, merges and shuffles such files and picks positions from them,
//! `fit` finds what scores mean for results. The playing code is the one of every match: only limits differ.

mod branch;
mod correlation;
pub mod files;
mod fit;
mod openings;
mod play;
mod run;

pub use branch::BranchSettings;
pub use correlation::Correlation;
pub use fit::Outcomes;
pub use play::GameSettings;
pub use run::{RunSettings, Work, run};
