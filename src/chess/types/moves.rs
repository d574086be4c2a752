//! Moves in two bytes.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// Room for the moves of every position that a [`Setup`](crate::chess::Setup) accepts: fifteen men besides the king, each
/// with no more than the 27 moves of a queen in the centre, and the king with eight moves and two castlings.
///
/// Games from the initial array stay below 219: Nenad Petrović's position of 1964 has 218, shown to be the most by integer
/// programming (Tobs40, "Why a reachable position can have at most 218 playable moves", 2024). But clients set up
/// positions with more than nine queens, and fifteen can have 226 moves.
pub const MAX_MOVES: usize = 15 * 27 + 10;

/// All moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does beyond taking a man from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    Quiet = 0,
    /// A pawn's first step of two squares.
    DoublePush = 1,
    /// King takes own rook: the rook's square is the target.
    Castling = 2,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE_BIT: u8 = 4;
    const PROMOTION_BIT: u8 = 8;

    /// The kind for the low four bits; the three unused patterns read as quiet.
    #[inline(always)]
    const fn from_bits(bits: u16) -> MoveKind {
        const KINDS: [MoveKind; 16] = [
            MoveKind::Quiet,
            MoveKind::DoublePush,
            MoveKind::Castling,
            MoveKind::Quiet,
            MoveKind::Capture,
            MoveKind::EnPassant,
            MoveKind::Quiet,
            MoveKind::Quiet,
            MoveKind::PromoteKnight,
            MoveKind::PromoteBishop,
            MoveKind::PromoteRook,
            MoveKind::PromoteQueen,
            MoveKind::CapturePromoteKnight,
            MoveKind::CapturePromoteBishop,
            MoveKind::CapturePromoteRook,
            MoveKind::CapturePromoteQueen,
        ];
        KINDS[(bits & 15) as usize]
    }

    /// The promotion to `piece` (knight to queen), with or without a capture.
    #[inline(always)]
    pub const fn promotion(piece: PieceKind, capture: bool) -> MoveKind {
        let offset = (piece as u16).wrapping_sub(PieceKind::Knight as u16) & 3;
        let bits = Self::PROMOTION_BIT as u16 | offset | if capture { Self::CAPTURE_BIT as u16 } else { 0 };
        MoveKind::from_bits(bits)
    }
}

/// A move: six bits from, six bits to, four bits kind. Never zero, so `Option<Move>` is two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of this kind between two different squares.
    ///
    /// # Panics
    /// When `from` and `to` are both `a1`, which no move of the rules does.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        Move(NonZeroU16::new(bits).expect("a move joins two different squares"))
    }

    /// The move for sixteen stored bits; `None` for zero and for the three unused kinds. The bits may come from a hash
    /// collision: check [`Position::is_legal`](crate::chess::Position::is_legal) before playing it.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        const UNUSED_KINDS: u16 = 1 << 3 | 1 << 6 | 1 << 7;
        match NonZeroU16::new(bits) {
            Some(nonzero) if UNUSED_KINDS >> (bits >> 12) & 1 == 0 => Some(Move(nonzero)),
            _ => None,
        }
    }

    /// The sixteen bits to store.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the man comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.bits() as usize)
    }

    /// Where the man goes; for castling the square of the own rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.bits() as usize >> 6)
    }

    /// What the move does.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        MoveKind::from_bits(self.bits() >> 12)
    }

    /// Whether an enemy man leaves the board, en passant included.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() >> 12 & MoveKind::CAPTURE_BIT as u16 != 0
    }

    /// Whether a pawn promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.bits() >> 12 & MoveKind::PROMOTION_BIT as u16 != 0
    }

    /// Whether the move is castling.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.bits() >> 12 == MoveKind::Castling as u16
    }

    /// Whether it captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }

    /// Whether it is a pawn's first step of two squares.
    #[inline(always)]
    pub const fn is_double_push(self) -> bool {
        self.bits() >> 12 == MoveKind::DoublePush as u16
    }

    /// What the pawn becomes, if the move promotes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        const PIECES: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        Some(PIECES[(self.bits() >> 12 & 3) as usize])
    }

    /// Whether the move is noisy: a capture or a promotion to a queen. All others are quiet, underpromotions without
    /// capture included.
    #[inline(always)]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() || self.bits() >> 12 == MoveKind::PromoteQueen as u16
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}
