//! An engine of its own for work beside the session's: other options, another table, and nothing learned from it or left
//! behind in it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::chess::Game;
use crate::engine::{Engine, Notice};
use crate::nnue::Network;
use crate::search::{Limits, SearchResult, Signals};

/// How often a task looks whether it was told to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// An engine that answers one question after the other.
pub(super) struct InnerEngine {
    engine: Engine,
    notices: Receiver<Notice>,
}

impl InnerEngine {
    /// An engine with this table and network.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub(super) fn new(hash_mib: usize, threads: usize, network: &Arc<Network>) -> io::Result<InnerEngine> {
        let (sender, notices) = channel();
        let mut engine = Engine::new(move |notice| drop(sender.send(notice)))?;
        engine.resize_hash(hash_mib).map_err(io::Error::other)?;
        engine.set_threads(threads)?;
        engine.set_network(Arc::clone(network));
        Ok(InnerEngine { engine, notices })
    }

    /// The next search has nothing to do with those before.
    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches the end of the game; none when told to stop on the way, or when the engine is gone.
    pub(super) fn search(&mut self, game: &Game, limits: Limits, signals: &Signals) -> Option<SearchResult> {
        self.engine.set_game(game.clone());
        self.engine.go(limits);
        loop {
            let notice = self.notices.recv_timeout(BETWEEN_LOOKS);
            // After news as well as after silence: a search with much to tell is never silent for so long.
            if signals.is_stopped() {
                self.engine.stop();
            }
            match notice {
                Ok(Notice::Finished(result)) => return (!signals.is_stopped()).then_some(result),
                Err(RecvTimeoutError::Disconnected) => return None,
                _ => {}
            }
        }
    }
}
