//! What the search has learned about moves: which cut off elsewhere in the tree.
//!
//! One update rule for all tables: an entry moves towards the bonus and is pulled back in proportion to its size
//! ("gravity"), so that it stays within limits and forgets (Chess Programming Wiki, "History Heuristic").

use crate::chess::{ByColor, Color, Move, Piece, PieceKind, Position, Square};

use super::params::Params;

/// Entries stay within plus and minus this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

#[inline(always)]
fn update(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    *entry += (bonus - *entry as i32 * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// How much one search result moves an entry.
#[inline(always)]
pub(super) fn bonus(depth: i32, params: &Params) -> i32 {
    (params.history_bonus * depth).min(params.history_bonus_limit)
}

type FromTo = [[i16; Square::COUNT]; Square::COUNT];
type PieceToVictim = [[[i16; 6]; Square::COUNT]; Piece::COUNT];

/// The tables of one worker.
#[derive(Clone)]
pub(super) struct Histories {
    quiets: Box<ByColor<FromTo>>,
    captures: Box<PieceToVictim>,
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiets: Box::new(ByColor([[[0; Square::COUNT]; Square::COUNT]; 2])),
            captures: Box::new([[[0; 6]; Square::COUNT]; Piece::COUNT]),
        }
    }

    /// The history of a quiet move of `color`.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiets[color][mv.from().index()][mv.to().index()] as i32
    }

    /// The history of a noisy move in this position.
    #[inline(always)]
    pub(super) fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let (piece, to, victim) = capture_index(position, mv);
        self.captures[piece][to][victim] as i32
    }

    /// Rewards (or, with a negative bonus, punishes) a move tried in this position.
    pub(super) fn learn(&mut self, position: &Position, mv: Move, bonus: i32) {
        if mv.is_noisy() {
            let (piece, to, victim) = capture_index(position, mv);
            update(&mut self.captures[piece][to][victim], bonus);
        } else {
            let color = position.side_to_move();
            update(&mut self.quiets[color][mv.from().index()][mv.to().index()], bonus);
        }
    }
}

/// Mover, target and victim of a noisy move. Promotions without capture share the row of pawns as victims.
#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> (usize, usize, usize) {
    let mover = position.piece_on(mv.from()).map_or(0, Piece::index);
    (mover, mv.to().index(), victim(position, mv).index())
}

/// The kind of man a noisy move takes; a pawn for en passant and for promotions without capture.
#[inline(always)]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position.piece_on(mv.to()).map_or(PieceKind::Pawn, Piece::kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_limit_and_forget() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 2000);
        }
        assert!(entry > 15_000 && entry as i32 <= HISTORY_LIMIT);
        for _ in 0..5 {
            update(&mut entry, -2000);
        }
        assert!(entry < 9_000);
    }
}
