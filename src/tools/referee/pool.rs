//! Plays the games of a schedule on several threads, each with engine processes of its own.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::checks::{Warning, WarningCounts};
use super::client::{Patience, StartError, UciClient};
use super::openings::Opening;
use super::play::{Plan, Played, Rules, play};
use super::player::Player;
use super::process::EngineLog;
use super::record::{GameRecord, castling_spelling};
use super::schedule::{Fixture, Queue, Schedule};
use super::settings::EngineSettings;
use crate::chess::notation::{format_move, format_shredder_fen};
use crate::chess::{ByColor, Color};

/// What all threads share.
#[derive(Debug)]
pub struct Hall {
    /// The players.
    pub engines: Vec<EngineSettings>,
    /// The openings in the order in which rounds take them; beyond their end they begin anew.
    pub openings: Vec<Opening>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The rules of all games.
    pub rules: Rules,
    /// How long engines may take for answers other than moves.
    pub patience: Patience,
    /// Whether all games are played as Chess960, and not only those whose opening needs it.
    pub chess960: bool,
    /// Where engines' words are logged.
    pub log_folder: Option<PathBuf>,
    /// Set to stop all games.
    pub cancelled: Arc<AtomicBool>,
}

/// Something a thread has to tell.
#[derive(Debug)]
pub enum News {
    /// A game is over.
    Finished(Box<GameRecord>),
    /// A remark for the user.
    Remark(String),
    /// An engine cannot be used, so the match cannot go on.
    Failed(EngineFailure),
}

/// An engine that cannot be used.
#[derive(Debug)]
pub struct EngineFailure {
    /// The engine's name.
    pub name: String,
    /// What is wrong with it.
    pub error: StartError,
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine '{}' {}", self.name, self.error)
    }
}

impl std::error::Error for EngineFailure {}

/// How often an engine is started in a row before the match is given up.
const START_ATTEMPTS: u32 = 3;
const START_PAUSE: Duration = Duration::from_millis(300);

/// One thread that plays games.
pub struct Worker<'a> {
    hall: &'a Hall,
    index: usize,
    queue: &'a Mutex<Queue>,
    news: Sender<News>,
    /// The running engines.
    seats: Vec<Option<UciClient>>,
}

