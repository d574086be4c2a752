//! The transposition table: what the search already knows about a position, shared by all threads without locks.
//!
//! A cluster of five entries fills one cache line. An entry's data is one atomic word and its key, mixed with the data,
//! another: what a race has put together of two entries fits no key. Keys can still collide, so users check the move for
//! legality. Scores go in and come out adjusted to the ply.

mod entry;
mod memory;

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::thread;

pub use entry::{Known, Learned};
pub use memory::AllocationError;

use entry::{AGES, Packed};
use memory::Clusters;

const ENTRIES: usize = 5;

/// Five entries in one cache line. All zero means empty.
///
/// Two threads can write to one place at the same time, and key and data are two words. So what stands for the key is mixed
/// with the data: of a pair that does not belong together no key fits (Hyatt and Mann, "A lockless transposition table
/// implementation for parallel search", ICGA Journal 2002).
#[repr(C, align(64))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    marks: [AtomicU32; ENTRIES],
}

impl Cluster {
    /// The data of this place, if they are of the position with this key.
    #[inline(always)]
    fn entry_of(&self, slot: usize, key: u64) -> Option<Packed> {
        let data = Packed(self.data[slot].load(Ordering::Relaxed));
        (self.marks[slot].load(Ordering::Relaxed) == data.mark(key)).then_some(data)
    }

    #[inline(always)]
    fn put(&self, slot: usize, key: u64, data: Packed) {
        self.marks[slot].store(data.mark(key), Ordering::Relaxed);
        self.data[slot].store(data.0, Ordering::Relaxed);
    }
}

const _: () = assert!(size_of::<Cluster>() == 64);

/// Fewer clusters than this (1 MiB) are not worth a thread to empty them.
const SMALLEST_SHARE: usize = 1 << 14;

fn empty(clusters: &[Cluster]) {
    for cluster in clusters {
        cluster.data.iter().for_each(|data| data.store(0, Ordering::Relaxed));
        cluster.marks.iter().for_each(|mark| mark.store(0, Ordering::Relaxed));
    }
}

/// A table of fixed size, at least one cluster.
pub struct TranspositionTable {
    clusters: Clusters,
    /// Counts searches, so that entries of earlier ones can be told and replaced.
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of this many MiB; 0 gives the smallest possible. Its memory is promised, and given by the system page by
    /// page as it is first written, at the latest by [`TranspositionTable::clear`].
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(mib: usize) -> Result<TranspositionTable, AllocationError> {
        let count = mib.checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(AllocationError { mib })?.max(1);
        let clusters = Clusters::zeroed(count).ok_or(AllocationError { mib })?;
        Ok(TranspositionTable { clusters, age: AtomicU8::new(0) })
    }

