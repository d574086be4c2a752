//! The thread that searches: takes jobs one by one until its owner is gone.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::{Notice, Task};
use crate::chess::Game;
use crate::search::{Limits, Settings, Signals, Worker};

/// Stack of a thread that searches: room for the deepest line several times over, as a ply takes a few kilobytes.
pub const STACK_BYTES: usize = 16 << 20;

pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) started: Instant,
}

pub(super) enum Job {
    Search(Box<SearchJob>),
    Task(Task),
    Forget,
}

pub(super) fn spawn(
    inbox: Receiver<Job>,
    signals: Arc<Signals>,
    mut tell: impl FnMut(Notice) + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
        let mut worker = Worker::new();
        for job in inbox {
            match job {
                Job::Search(job) => tell_search(&mut worker, *job, &signals, &mut tell),
                Job::Task(task) => {
                    task(&signals);
                    tell(Notice::TaskDone);
                }
                Job::Forget => worker.forget(),
            }
        }
    })
}

/// Runs a search, holds its result back until it may be told, and tells it.
fn tell_search(worker: &mut Worker, job: SearchJob, signals: &Signals, tell: &mut impl FnMut(Notice)) {
    let SearchJob { game, limits, settings, started } = job;
    let result = worker.search(&game, &limits, &settings, signals, started, &mut |event| tell(Notice::Search(event)));
    // The owner may free or replace the table as soon as it knows of the end.
    drop(settings);
    signals.wait_until_released(limits.is_endless());
    tell(Notice::Finished(result));
}
