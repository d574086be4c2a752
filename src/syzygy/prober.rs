//! The probing code of `pyrrhic-rs`, behind a guard: what it cannot answer is no answer, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyrrhic_rs::{DtzProbeResult, DtzProbeValue, DtzResult, EngineAdapter, TableBases, WdlProbeResult};

use super::Wdl;
use super::files::TablebaseError;
use crate::chess::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks};
use crate::chess::{Bitboard, Color, Move, PieceKind, Position, Square};

/// The open tables. There can be one in a process.
pub(super) struct Prober {
    tables: TableBases<Attacks>,
    /// Distances are asked for one at a time, as the probing code wants it.
    one_at_a_time: Mutex<()>,
    /// The probing code has panicked: what it would answer from now on is uncertain, so it is asked no more.
    broken: AtomicBool,
}

/// Distances to the next capture or pawn move, in plies: positive for a win, negative for a loss, beyond 100 where the
/// fifty-move rule makes it a draw.
pub(super) struct Distances {
    /// That of the position. 0 is a draw, and -1 also mate on the board.
    pub(super) position: i32,
    /// Those of its moves, the move itself counted.
    pub(super) moves: Vec<(Move, i32)>,
}

impl Prober {
    pub(super) fn open(folders: &str) -> Result<Prober, TablebaseError> {
        let opened = catch_unwind(|| TableBases::new(folders));
        let tables = opened.ok().and_then(Result::ok).ok_or(TablebaseError::InUse)?;
        Ok(Prober { tables, one_at_a_time: Mutex::new(()), broken: AtomicBool::new(false) })
    }

    /// Runs a probe; a panic within it is no answer, and the last one there was.
    fn guarded<T>(&self, probe: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        catch_unwind(AssertUnwindSafe(probe)).unwrap_or_else(|_| {
            self.broken.store(true, Ordering::Relaxed);
            None
        })
    }

    /// The result with the fifty-move counter at 0. Any number of threads may ask at once.
    pub(super) fn wdl(&self, position: &Position) -> Option<Wdl> {
        let men = Men::of(position);
        let probe = || {
            let Men { white, black, kinds: [pawns, knights, bishops, rooks, queens, kings] } = men;
            self.tables
                .probe_wdl(
                    white,
                    black,
                    kings,
                    queens,
                    rooks,
                    bishops,
                    knights,
                    pawns,
                    en_passant(position),
                    white_moves(position),
                )
                .ok()
        };
        self.guarded(probe).map(|result| match result {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        })
    }

    /// The distances of a position and its moves.
    pub(super) fn distances(&self, position: &Position) -> Option<Distances> {
        let men = Men::of(position);
        let probe = || {
            let Men { white, black, kinds: [pawns, knights, bishops, rooks, queens, kings] } = men;
            let (en_passant, turn) = (en_passant(position), white_moves(position));
            let _turn = self.one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
            // The counter is our business: the probing code would count a ply more where it stands at its limit.
            self.tables
                .probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, 0, en_passant, turn)
                .ok()
        };
        self.guarded(probe).and_then(|probed| distances(position, &probed))
    }
}

fn distances(position: &Position, probed: &DtzProbeResult) -> Option<Distances> {
    let of_position = match probed.root {
        DtzProbeValue::Stalemate => 0,
        DtzProbeValue::Checkmate => -1,
        DtzProbeValue::Failed => return None,
        DtzProbeValue::DtzResult(result) => distance(&result),
    };
    let distance_of = |mv: Move| {
        probed.moves.iter().take(probed.num_moves).find_map(|value| match value {
            DtzProbeValue::DtzResult(result) if is_move(result, mv) => Some((mv, distance(result))),
            _ => None,
        })
    };
    let moves = position.legal_moves().iter().map(|&mv| distance_of(mv)).collect::<Option<Vec<_>>>()?;
    Some(Distances { position: of_position, moves })
}

fn distance(result: &DtzResult) -> i32 {
    let plies = i32::from(result.dtz);
    match result.wdl {
        WdlProbeResult::Win | WdlProbeResult::CursedWin => plies,
        WdlProbeResult::Draw => 0,
        WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => -plies,
    }
}

fn is_move(result: &DtzResult, mv: Move) -> bool {
    let promotion = match result.promotion {
        pyrrhic_rs::Piece::Queen => Some(PieceKind::Queen),
        pyrrhic_rs::Piece::Rook => Some(PieceKind::Rook),
        pyrrhic_rs::Piece::Bishop => Some(PieceKind::Bishop),
        pyrrhic_rs::Piece::Knight => Some(PieceKind::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    };
    usize::from(result.from_square) == mv.from().index()
        && usize::from(result.to_square) == mv.to().index()
        && promotion == mv.promotion()
}

/// The men as the probing code wants them; kinds from the pawn up.
#[derive(Clone, Copy)]
struct Men {
    white: u64,
    black: u64,
    kinds: [u64; 6],
}

impl Men {
    fn of(position: &Position) -> Men {
        let board = position.board();
        Men {
            white: board.color(Color::White).0,
            black: board.color(Color::Black).0,
            kinds: PieceKind::ALL.map(|kind| board.kind(kind).0),
        }
    }
}

/// The square behind a pawn that can be captured in passing; 0 for none.
fn en_passant(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square as u32)
}

fn white_moves(position: &Position) -> bool {
    position.side_to_move() == Color::White
}

/// Attacks as the probing code asks for them.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::from_index(index as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, index: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, square(index)).0
    }

    fn knight_attacks(index: u64) -> u64 {
        knight_attacks(square(index)).0
    }

    fn bishop_attacks(index: u64, occupied: u64) -> u64 {
        bishop_attacks(square(index), Bitboard(occupied)).0
    }

    fn rook_attacks(index: u64, occupied: u64) -> u64 {
        rook_attacks(square(index), Bitboard(occupied)).0
    }

    fn queen_attacks(index: u64, occupied: u64) -> u64 {
        queen_attacks(square(index), Bitboard(occupied)).0
    }

    fn king_attacks(index: u64) -> u64 {
        king_attacks(square(index)).0
    }
}
