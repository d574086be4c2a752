//! The line that is told with a score: to the end of a mate, and on through the endgame tables where they decide.
//!
//! A line of the search can break off early: a fail-high proves a score without one, and endgame tables end it where they
//! speak. What is missing is found anew, with a small part of the effort that the search has taken so far, and with memory
//! of its own, so that it does not change what the search does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::report::Event;
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
/// It may take this part of the time left, too. With less than so much left the line is told as it is: the search that would
/// complete it takes some milliseconds to begin.
const PART_OF_TIME_LEFT: u32 = 8;
const LEAST_TIME_LEFT: Duration = Duration::from_millis(30);
/// A line is continued through endgame tables up to this length: each ply takes a fraction of a millisecond.
const TABLE_PLIES: usize = 32;

impl Search<'_> {
    /// Completes the line of the root move at this place, for an exact score that is to be told, and returns that score: a
    /// mate that was only known to come in time may turn out to come sooner. The longer line is kept.
    pub(super) fn complete_line(&mut self, place: usize, searched: Score) -> Score {
        let root_move = &self.moves.0[place];
        let told = root_move.told(searched);
        // In a proof of a mate nothing is missing, and the search for the rest of a line is one.
        let line = match told.plies_to_mate() {
            _ if self.proves_mate => None,
            Some(plies) => self.rest_of_mate(&root_move.pv, plies, place == 0 && plies % 2 == 1),
            None if root_move.is_told_by_tables(searched) => self.line_of_tables(place),
            None if told.is_decisive() => self.rest_by_tables(&root_move.pv),
            None => None,
        };
        let Some(line) = line else { return told };
        let sooner = told.plies_to_mate().is_some_and(|plies| line.len() < plies);
        let told = if sooner { Score::mating_at(line.len()) } else { told };
        self.moves.0[place].pv = line;
        told
    }

    /// The line to a mate after so many plies of which the beginning is known; none if nothing is missing, or not found. It
    /// may be shorter for a mate that the side to move gives with its best move.
    fn rest_of_mate(&self, beginning: &[Move], plies: usize, may_be_sooner: bool) -> Option<Vec<Move>> {
        let hurried = self.control.time_left().is_some_and(|left| left < LEAST_TIME_LEFT);
        if beginning.len() >= plies || hurried {
            return None;
        }
        let nodes = (self.nodes / PART_OF_NODES).clamp(FEWEST_NODES, MOST_NODES);
        // Where the line's end leads away from the mate, it is taken up again after the first move. All replies to that are
        // looked at, so a shorter mate of ours stands then.
        [beginning.len(), 1].into_iter().find_map(|known| {
            let game = game_after(&self.game, &beginning[..known])?;
            let rest = self.mate_line(&game, plies - known, nodes)?;
            let proves = rest.len() == plies - known || (known == 1 && may_be_sooner);
            proves.then(|| [&beginning[..known], &rest].concat())
        })
    }

    /// A line in which the same side mates after at most so many plies, found by a search that leaves nothing out.
    fn mate_line(&self, game: &Game, plies: usize, nodes: u64) -> Option<Vec<Move>> {
        let settings = Settings {
            table: Arc::new(TranspositionTable::new(1).ok()?),
            network: Arc::clone(&self.settings.network),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: self.settings.params.clone(),
            tablebase: TablebaseUse::default(),
        };
        let limits = Limits {
            mate: Some(plies.div_ceil(2) as i32),
            depth: Some(plies as i32 + 1),
            nodes: Some(nodes),
            move_time: self.control.time_left().map(|left| left / PART_OF_TIME_LEFT),
            ..Limits::default()
        };
        let mut line = None;
        let mut tell = |event| {
            if let Event::Report(report) = event {
                let length = report.score.plies_to_mate().filter(|&length| length <= plies && length % 2 == plies % 2);
                line = length.filter(|&length| length == report.pv.len()).map(|_| report.pv);
            }
        };
        Worker::new().search(game, &limits, &settings, self.control.signals(), Instant::now(), &mut tell);
        line
    }

    /// The line of a root move whose worth the tables know.
    fn line_of_tables(&mut self, place: usize) -> Option<Vec<Move>> {
        if self.moves.0[place].table_line.is_empty() {
            let line = self.rest_by_tables(&[self.moves.0[place].mv])?;
            self.moves.0[place].table_line = line;
        }
        Some(self.moves.0[place].table_line.clone())
    }

    /// The line and what follows it by the tables; none if they have nothing to add.
    fn rest_by_tables(&self, beginning: &[Move]) -> Option<Vec<Move>> {
        let tables = self.settings.tablebase.tables.as_deref()?;
        let mut game = game_after(&self.game, beginning)?;
        let mut line = beginning.to_vec();
        while line.len() < TABLE_PLIES && game.outcome().is_none() {
            let Some(mv) = best_by_tables(tables, game.position()) else { break };
            game.play(mv);
            line.push(mv);
        }
        (line.len() > beginning.len()).then_some(line)
    }
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
