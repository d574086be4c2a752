//! `perft FILE`: checks a file of positions with known counts.

use std::fs;

use super::perft::counting_options;
use super::{Printer, Work};
use crate::chess::notation::PerftLine;
use crate::chess::perft::{PerftOptions, divide};
use crate::search::Signals;
use crate::uci::arguments::PerftCommand;

pub(super) fn task(path: &str, command: &PerftCommand, printer: Printer) -> Work {
    let path = path.to_string();
    let options = match counting_options(command) {
        Ok(options) => options,
        Err(error) => return Work::Error(error),
    };
    let node_limit = command.node_limit.unwrap_or(u64::MAX);
    Work::Task(Box::new(move |signals| match fs::read_to_string(&path) {
        Ok(text) => Suite { options, node_limit, signals, printer, passed: 0, failed: 0, nodes: 0 }.check(&text),
        Err(error) => printer.error(format!("perft: cannot read '{path}': {error}")),
    }))
}

struct Suite<'a> {
    options: PerftOptions,
    node_limit: u64,
    signals: &'a Signals,
    printer: Printer,
    passed: usize,
    failed: usize,
    nodes: u64,
}

impl Suite<'_> {
    fn check(mut self, text: &str) {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            if self.signals.is_stopped() {
                self.printer.line("info string perft stopped");
                return;
            }
            let outcome = self.check_line(line);
            if self.signals.is_stopped() {
                continue;
            }
            match outcome {
                Ok(()) => self.passed += 1,
                Err(problem) => {
                    self.failed += 1;
                    self.printer.line(format!("line {number}: {problem}"));
                }
            }
        }
        self.printer.line(format!("{} nodes", self.nodes));
        self.printer.line(format!("{} passed, {} failed", self.passed, self.failed));
        if self.failed > 0 {
            self.printer.failed();
        }
    }

    fn check_line(&mut self, line: &str) -> Result<(), String> {
        let PerftLine { position, counts } = line.parse().map_err(|error| format!("{error}"))?;
        for (depth, expected) in counts.into_iter().filter(|&(_, expected)| expected <= self.node_limit) {
            let counted = divide(&position, depth, &self.options, self.signals.stop_flag());
            let Some(found) = counted.map_err(|error| error.to_string())? else {
                return Ok(());
            };
            let found: u64 = if depth == 0 { 1 } else { found.iter().map(|(_, nodes)| nodes).sum() };
            self.nodes += found;
            if found != expected {
                return Err(format!("depth {depth}: {found} nodes, not {expected}: {position}"));
            }
        }
        Ok(())
    }
}
