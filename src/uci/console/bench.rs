//! `bench`: a line for each position, then nodes and speed as testers' tools read them.

use std::sync::Arc;
use std::time::Duration;

use super::{Printer, Work};
use crate::engine::bench;
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
    let depth = depth.map_or(bench::DEPTH, |depth| depth.min(i32::MAX as u64) as i32);
    let hash_mib = hash_mib.map_or(bench::HASH_MIB, |mib| mib as usize);
    Work::Task(Box::new(move |signals| {
        if threads.is_some_and(|threads| threads != 1) {
            printer.error("bench: only one thread can search");
            return;
        }
        run(depth, hash_mib, &network, signals, &printer);
    }))
}

fn run(depth: i32, hash_mib: usize, network: &Arc<Network>, signals: &Signals, printer: &Printer) {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let outcome = bench::run(depth, hash_mib, network, signals, |position, step| {
        nodes += step.nodes;
        time += step.time;
        printer.line(format!("{:>12} nodes  {position}", step.nodes));
    });
    match outcome {
        Ok(()) => printer.line(format!("{nodes} nodes {} nps", nodes_per_second(nodes, time))),
        Err(error) => printer.error(error),
    }
}
