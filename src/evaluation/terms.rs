//! Mobility, pawns, king safety and other terms that need the whole board. Hand-set.

use super::{Pair, pair};
use crate::chess::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::chess::{Bitboard, Color, PieceKind, Position, Rank, Square};

/// The right to move, in centipawns.
pub(super) const TEMPO: i32 = 14;

const BISHOP_PAIR: Pair = pair(25, 50);
const DOUBLED_PAWN: Pair = pair(-8, -18);
const ISOLATED_PAWN: Pair = pair(-12, -12);
/// By rank from the own side.
const PASSED_PAWN: [Pair; 8] =
    [pair(0, 0), pair(2, 8), pair(2, 12), pair(8, 28), pair(25, 55), pair(55, 105), pair(90, 170), pair(0, 0)];
const ROOK_ON_OPEN_FILE: Pair = pair(25, 10);
const ROOK_ON_HALF_OPEN_FILE: Pair = pair(12, 8);
const SHIELD_PAWN: Pair = pair(9, 0);
/// For each attack on a square next to the king, by the attacker's kind.
const KING_ATTACK: [i32; 6] = [0, 9, 8, 11, 14, 0];
/// Per reachable square beyond the usual number, by kind.
const MOBILITY: [(Pair, i32); 6] =
    [(pair(0, 0), 0), (pair(4, 4), 4), (pair(5, 5), 6), (pair(3, 5), 7), (pair(2, 4), 13), (pair(0, 0), 0)];

/// All terms, White's view.
#[derive(Default)]
pub(super) struct Terms {
    mobility: Pair,
    pawns: Pair,
    rooks: Pair,
    bishops: Pair,
    king: Pair,
}

impl Terms {
    pub(super) fn of(position: &Position) -> Terms {
        let mut terms = Terms::default();
        for color in Color::ALL {
            let sign = if color == Color::White { 1 } else { -1 };
            Side::new(position, color).add_to(&mut terms, sign);
        }
        terms
    }

    pub(super) fn total(&self) -> Pair {
        let mut total = Pair::default();
        for (_, value) in self.named() {
            total.add(value, 1);
        }
        total
    }

    pub(super) fn named(&self) -> [(&'static str, Pair); 5] {
        [
            ("Mobility", self.mobility),
            ("Pawns", self.pawns),
            ("Rooks", self.rooks),
            ("Bishop pair", self.bishops),
            ("King safety", self.king),
        ]
    }
}

/// One side's men and what bears on them.
struct Side<'a> {
    position: &'a Position,
    color: Color,
    pawns: Bitboard,
    enemy_pawns: Bitboard,
    /// Squares next to the enemy king.
    enemy_king_ring: Bitboard,
    /// Squares that count for mobility: not held by own pawns or king, not attacked by enemy pawns.
    mobility_area: Bitboard,
}

impl<'a> Side<'a> {
    fn new(position: &'a Position, color: Color) -> Side<'a> {
        let board = position.board();
        let pawns = board.pieces(color, PieceKind::Pawn);
        let enemy_pawns = board.pieces(!color, PieceKind::Pawn);
        let guarded = enemy_pawns.forward(!color);
        let own_blockers = pawns | board.pieces(color, PieceKind::King);
        Side {
            position,
            color,
            pawns,
            enemy_pawns,
            enemy_king_ring: king_attacks(position.king(!color)),
            mobility_area: !(own_blockers | guarded.left() | guarded.right()),
        }
    }

    fn add_to(&self, terms: &mut Terms, sign: i32) {
        self.add_pieces(terms, sign);
        self.add_pawns(&mut terms.pawns, sign);
        self.add_rooks(&mut terms.rooks, sign);
        if self.position.board().pieces(self.color, PieceKind::Bishop).several() {
            terms.bishops.add(BISHOP_PAIR, sign);
        }
        let king = self.position.king(self.color).bitboard();
        let before = (king | king.left() | king.right()).forward(self.color);
        let shield = self.pawns & (before | before.forward(self.color));
        terms.king.add(SHIELD_PAWN, sign * shield.len() as i32);
    }

    fn add_pieces(&self, terms: &mut Terms, sign: i32) {
        let board = self.position.board();
        let mut danger = 0;
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for square in board.pieces(self.color, kind) {
                let attacks = piece_attacks(kind, square, board.occupied());
                let (step, usual) = MOBILITY[kind.index()];
                let reach = (attacks & self.mobility_area).len() as i32;
                terms.mobility.add(step, sign * (reach - usual));
                danger += KING_ATTACK[kind.index()] * (attacks & self.enemy_king_ring).len() as i32;
            }
        }
        // Attackers support each other: the danger grows faster than their number.
        let value = danger * danger / 100 + danger / 2;
        terms.king.add(pair(value, value / 8), sign);
    }

