//! `bench`: a line for each position, then nodes and speed as testers' tools read them.

use std::sync::Arc;
use std::time::Duration;

use super::{Printer, Work, within};
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
    let settings = || {
        Ok::<BenchSettings, String>(BenchSettings {
            depth: depth.map_or(standard.depth, |depth| depth.min(i32::MAX as u64) as i32),
            threads: within(threads, standard.threads, &Options::THREADS, "bench", "threads")?,
            hash_mib: within(hash_mib, standard.hash_mib, &Options::HASH_MIB, "bench", "MiB")?,
        })
    };
    let settings = match settings() {
        Ok(settings) => settings,
        Err(error) => return Work::Error(error),
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
