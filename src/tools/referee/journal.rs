//! The journal of a match: a file to which each game is added as soon as it is over, and from which everything else can
//! be made again.
//!
//! Its first line tells what match it is, every other line is a game; both are JSON. A process that is killed in the
//! middle of a line loses that game only: an unfinished last line is cut off when the match is resumed.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::GameRecord;

/// Why there is no journal.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// There is one already, and the match is not to be resumed.
    Exists(PathBuf),
    /// It belongs to another match; the part of the description that differs.
    OtherMatch(PathBuf, String),
    /// A line (from 1) cannot be read.
    Line(PathBuf, usize, String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File(path, error) => write!(f, "journal {}: {error}", path.display()),
            JournalError::Exists(path) => {
                write!(f, "journal {} exists: --resume goes on with it, --overwrite begins anew", path.display())
            }
            JournalError::OtherMatch(path, part) => {
                write!(f, "journal {} belongs to another match: '{part}' differs", path.display())
            }
            JournalError::Line(path, line, error) => write!(f, "journal {} line {line}: {error}", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

/// What to do with a journal that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to begin.
    Refuse,
    /// Begin anew.
    Overwrite,
    /// Go on where it ends.
    Resume,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens the journal of the match with this description. `take` is given each game that is in it already.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(
        path: &Path,
        description: &serde_json::Value,
        existing: Existing,
        take: impl FnMut(GameRecord),
    ) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::File(path.into(), error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true);
        match existing {
            Existing::Refuse if path.exists() => return Err(JournalError::Exists(path.into())),
            Existing::Overwrite => options.truncate(true),
            Existing::Refuse | Existing::Resume => options.truncate(false),
        };
        let mut file = options.open(path).map_err(failed)?;
        let sound = read(path, &file, description, take)?;
        file.set_len(sound).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Journal { file };
        if sound == 0 {
            journal.write_line(&description.to_string()).map_err(failed)?;
        }
        Ok(journal)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.write_line(&serde_json::to_string(record)?)
    }

    /// One write for a line, so that a kill leaves whole lines wherever the system lets it.
    fn write_line(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

/// Reads a journal. Returns the length of its sound part.
fn read(
    path: &Path,
    file: &File,
    description: &serde_json::Value,
    mut take: impl FnMut(GameRecord),
) -> Result<u64, JournalError> {
    let mut reader = BufReader::new(file);
    let mut sound = 0;
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let length = reader.read_line(&mut line).map_err(|error| JournalError::File(path.into(), error))?;
        if !line.ends_with('\n') {
            break;
        }
        let unreadable = |error: serde_json::Error| JournalError::Line(path.into(), number, error.to_string());
        if number == 1 {
            let found: serde_json::Value = serde_json::from_str(&line).map_err(unreadable)?;
            if let Some(part) = difference(&found, description) {
                return Err(JournalError::OtherMatch(path.into(), part));
            }
        } else {
            take(serde_json::from_str(&line).map_err(unreadable)?);
        }
        sound += length as u64;
    }
    Ok(sound)
}

/// The name of a part in which two descriptions differ.
fn difference(found: &serde_json::Value, expected: &serde_json::Value) -> Option<String> {
    if found == expected {
        return None;
    }
    let parts = expected.as_object().into_iter().flatten();
    let differing =
        parts.filter(|(name, value)| found.get(name.as_str()) != Some(*value)).map(|(name, _)| name.clone());
    Some(differing.collect::<Vec<_>>().join("', '"))
}
