//! Trains networks from game records on the processor, all cores.
//!
//! `samples` reads and filters positions, `model` is the network in floating point with its gradients, `optimiser` changes
//! weights, `session` runs superbatches, `checkpoint` keeps them, `quantise` makes the network that plays, `curve` draws the losses,
//! `check` looks for the mistakes that cost more than any choice.

mod check;
mod checkpoint;
mod curve;
mod kernel;
mod model;
mod optimiser;
mod quantise;
mod samples;
mod session;

pub use check::{Finding, check};
pub use optimiser::Schedule;
pub use samples::Filters;
pub use session::{Settings, train};
