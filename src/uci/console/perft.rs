//! `perft N`: the leaves below each move, sorted, then total, time and speed.

use std::time::Instant;

use super::{Printer, Work};
use crate::chess::Position;
use crate::chess::notation::{CastlingSpelling, format_move};
use crate::chess::perft::{PerftOptions, divide};
use crate::engine::Engine;
use crate::search::Signals;
use crate::uci::arguments::PerftCommand;
use crate::uci::options::spelling_for;
use crate::uci::response::nodes_per_second;

/// More threads than this are surely a slip of the hand.
const MOST_THREADS: u64 = 1024;

/// The options of the counting itself.
pub(super) fn counting_options(command: &PerftCommand) -> PerftOptions {
    PerftOptions { threads: command.threads.clamp(1, MOST_THREADS) as usize, hash_mib: command.hash_mib as usize }
}

pub(super) fn task(engine: &Engine, depth: u32, command: &PerftCommand, printer: Printer) -> Work {
    let position = *engine.game().position();
    let options = counting_options(command);
    let spelling = spelling_for(engine.options().chess960);
    Work::Task(Box::new(move |signals| count(&position, depth, &options, spelling, signals, &printer)))
}

fn count(
    position: &Position,
    depth: u32,
    options: &PerftOptions,
    spelling: CastlingSpelling,
    signals: &Signals,
    printer: &Printer,
) {
    let started = Instant::now();
    let Some(counts) = divide(position, depth, options, signals.stop_flag()) else {
        printer.line("info string perft stopped");
        return;
    };
    let time = started.elapsed();
    let mut lines: Vec<(String, u64)> =
        counts.into_iter().map(|(mv, nodes)| (format_move(mv, spelling), nodes)).collect();
    lines.sort();
    let total = if depth == 0 { 1 } else { lines.iter().map(|(_, nodes)| nodes).sum() };
    if depth > 0 {
        lines.iter().for_each(|(mv, nodes)| printer.line(format!("{mv}: {nodes}")));
    }
    printer.line("");
    let milliseconds = time.as_millis();
    printer.line(format!("{total} nodes {milliseconds} ms {} nps", nodes_per_second(total, time)));
}