    /// Forgets everything, with this many threads sharing the work, if the system has so many.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Ordering::Relaxed);
        let share = self.clusters.len().div_ceil(threads.max(1)).max(SMALLEST_SHARE);
        let mut parts = self.clusters.chunks(share);
        let own = parts.next().unwrap_or_default();
        thread::scope(|scope| {
            for part in parts {
                if thread::Builder::new().spawn_scoped(scope, || empty(part)).is_err() {
                    empty(part);
                }
            }
            empty(own);
        });
    }

    /// Tells the table that a new search begins: what it knows now counts as old.
    pub fn start_search(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(next, Ordering::Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (key as u128 * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Asks the processor to load what [`TranspositionTable::probe`] will read for this key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// What is known about the position with this key, seen from a node `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        let cluster = self.cluster(key);
        (0..ENTRIES).find_map(|slot| cluster.entry_of(slot, key))?.unpack(ply)
    }

    /// Stores what a node `ply` plies from the root has learned. A move already known is kept when none is given.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, learned: Learned) {
        let cluster = self.cluster(key);
        let age = self.age.load(Ordering::Relaxed);
        let (slot, held) = self.choose_slot(cluster, key, age);
        let mut learned = learned;
        if let Some(held) = held {
            learned.mv = learned.mv.or(held.mv());
            if held.is_worth_more_than(&learned, age) {
                return;
            }
        }
        cluster.put(slot, key, Packed::new(&learned, ply, age));
    }

    /// The slot of this key with its entry, or else the slot of the entry worth least.
    #[inline(always)]
    fn choose_slot(&self, cluster: &Cluster, key: u64, age: u8) -> (usize, Option<Packed>) {
        let mut worst = (0, i32::MAX);
        for slot in 0..ENTRIES {
            let entry = Packed(cluster.data[slot].load(Ordering::Relaxed));
            if entry.is_empty() {
                return (slot, None);
            }
            if cluster.marks[slot].load(Ordering::Relaxed) == entry.mark(key) {
                return (slot, Some(entry));
            }
            let worth = entry.worth(age);
            if worth < worst.1 {
                worst = (slot, worth);
            }
        }
        (worst.0, None)
    }

    /// How full the table is with entries of the running search, in thousandths, from a sample.
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(200)];
        let current = |data: &AtomicU64| {
            let entry = Packed(data.load(Ordering::Relaxed));
            !entry.is_empty() && entry.age() == age
        };
        let used = sample.iter().flat_map(|cluster| &cluster.data).filter(|data| current(data)).count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, MoveKind, Square};
    use crate::score::{Bound, Score};

    fn learned(depth: i32, bound: Bound) -> Learned {
        let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        let score = Score::evaluation(-17);
        Learned { mv: Some(mv), score, evaluation: Some(Score::evaluation(40)), depth, bound, was_pv: true }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        assert!(table.probe(99, 0).is_none());
        table.store(99, 3, learned(7, Bound::Lower));
        let known = table.probe(99, 3).unwrap();
        assert_eq!((known.depth, known.bound, known.was_pv), (7, Bound::Lower, true));
        assert_eq!((known.score, known.evaluation), (Score::evaluation(-17), Some(Score::evaluation(40))));
        assert_eq!(known.mv, learned(0, Bound::Exact).mv);
        table.clear(2);
        assert!(table.probe(99, 0).is_none());
    }

    #[test]
    fn of_a_pair_that_does_not_belong_together_nothing_is_known() {
        let table = TranspositionTable::new(0).unwrap();
        table.store(7, 0, learned(7, Bound::Lower));
        let cluster = table.cluster(7);
        let (data, mark) = (&cluster.data[0], &cluster.marks[0]);
        let first = (data.load(Ordering::Relaxed), mark.load(Ordering::Relaxed));
        table.store(7, 0, learned(9, Bound::Exact));
        assert!(table.probe(7, 0).is_some());
        data.store(first.0, Ordering::Relaxed);
        assert!(table.probe(7, 0).is_none());
        mark.store(first.1, Ordering::Relaxed);
        assert_eq!(table.probe(7, 0).map(|known| known.depth), Some(7));
    }

    #[test]
    fn keeps_the_move_when_none_is_given() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(5, 0, learned(4, Bound::Exact));
        table.store(5, 0, Learned { mv: None, ..learned(9, Bound::Upper) });
        let known = table.probe(5, 0).unwrap();
        assert_eq!((known.mv, known.depth), (learned(0, Bound::Exact).mv, 9));
    }

    #[test]
    fn a_full_cluster_gives_up_the_shallow_and_the_old() {
        let table = TranspositionTable::new(0).unwrap();
        for key in 1..=5 {
            table.store(key, 0, learned(key as i32 + 10, Bound::Exact));
        }
        table.start_search();
        table.store(6, 0, learned(3, Bound::Lower));
        assert!(table.probe(1, 0).is_none() && table.probe(6, 0).is_some() && table.probe(5, 0).is_some());
        assert_eq!(table.permille_full(), 200);
    }

    #[test]
    fn clearing_reaches_every_cluster_with_any_number_of_threads() {
        let table = TranspositionTable::new(5).unwrap();
        for threads in [0, 1, 2, 3, 7, 1000] {
            table.clusters.iter().for_each(|cluster| cluster.data[4].store(1, Ordering::Relaxed));
            table.clear(threads);
            let left = table.clusters.iter().filter(|cluster| cluster.data[4].load(Ordering::Relaxed) != 0).count();
            assert_eq!(left, 0, "{threads} threads");
        }
    }

    #[test]
    fn any_size_works_and_too_much_is_an_error() {
        for mib in [0, 1, 3, 7] {
            let table = TranspositionTable::new(mib).unwrap();
            table.store(u64::MAX, 0, learned(1, Bound::Exact));
            assert!(table.probe(u64::MAX, 0).is_some());
        }
        assert!(TranspositionTable::new(usize::MAX >> 21).is_err());
    }
}
