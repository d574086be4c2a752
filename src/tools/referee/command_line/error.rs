//! Arguments that make no match.

use std::fmt;
use std::path::PathBuf;

use super::super::openings::OpeningError;
use super::super::settings::SettingsError;
use super::super::statistics::SprtError;
use crate::syzygy::TablebaseError;

/// Why the arguments make no match.
#[derive(Debug)]
pub enum ArgumentError {
    /// The engines.
    Engines(SettingsError),
    /// The file of engines cannot be read.
    EngineFile(PathBuf, std::io::Error),
    /// The openings.
    Openings(OpeningError),
    /// The test.
    Sprt(SprtError),
    /// The test needs two players.
    SprtPlayers(usize),
    /// The number of games is odd.
    OddGames(usize),
    /// A series of no moves for an adjudication.
    EmptySeries,
    /// The fixed rating is not of a player, or no number.
    FixedRating(String),
    /// The endgame tables.
    Tablebase(TablebaseError),
    /// `--resume` without a journal.
    NothingToResume,
    /// The folder for logs cannot be made.
    LogFolder(PathBuf, std::io::Error),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::Engines(error) => write!(f, "{error}"),
            ArgumentError::EngineFile(path, error) => write!(f, "engine file {}: {error}", path.display()),
            ArgumentError::Openings(error) => write!(f, "{error}"),
            ArgumentError::Sprt(error) => write!(f, "{error}"),
            ArgumentError::SprtPlayers(players) => write!(f, "--sprt needs two players, not {players}"),
            ArgumentError::OddGames(games) => write!(f, "--games {games}: an even number is needed"),
            ArgumentError::EmptySeries => write!(f, "--draw, --resign: MOVES must be 1 at least"),
            ArgumentError::FixedRating(text) => write!(f, "--fixed-rating '{text}' is not PLAYER=ELO"),
            ArgumentError::Tablebase(error) => write!(f, "{error}"),
            ArgumentError::NothingToResume => write!(f, "--resume needs --journal or --pgn"),
            ArgumentError::LogFolder(path, error) => write!(f, "log folder {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ArgumentError {}
