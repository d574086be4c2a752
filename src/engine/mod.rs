//! The engine as the outside sees it: a game, options, and a search that runs beside its owner.
//!
//! [`Engine`] never blocks on a search: [`Engine::go`] returns at once, everything that happens comes as
//! [`Notice`]s through the function given at the start, and exactly one [`Notice::Finished`] ends each search. Whoever
//! owns an engine changes game and options only between searches.

mod allocator;
pub mod bench;
mod crew;
mod desk;
mod node_clock;
mod options;
mod pool;
mod vote;
mod worker_thread;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::chess::{Game, Position};
use crate::nnue::Network;
use crate::search::{Event, Handicap, Limits, SearchResult, Settings, Signals};
use crate::syzygy::{Tablebase, TablebaseError};
use crate::transposition::{AllocationError, TranspositionTable};
pub use allocator::give_back_large_blocks;
use crew::SearchJob;
use node_clock::NodeClock;
pub use options::{OptionRange, Options};
use worker_thread::Job;

/// Stack of a thread that searches: room for the deepest line several times over. A ply takes about 6 KiB where assertions
/// are checked (measured: 296 KiB for a line of 50), so the deepest line takes less than 2 MiB.
pub const STACK_BYTES: usize = 16 << 20;

/// Size of the table of a search with a handicap, which is short, in MiB.
const LIMITED_HASH_MIB: usize = 4;
/// Size of the table of a proof of a mate, in MiB, unless the table of other searches is smaller.
const PROOF_HASH_MIB: usize = 64;

/// A number that differs from call to call and run to run.
fn random_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

/// Something the engine tells its owner.
#[derive(Clone, Debug)]
pub enum Notice {
    /// The running search has news.
    Search(Event),
    /// The search has ended.
    Finished(SearchResult),
    /// A task given to [`Engine::run_task`] has ended.
    TaskDone,
    /// A task has failed by a fault of the program; that it has ended is told as well.
    TaskFailed,
    /// A worker has failed by a fault of the program, and begins afresh. What runs goes on without it.
    WorkerFailed {
        /// Which one, 0 for the leader.
        worker: usize,
    },
}

/// Work other than a search that runs on the engine's thread. It should watch the signals for a stop.
pub type Task = Box<dyn FnOnce(&Arc<Signals>) + Send>;

/// An engine with its own searching threads.
pub struct Engine {
    game: Game,
    options: Options,
    node_clock: NodeClock,
    /// Makes the errors of a limited player differ from game to game.
    game_seed: u64,
    table: Arc<TranspositionTable>,
    /// Whether a search may have left something in the table.
    table_used: bool,
    network: Arc<Network>,
    signals: Arc<Signals>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    /// An engine at the initial position with default options, which tells its news to `tell`.
    ///
    /// # Errors
    /// When there is no memory for the hash table, or no thread to search.
    pub fn new(tell: impl FnMut(Notice) + Send + 'static) -> io::Result<Engine> {
        let options = Options::default();
        let table = Arc::new(TranspositionTable::new(options.hash_mib).map_err(io::Error::other)?);
        let network = Arc::new(Network::embedded().map_err(io::Error::other)?);
        let signals = Arc::new(Signals::default());
        let (jobs, inbox) = channel();
        let thread = worker_thread::spawn(inbox, Arc::clone(&signals), tell)?;
        let game = Game::new(Position::initial());
        Ok(Engine {
            game,
            options,
            node_clock: NodeClock::default(),
            game_seed: random_seed(),
            table,
            table_used: false,
            network,
            signals,
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The options as they are.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options, to change those that need no more than that.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Stands at the end of this game from now on.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Gives the hash table this many MiB. What it knew is lost.
    ///
    /// # Errors
    /// When there is no memory; table and option stay as they were.
    pub fn resize_hash(&mut self, mib: usize) -> Result<(), AllocationError> {
        // Nothing of the new memory is touched before the old is given back: both at once might be more than there is. Then
        // all of it is, now, when no clock runs: later each page would cost the search a moment.
        self.table = Arc::new(TranspositionTable::new(mib)?);
        self.empty_table();
        self.options.hash_mib = mib;
        Ok(())
    }

    /// From the next search on this many threads search. They are created once and wait between searches.
    ///
    /// # Errors
    /// When the system refuses a thread; threads and option stay as they were.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        let (reply, answer) = channel();
        self.send(Job::SetThreads { threads, reply });
        answer.recv().map_err(io::Error::other)??;
        self.options.threads = threads;
        Ok(())
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates with this network from the next search on. What was learned with another one is
    /// forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.new_game();
    }

    /// Uses the endgame tables of a list of folders from the next search on, or none. What the hash table has learned with
    /// others is forgotten.
    ///
    /// # Errors
    /// When the tables cannot be used; those in use stay.
    pub fn set_tablebase(&mut self, folders: Option<&Path>) -> Result<(), TablebaseError> {
        let held = &mut self.options.tablebase.tables;
        match folders {
            Some(folders) => Tablebase::replace(held, folders)?,
            None => Tablebase::give_back(held),
        }
        self.clear_hash();
        Ok(())
    }

    /// Whether what endgame tables say heeds the fifty-move rule. What the hash table has learned by the other rule is
    /// forgotten.
    pub fn count_fifty_moves(&mut self, fifty_moves: bool) {
        if self.options.tablebase.fifty_moves != fifty_moves {
            self.options.tablebase.fifty_moves = fifty_moves;
            self.clear_hash();
        }
    }

    /// Forgets what the hash table knows, using all processors. Without a search since the last time there is nothing to do:
    /// clients say it twice.
    pub fn clear_hash(&mut self) {
        if self.table_used {
            self.empty_table();
        }
    }

    fn empty_table(&mut self) {
        self.table.clear(thread::available_parallelism().map_or(1, usize::from));
        self.table_used = false;
    }

    /// The next game has nothing to do with the last: forgets all that was learned.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.node_clock = NodeClock::default();
        self.game_seed = random_seed();
        self.send(Job::Forget);
    }

    /// Begins a search of the present position. Time is counted as the options say. The owner passes the result to
    /// [`Engine::settle`].
    pub fn go(&mut self, mut limits: Limits) {
        let started = Instant::now();
        limits.nodes_per_ms = NonZeroU64::new(self.options.nodes_per_ms as u64);
        if limits.nodes_per_ms.is_some() {
            limits.clock = limits.clock.map(|clock| self.node_clock.wind(&self.game, clock));
        }
        limits.handicap = self.handicap(&limits);
        limits.uses_opponents_time = self.options.ponder;
        self.signals.reset(limits.ponder);
        let table = self.table_for(&limits);
        table.start_search();
        self.table_used |= Arc::ptr_eq(&table, &self.table);
        let settings = Settings {
            table,
            network: Arc::clone(&self.network),
            multi_pv: self.options.multi_pv,
            move_overhead: self.options.move_overhead(),
            params: self.options.params.clone(),
            tablebase: self.options.tablebase.clone(),
        };
        let signals = Arc::clone(&self.signals);
        let job = SearchJob { game: self.game.clone(), limits, settings, signals, started };
        self.send(Job::Search(Box::new(job)));
    }

    /// The handicap of a search that answers to an opponent; none for analysis and proofs. Where time is counted in nodes,
    /// games repeat exactly, errors included.
    fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        let options = &self.options;
        let plays = !options.analyse_mode && !limits.is_endless() && limits.mate.is_none();
        let seed = if limits.nodes_per_ms.is_some() { 0 } else { self.game_seed };
        (options.limit_strength && plays).then(|| Handicap::of_rating(options.elo, seed))
    }

