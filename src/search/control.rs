//! When to stop: the only place that reads the time.
//!
//! Every worker of a team looks at signals, time and node limit, since any of them may be the one that the system lets
//! run; whoever sees a limit reached ends the search of all. Only the leader decides whether to deepen.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use super::clock::Budget;
use super::limits::Limits;
use super::milestones::Milestones;
use super::report::Finding;
use super::signals::Signals;
use super::team::Seat;

/// The search, or only its iteration, is broken off; results of unfinished nodes mean nothing.
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
    /// Whether the search began on the opponent's time. Others heed no `ponderhit`, whatever the signals say: the search for
    /// the rest of a line listens to those of a search that may ponder.
    ponders: bool,
    /// What the meter showed when the own clock began to run: nothing at the start, more at `ponderhit`.
    clock_started: Option<Duration>,
    /// Whether the move would be made now if the opponent played the expected one.
    is_answer_ready: bool,
    seat: Seat<'a>,
    /// What the team has finished, if it goes on together.
    milestones: Option<&'a Milestones<Finding>>,
    /// The iteration under way, which another worker may finish first; above all of them between two.
    iteration: i32,
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
            ponders: limits.ponder,
            clock_started: (!limits.ponder).then_some(Duration::ZERO),
            is_answer_ready: false,
            seat,
            milestones: None,
            iteration: i32::MAX,
            budget: budget.filter(|_| !limits.infinite),
            move_time: limits.move_time.filter(|_| !limits.infinite),
            node_limit: limits.nodes.filter(|_| !limits.infinite).unwrap_or(u64::MAX),
            limits_strength: false,
            next_look: 0,
        }
    }

    /// From now on every iteration of the team is finished for all when one worker has finished it, if it has milestones.
    pub(super) fn share(&mut self, milestones: Option<&'a Milestones<Finding>>) {
        self.milestones = milestones;
    }

    /// An iteration begins, which ends early if another worker finishes it; gives what that has found if it has done so
    /// already, at this depth or a greater one.
    pub(super) fn begin_iteration(&mut self, depth: i32) -> Option<(i32, Finding)> {
        self.iteration = depth;
        self.overtaken()
    }

    /// The iteration is over.
    pub(super) fn end_iteration(&mut self) {
        self.iteration = i32::MAX;
    }

    /// What another worker has found that has finished the iteration under way or a later one, and which.
    pub(super) fn overtaken(&self) -> Option<(i32, Finding)> {
        self.milestones?.at_least(self.iteration)
    }

    /// Tells the other workers what this one has found.
    pub(super) fn offer(&self, depth: i32, finding: impl FnOnce() -> Finding) {
        if let Some(milestones) = self.milestones {
            milestones.offer(depth, finding());
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

    /// Goes on with a clock that has run so long.
    pub(super) fn resume_clock(&mut self, clock_time: Duration) {
        self.clock_started = Some(self.elapsed().saturating_sub(clock_time));
    }

    /// Whether the opponent's time is still used.
    fn is_pondering(&self) -> bool {
        self.ponders && self.signals.is_pondering()
    }

    /// Whether the search was told to stop from outside.
    pub(super) fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Real time until the search has to end, while pondering all that it will have; none without such a limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        if self.meter.nodes_per_ms.is_some() {
            return None;
        }
        let used = self.clock_started.map_or(Duration::ZERO, |started| self.elapsed().saturating_sub(started));
        let limit = self.budget.map(|budget| budget.hard).into_iter().chain(self.move_time).min();
        limit.map(|limit| limit.saturating_sub(used))
    }

    /// To be asked at every node: has the search to stop, or the iteration, which another worker has finished?
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
        let counts = self.limits_strength || !self.is_pondering();
        if enough && counts { self.end_for_all() } else { Ok(()) }
    }

    #[inline(never)]
    fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.seat.publish(nodes);
        if self.signals.is_stopped() || self.seat.is_over() || self.is_overtaken() {
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
        let is_over = self.is_answer_ready || limit.is_some_and(|limit| used >= limit);
        if is_over { self.end_for_all() } else { Ok(()) }
    }

    /// Whether another worker has finished the iteration under way.
    fn is_overtaken(&self) -> bool {
        self.milestones.is_some_and(|milestones| milestones.depth() >= self.iteration)
    }

    fn end_for_all(&self) -> Result<(), Stopped> {
        self.seat.end();
        Err(Stopped)
    }

    /// Time used of the own clock; none while pondering.
    pub(super) fn clock_time(&mut self, nodes: u64) -> Option<Duration> {
        let now = self.metered(nodes);
        if self.clock_started.is_none() && !self.is_pondering() {
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
        let (used, now) = (self.clock_time(nodes), self.metered(nodes));
        let Some(budget) = self.budget else { return true };
        match used {
            // The iteration to come is for the case that the opponent goes on thinking.
            None => {
                self.is_answer_ready = !has_time(budget, Duration::ZERO, now, multiple);
                true
            }
            Some(used) => has_time(budget, used, now.saturating_sub(used), multiple),
        }
    }
}

