//! One game of the engine against itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::openings::random_opening;
use crate::chess::random::SplitMix64;
use crate::chess::{Color, Game, Move, Position};
use crate::nnue::Network;
use crate::score::Score;
use crate::search::{Limits, Params, Settings, Signals, TablebaseUse, Worker};
use crate::syzygy::{Tablebase, Wdl};
use crate::tools::judge::{Judge, JudgeRules};
use crate::tools::viriformat::{TrainingGame, WhiteResult};
use crate::transposition::{AllocationError, TranspositionTable};

/// How games are played.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// After so many nodes no new iteration begins.
    pub soft_nodes: u64,
    /// Positions to begin from, or none for the arrays of standard chess and Chess960.
    pub book: Option<Arc<Vec<Position>>>,
    /// Random moves at the start, or one more.
    pub random_plies: u32,
    /// Openings whose score is further from 0 than this are not played, in evaluation units.
    pub opening_limit: i32,
    /// When a game is decided.
    pub judge: JudgeRules,
    /// Endgame tables that decide a game as soon as they know its result.
    pub tablebase: Option<Arc<Tablebase>>,
}

impl Default for GameSettings {
    fn default() -> GameSettings {
        GameSettings {
            soft_nodes: 1_500,
            book: None,
            random_plies: 8,
            opening_limit: 400,
            judge: JudgeRules { win_score: 2_000, win_plies: 5, draw_score: 6, draw_plies: 12, draw_from_ply: 60 },
            tablebase: None,
        }
    }
}

/// A search may overshoot its soft limit by this factor, for the one position in a thousand that explodes.
const HARD_FACTOR: u64 = 20;
/// The score of an opening is looked at with this many times the nodes of a move.
const OPENING_FACTOR: u64 = 4;
/// Games longer than this are left undecided: drawn.
const MOST_PLIES: usize = 600;
/// Hash for one player of short searches; small, as it is cleared for every game.
const HASH_MIB: usize = 1;

/// A player for both sides with its own table.
pub(super) struct Player {
    worker: Worker,
    settings: Settings,
    signals: Signals,
}

impl Player {
    pub(super) fn new(network: Arc<Network>) -> Result<Player, AllocationError> {
        let table = Arc::new(TranspositionTable::new(HASH_MIB)?);
        let settings = Settings {
            table,
            network,
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
            tablebase: TablebaseUse::default(),
        };
        Ok(Player { worker: Worker::new(), settings, signals: Signals::default() })
    }

    /// Plays the game with this number from a series: the same seed and number give the same game.
    pub(super) fn play(&mut self, settings: &GameSettings, seed: u64, number: u64) -> TrainingGame {
        let mut random = SplitMix64::of_series(seed, number);
        self.forget();
        let start = loop {
            let opening = random_opening(&mut random, settings.book.as_deref(), settings.random_plies);
            let search = self.search(&Game::new(opening), settings.soft_nodes.saturating_mul(OPENING_FACTOR));
            if search.is_some_and(|(_, score)| score.units().abs() <= settings.opening_limit) {
                break opening;
            }
        };
        self.play_from(start, settings)
    }

    fn play_from(&mut self, start: Position, settings: &GameSettings) -> TrainingGame {
        let mut game = Game::new(start);
        let mut moves = Vec::new();
        let mut judge = Judge::default();
        let result = loop {
            let Some((mv, score)) = self.search(&game, settings.soft_nodes) else {
                break WhiteResult::Draw;
            };
            let white_view = by_white(&game, score);
            moves.push((mv, recorded(white_view)));
            game.play(mv);
            // The laws come before the judge: a mate stands.
            if let Some(outcome) = game.outcome() {
                break WhiteResult::of(outcome);
            }
            if let Some(result) = settings.tablebase.as_deref().and_then(|tables| result_by(tables, game.position())) {
                break result;
            }
            if let Some(result) = judge.decide(white_view, game.ply() as u32, &settings.judge) {
                break result;
            }
            if game.ply() >= MOST_PLIES {
                break WhiteResult::Draw;
            }
        };
        TrainingGame { start, moves, result }
    }

    /// Forgets all that other games have taught.
    pub(super) fn forget(&mut self) {
        self.worker.forget();
        self.settings.table.clear(1);
    }

    /// The move found, with its score as records have it.
    pub(super) fn search_scored(&mut self, game: &Game, soft_nodes: u64) -> Option<(Move, i16)> {
        self.search(game, soft_nodes).map(|(mv, score)| (mv, recorded(by_white(game, score))))
    }

    fn search(&mut self, game: &Game, soft_nodes: u64) -> Option<(Move, Score)> {
        self.settings.table.start_search();
        let limits = Limits {
            soft_nodes: Some(soft_nodes),
            nodes: Some(soft_nodes.saturating_mul(HARD_FACTOR)),
            ..Limits::default()
        };
        let result = self.worker.search(game, &limits, &self.settings, &self.signals, Instant::now(), &mut |_| ());
        result.best.map(|mv| (mv, result.score))
    }
}

/// The score of the side to move, as White sees it.
fn by_white(game: &Game, score: Score) -> Score {
    if game.position().side_to_move() == Color::White { score } else { -score }
}

/// The score as records have it: the extremes stand for forced mates.
fn recorded(score: Score) -> i16 {
    if score.is_mate() { i16::MAX * score.units().signum() as i16 } else { score.units() as i16 }
}

/// The result by the tables, which speak right after a capture or pawn move.
fn result_by(tables: &Tablebase, position: &Position) -> Option<WhiteResult> {
    let us = position.side_to_move();
    let result = if position.halfmove_clock() == 0 { tables.wdl(position)? } else { return None };
    Some(match result {
        Wdl::Win => WhiteResult::win_of(us),
        Wdl::Loss => WhiteResult::win_of(!us),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => WhiteResult::Draw,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_game() {
        let settings = GameSettings { soft_nodes: 200, ..GameSettings::default() };
        let network = Arc::new(Network::embedded().unwrap());
        let game = Player::new(Arc::clone(&network)).unwrap().play(&settings, 5, 17);
        let mut other = Player::new(network).unwrap();
        other.play(&settings, 5, 16);
        assert_eq!(other.play(&settings, 5, 17), game);
        assert!(game.moves.len() > 10);
        if let Some(outcome) = game.replay().outcome() {
            assert_eq!(WhiteResult::of(outcome), game.result);
        }
    }
}
