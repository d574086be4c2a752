//! Programs around the engine: records of games and data for training. Nothing below this layer knows of them.

pub mod datagen;
pub mod records;
pub mod trainer;
