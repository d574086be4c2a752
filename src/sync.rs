//! The primitives on which the protocols between threads rest.
//!
//! Files that use nothing of `std::sync` but through here are compiled a second time by `tests/protocol_model.rs`, where
//! the same names stand for those of a model checker, which tries every order in which threads can meet.

pub use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, atomic};
