//! Castling rights, general enough for double Chess960.

use super::{ByColor, Color, File, Rank, Square};

/// Which way a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the `h` file: king to `g`, rook to `f`.
    King,
    /// Towards the `a` file: king to `c`, rook to `d`.
    Queen,
}

impl CastlingSide {
    /// Both ways, the king's side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side towards which a king on `king` castles with a rook on `rook`.
    #[inline(always)]
    pub const fn towards(king: Square, rook: Square) -> CastlingSide {
        if (rook as u8) > king as u8 { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Where the king of `color` ends.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// Where the rook of `color` ends.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }
}

/// Which castlings are still possible in principle: for each colour and side the file of the rook that may castle.
///
/// In standard chess the files are `h` and `a`; in Chess960 any, and in double Chess960 each colour has its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(ByColor<[Option<File>; 2]>);

impl CastlingRights {
    /// No right left.
    pub const NONE: CastlingRights = CastlingRights(ByColor([[None; 2]; 2]));

    /// The file of the rook that may castle on this side, if the right stands.
    #[inline(always)]
    pub fn rook_file(self, color: Color, side: CastlingSide) -> Option<File> {
        self.0[color][side as usize]
    }

    /// The square of the rook that may castle on this side, if the right stands.
    #[inline(always)]
    pub fn rook_square(self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rook_file(color, side).map(|file| Square::new(file, Rank::R1.relative_to(color)))
    }

    /// Whether `color` has any right left.
    #[inline(always)]
    pub fn any(self, color: Color) -> bool {
        self.0[color] != [None; 2]
    }

    /// Whether no right is left at all.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self == CastlingRights::NONE
    }

    /// Grants a right.
    pub fn grant(&mut self, color: Color, side: CastlingSide, rook: File) {
        self.0[color][side as usize] = Some(rook);
    }

    /// Takes both rights of `color`: its king has moved.
    #[inline(always)]
    pub fn remove_both(&mut self, color: Color) {
        self.0[color] = [None; 2];
    }

    /// Takes the right that depends on a rook of `color` on `square`: it has moved or was captured.
    #[inline(always)]
    pub fn remove_rook(&mut self, color: Color, square: Square) {
        if square.rank() == Rank::R1.relative_to(color) {
            for right in &mut self.0[color] {
                if *right == Some(square.file()) {
                    *right = None;
                }
            }
        }
    }
}
