//! How much of the clock one move may use. Pure: time in, time out.

use std::time::Duration;

use super::limits::ClockState;

/// What one move may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this, multiplied by what the move deserves, no new iteration begins; if it equals `hard`, after just this.
    pub soft: Duration,
    /// At this the search is broken off.
    pub hard: Duration,
}

/// Moves that a game without time control is expected to last from any point on.
const EXPECTED_MOVES: f64 = 24.0;
/// The most moves ahead that a time control is shared out over.
const MOST_MOVES_TO_GO: u32 = 50;
/// Share of the increment that is spent at once.
const INCREMENT_SHARE: f64 = 0.8;
/// Part of the fair share at which no new iteration begins: the next one would take longer than all before.
const SOFT_PART: f64 = 0.65;
/// How many fair shares a move may use at most.
const HARD_MULTIPLE: f64 = 4.5;
/// Part of the time to spare that a move may use at most, unless new time comes with the next move.
const LARGEST_PART: f64 = 0.7;
/// How many overheads are kept in reserve. On a busy machine now and then a move is delayed by several time slices of the
/// scheduler; a clock run down to the overhead would not survive that.
const RESERVE_OVERHEADS: f64 = 4.0;
/// A reserve above this many seconds, as a large overhead would have it, is no more than half of the time.
const USUAL_RESERVE: f64 = 0.08;
/// Part of the time that a move may use even from the reserve: enough to see what hangs.
const LEAST_PART: f64 = 0.05;
/// Share of the increment that may be spent when nothing but the reserve is left, so that it grows again.
const INCREMENT_SHARE_IN_NEED: f64 = 0.5;

impl Budget {
    /// The budget of one move: `overhead` is lost on every move between engine and clock.
    pub fn of(clock: &ClockState, overhead: Duration) -> Budget {
        let overhead = overhead.as_secs_f64();
        let usable = (clock.remaining.as_secs_f64() - overhead).max(0.0);
        let reserve = (RESERVE_OVERHEADS * overhead).min((usable / 2.0).max(USUAL_RESERVE));
        let spare = (usable - reserve).max(0.0);
        let moves = clock.moves_to_go.map(|moves| moves.clamp(1, MOST_MOVES_TO_GO));
        if moves == Some(1) {
            let all = Duration::from_secs_f64(spare.max(usable / 2.0));
            return Budget { soft: all, hard: all };
        }
        // Each later move of the period loses its overhead too.
        let later_overhead = moves.map_or(0.0, |moves| (moves - 1) as f64 * overhead);
        let expected = moves.map_or(EXPECTED_MOVES, f64::from);
        let increment = clock.increment.as_secs_f64();
        let share = (spare - later_overhead).max(spare * 0.2) / expected + INCREMENT_SHARE * increment;
        let in_need = (INCREMENT_SHARE_IN_NEED * increment).min(usable * LARGEST_PART);
        let hard = (share * HARD_MULTIPLE).min(spare * LARGEST_PART + in_need);
        // An increment comes after the move: whatever it is, the clock must not run down to it.
        let hard = hard.min(spare.max(usable / 2.0)).max(usable * LEAST_PART);
        let soft = (share * SOFT_PART).min(hard);
        Budget { soft: Duration::from_secs_f64(soft), hard: Duration::from_secs_f64(hard) }
    }

    /// The budget when there is nothing to choose: enough for a score and a line.
    pub fn for_forced_move(self) -> Budget {
        Budget { soft: self.soft / 100, hard: self.hard / 100 }
    }
}

/// How clear the choice at the root is after some iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clarity {
    /// Share of all nodes that were spent on the best move, 0 to 1.
    pub(super) best_move_share: f64,
    /// Iterations since the best move last changed.
    pub(super) stable_iterations: i32,
    /// How far the score has fallen, in evaluation units; below 0 when it has risen.
    pub(super) score_drop: i32,
}