    fn add_pawns(&self, sum: &mut Pair, sign: i32) {
        for pawn in self.pawns {
            let file = Bitboard::file(pawn.file());
            let ahead = ranks_ahead(pawn, self.color);
            if ((file.left() | file.right()) & self.pawns).is_empty() {
                sum.add(ISOLATED_PAWN, sign);
            }
            if (file & ahead & self.pawns).any() {
                sum.add(DOUBLED_PAWN, sign);
            } else if ((file | file.left() | file.right()) & ahead & self.enemy_pawns).is_empty() {
                self.add_passed(pawn, sum, sign);
            }
        }
    }

    /// A passed pawn: more the further it is, less while its way is blocked, and late in the game by the kings' race.
    fn add_passed(&self, pawn: Square, sum: &mut Pair, sign: i32) {
        let rank = pawn.rank().relative_to(self.color);
        let bonus = PASSED_PAWN[rank.index()];
        let stop = pawn.forward(self.color);
        let blocked = self.position.board().occupied().has(stop);
        sum.add(if blocked { pair(bonus.middlegame / 2, bonus.endgame / 2) } else { bonus }, sign);
        if rank >= Rank::R4 {
            let enemy = self.position.king(!self.color).distance(stop) as i32;
            let own = self.position.king(self.color).distance(stop) as i32;
            sum.add(pair(0, (enemy * 2 - own) * (rank.index() as i32 - 2) * 2), sign);
        }
    }

    fn add_rooks(&self, sum: &mut Pair, sign: i32) {
        for rook in self.position.board().pieces(self.color, PieceKind::Rook) {
            let file = Bitboard::file(rook.file());
            if (file & self.pawns).is_empty() {
                let open = (file & self.enemy_pawns).is_empty();
                sum.add(if open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE }, sign);
            }
        }
    }
}

fn piece_attacks(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
        PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
    }
}

/// All squares on ranks further ahead than this one.
fn ranks_ahead(square: Square, color: Color) -> Bitboard {
    let rank = square.rank().index() as u32;
    match color {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard(!(u64::MAX << (8 * rank))),
    }
}

/// Brings an evaluation near to a draw where the better side lacks the material to win.
pub(super) fn scaled_by_winning_chances(position: &Position, white_view: i32) -> i32 {
    let board = position.board();
    let better = if white_view > 0 { Color::White } else { Color::Black };
    if board.pieces(better, PieceKind::Pawn).any() {
        return white_view;
    }
    let count = |color, kind| board.pieces(color, kind).len() as i32;
    let minors = |color| count(color, PieceKind::Knight) + count(color, PieceKind::Bishop);
    let majors = |color| count(color, PieceKind::Rook) + 2 * count(color, PieceKind::Queen);
    let only_knights = count(better, PieceKind::Bishop) == 0 && minors(better) <= 2;
    if majors(better) == 0 && (minors(better) <= 1 || only_knights) {
        return white_view / 64;
    }
    // In units of half a minor piece: a lead of a minor piece or less wins nothing without pawns.
    let lead = |color| 3 * majors(color) + 2 * minors(color);
    if lead(better) - lead(!better) <= 2 { white_view / 8 } else { white_view }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_ahead_of_both_colours() {
        let above = |rank: usize| Rank::ALL[rank..].iter().fold(Bitboard::EMPTY, |set, &r| set | Bitboard::rank(r));
        for square in Square::all() {
            let rank = square.rank().index();
            assert_eq!(ranks_ahead(square, Color::White), above(rank + 1));
            assert_eq!(ranks_ahead(square, Color::Black), !above(rank));
        }
    }
}
