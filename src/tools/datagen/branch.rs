//! Positions beside the games: what comes of moves that nobody would play. A search evaluates such positions all the time,
//! and games hold few of them.

use std::sync::Arc;

use super::play::Player;
use crate::chess::random::SplitMix64;
use crate::chess::{Game, Move, Position};
use crate::tools::viriformat::{TrainingGame, WhiteResult};

/// How games are branched off.
#[derive(Clone, Debug)]
pub struct BranchSettings {
    /// The games to branch off from.
    pub games: Arc<Vec<TrainingGame>>,
    /// After so many nodes no new iteration begins.
    pub soft_nodes: u64,
    /// Of so many positions of a game one is branched off from, on average.
    pub every: u64,
    /// Random moves that lead away from the game.
    pub random_plies: u32,
}

impl Player {
    /// Searches positions beside a game picked by seed and number, and returns each as a game of one move, whose score is all
    /// that counts: it has no result.
    pub(super) fn branch(&mut self, settings: &BranchSettings, seed: u64, number: u64) -> Vec<TrainingGame> {
        let mut random = SplitMix64::of_series(seed, number);
        let Some(game) = random_game(&settings.games, &mut random) else { return Vec::new() };
        self.forget();
        let mut records = Vec::new();
        for (position, played, _) in game.positions() {
            if random.below(settings.every.max(1)) > 0 {
                continue;
            }
            let Some(start) = beside(position, played, settings.random_plies, &mut random) else { continue };
            let searched = self.search_scored(&Game::new(start), settings.soft_nodes);
            let record = |scored| TrainingGame { start, moves: vec![scored], result: WhiteResult::Draw };
            records.extend(searched.map(record));
        }
        records
    }
}

fn random_game<'a>(games: &'a [TrainingGame], random: &mut SplitMix64) -> Option<&'a TrainingGame> {
    (!games.is_empty()).then(|| &games[random.below(games.len() as u64) as usize])
}

/// The position after so many random moves, the first of which is not the one played; none if there is no such position, or
/// the game has ended by then.
fn beside(mut position: Position, played: Move, plies: u32, random: &mut SplitMix64) -> Option<Position> {
    for ply in 0..plies {
        let mut moves = position.legal_moves();
        moves.retain(|mv| ply > 0 || *mv != played);
        if moves.is_empty() {
            return None;
        }
        position.make(moves[random.below(moves.len() as u64) as usize]);
    }
    Some(position).filter(|position| Game::new(*position).outcome().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Network;
    use crate::tools::datagen::GameSettings;

    #[test]
    fn branches_lie_beside_the_game_and_repeat() {
        let network = Arc::new(Network::embedded().unwrap());
        let mut player = Player::new(network).unwrap();
        let game = player.play(&GameSettings { soft_nodes: 100, ..GameSettings::default() }, 5, 17);
        let settings =
            BranchSettings { games: Arc::new(vec![game.clone()]), soft_nodes: 100, every: 2, random_plies: 1 };
        let branches = player.branch(&settings, 1, 1);
        assert_eq!(player.branch(&settings, 1, 1), branches);
        assert_ne!(player.branch(&settings, 1, 2), branches);
        assert!(branches.len() > game.moves.len() / 4 && branches.len() < game.moves.len());
        for branch in &branches {
            let leads_there = |position: &Position, mv: Move| position.after(mv).key() == branch.start.key();
            let beside = |(position, played, _): (Position, Move, i16)| {
                position.legal_moves().into_iter().any(|mv| mv != played && leads_there(&position, mv))
            };
            assert!(game.positions().any(beside));
            assert_eq!(branch.moves.len(), 1);
        }
    }

    #[test]
    fn nothing_is_branched_off_from_nothing() {
        let mut player = Player::new(Arc::new(Network::embedded().unwrap())).unwrap();
        let settings = BranchSettings { games: Arc::default(), soft_nodes: 100, every: 2, random_plies: 1 };
        assert_eq!(player.branch(&settings, 1, 1), []);
    }
}
