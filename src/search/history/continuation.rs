//! The move before as part of the index: how a reply did after it (Chess Programming Wiki, "Countermove Heuristic",
//! "History Heuristic", continuation history).

use crate::chess::{Piece, Square};

/// How many plies back the moves are looked at.
pub(in crate::search) const PAST_PLIES: [usize; 4] = [1, 2, 4, 6];

/// A value for each piece and target.
pub(super) type PieceTo = [i16; MovedTo::COUNT];

pub(super) const EMPTY: PieceTo = [0; MovedTo::COUNT];

/// A piece and the square it went to, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct MovedTo(u16);

/// The moves at [`PAST_PLIES`]; none for a null move and before the root.
pub(in crate::search) type PastMoves = [Option<MovedTo>; PAST_PLIES.len()];

impl MovedTo {
    pub(in crate::search) const COUNT: usize = Piece::COUNT * Square::COUNT;

    #[inline(always)]
    pub(in crate::search) const fn new(piece: Piece, to: Square) -> MovedTo {
        MovedTo((piece.index() * Square::COUNT + to as usize) as u16)
    }

    #[inline(always)]
    pub(in crate::search) const fn index(self) -> usize {
        self.0 as usize
    }
}
