//! A fixed list of lines, as the arguments of the program are.

use std::io::{self, Read, Write};

use super::{Busy, Session};
use crate::uci::command::Command;
use crate::uci::event::read_lines;

/// A script's ear for the word that ends a search without end.
pub(super) enum ScriptInput {
    /// Nobody has listened yet.
    Unread(Box<dyn Read + Send>),
    /// Lines come as they are sent.
    Listening,
    /// Nothing more will come.
    Ended,
}

impl<W: Write> Session<W> {
    /// Carries out line after line. Only what acts on a running search is said while one runs.
    pub(super) fn play_script(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            let at_once =
                matches!(Command::parse(line), Ok(Some(Command::Stop | Command::PonderHit | Command::IsReady)));
            if !at_once {
                self.wait_for_end()?;
            }
            if self.quitting {
                return Ok(());
            }
            self.line(line)?;
        }
        self.wait_for_end()
    }

    /// Waits until nothing runs, and listens meanwhile if only a word from outside can end it.
    fn wait_for_end(&mut self) -> io::Result<()> {
        while self.busy != Busy::No {
            if matches!(self.busy, Busy::Searching { pondering: true, .. } | Busy::Searching { endless: true, .. }) {
                self.listen();
            }
            self.wait()?;
        }
        Ok(())
    }

    fn listen(&mut self) {
        match self.script_input.take() {
            Some(ScriptInput::Unread(input)) => {
                read_lines(input, self.sender.clone());
                self.script_input = Some(ScriptInput::Listening);
            }
            Some(ScriptInput::Ended) => {
                self.engine.stop();
                self.script_input = Some(ScriptInput::Ended);
            }
            other => self.script_input = other,
        }
    }

    /// The client is gone; or nobody is there to stop the endless search of a script.
    pub(super) fn end_of_input(&mut self) -> io::Result<()> {
        if self.script_input.is_none() {
            return self.quit();
        }
        self.script_input = Some(ScriptInput::Ended);
        self.engine.stop();
        Ok(())
    }
}
