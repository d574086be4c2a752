//! Is this one move legal? For moves that come from outside: from a table, a client or a book.

use super::Position;
use crate::chess::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, queen_attacks, rook_attacks,
};
use crate::chess::types::{Bitboard, CastlingSide, Color, Move, MoveKind, PieceKind, Rank, Square};

impl Position {
    /// Whether the move can be played here. Any sixteen bits may be asked about.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let Some(piece) = self.board.piece_on(mv.from()) else {
            return false;
        };
        if piece.color() != us {
            return false;
        }
        match (piece.kind(), mv.kind()) {
            (PieceKind::King, MoveKind::Castling) => self.is_legal_castling(mv),
            (_, MoveKind::Castling) => false,
            (PieceKind::King, _) => self.is_plain_move(mv, PieceKind::King) && self.is_safe_for_king(mv.to()),
            (PieceKind::Pawn, MoveKind::EnPassant) => self.is_legal_en_passant(mv),
            (PieceKind::Pawn, _) => self.is_pawn_move(mv) && self.keeps_king_safe(mv),
            (kind, _) => self.is_plain_move(mv, kind) && self.keeps_king_safe(mv),
        }
    }

    /// Whether a piece (not a pawn) of this kind can go from `from` to `to`, leaving checks aside.
    fn is_plain_move(&self, mv: Move, kind: PieceKind) -> bool {
        let occupied = self.board.occupied();
        let reached = match kind {
            PieceKind::Knight => knight_attacks(mv.from()),
            PieceKind::Bishop => bishop_attacks(mv.from(), occupied),
            PieceKind::Rook => rook_attacks(mv.from(), occupied),
            PieceKind::Queen => queen_attacks(mv.from(), occupied),
            PieceKind::King => king_attacks(mv.from()),
            PieceKind::Pawn => Bitboard::EMPTY,
        };
        let kind_fits = match mv.kind() {
            MoveKind::Quiet => !occupied.has(mv.to()),
            MoveKind::Capture => self.board.color(!self.side_to_move).has(mv.to()),
            _ => false,
        };
        kind_fits && reached.has(mv.to())
    }

    /// Whether a pawn move other than en passant fits the board, leaving checks aside.
    fn is_pawn_move(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let last_rank = mv.to().rank().relative_to(us) == Rank::R8;
        if mv.is_promotion() != last_rank {
            return false;
        }
        if mv.is_capture() {
            return pawn_attacks(us, mv.from()).has(mv.to()) && self.board.color(!us).has(mv.to());
        }
        let occupied = self.board.occupied();
        let step = mv.from().forward(us);
        if mv.kind() == MoveKind::DoublePush {
            let double = step.forward(us);
            let starts_at_home = mv.from().rank().relative_to(us) == Rank::R2;
            return starts_at_home && mv.to() == double && !occupied.has(step) && !occupied.has(double);
        }
        mv.to() == step && !occupied.has(step)
    }

    /// Whether a move of a man other than the king respects pins and answers a check.
    fn keeps_king_safe(&self, mv: Move) -> bool {
        let king = self.king(self.side_to_move);
        let on_pin_line = !self.pinned.has(mv.from()) || line(king, mv.from()).has(mv.to());
        on_pin_line && self.evasion_targets().has(mv.to())
    }

    /// Where a man other than the king must go to answer the checks: anywhere without check, nowhere in double check.
    #[inline(always)]
    pub(in crate::chess) fn evasion_targets(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers.several() => Bitboard::EMPTY,
            Some(checker) => between(self.king(self.side_to_move), checker) | checker.bitboard(),
        }
    }

    /// Whether the king of the side to move may step onto the square.
    #[inline(always)]
    pub(in crate::chess) fn is_safe_for_king(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let occupied = self.board.occupied() ^ self.king(us).bitboard();
        !self.is_attacked(square, !us, occupied)
    }

    fn is_legal_en_passant(&self, mv: Move) -> bool {
        self.en_passant() == Some(mv.to())
            && pawn_attacks(self.side_to_move, mv.from()).has(mv.to())
            && self.is_en_passant_safe(mv.from(), mv.to())
    }

    /// Whether the own king is safe after a pawn on `from` has captured en passant on `target`. Looks at the board as
    /// it will be: both pawns may open a line at once, and the captured pawn may have been the checker.
    pub(in crate::chess) fn is_en_passant_safe(&self, from: Square, target: Square) -> bool {
        let us = self.side_to_move;
        let captured = target.forward(!us);
        let king = self.king(us);
        let occupied = self.board.occupied() ^ from.bitboard() ^ captured.bitboard() ^ target.bitboard();
        let leapers = knight_attacks(king) & self.board.pieces(!us, PieceKind::Knight)
            | pawn_attacks(us, king) & self.board.pieces(!us, PieceKind::Pawn);
        (leapers & occupied).is_empty() && !self.is_attacked_by_slider(king, !us, occupied)
    }

    fn is_legal_castling(&self, mv: Move) -> bool {
        let side = CastlingSide::towards(mv.from(), mv.to());
        let attacked = self.attacked_by(!self.side_to_move);
        self.open_castling_rook(side) == Some(mv.to()) && self.castling_move(mv.to(), attacked) == Some(mv)
    }

    /// The rook to castle with on this side, if the right stands and no man stands between it and the king. Most often
    /// this is what bars castling, and it is cheap to ask.
    #[inline(always)]
    pub(in crate::chess) fn open_castling_rook(&self, side: CastlingSide) -> Option<Square> {
        let us = self.side_to_move;
        let rook = self.castling.rook_square(us, side)?;
        (between(self.king(us), rook) & self.board.occupied()).is_empty().then_some(rook)
    }

    /// The castling move with this rook of [`Position::open_castling_rook`], if it is legal now. `attacked` is what the
    /// opponent attacks by [`Position::attacked_by`].
    #[inline]
    pub(in crate::chess) fn castling_move(&self, rook: Square, attacked: Bitboard) -> Option<Move> {
        let us = self.side_to_move;
        let king = self.king(us);
        let side = CastlingSide::towards(king, rook);
        let legal = !self.in_check()
            && self.is_castling_path_free(us, side, king, rook)
            && self.is_castling_path_safe(us, side, king, rook, attacked);
        legal.then(|| Move::new(king, rook, MoveKind::Castling))
    }

    fn is_castling_path_free(&self, us: Color, side: CastlingSide, king: Square, rook: Square) -> bool {
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let path = between(king, king_target) | between(rook, rook_target);
        let needed = path | king_target.bitboard() | rook_target.bitboard();
        (needed & (self.board.occupied() - king.bitboard() - rook.bitboard())).is_empty()
    }

    fn is_castling_path_safe(
        &self,
        us: Color,
        side: CastlingSide,
        king: Square,
        rook: Square,
        attacked: Bitboard,
    ) -> bool {
        let target = side.king_target(us);
        if ((between(king, target) | target.bitboard()) & attacked).any() {
            return false;
        }
        // In Chess960 the rook may have shielded the king's target from a slider on the rank.
        let home_rank = Bitboard::rank(Rank::R1.relative_to(us));
        if (self.board.straight_sliders(!us) & home_rank).is_empty() {
            return true;
        }
        let after = (self.board.occupied() - king.bitboard() - rook.bitboard()) | side.rook_target(us).bitboard();
        !self.is_attacked_by_slider(target, !us, after)
    }
}
