//! Kinds of men, and men with a colour.

use super::Color;

/// A kind of man without its colour, in the order of common values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceKind {
    /// All six kinds, from pawn to king.
    pub const ALL: [PieceKind; 6] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King];
    /// What a pawn can become, most wanted first.
    pub const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop];

    /// 0 for a pawn up to 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter of the kind in lower case, `p` for a pawn.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'p',
            PieceKind::Knight => 'n',
            PieceKind::Bishop => 'b',
            PieceKind::Rook => 'r',
            PieceKind::Queen => 'q',
            PieceKind::King => 'k',
        }
    }

    /// The kind for an English letter in either case.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }
}

/// A man of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    /// How many different men there are.
    pub const COUNT: usize = 12;

    /// The man of this colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        // SAFETY: `Piece` is `repr(u8)` with variants 0..=11 in this order, kind at most 5 and colour at most 1.
        unsafe { std::mem::transmute(kind as u8 * 2 + color as u8) }
    }

    /// All twelve, in the order of their indices.
    pub const ALL: [Piece; Self::COUNT] = [
        Piece::WhitePawn,
        Piece::BlackPawn,
        Piece::WhiteKnight,
        Piece::BlackKnight,
        Piece::WhiteBishop,
        Piece::BlackBishop,
        Piece::WhiteRook,
        Piece::BlackRook,
        Piece::WhiteQueen,
        Piece::BlackQueen,
        Piece::WhiteKing,
        Piece::BlackKing,
    ];

    /// Whose man it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        // SAFETY: `Color` is `repr(u8)` with variants 0 and 1.
        unsafe { std::mem::transmute(self as u8 & 1) }
    }

    /// What kind of man it is.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: `PieceKind` is `repr(u8)` with variants 0..=5, and `self` is at most 11.
        unsafe { std::mem::transmute(self as u8 >> 1) }
    }

    /// 0 to 11: twice the kind plus the colour.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// The man for a FEN letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceKind::from_letter(letter).map(|kind| Piece::new(color, kind))
    }
}
