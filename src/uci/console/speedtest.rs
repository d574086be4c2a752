//! `speedtest`: the positions of the bench one after the other for a given time, as a game would use table and threads. What
//! it prints compares machines and builds; the count of nodes does not repeat.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::inner::InnerEngine;
use super::{Printer, Work, within};
use crate::chess::Game;
use crate::chess::notation::parse_fen;
use crate::engine::{Engine, Options, bench};
use crate::nnue::{Kernels, Network};
use crate::search::{Limits, Signals};
use crate::uci::arguments::SpeedtestCommand;
use crate::uci::response::{name_and_version, nodes_per_second};

/// Seconds when none are given: long enough for processors to settle at their lasting speed.
const SECONDS: u64 = 20;
/// Longer is surely a slip of the hand.
const MOST_SECONDS: u64 = 86_400;

struct Settings {
    time: Duration,
    threads: usize,
    hash_mib: usize,
}

pub(super) fn task(engine: &Engine, command: SpeedtestCommand, printer: Printer) -> Work {
    let settings = || {
        let seconds = within(command.seconds, SECONDS as usize, &(1..=MOST_SECONDS as i64), "speedtest", "seconds")?;
        let threads = within(command.threads, engine.options().threads, &Options::THREADS, "speedtest", "threads")?;
        let hash_mib = within(command.hash_mib, engine.options().hash_mib, &Options::HASH_MIB, "speedtest", "MiB")?;
        Ok(Settings { time: Duration::from_secs(seconds as u64), threads, hash_mib })
    };
    let network = Arc::clone(engine.network());
    match settings() {
        Ok(settings) => Work::Task(Box::new(move |signals| run(&settings, &network, signals, &printer))),
        Err(error) => Work::Error(error),
    }
}

fn run(settings: &Settings, network: &Arc<Network>, signals: &Signals, printer: &Printer) {
    let mut engine = match InnerEngine::new(settings.hash_mib, settings.threads, network) {
        Ok(engine) => engine,
        Err(error) => return printer.error(format!("speedtest: {error}")),
    };
    let games: Vec<Game> = bench::POSITIONS.iter().filter_map(|fen| parse_fen(fen).ok()).map(Game::new).collect();
    let move_time = settings.time / games.len() as u32;
    let begun = Instant::now();
    let (mut searched, mut nodes) = (0, 0);
    for game in &games {
        let limits = Limits { move_time: Some(move_time), ..Limits::default() };
        let Some(result) = engine.search(game, limits, signals) else {
            printer.line("info string speedtest stopped");
            break;
        };
        searched += 1;
        nodes += result.nodes;
    }
    tell(settings, searched, nodes, begun.elapsed(), printer);
}

fn tell(settings: &Settings, searched: usize, nodes: u64, time: Duration, printer: &Printer) {
    printer.line(format!("version: {}", name_and_version()));
    printer.line(format!("network kernels: {}", Kernels::best().name()));
    printer.line(format!("threads: {}", settings.threads));
    printer.line(format!("hash: {} MiB", settings.hash_mib));
    printer.line(format!("positions: {searched}"));
    printer.line(format!("time: {} ms", time.as_millis()));
    printer.line(format!("{nodes} nodes {} nps", nodes_per_second(nodes, time)));
}