impl<'a> Worker<'a> {
    /// The worker with this number, different for all that run.
    pub fn new(hall: &'a Hall, index: usize, queue: &'a Mutex<Queue>, news: Sender<News>) -> Worker<'a> {
        Worker { hall, index, queue, news, seats: hall.engines.iter().map(|_| None).collect() }
    }

    /// Plays games until there are no more, the match is stopped, or an engine fails.
    pub fn run(mut self) {
        while let Some(games) = self.next_games() {
            if !games.into_iter().all(|number| self.report_game(number)) {
                break;
            }
        }
        self.seats.into_iter().flatten().for_each(UciClient::quit);
    }

    fn next_games(&self) -> Option<Vec<usize>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// Plays a game and tells of it. Returns whether the match goes on.
    fn report_game(&mut self, number: usize) -> bool {
        if self.hall.cancelled.load(Ordering::Relaxed) {
            return false;
        }
        // Without a listener the match is being stopped.
        match self.game(number) {
            Ok(Some(record)) => self.news.send(News::Finished(Box::new(record))).is_ok(),
            Ok(None) => false,
            Err(failure) => self.news.send(News::Failed(failure)).is_ok_and(|()| false),
        }
    }

    /// Plays a game; `None` if the match is being stopped.
    fn game(&mut self, number: usize) -> Result<Option<GameRecord>, EngineFailure> {
        let fixture = self.hall.schedule.fixture(number);
        let opening = &self.hall.openings[fixture.round % self.hall.openings.len()];
        let chess960 = self.hall.chess960 || opening.needs_chess960();
        let (white, black) = fixture.players();
        self.dismiss_others(&fixture);
        let mut warnings: ByColor<WarningCounts> = ByColor::default();
        let mut clients = Vec::with_capacity(2);
        for (color, player) in [(Color::White, white), (Color::Black, black)] {
            match self.seat(player, chess960, &mut warnings[color]) {
                Ok(client) => clients.push(client),
                Err(StartError::Cancelled) => return Ok(None),
                Err(error) => return Err(EngineFailure { name: self.hall.engines[player].name.clone(), error }),
            }
        }
        let limits = ByColor([&self.hall.engines[white].limits, &self.hall.engines[black].limits]);
        let plan = Plan { opening, chess960, limits };
        let date = today();
        let [first, second] = clients.as_mut_slice() else {
            return Ok(None);
        };
        let players: [&mut dyn Player; 2] = [first, second];
        let played = play(&plan, &self.hall.rules, ByColor(players));
        let Ok(played) = played else {
            return Ok(None);
        };
        for ((color, player), mut client) in [(Color::White, white), (Color::Black, black)].into_iter().zip(clients) {
            if !client.settle() {
                warnings[color].add(Warning::StopIgnored);
            }
            self.keep(number, player, client);
        }
        Ok(Some(record(&fixture, &plan, date, played, warnings)))
    }

    /// Ends the engines that do not play in this game: with many players, each thread still runs two at a time.
    fn dismiss_others(&mut self, fixture: &Fixture) {
        for (player, seat) in self.seats.iter_mut().enumerate() {
            if player != fixture.first && player != fixture.second {
                seat.take().into_iter().for_each(UciClient::quit);
            }
        }
    }

    /// The engine, ready for a new game; started if it does not run, and started again if it does not answer.
    fn seat(&mut self, player: usize, chess960: bool, warnings: &mut WarningCounts) -> Result<UciClient, StartError> {
        if let Some(mut client) = self.seats[player].take() {
            match client.new_game(chess960) {
                Ok(()) => return Ok(client),
                Err(StartError::Cancelled) => return Err(StartError::Cancelled),
                Err(error @ StartError::NoChess960) => return Err(error),
                Err(_) => warnings.add(Warning::RestartBetweenGames),
            }
        }
        let mut client = self.start(player)?;
        client.new_game(chess960)?;
        Ok(client)
    }

    fn start(&self, player: usize) -> Result<UciClient, StartError> {
        let engine = &self.hall.engines[player];
        let stem = format!("{}-{}", engine.name, self.index + 1);
        let log = self.hall.log_folder.clone().map(|folder| EngineLog { folder, stem });
        let mut attempt = 1;
        loop {
            match UciClient::start(engine, self.hall.patience, log.as_ref(), &self.hall.cancelled) {
                Ok(client) => return Ok(client),
                Err(StartError::Died(_) | StartError::Silent | StartError::Process(_)) if attempt < START_ATTEMPTS => {
                    attempt += 1;
                    thread::sleep(START_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps the engine for the next game, or ends it if it cannot play one.
    fn keep(&mut self, number: usize, player: usize, client: UciClient) {
        if client.is_usable() {
            self.seats[player] = Some(client);
            return;
        }
        let name = &self.hall.engines[player].name;
        let words = client.last_words();
        let words = if words.is_empty() { String::new() } else { format!(": {words}") };
        // As above: without a listener there is nothing to tell.
        let _ = self.news.send(News::Remark(format!("game {}: {name} is started again{words}", number + 1)));
        client.quit();
    }
}

fn record(
    fixture: &Fixture,
    plan: &Plan<'_>,
    date: String,
    played: Played,
    before: ByColor<WarningCounts>,
) -> GameRecord {
    let (white, black) = fixture.players();
    let mut warnings = played.warnings.0;
    warnings.iter_mut().zip(&before.0).for_each(|(counts, more)| *counts += more);
    let spelling = castling_spelling(plan.chess960);
    GameRecord {
        number: fixture.number,
        white,
        black,
        date,
        fen: format_shredder_fen(&plan.opening.start),
        chess960: plan.chess960,
        book: plan.opening.moves.iter().map(|&mv| format_move(mv, spelling)).collect(),
        moves: played.moves,
        verdict: played.verdict,
        warnings,
    }
}

/// The date in universal time, as PGN writes it.
fn today() -> String {
    let date = time::OffsetDateTime::now_utc().date();
    format!("{:04}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day())
}
