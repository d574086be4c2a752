//! Runs a match from its first game to its report.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::client::{StartError, UciClient};
use super::journal::{Existing, Journal, JournalError};
use super::outputs::{Event, Format, Output};
use super::pool::{EngineFailure, Hall, News, Worker};
use super::progress::Progress;
use super::record::GameRecord;
use super::report::Report;
use super::schedule::Queue;
use super::settings::EngineSettings;
use super::standings::Standings;
use super::statistics::Sprt;

/// What a match leaves behind, and how it is judged.
#[derive(Clone, Debug)]
pub struct Plans {
    /// The name of the match in records.
    pub event: String,
    /// Games at the same time.
    pub concurrency: usize,
    /// A test of the first two players that ends the match.
    pub sprt: Option<Sprt>,
    /// A player whose rating is given.
    pub fixed_rating: Option<(usize, f64)>,
    /// Games between two lines of a log.
    pub report_interval: u64,
    /// The journal, if one is kept.
    pub journal: Option<PathBuf>,
    /// What to do with a journal that exists.
    pub existing: Existing,
    /// Other files and what they hold.
    pub outputs: Vec<(Format, PathBuf)>,
    /// Where the report is written as JSON.
    pub summary: Option<PathBuf>,
    /// What distinguishes this match from others that could have the same journal.
    pub description: Value,
}

