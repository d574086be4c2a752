//! Playing a move on a position. There is no unmake: keep the copy.

use super::observer::Keyless;
use super::{Observer, Position};
use crate::chess::attacks::pawn_attacks;
use crate::chess::types::{CastlingSide, Color, Move, Piece, PieceKind, Rank, Square};
use crate::chess::zobrist;

impl Position {
    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_observed(mv, &mut ());
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// Plays a legal move and tells the observer of every man that changes its place.
    #[inline]
    pub fn make_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv:?} is illegal in {self:?}");
        let us = self.side_to_move;
        let piece = self.board.piece_on(mv.from()).expect("a legal move moves a man");
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if mv.is_castling() {
            self.castle(us, mv, observer);
        } else {
            self.capture(us, mv, observer);
            self.take(piece, mv.from(), observer);
            let arriving = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
            self.put(arriving, mv.to(), observer);
            if piece.kind() == PieceKind::Pawn {
                self.halfmove_clock = 0;
            }
        }
        if self.castling.any(us) {
            self.update_own_rights(us, piece, mv.from());
        }
        self.pass_turn();
        if mv.is_double_push() {
            self.offer_en_passant(mv.to());
        }
        if O::NEEDS_KEYS {
            self.refresh_key();
            #[cfg(debug_assertions)]
            self.assert_consistent();
        }
    }

    /// A copy whose keys are meaningless, for counting moves. Field by field, so that the compiler moves the parts in
    /// line instead of calling `memcpy`.
    #[inline(always)]
    pub(in crate::chess) fn without_keys(&self) -> Position {
        Position { board: self.board.without_keys(), key: 0, castling_key: 0, ..*self }
    }

    /// Plays a legal move on a copy made by [`Position::without_keys`].
    #[inline(always)]
    pub(in crate::chess) fn make_keyless(&mut self, mv: Move) {
        self.make_observed(mv, &mut Keyless);
    }

    /// Passes the move without moving, as null-move pruning does. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.pass_turn();
        self.refresh_key();
    }

    #[inline(always)]
    fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        if O::NEEDS_KEYS {
            self.board.put(piece, square);
        } else {
            self.board.put_keyless(piece, square);
        }
        observer.added(piece, square);
    }

    #[inline(always)]
    fn take<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        if O::NEEDS_KEYS {
            self.board.take(piece, square);
        } else {
            self.board.take_keyless(piece, square);
        }
        observer.removed(piece, square);
    }

    fn castle<O: Observer>(&mut self, us: Color, mv: Move, observer: &mut O) {
        let side = CastlingSide::towards(mv.from(), mv.to());
        let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        // Both leave before either arrives: in Chess960 one may arrive where the other stood.
        self.take(king, mv.from(), observer);
        self.take(rook, mv.to(), observer);
        self.put(king, side.king_target(us), observer);
        self.put(rook, side.rook_target(us), observer);
    }

    #[inline(always)]
    fn capture<O: Observer>(&mut self, us: Color, mv: Move, observer: &mut O) {
        if !mv.is_capture() {
            return;
        }
        let square = if mv.is_en_passant() { mv.to().forward(!us) } else { mv.to() };
        if let Some(victim) = self.board.piece_on(square) {
            self.take(victim, square, observer);
            if victim.kind() == PieceKind::Rook && self.castling.any(!us) {
                self.castling.remove_rook(!us, square);
                self.castling_key = zobrist::castling(self.castling);
            }
        }
        self.halfmove_clock = 0;
    }

    #[inline]
    fn update_own_rights(&mut self, us: Color, piece: Piece, from: Square) {
        match piece.kind() {
            PieceKind::King => self.castling.remove_both(us),
            PieceKind::Rook => self.castling.remove_rook(us, from),
            _ => return,
        }
        self.castling_key = zobrist::castling(self.castling);
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.side_to_move = !self.side_to_move;
        self.en_passant = None;
        self.refresh_checks();
    }

    /// Records the en passant square behind a pawn that has just made a double step, if a capture there is legal.
    #[inline]
    fn offer_en_passant(&mut self, pushed: Square) {
        let us = self.side_to_move;
        let target = pushed.forward(us);
        let capturers = pawn_attacks(!us, target) & self.board.pieces(us, PieceKind::Pawn);
        if capturers.into_iter().any(|from| self.is_en_passant_safe(from, target)) {
            self.en_passant = Some(pushed.file());
        }
    }

    #[inline(always)]
    pub(super) fn refresh_key(&mut self) {
        let side = if self.side_to_move == Color::Black { zobrist::black_to_move() } else { 0 };
        self.key = self.board.key() ^ self.castling_key ^ side ^ zobrist::en_passant(self.en_passant);
    }

    /// Panics unless everything kept up to date move by move equals what is computed from scratch.
    pub fn assert_consistent(&self) {
        assert_eq!(self.board, self.board.rebuilt());
        let mut fresh = *self;
        fresh.castling_key = zobrist::castling(fresh.castling);
        fresh.refresh_checks();
        fresh.refresh_key();
        assert_eq!(*self, fresh);
        for color in Color::ALL {
            assert_eq!(self.board.pieces(color, PieceKind::King).len(), 1);
        }
        let us = self.side_to_move;
        let pawns = self.board.kind(PieceKind::Pawn);
        assert!(!pawns.into_iter().any(|pawn| matches!(pawn.rank(), Rank::R1 | Rank::R8)));
        assert!(!self.is_attacked(self.king(!us), us, self.board.occupied()), "a king can be captured");
    }
}
