//! The thread that leads: takes jobs one by one until its owner is gone. It owns the crew, so that nobody else can change
//! it while it works.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::crew::{Crew, SearchJob};
use super::{Notice, STACK_BYTES, Task};
use crate::search::Signals;

pub(super) enum Job {
    Search(Box<SearchJob>),
    Task(Task),
    Forget,
    SetThreads {
        threads: usize,
        reply: Sender<io::Result<()>>,
    },
    /// The thread ends, with all that waits for it.
    #[cfg(test)]
    End,
}

pub(super) fn spawn(
    inbox: Receiver<Job>,
    signals: Arc<Signals>,
    mut tell: impl FnMut(Notice) + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
        let mut crew = Crew::new();
        for job in inbox {
            match job {
                Job::Search(job) => tell_search(&mut crew, *job, &mut tell),
                Job::Task(task) => {
                    if catch_unwind(AssertUnwindSafe(|| task(&signals))).is_err() {
                        tell(Notice::TaskFailed);
                    }
                    tell(Notice::TaskDone);
                }
                Job::Forget => crew.forget(),
                Job::SetThreads { threads, reply } => {
                    // Whoever asks waits for the answer.
                    let _ = reply.send(crew.set_threads(threads));
                }
                #[cfg(test)]
                Job::End => return,
            }
        }
    })
}

/// Runs a search, holds its result back until it may be told, and tells it.
fn tell_search(crew: &mut Crew, job: SearchJob, tell: &mut impl FnMut(Notice)) {
    let signals = Arc::clone(&job.signals);
    let (is_endless, started) = (job.limits.is_endless(), job.started);
    // The search takes the job with it: the owner may free or replace the table as soon as it knows of the end.
    let result = crew.search(job, tell);
    signals.wait_until_released(is_endless);
    if !result.pace.is_zero() {
        signals.wait_for_stop(started + result.pace);
    }
    tell(Notice::Finished(result));
}
