//! Scores: how good a position is for the side to move, with mates and tablebase wins in bands of their own.
//!
//! From the middle outwards: evaluations, tablebase wins (nearer ones further out), mates (nearer ones further out).

pub mod win_model;

use std::ops::{Add, Neg, Sub};

/// The deepest the search goes, in plies from the root.
pub const MAX_PLY: usize = 250;

/// A score from the view of the side to move. Evaluations are in internal units, which
/// [`win_model`] turns into centipawns and chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_001);
    /// Below every score.
    pub const MINUS_INFINITE: Score = Score(-32_001);
    /// Mate on the board, given by the side to move: no node has it, it is the origin of distances.
    const MATE: i32 = 32_000;
    /// Mates within the search lie at or above this distance from 0.
    const MATE_BAND: i32 = Score::MATE - MAX_PLY as i32;
    /// A tablebase win at the root: the origin of distances of such wins.
    const TABLEBASE: i32 = 31_000;
    /// Above every score that is not a mate given by the side to move.
    pub const BELOW_MATES: Score = Score(Score::MATE_BAND - 1);
    /// Tablebase wins within the search lie at or above this distance from 0.
    const TABLEBASE_BAND: i32 = Score::TABLEBASE - MAX_PLY as i32;
    /// The largest evaluation.
    pub const MAX_EVALUATION: Score = Score(Score::TABLEBASE_BAND - 1);

    /// An evaluation, kept within its band.
    #[inline(always)]
    pub fn evaluation(units: i32) -> Score {
        Score(units.clamp(-Score::MAX_EVALUATION.0, Score::MAX_EVALUATION.0))
    }

    /// The score of a node `ply` plies from the root whose side to move is mated.
    #[inline(always)]
    pub const fn mated_at(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// The score at the root of mating at this ply: the best a node at `ply - 1` can hope for.
    #[inline(always)]
    pub const fn mating_at(ply: usize) -> Score {
        Score(Score::MATE - ply as i32)
    }

    /// The score of a tablebase win found `ply` plies from the root.
    #[inline(always)]
    pub const fn tablebase_win_at(ply: usize) -> Score {
        Score(Score::TABLEBASE - ply as i32)
    }

    /// The score of a tablebase loss found `ply` plies from the root.
    #[inline(always)]
    pub const fn tablebase_loss_at(ply: usize) -> Score {
        Score(ply as i32 - Score::TABLEBASE)
    }

    /// The plain number.
    #[inline(always)]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Whether it announces a mate for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE_BAND
    }

    /// Whether it is a proved win or loss, by mate or by tablebase.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Score::TABLEBASE_BAND
    }

    /// Whether it is a proved loss.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::TABLEBASE_BAND
    }

    /// Whether it is a proved win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::TABLEBASE_BAND
    }

    /// For a mate score, the number of moves (not plies) to the mate: positive when the side to move mates, negative or
    /// 0 when it is mated.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if !self.is_mate() {
            return None;
        }
        let plies = Score::MATE - self.0.abs();
        Some(if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }

    /// For a mate score, the number of plies from the root to the mate.
    pub const fn plies_to_mate(self) -> Option<usize> {
        if self.is_mate() { Some((Score::MATE - self.0.abs()) as usize) } else { None }
    }

    /// For a proved win or loss, the number of plies from the root to what proves it: the mate, or the position found in a
    /// tablebase.
    #[inline(always)]
    pub const fn plies_to_proof(self) -> Option<usize> {
        if self.is_mate() {
            self.plies_to_mate()
        } else if self.is_decisive() {
            Some((Score::TABLEBASE - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// The score as sixteen bits for a table: distances counted from the node at `ply` instead of from the root.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> i16 {
        let shift = if self.is_win() {
            ply as i32
        } else if self.is_loss() {
            -(ply as i32)
        } else {
            0
        };
        (self.0 + shift) as i16
    }

    /// The inverse of [`Score::to_table`] at a node `ply` plies from the root.
    #[inline(always)]
    pub const fn from_table(stored: i16, ply: usize) -> Score {
        let stored = Score(stored as i32);
        let shift = if stored.is_win() {
            -(ply as i32)
        } else if stored.is_loss() {
            ply as i32
        } else {
            0
        };
        Score(stored.0 + shift)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    /// Moves the score by this many units; the caller keeps it in its band.
    #[inline(always)]
    fn add(self, units: i32) -> Score {
        Score(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, units: i32) -> Score {
        Score(self.0 - units)
    }
}

impl Sub for Score {
    type Output = i32;

    /// The distance in units.
    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// What a score says about the true value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score: all moves failed low.
    Upper = 1,
    /// The value is at least the score: a move failed high.
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

impl Bound {
    /// The bound for two stored bits; `None` for 0.
    pub const fn from_bits(bits: u8) -> Option<Bound> {
        match bits & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    /// Whether a score with this bound settles a node with the null window above `alpha`: it proves the value to be at
    /// most `alpha`, or at least `beta`.
    #[inline(always)]
    pub fn settles(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Upper => score <= alpha,
            Bound::Lower => score >= beta,
            Bound::Exact => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_mate_in_moves() {
        assert_eq!(Score::mating_at(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mating_at(5).moves_to_mate(), Some(3));
        assert_eq!(Score::mated_at(0).moves_to_mate(), Some(0));
        assert_eq!(Score::mated_at(2).moves_to_mate(), Some(-1));
        assert_eq!(Score::evaluation(1_000_000).moves_to_mate(), None);
        assert_eq!(Score::tablebase_win_at(3).moves_to_mate(), None);
        assert!(Score::tablebase_win_at(MAX_PLY).is_decisive());
    }

    #[test]
    fn tables_keep_the_distance_from_the_node() {
        for score in [Score::mating_at(9), Score::mated_at(8), Score::tablebase_win_at(7), Score::evaluation(-31)] {
            assert_eq!(Score::from_table(score.to_table(5), 5), score);
        }
        // A mate three plies below a node found at ply 6 is, seen at ply 2, a mate at ply 5.
        let stored = Score::mating_at(9).to_table(6);
        assert_eq!(Score::from_table(stored, 2), Score::mating_at(5));
    }
}