/// The part of the time spent on the opponent's clock that counts as if it were spent on the own.
const SHARE_OF_PONDERED: f64 = 0.75;

/// Whether a move that deserves this multiple of the usual time has some left, after so much on the own clock and so much
/// on the opponent's.
fn has_time(budget: Budget, used: Duration, pondered: Duration, multiple: f64) -> bool {
    // The last move of a period has nothing to save for.
    let saves = budget.soft != budget.hard;
    let thought = used + pondered.mul_f64(SHARE_OF_PONDERED);
    used < budget.hard && (!saves || thought < budget.soft.mul_f64(multiple))
}

#[cfg(test)]
mod tests {
    use super::super::team::Team;
    use super::*;
    use crate::chess::Position;
    use crate::score::Score;

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
    fn a_search_that_does_not_ponder_keeps_its_limits_while_another_does() {
        let signals = Signals::default();
        signals.reset(true);
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let team = Team::new(1);
        let mut control = Control::new(&signals, team.seat(0), &limits, None, Instant::now());
        assert_eq!((control.check(9), control.check(10)), (Ok(()), Err(Stopped)));
    }

    #[test]
    fn while_pondering_all_of_the_time_is_left() {
        let signals = Signals::default();
        signals.reset(true);
        let hour = Duration::from_secs(3600);
        let limits = Limits { ponder: true, ..Limits::default() };
        let (team, started) = (Team::new(1), Instant::now());
        let budget = Budget { soft: hour, hard: hour };
        let mut control = Control::new(&signals, team.seat(0), &limits, Some(budget), started);
        assert_eq!(control.time_left(), Some(hour));
        signals.ponderhit();
        assert!(control.clock_time(0).is_some() && control.time_left().is_some_and(|left| left <= hour));
        let endless = Control::new(&signals, team.seat(0), &limits, None, started);
        assert_eq!(endless.time_left(), None);
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
    fn an_iteration_ends_when_another_worker_has_finished_it() {
        let (signals, team, milestones) = (Signals::default(), Team::new(2), Milestones::default());
        let mut leader = Control::new(&signals, team.seat(0), &Limits::default(), None, Instant::now());
        leader.share(Some(&milestones));
        let finding = |number| Finding {
            mv: Position::initial().legal_moves()[0],
            score: Score::DRAW,
            selective_depth: number,
            pv: Vec::new(),
        };
        milestones.offer(4, finding(4));
        assert_eq!(leader.begin_iteration(5), None);
        assert_eq!((leader.check(0), leader.overtaken()), (Ok(()), None));
        milestones.offer(5, finding(5));
        milestones.offer(5, finding(6));
        milestones.offer(3, finding(7));
        assert_eq!(leader.check(NODES_BETWEEN_LOOKS), Err(Stopped));
        assert_eq!(leader.overtaken(), Some((5, finding(5))));
        leader.end_iteration();
        assert_eq!((leader.check(2 * NODES_BETWEEN_LOOKS), leader.overtaken()), (Ok(()), None));
        assert!(!team.seat(1).is_over(), "the team goes on");
        leader.offer(7, || finding(7));
        assert_eq!(leader.begin_iteration(6), Some((7, finding(7))));
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
    fn what_was_thought_on_the_opponents_time_counts_in_part() {
        let millis = Duration::from_millis;
        let budget = Budget { soft: millis(300), hard: millis(1000) };
        assert!(
            has_time(budget, millis(299), Duration::ZERO, 1.0) && !has_time(budget, millis(300), Duration::ZERO, 1.0)
        );
        assert!(
            has_time(budget, Duration::ZERO, millis(399), 1.0) && !has_time(budget, Duration::ZERO, millis(401), 1.0)
        );
        assert!(has_time(budget, millis(100), millis(200), 1.0) && !has_time(budget, millis(160), millis(200), 1.0));
        assert!(
            has_time(budget, millis(700), millis(200), 3.0) && !has_time(budget, millis(1000), Duration::ZERO, 9.0)
        );
        let last_of_period = Budget { soft: millis(300), hard: millis(300) };
        assert!(has_time(last_of_period, millis(299), millis(9000), 1.0));
    }

    /// Time in nodes: one is a millisecond.
    #[test]
    fn an_answer_that_is_ready_comes_with_ponderhit() {
        let signals = Signals::default();
        let limits = Limits { nodes_per_ms: NonZeroU64::new(1), ponder: true, ..Limits::default() };
        let budget = Budget { soft: Duration::from_millis(300), hard: Duration::from_millis(1000) };
        for (pondered, ready) in [(300, false), (500, true)] {
            signals.reset(true);
            let team = Team::new(1);
            let mut control = Control::new(&signals, team.seat(0), &limits, Some(budget), Instant::now());
            assert!(control.has_time_for_iteration(pondered, 1.0), "while pondering there is always time");
            assert_eq!(control.check(pondered + 1), Ok(()));
            signals.ponderhit();
            assert_eq!(control.check(pondered + 2), if ready { Err(Stopped) } else { Ok(()) });
            assert_eq!(control.has_time_for_iteration(pondered + 50, 1.0), !ready);
        }
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
