//! Time controls and the clocks that run by them.
//!
//! A time control is one or more periods, written as in PGN and by the usual runners: `2+0.02` (seconds and increment),
//! `40/60+0.1` (so many moves in a period that repeats), `300` (sudden death), `40/7200:20/3600` (periods in turn; the
//! last one repeats if it counts moves).

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// A stretch of a game with its own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many moves must be made in it; `None` for all that remain.
    pub moves: Option<NonZeroU32>,
    /// The time it adds to the clock when it begins.
    pub time: Duration,
    /// The time that each move adds once it is made.
    pub increment: Duration,
}

/// The periods of a game, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    first: Period,
    later: Vec<Period>,
}

/// The text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time control '{}' is not of the form [MOVES/]SECONDS[+INCREMENT]", self.0)
    }
}

impl std::error::Error for TimeControlError {}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let mut periods = text.split(':').map(|part| parse_period(part).ok_or_else(|| TimeControlError(text.into())));
        let first = periods.next().ok_or_else(|| TimeControlError(text.into()))??;
        let later = periods.collect::<Result<Vec<Period>, _>>()?;
        let count = 1 + later.len();
        let sudden_death_early = [first].iter().chain(&later).take(count - 1).any(|period| period.moves.is_none());
        if sudden_death_early { Err(TimeControlError(text.into())) } else { Ok(TimeControl { first, later }) }
    }
}

fn parse_period(text: &str) -> Option<Period> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
        None => (None, text),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let period = Period { moves, time: parse_seconds(time)?, increment: parse_seconds(increment)? };
    (period.time + period.increment > Duration::ZERO).then_some(period)
}

/// Seconds with any fraction, up to a year.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=31_536_000.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.later.iter().try_for_each(|period| write!(f, ":{period}"))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl TimeControl {
    fn period(&self, index: usize) -> Period {
        let mut periods = [self.first].into_iter().chain(self.later.iter().copied());
        periods.nth(index.min(self.later.len())).unwrap_or(self.first)
    }
}

/// One side's clock. It does not run by itself: it is told how long each move took.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    period: usize,
    moves_made: u32,
}

/// How a move stands against the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// In time.
    InTime,
    /// Beyond the clock, but within the margin: counted, not punished.
    WithinMargin,
    /// The flag has fallen.
    FlagFell,
}

impl Clock {
    /// A clock at the start of the game.
    pub fn new(control: TimeControl) -> Clock {
        let remaining = control.first.time;
        Clock { control, remaining, period: 0, moves_made: 0 }
    }

    /// The time left.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The time that each move adds in this period.
    pub fn increment(&self) -> Duration {
        self.control.period(self.period).increment
    }

    /// The moves left in this period; `None` if it takes the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.period(self.period).moves.map(|moves| moves.get() - self.moves_made)
    }

    /// Takes the time of a move off, and adds what the move earns.
    pub fn press(&mut self, used: Duration, margin: Duration) -> Press {
        if used > self.remaining + margin {
            self.remaining = Duration::ZERO;
            return Press::FlagFell;
        }
        let press = if used > self.remaining { Press::WithinMargin } else { Press::InTime };
        self.remaining = self.remaining.saturating_sub(used) + self.increment();
        self.moves_made += 1;
        if self.moves_to_go() == Some(0) {
            self.moves_made = 0;
            self.period += 1;
            self.remaining += self.control.period(self.period).time;
        }
        press
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect("a time control")
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn texts_are_read_and_written_back() {
        for text in ["2+0.02", "40/60+0.1", "300", "40/4", "40/7200:20/3600+30:900"] {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("1.50+0.010").to_string(), "1.5+0.01");
        for text in ["", "x", "0", "0+0", "-1", "40/", "0/60", "60/40/2", "1+", "300:40/60", "inf", "1e99"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError(text.into())), "{text}");
        }
    }

    #[test]
    fn increments_are_added_after_the_move() {
        let mut clock = Clock::new(control("1+0.1"));
        assert_eq!(clock.press(ms(400), ms(0)), Press::InTime);
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(700), None));
        assert_eq!(clock.press(ms(700), ms(0)), Press::InTime);
        assert_eq!(clock.remaining(), ms(100));
        assert_eq!(clock.press(ms(101), ms(0)), Press::FlagFell);
    }

    #[test]
    fn the_margin_forgives_but_gives_no_time() {
        let mut clock = Clock::new(control("1"));
        assert_eq!(clock.press(ms(1040), ms(50)), Press::WithinMargin);
        assert_eq!(clock.remaining(), ms(0));
        assert_eq!(clock.press(ms(51), ms(50)), Press::FlagFell);
    }

    #[test]
    fn periods_follow_each_other_and_the_last_repeats() {
        let mut clock = Clock::new(control("2/10:1/5+1"));
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.press(ms(1000), ms(0));
        assert_eq!((clock.moves_to_go(), clock.remaining()), (Some(1), ms(9000)));
        clock.press(ms(1000), ms(0));
        assert_eq!((clock.moves_to_go(), clock.remaining()), (Some(1), ms(13_000)));
        clock.press(ms(0), ms(0));
        assert_eq!((clock.moves_to_go(), clock.remaining()), (Some(1), ms(19_000)));
    }
}
