//! Commands beyond the protocol, for people and testers.
//!
//! Short ones answer with lines; long ones become tasks on the engine's thread, so that the session goes on listening and
//! `stop` ends them.

mod bench;
mod build;
mod display;
mod evaluation;
mod export;
mod flip;
mod genfens;
mod inner;
mod perft;
mod speedtest;
mod suite;
mod syzygy;

use std::sync::mpsc::Sender;

use super::arguments::PerftSubject;
use super::command::Command;
use super::event::Event;
use super::response;
use crate::chess::Game;
use crate::engine::{Engine, OptionRange, Task};
pub(super) use display::state;

/// What a command comes to.
pub(super) enum Work {
    /// Its whole answer.
    Lines(Vec<String>),
    /// Why it could not be carried out.
    Error(String),
    /// Another game to stand at.
    Game(Box<Game>),
    /// Work that prints as it goes on.
    Task(Task),
}

/// Where a task prints. A session that is gone hears nothing.
#[derive(Clone)]
pub(super) struct Printer(Sender<Event>);

impl Printer {
    fn line(&self, line: impl Into<String>) {
        let _ = self.0.send(Event::Print(line.into()));
    }

    fn error(&self, error: impl std::fmt::Display) {
        self.line(format!("info string error: {error}"));
        self.failed();
    }

    /// The process should tell by its exit status that something was wrong.
    fn failed(&self) {
        let _ = self.0.send(Event::Failed);
    }
}

/// The number given to a command, or the one it has without; an error line if it is out of range.
fn within(given: Option<u64>, default: usize, range: &OptionRange, command: &str, name: &str) -> Result<usize, String> {
    let value = given.map_or(default as i64, |value| value.min(i64::MAX as u64) as i64);
    if range.contains(&value) {
        return Ok(value as usize);
    }
    Err(format!("{command}: '{value}' {name} are not from {} to {}", range.start(), range.end()))
}

/// Carries out a command, or says what the engine's thread should do for it.
pub(super) fn run(command: &Command, engine: &Engine, events: &Sender<Event>) -> Work {
    let printer = Printer(events.clone());
    match command {
        Command::Perft(options) => match &options.subject {
            PerftSubject::Depth(depth) => perft::task(engine, *depth, options, printer),
            PerftSubject::Suite(path) => suite::task(path, options, printer),
        },
        Command::Bench { depth, threads, hash_mib } => {
            bench::task(engine.network(), *depth, *threads, *hash_mib, printer)
        }
        Command::Display => Work::Lines(display::board(engine.game(), engine.options().chess960)),
        Command::Speedtest(options) => speedtest::task(engine, *options, printer),
        Command::Genfens(options) => genfens::task(engine.network(), options, printer),
        Command::Flip => flip::flipped(engine.game().position()),
        Command::Eval => Work::Lines(evaluation::lines(engine.network(), engine.game().position())),
        Command::Syzygy => Work::Lines(syzygy::lines(engine)),
        Command::ExportNetwork { path } => export::network(engine.network(), path),
        Command::Compiler => Work::Lines(build::lines()),
        Command::License => Work::Lines(LICENSE.lines().map(String::from).collect()),
        Command::Version => Work::Lines(vec![response::name_and_version()]),
        _ => Work::Lines(HELP.lines().map(String::from).collect()),
    }
}

const HELP: &str = "\
Luft is a UCI chess engine: it is meant to be run by a chess program. By hand, or as arguments (each one command):
  uci, isready, ucinewgame, setoption, position, go, stop, ponderhit, quit   the UCI protocol
  setoption name EvalFile value FILE  evaluates with another network; uci lists all options
  go perft N                         moves and leaves below them to depth N
  perft N [--threads T] [--hash M]   the same with threads and a table of M MiB
  perft FILE [--nodes N] [--threads T] [--hash M]
                                     checks lines 'FEN ;D1 n ;D2 n ...', counts above N left out
  bench [depth] [threads] [hash]     searches fixed positions: a node count and a speed
  speedtest [seconds] [threads] [hash]
                                     plays through positions for so long: a speed to compare machines by
  d                                  shows the board and what is known of the position
  flip                               exchanges the colours of the position
  eval                               shows what the men are worth to the network, and its outputs
  syzygy                             shows what endgame tables say of the position and its moves
  export_net [FILE]                  writes the network in use to FILE, or luft.nnue
  genfens N [seed S] [book FILE|None]
                                     prints N openings for the making of games
  compiler                           how this program was built and what the processor offers
  license, version, help             also as --license, --version, --help
A search given as an argument that only 'stop' can end is ended by the next argument 'stop', or by 'stop' or the end of
standard input.";

const LICENSE: &str = concat!(
    "Luft is free software. It may be used under either of these licences, as you like: MIT, whose text follows, or\n",
    "Apache License 2.0, whose text is at https://www.apache.org/licenses/LICENSE-2.0.\n\n",
    include_str!("../../../LICENSE-MIT")
);
