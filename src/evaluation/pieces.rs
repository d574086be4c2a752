//! What men are worth and how much each counts for the phase of the game. Hand-set.

use super::{Pair, pair};
use crate::chess::PieceKind;

/// The phase with all pieces on the board.
pub(super) const FULL_PHASE: i32 = 24;

pub(super) const MATERIAL: [Pair; 6] =
    [pair(82, 105), pair(325, 300), pair(340, 315), pair(475, 540), pair(980, 1000), pair(0, 0)];

/// What a man of this kind adds to the phase.
#[inline(always)]
pub(super) const fn phase(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn | PieceKind::King => 0,
        PieceKind::Knight | PieceKind::Bishop => 1,
        PieceKind::Rook => 2,
        PieceKind::Queen => 4,
    }
}
