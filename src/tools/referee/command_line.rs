//! The command line of the match runner.

mod error;

pub use error::ArgumentError;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde_json::json;

use super::adjudication::{DrawRule, WinRule};
use super::client::Patience;
use super::journal::Existing;
use super::openings::{Opening, read_openings, shuffle};
use super::outputs::Format;
use super::play::Rules;
use super::pool::Hall;
use super::runner::{Plans, describe_engine, run, stop_on_interrupt};
use super::schedule::{Schedule, Tournament};
use super::settings::{EngineSettings, parse_engines};
use super::statistics::{EloModel, Sprt};
use crate::syzygy::Tablebase;

/// Matches between UCI engines.
#[derive(Debug, Parser)]
#[command(name = "referee", version, about)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays a match or a tournament.
    Match(Box<MatchArguments>),
}

#[derive(Debug, Args)]
struct MatchArguments {
    /// A player: name=A,cmd=./engine,arg=x,dir=folder,env.NAME=x,option.Hash=16, and its limits: tc=[MOVES/]SECONDS[+INC],
    /// st=SECONDS for each move, nodes=N, depth=N. `\,` is a comma. Twice at least.
    #[arg(long = "engine", value_name = "SETTINGS")]
    engines: Vec<String>,
    /// More players, each on a line of this file; lines that begin with # do not count.
    #[arg(long, value_name = "FILE")]
    engine_file: Option<PathBuf>,
    /// Settings for all players that do not say otherwise.
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    each: String,
    /// Who plays whom.
    #[arg(long, value_enum, default_value = "roundrobin")]
    tournament: Tournament,
    /// Games of each pairing: an even number, as each opening is played with both colours.
    #[arg(long, default_value = "100")]
    games: NonZeroUsize,
    /// Games at the same time.
    #[arg(long, default_value = "1")]
    concurrency: NonZeroUsize,
    #[command(flatten)]
    openings: OpeningArguments,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    judgement: JudgementArguments,
    #[command(flatten)]
    records: RecordArguments,
}

#[derive(Debug, Args)]
struct OpeningArguments {
    /// Openings: a PGN file (by its ending), or positions in EPD or FEN.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The order in which they are taken.
    #[arg(long, value_enum, default_value = "file")]
    order: Order,
    /// The seed of the random order.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// At most so many plies of PGN openings.
    #[arg(long)]
    plies: Option<usize>,
    /// Play every game as Chess960. Without it, games whose opening needs it are.
    #[arg(long)]
    chess960: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    File,
    Random,
}

#[derive(Debug, Args)]
struct RuleArguments {
    /// Milliseconds beyond the clock that are counted but not punished.
    #[arg(long, default_value = "0", value_name = "MS")]
    margin: u64,
    /// Draw when both engines' scores stay within CENTIPAWNS of 0 for MOVES moves, from move FROM on.
    #[arg(long, value_name = "FROM,MOVES,CENTIPAWNS")]
    draw: Option<Numbers<u32, 3>>,
    /// Win when both engines see the same side CENTIPAWNS or more ahead for MOVES moves.
    #[arg(long, value_name = "MOVES,CENTIPAWNS")]
    resign: Option<Numbers<u32, 2>>,
    /// End games whose result the Syzygy tables in this folder know.
    #[arg(long, value_name = "FOLDER")]
    syzygy: Option<PathBuf>,
    /// Draw after move N.
    #[arg(long, value_name = "N")]
    max_moves: Option<NonZeroU32>,
    /// Seconds to wait for a move that no clock bounds.
    #[arg(long, default_value = "120", value_name = "SECONDS")]
    move_timeout: u64,
    /// Seconds to wait for an answer to isready.
    #[arg(long, default_value = "10", value_name = "SECONDS")]
    ping_timeout: u64,
    /// Answers to isready slower than this are counted as late.
    #[arg(long, default_value = "100", value_name = "MS")]
    late_ping: u64,
}

