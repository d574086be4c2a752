//! The program as a client sees it: a child process with pipes.
//!
//! Nothing here can hang: every wait has an end, and the child is killed when its handle goes.

pub mod info;
pub mod searched;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use searched::Searched;

/// A wait that is longer than this has failed. It only guards against hanging, and measures nothing.
pub const DEADLINE: Duration = Duration::from_secs(120);
/// "At once", on a machine that is busy with other things.
pub const PROMPT: Duration = Duration::from_secs(2);
/// Long enough for a line that must not come to come.
pub const WHILE: Duration = Duration::from_millis(150);

/// A running engine.
pub struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines of the running search that were already looked at.
    seen: Vec<String>,
    errors: Option<JoinHandle<String>>,
}

/// A process that has ended.
pub struct Ended {
    /// How.
    pub status: ExitStatus,
    /// What it printed and nobody has read.
    pub lines: Vec<String>,
    /// What it wrote to standard error.
    pub errors: String,
}

/// The path of the program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_luft");

impl EngineProcess {
    /// Starts a session.
    pub fn start() -> EngineProcess {
        EngineProcess::start_command(&mut Command::new(PROGRAM))
    }

    /// Starts the program with arguments.
    pub fn start_with(arguments: &[&str]) -> EngineProcess {
        EngineProcess::start_command(Command::new(PROGRAM).args(arguments))
    }

    /// Starts a command that ends up running the program.
    pub fn start_command(command: &mut Command) -> EngineProcess {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the program starts");
        let output = child.stdout.take().expect("stdout is a pipe");
        let mut errors = child.stderr.take().expect("stderr is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        EngineProcess { input: child.stdin.take(), child, lines, seen: Vec::new(), errors: Some(errors) }
    }

    /// The number of the process, as the system knows it.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends one or several lines.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.try_send(bytes).expect("the engine reads");
    }

    /// Sends bytes to an engine that may be gone.
    pub fn try_send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes)?;
        input.flush()
    }

    /// The next line, if it comes within the time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has closed its output"),
        }
    }

    /// All lines up to and with the first that begins so.
    pub fn read_until(&mut self, beginning: &str) -> Vec<String> {
        self.read_within(beginning, DEADLINE)
    }

    /// As `read_until`, but it has to come within the time.
    pub fn read_within(&mut self, beginning: &str, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.line_within(end.saturating_duration_since(Instant::now())) else {
                panic!("no '{beginning}' within {time:?} after {lines:#?}");
            };
            let found = line.starts_with(beginning);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends lines and `isready`, and returns what is printed before `readyok`.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("{text}\nisready"));
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines to which nothing may be answered.
    pub fn tell(&mut self, text: &str) {
        assert_eq!(self.ask(text), Vec::<String>::new(), "answers to '{text}'");
    }

    /// The one error line that these lines give.
    pub fn error_of(&mut self, text: &str) -> String {
        let lines = self.ask(text);
        let [line] = lines.as_slice() else { panic!("not one line after '{text}': {lines:#?}") };
        let error = line.strip_prefix("info string error: ");
        error.unwrap_or_else(|| panic!("no error after '{text}': {line}")).to_string()
    }

    /// The FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let fen = lines.iter().find_map(|line| line.strip_prefix("FEN: "));
        fen.expect("d shows a FEN").to_string()
    }

    /// Sends `go` with these parameters and waits for the end of the search.
    pub fn go(&mut self, parameters: &str) -> Searched {
        self.send(&format!("go {parameters}"));
        let by_clock = ["time", "inc", "movestogo"].iter().any(|word| parameters.contains(word));
        Searched { hurried: by_clock, ..self.finish_search() }
    }

    /// Reads to the end of the running search.
    pub fn finish_search(&mut self) -> Searched {
        self.finish_search_within(DEADLINE)
    }

    fn finish_search_within(&mut self, time: Duration) -> Searched {
        let mut lines = std::mem::take(&mut self.seen);
        lines.extend(self.read_within("bestmove", time));
        Searched::read(&lines)
    }

    /// Sends `stop`, which must end the search at once.
    pub fn stop(&mut self) -> Searched {
        self.send("stop");
        self.finish_search_within(PROMPT)
    }

    /// Waits a while, in which no `bestmove` may come. What comes counts as part of the running search; returns how many
    /// lines that are.
    pub fn no_best_move(&mut self) -> usize {
        let end = Instant::now() + WHILE;
        while let Some(line) = self.line_within(end.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "too early: {line}");
            self.seen.push(line);
        }
        self.seen.len()
    }

    /// The identity of the process for the system.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the reading end of the engine's output, at the latest when it prints its next line.
    pub fn close_output(&mut self) {
        // Without a receiver the reading thread ends at the next line, and the pipe with it.
        self.lines = channel().1;
    }

    /// Closes the input and waits for the end of the process.
    pub fn end(mut self) -> Ended {
        self.input = None;
        let limit = Instant::now() + DEADLINE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break status;
            }
            assert!(Instant::now() < limit, "the process does not end");
            thread::sleep(Duration::from_millis(2));
        };
        let lines = std::mem::take(&mut self.seen).into_iter().chain(self.lines.iter()).collect();
        let errors = self.errors.take().and_then(|reader| reader.join().ok()).expect("stderr can be read");
        Ended { status, lines, errors }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a test with a session, which afterwards must end in order and have said nothing on standard error.
pub fn with_session(test: impl FnOnce(&mut EngineProcess)) {
    let mut engine = EngineProcess::start();
    test(&mut engine);
    let ended = engine.end();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.errors);
    assert_eq!(ended.errors, "");
}

/// What the program prints for these arguments; it must succeed.
pub fn output_of(arguments: &[&str]) -> Vec<String> {
    let ended = EngineProcess::start_with(arguments).end();
    assert!(ended.status.success(), "{arguments:?}: {:?} {:#?} {}", ended.status, ended.lines, ended.errors);
    assert_eq!(ended.errors, "");
    ended.lines
}
