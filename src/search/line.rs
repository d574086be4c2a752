//! The line that is told with a score: to the end of a mate, and on through the endgame tables where they decide.
//!
//! A line of the search can break off early: a fail-high proves a score without one, and endgame tables end it where they
//! speak. What is missing is found anew, with a small part of the effort that the search has taken so far, and with memory
//! of its own, so that it does not change what the search does. Where that is too little, a mate that the search has only
//! proved to exist is put together from the table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::report::Event;
use super::table_line::mate_in_table;
use super::tables::TablebaseUse;
use super::worker::{Search, Settings, Worker};
use crate::chess::{Game, Move, Position};
use crate::score::Score;
use crate::syzygy::Tablebase;
use crate::transposition::TranspositionTable;

/// To find the rest of a mate may take this part of the nodes searched so far, within these limits.
const PART_OF_NODES: u64 = 16;
const FEWEST_NODES: u64 = 2_000;
const MOST_NODES: u64 = 50_000;
/// It may take this part of the time left, too. With less than so much left only the table is asked for it: a search takes
/// some milliseconds to begin.
const PART_OF_TIME_LEFT: u32 = 8;
const LEAST_TIME_LEFT: Duration = Duration::from_millis(30);
/// Where the rest of a mate was not found, it is looked for again with this multiple of the nodes.
const MORE_NODES: u64 = 2;
/// A line is continued through endgame tables up to this length: each ply takes a fraction of a millisecond.
const TABLE_PLIES: usize = 32;

/// What has come of completing the lines of one search: what was found is told again, and what was not found is not looked
/// for at every report.
#[derive(Default)]
pub(super) struct Completions {
    mates: Vec<MateLine>,
    by_tables: Vec<Vec<Move>>,
}

/// The line to a mate in so many plies by a root move; none when so many nodes were too few for it.
struct MateLine {
    mv: Move,
    plies: usize,
    nodes: u64,
    line: Option<Vec<Move>>,
}

/// Who looks for the rest of a mate: a worker and a table that know nothing of other searches.
pub(super) struct MateFinder {
    worker: Worker,
    table: Arc<TranspositionTable>,
}

impl MateFinder {
    /// None without memory.
    fn new() -> Option<MateFinder> {
        Some(MateFinder { worker: Worker::new(), table: Arc::new(TranspositionTable::new(1).ok()?) })
    }

    fn forget(&mut self) {
        self.worker.forget();
        self.table.clear(1);
    }
}

