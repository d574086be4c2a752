//! When to stop: the only place that reads the time.
//!
//! Every worker of a team looks at signals, time and node limit, since any of them may be the one that the system lets
//! run; whoever sees a limit reached ends the search of all. Only the leader decides whether to deepen.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use super::clock::Budget;
use super::limits::Limits;
use super::signals::Signals;
use super::team::Seat;

/// The search has been told to stop; results of unfinished nodes mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Between two looks at the clock and the signals so many nodes are searched: a fraction of a millisecond, since with more
/// threads than processors the looks of many threads add up before all of them have stopped.
const NODES_BETWEEN_LOOKS: u64 = 128;

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
    seat: Seat<'a>,
    budget: Option<Budget>,
    move_time: Option<Duration>,
    node_limit: u64,
    /// Whether the limit of nodes is one of strength: it holds on the opponent's time too.
    limits_strength: bool,
    next_look: u64,
}

impl<'a> Control<'a> {
    pub(super) fn new(
        signals: &'a Signals,
        seat: Seat<'a>,
        limits: &Limits,
        budget: Option<Budget>,
        started: Instant,
    ) -> Control<'a> {
        Control {
            signals,
            meter: Meter { started, nodes_per_ms: limits.nodes_per_ms },
            clock_started: (!limits.ponder).then_some(Duration::ZERO),
            seat,
            budget: budget.filter(|_| !limits.infinite),
            move_time: limits.move_time.filter(|_| !limits.infinite),
            node_limit: limits.nodes.filter(|_| !limits.infinite).unwrap_or(u64::MAX),
            limits_strength: false,
            next_look: 0,
        }
    }

    /// A limit of strength: the search ends after so many nodes, if not earlier, also while pondering.
    pub(super) fn limit_nodes(&mut self, nodes: u64) {
        self.node_limit = self.node_limit.min(nodes);
        self.limits_strength = true;
    }

    /// The real time that a move usually takes, and the most it may; none where time is not counted so.
    pub(super) fn usual_time(&self) -> Option<(Duration, Duration)> {
        let real = self.meter.nodes_per_ms.is_none();
        let by_clock = self.budget.map(|budget| (budget.soft, budget.hard));
        let by_move = self.move_time.map(|time| (time, time));
        by_clock.into_iter().chain(by_move).filter(|_| real).min()
    }

    /// Real time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.meter.started.elapsed()
    }

    /// Time since the search began, as its limits count it, when this worker has searched so many nodes.
    pub(super) fn metered(&self, nodes: u64) -> Duration {
        self.meter.read(if self.meter.nodes_per_ms.is_some() { self.team_nodes(nodes) } else { 0 })
    }

    /// Whether this worker decides and reports.
    pub(super) fn is_leader(&self) -> bool {
        self.seat.is_leader()
    }

    /// Nodes of all workers, when this one has searched so many.
    pub(super) fn team_nodes(&self, own: u64) -> u64 {
        self.seat.team_nodes(own)
    }

    /// Takes note that an endgame table was found to know a position.
    pub(super) fn count_tablebase_hit(&self) {
        self.seat.count_tablebase_hit();
    }

    /// Hits in endgame tables of all workers.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.seat.tablebase_hits()
    }

    /// What the outside tells the search.
    pub(super) fn signals(&self) -> &'a Signals {
        self.signals
    }

    /// Real time until the search has to end; none without such a limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        if self.meter.nodes_per_ms.is_some() {
            return None;
        }
        let used = self.elapsed().saturating_sub(self.clock_started?);
        let limit = self.budget.map(|budget| budget.hard).into_iter().chain(self.move_time).min();
        limit.map(|limit| limit.saturating_sub(used))
    }

    /// To be asked at every node: has the search to stop?
    #[inline(always)]
    pub(super) fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.node_limit {
            self.check_node_limit(nodes)?;
        }
        if nodes < self.next_look {
            return Ok(());
        }
        self.next_look = nodes + self.meter.nodes_between_looks();
        self.look(nodes)
    }

    /// The end for all when the team has searched enough.
    #[cold]
    fn check_node_limit(&self, nodes: u64) -> Result<(), Stopped> {
        let enough = self.team_nodes(nodes) >= self.node_limit;
        let counts = self.limits_strength || !self.signals.is_pondering();
        if enough && counts { self.end_for_all() } else { Ok(()) }
    }

    #[inline(never)]
    fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.seat.publish(nodes);
        if self.signals.is_stopped() || self.seat.is_over() {
            return Err(Stopped);
        }
        if self.node_limit != u64::MAX {
            self.check_node_limit(nodes)?;
        }
        let Some(used) = self.clock_time(nodes) else {
            return Ok(());
        };
        let hard = self.budget.map(|budget| budget.hard);
        let limit = hard.into_iter().chain(self.move_time).min();
        if limit.is_some_and(|limit| used >= limit) { self.end_for_all() } else { Ok(()) }
    }

    fn end_for_all(&self) -> Result<(), Stopped> {
        self.seat.end();
        Err(Stopped)
    }

    /// Time used of the own clock; none while pondering.
    pub(super) fn clock_time(&mut self, nodes: u64) -> Option<Duration> {
        let now = self.metered(nodes);
        if self.clock_started.is_none() && !self.signals.is_pondering() {
            self.clock_started = Some(now);
        }
        self.clock_started.map(|started| now.saturating_sub(started))
    }

    /// Whether another iteration is worth beginning after so many nodes, when the move deserves this multiple of the usual
    /// time. Helpers go on until they are told.
    pub(super) fn has_time_for_iteration(&mut self, nodes: u64, multiple: f64) -> bool {
        if self.look(nodes).is_err() {
            return false;
        }
        if !self.is_leader() {
            return true;
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
    use super::super::team::Team;
    use super::*;

    #[test]
    fn a_node_limit_is_exact_and_waits_for_ponderhit() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { nodes: Some(10), ponder: true, ..Limits::default() };
        let team = Team::new(1);
        let mut control = Control::new(&signals, team.seat(0), &limits, None, Instant::now());
        assert_eq!(control.check(10), Ok(()));
        signals.ponderhit();
        assert_eq!(control.check(9), Ok(()));
        assert_eq!(control.check(10), Err(Stopped));
    }

    #[test]
    fn no_time_left_stops_at_the_first_look() {
        let signals = Signals::default();
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        let team = Team::new(2);
        let mut helper = Control::new(&signals, team.seat(1), &limits, None, Instant::now());
        assert_eq!(helper.check(0), Err(Stopped));
        assert!(team.seat(0).is_over(), "a helper that sees the limit ends the search of all");
    }

    #[test]
    fn the_nodes_of_a_team_count_together() {
        let signals = Signals::default();
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let team = Team::new(2);
        let mut leader = Control::new(&signals, team.seat(0), &limits, None, Instant::now());
        team.seat(1).publish(899);
        assert_eq!(leader.check(100), Ok(()));
        team.seat(1).publish(900);
        assert_eq!(leader.check(100 + NODES_BETWEEN_LOOKS), Err(Stopped));
        assert!(team.seat(1).is_over());
    }

    #[test]
    fn only_the_leader_decides_about_deepening() {
        let signals = Signals::default();
        let team = Team::new(2);
        let budget = Budget { soft: Duration::ZERO, hard: Duration::from_secs(1000) };
        let has_time = |number: usize| {
            let mut control =
                Control::new(&signals, team.seat(number), &Limits::default(), Some(budget), Instant::now());
            control.has_time_for_iteration(1, 1.0)
        };
        assert!(!has_time(0) && has_time(1));
        team.end();
        assert!(!has_time(1));
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
        let team = Team::new(1);
        let mut control = Control::new(&signals, team.seat(0), &limits, None, Instant::now());
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
