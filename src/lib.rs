//! Luft, a UCI chess engine.
//!
//! Layers, each importing only from those before it (`tests/architecture.rs` checks this):
//!
//! 1. [`chess`]: the laws, and texts of positions and moves; [`sync`], what threads meet by.
//! 2. [`score`]: evaluations, mates and tablebase wins in one number, and what they mean for the result.
//! 3. [`nnue`] and [`transposition`]: how good a position looks, and what is remembered of it.
//! 4. [`search`]: one worker's search.
//! 5. [`engine`]: game, options and the threads that search.
//! 6. [`uci`]: text in and out; the only layer besides the programs that touches standard input and output.
//! 7. `tools` (with the feature of that name): programs around the engine, such as the match runner.

pub mod chess;
pub mod engine;
pub mod nnue;
pub mod score;
pub mod search;
pub mod sync;
#[cfg(feature = "tools")]
pub mod tools;
pub mod transposition;
pub mod uci;
