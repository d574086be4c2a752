//! Moves of a node in the order in which they should be tried, generated only when reached.
//!
//! The table's move, noisy moves that do not lose material by exchange, quiet moves by history, losing noisy moves.

use arrayvec::ArrayVec;

use super::history::{Histories, QuietContext, victim};
use super::params::Params;
use crate::chess::{Bitboard, ExchangeValues, MAX_MOVES, Move, MoveList, PieceKind, Position, Selection};

/// A move with its ordering score.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Where the picker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// Hands out the moves of one node, best first.
pub(super) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    /// What the order of quiet moves depends on; none if only noisy ones are wanted.
    context: Option<QuietContext>,
    list: ArrayVec<Scored, MAX_MOVES>,
    /// The first move of `list` not handed out.
    next: usize,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// What noisy moves must win by exchange to count as good.
    threshold: i32,
    skips_quiets: bool,
}

impl MovePicker {
    /// All moves of a node. `table_move` may be illegal here: it is checked.
    #[inline(always)]
    pub(super) fn new(position: &Position, table_move: Option<Move>, context: QuietContext) -> MovePicker {
        MovePicker::begin(table_move.filter(|&mv| position.is_legal(mv)), Some(context), 0)
    }

    /// Noisy moves only, and only those that win at least `threshold` by exchange (the table's move excepted).
    #[inline(always)]
    pub(super) fn noisy(position: &Position, table_move: Option<Move>, threshold: i32) -> MovePicker {
        MovePicker::begin(table_move.filter(|&mv| mv.is_noisy() && position.is_legal(mv)), None, threshold)
    }

    /// Built in one place and inlined, so that the lists, kilobytes of nothing yet, are not copied about.
    #[inline(always)]
    fn begin(table_move: Option<Move>, context: Option<QuietContext>, threshold: i32) -> MovePicker {
        MovePicker {
            stage: Stage::TableMove,
            table_move,
            context,
            list: ArrayVec::new(),
            next: 0,
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            threshold,
            skips_quiets: false,
        }
    }

    /// Whether the move last handed out is known to lose nothing by exchange.
    pub(super) fn knows_exchange_wins(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// From now on no quiet moves but those that give check.
    pub(super) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// The next move.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories, params: &Params) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.fill(position, Selection::Noisy, |mv| noisy_score(position, histories, mv));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good_noisy(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = if self.context.is_none() { Stage::Done } else { Stage::GenerateQuiets },
                },
                Stage::GenerateQuiets => {
                    if let Some(context) = self.context {
                        let dangers = Dangers::new(position, params);
                        let score = |mv| quiet_score(position, histories, &context, &dangers, mv);
                        self.fill(position, Selection::Quiet, score);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.next_quiet(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    self.next_bad += 1;
                    match self.bad_noisy.get(self.next_bad - 1) {
                        Some(&mv) => return Some(mv),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    /// Lists the selected moves with their scores, the table's move left out.
    fn fill(&mut self, position: &Position, selection: Selection, score: impl Fn(Move) -> i32) {
        let mut moves = MoveList::new();
        position.generate(selection, &mut moves);
        self.list.clear();
        self.next = 0;
        let others = moves.into_iter().filter(|&mv| Some(mv) != self.table_move);
        self.list.extend(others.map(|mv| Scored { mv, score: score(mv) }));
    }

    /// Takes the best move not yet handed out: one step of a selection sort, as most nodes need few moves.
    #[inline]
    fn best_left(&mut self) -> Option<Scored> {
        let left = self.list.get_mut(self.next..)?;
        let mut best = *left.first()?;
        let mut place = 0;
        for (index, &scored) in left.iter().enumerate().skip(1) {
            if scored.score > best.score {
                (best, place) = (scored, index);
            }
        }
        left.swap(0, place);
        self.next += 1;
        Some(best)
    }

    /// The next quiet move: the best one, or, when they are skipped, any that gives check.
    #[inline]
    fn next_quiet(&mut self, position: &Position) -> Option<Move> {
        if !self.skips_quiets {
            return self.best_left().map(|scored| scored.mv);
        }
        let left = self.list.get(self.next..)?;
        let place = left.iter().position(|scored| position.gives_direct_check(scored.mv))?;
        self.next += place + 1;
        Some(self.list[self.next - 1].mv)
    }

    /// The next capture that keeps its exchange; losing ones are put off (or, in quiescence, dropped).
    fn next_good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some(Scored { mv, .. }) = self.best_left() {
            if position.exchange_wins(mv, self.threshold, &ExchangeValues::USUAL) {
                return Some(mv);
            }
            if self.context.is_some() {
                self.bad_noisy.push(mv);
            }
        }
        None
    }
}

/// By victim and history: a good history weighs as much as a queen, an empty one leaves the most valuable victim first.
fn noisy_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let promotion = mv.promotion().map_or(0, |kind| ExchangeValues::USUAL.of(kind));
    let captured = if mv.is_capture() { ExchangeValues::USUAL.of(victim(position, mv)) } else { 0 };
    16 * (captured + promotion) + histories.noisy(position, mv)
}

fn quiet_score(position: &Position, histories: &Histories, context: &QuietContext, dangers: &Dangers, mv: Move) -> i32 {
    position.piece_on(mv.from()).map_or(0, |piece| {
        histories.quiet(context, piece, mv) + histories.near_root(context, mv) + dangers.relief(piece.kind(), mv)
    })
}

/// Where pieces can be taken by men worth less than they are, and what it counts to leave such squares: for minor pieces,
/// rooks and queens.
struct Dangers {
    attacked: [Bitboard; 3],
    amounts: [i32; 3],
}

impl Dangers {
    fn new(position: &Position, params: &Params) -> Dangers {
        Dangers {
            attacked: position.attacked_by_lesser(!position.side_to_move()),
            amounts: [params.escape_minor, params.escape_rook, params.escape_queen],
        }
    }

    /// What it counts for the order of quiet moves that the piece leaves such a square, less if it enters one; on the scale
    /// of histories.
    #[inline(always)]
    fn relief(&self, kind: PieceKind, mv: Move) -> i32 {
        let class = match kind {
            PieceKind::Knight | PieceKind::Bishop => 0,
            PieceKind::Rook => 1,
            PieceKind::Queen => 2,
            PieceKind::Pawn | PieceKind::King => return 0,
        };
        let attacked = self.attacked[class];
        self.amounts[class] * (attacked.has(mv.from()) as i32 - attacked.has(mv.to()) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Square, notation::parse_fen};
    use std::collections::HashSet;

    fn all(picker: &mut MovePicker, position: &Position) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories, &Params::DEFAULT)).collect()
    }

