//! The lines an engine has sent and nobody has read yet.
//!
//! A reader thread fills the queue as fast as the engine writes, so that no engine ever waits for the referee, however
//! much it says; memory stays bounded because the oldest `info` lines give way. The waiting side wakes only for answers
//! (`bestmove`, `readyok`, ...), not for every `info`: that keeps the referee's own share of the processor small.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A line with the time at which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it was read.
    pub at: Instant,
    /// Its text without the line end; bytes that are no UTF-8 are replaced.
    pub text: String,
}

/// Why no answer was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The time is up.
    Timeout,
    /// The engine has closed its output.
    Closed,
    /// Waiting was to end.
    Cancelled,
}

/// So many lines of each sort are kept. An engine that writes a line a node says nothing that is worth more.
const MAX_LINES: usize = 1024;
/// What goes beyond in a line is dropped.
const MAX_LINE_LENGTH: usize = 1 << 16;
/// How often a waiting side looks whether it is to stop.
const CANCEL_INTERVAL: Duration = Duration::from_millis(100);

/// The queue between the reader thread and the one who talks to the engine.
#[derive(Debug, Default)]
pub struct Lines {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    infos: VecDeque<Line>,
    answers: VecDeque<Line>,
    /// The waiting side wakes when there are so many answers.
    wanted: usize,
    closed: bool,
}

impl Lines {
    /// A panic elsewhere cannot leave the queue half-changed, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line: an `info` line or an answer. Lines that begin with anything else mean nothing in UCI and are dropped.
    fn push(&self, text: String) {
        let line = Line { at: Instant::now(), text };
        match line.text.split_ascii_whitespace().next() {
            Some("info") => push_bounded(&mut self.lock().infos, line),
            Some("id" | "option" | "uciok" | "readyok" | "bestmove") => {
                let mut state = self.lock();
                push_bounded(&mut state.answers, line);
                if state.answers.len() >= state.wanted {
                    self.changed.notify_one();
                }
            }
            _ => {}
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next answer.
    ///
    /// # Errors
    /// [`Silence`], when there is none.
    pub fn receive(&self, deadline: Instant, cancelled: &AtomicBool) -> Result<Line, Silence> {
        self.wait(1, deadline, cancelled)?.answers.pop_front().ok_or(Silence::Timeout)
    }

    /// Waits until so many answers are there (at most a thousand), and leaves them.
    ///
    /// # Errors
    /// [`Silence`], when there are fewer.
    pub fn wait_for(&self, count: usize, deadline: Instant, cancelled: &AtomicBool) -> Result<(), Silence> {
        self.wait(count, deadline, cancelled).map(|_| ())
    }

    fn wait(&self, count: usize, deadline: Instant, cancelled: &AtomicBool) -> Result<MutexGuard<'_, State>, Silence> {
        let mut state = self.lock();
        state.wanted = count;
        loop {
            if state.answers.len() >= count {
                return Ok(state);
            }
            if state.closed {
                return Err(Silence::Closed);
            }
            if cancelled.load(Ordering::Relaxed) {
                return Err(Silence::Cancelled);
            }
            let patience = deadline.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return Err(Silence::Timeout);
            }
            let slice = patience.min(CANCEL_INTERVAL);
            state = self.changed.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the `info` lines that were read up to this time.
    pub fn take_infos(&self, until: Instant) -> Vec<String> {
        let mut state = self.lock();
        let count = state.infos.iter().take_while(|line| line.at <= until).count();
        state.infos.drain(..count).map(|line| line.text).collect()
    }

    /// Forgets all lines.
    pub fn clear(&self) {
        let mut state = self.lock();
        state.infos.clear();
        state.answers.clear();
    }

    /// Fills the queue from an engine's output until that ends. `log` sees every line.
    pub fn fill_from(&self, output: impl Read, mut log: impl FnMut(&str)) {
        read_lines(output, |line| {
            log(&line);
            self.push(line);
        });
        self.close();
    }
}

fn push_bounded(queue: &mut VecDeque<Line>, line: Line) {
    if queue.len() == MAX_LINES {
        queue.pop_front();
    }
    queue.push_back(line);
}

/// Calls `take` with each line until the output ends or fails.
pub fn read_lines(mut output: impl Read, mut take: impl FnMut(String)) {
    let mut buffer = vec![0; 1 << 14];
    let mut line = Vec::new();
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        for chunk in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE_LENGTH.saturating_sub(line.len());
            let text = chunk.strip_suffix(b"\n").unwrap_or(chunk);
            line.extend_from_slice(&text[..text.len().min(room)]);
            if text.len() < chunk.len() {
                take(decode(&line));
                line.clear();
            }
        }
    }
    if !line.is_empty() {
        take(decode(&line));
    }
}

fn decode(line: &[u8]) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    static RUNNING: AtomicBool = AtomicBool::new(false);

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(5)
    }

    fn filled(text: &[u8]) -> Lines {
        let lines = Lines::default();
        lines.fill_from(text, |_| ());
        lines
    }

    #[test]
    fn answers_and_infos_are_told_apart() {
        let lines = filled(b"hello\n  info depth 1\r\nreadyok\ninfo depth 2\nbestmove e2e4");
        assert_eq!(lines.wait_for(3, soon(), &RUNNING), Err(Silence::Closed));
        assert_eq!(lines.wait_for(2, soon(), &RUNNING), Ok(()));
        assert_eq!(lines.receive(soon(), &RUNNING).expect("an answer").text, "readyok");
        let best = lines.receive(soon(), &RUNNING).expect("an answer");
        assert_eq!(best.text, "bestmove e2e4");
        assert_eq!(lines.take_infos(best.at), ["  info depth 1", "info depth 2"]);
        assert_eq!(lines.receive(soon(), &RUNNING), Err(Silence::Closed));
    }

    #[test]
    fn waiting_ends_in_time() {
        let lines = Lines::default();
        assert_eq!(lines.receive(soon(), &RUNNING), Err(Silence::Timeout));
        assert_eq!(lines.receive(soon(), &AtomicBool::new(true)), Err(Silence::Cancelled));
        lines.push("readyok".into());
        lines.clear();
        assert_eq!(lines.receive(soon(), &RUNNING), Err(Silence::Timeout));
    }

    #[test]
    fn memory_is_bounded_and_the_newest_lines_stay() {
        let lines = Lines::default();
        for number in 0..3 * MAX_LINES {
            lines.push(format!("info nodes {number}"));
        }
        let kept = lines.take_infos(Instant::now());
        assert_eq!(kept.len(), MAX_LINES);
        assert_eq!(kept.last(), Some(&format!("info nodes {}", 3 * MAX_LINES - 1)));
        let mut seen = Vec::new();
        let long = [vec![b'x'; 3 * MAX_LINE_LENGTH], b"\nnext\n\xff".to_vec()].concat();
        read_lines(long.as_slice(), |line| seen.push(line));
        assert_eq!(seen.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE_LENGTH, 4, 3]);
    }
}
