//! What the search has learned about moves: which cut off elsewhere in the tree.
//!
//! One update rule for all tables: an entry moves towards the bonus and is pulled back in proportion to its size
//! ("gravity"), so that it stays within limits and forgets (Chess Programming Wiki, "History Heuristic").

mod continuation;
mod correction;

use crate::chess::{Bitboard, ByColor, Color, Move, Piece, PieceKind, Position, Square};

use super::params::Params;
use continuation::PieceTo;
pub(super) use continuation::{MovedTo, PAST_PLIES, PastMoves};
pub(super) use correction::{CorrectionKeys, Corrections};

/// Entries stay within plus and minus this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

#[inline(always)]
fn update(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    *entry += (bonus - *entry as i32 * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// How much a search result rewards a move that was right.
#[inline(always)]
pub(super) fn bonus(depth: i32, params: &Params) -> i32 {
    (params.history_bonus_slope * depth - params.history_bonus_offset).clamp(0, params.history_bonus_limit)
}

/// How much a search result takes from a move that was tried in vain.
#[inline(always)]
pub(super) fn malus(depth: i32, params: &Params) -> i32 {
    (params.history_malus_slope * depth - params.history_bonus_offset).clamp(0, params.history_malus_limit)
}

/// What, besides the move, an entry for a quiet move depends on.
#[derive(Clone, Copy)]
pub(super) struct QuietContext {
    color: Color,
    /// Squares the opponent attacks.
    threats: Bitboard,
    pawns: usize,
    /// The moves one, two, four and six plies ago.
    past: PastMoves,
    ply: usize,
}

/// Whether a move leaves, and whether it enters, a square the opponent attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Exposure(u8);

impl Exposure {
    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl QuietContext {
    pub(super) fn new(position: &Position, past: PastMoves) -> QuietContext {
        QuietContext {
            color: position.side_to_move(),
            threats: position.attacked_by(!position.side_to_move()),
            pawns: position.board().part_keys().pawns as usize % PAWN_STRUCTURES,
            past,
            ply: usize::MAX,
        }
    }

    /// The same for a node this far from the root.
    #[inline(always)]
    pub(super) fn at_ply(self, ply: usize) -> QuietContext {
        QuietContext { ply, ..self }
    }

    /// Whether the move leaves, and whether it enters, a square the opponent attacks.
    #[inline(always)]
    pub(super) fn exposure(&self, mv: Move) -> Exposure {
        Exposure(self.threats.has(mv.from()) as u8 * 2 + self.threats.has(mv.to()) as u8)
    }
}

/// Plies from the root that have an order of their own.
const LOW_PLIES: usize = 4;
const PAWN_STRUCTURES: usize = 512;

type FromTo = [[i16; Square::COUNT]; Square::COUNT];
type PieceToVictim = [[[i16; 6]; Square::COUNT]; Piece::COUNT];

/// The tables of one worker.
pub(super) struct Histories {
    /// By colour, exposure, and the squares of the move.
    quiets: Box<ByColor<[FromTo; 4]>>,
    captures: Box<PieceToVictim>,
    /// By the move before: how a reply did.
    continuations: Box<[PieceTo]>,
    pawns: Box<[PieceTo]>,
    /// By ply and squares, near the root only, and only for one search.
    low_plies: Box<[FromTo; LOW_PLIES]>,
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiets: Box::new(ByColor([[[[0; Square::COUNT]; Square::COUNT]; 4]; 2])),
            captures: Box::new([[[0; 6]; Square::COUNT]; Piece::COUNT]),
            continuations: vec![continuation::EMPTY; MovedTo::COUNT].into_boxed_slice(),
            pawns: vec![continuation::EMPTY; PAWN_STRUCTURES].into_boxed_slice(),
            low_plies: Box::new([[[0; Square::COUNT]; Square::COUNT]; LOW_PLIES]),
        }
    }

    /// A new search begins at another root: what was learned near the last one is forgotten.
    pub(super) fn begin_search(&mut self) {
        self.low_plies.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// What is known of a quiet move near the root beside its history, for ordering.
    #[inline(always)]
    pub(super) fn near_root(&self, context: &QuietContext, mv: Move) -> i32 {
        let table = self.low_plies.get(context.ply);
        table.map_or(0, |table| 8 * table[mv.from().index()][mv.to().index()] as i32 / (1 + context.ply as i32))
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.quiets.0.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuations.as_flattened_mut().fill(0);
        self.pawns.as_flattened_mut().fill(0);
    }

    /// The history of a quiet move of this piece, for ordering and pruning.
    #[inline(always)]
    pub(super) fn quiet(&self, context: &QuietContext, piece: Piece, mv: Move) -> i32 {
        let moved_to = MovedTo::new(piece, mv.to()).index();
        let own = self.quiets[context.color][context.exposure(mv).index()][mv.from().index()][mv.to().index()] as i32;
        let pawns = self.pawns[context.pawns][moved_to] as i32;
        let past =
            |index: usize| context.past[index].map_or(0, |before| self.continuations[before.index()][moved_to] as i32);
        own + pawns + past(0) + past(1) + past(2) / 2 + past(3) / 4
    }

    /// The history of a noisy move in this position.
    #[inline(always)]
    pub(super) fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let (piece, to, victim) = capture_index(position, mv);
        self.captures[piece][to][victim] as i32
    }

    /// Rewards (or, with a negative bonus, punishes) a noisy move tried in this position.
    pub(super) fn learn_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let (piece, to, victim) = capture_index(position, mv);
        update(&mut self.captures[piece][to][victim], bonus);
    }

    /// Rewards or punishes a quiet move of this piece.
    pub(super) fn learn_quiet(&mut self, context: &QuietContext, piece: Piece, mv: Move, bonus: i32) {
        let moved_to = MovedTo::new(piece, mv.to());
        self.learn_squares(context.color, context.exposure(mv), mv, bonus);
        update(&mut self.pawns[context.pawns][moved_to.index()], bonus);
        if let Some(table) = self.low_plies.get_mut(context.ply) {
            update(&mut table[mv.from().index()][mv.to().index()], bonus);
        }
        self.learn_reply(&context.past, moved_to, bonus);
    }

    /// Rewards or punishes a quiet move of this side by its squares alone.
    pub(super) fn learn_squares(&mut self, color: Color, exposure: Exposure, mv: Move, bonus: i32) {
        update(&mut self.quiets[color][exposure.index()][mv.from().index()][mv.to().index()], bonus);
    }

    /// Rewards or punishes a move only as a reply to those before it.
    pub(super) fn learn_reply(&mut self, past: &PastMoves, reply: MovedTo, bonus: i32) {
        for before in past.iter().flatten() {
            update(&mut self.continuations[before.index()][reply.index()], bonus);
        }
    }
}

