//! The results so far: by pairing, in games and in finished pairs of games.

use std::collections::{BTreeMap, HashMap};

use super::checks::WarningCounts;
use super::record::GameRecord;
use super::schedule::Fixture;
use super::statistics::{Encounter, PairScore, Pentanomial, Ratings, WinDrawLoss, rate};
use crate::chess::Color;

/// The results of one pairing, seen by the player named first.
#[derive(Clone, Debug, Default)]
pub struct PairingScore {
    /// All games.
    pub games: WinDrawLoss,
    /// Finished pairs.
    pub pairs: Pentanomial,
    /// Half points from the one game that is finished of a pair, by the pair's number.
    open: HashMap<usize, u32>,
}

impl PairingScore {
    fn add(&mut self, pair: usize, half_points: u32) {
        self.games.add(half_points);
        match self.open.remove(&pair) {
            Some(other_game) => self.pairs.add(other_game + half_points),
            None => {
                self.open.insert(pair, half_points);
            }
        }
    }
}

/// The results of all games so far.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    players: usize,
    pairings: BTreeMap<(usize, usize), PairingScore>,
    reasons: BTreeMap<&'static str, u64>,
    warnings: Vec<WarningCounts>,
}

impl Standings {
    /// No results for so many players.
    pub fn new(players: usize) -> Standings {
        Standings { players, warnings: vec![WarningCounts::default(); players], ..Standings::default() }
    }

    /// Adds a finished game of the schedule. Each game must be added once.
    pub fn add(&mut self, fixture: &Fixture, record: &GameRecord) {
        let first_has = if record.white == fixture.first { Color::White } else { Color::Black };
        let half_points = record.verdict.result.half_points(first_has);
        self.pairings.entry((fixture.first, fixture.second)).or_default().add(fixture.pair, half_points);
        *self.reasons.entry(record.verdict.reason.name()).or_default() += 1;
        for color in Color::ALL {
            self.warnings[record.player(color)] += record.warnings(color);
        }
    }

    /// How many games are finished.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(|pairing| pairing.games.games()).sum()
    }

    /// The results between two players, seen by `player`.
    pub fn between(&self, player: usize, opponent: usize) -> (WinDrawLoss, Pentanomial) {
        if let Some(pairing) = self.pairings.get(&(player, opponent)) {
            return (pairing.games, pairing.pairs);
        }
        let pairing = self.pairings.get(&(opponent, player));
        pairing.map_or_else(Default::default, |pairing| (pairing.games.reversed(), pairing.pairs.reversed()))
    }

    /// All games of a player.
    pub fn of(&self, player: usize) -> WinDrawLoss {
        let mut total = WinDrawLoss::default();
        (0..self.players).for_each(|opponent| total += self.between(player, opponent).0);
        total
    }

    /// How often games ended for each reason.
    pub fn reasons(&self) -> &BTreeMap<&'static str, u64> {
        &self.reasons
    }

    /// Faults counted for a player.
    pub fn warnings(&self, player: usize) -> &WarningCounts {
        &self.warnings[player]
    }

    /// The ratings of all players. `fixed` is a player whose rating is given.
    pub fn ratings(&self, fixed: Option<(usize, f64)>) -> Ratings {
        let encounters: Vec<Encounter> =
            self.pairings.iter().map(|(&players, score)| encounter(players, score)).collect();
        rate(self.players, &encounters, fixed)
    }
}

fn encounter((player, opponent): (usize, usize), score: &PairingScore) -> Encounter {
    let mut pairs = PairScore::default();
    for (half_points, &count) in score.pairs.0.iter().enumerate() {
        let (points, count) = (half_points as f64 / 2.0, count as f64);
        pairs.count += count;
        pairs.sum += count * points;
        pairs.squares += count * points * points;
    }
    Encounter { player, opponent, points: score.games.points(), games: score.games.games() as f64, pairs }
}

#[cfg(test)]
mod tests {
    use super::super::checks::Warning;
    use super::super::schedule::{Schedule, Tournament};
    use super::super::verdict::{GameResult, Reason, Verdict};
    use super::*;

    fn record(fixture: &Fixture, result: GameResult) -> GameRecord {
        let (white, black) = fixture.players();
        let mut warnings = [WarningCounts::default(); 2];
        warnings[0].add(Warning::LatePing);
        GameRecord {
            number: fixture.number,
            white,
            black,
            date: String::new(),
            fen: String::new(),
            chess960: false,
            book: vec![],
            moves: vec![],
            verdict: Verdict { result, reason: Reason::Checkmate },
            warnings,
        }
    }

    fn standings(players: usize, results: &[(usize, GameResult)]) -> Standings {
        let schedule = Schedule::new(Tournament::RoundRobin, players, 9);
        let mut standings = Standings::new(players);
        for &(number, result) in results {
            let fixture = schedule.fixture(number);
            standings.add(&fixture, &record(&fixture, result));
        }
        standings
    }

    /// Concurrent games finish in any order, also those of different pairs.
    #[test]
    fn pairs_count_only_when_both_games_are_done_in_whatever_order() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let results = [(3, BlackWins), (0, WhiteWins), (5, Draw), (2, WhiteWins), (4, Draw), (6, BlackWins)];
        let all = standings(2, &results);
        // Pair 0 is open (won); pair 1: won both games; pair 2: two draws; pair 3 open (lost).
        assert_eq!(all.between(0, 1), (WinDrawLoss { wins: 3, draws: 2, losses: 1 }, Pentanomial([0, 0, 1, 0, 1])));
        assert_eq!(all.between(1, 0).1, Pentanomial([1, 0, 1, 0, 0]));
        assert_eq!((all.games(), all.of(1).points()), (6, 2.0));
        let mut backwards = results;
        backwards.reverse();
        assert_eq!(standings(2, &backwards).between(0, 1), all.between(0, 1));
    }

    #[test]
    fn players_and_faults_are_told_apart() {
        // Games 0 to 5 are 0-1, 1-0, 0-2, 2-0, 1-2, 2-1.
        let results: Vec<_> = (0..6).map(|number| (number, GameResult::WhiteWins)).collect();
        let all = standings(3, &results);
        for player in 0..3 {
            assert_eq!(all.of(player), WinDrawLoss { wins: 2, draws: 0, losses: 2 });
            assert_eq!(all.warnings(player).count(Warning::LatePing), 2);
        }
        assert_eq!(all.between(2, 0).1, Pentanomial([0, 0, 1, 0, 0]));
        assert_eq!(all.reasons().get("checkmate"), Some(&6));
        let ratings = all.ratings(Some((2, 2500.0)));
        assert!(ratings.players.iter().all(|rating| (rating.elo - 2500.0).abs() < 1e-6));
    }
}
