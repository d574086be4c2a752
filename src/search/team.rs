//! What the workers of one search share besides table, network, signals and milestones: how many nodes each has searched,
//! how many positions endgame tables knew, and whether the search is over. Every worker writes its counts alone, in cache
//! lines of its own.

use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What one worker counts. Processors fetch cache lines in pairs, so it keeps two to itself.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counts {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

const _: () = assert!(size_of::<Counts>().is_multiple_of(128) && align_of::<Counts>() == 128);

/// The workers of one search. The first is the leader: it decides how long to search, and reports.
#[derive(Debug)]
pub struct Team {
    counts: Box<[Counts]>,
    over: AtomicBool,
}

impl Team {
    /// A team of this many workers, at least one.
    pub fn new(workers: usize) -> Team {
        let counts = (0..workers.max(1)).map(|_| Counts::default()).collect();
        Team { counts, over: AtomicBool::new(false) }
    }

    /// The place of the worker with this number, 0 for the leader.
    ///
    /// # Panics
    /// When the team is smaller.
    pub fn seat(&self, number: usize) -> Seat<'_> {
        Seat { team: self, own: &self.counts[number], is_leader: number == 0 }
    }

    /// Ends the search of all workers as soon as possible.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Nodes that all workers have published.
    pub fn nodes(&self) -> u64 {
        self.counts.iter().map(|count| count.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Positions that endgame tables knew, by all workers.
    pub fn tablebase_hits(&self) -> u64 {
        self.counts.iter().map(|count| count.tablebase_hits.load(Ordering::Relaxed)).sum()
    }
}

/// One worker's place in a team.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    team: &'a Team,
    own: &'a Counts,
    is_leader: bool,
}

impl Seat<'_> {
    /// Whether this is the worker that decides and reports.
    pub(super) fn is_leader(&self) -> bool {
        self.is_leader
    }

    /// Whether the search has ended for the whole team.
    pub(super) fn is_over(&self) -> bool {
        self.team.over.load(Ordering::Relaxed)
    }

    /// Ends the search for the whole team.
    pub(super) fn end(&self) {
        self.team.end();
    }

    /// Tells the team how many nodes this worker has searched.
    pub(super) fn publish(&self, nodes: u64) {
        self.own.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Takes note of a hit in an endgame table.
    pub(super) fn count_tablebase_hit(&self) {
        self.own.tablebase_hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Hits of the whole team.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.team.tablebase_hits()
    }

    /// Nodes of the whole team, when this worker has searched so many.
    pub(super) fn team_nodes(&self, own: u64) -> u64 {
        self.publish(own);
        self.team.nodes()
    }
}
