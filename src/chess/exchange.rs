//! Static exchange evaluation: what a series of captures on one square wins or loses.
//!
//! The swap algorithm with a threshold (Chess Programming Wiki, "SEE - The Swap Algorithm"): both sides capture with
//! their least valuable man as long as it pays; lines opened by each capture bring further sliders in. Men pinned to
//! their king take part only while the pinner is gone from its line or the capture stays on it.

use super::attacks::{bishop_attacks, line, open_rook_attacks, rook_attacks};
use super::position::Position;
use super::types::{Bitboard, Color, Move, PieceKind, Square};

/// What exchanges count for each kind of man, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeValues(pub [i32; 6]);

impl ExchangeValues {
    /// Values that suit most positions.
    pub const USUAL: ExchangeValues = ExchangeValues([100, 320, 330, 500, 950, 0]);

    /// The value of one kind.
    #[inline(always)]
    pub const fn of(&self, kind: PieceKind) -> i32 {
        self.0[kind as usize]
    }
}

impl Position {
    /// Whether the legal move `mv` and the best exchange after it on its target win at least `threshold` centipawns.
    ///
    /// Castling wins nothing. The mover must take part, both sides may stop at any later point.
    pub fn exchange_wins(&self, mv: Move, threshold: i32, values: &ExchangeValues) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let mut balance = self.immediate_gain(mv, values) - threshold;
        if balance < 0 {
            return false;
        }
        let standing = mv.promotion().or_else(|| self.piece_on(mv.from()).map(|piece| piece.kind()));
        balance -= standing.map_or(0, |kind| values.of(kind));
        // Even losing the mover leaves enough.
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.board().occupied() ^ mv.from().bitboard() | mv.to().bitboard();
        if mv.is_en_passant() {
            occupied ^= mv.to().forward(!self.side_to_move()).bitboard();
        }
        self.swap_off(mv.to(), occupied, balance, values)
    }

    fn immediate_gain(&self, mv: Move, values: &ExchangeValues) -> i32 {
        let captured = if mv.is_en_passant() {
            values.of(PieceKind::Pawn)
        } else {
            self.piece_on(mv.to()).map_or(0, |piece| values.of(piece.kind()))
        };
        captured + mv.promotion().map_or(0, |kind| values.of(kind) - values.of(PieceKind::Pawn))
    }

    /// Plays out the captures on `target`, the opponent of the side to move first. `balance` is what the side to move
    /// has above its threshold if it loses the man on `target`, negative at the start. True if it stays at or above it.
    fn swap_off(&self, target: Square, mut occupied: Bitboard, mut balance: i32, values: &ExchangeValues) -> bool {
        let board = self.board();
        let straight = board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
        let diagonal = board.kind(PieceKind::Bishop) | board.kind(PieceKind::Queen);
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let blockers = [Color::White, Color::Black].map(|color| self.king_blockers(color));
        let mut side = !self.side_to_move();
        loop {
            let own = attackers & board.color(side);
            let free = self.free_of_pins(own, target, side, blockers[side.index()], occupied);
            let Some((kind, from)) = least_valuable(self, free) else {
                break;
            };
            if kind == PieceKind::King && (attackers & board.color(!side)).any() {
                // The king may not capture into an attack: the exchange ends here.
                break;
            }
            occupied ^= from.bitboard();
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= bishop_attacks(target, occupied) & diagonal;
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= rook_attacks(target, occupied) & straight;
            }
            attackers &= occupied;
            side = !side;
            // From the view of the side now on move, which loses the man just captured and may win the capturer.
            balance = -balance - 1 - values.of(kind);
            if balance >= 0 {
                // Even if the capturer is lost, the capture has paid. A king is never lost.
                break;
            }
        }
        side != self.side_to_move()
    }

    /// The attackers that a pin does not forbid to capture on `target`.
    fn free_of_pins(
        &self,
        attackers: Bitboard,
        target: Square,
        side: Color,
        blockers: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let king = self.king(side);
        let mut free = attackers;
        for pinned in attackers & blockers {
            let pin_line = line(king, pinned);
            let straight = open_rook_attacks(king).has(pinned);
            let board = self.board();
            let sliders = if straight { board.straight_sliders(!side) } else { board.diagonal_sliders(!side) };
            // A pinner that has itself been traded off pins no longer.
            let pinner_stands = (pin_line & sliders & occupied).any();
            if pinner_stands && !pin_line.has(target) {
                free ^= pinned.bitboard();
            }
        }
        free
    }
}

fn least_valuable(position: &Position, attackers: Bitboard) -> Option<(PieceKind, Square)> {
    PieceKind::ALL
        .into_iter()
        .find_map(|kind| (attackers & position.board().kind(kind)).first().map(|square| (kind, square)))
}
