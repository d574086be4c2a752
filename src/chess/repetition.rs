//! Which reversible move turns one position into another, answered by one look at their keys.
//!
//! Marcel van Kervinck's cuckoo table ("The design and implementation of the Rookie 2.0 chess playing program", 2019):
//! the 3,668 differences between keys that one move of a piece on an empty board makes, each in one of two slots.

use super::types::{Piece, PieceKind, Square};
use super::zobrist;

const SLOTS: usize = 8192;
const MOVES: usize = 3668;

struct Cuckoo {
    keys: [u64; SLOTS],
    /// Index of the two squares; meaningful where the key is not 0.
    squares: [(Square, Square); SLOTS],
}

static CUCKOO: Cuckoo = Cuckoo::new();

const fn first_slot(key: u64) -> usize {
    key as usize % SLOTS
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize % SLOTS
}

impl Cuckoo {
    #[allow(long_running_const_eval)]
    const fn new() -> Cuckoo {
        let mut cuckoo = Cuckoo { keys: [0; SLOTS], squares: [(Square::A1, Square::A1); SLOTS] };
        let mut count = 0;
        let mut piece = 0;
        while piece < Piece::COUNT {
            count += cuckoo.insert_piece(Piece::ALL[piece]);
            piece += 1;
        }
        assert!(count == MOVES);
        cuckoo
    }

    const fn insert_piece(&mut self, piece: Piece) -> usize {
        let mut count = 0;
        let mut low = 0;
        while low < Square::COUNT {
            let mut high = low + 1;
            while high < Square::COUNT {
                let (from, to) = (Square::from_index(low), Square::from_index(high));
                if reaches_on_empty_board(piece.kind(), from, to) {
                    let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::black_to_move();
                    self.insert(key, (from, to));
                    count += 1;
                }
                high += 1;
            }
            low += 1;
        }
        count
    }

    /// Puts the entry into its first slot; whoever was there moves to its other one, and so on.
    const fn insert(&mut self, mut key: u64, mut squares: (Square, Square)) {
        let mut slot = first_slot(key);
        loop {
            let (old_key, old_squares) = (self.keys[slot], self.squares[slot]);
            self.keys[slot] = key;
            self.squares[slot] = squares;
            if old_key == 0 {
                return;
            }
            key = old_key;
            squares = old_squares;
            slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
        }
    }
}

const fn reaches_on_empty_board(kind: PieceKind, from: Square, to: Square) -> bool {
    let files = (from.file() as u8).abs_diff(to.file() as u8);
    let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
    let straight = files == 0 || ranks == 0;
    let diagonal = files == ranks;
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => straight || diagonal,
        PieceKind::King => files <= 1 && ranks <= 1,
    }
}

/// The two squares between which one piece must move, in either direction, to turn a position into one whose key
/// differs by `difference`; `None` when no single reversible move does it.
#[inline]
pub(super) fn reversible_move(difference: u64) -> Option<(Square, Square)> {
    let slot =
        [first_slot(difference), second_slot(difference)].into_iter().find(|&slot| CUCKOO.keys[slot] == difference)?;
    Some(CUCKOO.squares[slot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::types::Color;

    #[test]
    fn finds_its_moves_and_nothing_else() {
        let key = |piece, from, to| zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::black_to_move();
        let rook = Piece::new(Color::White, PieceKind::Rook);
        assert_eq!(reversible_move(key(rook, Square::H1, Square::A1)), Some((Square::A1, Square::H1)));
        assert_eq!(reversible_move(key(rook, Square::H1, Square::A2)), None);
        let pawn = Piece::new(Color::Black, PieceKind::Pawn);
        assert_eq!(reversible_move(key(pawn, Square::E7, Square::E6)), None);
    }
}
