//! How far the workers of one search have come together. Whoever finishes an iteration first tells the others what it has
//! found; they break theirs off and go on from there. What they have seen so far is in the shared table.
//!
//! The time that an iteration takes is largely luck: how soon the right move is tried, how often the window has to be
//! widened. Of several attempts at the same iteration the luckiest counts.

use crate::sync::atomic::{AtomicI32, Ordering};
use crate::sync::{Mutex, MutexGuard, PoisonError};

/// The finding of the deepest iteration that any worker of one search has finished.
#[derive(Debug)]
pub struct Milestones<F> {
    /// Depth of the finding, 0 without one: to be looked at often, while the finding is locked.
    depth: AtomicI32,
    finding: Mutex<Option<(i32, F)>>,
}

impl<F> Default for Milestones<F> {
    fn default() -> Milestones<F> {
        Milestones { depth: AtomicI32::new(0), finding: Mutex::new(None) }
    }
}

impl<F: Clone> Milestones<F> {
    /// The deepest iteration that a worker has finished, 0 if none has.
    #[inline(always)]
    pub(super) fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Takes note of what the iteration to this depth has found, unless one as deep is finished already.
    pub fn offer(&self, depth: i32, finding: F) {
        let mut deepest = self.lock();
        if deepest.as_ref().is_none_or(|&(known, _)| known < depth) {
            *deepest = Some((depth, finding));
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// The deepest iteration and its finding, if it is this one or a later one.
    pub(super) fn at_least(&self, depth: i32) -> Option<(i32, F)> {
        self.lock().clone().filter(|&(known, _)| known >= depth)
    }

    /// A finding is whole whenever the lock is free, also after a panic.
    fn lock(&self) -> MutexGuard<'_, Option<(i32, F)>> {
        self.finding.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
