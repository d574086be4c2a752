//! Speaks UCI with one engine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::lines::{Line, Silence};
use super::player::{Answer, Fault, Player, Question};
use super::process::{EngineLog, EngineProcess};
use super::settings::EngineSettings;

/// How long the engine may take for answers other than moves.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the start of the process to `uciok`, and to the first `readyok`.
    pub start: Duration,
    /// From `isready` to `readyok`, also after `ucinewgame` and after `stop`.
    pub ping: Duration,
}

/// Why an engine cannot be used.
#[derive(Debug)]
pub enum StartError {
    /// The process cannot be started.
    Process(std::io::Error),
    /// It ended before it was ready; its last words on the error output.
    Died(String),
    /// It did not say `uciok` or `readyok` in time.
    Silent,
    /// It has no option of this name.
    UnknownOption(String),
    /// It does not play Chess960, and an opening needs it.
    NoChess960,
    /// The match is being stopped.
    Cancelled,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Process(error) => write!(f, "cannot be started: {error}"),
            StartError::Died(words) if words.is_empty() => write!(f, "ended before it was ready"),
            StartError::Died(words) => write!(f, "ended before it was ready: {words}"),
            StartError::Silent => write!(f, "did not answer in time"),
            StartError::UnknownOption(name) => write!(f, "has no option '{name}'"),
            StartError::NoChess960 => write!(f, "has no option UCI_Chess960, which an opening needs"),
            StartError::Cancelled => write!(f, "stopped"),
        }
    }
}

impl std::error::Error for StartError {}

/// An engine that is ready to play.
#[derive(Debug)]
pub struct UciClient {
    process: EngineProcess,
    /// The option names that the engine has told.
    options: Vec<String>,
    patience: Patience,
    cancelled: Arc<AtomicBool>,
    chess960: bool,
    /// A `bestmove` is still to come.
    is_searching: bool,
    /// It has died, does not answer, or talks at the wrong time: not to be used again.
    is_lost: bool,
}

