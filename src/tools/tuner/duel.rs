//! Pairs of games between two sets of the search's numbers, at a fixed number of nodes a move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chess::{Color, Game, Move, Outcome, Position};
use crate::nnue::Network;
use crate::score::Score;
use crate::search::{Limits, Params, Settings, Signals, TablebaseUse, Worker};
use crate::tools::judge::{Judge, JudgeRules};
use crate::tools::viriformat::WhiteResult;
use crate::transposition::{AllocationError, TranspositionTable};

/// Hash of each player in MiB.
const HASH_MIB: usize = 8;
/// When both players are taken to agree on the result.
const RULES: JudgeRules = JudgeRules { win_score: 600, win_plies: 6, draw_score: 8, draw_plies: 14, draw_from_ply: 70 };
const MOST_PLIES: usize = 500;

/// One side with its own memory.
struct Player {
    worker: Worker,
    settings: Settings,
}

impl Player {
    fn new(network: &Arc<Network>) -> Result<Player, AllocationError> {
        let settings = Settings {
            table: Arc::new(TranspositionTable::new(HASH_MIB)?),
            network: Arc::clone(network),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
            tablebase: TablebaseUse::default(),
        };
        Ok(Player { worker: Worker::new(), settings })
    }

    fn begin(&mut self, params: &Params) {
        self.worker.forget();
        self.settings.table.clear(1);
        self.settings.params = params.clone();
    }

    fn answer(&mut self, game: &Game, nodes: u64) -> Option<(Move, Score)> {
        self.settings.table.start_search();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let signals = Signals::default();
        let result = self.worker.search(game, &limits, &self.settings, &signals, Instant::now(), &mut |_| ());
        result.best.map(|mv| (mv, result.score))
    }
}

/// Two players at a board.
pub(super) struct Duel {
    players: [Player; 2],
}

impl Duel {
    pub(super) fn new(network: &Arc<Network>) -> Result<Duel, AllocationError> {
        Ok(Duel { players: [Player::new(network)?, Player::new(network)?] })
    }

    /// Plays the opening twice with colours reversed; the points by which the first set did better, from -2 to 2.
    pub(super) fn play_pair(&mut self, opening: &Position, sets: [&Params; 2], nodes: u64) -> f64 {
        let as_white = self.play(opening, sets, nodes);
        self.players.swap(0, 1);
        let as_black = -self.play(opening, [sets[1], sets[0]], nodes);
        self.players.swap(0, 1);
        as_white + as_black
    }

    /// One game, the first player with the side to move: 1, 0 or -1 for it.
    fn play(&mut self, opening: &Position, sets: [&Params; 2], nodes: u64) -> f64 {
        self.players.iter_mut().zip(sets).for_each(|(player, set)| player.begin(set));
        let mut game = Game::new(*opening);
        let mut judge = Judge::default();
        let first = opening.side_to_move();
        let winner = loop {
            if let Some(outcome) = game.outcome() {
                break winner_of(outcome);
            }
            if game.ply() >= MOST_PLIES {
                break None;
            }
            let mover = game.position().side_to_move();
            let player = &mut self.players[(mover != first) as usize];
            let Some((mv, score)) = player.answer(&game, nodes) else { break None };
            game.play(mv);
            let white_view = if mover == Color::White { score } else { -score };
            match judge.decide(white_view, game.ply() as u32, &RULES) {
                Some(WhiteResult::Win) => break Some(Color::White),
                Some(WhiteResult::Loss) => break Some(Color::Black),
                Some(WhiteResult::Draw) => break None,
                None => {}
            }
        };
        winner.map_or(0.0, |winner| if winner == first { 1.0 } else { -1.0 })
    }
}

fn winner_of(outcome: Outcome) -> Option<Color> {
    match outcome {
        Outcome::Checkmate { winner } => Some(winner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_end_level_over_a_pair() {
        let network = Arc::new(Network::embedded().unwrap());
        let mut duel = Duel::new(&network).unwrap();
        let params = Params::DEFAULT;
        // The second game is the first once more: what one side wins as White it loses as Black.
        assert_eq!(duel.play_pair(&Position::initial(), [&params, &params], 150), 0.0);
    }
}
