//! Threads that are created once and wait for work: each owns its memory, allocated and first touched by itself.
//!
//! A task that panics costs its outcome and what its worker had learned, never the thread, and nobody waits for it in
//! vain.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::{Builder, JoinHandle};

use super::STACK_BYTES;
use super::desk::Desk;

/// A task has panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panicked;

type TaskDesk<Task, Outcome> = Desk<Task, Result<Outcome, Panicked>>;

struct Helper<Task, Outcome> {
    desk: Arc<TaskDesk<Task, Outcome>>,
    thread: JoinHandle<()>,
}

/// Any number of parked threads.
pub(super) struct Pool<Task, Outcome> {
    helpers: Vec<Helper<Task, Outcome>>,
}

impl<Task: Send + 'static, Outcome: Send + 'static> Pool<Task, Outcome> {
    /// No threads.
    pub(super) fn new() -> Pool<Task, Outcome> {
        Pool { helpers: Vec::new() }
    }

    /// How many threads there are.
    pub(super) fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Makes it this many threads. New ones call `begin` for what carries out their tasks, and again after a panic, before
    /// the next task once more if that fails. One
    /// begins after the other, so that what `begin` finds of memory is there for it.
    ///
    /// # Errors
    /// When the system refuses a thread, or `begin` fails: then there are as many as before.
    pub(super) fn resize<Work>(&mut self, count: usize, begin: fn() -> io::Result<Work>) -> io::Result<()>
    where
        Work: FnMut(Task) -> Outcome + 'static,
    {
        let before = self.len();
        while self.len() < count {
            match Helper::spawn(self.len() + 1, begin) {
                Ok(helper) => self.helpers.push(helper),
                Err(error) => {
                    self.dismiss_from(before);
                    return Err(error);
                }
            }
        }
        self.dismiss_from(count);
        Ok(())
    }

    /// Gives every thread a task.
    pub(super) fn give_all(&self, task_for: impl Fn(usize) -> Task) {
        for (number, helper) in self.helpers.iter().enumerate() {
            helper.desk.give(task_for(number));
        }
    }

    /// Waits for the outcomes of the tasks given to all.
    pub(super) fn collect_all(&self) -> Vec<Result<Outcome, Panicked>> {
        self.helpers.iter().map(|helper| helper.desk.collect().unwrap_or(Err(Panicked))).collect()
    }

    fn dismiss_from(&mut self, first: usize) {
        let dismissed = self.helpers.split_off(first.min(self.len()));
        dismissed.iter().for_each(|helper| helper.desk.close());
        for helper in dismissed {
            // Whatever ended a thread, it is gone.
            let _ = helper.thread.join();
        }
    }
}

impl<Task, Outcome> Drop for Pool<Task, Outcome> {
    /// Ends the threads, as soon as their tasks are done.
    fn drop(&mut self) {
        self.helpers.iter().for_each(|helper| helper.desk.close());
        for helper in self.helpers.drain(..) {
            let _ = helper.thread.join();
        }
    }
}

impl<Task: Send + 'static, Outcome: Send + 'static> Helper<Task, Outcome> {
    /// A thread that has begun.
    fn spawn<Work>(number: usize, begin: fn() -> io::Result<Work>) -> io::Result<Helper<Task, Outcome>>
    where
        Work: FnMut(Task) -> Outcome + 'static,
    {
        let desk = Arc::new(TaskDesk::default());
        let of_thread = CloseAtEnd(Arc::clone(&desk));
        let (tell, begun) = channel();
        let body = move || match begin() {
            Ok(work) => {
                // Whoever spawns waits for the word.
                let _ = tell.send(Ok(()));
                serve(&of_thread.0, work, begin);
            }
            Err(error) => drop(tell.send(Err(error))),
        };
        let thread = Builder::new().name(format!("helper {number}")).stack_size(STACK_BYTES).spawn(body)?;
        begun.recv().map_err(io::Error::other)??;
        Ok(Helper { desk, thread })
    }
}

/// Closes a desk when its thread ends, however it ends.
struct CloseAtEnd<Task, Outcome>(Arc<TaskDesk<Task, Outcome>>);