/// Why a match could not be played to its end.
#[derive(Debug)]
pub enum RunError {
    /// An engine cannot be used.
    Engine(EngineFailure),
    /// The journal.
    Journal(JournalError),
    /// Another file.
    Output(PathBuf, io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Engine(failure) => write!(f, "{failure}"),
            RunError::Journal(error) => write!(f, "{error}"),
            RunError::Output(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for RunError {}

impl From<JournalError> for RunError {
    fn from(error: JournalError) -> RunError {
        RunError::Journal(error)
    }
}

/// Runs a match. Returns what it has shown, also when it was stopped before its end.
///
/// # Errors
/// See [`RunError`]. Games that are finished by then are in the records.
pub fn run(hall: &Hall, plans: &Plans) -> Result<Report, RunError> {
    inspect_engines(hall)?;
    let (mut desk, done) = Desk::open(hall, plans)?;
    let progress = Progress::new(hall.schedule.games() as u64, desk.standings.games(), plans.report_interval);
    let queue = Mutex::new(Queue::new(&hall.schedule, done));
    let outcome = if desk.is_decided() { Ok(()) } else { play_all(hall, plans, &queue, &mut desk, &progress) };
    progress.finish();
    let report = desk.report();
    if let Some(path) = &plans.summary {
        let text = serde_json::to_string_pretty(&report).map_err(io::Error::other);
        let written = text.and_then(|text| std::fs::write(path, text + "\n"));
        written.map_err(|error| RunError::Output(path.clone(), error))?;
    }
    outcome.map(|()| report)
}

/// Starts each engine once, so that a fault of one is known before the first game and not in the middle of a match.
fn inspect_engines(hall: &Hall) -> Result<(), RunError> {
    let chess960 = hall.chess960 || hall.openings.iter().any(|opening| opening.needs_chess960());
    for engine in &hall.engines {
        let checked = UciClient::start(engine, hall.patience, None, &hall.cancelled).and_then(|client| {
            let sound = !chess960 || client.plays_chess960();
            client.quit();
            if sound { Ok(()) } else { Err(StartError::NoChess960) }
        });
        checked.map_err(|error| RunError::Engine(EngineFailure { name: engine.name.clone(), error }))?;
    }
    Ok(())
}

fn play_all(
    hall: &Hall,
    plans: &Plans,
    queue: &Mutex<Queue>,
    desk: &mut Desk<'_>,
    progress: &Progress,
) -> Result<(), RunError> {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for index in 0..plans.concurrency {
            let worker = Worker::new(hall, index, queue, sender.clone());
            scope.spawn(move || worker.run());
        }
        drop(sender);
        let outcome = follow(hall, &receiver, desk, progress);
        // The workers are waited for at the end of the scope; they must not begin another game.
        hall.cancelled.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Takes the news until the workers have ended or the match has.
fn follow(hall: &Hall, news: &Receiver<News>, desk: &mut Desk<'_>, progress: &Progress) -> Result<(), RunError> {
    for item in news {
        match item {
            News::Finished(record) => {
                desk.add(&record)?;
                progress.update(desk.standings.games(), || desk.report().headline());
                if desk.is_decided() {
                    break;
                }
            }
            News::Remark(text) => progress.remark(&text),
            News::Failed(EngineFailure { error: StartError::Cancelled, .. }) => {}
            News::Failed(failure) => {
                hall.cancelled.store(true, Ordering::Relaxed);
                return Err(RunError::Engine(failure));
            }
        }
    }
    Ok(())
}

/// Keeps the records and the standings.
struct Desk<'a> {
    hall: &'a Hall,
    plans: &'a Plans,
    names: Vec<String>,
    standings: Standings,
    journal: Option<Journal>,
    outputs: Option<Vec<(PathBuf, Output)>>,
}

impl<'a> Desk<'a> {
    /// Opens the records. Returns the numbers of the games that they hold already.
    fn open(hall: &'a Hall, plans: &'a Plans) -> Result<(Desk<'a>, HashSet<usize>), RunError> {
        let mut desk = Desk {
            hall,
            plans,
            names: hall.engines.iter().map(|engine| engine.name.clone()).collect(),
            standings: Standings::new(hall.engines.len()),
            journal: None,
            outputs: None,
        };
        let mut done = HashSet::new();
        if let Some(path) = &plans.journal {
            let mut taken = Ok(());
            let journal = Journal::open(path, &plans.description, plans.existing, |record| {
                if taken.is_ok() && done.insert(record.number) {
                    taken = desk.take(&record);
                }
            });
            taken?;
            desk.journal = Some(journal?);
        }
        desk.outputs()?;
        Ok((desk, done))
    }

    /// The other files. They are begun with the first game, or when the journal has been found to be sound: not to
    /// destroy the files of another match.
    fn outputs(&mut self) -> Result<&mut Vec<(PathBuf, Output)>, RunError> {
        if self.outputs.is_none() {
            let anew = self.plans.existing != Existing::Refuse;
            let create = |(format, path): &(Format, PathBuf)| {
                let output = Output::create(*format, path, anew);
                output.map(|output| (path.clone(), output)).map_err(|error| RunError::Output(path.clone(), error))
            };
            self.outputs = Some(self.plans.outputs.iter().map(create).collect::<Result<_, _>>()?);
        }
        Ok(self.outputs.get_or_insert_default())
    }

    /// Puts a new game on record.
    fn add(&mut self, record: &GameRecord) -> Result<(), RunError> {
        if let (Some(journal), Some(path)) = (&mut self.journal, &self.plans.journal) {
            journal.add(record).map_err(|error| JournalError::File(path.clone(), error))?;
        }
        self.take(record)
    }

    /// Takes a game that the journal holds into everything else.
    fn take(&mut self, record: &GameRecord) -> Result<(), RunError> {
        let fixture = self.hall.schedule.fixture(record.number);
        let event = Event { name: &self.plans.event, engines: &self.hall.engines };
        for (path, output) in self.outputs()? {
            output.add(event, &fixture, record).map_err(|error| RunError::Output(path.clone(), error))?;
        }
        self.standings.add(&fixture, record);
        Ok(())
    }

    fn is_decided(&self) -> bool {
        self.plans.sprt.is_some_and(|sprt| sprt.decision(&self.standings.between(0, 1).1).is_some())
    }

    fn report(&self) -> Report {
        let Plans { sprt, fixed_rating, .. } = self.plans;
        Report::new(&self.names, &self.standings, self.hall.schedule.games(), sprt.as_ref(), *fixed_rating)
    }
}

/// What distinguishes the engines of a match from others.
pub fn describe_engine(engine: &EngineSettings) -> Value {
    json!({
        "name": engine.name,
        "cmd": engine.command,
        "args": engine.arguments,
        "options": engine.options,
        "limits": engine.limits.describe(),
    })
}

/// A hook for the interrupt of a terminal.
pub fn stop_on_interrupt(hall: &Hall) -> Result<(), ctrlc::Error> {
    let cancelled = Arc::clone(&hall.cancelled);
    ctrlc::set_handler(move || cancelled.store(true, Ordering::Relaxed))
}
