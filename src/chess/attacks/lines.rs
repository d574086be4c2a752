//! Squares between two squares, lines through two squares, and slider attacks on an empty board.

use super::rays::{Slider, attacks, line_attacks};
use crate::chess::types::{Bitboard, Square};

type Pairs = [[Bitboard; Square::COUNT]; Square::COUNT];

const fn open_table(slider: Slider) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = attacks(slider, Square::from_index(index), Bitboard::EMPTY);
        index += 1;
    }
    table
}

/// For every pair on a common line: the squares strictly between (`whole == false`), or the whole line with both ends.
const fn pair_table(whole: bool) -> Pairs {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        fill_row(&mut table[from], Square::from_index(from), whole);
        from += 1;
    }
    table
}

const fn fill_row(row: &mut [Bitboard; Square::COUNT], from: Square, whole: bool) {
    let masks = [
        Slider::Rook.line_mask(from, 0),
        Slider::Rook.line_mask(from, 1),
        Slider::Bishop.line_mask(from, 0),
        Slider::Bishop.line_mask(from, 1),
    ];
    let mut which = 0;
    while which < masks.len() {
        let mask = masks[which];
        let mut to = 0;
        while to < Square::COUNT {
            let target = Square::from_index(to);
            if mask & target.bitboard().0 != 0 {
                row[to] = if whole {
                    Bitboard(mask | from.bitboard().0)
                } else {
                    let towards = line_attacks(mask, from, target.bitboard().0);
                    let back = line_attacks(mask & !target.bitboard().0 | from.bitboard().0, target, from.bitboard().0);
                    Bitboard(towards & back)
                };
            }
            to += 1;
        }
        which += 1;
    }
}

static BETWEEN: Pairs = pair_table(false);
static LINE: Pairs = pair_table(true);
static OPEN_ROOK: [Bitboard; Square::COUNT] = open_table(Slider::Rook);
static OPEN_BISHOP: [Bitboard; Square::COUNT] = open_table(Slider::Bishop);

/// The squares strictly between two squares of one rank, file or diagonal; otherwise none.
#[inline(always)]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index()][to.index()]
}

/// The whole rank, file or diagonal through two squares, both included; none when they share no line or are equal.
#[inline(always)]
pub fn line(from: Square, to: Square) -> Bitboard {
    LINE[from.index()][to.index()]
}

/// Squares a rook attacks on an otherwise empty board.
#[inline(always)]
pub fn open_rook_attacks(square: Square) -> Bitboard {
    OPEN_ROOK[square.index()]
}

/// Squares a bishop attacks on an otherwise empty board.
#[inline(always)]
pub fn open_bishop_attacks(square: Square) -> Bitboard {
    OPEN_BISHOP[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_and_line_of_known_pairs() {
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        assert_eq!(between(Square::A1, Square::D4), squares(&[Square::B2, Square::C3]));
        assert_eq!(between(Square::H5, Square::E5), squares(&[Square::F5, Square::G5]));
        assert_eq!(between(Square::E4, Square::E5), Bitboard::EMPTY);
        assert_eq!(between(Square::E4, Square::F6), Bitboard::EMPTY);
        assert_eq!(line(Square::B2, Square::C3).len(), 8);
        assert_eq!(line(Square::A2, Square::B1), squares(&[Square::A2, Square::B1]));
        assert_eq!(line(Square::E4, Square::E4), Bitboard::EMPTY);
    }

    #[test]
    fn both_are_symmetric() {
        for from in Square::all() {
            for to in Square::all() {
                assert_eq!(between(from, to), between(to, from), "{from} {to}");
                assert_eq!(line(from, to), line(to, from), "{from} {to}");
            }
        }
    }
}