impl<Task, Outcome> Drop for CloseAtEnd<Task, Outcome> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The life of a thread that has begun.
fn serve<Task, Outcome, Work>(desk: &TaskDesk<Task, Outcome>, work: Work, begin: fn() -> io::Result<Work>)
where
    Work: FnMut(Task) -> Outcome,
{
    let afresh = || catch_unwind(begin).ok().and_then(Result::ok);
    let mut work = Some(work);
    while let Some(task) = desk.take() {
        // What a panic leaves behind is thrown away, so nobody sees it half changed.
        let outcome = match work.take().or_else(afresh) {
            Some(mut ready) => {
                let outcome = catch_unwind(AssertUnwindSafe(|| ready(task))).map_err(|_| Panicked);
                work = if outcome.is_ok() { Some(ready) } else { afresh() };
                outcome
            }
            None => Err(Panicked),
        };
        desk.finish(outcome);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Adds up the numbers it is given; panics at 13.
    fn adder() -> io::Result<impl FnMut(u32) -> u32> {
        let mut sum = 0;
        Ok(move |number| {
            assert_ne!(number, 13, "an unlucky number (this panic belongs to a test)");
            sum += number;
            sum
        })
    }

    fn outcomes(pool: &Pool<u32, u32>, task_for: impl Fn(usize) -> u32) -> Vec<Result<u32, Panicked>> {
        pool.give_all(task_for);
        pool.collect_all()
    }

    #[test]
    fn workers_keep_their_memory_from_task_to_task() {
        let mut pool = Pool::new();
        assert!(outcomes(&pool, |_| 1).is_empty());
        pool.resize(3, adder).unwrap();
        assert_eq!(outcomes(&pool, |number| number as u32), [Ok(0), Ok(1), Ok(2)]);
        pool.resize(4, adder).unwrap();
        assert_eq!(outcomes(&pool, |number| number as u32), [Ok(0), Ok(2), Ok(4), Ok(3)]);
        pool.resize(1, adder).unwrap();
        assert_eq!(outcomes(&pool, |_| 7), [Ok(7)]);
        pool.resize(0, adder).unwrap();
        assert_eq!(pool.len(), 0);
    }

    #[test]
    fn a_panic_costs_one_outcome_and_what_its_worker_had_learned() {
        let mut pool = Pool::new();
        pool.resize(3, adder).unwrap();
        outcomes(&pool, |_| 5);
        assert_eq!(outcomes(&pool, |number| [1, 13, 2][number]), [Ok(6), Err(Panicked), Ok(7)]);
        assert_eq!(outcomes(&pool, |_| 1), [Ok(7), Ok(1), Ok(8)]);
    }

    /// An adder that can be begun only at the first, the fourth and later attempts.
    fn reluctant_adder() -> io::Result<impl FnMut(u32) -> u32> {
        static ATTEMPTS: AtomicUsize = AtomicUsize::new(0);
        if (1..3).contains(&ATTEMPTS.fetch_add(1, Ordering::SeqCst)) {
            return Err(io::Error::other("not now"));
        }
        adder()
    }

    #[test]
    fn a_worker_that_cannot_begin_afresh_tries_again_at_the_next_task() {
        let mut pool = Pool::new();
        pool.resize(1, reluctant_adder).unwrap();
        assert_eq!(outcomes(&pool, |_| 13), [Err(Panicked)]);
        assert_eq!(outcomes(&pool, |_| 1), [Err(Panicked)]);
        assert_eq!(outcomes(&pool, |_| 2), [Ok(2)]);
        assert_eq!(outcomes(&pool, |_| 3), [Ok(5)]);
    }

    #[test]
    fn when_one_cannot_begin_there_are_as_many_as_before() {
        let refused = || -> io::Result<fn(u32) -> u32> { Err(io::Error::other("refused")) };
        let panics = || -> io::Result<fn(u32) -> u32> { panic!("no beginning (this panic belongs to a test)") };
        let mut pool = Pool::new();
        pool.resize(2, adder).unwrap();
        assert_eq!(pool.resize(3, refused).unwrap_err().to_string(), "refused");
        assert!(pool.resize(5, panics).is_err());
        assert_eq!(outcomes(&pool, |_| 4), [Ok(4), Ok(4)]);
    }
}
