//! What a session waits for: lines from the client, notices from the engine, lines from its own tasks.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;

use crate::engine::Notice;

/// One thing that happened.
pub(super) enum Event {
    /// A line from the client, without its end.
    Line(String),
    /// The client sends nothing more.
    EndOfInput,
    /// News from the engine.
    Engine(Notice),
    /// A line that a task wants to be printed.
    Print(String),
    /// A task has found a failure: the process is to report it when it exits.
    Failed,
}

/// Reads lines on a thread of its own, so that nothing ever blocks the reader. Lines end in LF or CRLF, may be of any
/// length, and bytes that are no UTF-8 become replacement characters.
pub(super) fn read_lines(input: impl Read + Send + 'static, events: Sender<Event>) {
    thread::spawn(move || {
        let mut input = BufReader::new(input);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(count) if count > 0 => {
                    let line = String::from_utf8_lossy(&bytes);
                    let line = line.trim_end_matches(['\n', '\r']);
                    if events.send(Event::Line(line.into())).is_err() {
                        return;
                    }
                }
                _ => break,
            }
        }
        // The session may be gone already, after `quit`.
        let _ = events.send(Event::EndOfInput);
    });
}