/// Mover, target and victim of a noisy move. Promotions without capture share the row of pawns as victims.
#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> (usize, usize, usize) {
    let mover = position.piece_on(mv.from()).map_or(0, Piece::index);
    (mover, mv.to().index(), victim(position, mv).index())
}

/// The kind of man a noisy move takes; a pawn for en passant and for promotions without capture.
#[inline(always)]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position.piece_on(mv.to()).map_or(PieceKind::Pawn, Piece::kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_limit_and_forget() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 2000);
        }
        assert!(entry > 15_000 && entry as i32 <= HISTORY_LIMIT);
        for _ in 0..5 {
            update(&mut entry, -2000);
        }
        assert!(entry < 9_000);
    }

    #[test]
    fn bonuses_grow_with_depth_up_to_a_limit() {
        let params = Params::DEFAULT;
        assert!(bonus(1, &params) < bonus(5, &params));
        assert_eq!(bonus(100, &params), params.history_bonus_limit);
        assert_eq!(malus(100, &params), params.history_malus_limit);
        assert_eq!(bonus(0, &params), 0);
    }

    #[test]
    fn a_reply_is_remembered_with_the_move_before() {
        let position = Position::initial();
        let mv = position.legal_moves().into_iter().find(|mv| !mv.is_noisy()).unwrap();
        let piece = position.piece_on(mv.from()).unwrap();
        let before = MovedTo::new(Piece::new(Color::Black, PieceKind::Knight), Square::F6);
        let after = |past| QuietContext::new(&position, [past, None, None, None]);
        let mut histories = Histories::new();
        histories.learn_reply(&[Some(before), None, None, None], MovedTo::new(piece, mv.to()), 1000);
        assert_eq!(histories.quiet(&after(Some(before)), piece, mv), 1000);
        assert_eq!(histories.quiet(&after(None), piece, mv), 0);
    }

    #[test]
    fn near_the_root_a_move_is_remembered_by_ply_for_one_search() {
        let position = Position::initial();
        let mv = position.legal_moves().into_iter().find(|mv| !mv.is_noisy()).unwrap();
        let piece = position.piece_on(mv.from()).unwrap();
        let at = |ply| QuietContext::new(&position, [None; 4]).at_ply(ply);
        let mut histories = Histories::new();
        histories.learn_quiet(&at(1), piece, mv, 1000);
        assert!(histories.near_root(&at(1), mv) > 0);
        assert_eq!(histories.near_root(&at(2), mv), 0);
        assert_eq!(histories.near_root(&at(LOW_PLIES), mv), 0);
        assert_eq!(histories.quiet(&at(9), piece, mv), 2000, "squares and pawns, whatever the ply");
        histories.begin_search();
        assert_eq!(histories.near_root(&at(1), mv), 0);
    }
}
