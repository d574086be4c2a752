//! A position of the game: men, side to move, rights and clocks, with checkers and pins worked out.
//!
//! A [`Position`] is `Copy` and always valid: it is made by checking a [`Setup`] or by playing a legal move from
//! another one. Undo is keeping the copy. What depends on earlier positions lives in [`Game`](crate::chess::Game).

mod board;
mod draws;
mod legality;
mod make;
mod observer;
mod setup;

pub use board::{Board, PartKeys};
pub use observer::Observer;
pub use setup::{Setup, SetupError};

use super::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, open_bishop_attacks, open_rook_attacks, pawn_attacks,
    rook_attacks,
};
use super::types::{Bitboard, CastlingRights, Color, File, Move, Piece, PieceKind, Rank, Square};

/// A valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    checkers: Bitboard,
    pinned: Bitboard,
    key: u64,
    castling_key: u64,
    castling: CastlingRights,
    halfmove_clock: u16,
    fullmove_number: u16,
    side_to_move: Color,
    en_passant: Option<File>,
}

impl Position {
    /// The initial array of standard chess.
    pub fn initial() -> Position {
        Setup::initial().validate().expect("the initial array is valid")
    }

    /// Where the men stand.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose move it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The castlings not yet lost.
    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square a pawn can legally capture en passant on. `None` when no such capture is legal, whatever was played.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant.map(|file| Square::new(file, Rank::R6.relative_to(self.side_to_move)))
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move about to be played, as in a score sheet: from 1, the same for both sides.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key: equal for positions that are the same by the repetition rule.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The enemy men that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The men of the side to move that shield their king from a slider and may only move on that line.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The man on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board.piece_on(square)
    }

    /// Where the king of `color` stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// Whether `color` has anything besides king and pawns.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        let others = self.board.kind(PieceKind::Pawn) | self.board.kind(PieceKind::King);
        (self.board.color(color) - others).any()
    }

    /// Whether `by` attacks the square when these squares are occupied.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let board = &self.board;
        let leapers = knight_attacks(square) & board.kind(PieceKind::Knight)
            | king_attacks(square) & board.kind(PieceKind::King)
            | pawn_attacks(!by, square) & board.kind(PieceKind::Pawn);
        (leapers & board.color(by)).any() || self.is_attacked_by_slider(square, by, occupied)
    }

    /// Whether a slider of `by` attacks the square when these squares are occupied. Sliders that do not stand on an
    /// occupied square count as gone.
    #[inline(always)]
    pub(super) fn is_attacked_by_slider(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let straight = self.board.straight_sliders(by) & occupied;
        let diagonal = self.board.diagonal_sliders(by) & occupied;
        // Most squares see no slider even on an empty board: ask that first, it is one small table.
        (open_rook_attacks(square) & straight).any() && (rook_attacks(square, occupied) & straight).any()
            || (open_bishop_attacks(square) & diagonal).any() && (bishop_attacks(square, occupied) & diagonal).any()
    }

    /// Whether the man that moves attacks the enemy king from its target. Checks by other men, which the move may uncover,
    /// and by a castling rook are not looked for.
    #[inline]
    pub fn gives_direct_check(&self, mv: Move) -> bool {
        let Some(piece) = self.piece_on(mv.from()) else { return false };
        let (to, king) = (mv.to(), self.king(!self.side_to_move).bitboard());
        let occupied = self.board.occupied() ^ mv.from().bitboard() | to.bitboard();
        let attacked = match mv.promotion().unwrap_or(piece.kind()) {
            PieceKind::Pawn => pawn_attacks(self.side_to_move, to),
            PieceKind::Knight => knight_attacks(to),
            PieceKind::Bishop => bishop_attacks(to, occupied),
            PieceKind::Rook => rook_attacks(to, occupied),
            PieceKind::Queen => bishop_attacks(to, occupied) | rook_attacks(to, occupied),
            PieceKind::King => return false,
        };
        (attacked & king).any()
    }

    /// All men of both sides that attack the square when these squares are occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = &self.board;
        let straight = board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
        let diagonal = board.kind(PieceKind::Bishop) | board.kind(PieceKind::Queen);
        let pawns = pawn_attacks(Color::White, square) & board.color(Color::Black)
            | pawn_attacks(Color::Black, square) & board.color(Color::White);
        pawns & board.kind(PieceKind::Pawn)
            | knight_attacks(square) & board.kind(PieceKind::Knight)
            | king_attacks(square) & board.kind(PieceKind::King)
            | rook_attacks(square, occupied) & straight
            | bishop_attacks(square, occupied) & diagonal
    }

    /// All squares the men of `color` attack, the enemy king being transparent to sliders.
    #[inline(always)]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let board = &self.board;
        let occupied = board.occupied() ^ self.king(!color).bitboard();
        let ahead = board.pieces(color, PieceKind::Pawn).forward(color);
        let mut attacked = ahead.left() | ahead.right() | king_attacks(self.king(color));
        for square in board.pieces(color, PieceKind::Knight) {
            attacked |= knight_attacks(square);
        }
        for square in board.straight_sliders(color) {
            attacked |= rook_attacks(square, occupied);
        }
        for square in board.diagonal_sliders(color) {
            attacked |= bishop_attacks(square, occupied);
        }
        attacked
    }

    /// The squares that pawns of `color` attack; that pawns, knights and bishops attack; that all these and rooks attack.
    pub fn attacked_by_lesser(&self, color: Color) -> [Bitboard; 3] {
        let board = &self.board;
        let occupied = board.occupied();
        let ahead = board.pieces(color, PieceKind::Pawn).forward(color);
        let by_pawns = ahead.left() | ahead.right();
        let mut by_minors = by_pawns;
        for square in board.pieces(color, PieceKind::Knight) {
            by_minors |= knight_attacks(square);
        }
        for square in board.pieces(color, PieceKind::Bishop) {
            by_minors |= bishop_attacks(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in board.pieces(color, PieceKind::Rook) {
            by_rooks |= rook_attacks(square, occupied);
        }
        [by_pawns, by_minors, by_rooks]
    }

    /// Men of either colour that alone stand between the king of `color` and an enemy slider.
    pub fn king_blockers(&self, color: Color) -> Bitboard {
        self.scan_king(color).1
    }

    /// Works out checkers and pins for the side to move.
    #[inline(always)]
    fn refresh_checks(&mut self) {
        let us = self.side_to_move;
        let (checkers, blockers) = self.scan_king(us);
        self.checkers = checkers;
        self.pinned = blockers & self.board.color(us);
    }

    /// The enemy men that attack the king of `color`, and the lone blockers between it and enemy sliders.
    #[inline(always)]
    fn scan_king(&self, color: Color) -> (Bitboard, Bitboard) {
        let board = &self.board;
        let king = board.king(color);
        let occupied = board.occupied();
        let leapers = knight_attacks(king) & board.kind(PieceKind::Knight)
            | pawn_attacks(color, king) & board.kind(PieceKind::Pawn);
        let mut checkers = leapers & board.color(!color);
        let mut blockers = Bitboard::EMPTY;
        let snipers = open_rook_attacks(king) & board.straight_sliders(!color)
            | open_bishop_attacks(king) & board.diagonal_sliders(!color);
        for sniper in snipers {
            let between = between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= sniper.bitboard();
            } else if !between.several() {
                blockers |= between;
            }
        }
        (checkers, blockers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn lesser_men_attack_what_any_of_them_attacks() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        ];
        let lesser: [&[PieceKind]; 3] = [
            &[PieceKind::Pawn],
            &[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop],
            &[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook],
        ];
        for fen in fens {
            let position = parse_fen(fen).unwrap();
            for color in [Color::White, Color::Black] {
                for (attacked, kinds) in position.attacked_by_lesser(color).into_iter().zip(lesser) {
                    let attackers =
                        kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | position.board.pieces(color, kind));
                    for square in Square::all() {
                        let found = position.attackers_to(square, position.board.occupied()) & attackers;
                        assert_eq!(attacked.has(square), !found.is_empty(), "{fen} {color:?} {square}");
                    }
                }
            }
        }
    }

    #[test]
    fn direct_checks_are_those_of_the_man_that_moves() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/2P5/8/8/1B6/3R4/8/4K3 w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        for fen in fens {
            let position = parse_fen(fen).unwrap();
            for mv in position.legal_moves() {
                let after = position.after(mv);
                let direct = !mv.is_castling() && after.checkers().has(mv.to());
                assert_eq!(position.gives_direct_check(mv), direct, "{fen} {mv:?}");
            }
        }
    }
}
