//! What is kept of a game.

use serde::{Deserialize, Serialize};

use super::checks::WarningCounts;
use super::info::EngineScore;
use super::verdict::Verdict;
use crate::chess::notation::{CastlingSpelling, FenError, MoveError, parse_fen, parse_move};
use crate::chess::{Color, Game, Move, Position};

/// One move of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in UCI notation, castling as the game's mode spells it.
    #[serde(rename = "m")]
    pub uci: String,
    /// The last score given for it.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// The depth of that score.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The last node count given.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds it took.
    #[serde(rename = "t")]
    pub milliseconds: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub number: usize,
    /// The players' indices.
    pub white: usize,
    /// The players' indices.
    pub black: usize,
    /// When it began, as PGN writes a date (in universal time).
    pub date: String,
    /// The position before the opening's moves.
    pub fen: String,
    /// Whether castling was spelt as Chess960 needs it.
    pub chess960: bool,
    /// The opening's moves.
    pub book: Vec<String>,
    /// The players' moves.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub verdict: Verdict,
    /// Faults of the players, White's first.
    pub warnings: [WarningCounts; 2],
}

/// The moves of a game, each with the record of the player's own; the opening's have none.
pub type AnnotatedMoves<'a> = Vec<(Move, Option<&'a MoveRecord>)>;

/// Why a record does not hold a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// Its start cannot be read.
    Fen(FenError),
    /// One of its moves cannot be played.
    Move(MoveError),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Fen(error) => write!(f, "{error}"),
            ReplayError::Move(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl GameRecord {
    /// The index of the player with these men.
    pub fn player(&self, color: Color) -> usize {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Faults of the player with these men.
    pub fn warnings(&self, color: Color) -> &WarningCounts {
        &self.warnings[color.index()]
    }

    /// The position before the first move, and all moves.
    ///
    /// # Errors
    /// When the record was not made by a referee.
    pub fn replay(&self) -> Result<(Position, AnnotatedMoves<'_>), ReplayError> {
        let start = parse_fen(&self.fen).map_err(ReplayError::Fen)?;
        let mut position = start;
        let book = self.book.iter().map(|text| (text.as_str(), None));
        let played = self.moves.iter().map(|record| (record.uci.as_str(), Some(record)));
        let moves = book.chain(played).map(|(text, record)| {
            let mv = parse_move(&position, text).map_err(ReplayError::Move)?;
            position.make(mv);
            Ok((mv, record))
        });
        Ok((start, moves.collect::<Result<_, _>>()?))
    }

    /// The game as it stood at the end.
    ///
    /// # Errors
    /// As for [`GameRecord::replay`].
    pub fn final_game(&self) -> Result<Game, ReplayError> {
        let (start, moves) = self.replay()?;
        let mut game = Game::new(start);
        moves.into_iter().for_each(|(mv, _)| game.play(mv));
        Ok(game)
    }
}

/// How castling is spelt in games of this mode.
pub fn castling_spelling(chess960: bool) -> CastlingSpelling {
    if chess960 { CastlingSpelling::KingTakesRook } else { CastlingSpelling::KingTarget }
}
