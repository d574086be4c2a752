//! A position as somebody describes it, and the check that makes it one of the game.

use std::fmt;

use super::{Board, Position};
use crate::chess::attacks::pawn_attacks;
use crate::chess::types::{Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};
use crate::chess::zobrist;

/// A description of a position that may still be impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where the men stand.
    pub board: Board,
    /// Whose move it is.
    pub side_to_move: Color,
    /// Castling rights as claimed; those without king and rook in place are dropped.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just made a double step, as claimed; dropped if no capture there is legal.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Number of the move to be played; 0 reads as 1.
    pub fullmove_number: u16,
}

/// Why a [`Setup`] is no position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A side has no king, or more than one.
    KingCount(Color, u32),
    /// A side has more than sixteen men.
    TooManyMen(Color, u32),
    /// A pawn stands on the first or last rank.
    PawnOnBackRank(Square),
    /// The side that is not to move is in check: its king could be captured.
    OpponentInCheck,
    /// More than two men give check.
    TooManyCheckers(u32),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::KingCount(color, count) => write!(f, "{color:?} has {count} kings, not one"),
            SetupError::TooManyMen(color, count) => write!(f, "{color:?} has {count} men, more than 16"),
            SetupError::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            SetupError::OpponentInCheck => write!(f, "the side not to move is in check"),
            SetupError::TooManyCheckers(count) => write!(f, "{count} men give check, more than two"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// The initial array of standard chess.
    pub fn initial() -> Setup {
        use PieceKind::*;
        Setup::with_back_ranks([[Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]; 2])
    }

    /// A start position: the men of each side's home rank from `a` to `h` (White's first), pawns before them, and all
    /// castling rights with the rooks that stand outermost on each side of their king.
    pub fn with_back_ranks(ranks: [[PieceKind; 8]; 2]) -> Setup {
        let mut setup = Setup {
            board: Board::empty(),
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        for color in Color::ALL {
            for file in File::ALL {
                let kind = ranks[color.index()][file.index()];
                setup.board.put(Piece::new(color, kind), Square::new(file, Rank::R1.relative_to(color)));
                let pawn = Square::new(file, Rank::R2.relative_to(color));
                setup.board.put(Piece::new(color, PieceKind::Pawn), pawn);
            }
            for side in CastlingSide::ALL {
                if let Some(file) = setup.outermost_rook(color, side) {
                    setup.castling.grant(color, side, file);
                }
            }
        }
        setup
    }

    /// The file of the rook of `color` that stands outermost on this side of its king, king and rook on the home rank.
    pub fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<File> {
        let home = Bitboard::rank(Rank::R1.relative_to(color));
        let king = (self.board.pieces(color, PieceKind::King) & home).first()?;
        let rooks = self.board.pieces(color, PieceKind::Rook) & home;
        let mut on_side = rooks.into_iter().filter(|&rook| CastlingSide::towards(king, rook) == side);
        let rook = match side {
            CastlingSide::King => on_side.last(),
            CastlingSide::Queen => on_side.next(),
        };
        rook.map(Square::file)
    }

    /// The position, with impossible castling rights and en passant squares dropped.
    ///
    /// # Errors
    /// When it cannot be played from: see [`SetupError`].
    pub fn validate(&self) -> Result<Position, SetupError> {
        self.check_men()?;
        let castling = self.real_castling_rights();
        let mut position = Position {
            board: self.board,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            key: 0,
            castling_key: zobrist::castling(castling),
            castling,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number.max(1),
            side_to_move: self.side_to_move,
            en_passant: None,
        };
        let us = self.side_to_move;
        if position.is_attacked(position.king(!us), us, self.board.occupied()) {
            return Err(SetupError::OpponentInCheck);
        }
        position.refresh_checks();
        if position.checkers.len() > 2 {
            return Err(SetupError::TooManyCheckers(position.checkers.len()));
        }
        position.en_passant = self.en_passant.filter(|&target| is_en_passant_real(&position, target)).map(Square::file);
        position.refresh_key();
        Ok(position)
    }

    fn check_men(&self) -> Result<(), SetupError> {
        for color in Color::ALL {
            let kings = self.board.pieces(color, PieceKind::King).len();
            if kings != 1 {
                return Err(SetupError::KingCount(color, kings));
            }
            let men = self.board.color(color).len();
            if men > 16 {
                return Err(SetupError::TooManyMen(color, men));
            }
        }
        let back_ranks = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        match (self.board.kind(PieceKind::Pawn) & back_ranks).first() {
            Some(square) => Err(SetupError::PawnOnBackRank(square)),
            None => Ok(()),
        }
    }

    fn real_castling_rights(&self) -> CastlingRights {
        let mut real = CastlingRights::NONE;
        for color in Color::ALL {
            let king = self.board.king(color);
            if king.rank() != Rank::R1.relative_to(color) {
                continue;
            }
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling.rook_square(color, side) else {
                    continue;
                };
                let rook_there = self.board.pieces(color, PieceKind::Rook).has(rook);
                if rook_there && CastlingSide::towards(king, rook) == side {
                    real.grant(color, side, rook.file());
                }
            }
        }
        real
    }
}

/// Whether the last move can have been a double step over `target` and a legal capture there exists.
fn is_en_passant_real(position: &Position, target: Square) -> bool {
    let us = position.side_to_move;
    if target.rank().relative_to(us) != Rank::R6 {
        return false;
    }
    let (pushed, origin) = (target.forward(!us), target.forward(us));
    let occupied = position.board.occupied();
    let pawn_stepped =
        position.board.pieces(!us, PieceKind::Pawn).has(pushed) && !occupied.has(target) && !occupied.has(origin);
    let capturers = pawn_attacks(!us, target) & position.board.pieces(us, PieceKind::Pawn);
    pawn_stepped && capturers.into_iter().any(|from| position.is_en_passant_safe(from, target))
}
