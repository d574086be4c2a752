//! When to stop: the only place that reads the time, and the signals from outside.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock::Budget;
use super::limits::Limits;

/// The search has been told to stop; results of unfinished nodes mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// What the outside tells a running search: stop, and that the pondered move was played.
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

    /// Waits until the search may answer: at once, unless it ponders or is endless.
    pub fn wait_until_released(&self, endless: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stop.load(Ordering::SeqCst) && (endless || self.pondering.load(Ordering::SeqCst)) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Between two looks at the clock and the signals so many nodes are searched: well under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// What time is counted by: real time, or nodes of which so many make a millisecond.
#[derive(Clone, Copy)]
struct Meter {
    started: Instant,
    nodes_per_ms: Option<NonZeroU64>,
}

impl Meter {
    fn read(&self, nodes: u64) -> Duration {
        match self.nodes_per_ms {
            None => self.started.elapsed(),
            // In microseconds, as whole milliseconds would be coarse for few nodes.
            Some(per_ms) => Duration::from_micros(nodes.saturating_mul(1000) / per_ms),
        }
    }

    /// Nodes after which the meter is to be read again: an eighth of a millisecond at most.
    fn nodes_between_looks(&self) -> u64 {
        self.nodes_per_ms.map_or(NODES_BETWEEN_LOOKS, |per_ms| per_ms.get().div_ceil(8).min(NODES_BETWEEN_LOOKS))
    }
}

/// The limits of one running search.
pub(super) struct Control<'a> {
    signals: &'a Signals,
    meter: Meter,
    /// What the meter showed when the own clock began to run: nothing at the start, more at `ponderhit`.
    clock_started: Option<Duration>,
    budget: Option<Budget>,
    move_time: Option<Duration>,
    node_limit: u64,
    next_look: u64,
}

impl<'a> Control<'a> {
    pub(super) fn new(signals: &'a Signals, limits: &Limits, budget: Option<Budget>, started: Instant) -> Control<'a> {
        Control {
            signals,
            meter: Meter { started, nodes_per_ms: limits.nodes_per_ms },
            clock_started: (!limits.ponder).then_some(Duration::ZERO),
            budget: budget.filter(|_| !limits.infinite),
            move_time: limits.move_time.filter(|_| !limits.infinite),
            node_limit: limits.nodes.filter(|_| !limits.infinite).unwrap_or(u64::MAX),
            next_look: 0,
        }
    }

    /// Real time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.meter.started.elapsed()
    }

    /// Time since the search began, as its limits count it.
    pub(super) fn metered(&self, nodes: u64) -> Duration {
        self.meter.read(nodes)
    }

    /// To be asked at every node: has the search to stop?
    #[inline(always)]
    pub(super) fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.node_limit && !self.signals.is_pondering() {
            return Err(Stopped);
        }
        if nodes < self.next_look {
            return Ok(());
        }
        self.next_look = nodes + self.meter.nodes_between_looks();
        self.look(nodes)
    }

    #[inline(never)]
    fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.signals.is_stopped() {
            return Err(Stopped);
        }
        let Some(used) = self.clock_time(nodes) else {
            return Ok(());
        };
        let hard = self.budget.map(|budget| budget.hard);
        let limit = hard.into_iter().chain(self.move_time).min();
        if limit.is_some_and(|limit| used >= limit) { Err(Stopped) } else { Ok(()) }
    }

    /// Time used of the own clock; none while pondering.
    pub(super) fn clock_time(&mut self, nodes: u64) -> Option<Duration> {
        let now = self.meter.read(nodes);
        if self.clock_started.is_none() && !self.signals.is_pondering() {
            self.clock_started = Some(now);
        }
        self.clock_started.map(|started| now.saturating_sub(started))
    }

    /// Whether another iteration is worth beginning, when the move deserves this multiple of the usual time.
    pub(super) fn has_time_for_iteration(&mut self, nodes: u64, multiple: f64) -> bool {
        if self.look(nodes).is_err() {
            return false;
        }
        match (self.clock_time(nodes), self.budget) {
            // The last move of a period has nothing to save for.
            (Some(used), Some(budget)) if budget.soft == budget.hard => used < budget.hard,
            (Some(used), Some(budget)) => used < budget.soft.mul_f64(multiple).min(budget.hard),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_exact_and_waits_for_ponderhit() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { nodes: Some(10), ponder: true, ..Limits::default() };
        let mut control = Control::new(&signals, &limits, None, Instant::now());
        assert_eq!(control.check(10), Ok(()));
        signals.ponderhit();
        assert_eq!(control.check(9), Ok(()));
        assert_eq!(control.check(10), Err(Stopped));
    }

    #[test]
    fn no_time_left_stops_at_the_first_look() {
        let signals = Signals::default();
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        let mut control = Control::new(&signals, &limits, None, Instant::now());
        assert_eq!(control.check(0), Err(Stopped));
    }

    #[test]
    fn time_in_nodes_runs_with_the_nodes_and_from_ponderhit() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits {
            move_time: Some(Duration::from_millis(3)),
            nodes_per_ms: NonZeroU64::new(10),
            ponder: true,
            ..Limits::default()
        };
        let mut control = Control::new(&signals, &limits, None, Instant::now());
        assert_eq!(control.check(100), Ok(()));
        signals.ponderhit();
        assert_eq!(control.check(110), Ok(()));
        assert_eq!(control.check(139), Ok(()));
        assert_eq!(control.check(141), Err(Stopped));
        assert_eq!(control.metered(140), Duration::from_millis(14));
        assert_eq!(control.clock_time(140), Some(Duration::from_millis(3)));
    }

    #[test]
    fn waiting_ends_with_stop_or_ponderhit() {
        let signals = Signals::default();
        signals.reset(true);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| signals.wait_until_released(false));
            signals.ponderhit();
            waiter.join().unwrap();
            let waiter = scope.spawn(|| signals.wait_until_released(true));
            signals.stop();
            waiter.join().unwrap();
        });
    }
}
