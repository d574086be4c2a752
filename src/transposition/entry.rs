//! One entry of the table, packed into a word.

use crate::chess::Move;
use crate::score::{Bound, Score};

/// How many searches can be told apart.
pub(super) const AGES: u8 = 32;

/// What a search has learned about a node.
#[derive(Clone, Copy, Debug)]
pub struct Learned {
    /// The best move, or the one that failed high; none if all failed low.
    pub mv: Option<Move>,
    /// The score, from the root's view of distances.
    pub score: Score,
    /// The static evaluation before corrections; none in check.
    pub evaluation: Option<Score>,
    /// How deep was searched: 0 for quiescence.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// Whether the node was ever part of a principal variation.
    pub was_pv: bool,
}

/// What the table knows about a node.
pub type Known = Learned;

/// Bits 0-15 move, 16-31 score, 32-47 evaluation, 48-55 depth, 56-57 bound, 58 was-PV, 59-63 age. Zero is empty, since
/// every entry has a bound.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub u64);

/// Stands for "no evaluation"; outside the range of scores.
const NO_EVALUATION: i16 = i16::MIN;

impl Packed {
    #[inline(always)]
    pub(super) fn new(learned: &Learned, ply: usize, age: u8) -> Packed {
        let mv = learned.mv.map_or(0, Move::bits);
        let score = learned.score.to_table(ply) as u16;
        let evaluation = learned.evaluation.map_or(NO_EVALUATION, |evaluation| evaluation.units() as i16) as u16;
        let depth = learned.depth.clamp(0, 255) as u8;
        let flags = learned.bound as u8 | (learned.was_pv as u8) << 2 | age << 3;
        Packed(
            mv as u64 | (score as u64) << 16 | (evaluation as u64) << 32 | (depth as u64) << 48 | (flags as u64) << 56,
        )
    }

    #[inline(always)]
    pub(super) fn unpack(self, ply: usize) -> Option<Known> {
        let evaluation = (self.0 >> 32) as i16;
        Some(Known {
            mv: self.mv(),
            score: Score::from_table((self.0 >> 16) as i16, ply),
            evaluation: (evaluation != NO_EVALUATION).then(|| Score::evaluation(evaluation as i32)),
            depth: self.depth(),
            bound: Bound::from_bits((self.0 >> 56) as u8)?,
            was_pv: self.0 >> 58 & 1 != 0,
        })
    }

    /// What stands beside these data if they are of the position with this key.
    #[inline(always)]
    pub(super) fn mark(self, key: u64) -> u32 {
        key as u32 ^ (self.0 >> 32) as u32 ^ self.0 as u32
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32
    }

    #[inline(always)]
    pub(super) fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// What the entry is worth keeping: its depth, less a few plies for every search since.
    #[inline(always)]
    pub(super) fn worth(self, age: u8) -> i32 {
        let searches_since = age.wrapping_sub(self.age()) % AGES;
        self.depth() - 4 * searches_since as i32
    }

    /// Whether this entry of the same position should stay: it is of this search and clearly deeper, and the new one is
    /// no exact score.
    #[inline(always)]
    pub(super) fn is_worth_more_than(self, learned: &Learned, age: u8) -> bool {
        self.age() == age && learned.bound != Bound::Exact && self.depth() > learned.depth + 3
    }
}
