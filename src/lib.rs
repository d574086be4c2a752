//! Luft, a UCI chess engine.
//!
//! Layers, each importing only from those before it: [`chess`] (the laws).

pub mod chess;
#[cfg(feature = "tools")]
pub mod tools;
