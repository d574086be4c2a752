//! Moves of a node in the order in which they should be tried, generated only when reached.
//!
//! The table's move, captures that do not lose material by exchange, killers, quiet moves by history, losing captures.

use arrayvec::ArrayVec;

use super::history::{Histories, victim};
use crate::chess::{ExchangeValues, MAX_MOVES, Move, MoveList, Position, Selection};

/// A move with its ordering score.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// Hands out the moves of one node, best first.
pub(super) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    list: ArrayVec<Scored, MAX_MOVES>,
    /// The first move of `list` not handed out.
    next: usize,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    noisy_only: bool,
}

impl MovePicker {
    /// All moves of a node. `table_move` and `killers` may be illegal here: they are checked.
    pub(super) fn new(position: &Position, table_move: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker {
        MovePicker {
            stage: Stage::TableMove,
            table_move: table_move.filter(|&mv| position.is_legal(mv)),
            killers,
            next_killer: 0,
            list: ArrayVec::new(),
            next: 0,
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            noisy_only: false,
        }
    }

    /// Noisy moves only, without those that lose material by exchange.
    pub(super) fn noisy(position: &Position, table_move: Option<Move>) -> MovePicker {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        MovePicker { noisy_only: true, ..MovePicker::new(position, table_move, [None; 2]) }
    }

    /// The next move.
    pub(super) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
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
                    None => self.stage = if self.noisy_only { Stage::Done } else { Stage::Killers },
                },
                Stage::Killers => match self.next_killer(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    let color = position.side_to_move();
                    self.fill(position, Selection::Quiet, |mv| histories.quiet(color, mv));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best_left() {
                    Some(scored) if self.is_killer(scored.mv) => {}
                    Some(scored) => return Some(scored.mv),
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
        let left = self.list.get(self.next..)?;
        let (offset, _) = left.iter().enumerate().max_by_key(|(offset, scored)| (scored.score, usize::MAX - offset))?;
        self.list.swap(self.next, self.next + offset);
        self.next += 1;
        Some(self.list[self.next - 1])
    }

    /// The next capture that keeps its exchange; losing ones are put off (or, in quiescence, dropped).
    fn next_good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some(Scored { mv, .. }) = self.best_left() {
            if position.exchange_wins(mv, 0, &ExchangeValues::USUAL) {
                return Some(mv);
            }
            if !self.noisy_only {
                self.bad_noisy.push(mv);
            }
        }
        None
    }

    fn next_killer(&mut self, position: &Position) -> Option<Move> {
        while let Some(&killer) = self.killers.get(self.next_killer) {
            self.next_killer += 1;
            // A killer of another node may be a capture here.
            let fits = |mv: &Move| !mv.is_noisy() && Some(*mv) != self.table_move && position.is_legal(*mv);
            if let Some(mv) = killer.filter(fits) {
                return Some(mv);
            }
        }
        None
    }

    fn is_killer(&self, mv: Move) -> bool {
        self.killers.contains(&Some(mv))
    }
}

/// Most valuable victim first; history decides between equals.
fn noisy_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let promotion = mv.promotion().map_or(0, |kind| ExchangeValues::USUAL.of(kind));
    let captured = if mv.is_capture() { ExchangeValues::USUAL.of(victim(position, mv)) } else { 0 };
    16 * (captured + promotion) + histories.noisy(position, mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use std::collections::HashSet;

    fn all(picker: &mut MovePicker, position: &Position) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    #[test]
    fn every_legal_move_once_whatever_the_hints() {
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
                let killers = [elsewhere.get(3).copied(), legal.last().copied()];
                let picked = all(&mut MovePicker::new(&position, Some(hint), killers), &position);
                assert_eq!(picked.len(), legal.len(), "{fen} {hint:?}");
                assert_eq!(picked.iter().collect::<HashSet<_>>(), legal.iter().collect::<HashSet<_>>());
                assert!(!legal.contains(&hint) || picked[0] == hint);
            }
        }
    }

    #[test]
    fn quiescence_sees_no_losing_captures() {
        let position = parse_fen("4k3/2p5/3p4/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(all(&mut MovePicker::noisy(&position, None), &position), []);
        let free = parse_fen("4k3/8/3p4/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(all(&mut MovePicker::noisy(&free, None), &free).len(), 1);
    }
}
