//! Random choices that a seed determines.

use luft::chess::random::SplitMix64;
use luft::chess::{Game, Position};

pub struct Chance(SplitMix64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(SplitMix64::new(seed))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Whether something happens that happens once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A game after so many random moves that is not over.
    pub fn opening(&mut self, plies: usize) -> Game {
        loop {
            let mut game = Game::new(Position::initial());
            while game.ply() < plies && game.outcome().is_none() {
                let legal = game.position().legal_moves();
                game.play(legal[self.below(legal.len() as u64) as usize]);
            }
            if game.outcome().is_none() {
                return game;
            }
        }
    }
}
