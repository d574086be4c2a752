//! The files that are made of finished games: PGN, final positions, training records.
//!
//! When a match is resumed they are written anew from its journal, so that they always agree with it, wherever the
//! process was killed before.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::limits::Limits;
use super::record::{GameRecord, MoveRecord, ReplayError};
use super::schedule::Fixture;
use super::settings::EngineSettings;
use super::verdict::GameResult;
use crate::chess::notation::{Epd, Operand, Operation, format_fen, format_shredder_fen};
use crate::chess::{Color, Position};
use crate::tools::pgn::PgnText;
use crate::tools::viriformat::{TrainingGame, WhiteResult};

/// A sort of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Whole games in PGN.
    Pgn,
    /// Final positions in EPD.
    Epd,
    /// Games as training records, those that were decided by play and have a score for every move.
    Training,
}

/// What a record is written with.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The name of the match.
    pub name: &'a str,
    /// The players.
    pub engines: &'a [EngineSettings],
}

/// A file to which games are added.
#[derive(Debug)]
pub struct Output {
    format: Format,
    file: File,
}

impl Output {
    /// Begins a file. With `anew` it may take the place of one that exists.
    ///
    /// # Errors
    /// When it cannot be written, or exists.
    pub fn create(format: Format, path: &Path, anew: bool) -> io::Result<Output> {
        let file = if anew { File::create(path)? } else { File::create_new(path)? };
        Ok(Output { format, file })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written, or the record holds no game.
    pub fn add(&mut self, event: Event<'_>, fixture: &Fixture, record: &GameRecord) -> io::Result<()> {
        let bytes = match self.format {
            Format::Pgn => pgn(event, fixture, record).map(String::into_bytes),
            Format::Epd => epd(event, record).map(String::into_bytes),
            Format::Training => training_record(record),
        };
        self.file.write_all(&bytes.map_err(io::Error::other)?)
    }
}

/// A game in PGN.
///
/// # Errors
/// When the record holds no game.
pub fn pgn(event: Event<'_>, fixture: &Fixture, record: &GameRecord) -> Result<String, ReplayError> {
    let (start, moves) = record.replay()?;
    let mut text = PgnText::new(&tags(event, fixture, record, &start), &start);
    let last = moves.len();
    for (index, (mv, remark)) in moves.into_iter().enumerate() {
        text.push_move(mv);
        let mut comment = remark.map_or("book".into(), move_comment);
        if index + 1 == last {
            comment.push_str(&format!(", {}", record.verdict));
        }
        text.push_comment(&comment);
    }
    if last == 0 {
        text.push_comment(&record.verdict.to_string());
    }
    Ok(text.finish(record.verdict.result.as_str()))
}

fn tags(event: Event<'_>, fixture: &Fixture, record: &GameRecord, start: &Position) -> Vec<(&'static str, String)> {
    let player = |color| &event.engines[record.player(color)];
    let (white, black) = (player(Color::White), player(Color::Black));
    let mut tags = vec![
        ("Event", event.name.to_owned()),
        ("Site", "?".into()),
        ("Date", record.date.clone()),
        ("Round", format!("{}.{}", fixture.round + 1, 1 + u8::from(fixture.is_return_game()))),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("Result", record.verdict.result.as_str().into()),
    ];
    if record.chess960 {
        tags.push(("Variant", "Chess960".into()));
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", format_shredder_fen(start)));
    } else if *start != Position::initial() {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", format_fen(start)));
    }
    tags.extend(time_control_tags(&white.limits, &black.limits));
    tags.push(("Termination", record.verdict.reason.termination().into()));
    tags.push(("PlyCount", (record.book.len() + record.moves.len()).to_string()));
    tags
}

/// PGN knows clocks only; other limits stand in tags of their own.
fn time_control_tags(white: &Limits, black: &Limits) -> Vec<(&'static str, String)> {
    let clock = |limits: &Limits| limits.clock.as_ref().map_or("-".into(), ToString::to_string);
    if white == black {
        let mut tags = vec![("TimeControl", clock(white))];
        if white.describe() != clock(white) {
            tags.push(("SearchLimits", white.describe()));
        }
        return tags;
    }
    vec![("TimeControl", "?".into()), ("WhiteSearchLimits", white.describe()), ("BlackSearchLimits", black.describe())]
}

/// `+0.35/12 0.104s`.
fn move_comment(record: &MoveRecord) -> String {
    let time = format!("{}.{:03}s", record.milliseconds / 1000, record.milliseconds % 1000);
    match (record.score, record.depth) {
        (Some(score), Some(depth)) => format!("{score}/{depth} {time}"),
        (Some(score), None) => format!("{score} {time}"),
        (None, _) => time,
    }
}

/// The final position, with the players and the result.
///
/// # Errors
/// When the record holds no game.
pub fn epd(event: Event<'_>, record: &GameRecord) -> Result<String, ReplayError> {
    let position = *record.final_game()?.position();
    let (white, black) = (&event.engines[record.white].name, &event.engines[record.black].name);
    let quoted =
        |opcode: &str, text: String| Operation { opcode: opcode.into(), operands: vec![Operand::Quoted(text)] };
    let operations = vec![
        quoted("id", format!("game {}: {white} - {black}", record.number + 1)),
        quoted("c0", format!("{} {}", record.verdict.result.as_str(), record.verdict)),
    ];
    Ok(format!("{}\n", Epd { position, operations }))
}

/// The game as a training record, from the end of its opening on. Nothing if a fault of a program decided it, as the
/// result then says nothing about the positions, or if a score is missing.
///
/// # Errors
/// When the record holds no game.
pub fn training_record(record: &GameRecord) -> Result<Vec<u8>, ReplayError> {
    let (mut start, moves) = record.replay()?;
    let mut scored = Vec::with_capacity(moves.len());
    let mut mover = start.side_to_move();
    for (mv, remark) in moves {
        match remark {
            None => start.make(mv),
            Some(MoveRecord { score: Some(score), .. }) => {
                let limit = i32::from(i16::MAX);
                let own = score.centipawns().clamp(-limit, limit) as i16;
                scored.push((mv, if mover == Color::White { own } else { -own }));
            }
            Some(_) => return Ok(Vec::new()),
        }
        mover = !mover;
    }
    let result = match record.verdict.result {
        GameResult::WhiteWins => WhiteResult::Win,
        GameResult::BlackWins => WhiteResult::Loss,
        GameResult::Draw => WhiteResult::Draw,
    };
    let mut bytes = Vec::new();
    if record.verdict.reason.is_by_play() {
        // Memory takes all that is written to it.
        let _ = TrainingGame { start, result, moves: scored }.write(&mut bytes);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
