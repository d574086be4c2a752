//! The debug log: every line in and out with the time since the log was opened.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::time::Instant;

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// A file that lines are appended to, or nothing.
#[derive(Default)]
pub(super) struct DebugLog(Option<(BufWriter<File>, Instant)>);

impl DebugLog {
    /// A log that appends to the file at this path, which is made if it is not there.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(super) fn open(path: &str) -> io::Result<DebugLog> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(DebugLog(Some((BufWriter::new(file), Instant::now()))))
    }

    /// Writes a line through to the file. A log that cannot be written any more is closed: play goes on.
    pub(super) fn line(&mut self, direction: Direction, text: &str) {
        let Some((file, opened)) = &mut self.0 else {
            return;
        };
        let arrow = if direction == Direction::In { ">>" } else { "<<" };
        let seconds = opened.elapsed().as_secs_f64();
        if writeln!(file, "{seconds:>12.6} {arrow} {text}").and_then(|()| file.flush()).is_err() {
            self.0 = None;
        }
    }
}