#[derive(Debug, Args)]
struct JudgementArguments {
    /// Stop when a sequential test of the first two players decides between two Elo values.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Numbers<f64, 2>>,
    /// Error probabilities of the test.
    #[arg(long, default_value = "0.05,0.05", value_name = "ALPHA,BETA")]
    sprt_errors: Numbers<f64, 2>,
    /// What the Elo values of the test mean.
    #[arg(long, value_enum, default_value = "logistic")]
    sprt_model: EloModel,
    /// Fix a player's rating.
    #[arg(long, value_name = "NAME=ELO")]
    fixed_rating: Option<String>,
}

#[derive(Debug, Args)]
struct RecordArguments {
    /// The name of the match in records.
    #[arg(long, default_value = "Engine match")]
    event: String,
    /// Write the games as PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the final positions as EPD.
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Write the games as training records (viriformat), those decided by play and with a score for every move.
    #[arg(long, value_name = "FILE")]
    training: Option<PathBuf>,
    /// Write the report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep a journal, from which the match can be resumed. Without it, beside the PGN file.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with the match of the journal.
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Begin anew, though there is a journal.
    #[arg(long)]
    overwrite: bool,
    /// Write what engines say, and their error output, to files in this folder.
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Without a terminal: a line about the match after so many games.
    #[arg(long, default_value = "10", value_name = "GAMES")]
    report_every: u64,
}

/// So many numbers with commas between.
#[derive(Clone, Copy, Debug)]
struct Numbers<T, const N: usize>([T; N]);

impl<T: FromStr, const N: usize> FromStr for Numbers<T, N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers<T, N>, String> {
        let error = || format!("'{text}' is not {N} numbers with commas between");
        let numbers: Result<Vec<T>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        Ok(Numbers(numbers.map_err(|_| error())?.try_into().map_err(|_| error())?))
    }
}

impl CommandLine {
    /// Does what the command line says and prints the report.
    ///
    /// # Errors
    /// With a message for the user.
    pub fn execute(self) -> Result<(), Box<dyn std::error::Error>> {
        let Command::Match(arguments) = self.command;
        let (hall, plans) = arguments.prepare()?;
        stop_on_interrupt(&hall)?;
        let report = run(&hall, &plans)?;
        print!("{report}");
        Ok(())
    }
}

impl MatchArguments {
    fn prepare(&self) -> Result<(Hall, Plans), ArgumentError> {
        let engines = parse_engines(&self.descriptions()?, &self.each).map_err(ArgumentError::Engines)?;
        let games = self.games.get();
        if games % 2 == 1 {
            return Err(ArgumentError::OddGames(games));
        }
        let plans = self.plans(&engines)?;
        if let Some(folder) = &self.records.log {
            std::fs::create_dir_all(folder).map_err(|error| ArgumentError::LogFolder(folder.clone(), error))?;
        }
        let ping = Duration::from_secs(self.rules.ping_timeout);
        let hall = Hall {
            openings: self.openings.read()?,
            schedule: Schedule::new(self.tournament, engines.len(), games / 2),
            rules: self.rules.rules()?,
            patience: Patience { start: ping.max(Duration::from_secs(10)), ping },
            chess960: self.openings.chess960,
            log_folder: self.records.log.clone(),
            cancelled: Arc::new(AtomicBool::new(false)),
            engines,
        };
        Ok((hall, plans))
    }

