//! Tuning of the search's numbers by simultaneous perturbation (SPSA).
//!
//! `spsa` holds the method and knows nothing of chess, `duel` plays a pair of games between two sets of numbers within
//! this process, `players` plays many on several threads, [`run`](fn@run) keeps its state in a file after each batch, and
//! draws the course of the numbers. The order in which threads end their games does not matter: a batch is summed up.
//!
//! `factors` and `experiment` answer another question with the same games: what is each feature worth?

mod curve;
mod duel;
mod experiment;
mod factors;
mod players;
mod run;
mod spsa;

pub use experiment::Experiment;
pub use factors::{Factor, FactorError, Observation, Worth, parse_factors};
pub use run::{Settings, State, open_bench_text, run};
pub use spsa::{Knob, Schedule};
