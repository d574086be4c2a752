//! Pairs of games on several threads, each with two players of its own.

use std::io;
use std::thread;

use super::duel::Duel;
use super::run::Settings;
use crate::chess::Position;
use crate::chess::random::SplitMix64;
use crate::engine::STACK_BYTES;
use crate::search::Params;

/// Pairs a thread plays between two looks at the state of a run.
const PAIRS_A_BATCH: u64 = 8;

/// Those who play, two for each thread.
pub(super) struct Players(Vec<Duel>);

impl Players {
    /// # Errors
    /// When there is no memory for them.
    pub(super) fn new(settings: &Settings) -> io::Result<Players> {
        let duel = |_| Duel::new(&settings.network).map_err(io::Error::other);
        (0..settings.threads.max(1)).map(duel).collect::<io::Result<_>>().map(Players)
    }

    /// The next pairs from number `done` on, but none from number `pairs` on: what `play` makes of each, in their order.
    ///
    /// # Errors
    /// When the system refuses a thread, or one fails.
    pub(super) fn batch<Outcome: Send>(
        &mut self,
        done: u64,
        pairs: u64,
        play: impl Fn(&mut Duel, u64) -> Outcome + Sync,
    ) -> io::Result<Vec<Outcome>> {
        let play = &play;
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for (duel, number) in self.0.iter_mut().zip(0..) {
                let first = done + number * PAIRS_A_BATCH;
                let share = first..(first + PAIRS_A_BATCH).min(pairs);
                let job = move || share.map(|pair| play(duel, pair)).collect::<Vec<_>>();
                handles.push(thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, job)?);
            }
            let mut outcomes = Vec::new();
            for handle in handles {
                outcomes.extend(handle.join().map_err(|_| io::Error::other("a player's thread has failed"))?);
            }
            Ok(outcomes)
        })
    }
}

/// The lots of one pair: the same for the same seed and number.
pub(super) fn lots(seed: u64, pair: u64) -> SplitMix64 {
    SplitMix64::of_series(seed, pair)
}

/// Plays a pair from a random opening; the points by which the first set of numbers did better, from -2 to 2.
pub(super) fn play_pair(settings: &Settings, duel: &mut Duel, sets: [&Params; 2], random: &mut SplitMix64) -> f64 {
    let opening: Position = settings.openings[random.below(settings.openings.len() as u64) as usize];
    duel.play_pair(&opening, sets, settings.nodes)
}
