//! A game between a person and the engine by the clock: who has which colour, and what is left on both clocks.

use std::time::{Duration, Instant};

use crate::chess::{Color, Game};
use crate::search::ClockState;

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    /// The person's colour.
    pub(super) person: Color,
    /// What both have on the clock at first.
    pub(super) time: Duration,
    /// What each move brings.
    pub(super) increment: Duration,
}

/// A game under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel {
    terms: Terms,
    /// What was left of each side's time when its clock was last stopped.
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: (Color, Instant),
}

impl Duel {
    /// Starts the clock of the side to move.
    pub(super) fn new(terms: Terms, mover: Color, now: Instant) -> Duel {
        Duel { terms, left: [terms.time; 2], running: (mover, now) }
    }

    pub(super) fn person(&self) -> Color {
        self.terms.person
    }

    /// The person and the engine exchange their colours, clocks included.
    pub(super) fn change_sides(&mut self) {
        self.terms.person = !self.terms.person;
    }

    /// What a side has left.
    pub(super) fn left(&self, color: Color, now: Instant) -> Duration {
        let (mover, since) = self.running;
        let used = if color == mover { now.saturating_duration_since(since) } else { Duration::ZERO };
        self.left[color.index()].saturating_sub(used)
    }

    /// The side to move has moved: its clock stops with the increment added, the other's starts.
    pub(super) fn press(&mut self, now: Instant) {
        let (mover, _) = self.running;
        self.left[mover.index()] = self.left(mover, now) + self.terms.increment;
        self.running = (!mover, now);
    }

    /// A move was taken back, and this side is to move: the time is gone, but the clock runs for the right side.
    pub(super) fn turn_back(&mut self, mover: Color, now: Instant) {
        let (running, _) = self.running;
        self.left[running.index()] = self.left(running, now);
        self.running = (mover, now);
    }

    /// When the flag of the running clock falls.
    pub(super) fn flag_falls_at(&self) -> Instant {
        let (mover, since) = self.running;
        since + self.left[mover.index()]
    }

    /// The side whose flag has fallen.
    pub(super) fn fallen(&self, now: Instant) -> Option<Color> {
        (now >= self.flag_falls_at()).then_some(self.running.0)
    }

    /// The clock of the side to move, as the search reads it.
    pub(super) fn clock(&self, now: Instant) -> ClockState {
        let remaining = self.left(self.running.0, now);
        ClockState { remaining, increment: self.terms.increment, moves_to_go: None }
    }

    /// `White 4:58  Black 5:03`
    pub(super) fn clocks_text(&self, now: Instant) -> String {
        let side = |color| format!("{color:?} {}", clock_text(self.left(color, now)));
        format!("{}  {}", side(Color::White), side(Color::Black))
    }
}

/// What it comes to when a flag falls: lost, or drawn if the other side cannot mate.
pub(super) fn flag_text(game: &Game, fallen: Color) -> String {
    if game.can_mate(!fallen) {
        format!("{fallen:?}'s flag has fallen: {:?} wins on time", !fallen)
    } else {
        format!("{fallen:?}'s flag has fallen: a draw, as {:?} cannot mate", !fallen)
    }
}

/// Minutes and seconds; tenths when there is less than a minute, rounded down so that nothing looks like nothing.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 60 {
        return format!("0:{seconds:02}.{}", left.subsec_millis() / 100);
    }
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    const SECOND: Duration = Duration::from_secs(1);

    fn duel(now: Instant) -> Duel {
        Duel::new(Terms { person: Color::White, time: 60 * SECOND, increment: 2 * SECOND }, Color::White, now)
    }

    #[test]
    fn clocks_run_in_turn_and_grow_with_each_move() {
        let start = Instant::now();
        let mut duel = duel(start);
        assert_eq!(duel.clocks_text(start + 5 * SECOND), "White 0:55.0  Black 1:00");
        duel.press(start + 10 * SECOND);
        assert_eq!(duel.left(Color::White, start + 20 * SECOND), 52 * SECOND);
        assert_eq!(duel.clock(start + 20 * SECOND).remaining, 50 * SECOND);
        duel.turn_back(Color::White, start + 20 * SECOND);
        assert_eq!(duel.clocks_text(start + 21 * SECOND), "White 0:51.0  Black 0:50.0");
        assert_eq!(duel.fallen(start + 71 * SECOND), None);
        assert_eq!(duel.fallen(start + 72 * SECOND), Some(Color::White));
        assert_eq!(duel.left(Color::White, start + 99 * SECOND), Duration::ZERO);
    }

    #[test]
    fn who_changes_sides_takes_the_other_clock() {
        let start = Instant::now();
        let mut duel = duel(start);
        duel.change_sides();
        assert_eq!(duel.person(), Color::Black);
        assert_eq!(duel.clocks_text(start + 5 * SECOND), "White 0:55.0  Black 1:00");
    }

    #[test]
    fn a_fallen_flag_loses_unless_the_other_side_cannot_mate() {
        let game = |fen| Game::new(parse_fen(fen).unwrap());
        let text = flag_text(&game("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"), Color::Black);
        assert_eq!(text, "Black's flag has fallen: White wins on time");
        let text = flag_text(&game("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"), Color::White);
        assert_eq!(text, "White's flag has fallen: a draw, as Black cannot mate");
    }
}
