//! Who plays whom, in which order, and from which opening.
//!
//! The order is a fixed function of the game's number, and a longer schedule begins with the shorter one: so a match can
//! be resumed and lengthened, and concurrent games need no bookkeeping but the numbers that are done.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

/// Which players meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Everybody meets everybody.
    #[value(name = "roundrobin")]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: usize,
    /// The number of the pair it belongs to: games 2n and 2n + 1 have the same opening and players, colours reversed.
    pub pair: usize,
    /// The round, from 0: in a round each pairing plays one pair of games.
    pub round: usize,
    /// The player named first in the pairing, who has White in the first game of each pair.
    pub first: usize,
    /// The player named second.
    pub second: usize,
}

impl Fixture {
    /// Whether this is the second game of its pair.
    pub fn is_return_game(&self) -> bool {
        self.number % 2 == 1
    }

    /// White and Black.
    pub fn players(&self) -> (usize, usize) {
        if self.is_return_game() { (self.second, self.first) } else { (self.first, self.second) }
    }
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    /// A schedule for `players` players (two at least) in which each pairing plays `rounds` pairs of games.
    pub fn new(tournament: Tournament, players: usize, rounds: usize) -> Schedule {
        let opponents = |first| (first + 1..players).map(move |second| (first, second));
        let pairings = match tournament {
            Tournament::RoundRobin => (0..players).flat_map(opponents).collect(),
            Tournament::Gauntlet => opponents(0).collect(),
        };
        Schedule { pairings, rounds }
    }

    /// The pairs of players that meet.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        2 * self.pairings.len() * self.rounds
    }

    /// The game with this number, also beyond the end of the schedule.
    pub fn fixture(&self, number: usize) -> Fixture {
        let pair = number / 2;
        let (first, second) = self.pairings[pair % self.pairings.len()];
        Fixture { number, pair, round: pair / self.pairings.len(), first, second }
    }
}

/// Hands out the games that are still to be played, pair by pair: who plays both games of a pair keeps its engines
/// running between them.
#[derive(Debug)]
pub struct Queue {
    pairs: std::ops::Range<usize>,
    done: HashSet<usize>,
}

impl Queue {
    /// All games of the schedule but those that are done.
    pub fn new(schedule: &Schedule, done: HashSet<usize>) -> Queue {
        Queue { pairs: 0..schedule.games() / 2, done }
    }
}

impl Iterator for Queue {
    /// The numbers of the one or two games of a pair.
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let done = &self.done;
        let mut open = self.pairs.by_ref().map(|pair| {
            let games = [2 * pair, 2 * pair + 1].into_iter();
            games.filter(|number| !done.contains(number)).collect::<Vec<usize>>()
        });
        open.find(|games| !games.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(schedule: &Schedule) -> Vec<(usize, usize, usize)> {
        let fixtures = (0..schedule.games()).map(|number| schedule.fixture(number));
        fixtures.map(|fixture| (fixture.round, fixture.players().0, fixture.players().1)).collect()
    }

    #[test]
    fn each_pair_has_both_colours() {
        let expected = [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)];
        assert_eq!(games(&Schedule::new(Tournament::RoundRobin, 2, 2)), expected);
        let expected = [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0)];
        assert_eq!(games(&Schedule::new(Tournament::Gauntlet, 3, 1)), expected);
        let expected = [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)];
        assert_eq!(games(&Schedule::new(Tournament::RoundRobin, 3, 1)), expected);
    }

    #[test]
    fn longer_schedules_begin_with_the_shorter_ones() {
        let short = games(&Schedule::new(Tournament::RoundRobin, 4, 2));
        assert!(games(&Schedule::new(Tournament::RoundRobin, 4, 5)).starts_with(&short));
    }

    #[test]
    fn finished_games_are_not_handed_out_again() {
        let schedule = Schedule::new(Tournament::RoundRobin, 2, 3);
        let queue = Queue::new(&schedule, HashSet::from([0, 3, 4, 17]));
        assert_eq!(queue.collect::<Vec<_>>(), [vec![1], vec![2], vec![5]]);
        let queue = Queue::new(&schedule, HashSet::from([2, 3]));
        assert_eq!(queue.collect::<Vec<_>>(), [vec![0, 1], vec![4, 5]]);
    }
}
