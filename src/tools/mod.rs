//! Programs around the engine: match runner, records of games, data for training, trainer, tuner. Nothing below this layer knows
//! of them.

pub mod datagen;
pub mod judge;
pub mod pgn;
pub mod referee;
pub mod trainer;
pub mod tuner;
pub mod viriformat;
