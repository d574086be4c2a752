//! Draws that the position alone decides.

use super::Position;
use crate::chess::types::{Bitboard, PieceKind};

impl Position {
    /// A dead position by material: neither side can mate by any sequence of moves.
    ///
    /// Bare kings, one minor piece, or any number of bishops that all stand on squares of one colour.
    pub fn is_dead(&self) -> bool {
        let board = self.board();
        let mating = board.kind(PieceKind::Pawn) | board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
        if mating.any() {
            return false;
        }
        let (knights, bishops) = (board.kind(PieceKind::Knight), board.kind(PieceKind::Bishop));
        if knights.is_empty() {
            let on_light = bishops & Bitboard::LIGHT_SQUARES;
            return on_light.is_empty() || on_light == bishops;
        }
        bishops.is_empty() && !knights.several()
    }

    /// Fifty moves by each side without capture or pawn move, unless the last of them gave mate.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_move())
    }
}
