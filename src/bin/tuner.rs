//! Tunes numbers of the search by games against itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;
use luft::nnue::Network;
use luft::search::Params;
use luft::tools::referee::openings::read_openings;
use luft::tools::tuner::{Experiment, Schedule, Settings, State, open_bench_text, parse_factors, run};

/// Tunes numbers of the search by simultaneous perturbation: games between shifted sets, at a fixed number of nodes.
/// Or tells what features are worth (--features). Ctrl-C ends it; the same command goes on.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Names of the numbers, with commas between; all if not given.
    #[arg(long, value_delimiter = ',')]
    params: Vec<String>,
    /// Openings: a file of EPD or PGN.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Nodes a move.
    #[arg(long, default_value_t = 8_000)]
    nodes: u64,
    /// Pairs of games in the whole run.
    #[arg(long, default_value_t = 20_000)]
    pairs: u64,
    /// The gain at the end of the run.
    #[arg(long, default_value_t = 0.002)]
    gain: f64,
    /// Threads that play.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of shifts and openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The state of the run, a file with the ending .json; a picture of its course lies beside it.
    #[arg(long, required_unless_present = "print", value_parser = state_path)]
    out: Option<PathBuf>,
    /// Tunes nothing and tells what the features of this file are worth: a line each, 'name: number=value, ...', with the
    /// values that switch it off.
    #[arg(long, conflicts_with_all = ["params", "print"])]
    features: Option<PathBuf>,
    /// With --features: each side plays without a feature once in so many games.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(2..))]
    one_in: u64,
    /// Plays nothing and prints the numbers as OpenBench takes them.
    #[arg(long)]
    print: bool,
}

fn state_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    if is_json { Ok(path) } else { Err("the file must end in .json".into()) }
}

fn state(arguments: &Arguments) -> io::Result<State> {
    if let Some(path) = arguments.out.as_ref().filter(|path| path.exists()) {
        eprintln!("{} goes on: parameters, number of pairs, gain and seed are those it began with", path.display());
        return State::read(path);
    }
    let all = || Params::TABLE.iter().map(|(name, ..)| name.to_string()).collect();
    let names = if arguments.params.is_empty() { all() } else { arguments.params.clone() };
    let schedule = Schedule { pairs: arguments.pairs, last_gain: arguments.gain };
    let unknown = |name| io::Error::other(format!("the search has no number called '{name}'"));
    State::new(&names, schedule, arguments.seed).map_err(unknown)
}

fn experiment(arguments: &Arguments, features: &Path, output: &Path) -> io::Result<Experiment> {
    if output.exists() {
        eprintln!("{} goes on: features, number of pairs and seed are those it began with", output.display());
        return Experiment::read(output);
    }
    let factors = parse_factors(&std::fs::read_to_string(features)?).map_err(io::Error::other)?;
    let Arguments { one_in, seed, pairs, .. } = *arguments;
    Ok(Experiment { factors, one_in, seed, pairs, observations: Vec::new() })
}

fn settings(arguments: &Arguments, output: PathBuf) -> io::Result<Settings> {
    let path = arguments.openings.as_ref().ok_or_else(|| io::Error::other("--openings is needed to play"))?;
    let openings = read_openings(path, None).map_err(io::Error::other)?;
    let starts = openings.iter().map(|opening| {
        let mut position = opening.start;
        opening.moves.iter().for_each(|&mv| position.make(mv));
        position
    });
    Ok(Settings {
        nodes: arguments.nodes,
        threads: arguments.threads,
        openings: starts.collect(),
        network: Arc::new(Network::embedded().map_err(io::Error::other)?),
        output,
    })
}

fn stop_on_interrupt() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
    Ok(stop)
}

fn play(arguments: &Arguments) -> io::Result<Vec<String>> {
    let Some(output) = arguments.out.clone().filter(|_| !arguments.print) else {
        return Ok(open_bench_text(&state(arguments)?));
    };
    if let Some(features) = &arguments.features {
        let mut experiment = experiment(arguments, features, &output)?;
        experiment.run(&settings(arguments, output)?, &*stop_on_interrupt()?)?;
        return Ok(experiment.lines());
    }
    let mut state = state(arguments)?;
    run(&settings(arguments, output)?, &mut state, &*stop_on_interrupt()?)?;
    Ok(state.lines())
}

fn main() -> ExitCode {
    match play(&Arguments::parse()) {
        Ok(lines) => {
            lines.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("tuner: {error}");
            ExitCode::FAILURE
        }
    }
}
