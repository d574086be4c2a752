//! `genfens`: openings for the making of games, as OpenBench asks for them: random moves from the initial array or from the
//! positions of a book, kept when a short search finds them playable for both sides.

use std::fs;
use std::sync::Arc;

use super::inner::InnerEngine;
use super::{Printer, Work};
use crate::chess::notation::{Epd, format_fen, parse_fen};
use crate::chess::random::SplitMix64;
use crate::chess::{Game, Position};
use crate::nnue::Network;
use crate::score::win_model::{centipawns, material};
use crate::search::{Limits, Signals};
use crate::uci::arguments::GenfensCommand;

/// Random moves from the initial array, or one more.
const PLIES: u64 = 8;
/// Random moves after a position of a book, or one more: it is an opening already.
const PLIES_AFTER_BOOK: u64 = 3;
/// Openings better than this for one side are not played, in centipawns.
const MOST_CENTIPAWNS: i32 = 250;
/// Nodes of the search that looks at an opening.
const NODES: u64 = 2_000;
/// So many openings in a row that will not do mean that the book has no other.
const MOST_ATTEMPTS: usize = 1_000;
const HASH_MIB: usize = 2;

pub(super) fn task(network: &Arc<Network>, command: &GenfensCommand, printer: Printer) -> Work {
    let (network, command) = (Arc::clone(network), command.clone());
    Work::Task(Box::new(move |signals| {
        if let Err(error) = run(&network, &command, signals, &printer) {
            printer.error(format!("genfens: {error}"));
        }
    }))
}

fn run(network: &Arc<Network>, command: &GenfensCommand, signals: &Signals, printer: &Printer) -> Result<(), String> {
    let starts = command.book.as_deref().map_or_else(|| Ok(vec![Position::initial()]), read_book)?;
    let plies = if command.book.is_some() { PLIES_AFTER_BOOK } else { PLIES };
    let engine = InnerEngine::new(HASH_MIB, 1, network).map_err(|error| error.to_string())?;
    let mut openings = Openings { starts, plies, random: SplitMix64::new(command.seed), engine };
    for _ in 0..command.count {
        match openings.next(signals) {
            Some(position) => printer.line(format!("info string genfens {}", format_fen(&position))),
            None if signals.is_stopped() => {
                printer.line("info string genfens stopped");
                break;
            }
            None => return Err(format!("no playable opening among {MOST_ATTEMPTS}")),
        }
    }
    Ok(())
}

/// The positions of a file, one a line as FEN or EPD; empty lines and lines that begin with `#` do not count.
fn read_book(path: &str) -> Result<Vec<Position>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read '{path}': {error}"))?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let positions: Vec<Position> = lines.map(|(number, line)| position_of(line, number)).collect::<Result<_, _>>()?;
    if positions.is_empty() { Err(format!("'{path}' holds no position")) } else { Ok(positions) }
}

fn position_of(line: &str, number: usize) -> Result<Position, String> {
    let from_epd = || line.parse::<Epd>().map(|epd| epd.position);
    parse_fen(line).or_else(|error| from_epd().map_err(|_| format!("line {number}: {error}")))
}

struct Openings {
    starts: Vec<Position>,
    plies: u64,
    random: SplitMix64,
    engine: InnerEngine,
}

impl Openings {
    /// The next opening that will do; none when stopped, or when none is found.
    fn next(&mut self, signals: &Signals) -> Option<Position> {
        for _ in 0..MOST_ATTEMPTS {
            let opening = self.random_opening();
            if let Some(position) = opening.filter(|position| self.is_playable(position, signals)) {
                return Some(position);
            }
            if signals.is_stopped() {
                break;
            }
        }
        None
    }

    /// A position after random moves, unless the game has ended on the way.
    fn random_opening(&mut self) -> Option<Position> {
        let mut position = self.starts[self.random.below(self.starts.len() as u64) as usize];
        let plies = self.plies + self.random.below(2);
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.make(moves[self.random.below(moves.len() as u64) as usize]);
        }
        Game::new(position).outcome().is_none().then_some(position)
    }

    fn is_playable(&mut self, position: &Position, signals: &Signals) -> bool {
        self.engine.new_game();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let result = self.engine.search(&Game::new(*position), limits, signals);
        result.is_some_and(|result| {
            let value = centipawns(result.score, material(position.board()));
            !result.score.is_decisive() && value.abs() <= MOST_CENTIPAWNS
        })
    }
}
