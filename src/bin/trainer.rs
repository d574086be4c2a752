//! Trains a network from game records, or checks one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};
use luft::nnue::Network;
use luft::tools::trainer::{Filters, Schedule, Settings, check, train};

/// Trains a network from game records; Ctrl-C ends it, --resume goes on from the last superbatch.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    training: Option<TrainingArguments>,
}

#[derive(Subcommand)]
enum Command {
    /// Checks labels, symmetry, agreement of trainer and engine, and the worth of men; exit status 1 if something is wrong.
    Check {
        /// The network file.
        network: PathBuf,
        /// Files of game records.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(clap::Args)]
struct TrainingArguments {
    /// Files of game records.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Files of game records whose results say nothing, as `datagen branch` makes them: only their scores are learned.
    #[arg(long, num_args = 1..)]
    scores_only: Vec<PathBuf>,
    /// The network to write; checkpoint and loss curve (SVG) lie beside it.
    #[arg(long)]
    out: PathBuf,
    /// Weight of the game's result in the target, from 0 to 1; the rest is that of the score.
    #[arg(long, default_value_t = 0.4)]
    result_weight: f32,
    /// How much of the next position's score each position learns instead of its own, from 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    foresight: f32,
    /// Passes over all positions.
    #[arg(long, default_value_t = 30.0)]
    passes: f64,
    /// Positions a batch.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Batches a superbatch.
    #[arg(long, default_value_t = 512)]
    superbatch: u64,
    /// Learning rate at the start.
    #[arg(long, default_value_t = Schedule::default().first)]
    rate: f32,
    /// Learning rate at the end.
    #[arg(long, default_value_t = Schedule::default().last)]
    last_rate: f32,
    /// Batches in which the learning rate first rises.
    #[arg(long, default_value_t = Schedule::default().warm_up)]
    warm_up: u64,
    /// Threads; 0 for all processors.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Seed of weights and order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on from the checkpoint beside the output.
    #[arg(long)]
    resume: bool,
    /// Leave out so many plies at the start of each game.
    #[arg(long, default_value_t = Filters::default().first_plies)]
    first_plies: usize,
    /// Keep positions in check.
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions whose move captures or promotes.
    #[arg(long)]
    keep_captures: bool,
    /// Leave out scores further from 0 than this, in evaluation units.
    #[arg(long, default_value_t = Filters::default().largest_score)]
    largest_score: i16,
    /// Hold out one game of so many; 0 for none.
    #[arg(long, default_value_t = Filters::default().held_out_every)]
    held_out_every: usize,
}

fn settings(arguments: TrainingArguments) -> Settings {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Settings {
        inputs: arguments.inputs,
        scores_only: arguments.scores_only,
        output: arguments.out,
        filters: Filters {
            first_plies: arguments.first_plies,
            no_checks: !arguments.keep_checks,
            no_captures: !arguments.keep_captures,
            largest_score: arguments.largest_score,
            held_out_every: arguments.held_out_every,
        },
        result_weight: arguments.result_weight.clamp(0.0, 1.0),
        foresight: arguments.foresight.clamp(0.0, 1.0),
        schedule: Schedule { first: arguments.rate, last: arguments.last_rate, warm_up: arguments.warm_up },
        passes: arguments.passes,
        batch: arguments.batch.max(1),
        superbatch: arguments.superbatch,
        threads: if arguments.threads == 0 { processors } else { arguments.threads },
        seed: arguments.seed,
        resume: arguments.resume,
    }
}

fn run_training(arguments: TrainingArguments) -> io::Result<bool> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    if let Err(error) = ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed)) {
        eprintln!("trainer: Ctrl-C will not be heeded: {error}");
    }
    train(&settings(arguments), &stop).map(|()| true)
}

fn run_check(network: &Path, files: &[PathBuf]) -> io::Result<bool> {
    let network =
        Network::load(network).map_err(|error| io::Error::other(format!("{}: {error}", network.display())))?;
    let findings = check(Arc::new(network), files)?;
    for finding in &findings {
        // The exit status tells the outcome to whoever reads no more.
        let _ = writeln!(io::stdout(), "{:<6} {}", if finding.passed { "right" } else { "WRONG" }, finding.text);
    }
    Ok(findings.iter().all(|finding| finding.passed))
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse() {
        Arguments { command: Some(Command::Check { network, files }), .. } => run_check(&network, &files),
        Arguments { training: Some(training), .. } => run_training(training),
        Arguments { .. } => Err(io::Error::other("nothing to do: try --help")),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("trainer: {error}");
            ExitCode::FAILURE
        }
    }
}