    #[test]
    fn every_legal_move_once_whatever_the_hint() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        for fen in fens {
            let position = parse_fen(fen).unwrap();
            let legal = position.legal_moves();
            let elsewhere = parse_fen("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1").unwrap().legal_moves();
            for &hint in legal.iter().chain(&elsewhere) {
                let picked = all(
                    &mut MovePicker::new(&position, Some(hint), QuietContext::new(&position, [None; 4])),
                    &position,
                );
                assert_eq!(picked.len(), legal.len(), "{fen} {hint:?}");
                assert_eq!(picked.iter().collect::<HashSet<_>>(), legal.iter().collect::<HashSet<_>>());
                assert!(!legal.contains(&hint) || picked[0] == hint);
            }
        }
    }

    #[test]
    fn pieces_leave_the_squares_where_lesser_men_attack_them_and_do_not_enter_them() {
        // The pawns of d6 and g5 attack c5, e5, f4 and h4; the rook is attacked by a pawn, the knight by a rook only.
        let position = parse_fen("7k/8/3p4/4R1p1/8/8/1r2N3/4K3 w - - 0 1").unwrap();
        let quiets: Vec<Move> =
            all(&mut MovePicker::new(&position, None, QuietContext::new(&position, [None; 4])), &position)
                .into_iter()
                .filter(|mv| !mv.is_noisy())
                .collect();
        let place = |from, to| quiets.iter().position(|mv| (mv.from(), mv.to()) == (from, to)).unwrap();
        assert_eq!(quiets[0].from(), Square::E5);
        assert_eq!(quiets.last().map(|mv| (mv.from(), mv.to())), Some((Square::E2, Square::F4)));
        assert!(place(Square::E5, Square::C5) > place(Square::E5, Square::E4));
    }

    #[test]
    fn quiescence_sees_no_losing_captures() {
        let position = parse_fen("4k3/2p5/3p4/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(all(&mut MovePicker::noisy(&position, None, 0), &position), []);
        let free = parse_fen("4k3/8/3p4/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(all(&mut MovePicker::noisy(&free, None, 0), &free).len(), 1);
        assert_eq!(all(&mut MovePicker::noisy(&free, None, 101), &free), []);
    }

    #[test]
    fn quiet_moves_can_be_left_out_at_any_moment() {
        let position = parse_fen("4k3/2p5/3p4/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        let mut picker = MovePicker::new(&position, None, QuietContext::new(&position, [None; 4]));
        let histories = Histories::new();
        assert!(!picker.next(&position, &histories, &Params::DEFAULT).unwrap().is_noisy());
        picker.skip_quiets();
        let check = picker.next(&position, &histories, &Params::DEFAULT).unwrap();
        assert_eq!((check.from(), check.to()), (Square::D4, Square::E4), "the one check is left");
        assert!(picker.next(&position, &histories, &Params::DEFAULT).unwrap().is_noisy(), "and the losing capture");
        assert_eq!(picker.next(&position, &histories, &Params::DEFAULT), None);
    }
}
