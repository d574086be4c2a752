//! Where a worker finds its next task and leaves the outcome: one lock and one condition for each worker, so that those
//! who hand out work to many never meet them all at one lock.
//!
//! Two sides share a desk. The owner gives a task, collects its outcome, and closes the desk at the end; the worker takes
//! and finishes. Neither ever waits for something that cannot come: a closed desk has neither tasks nor outcomes, and a
//! worker that is gone leaves its desk closed. `tests/protocol_model.rs` tries all orders of these steps.

use crate::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
enum State<Task, Outcome> {
    Empty,
    Given(Task),
    Working,
    Done(Outcome),
    Closed,
}

/// A desk between an owner and one worker.
#[derive(Debug)]
pub struct Desk<Task, Outcome> {
    state: Mutex<State<Task, Outcome>>,
    /// At no time do both sides wait, so one condition serves them.
    changed: Condvar,
}

impl<Task, Outcome> Default for Desk<Task, Outcome> {
    fn default() -> Desk<Task, Outcome> {
        Desk { state: Mutex::new(State::Empty), changed: Condvar::new() }
    }
}

impl<Task, Outcome> Desk<Task, Outcome> {
    fn lock(&self) -> MutexGuard<'_, State<Task, Outcome>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves from a state that `ready` accepts to `next`, as soon as there is one, and returns the state left.
    fn advance(
        &self,
        ready: impl Fn(&State<Task, Outcome>) -> bool,
        next: State<Task, Outcome>,
    ) -> Option<State<Task, Outcome>> {
        let mut state = self.lock();
        loop {
            match &*state {
                State::Closed => return None,
                now if ready(now) => break,
                _ => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
        let before = std::mem::replace(&mut *state, next);
        self.changed.notify_one();
        Some(before)
    }

    /// The owner's: gives a task, if need be after the end of the one before, whose outcome is lost if nobody has collected
    /// it. A closed desk takes nothing.
    pub fn give(&self, task: Task) {
        self.advance(|state| matches!(state, State::Empty | State::Done(_)), State::Given(task));
    }

    /// The owner's: waits for the outcome of the task given last. None when the worker is gone.
    pub fn collect(&self) -> Option<Outcome> {
        match self.advance(|state| matches!(state, State::Done(_)), State::Empty)? {
            State::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Either side's: nothing more will be given, taken, finished or collected.
    pub fn close(&self) {
        *self.lock() = State::Closed;
        self.changed.notify_one();
    }

    /// The worker's: waits for a task. None when the desk is closed.
    pub fn take(&self) -> Option<Task> {
        match self.advance(|state| matches!(state, State::Given(_)), State::Working)? {
            State::Given(task) => Some(task),
            _ => None,
        }
    }

    /// The worker's: leaves the outcome of the task taken.
    pub fn finish(&self, outcome: Outcome) {
        self.advance(|state| matches!(state, State::Working), State::Done(outcome));
    }
}
