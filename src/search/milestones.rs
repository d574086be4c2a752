//! How far the workers of one search have come together. Whoever finishes an iteration first tells the others what it has
//! found; they break theirs off and go on from there. What they have seen so far is in the shared table.
//!
//! The time that an iteration takes is largely luck: how soon the right move is tried, how often the window has to be
//! widened. Of several attempts at the same iteration the luckiest counts.

use crate::chess::Move;
use crate::score::Score;
use crate::sync::atomic::{AtomicI32, Ordering};
use crate::sync::{Mutex, MutexGuard, PoisonError};

/// What an iteration has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The iteration, in plies.
    pub(super) depth: i32,
    pub(super) mv: Move,
    pub(super) score: Score,
    pub(super) selective_depth: usize,
    /// The line that begins with `mv`.
    pub(super) pv: Vec<Move>,
}

/// The deepest finding of the workers of one search.
#[derive(Debug, Default)]
pub struct Milestones {
    /// Depth of the finding, 0 without one: to be looked at often, while the finding is locked.
    depth: AtomicI32,
    finding: Mutex<Option<Finding>>,
}

impl Milestones {
    /// The deepest iteration that a worker has finished, 0 if none has.
    #[inline(always)]
    pub(super) fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Takes note of a finding, unless there is one as deep.
    pub(super) fn offer(&self, finding: Finding) {
        let mut deepest = self.lock();
        if deepest.as_ref().is_none_or(|known| known.depth < finding.depth) {
            self.depth.store(finding.depth, Ordering::Relaxed);
            *deepest = Some(finding);
        }
    }

    /// The deepest finding, if it is of this iteration or a later one.
    pub(super) fn at_least(&self, depth: i32) -> Option<Finding> {
        self.lock().clone().filter(|finding| finding.depth >= depth)
    }

    /// A finding is whole whenever the lock is free, also after a panic.
    fn lock(&self) -> MutexGuard<'_, Option<Finding>> {
        self.finding.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};

    #[test]
    fn the_first_of_the_deepest_findings_counts() {
        let finding = |depth, to| {
            let mv = Move::new(Square::E2, to, MoveKind::Quiet);
            Finding { depth, mv, score: Score::DRAW, selective_depth: 9, pv: vec![mv] }
        };
        let milestones = Milestones::default();
        assert_eq!((milestones.depth(), milestones.at_least(1)), (0, None));
        milestones.offer(finding(3, Square::E3));
        milestones.offer(finding(3, Square::E4));
        milestones.offer(finding(2, Square::E4));
        assert_eq!((milestones.depth(), milestones.at_least(3)), (3, Some(finding(3, Square::E3))));
        assert_eq!(milestones.at_least(4), None);
        milestones.offer(finding(5, Square::E4));
        assert_eq!(milestones.at_least(4), Some(finding(5, Square::E4)));
    }
}
