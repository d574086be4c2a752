//! What a game asks of a player, so that games can be played by processes and, in tests, by anything.

use std::time::Duration;

/// A position to think about, in UCI's own words.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The `position` command.
    pub position: &'a str,
    /// The `go` command.
    pub go: &'a str,
    /// How long to wait for the move.
    pub patience: Duration,
}

/// What a player said.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The `info` lines, as sent.
    pub lines: Vec<String>,
    /// The `bestmove` line, as sent.
    pub best: String,
    /// From sending `go` to reading `bestmove`.
    pub elapsed: Duration,
    /// The longest time it took to answer `isready` before the search.
    pub slowest_ping: Duration,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The player is gone.
    Died,
    /// `isready` was not answered in time.
    Stalled,
    /// No move came within the question's patience.
    OutOfPatience,
    /// The match is being stopped; nobody is at fault.
    Cancelled,
}

/// Somebody who can be asked for moves.
pub trait Player {
    /// Asks for a move and waits for it.
    ///
    /// # Errors
    /// [`Fault`], when none comes.
    fn think(&mut self, question: Question<'_>) -> Result<Answer, Fault>;
}