    /// The table for a search. With a handicap it is a small one of its own, so that errors stay out of the other; without
    /// memory for that, the other still keeps the rules. A proof has its own, too: it leaves nothing out, and what other
    /// searches have left in a table is no proof; without memory for that, the other has to be cleared.
    fn table_for(&mut self, limits: &Limits) -> Arc<TranspositionTable> {
        let size = match (limits.mate, limits.handicap) {
            (Some(_), _) => Some(PROOF_HASH_MIB.min(self.options.hash_mib)),
            (None, handicap) => handicap.map(|_| LIMITED_HASH_MIB),
        };
        if let Some(own) = size.and_then(|mib| TranspositionTable::new(mib).ok()) {
            return Arc::new(own);
        }
        if limits.mate.is_some() {
            self.clear_hash();
        }
        Arc::clone(&self.table)
    }

    /// A search has ended: where time is counted in nodes, the engine keeps its clock by its own count.
    pub fn settle(&mut self, result: &SearchResult) {
        self.node_clock.spend(result.clock_time);
    }

    /// Sets how many nodes count as a millisecond, 0 for real time. The clock is asked for anew.
    pub fn count_time_in_nodes(&mut self, nodes_per_ms: usize) {
        self.options.nodes_per_ms = nodes_per_ms;
        self.node_clock = NodeClock::default();
    }

    /// Whether the engine's thread is there. If it is gone, by a fault of the program, nothing that runs will ever end.
    pub fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// A new thread in the place of one that is gone, and as many helpers as there were, if they can be had: the options say
    /// how many threads there are then. Game, table and network stay.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn revive(&mut self, tell: impl FnMut(Notice) + Send + 'static) -> io::Result<()> {
        let (jobs, inbox) = channel();
        self.thread = Some(worker_thread::spawn(inbox, Arc::clone(&self.signals), tell)?);
        self.jobs = Some(jobs);
        let threads = std::mem::replace(&mut self.options.threads, 1);
        // One is there; fewer than before is no reason to give up.
        let _ = self.set_threads(threads);
        Ok(())
    }

    /// Ends the engine's thread, as no fault known of does.
    #[cfg(test)]
    pub(crate) fn lose_thread(&self) {
        self.send(Job::End);
    }

    /// Runs other work on the engine's thread.
    pub fn run_task(&mut self, task: Task) {
        self.signals.reset(false);
        self.send(Job::Task(task));
    }

    /// Ends the running search or task as soon as possible. Without one does nothing: the next begins afresh.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// The move on which the running search ponders has been played.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread ends only after the sender is dropped, so there is always a receiver.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Engine {
    /// Stops the search and waits for its thread.
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
