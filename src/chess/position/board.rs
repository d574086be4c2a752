//! Men on squares. The only writer of bitboards, mailbox and piece keys, so that the three cannot disagree.

use crate::chess::types::{Bitboard, ByColor, Color, Piece, PieceKind, Square};
use crate::chess::zobrist;

/// Hash keys of parts of a position, for the tables of the search that learn about those parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartKeys {
    /// Both sides' pawns.
    pub pawns: u64,
    /// Both sides' knights, bishops and kings.
    pub minors: u64,
    /// Each side's men other than pawns, king included.
    pub non_pawns: ByColor<u64>,
}

/// Where the men stand, as sets by colour and kind and as a list by square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    colors: ByColor<Bitboard>,
    kinds: [Bitboard; 6],
    mailbox: [Option<Piece>; Square::COUNT],
    /// Key of all men.
    key: u64,
    parts: PartKeys,
}

impl Board {
    /// A board without men.
    pub fn empty() -> Board {
        Board {
            colors: ByColor::default(),
            kinds: [Bitboard::EMPTY; 6],
            mailbox: [None; Square::COUNT],
            key: 0,
            parts: PartKeys::default(),
        }
    }

    /// The same men with all keys 0.
    #[inline(always)]
    pub(super) fn without_keys(&self) -> Board {
        Board { key: 0, parts: PartKeys::default(), ..*self }
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.put_keyless(piece, square);
        self.toggle_keys(piece, square);
    }

    /// Takes the man off a square; it must stand there.
    #[inline(always)]
    pub fn take(&mut self, piece: Piece, square: Square) {
        self.take_keyless(piece, square);
        self.toggle_keys(piece, square);
    }

    /// As [`Board::put`], but the keys no longer fit the board.
    #[inline(always)]
    pub(super) fn put_keyless(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.mailbox[square.index()].is_none());
        self.mailbox[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// As [`Board::take`], but the keys no longer fit the board.
    #[inline(always)]
    pub(super) fn take_keyless(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.mailbox[square.index()], Some(piece));
        self.mailbox[square.index()] = None;
        self.toggle(piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.colors[piece.color()] ^= square.bitboard();
        self.kinds[piece.kind().index()] ^= square.bitboard();
    }

    #[inline(always)]
    fn toggle_keys(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.key ^= number;
        if piece.kind() == PieceKind::Pawn {
            self.parts.pawns ^= number;
            return;
        }
        self.parts.non_pawns[piece.color()] ^= number;
        if matches!(piece.kind(), PieceKind::Knight | PieceKind::Bishop | PieceKind::King) {
            self.parts.minors ^= number;
        }
    }

    /// The man on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// All squares with a man of this colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All squares with a man of this kind, of either colour.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// All squares with a man of this colour and kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color] & self.kinds[kind.index()]
    }

    /// All squares with rooks and queens of this colour.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen))
    }

    /// All squares with bishops and queens of this colour.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen))
    }

    /// All squares with a man.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// Where the king of this colour stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).lowest()
    }

    /// The Zobrist key of the men alone.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Keys of parts of the position.
    #[inline(always)]
    pub fn part_keys(&self) -> &PartKeys {
        &self.parts
    }

    /// The same board built man by man, for checks of the incremental one.
    pub fn rebuilt(&self) -> Board {
        let mut board = Board::empty();
        for square in Square::all() {
            if let Some(piece) = self.mailbox[square.index()] {
                board.put(piece, square);
            }
        }
        board
    }
}
