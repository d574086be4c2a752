//! The bench: fixed positions to a fixed depth. Its node count is the fingerprint of the search, its speed a measure.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::crew::{Crew, SearchJob};
use crate::chess::notation::parse_fen;
use crate::chess::{Game, Position};
use crate::nnue::Network;
use crate::search::{Limits, Params, Settings, Signals};
use crate::transposition::TranspositionTable;

/// Depth of the standard bench.
pub const DEPTH: i32 = 12;
/// Hash size of the standard bench in MiB.
pub const HASH_MIB: usize = 16;

/// The positions: openings, middlegames and endgames of many kinds, some of Chess960.
pub const POSITIONS: [&str; 40] = include!("bench_positions.in");

/// What one position of the bench took.
#[derive(Clone, Copy, Debug)]
pub struct BenchStep {
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// What a bench searches with.
#[derive(Clone, Copy, Debug)]
pub struct BenchSettings {
    /// Depth of each search.
    pub depth: i32,
    /// Threads that search. Only with one does the count of nodes repeat.
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash_mib: usize,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings { depth: DEPTH, threads: 1, hash_mib: HASH_MIB }
    }
}

/// Searches every position with workers and a table of its own, each as a new game, and tells each step. Ends early when the
/// signals say stop.
///
/// # Errors
/// When there is no memory for the table, or no thread.
pub fn run(
    bench: BenchSettings,
    network: &Arc<Network>,
    signals: &Arc<Signals>,
    mut tell: impl FnMut(&Position, BenchStep),
) -> io::Result<()> {
    let table = Arc::new(TranspositionTable::new(bench.hash_mib).map_err(io::Error::other)?);
    let mut crew = Crew::new();
    crew.set_threads(bench.threads)?;
    for position in POSITIONS.iter().filter_map(|fen| parse_fen(fen).ok()) {
        if signals.is_stopped() {
            break;
        }
        crew.forget();
        table.clear(bench.threads);
        table.start_search();
        let settings = Settings {
            table: Arc::clone(&table),
            network: Arc::clone(network),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
        };
        let limits = Limits { depth: Some(bench.depth), ..Limits::default() };
        let (game, started) = (Game::new(position), Instant::now());
        let job = SearchJob { game, limits, settings, signals: Arc::clone(signals), started };
        let result = crew.search(job, &mut |_| ());
        tell(&position, BenchStep { nodes: result.nodes, time: started.elapsed() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_valid_and_counts_repeat() {
        assert!(POSITIONS.iter().all(|fen| parse_fen(fen).is_ok_and(|position| position.has_legal_move())));
        let network = Arc::new(Network::embedded().unwrap());
        let count = |threads| {
            let mut nodes = Vec::new();
            let bench = BenchSettings { depth: 4, threads, hash_mib: 1 };
            run(bench, &network, &Arc::default(), |_, step| nodes.push(step.nodes)).unwrap();
            nodes
        };
        let first = count(1);
        assert_eq!(first.len(), POSITIONS.len());
        assert_eq!(first, count(1));
        assert_eq!(count(3).len(), POSITIONS.len());
    }
}
