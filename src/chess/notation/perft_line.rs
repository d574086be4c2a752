//! Lines of perft suites: a FEN and the known counts of leaves, `FEN ;D1 20 ;D2 400`.

use std::fmt;
use std::str::FromStr;

use super::fen::{FenError, format_shredder_fen, parse_fen};
use crate::chess::perft::MAX_DEPTH;
use crate::chess::position::Position;

/// A position and its known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftLine {
    /// The position to count from.
    pub position: Position,
    /// Depth in plies and the number of leaves there, in the order of the text; never empty.
    pub counts: Vec<(u32, u64)>,
}

/// Why a text is no line of a perft suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerftLineError {
    /// The position cannot be read.
    Position(FenError),
    /// A part between semicolons that is not `D`, a depth, and a count.
    Count(String),
    /// A position without counts.
    NoCounts,
}

impl fmt::Display for PerftLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftLineError::Position(error) => write!(f, "{error}"),
            PerftLineError::Count(text) => write!(f, "perft count '{text}' is not of the form 'D4 197281'"),
            PerftLineError::NoCounts => write!(f, "perft line has no counts"),
        }
    }
}

impl std::error::Error for PerftLineError {}

impl FromStr for PerftLine {
    type Err = PerftLineError;

    /// Reads one line; comments and empty lines are the caller's to skip.
    fn from_str(text: &str) -> Result<PerftLine, PerftLineError> {
        let (fen, counts) = text.split_once(';').unwrap_or((text, ""));
        let position = parse_fen(fen).map_err(PerftLineError::Position)?;
        let parts = counts.split(';').map(str::trim).filter(|part| !part.is_empty());
        let counts = parts
            .map(|part| read_count(part).ok_or_else(|| PerftLineError::Count(part.into())))
            .collect::<Result<Vec<_>, _>>()?;
        if counts.is_empty() { Err(PerftLineError::NoCounts) } else { Ok(PerftLine { position, counts }) }
    }
}

fn read_count(part: &str) -> Option<(u32, u64)> {
    let (depth, count) = part.strip_prefix('D')?.split_once(char::is_whitespace)?;
    let depth = depth.parse().ok().filter(|&depth| depth <= MAX_DEPTH)?;
    Some((depth, count.trim_start().parse().ok()?))
}

impl fmt::Display for PerftLine {
    /// The line with a Shredder-FEN, which every kind of castling can be read from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_shredder_fen(&self.position))?;
        self.counts.iter().try_for_each(|(depth, count)| write!(f, " ;D{depth} {count}"))
    }
}