impl Search<'_> {
    /// Completes the line of the root move at this place, for an exact score that is to be told, and returns that score: a
    /// mate that was only known to come in time may turn out to come sooner. The longer line is kept.
    pub(super) fn complete_line(&mut self, place: usize, searched: Score) -> Score {
        let told = self.moves.0[place].told(searched);
        // In a proof of a mate nothing is missing, and the search for the rest of a line is one.
        let line = match told.plies_to_mate() {
            _ if self.proves_mate => None,
            Some(plies) => self.line_to_mate(place, plies),
            None if self.moves.0[place].is_told_by_tables(searched) => self.line_of_tables(place),
            None if told.is_decisive() => self.line_through_tables(place),
            None => None,
        };
        let Some(line) = line else { return told };
        let sooner = told.plies_to_mate().is_some_and(|plies| line.len() < plies);
        let told = if sooner { Score::mating_at(line.len()) } else { told };
        self.moves.0[place].pv = line;
        told
    }

    /// Whether there is no time to search for what a line lacks: somebody waits for the answer, or the clock does.
    fn is_hurried(&self) -> bool {
        self.control.is_stopped() || self.control.time_left().is_some_and(|left| left < LEAST_TIME_LEFT)
    }

    /// The line of a root move to its mate after so many plies; none if nothing is missing, or not found.
    fn line_to_mate(&mut self, place: usize, plies: usize) -> Option<Vec<Move>> {
        let beginning = self.moves.0[place].pv.clone();
        if beginning.len() >= plies {
            return None;
        }
        self.proved_line_to_mate(place, &beginning, plies).or_else(|| self.remembered_line_to_mate(&beginning, plies))
    }

    /// The same from the table, where no search has time or nodes enough.
    fn remembered_line_to_mate(&self, beginning: &[Move], plies: usize) -> Option<Vec<Move>> {
        takes_up(beginning).find_map(|known| {
            let game = game_after(&self.game, &beginning[..known])?;
            let rest = mate_in_table(self.table, &game, plies - known)?;
            Some([&beginning[..known], &rest].concat())
        })
    }

    /// The same by a search; it may be shorter.
    fn proved_line_to_mate(&mut self, place: usize, beginning: &[Move], plies: usize) -> Option<Vec<Move>> {
        let nodes = (self.nodes / PART_OF_NODES).clamp(FEWEST_NODES, MOST_NODES);
        let mv = beginning[0];
        let known = self.completions.mates.iter().position(|known| known.mv == mv && known.plies == plies);
        if let Some(known) = known.map(|place| &self.completions.mates[place])
            && (known.line.is_some() || nodes < MORE_NODES * known.nodes)
        {
            return known.line.clone();
        }
        if self.is_hurried() {
            return None;
        }
        let line = self.rest_of_mate(beginning, plies, nodes, place == 0 && plies % 2 == 1);
        if line.is_none() && self.is_hurried() {
            // Broken off: that says nothing of the nodes it takes.
            return None;
        }
        self.completions.mates.retain(|known| known.mv != mv || known.plies != plies);
        self.completions.mates.push(MateLine { mv, plies, nodes, line: line.clone() });
        line
    }

    /// The line to a mate after so many plies of which the beginning is known; none if it is not found. It may be shorter for
    /// a mate that the side to move gives with its best move.
    fn rest_of_mate(&mut self, beginning: &[Move], plies: usize, nodes: u64, may_be_sooner: bool) -> Option<Vec<Move>> {
        let mut finder = match self.worker.mate_finder.take() {
            Some(finder) => finder,
            None => Box::new(MateFinder::new()?),
        };
        let limits = Limits {
            nodes: Some(nodes),
            move_time: self.control.time_left().map(|left| left / PART_OF_TIME_LEFT),
            ..Limits::default()
        };
        let started = Instant::now();
        // Where the line's end leads away from the mate, it is taken up again after the first move. All replies to that are
        // looked at, so a shorter mate of ours stands then. Both tries share the time.
        let line = takes_up(beginning).find_map(|known| {
            let game = game_after(&self.game, &beginning[..known])?;
            let rest = self.mate_line(&mut finder, &game, plies - known, &limits, started)?;
            let proves = rest.len() == plies - known || (known == 1 && may_be_sooner);
            proves.then(|| [&beginning[..known], &rest].concat())
        });
        self.worker.mate_finder = Some(finder);
        line
    }

    /// A line in which the same side mates after at most so many plies, found by a search that leaves nothing out.
    fn mate_line(
        &self,
        finder: &mut MateFinder,
        game: &Game,
        plies: usize,
        limits: &Limits,
        started: Instant,
    ) -> Option<Vec<Move>> {
        finder.forget();
        let settings = Settings {
            table: Arc::clone(&finder.table),
            network: Arc::clone(&self.settings.network),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: self.settings.params.clone(),
            tablebase: TablebaseUse::default(),
        };
        let limits = Limits { mate: Some(plies.div_ceil(2) as i32), depth: Some(plies as i32 + 1), ..limits.clone() };
        let mut line = None;
        let mut tell = |event| {
            if let Event::Report(report) = event {
                let length = report.score.plies_to_mate().filter(|&length| length <= plies && length % 2 == plies % 2);
                line = length.filter(|&length| length == report.pv.len()).map(|_| report.pv);
            }
        };
        finder.worker.search(game, &limits, &settings, self.control.signals(), started, &mut tell);
        line
    }

    /// The line of a root move whose worth the tables know.
    fn line_of_tables(&mut self, place: usize) -> Option<Vec<Move>> {
        if self.moves.0[place].table_line.is_empty() {
            let (line, is_whole) = self.rest_by_tables(&[self.moves.0[place].mv])?;
            if !is_whole {
                return Some(line);
            }
            self.moves.0[place].table_line = line;
        }
        Some(self.moves.0[place].table_line.clone())
    }

    /// The line that the search has found to a position of the tables, and what follows it by them.
    fn line_through_tables(&mut self, place: usize) -> Option<Vec<Move>> {
        let beginning = self.moves.0[place].pv.clone();
        let known = self.completions.by_tables.iter().find(|line| line.starts_with(&beginning));
        if let Some(line) = known {
            return Some(line.clone());
        }
        let (line, is_whole) = self.rest_by_tables(&beginning)?;
        if is_whole {
            self.completions.by_tables.retain(|known| known.first() != beginning.first());
            self.completions.by_tables.push(line.clone());
        }
        Some(line)
    }

    /// The line and what follows it by the tables, and whether that is all they have to say and not what the time allowed;
    /// none if they have nothing to add.
    fn rest_by_tables(&self, beginning: &[Move]) -> Option<(Vec<Move>, bool)> {
        let tables = self.settings.tablebase.tables.as_deref()?;
        let mut game = game_after(&self.game, beginning)?;
        let mut line = beginning.to_vec();
        let mut is_whole = true;
        while line.len() < TABLE_PLIES && game.outcome().is_none() {
            if self.is_hurried() {
                is_whole = false;
                break;
            }
            let Some(mv) = best_by_tables(tables, game.position()) else { break };
            game.play(mv);
            line.push(mv);
        }
        (line.len() > beginning.len()).then_some((line, is_whole))
    }
}

/// After how many of these moves the rest is looked for: after all, and after the first.
fn takes_up(beginning: &[Move]) -> impl Iterator<Item = usize> {
    let after_first = (beginning.len() > 1).then_some(1);
    std::iter::once(beginning.len()).chain(after_first)
}

/// The game after some moves; none if one is illegal.
fn game_after(game: &Game, moves: &[Move]) -> Option<Game> {
    let mut game = game.clone();
    for &mv in moves {
        if !game.position().is_legal(mv) {
            return None;
        }
        game.play(mv);
    }
    Some(game)
}

/// The fastest way to win by the tables, or the longest defence; none in drawn and unknown positions.
fn best_by_tables(tables: &Tablebase, position: &Position) -> Option<Move> {
    let distances = tables.dtz_of_moves(position)?;
    let won = distances.iter().filter(|(_, plies)| *plies > 0).min_by_key(|(_, plies)| *plies);
    let lost =
        || distances.iter().min_by_key(|(_, plies)| *plies).filter(|_| distances.iter().all(|(_, plies)| *plies < 0));
    won.or_else(lost).map(|&(mv, _)| mv)
}
