//! Many games on several threads into one file.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::branch::BranchSettings;
use super::files::{Counts, whole_games};
use super::play::{GameSettings, Player};
use crate::chess::random::SplitMix64;
use crate::engine::STACK_BYTES;
use crate::nnue::Network;
use crate::tools::viriformat::TrainingGame;

/// What to make.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The file to append to; made if it is not there.
    pub output: PathBuf,
    /// Threads that play.
    pub threads: usize,
    /// The seed of the series of games. A run into a file that holds games already plays others.
    pub seed: u64,
    /// End after so many games in the file.
    pub games: Option<u64>,
    /// End after so much time.
    pub time: Option<Duration>,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// What fills the file.
    pub work: Work,
}

/// What fills a file.
#[derive(Clone, Debug)]
pub enum Work {
    /// Whole games.
    Play(GameSettings),
    /// Positions beside games.
    Branch(BranchSettings),
}

impl Work {
    /// The records with this number of a series.
    fn records(&self, player: &mut Player, series: u64, number: u64) -> Vec<TrainingGame> {
        match self {
            Work::Play(settings) => vec![player.play(settings, series, number)],
            Work::Branch(settings) => player.branch(settings, series, number),
        }
    }
}

/// Where finished games go.
struct Sink {
    file: File,
    counts: Counts,
    error: Option<io::Error>,
}

/// Plays until a limit or `stop`, and returns what the file then holds.
///
/// A game is written in one piece as soon as it has ended, so that a killed run loses only games not yet finished; what a
/// kill in mid-write has left is cut off at the next start.
///
/// # Errors
/// When the file cannot be read or written, or there is no memory for the players.
pub fn run(settings: &RunSettings, stop: &AtomicBool) -> io::Result<Counts> {
    let (file, counts) = open(&settings.output)?;
    let (before, series) = (counts.games, series(settings.seed, counts.games));
    let next = AtomicU64::new(0);
    let bar = progress_bar(settings, &counts);
    let started = Instant::now();
    let sink = Mutex::new(Sink { file, counts, error: None });
    let players: Vec<Player> = (0..settings.threads.max(1))
        .map(|_| Player::new(Arc::clone(&settings.network)).map_err(io::Error::other))
        .collect::<Result<_, _>>()?;
    thread::scope(|scope| {
        for mut player in players {
            let (next, sink, bar) = (&next, &sink, &bar);
            let play = move || {
                while !stop.load(Ordering::Relaxed) && settings.time.is_none_or(|time| started.elapsed() < time) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if settings.games.is_some_and(|games| before + number >= games) {
                        break;
                    }
                    let records = settings.work.records(&mut player, series, number);
                    if !records.iter().all(|record| write(sink, record, bar, started)) {
                        break;
                    }
                }
            };
            let name = "player".to_string();
            if let Err(error) = thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn_scoped(scope, play) {
                // The players that there are see it when they write their next game.
                sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).error.get_or_insert(error);
            }
        }
    });
    bar.finish();
    let sink = sink.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    sink.error.map_or(Ok(sink.counts), Err)
}

/// The seed of the games that follow those in the file. A killed run has not written all games that it began, so no number
/// tells which of its series are missing: the games that follow are a series of their own.
fn series(seed: u64, games_before: u64) -> u64 {
    if games_before == 0 { seed } else { SplitMix64::of_series(seed, games_before).next() }
}

/// Writes a game; false when that is no longer possible.
fn write(sink: &Mutex<Sink>, record: &TrainingGame, bar: &ProgressBar, started: Instant) -> bool {
    let mut sink = sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if sink.error.is_some() {
        return false;
    }
    if let Err(error) = record.write(&mut sink.file) {
        sink.error = Some(error);
        return false;
    }
    sink.counts.add(record);
    show(bar, &sink.counts, record.moves.len() as u64, started);
    true
}

/// Opens the file, cuts off half a game at its end, and counts what it holds.
fn open(path: &Path) -> io::Result<(File, Counts)> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let (counts, length) = whole_games(&mut BufReader::new(&file))?;
    file.set_len(length)?;
    Ok((file, counts))
}

fn progress_bar(settings: &RunSettings, counts: &Counts) -> ProgressBar {
    let bar = settings.games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos} games {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(counts.games);
    bar
}

/// In a log, one line for so many positions.
const POSITIONS_PER_LINE: u64 = 50_000;

fn show(bar: &ProgressBar, counts: &Counts, added: u64, started: Instant) {
    bar.set_position(counts.games);
    let seconds = started.elapsed().as_secs_f64().max(0.001);
    let message = format!(
        "{:.2} games/s {:.0} positions/s {} positions",
        counts.new_games as f64 / seconds,
        counts.new_positions as f64 / seconds,
        counts.positions
    );
    if io::stderr().is_terminal() {
        bar.set_message(message);
    } else if counts.positions % POSITIONS_PER_LINE < added {
        // Progress is a courtesy: a closed log does not end the run.
        let _ = writeln!(io::stderr(), "{} games {message}", counts.games);
    }
}
