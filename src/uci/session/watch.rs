//! What a session does when nothing comes: it sees that the engine is still there, and that flags fall.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::{Busy, Session};
use crate::uci::response;

/// How often a session that waits for the engine sees whether it is still there.
const ENGINE_CHECK: Duration = Duration::from_millis(500);

impl<W: Write> Session<W> {
    /// How long nothing may come before something is to be done; none for ever.
    pub(super) fn patience(&self) -> Option<Duration> {
        let flag = self.next_flag().map(|at| at.saturating_duration_since(Instant::now()));
        let check = (self.busy != Busy::No).then_some(ENGINE_CHECK);
        flag.into_iter().chain(check).min()
    }

    /// Nothing has come for a while: a flag may have fallen, or the engine be gone.
    pub(super) fn look_around(&mut self) -> io::Result<()> {
        self.tell_fallen_flag()?;
        if self.busy != Busy::No && !self.engine.is_alive() {
            self.bury_engine()?;
        }
        Ok(())
    }

    /// The engine's thread has failed. A search is answered all the same, by what it last told or else any legal move; the
    /// next one finds a new engine.
    fn bury_engine(&mut self) -> io::Result<()> {
        self.print_error(&"the engine has failed, and begins afresh")?;
        if matches!(self.busy, Busy::Searching { .. }) {
            let any = || self.engine.game().position().legal_moves().first().map(|&mv| (mv, None));
            let (best, ponder) = self.told.or_else(any).map_or((None, None), |(mv, reply)| (Some(mv), reply));
            self.print(&response::best_move(best, ponder, self.spelling()))?;
        }
        self.engine.revive(Self::teller(&self.sender))?;
        self.busy = Busy::No;
        self.come_to_rest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    /// Waits for the end of what runs.
    fn finish(session: &mut Session<&mut Vec<u8>>) {
        while session.busy != Busy::No {
            session.wait().unwrap();
        }
    }

    fn search(session: &mut Session<&mut Vec<u8>>) {
        session.begin_search(Limits { depth: Some(3), ..Limits::default() });
        finish(session);
    }

    #[test]
    fn a_search_is_answered_even_when_the_engine_is_gone() {
        let mut output = Vec::new();
        let mut session = Session::new(&mut output).unwrap();
        session.engine.set_threads(3).unwrap();
        session.engine.lose_thread();
        search(&mut session);
        assert!(session.engine.is_alive());
        assert_eq!(session.engine.options().threads, 3);
        search(&mut session);
        drop(session);
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
        assert_eq!(text.matches("info string error: the engine has failed").count(), 1, "{text}");
        let second = text.split_once("bestmove ").unwrap().1;
        assert!(second.contains("info depth 3 "), "{text}");
    }

    #[test]
    fn a_command_that_fails_is_told_and_the_next_search_is_answered() {
        let mut output = Vec::new();
        let mut session = Session::new(&mut output).unwrap();
        session.busy = Busy::Task;
        session.engine.run_task(Box::new(|_| panic!("a fault of the program (this panic belongs to a test)")));
        finish(&mut session);
        search(&mut session);
        drop(session);
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("info string error: the command has failed").count(), 1, "{text}");
        assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
    }
}
