//! The evaluation network: a perspective network that is updated move by move.
//!
//! `architecture` says what shape it has, `features` which inputs a position switches on, `network` holds the weights and
//! reads and writes files, `range` refuses weights that could overflow, `source` has the network of the program and those
//! of files, `accumulator` keeps the first layer up to date along a line of play, `kernels` do the arithmetic on whatever
//! the processor offers. All kernels give the same numbers, bit for bit. `README.md` says where the network comes from.

mod accumulator;
pub mod architecture;
pub mod features;
mod kernels;
mod network;
mod range;
mod source;

pub use accumulator::NetworkEvaluator;
pub use kernels::Kernels;
pub use network::{Network, NetworkError, Parameters};
