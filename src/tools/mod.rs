//! Programs around the engine: match runner and records of games. Nothing below this layer knows of them.

pub mod pgn;
pub mod referee;
pub mod viriformat;
