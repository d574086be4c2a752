//! Kings, knights and pawns: one table entry a square.

use crate::chess::types::{Bitboard, Color, Square};

const fn leaper_table<const N: usize>(steps: [(i32, i32); N]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut step = 0;
        while step < N {
            if let Some(target) = Square::from_index(index).offset(steps[step].0, steps[step].1) {
                table[index].0 |= target.bitboard().0;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

static KNIGHT: [Bitboard; Square::COUNT] =
    leaper_table([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; Square::COUNT] =
    leaper_table([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; Square::COUNT]; 2] = [leaper_table([(-1, 1), (1, 1)]), leaper_table([(-1, -1), (1, -1)])];

/// Squares a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}
