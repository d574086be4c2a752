//! `perft N`: the leaves below each move, sorted, then total, time and speed.

use std::time::Instant;

use super::{Printer, Work, within};
use crate::chess::Position;
use crate::chess::notation::{CastlingSpelling, format_move};
use crate::chess::perft::{PerftOptions, divide};
use crate::engine::{Engine, OptionRange, Options};
use crate::search::Signals;
use crate::uci::arguments::PerftCommand;
use crate::uci::options::spelling_for;
use crate::uci::response::nodes_per_second;

/// Accepted sizes of the table in MiB.
const HASH_MIB: OptionRange = 0..=*Options::HASH_MIB.end();

/// The options of the counting itself; an error line if one is out of range.
pub(super) fn counting_options(command: &PerftCommand) -> Result<PerftOptions, String> {
    let standard = PerftOptions::default();
    let threads = within(Some(command.threads), standard.threads, &Options::THREADS, "perft", "threads")?;
    let hash_mib = within(Some(command.hash_mib), standard.hash_mib, &HASH_MIB, "perft", "MiB")?;
    Ok(PerftOptions { threads, hash_mib })
}

pub(super) fn task(engine: &Engine, depth: u32, command: &PerftCommand, printer: Printer) -> Work {
    let position = *engine.game().position();
    let options = match counting_options(command) {
        Ok(options) => options,
        Err(error) => return Work::Error(error),
    };
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
    let counts = match divide(position, depth, options, signals.stop_flag()) {
        Ok(Some(counts)) => counts,
        Ok(None) => return printer.line("info string perft stopped"),
        Err(error) => return printer.error(format_args!("perft: {error}")),
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
