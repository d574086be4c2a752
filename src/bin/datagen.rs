//! Makes and handles games for training: `datagen run`, `stats`, `check`, `merge`, `shuffle`, `pick`, `branch`, `fit`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Parser, Subcommand};
use luft::chess::Position;
use luft::nnue::Network;
use luft::syzygy::Tablebase;
use luft::tools::datagen::{BranchSettings, GameSettings, Outcomes, RunSettings, Work, files, run};
use luft::tools::judge::JudgeRules;
use luft::tools::referee::openings::{Opening, read_openings};

/// Games of the engine against itself, as training records.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games and appends them to a file; Ctrl-C ends after the running ones.
    Run(RunArguments),
    /// Searches positions a few random moves beside those of games and appends each to a file as a game of one move, whose
    /// result says nothing (`trainer --scores-only`); Ctrl-C ends it.
    Branch(BranchArguments),
    /// Counts games, positions and results.
    Stats {
        /// The file.
        file: PathBuf,
    },
    /// Checks every game; exit status 1 if something is wrong.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Joins files.
    Merge {
        /// The file to write.
        output: PathBuf,
        /// The files to read.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
    /// Fits the model of wins, draws and losses to games, and prints its constants for src/score/win_model.rs.
    Fit {
        /// The files to read; one that is still being written may be among them.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Puts the games of a file in random order.
    Shuffle {
        /// The file to read.
        input: PathBuf,
        /// The file to write.
        output: PathBuf,
        /// The seed of the order.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Picks a position of each game, from which other games can begin (`run --book`).
    Pick {
        /// The file to read.
        input: PathBuf,
        /// The file to write, a line of FEN for each position.
        output: PathBuf,
        /// The seed of the choice.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// What fills a file, and for how long.
#[derive(clap::Args)]
struct FillArguments {
    /// The file to append to.
    #[arg(long)]
    out: PathBuf,
    /// Threads that search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of everything random; a file that holds games already is gone on with by others.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End after so many minutes.
    #[arg(long)]
    minutes: Option<f64>,
    /// The network to search with, if not the one built in.
    #[arg(long)]
    network: Option<PathBuf>,
}

#[derive(clap::Args)]
struct RunArguments {
    #[command(flatten)]
    fill: FillArguments,
    /// Folders with Syzygy tables, which then decide games right after a capture or pawn move.
    #[arg(long)]
    syzygy: Option<PathBuf>,
    /// End when the file holds so many games.
    #[arg(long)]
    games: Option<u64>,
    /// Nodes after which no new iteration begins.
    #[arg(long, default_value_t = GameSettings::default().soft_nodes)]
    nodes: u64,
    /// Positions to begin from: an EPD or FEN file, or a PGN file with its first 16 plies. Without one standard chess, Chess960
    /// and double Chess960 are mixed.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Random plies at the start, or one more.
    #[arg(long, default_value_t = GameSettings::default().random_plies)]
    random_plies: u32,
    /// Openings whose score is further from 0 are not played, in evaluation units.
    #[arg(long, default_value_t = GameSettings::default().opening_limit)]
    opening_limit: i32,
    #[command(flatten)]
    judge: JudgeArguments,
}

#[derive(clap::Args)]
struct BranchArguments {
    /// Files with the games to branch off from.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    fill: FillArguments,
    /// Nodes after which no new iteration begins.
    #[arg(long, default_value_t = 100)]
    nodes: u64,
    /// Of so many positions of a game one is branched off from, on average.
    #[arg(long, default_value_t = 4)]
    every: u64,
    /// Random plies that lead away from a game, the first of them not the game's own move.
    #[arg(long, default_value_t = 1)]
    random_plies: u32,
}

/// When a game is decided before its end; scores in evaluation units.
#[derive(clap::Args)]
struct JudgeArguments {
    /// Won when the score stays beyond this.
    #[arg(long, default_value_t = GameSettings::default().judge.win_score)]
    win_score: i32,
    /// For so many plies.
    #[arg(long, default_value_t = GameSettings::default().judge.win_plies)]
    win_plies: u32,
    /// Drawn when the score stays within this.
    #[arg(long, default_value_t = GameSettings::default().judge.draw_score)]
    draw_score: i32,
    /// For so many plies.
    #[arg(long, default_value_t = GameSettings::default().judge.draw_plies)]
    draw_plies: u32,
    /// Not before this ply.
    #[arg(long, default_value_t = GameSettings::default().judge.draw_from_ply)]
    draw_from_ply: u32,
}

impl JudgeArguments {
    fn rules(&self) -> JudgeRules {
        let JudgeArguments { win_score, win_plies, draw_score, draw_plies, draw_from_ply } = *self;
        JudgeRules { win_score, win_plies, draw_score, draw_plies, draw_from_ply }
    }
}

/// Plies of a book's games that are played before the random ones.
const BOOK_PLIES: usize = 16;

fn book(path: &Path) -> io::Result<Vec<Position>> {
    let openings = read_openings(path, Some(BOOK_PLIES)).map_err(io::Error::other)?;
    let played = |opening: Opening| {
        let mut position = opening.start;
        opening.moves.into_iter().for_each(|mv| position.make(mv));
        position
    };
    Ok(openings.into_iter().map(played).collect())
}

fn network(path: Option<&Path>) -> io::Result<Network> {
    match path {
        Some(path) => {
            Network::load(path).map_err(|error| io::Error::other(format!("network {}: {error}", path.display())))
        }
        None => Network::embedded().map_err(io::Error::other),
    }
}

fn run_branch(arguments: BranchArguments) -> io::Result<bool> {
    let games = files::read(&arguments.games)?;
    if games.iter().all(|game| game.moves.is_empty()) {
        return Err(io::Error::other("no game to branch off from"));
    }
    let work = Work::Branch(BranchSettings {
        games: Arc::new(games),
        soft_nodes: arguments.nodes,
        every: arguments.every,
        random_plies: arguments.random_plies,
    });
    fill(arguments.fill, None, work)
}

fn run_games(arguments: RunArguments) -> io::Result<bool> {
    let work = Work::Play(GameSettings {
        soft_nodes: arguments.nodes,
        book: arguments.book.as_deref().map(book).transpose()?.map(Arc::new),
        random_plies: arguments.random_plies,
        opening_limit: arguments.opening_limit,
        judge: arguments.judge.rules(),
        tablebase: arguments.syzygy.as_deref().map(Tablebase::open).transpose().map_err(io::Error::other)?,
    });
    fill(arguments.fill, arguments.games, work)
}

/// Works until a limit or Ctrl-C.
fn fill(arguments: FillArguments, games: Option<u64>, work: Work) -> io::Result<bool> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
    // More time than can be counted is no limit.
    let time = arguments.minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes.max(0.0) * 60.0).ok());
    let settings = RunSettings {
        output: arguments.out,
        threads: arguments.threads,
        seed: arguments.seed,
        games,
        time,
        network: Arc::new(network(arguments.network.as_deref())?),
        work,
    };
    let counts = run(&settings, &stop)?;
    print(&counts.lines())?;
    Ok(true)
}

/// Prints lines; a reader that has seen enough of them is no failure.
fn print(lines: &[String]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match lines.iter().try_for_each(|line| writeln!(output, "{line}")) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn carry_out(command: Command) -> io::Result<bool> {
    let tell = |counts: files::Counts| print(&counts.lines()).map(|()| true);
    match command {
        Command::Run(arguments) => run_games(arguments),
        Command::Branch(arguments) => run_branch(arguments),
        Command::Stats { file } => files::stats(&file).and_then(tell),
        Command::Merge { output, inputs } => files::merge(&output, &inputs).and_then(tell),
        Command::Shuffle { input, output, seed } => files::shuffle(&input, &output, seed).and_then(tell),
        Command::Pick { input, output, seed } => {
            let count = files::pick(&input, &output, seed)?;
            print(&[format!("{count} positions")]).map(|()| true)
        }
        Command::Fit { files } => {
            let outcomes = Outcomes::read(&files)?;
            print(&outcomes.report(&outcomes.fit())).map(|()| true)
        }
        Command::Check { file } => {
            let mut lines = files::check(&file)?;
            let problems = lines.len();
            lines.push(format!("{problems} problems"));
            print(&lines).map(|()| problems == 0)
        }
    }
}

fn main() -> ExitCode {
    match carry_out(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("datagen: {error}");
            ExitCode::FAILURE
        }
    }
}
