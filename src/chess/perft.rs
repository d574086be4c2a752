//! Perft: counts the leaves of the tree of legal moves, to prove a move generator right and to measure its speed.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Builder};

use super::movegen::Selection;
use super::position::Position;
use super::types::{Move, MoveList};

/// The largest depth that makes sense to ask for: no machine will ever count so far, and deeper trees overflow the stack.
pub const MAX_DEPTH: u32 = 99;

/// The number of different sequences of `depth` legal moves. Depth 0 is 1.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.generate(Selection::All, &mut moves);
            let mut nodes = 0;
            for &mv in &moves {
                let mut next = position.without_keys();
                next.make_keyless(mv);
                nodes += perft(&next, depth - 1);
            }
            nodes
        }
    }
}

/// How a large perft is run.
#[derive(Clone, Copy, Debug)]
pub struct PerftOptions {
    /// Threads that share the work, at least 1.
    pub threads: usize,
    /// Size of the table of subtrees already counted, in MiB; 0 for none.
    pub hash_mib: usize,
}

impl Default for PerftOptions {
    fn default() -> PerftOptions {
        PerftOptions { threads: 1, hash_mib: 0 }
    }
}

/// The leaves below each legal move, in the order of generation, or `None` if `stop` was raised before the end.
///
/// The work is cut into pieces of two plies which the threads take in turn.
///
/// # Errors
/// When there is no memory for the table, or the system refuses a thread.
pub fn divide(
    position: &Position,
    depth: u32,
    options: &PerftOptions,
    stop: &AtomicBool,
) -> io::Result<Option<Vec<(Move, u64)>>> {
    let moves = position.legal_moves();
    if depth <= 1 {
        return Ok(Some(moves.into_iter().map(|mv| (mv, 1)).collect()));
    }
    let counter = TreeCounter { table: SubtreeTable::new(options.hash_mib)?, stop, refused: AtomicBool::new(false) };
    let pieces: Vec<(usize, Position)> = (moves.iter().enumerate())
        .flat_map(|(index, &mv)| {
            let after = position.after(mv);
            let replies = if depth >= 4 { after.legal_moves() } else { Default::default() };
            let whole = (depth < 4).then_some((index, after));
            whole.into_iter().chain(replies.into_iter().map(move |reply| (index, after.after(reply))))
        })
        .collect();
    let rest = if depth >= 4 { depth - 2 } else { depth - 1 };
    let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((index, piece)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            totals[*index].fetch_add(counter.count(piece, rest), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let spawn = || Builder::new().spawn_scoped(scope, work).map(drop);
        let spawned = (0..options.threads.max(1)).try_for_each(|_| spawn());
        if spawned.is_err() {
            // Those that have begun have nothing more to take, and need not finish.
            next.store(pieces.len(), Ordering::Relaxed);
            counter.refused.store(true, Ordering::Relaxed);
        }
        spawned
    })?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(Some(moves.into_iter().zip(totals.iter().map(|total| total.load(Ordering::Relaxed))).collect()))
}

struct TreeCounter<'a> {
    table: Option<SubtreeTable>,
    stop: &'a AtomicBool,
    /// The system has refused a thread, so that nobody wants the counts.
    refused: AtomicBool,
}

impl TreeCounter<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.refused.load(Ordering::Relaxed)
    }

    /// The leaves below a position; meaningless once the counting is over.
    fn count(&self, position: &Position, depth: u32) -> u64 {
        // Small subtrees are cheaper to count than to look up, and too short to need a look at `stop`.
        let plain_depth = if self.table.is_some() { 2 } else { 4 };
        if depth <= plain_depth {
            return perft(position, depth);
        }
        if self.is_over() {
            return 0;
        }
        if let Some(nodes) = self.table.as_ref().and_then(|table| table.get(position.key(), depth)) {
            return nodes;
        }
        let moves = position.legal_moves();
        let nodes = moves.into_iter().map(|mv| self.count(&position.after(mv), depth - 1)).sum();
        if let Some(table) = self.table.as_ref().filter(|_| !self.is_over()) {
            table.put(position.key(), depth, nodes);
        }
        nodes
    }
}

/// Counts of subtrees by position and depth, shared by threads without locks: the key is stored XORed with the data, so
/// that halves of two writes never match (Hyatt and Mann, "A lock-less transposition-table implementation", 2002).
struct SubtreeTable {
    slots: Vec<[AtomicU64; 2]>,
}

impl SubtreeTable {
    /// A table of this size, or none if it is 0.
    fn new(mib: usize) -> io::Result<Option<SubtreeTable>> {
        let count = mib.saturating_mul((1 << 20) / size_of::<[AtomicU64; 2]>());
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(io::Error::other)?;
        slots.resize_with(count, Default::default);
        Ok((count != 0).then_some(SubtreeTable { slots }))
    }

    fn slot(&self, key: u64, depth: u32) -> (&[AtomicU64; 2], u64) {
        let key = key ^ (depth as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (key as u128 * self.slots.len() as u128) >> 64;
        (&self.slots[index as usize], key)
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let (slot, key) = self.slot(key, depth);
        let nodes = slot[1].load(Ordering::Relaxed);
        (nodes != 0 && slot[0].load(Ordering::Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn put(&self, key: u64, depth: u32, nodes: u64) {
        let (slot, key) = self.slot(key, depth);
        slot[0].store(key ^ nodes, Ordering::Relaxed);
        slot[1].store(nodes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position() {
        let position = Position::initial();
        let counts: Vec<u64> = (0..=5).map(|depth| perft(&position, depth)).collect();
        assert_eq!(counts, [1, 20, 400, 8_902, 197_281, 4_865_609]);
    }

    #[test]
    fn threads_and_hash_change_nothing() {
        let position = Position::initial();
        for options in [(1, 0), (1, 1), (3, 0), (3, 2)] {
            let options = PerftOptions { threads: options.0, hash_mib: options.1 };
            for depth in 1..=5 {
                let counts = divide(&position, depth, &options, &AtomicBool::new(false)).unwrap().unwrap();
                let total: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(total, perft(&position, depth), "{options:?} depth {depth}");
            }
        }
    }

    #[test]
    fn stops_when_told() {
        let stopped = AtomicBool::new(true);
        assert_eq!(divide(&Position::initial(), 6, &PerftOptions::default(), &stopped).unwrap(), None);
    }
}
