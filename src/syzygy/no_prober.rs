//! What stands in for the probing code on systems for which the crate does not compile: tables cannot be opened there.
//!
//! `pyrrhic-rs` takes characters of C to be signed, as they are on x86-64 and on Apple's systems, and pointers to have 64
//! bits.

use std::convert::Infallible;

use super::Wdl;
use super::files::TablebaseError;
use crate::chess::{Move, Position};

/// There is none.
pub(super) struct Prober(Infallible);

/// Distances to the next capture or pawn move; see the other prober.
pub(super) struct Distances {
    /// That of the position.
    pub(super) position: i32,
    /// Those of its moves.
    pub(super) moves: Vec<(Move, i32)>,
}

impl Prober {
    pub(super) fn open(_folders: &str) -> Result<Prober, TablebaseError> {
        Err(TablebaseError::NoProber)
    }

    pub(super) fn wdl(&self, _position: &Position) -> Option<Wdl> {
        match self.0 {}
    }

    pub(super) fn distances(&self, _position: &Position) -> Option<Distances> {
        match self.0 {}
    }
}
