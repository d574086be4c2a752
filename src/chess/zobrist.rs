//! Zobrist numbers: one random word for each thing that makes two positions different.
//!
//! Source: Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use super::random::SplitMix64;
use super::types::{CastlingRights, CastlingSide, Color, File, Piece, Square};

struct Numbers {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const fn fill<const N: usize>(random: &mut SplitMix64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = random.next();
        index += 1;
    }
    numbers
}

const fn numbers() -> Numbers {
    let mut random = SplitMix64::new(0x005A_6F62_7269_7374);
    let mut pieces = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        pieces[piece] = fill(&mut random);
        piece += 1;
    }
    Numbers {
        pieces,
        castling: [fill(&mut random), fill(&mut random)],
        en_passant: fill(&mut random),
        black_to_move: random.next(),
    }
}

static NUMBERS: Numbers = numbers();

/// The number of a man on a square.
#[inline(always)]
pub const fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// The number of Black being on move.
#[inline(always)]
pub const fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

/// The number of a possible en passant capture on this file; 0 when there is none.
#[inline(always)]
pub fn en_passant(file: Option<File>) -> u64 {
    file.map_or(0, |file| NUMBERS.en_passant[file.index()])
}

/// The number of a set of castling rights: one word for each colour and rook file.
pub fn castling(rights: CastlingRights) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(file) = rights.rook_file(color, side) {
                key ^= NUMBERS.castling[color.index()][file.index()];
            }
        }
    }
    key
}