    /// The players of the command line, then those of the file.
    fn descriptions(&self) -> Result<Vec<String>, ArgumentError> {
        let mut descriptions = self.engines.clone();
        if let Some(path) = &self.engine_file {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| ArgumentError::EngineFile(path.clone(), error))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            descriptions.extend(lines.map(str::to_owned));
        }
        Ok(descriptions)
    }

    fn plans(&self, engines: &[EngineSettings]) -> Result<Plans, ArgumentError> {
        let records = &self.records;
        let outputs = [(Format::Pgn, &records.pgn), (Format::Epd, &records.epd), (Format::Training, &records.training)];
        let existing = match (records.resume, records.overwrite) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Overwrite,
            _ => Existing::Refuse,
        };
        let journal = records.journal.clone().or_else(|| records.pgn.as_deref().map(journal_beside));
        if records.resume && journal.is_none() {
            return Err(ArgumentError::NothingToResume);
        }
        Ok(Plans {
            event: records.event.clone(),
            concurrency: self.concurrency.get(),
            sprt: self.judgement.sprt(engines.len())?,
            fixed_rating: self.judgement.fixed_rating(engines)?,
            report_interval: records.report_every,
            journal,
            existing,
            outputs: outputs.into_iter().filter_map(|(format, path)| Some((format, path.clone()?))).collect(),
            summary: records.json.clone(),
            description: self.description(engines),
        })
    }

    /// What must agree for a match to be the same one: not how long it is or how it is judged.
    fn description(&self, engines: &[EngineSettings]) -> serde_json::Value {
        let openings = &self.openings;
        let rules = &self.rules;
        json!({
            "journal of": "referee match",
            "version": 1,
            "engines": engines.iter().map(describe_engine).collect::<Vec<_>>(),
            "tournament": self.tournament,
            "openings": [
                json!(openings.openings),
                json!(format!("{:?}", openings.order)),
                json!(openings.seed),
                json!(openings.plies),
                json!(openings.chess960),
            ],
            "rules": [
                json!(rules.margin),
                json!(rules.draw.map(|numbers| numbers.0.to_vec())),
                json!(rules.resign.map(|numbers| numbers.0.to_vec())),
                json!(rules.max_moves),
                json!(rules.syzygy.is_some()),
            ],
        })
    }
}

/// `games.pgn` has its journal in `games.pgn.journal`.
fn journal_beside(pgn: &Path) -> PathBuf {
    let mut name = pgn.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

impl OpeningArguments {
    fn read(&self) -> Result<Vec<Opening>, ArgumentError> {
        let Some(path) = &self.openings else {
            return Ok(vec![Opening::standard()]);
        };
        let mut openings = read_openings(path, self.plies).map_err(ArgumentError::Openings)?;
        if matches!(self.order, Order::Random) {
            shuffle(&mut openings, self.seed);
        }
        Ok(openings)
    }
}

impl RuleArguments {
    fn rules(&self) -> Result<Rules, ArgumentError> {
        let draw = self.draw.map(|Numbers([from_move, moves, score])| DrawRule { from_move, moves, score });
        let win = self.resign.map(|Numbers([moves, score])| WinRule { moves, score });
        if draw.is_some_and(|rule| rule.moves == 0) || win.is_some_and(|rule| rule.moves == 0) {
            return Err(ArgumentError::EmptySeries);
        }
        let tablebase = self.syzygy.as_deref().map(Tablebase::open).transpose().map_err(ArgumentError::Tablebase)?;
        Ok(Rules {
            margin: Duration::from_millis(self.margin),
            move_timeout: Duration::from_secs(self.move_timeout),
            late_ping: Duration::from_millis(self.late_ping),
            draw,
            win,
            last_move: self.max_moves.map(NonZeroU32::get),
            tablebase,
        })
    }
}

impl JudgementArguments {
    fn sprt(&self, players: usize) -> Result<Option<Sprt>, ArgumentError> {
        let Some(Numbers([elo0, elo1])) = self.sprt else {
            return Ok(None);
        };
        if players != 2 {
            return Err(ArgumentError::SprtPlayers(players));
        }
        let Numbers([alpha, beta]) = self.sprt_errors;
        Sprt::new(elo0, elo1, alpha, beta, self.sprt_model).map(Some).map_err(ArgumentError::Sprt)
    }

    fn fixed_rating(&self, engines: &[EngineSettings]) -> Result<Option<(usize, f64)>, ArgumentError> {
        let Some(text) = &self.fixed_rating else {
            return Ok(None);
        };
        let error = || ArgumentError::FixedRating(text.clone());
        let (name, elo) = text.rsplit_once('=').ok_or_else(error)?;
        let player = engines.iter().position(|engine| engine.name == name).ok_or_else(error)?;
        let elo: f64 = elo.parse().ok().filter(|elo: &f64| elo.is_finite()).ok_or_else(error)?;
        Ok(Some((player, elo)))
    }
}
