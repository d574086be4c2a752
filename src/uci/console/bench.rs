//! `bench`: a line for each position, then nodes and speed as testers' tools read them.

use std::sync::Arc;
use std::time::Duration;

use super::{Printer, Work};
use crate::engine::Options;
use crate::engine::bench::{self, BenchSettings};
use crate::nnue::Network;
use crate::search::Signals;
use crate::uci::response::nodes_per_second;

pub(super) fn task(
    network: &Arc<Network>,
    depth: Option<u64>,
    threads: Option<u64>,
    hash_mib: Option<u64>,
    printer: Printer,
) -> Work {
    let network = Arc::clone(network);
    let standard = BenchSettings::default();
    let threads = threads.map_or(standard.threads, |threads| threads as usize);
    if !Options::THREADS.contains(&(threads as i64)) {
        return Work::Error(format!(
            "bench: '{threads}' threads are not from {} to {}",
            Options::THREADS.start(),
            Options::THREADS.end()
        ));
    }
    let settings = BenchSettings {
        depth: depth.map_or(standard.depth, |depth| depth.min(i32::MAX as u64) as i32),
        threads,
        hash_mib: hash_mib.map_or(standard.hash_mib, |mib| mib as usize),
    };
    Work::Task(Box::new(move |signals| run(settings, &network, signals, &printer)))
}

fn run(settings: BenchSettings, network: &Arc<Network>, signals: &Arc<Signals>, printer: &Printer) {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let outcome = bench::run(settings, network, signals, |position, step| {
        nodes += step.nodes;
        time += step.time;
        printer.line(format!("{:>12} nodes  {position}", step.nodes));
    });
    match outcome {
        Ok(()) => printer.line(format!("{nodes} nodes {} nps", nodes_per_second(nodes, time))),
        Err(error) => printer.error(format_args!("bench: {error}")),
    }
}
