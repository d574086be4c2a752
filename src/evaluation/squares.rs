//! What a man is worth on a square: material plus a bonus for its rank and one for its file. Hand-set.

use super::pieces::MATERIAL;
use super::{Pair, pair};
use crate::chess::{Color, Piece, PieceKind, Square};

/// Bonuses of one kind by rank (from the own side) and by distance of the file from the edge, in both phases.
struct Placement {
    middlegame_ranks: [i32; 8],
    middlegame_files: [i32; 4],
    endgame_ranks: [i32; 8],
    endgame_files: [i32; 4],
}

const PLACEMENT: [Placement; 6] = [
    // Pawns: the centre early, the far ranks late.
    Placement {
        middlegame_ranks: [0, -4, -3, 7, 15, 30, 60, 0],
        middlegame_files: [-12, -2, 2, 12],
        endgame_ranks: [0, -4, 0, 8, 22, 50, 95, 0],
        endgame_files: [3, 1, -2, -3],
    },
    // Knights: the centre, and forward.
    Placement {
        middlegame_ranks: [-30, -12, 2, 12, 20, 22, 5, -35],
        middlegame_files: [-25, -6, 8, 14],
        endgame_ranks: [-22, -10, 0, 10, 12, 6, -6, -24],
        endgame_files: [-20, -5, 6, 12],
    },
    // Bishops: off the back rank.
    Placement {
        middlegame_ranks: [-14, 4, 8, 8, 8, 6, -6, -14],
        middlegame_files: [-8, 4, 2, 4],
        endgame_ranks: [-8, -3, 2, 5, 5, 3, -2, -6],
        endgame_files: [-6, -1, 3, 4],
    },
    // Rooks: the seventh rank, central files.
    Placement {
        middlegame_ranks: [-4, -10, -10, -8, -2, 6, 18, 10],
        middlegame_files: [-6, -1, 4, 7],
        endgame_ranks: [-6, -6, -3, 2, 6, 8, 10, 8],
        endgame_files: [0, 1, 1, 0],
    },
    // Queens: not too early forward, central late.
    Placement {
        middlegame_ranks: [-2, 2, 2, 0, 0, 4, 4, 4],
        middlegame_files: [-4, 0, 2, 2],
        endgame_ranks: [-22, -12, 0, 10, 16, 14, 8, -2],
        endgame_files: [-14, -3, 6, 11],
    },
    // King: behind its pawns early, in the centre late.
    Placement {
        middlegame_ranks: [14, 4, -22, -40, -50, -55, -55, -60],
        middlegame_files: [14, 18, -8, -14],
        endgame_ranks: [-34, -12, 4, 16, 22, 20, 6, -18],
        endgame_files: [-20, -4, 7, 11],
    },
];

const fn build() -> [[Pair; Square::COUNT]; Piece::COUNT] {
    let mut table = [[pair(0, 0); Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = one(Piece::ALL[piece], Square::from_index(square));
            square += 1;
        }
        piece += 1;
    }
    table
}

const fn one(piece: Piece, square: Square) -> Pair {
    let kind = piece.kind() as usize;
    let placement = &PLACEMENT[kind];
    let rank = square.rank().relative_to(piece.color()).index();
    let file = square.file().index();
    let from_edge = if file < 4 { file } else { 7 - file };
    let middlegame = placement.middlegame_ranks[rank] + placement.middlegame_files[from_edge];
    let endgame = placement.endgame_ranks[rank] + placement.endgame_files[from_edge];
    let sign = match piece.color() {
        Color::White => 1,
        Color::Black => -1,
    };
    pair(sign * (MATERIAL[kind].middlegame + middlegame), sign * (MATERIAL[kind].endgame + endgame))
}

static VALUES: [[Pair; Square::COUNT]; Piece::COUNT] = build();

/// The value of a man on a square, White's view.
#[inline(always)]
pub(super) fn value(piece: Piece, square: Square) -> Pair {
    VALUES[piece.index()][square.index()]
}

const _: () = assert!(PLACEMENT.len() == PieceKind::ALL.len());
