//! What a process uses, by the account of the system; zeros where there is none.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

use crate::engine_process::EngineProcess;

/// More growth than this is a leak.
pub const MOST_GROWTH_KIB: u64 = 1024;

/// Resident memory in KiB of an engine that has been brought to the same state each time: one thread, the smallest table,
/// nothing remembered.
pub fn resident_at_rest(engine: &mut EngineProcess) -> u64 {
    engine.ask("setoption name Threads value 1\nsetoption name Hash value 1\nsetoption name Clear Hash\nucinewgame");
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// How far the last quarter of samples of memory lies above the second: the first is warming up.
pub fn growth(samples: &[u64]) -> u64 {
    let quarter = samples.len() / 4;
    let middle = |samples: &[u64]| {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    };
    middle(&samples[samples.len() - quarter..]).saturating_sub(middle(&samples[quarter..2 * quarter]))
}

/// First, second-quarter, last and greatest of samples, as text.
pub fn course(samples: &[u64]) -> String {
    let of = |index: usize| samples.get(index).copied().unwrap_or(0);
    let most = samples.iter().max().copied().unwrap_or(0);
    let (quarter, last) = (of(samples.len() / 4), of(samples.len().saturating_sub(1)));
    format!("{} KiB at first, {quarter} after a quarter, {last} at last, {most} at most", of(0))
}

/// How long each thread of a process has waited for a processor.
pub struct Waits(HashMap<String, u64>);

impl Waits {
    pub fn of(engine: &EngineProcess) -> Waits {
        let tasks = fs::read_dir(format!("/proc/{}/task", engine.id())).into_iter().flatten().flatten();
        let wait = |task: fs::DirEntry| {
            let counts = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let nanoseconds = counts.split_whitespace().nth(1)?.parse().ok()?;
            Some((task.file_name().to_string_lossy().into_owned(), nanoseconds))
        };
        Waits(tasks.filter_map(wait).collect())
    }

    /// The longest that any thread has waited since.
    pub fn longest_until(&self, later: &Waits) -> Duration {
        let since = |(task, &now): (&String, &u64)| now.saturating_sub(self.0.get(task).copied().unwrap_or(0));
        Duration::from_nanos(later.0.iter().map(since).max().unwrap_or(0))
    }
}
