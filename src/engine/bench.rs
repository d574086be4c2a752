//! The bench: fixed positions to a fixed depth. Its node count is the fingerprint of the search, its speed a measure.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chess::notation::parse_fen;
use crate::chess::{Game, Position};
use crate::nnue::Network;
use crate::search::{Limits, Params, Settings, Signals, TablebaseUse, Worker};
use crate::transposition::{AllocationError, TranspositionTable};

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

/// Searches every position to `depth` with one thread and a fresh table of `hash_mib`, each as a new game, and tells each
/// step. Ends early when the signals say stop.
///
/// # Errors
/// When there is no memory for the table.
pub fn run(
    depth: i32,
    hash_mib: usize,
    network: &Arc<Network>,
    signals: &Signals,
    mut tell: impl FnMut(&Position, BenchStep),
) -> Result<(), AllocationError> {
    let table = Arc::new(TranspositionTable::new(hash_mib)?);
    let settings = Settings {
        table: Arc::clone(&table),
        network: Arc::clone(network),
        multi_pv: 1,
        move_overhead: Duration::ZERO,
        params: Params::DEFAULT,
        tablebase: TablebaseUse::default(),
    };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut worker = Worker::new();
    for position in POSITIONS.iter().filter_map(|fen| parse_fen(fen).ok()) {
        if signals.is_stopped() {
            break;
        }
        worker.forget();
        table.clear(1);
        table.start_search();
        let started = Instant::now();
        let result = worker.search(&Game::new(position), &limits, &settings, signals, started, &mut |_| ());
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
        let count = || {
            let mut nodes = Vec::new();
            run(4, 1, &network, &Signals::default(), |_, step| nodes.push(step.nodes)).unwrap();
            nodes
        };
        let first = count();
        assert_eq!(first.len(), POSITIONS.len());
        assert_eq!(first, count());
    }
}
