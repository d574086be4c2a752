//! One engine process: its pipes, the threads that read them, and its end.
//!
//! The process leads a group of its own, which is ended as a whole, so that children of a wrapper script do not stay
//! behind; and it is always waited for, so that no zombie does.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::{Lines, read_lines};
use super::settings::EngineSettings;

/// Where everything an engine says is written, for those who look for a fault.
#[derive(Clone, Debug)]
pub struct EngineLog {
    /// The folder of the logs.
    pub folder: PathBuf,
    /// The beginning of the files' names, different for engines that run at the same time.
    pub stem: String,
}

impl EngineLog {
    fn open(&self, ending: &str) -> io::Result<File> {
        let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
        let name: String = self.stem.chars().map(safe).collect();
        OpenOptions::new().create(true).append(true).open(self.folder.join(format!("{name}.{ending}")))
    }
}

/// A log of lines, or nothing.
#[derive(Debug)]
struct LineLog {
    file: Option<File>,
    start: Instant,
}

impl LineLog {
    fn write(&mut self, mark: &str, line: &str) {
        if let Some(file) = &mut self.file {
            // A full disk must not end a match.
            let _ = writeln!(file, "{:.6} {mark} {line}", self.start.elapsed().as_secs_f64());
        }
    }
}

/// So many of the last lines of an engine's error output are kept, to explain its death.
const LAST_WORDS: usize = 5;

/// A running engine.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Arc<Lines>,
    log: Arc<Mutex<LineLog>>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl EngineProcess {
    /// Starts the engine's process.
    ///
    /// # Errors
    /// When the program cannot be run or the log cannot be opened.
    pub fn start(settings: &EngineSettings, log: Option<&EngineLog>) -> io::Result<EngineProcess> {
        let traffic = log.map(|log| log.open("log")).transpose()?;
        let mut errors = log.map(|log| log.open("stderr")).transpose()?;
        let mut child = command(settings)?.spawn()?;
        let log = Arc::new(Mutex::new(LineLog { file: traffic, start: Instant::now() }));
        let lines = Arc::new(Lines::default());
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(output) = child.stdout.take() {
            let (lines, log) = (Arc::clone(&lines), Arc::clone(&log));
            thread::spawn(move || lines.fill_from(output, |line| lock(&log).write("<", line)));
        }
        if let Some(output) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || {
                read_lines(output, |line| {
                    if let Some(file) = &mut errors {
                        let _ = writeln!(file, "{line}");
                    }
                    remember(&last_words, line);
                });
            });
        }
        let input = child.stdin.take();
        Ok(EngineProcess { child, input, lines, log, last_words })
    }

    /// The lines that the engine has sent.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Sends a line.
    ///
    /// # Errors
    /// When the engine no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        lock(&self.log).write(">", line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        // One write for a line: the engine must not wake for half of it.
        input.write_all(format!("{line}\n").as_bytes())
    }

    /// The last lines of the engine's error output.
    pub fn last_words(&self) -> String {
        lock(&self.last_words).iter().cloned().collect::<Vec<_>>().join(" | ")
    }

    /// Asks the engine to quit and waits a moment for it. Dropping the process then ends what is left.
    pub fn quit(mut self, patience: Duration) {
        let _ = self.send("quit");
        self.input = None;
        let deadline = Instant::now() + patience;
        while !self.has_exited() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether the process has ended, though a child of it may still hold its output open.
    pub fn has_exited(&mut self) -> bool {
        // Without waiting for it: the process must stay known until its group has been ended.
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let process = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            process.is_none_or(|process| !matches!(waitid(WaitId::Pid(process), options), Ok(None)))
        }
        #[cfg(not(unix))]
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the whole group. The group exists for as long as its leader has not been waited for, so no stranger is hit.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let group = rustix::process::Pid::from_raw(group);
            group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
        }
        let _ = self.child.kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remember(last_words: &Mutex<VecDeque<String>>, line: String) {
    let mut last_words = lock(last_words);
    if last_words.len() == LAST_WORDS {
        last_words.pop_front();
    }
    last_words.push_back(line.chars().take(200).collect());
}

fn command(settings: &EngineSettings) -> io::Result<Command> {
    let mut command = Command::new(program_path(&settings.command)?);
    command
        .args(&settings.arguments)
        .envs(settings.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = &settings.directory {
        command.current_dir(directory);
    }
    // Apart from its use at the end, a group of its own keeps a terminal's Ctrl-C from the engines.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// A path with folders is meant from here, not from the folder in which the engine will run.
fn program_path(command: &Path) -> io::Result<PathBuf> {
    if command.components().count() > 1 { std::fs::canonicalize(command) } else { Ok(command.into()) }
}