impl UciClient {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// See [`StartError`].
    pub fn start(
        settings: &EngineSettings,
        patience: Patience,
        log: Option<&EngineLog>,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<UciClient, StartError> {
        let process = EngineProcess::start(settings, log).map_err(StartError::Process)?;
        let mut client = UciClient {
            process,
            options: Vec::new(),
            patience,
            cancelled: Arc::clone(cancelled),
            chess960: false,
            is_searching: false,
            is_lost: false,
        };
        client.introduce()?;
        for (name, value) in &settings.options {
            client.set_option(name, value)?;
        }
        client.ping(patience.start).map_err(|fault| client.start_error(fault))?;
        Ok(client)
    }

    fn introduce(&mut self) -> Result<(), StartError> {
        self.send("uci").map_err(|fault| self.start_error(fault))?;
        let deadline = Instant::now() + self.patience.start;
        loop {
            let line = self.receive(deadline).map_err(|fault| self.start_error(fault))?;
            let line = line.trim();
            if line == "uciok" {
                return Ok(());
            }
            self.options.extend(option_name(line));
        }
    }

    fn start_error(&self, fault: Fault) -> StartError {
        match fault {
            Fault::Died => StartError::Died(self.last_words()),
            Fault::Cancelled => StartError::Cancelled,
            Fault::Stalled | Fault::OutOfPatience => StartError::Silent,
        }
    }

    /// The name under which the engine knows an option, whatever the case of its letters.
    fn known_option(&self, name: &str) -> Option<&str> {
        self.options.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        let name = self.known_option(name).ok_or_else(|| StartError::UnknownOption(name.into()))?;
        let command = if value.is_empty() {
            format!("setoption name {name}")
        } else {
            format!("setoption name {name} value {value}")
        };
        self.send(&command).map_err(|fault| self.start_error(fault))
    }

    /// Prepares for a game.
    ///
    /// # Errors
    /// When the engine has died or does not answer, or lacks Chess960.
    pub fn new_game(&mut self, chess960: bool) -> Result<(), StartError> {
        if chess960 != self.chess960 {
            let value = if chess960 { "true" } else { "false" };
            self.set_option("UCI_Chess960", value).map_err(|error| match error {
                StartError::UnknownOption(_) => StartError::NoChess960,
                error => error,
            })?;
            self.chess960 = chess960;
        }
        self.send("ucinewgame")
            .and_then(|()| self.ping(self.patience.ping))
            .map_err(|fault| self.start_error(fault))?;
        Ok(())
    }

    /// Brings a search that is still running to its end after a game. Returns whether the engine obeyed.
    pub fn settle(&mut self) -> bool {
        if self.is_searching && !self.is_lost {
            let deadline = Instant::now() + self.patience.ping;
            let answered = self.send("stop").and_then(|()| self.await_word("bestmove", deadline));
            self.is_searching = false;
            self.is_lost |= answered.is_err();
            return answered.is_ok();
        }
        true
    }

    /// Whether the engine can play another game.
    pub fn is_usable(&self) -> bool {
        !self.is_lost
    }

    /// Whether the engine knows Chess960.
    pub fn plays_chess960(&self) -> bool {
        self.known_option("UCI_Chess960").is_some()
    }

    /// The last lines of the engine's error output.
    pub fn last_words(&self) -> String {
        // The error output may arrive a little after the end of the other one.
        std::thread::sleep(Duration::from_millis(20));
        self.process.last_words()
    }

    /// Ends the engine.
    pub fn quit(self) {
        let patience = if self.is_lost { Duration::ZERO } else { QUIT_PATIENCE };
        self.process.quit(patience);
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.process.send(line).map_err(|_| self.lose(Fault::Died))
    }

    fn lose(&mut self, fault: Fault) -> Fault {
        self.is_lost = true;
        fault
    }

    /// The next answer of any kind.
    fn receive(&mut self, deadline: Instant) -> Result<String, Fault> {
        match self.process.lines().receive(deadline, &self.cancelled) {
            Ok(line) => Ok(line.text),
            Err(silence) => Err(self.fault(silence)),
        }
    }

    fn fault(&mut self, silence: Silence) -> Fault {
        match silence {
            Silence::Closed => self.lose(Fault::Died),
            Silence::Cancelled => Fault::Cancelled,
            Silence::Timeout if self.process.has_exited() => self.lose(Fault::Died),
            Silence::Timeout => Fault::OutOfPatience,
        }
    }

    /// Waits for a line that begins with this word. Returns it with the time at which it was read.
    fn await_word(&mut self, word: &str, deadline: Instant) -> Result<Line, Fault> {
        loop {
            match self.process.lines().receive(deadline, &self.cancelled) {
                Ok(line) if line.text.split_ascii_whitespace().next() == Some(word) => return Ok(line),
                Ok(_) => {}
                Err(silence) => return Err(self.fault(silence)),
            }
        }
    }

    /// Asks whether the engine is there.
    fn ping(&mut self, patience: Duration) -> Result<(), Fault> {
        self.send("isready")?;
        self.await_ready(Instant::now() + patience).map(|_| ())
    }

    /// Sends a position between two `isready`. Returns the longest time that an answer to one of them took.
    ///
    /// The three lines go out together: that spares the two processes a change of turns, and is as good as waiting
    /// between them.
    fn set_position(&mut self, position: &str) -> Result<Duration, Fault> {
        let start = Instant::now();
        self.send(&format!("isready\n{position}\nisready"))?;
        let deadline = start + self.patience.ping;
        // Not to wake for the first answer alone; if the second fails to come, the waits below say what is wrong.
        let _ = self.process.lines().wait_for(2, deadline, &self.cancelled);
        let before = self.await_ready(deadline)?;
        let after = self.await_ready(deadline)?;
        self.process.lines().clear();
        Ok(before.saturating_duration_since(start).max(after.saturating_duration_since(before)))
    }

    /// Waits for `readyok`. Returns when it was read.
    fn await_ready(&mut self, deadline: Instant) -> Result<Instant, Fault> {
        self.await_word("readyok", deadline).map(|line| line.at).map_err(|fault| match fault {
            Fault::OutOfPatience => self.lose(Fault::Stalled),
            fault => fault,
        })
    }
}

/// How long an engine may take to end itself.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

impl Player for UciClient {
    fn think(&mut self, question: Question<'_>) -> Result<Answer, Fault> {
        // What was said since the last move, and a second `bestmove`, belongs to no question.
        self.process.lines().clear();
        let slowest_ping = self.set_position(question.position)?;
        let start = Instant::now();
        self.send(question.go)?;
        self.is_searching = true;
        let best = self.await_word("bestmove", start + question.patience)?;
        self.is_searching = false;
        Ok(Answer {
            lines: self.process.lines().take_infos(best.at),
            best: best.text,
            elapsed: best.at.saturating_duration_since(start),
            slowest_ping,
        })
    }
}

/// The name in an `option name NAME type ...` line.
fn option_name(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("option"), Some("name")) {
        return None;
    }
    let name: Vec<&str> = words.take_while(|&word| word != "type").collect();
    (!name.is_empty()).then(|| name.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_may_have_several_words() {
        assert_eq!(option_name("option name Move Overhead type spin default 10"), Some("Move Overhead".into()));
        assert_eq!(option_name("option name  Clear  Hash type button"), Some("Clear Hash".into()));
        assert_eq!(option_name("option name type check"), None);
        assert_eq!(option_name("id name type"), None);
    }
}
