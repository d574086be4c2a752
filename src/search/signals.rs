//! What the outside tells a running search: stop, and that the pondered move was played.

use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// The signals of one engine, set by its owner and read by everyone who searches.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Wakes a finished search that may not answer yet. The flags above are the truth, this only guards waiting.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// Makes ready for a new search, which begins by pondering or not.
    pub fn reset(&self, pondering: bool) {
        self.stop.store(false, Ordering::SeqCst);
        self.pondering.store(pondering, Ordering::SeqCst);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// The opponent has played the expected move: from now on the clock runs.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    /// Whether the search was told to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search still waits for `ponderhit`.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// The flag that long work other than a search can watch.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Waits until that moment, or for a stop.
    pub fn wait_for_stop(&self, until: Instant) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stop.load(Ordering::SeqCst) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            gate = self.changed.wait_timeout(gate, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the search may answer: at once, unless it ponders or is endless.
    pub fn wait_until_released(&self, endless: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stop.load(Ordering::SeqCst) && (endless || self.pondering.load(Ordering::SeqCst)) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
