//! Files, ranks and squares.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// A file, `a` to `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files from `a` to `h`.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// 0 for the `a` file up to 7.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a letter `a` to `h`.
    pub fn from_letter(letter: char) -> Option<File> {
        File::ALL.into_iter().find(|file| file.letter() == letter)
    }
}

/// A rank, 1 to 8, counted from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
}

impl Rank {
    /// All ranks from 1 to 8.
    pub const ALL: [Rank; 8] = [Rank::R1, Rank::R2, Rank::R3, Rank::R4, Rank::R5, Rank::R6, Rank::R7, Rank::R8];

    /// 0 for the first rank up to 7.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank counted from the side of `color`: its first rank is its home rank.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Rank {
        // SAFETY: `Rank` is `repr(u8)` with variants for exactly 0..=7; the exclusive or keeps to three bits.
        unsafe { std::mem::transmute(self as u8 ^ (7 * color as u8)) }
    }

    /// The digit `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank for a digit `1` to `8`.
    pub fn from_digit(digit: char) -> Option<Rank> {
        Rank::ALL.into_iter().find(|rank| rank.digit() == digit)
    }
}

/// A square, `a1` = 0, `b1` = 1 ... `h8` = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 64;

    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_index(rank as usize * 8 + file as usize)
    }

    /// The square with this index; only the low six bits count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        // SAFETY: the enum is `repr(u8)` with variants for exactly 0..=63, and the mask keeps the value there.
        unsafe { std::mem::transmute((index & 63) as u8) }
    }

    /// All squares from `a1` to `h8`.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Square::COUNT).map(Square::from_index)
    }

    /// 0 for `a1` up to 63 for `h8`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file it stands on.
    #[inline(always)]
    pub const fn file(self) -> File {
        // SAFETY: `File` is `repr(u8)` with variants for exactly 0..=7.
        unsafe { std::mem::transmute(self as u8 & 7) }
    }

    /// The rank it stands on.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        // SAFETY: `Rank` is `repr(u8)` with variants for exactly 0..=7, and `self` is at most 63.
        unsafe { std::mem::transmute(self as u8 >> 3) }
    }

    /// The square as the player of `color` sees it: mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::from_index(self as usize ^ (56 * color as usize))
    }

    /// The square mirrored left to right.
    #[inline(always)]
    pub const fn mirrored(self) -> Square {
        Square::from_index(self as usize ^ 7)
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let file = (self as i32 & 7) + files;
        let rank = (self as i32 >> 3) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::from_index((rank * 8 + file) as usize))
    }

    /// The square one step ahead as `color` moves; from the last rank it wraps, so ask only where a pawn can stand.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square::from_index(self as usize + 8),
            Color::Black => Square::from_index((self as usize).wrapping_sub(8)),
        }
    }

    /// King steps between the two squares.
    pub fn distance(self, other: Square) -> u8 {
        let files = (self.file() as u8).abs_diff(other.file() as u8);
        let ranks = (self.rank() as u8).abs_diff(other.rank() as u8);
        files.max(ranks)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Square {
    type Err = ();

    /// Reads `e4`; anything else is an error without detail, as callers name the text at fault themselves.
    fn from_str(text: &str) -> Result<Square, ()> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(file), Some(rank), None) => {
                Ok(Square::new(File::from_letter(file).ok_or(())?, Rank::from_digit(rank).ok_or(())?))
            }
            _ => Err(()),
        }
    }
}
