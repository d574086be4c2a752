//! Who wants to know what a move changes on the board.

use crate::chess::types::{Piece, Square};

/// Told of every man that appears or disappears while a move is made; `()` ignores it all.
///
/// Evaluations that are updated move by move are observers, so that there is one way to make a move.
pub trait Observer {
    /// Whether the keys of the position must be kept. Only perft does without: it never asks for them.
    const NEEDS_KEYS: bool = true;

    /// The man now stands on the square.
    fn added(&mut self, piece: Piece, square: Square);
    /// The man has left the square.
    fn removed(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
}

/// Ignores everything and lets the keys go stale, for counting positions that nobody looks up.
pub(in crate::chess) struct Keyless;

impl Observer for Keyless {
    const NEEDS_KEYS: bool = false;

    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
}
