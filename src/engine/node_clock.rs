//! The clocks of a game in which time is counted in nodes.
//!
//! The client's clock runs in real time and says nothing of nodes spent. So only what it shows at the first move counts;
//! from then on each side's clock is kept here, and a game is the same however fast the machine.

use std::time::Duration;

use crate::chess::{Game, Position};
use crate::search::ClockState;

/// One side's clock.
#[derive(Clone, Copy, Debug)]
struct SideClock {
    /// What is left.
    remaining: Duration,
    /// What a period of the time control gives: what was on the clock at first.
    period: Duration,
    /// What each move brings.
    increment: Duration,
    /// Moves to the next period at the last look.
    moves_to_go: Option<u32>,
    /// The length of the game when the clock was wound last.
    wound_at: usize,
}

/// The clocks of both sides in one game.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeClock {
    sides: [Option<SideClock>; 2],
    /// Where the game began and how long it was at the last look: another game has other clocks.
    game: Option<(Position, usize)>,
    /// The side whose search runs.
    running: Option<usize>,
}

impl NodeClock {
    /// The mover's clock by this count. The client's is believed at the first move of the side in a game, and when a new
    /// period begins, as far as that time was added.
    pub(super) fn wind(&mut self, game: &Game, sent: ClockState) -> ClockState {
        let same_game = self.game.is_some_and(|(start, ply)| start == *game.start() && ply <= game.ply());
        if !same_game {
            self.sides = [None; 2];
        }
        self.game = Some((*game.start(), game.ply()));
        let mover = game.position().side_to_move().index();
        self.running = Some(mover);
        let first = SideClock {
            remaining: sent.remaining,
            period: sent.remaining,
            increment: sent.increment,
            moves_to_go: sent.moves_to_go,
            wound_at: game.ply(),
        };
        let side = self.sides[mover].get_or_insert(first);
        // Only a move that was played brings its increment: a search on the opponent's time may come to nothing.
        if game.ply() > side.wound_at {
            side.remaining += side.increment;
        }
        side.wound_at = game.ply();
        if sent.moves_to_go > side.moves_to_go && side.moves_to_go.is_some() {
            side.remaining += side.period;
        }
        (side.increment, side.moves_to_go) = (sent.increment, sent.moves_to_go);
        ClockState { remaining: side.remaining, ..sent }
    }

    /// The search for which the clock was wound has used so much and is over.
    pub(super) fn spend(&mut self, used: Duration) {
        if let Some(side) = self.running.take().and_then(|mover| self.sides[mover].as_mut()) {
            side.remaining = side.remaining.saturating_sub(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_move;

    fn clock(remaining: u64, moves_to_go: Option<u32>) -> ClockState {
        let increment = Duration::from_millis(10);
        ClockState { remaining: Duration::from_millis(remaining), increment, moves_to_go }
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split(' ') {
            game.play(parse_move(game.position(), text).unwrap());
        }
    }

    #[test]
    fn the_clock_is_kept_from_the_first_move_on_for_each_side() {
        let mut game = Game::new(Position::initial());
        let mut clocks = NodeClock::default();
        let remaining = |clocks: &mut NodeClock, game: &Game, sent| clocks.wind(game, sent).remaining.as_millis();
        assert_eq!(remaining(&mut clocks, &game, clock(1000, None)), 1000);
        clocks.spend(Duration::from_millis(300));
        play(&mut game, "e2e4");
        assert_eq!(remaining(&mut clocks, &game, clock(2000, None)), 2000);
        clocks.spend(Duration::from_millis(5000));
        play(&mut game, "e7e5");
        assert_eq!(remaining(&mut clocks, &game, clock(3, None)), 710);
        clocks.spend(Duration::ZERO);
        clocks.spend(Duration::from_millis(100));
        play(&mut game, "g1f3");
        assert_eq!(remaining(&mut clocks, &game, clock(9999, None)), 10);
        // Another game, and the same one taken back.
        assert_eq!(remaining(&mut clocks, &Game::new(Position::initial()), clock(7, None)), 7);
    }

    #[test]
    fn a_search_for_a_move_that_was_not_played_brings_no_increment() {
        let mut game = Game::new(Position::initial());
        let mut clocks = NodeClock::default();
        clocks.wind(&game, clock(1000, None));
        clocks.spend(Duration::from_millis(100));
        let mut expected = game.clone();
        play(&mut expected, "e2e4 e7e5");
        assert_eq!(clocks.wind(&expected, clock(1, None)).remaining.as_millis(), 910);
        clocks.spend(Duration::ZERO);
        play(&mut game, "e2e4 c7c5");
        assert_eq!(clocks.wind(&game, clock(1, None)).remaining.as_millis(), 910);
    }

    #[test]
    fn a_new_period_adds_its_time() {
        let mut game = Game::new(Position::initial());
        let mut clocks = NodeClock::default();
        clocks.wind(&game, clock(1000, Some(1)));
        clocks.spend(Duration::from_millis(900));
        play(&mut game, "e2e4 e7e5");
        assert_eq!(clocks.wind(&game, clock(1, Some(40))).remaining.as_millis(), 1110);
    }
}