/// The multiple of the usual time that a move deserves: less where one move stands out and stays best, more where the
/// choice changes or the score falls.
pub(super) fn time_multiple(clarity: &Clarity) -> f64 {
    const STABILITY: [f64; 5] = [1.5, 1.15, 1.0, 0.92, 0.88];
    let share = (1.55 - clarity.best_move_share) * 1.3;
    let stability = STABILITY[clarity.stable_iterations.clamp(0, 4) as usize];
    let trend = 1.0 + clarity.score_drop.clamp(-25, 60) as f64 * 0.008;
    (share * stability * trend).clamp(0.3, 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_choices_take_less_time() {
        let usual = Clarity { best_move_share: 0.6, stable_iterations: 2, score_drop: 0 };
        let multiple = time_multiple(&usual);
        assert!((0.8..1.4).contains(&multiple));
        assert!(time_multiple(&Clarity { best_move_share: 0.95, ..usual }) < multiple);
        assert!(time_multiple(&Clarity { stable_iterations: 0, ..usual }) > multiple);
        assert!(time_multiple(&Clarity { score_drop: 40, ..usual }) > multiple);
        let extreme = Clarity { best_move_share: 0.0, stable_iterations: 0, score_drop: 10_000 };
        assert!(time_multiple(&extreme) <= 3.0);
    }

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let (remaining, increment) = (Duration::from_millis(remaining), Duration::from_millis(increment));
        Budget::of(&ClockState { remaining, increment, moves_to_go }, OVERHEAD)
    }

    #[test]
    fn never_more_than_there_is() {
        for remaining in [0, 1, 19, 20, 21, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 30_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let budget = budget(remaining, increment, moves);
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.hard <= Duration::from_millis(remaining).saturating_sub(OVERHEAD), "{budget:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_of_a_period_takes_what_is_left() {
        assert_eq!(budget(1_000, 0, Some(1)).soft, Duration::from_millis(900));
        assert_eq!(budget(1_000, 0, Some(0)).soft, Duration::from_millis(900));
        assert_eq!(budget(100, 0, Some(1)).soft, Duration::from_millis(40));
    }

    /// A game long enough to reach the state in which each move spends its increment.
    #[test]
    fn a_reserve_outlasts_the_longest_game() {
        for increment in [10, 100, 1_000, 2_000, 10_000] {
            let increment = Duration::from_millis(increment);
            let mut remaining = Duration::from_millis(500);
            for _ in 0..500 {
                let clock = ClockState { remaining, increment, moves_to_go: None };
                let spent = Budget::of(&clock, OVERHEAD).hard + Duration::from_millis(2);
                remaining = remaining.checked_sub(spent).expect("oversteps");
                assert!(remaining > 4 * OVERHEAD, "{remaining:?} left with {increment:?} a move");
                remaining += increment;
            }
        }
    }

    #[test]
    fn even_the_last_of_the_clock_is_enough_to_look() {
        for remaining in [40, 60, 100, 200] {
            assert!(budget(remaining, 0, None).hard >= Duration::from_millis(1), "{remaining} ms");
        }
    }

    #[test]
    fn a_large_overhead_leaves_half_of_the_clock_for_thought() {
        let clock =
            ClockState { remaining: Duration::from_secs(1), increment: Duration::from_millis(10), moves_to_go: None };
        let usual = Budget::of(&clock, OVERHEAD);
        let cautious = Budget::of(&clock, 10 * OVERHEAD);
        assert!(cautious.soft > usual.soft / 3, "{cautious:?} {usual:?}");
    }

    /// Plays out a period spending the hard limit whenever allowed twice in a row, the soft one otherwise.
    #[test]
    fn a_period_lasts_to_its_end() {
        let mut remaining = Duration::from_secs(4);
        for left in (1..=40).rev() {
            let clock = ClockState { remaining, increment: Duration::ZERO, moves_to_go: Some(left) };
            let budget = Budget::of(&clock, OVERHEAD);
            let spent = if left % 7 == 0 { budget.hard } else { budget.soft };
            assert!(left == 1 || budget.soft > Duration::ZERO, "nothing left for move {left}");
            remaining = remaining.checked_sub(spent + Duration::from_millis(1)).expect("oversteps");
        }
    }
}
