//! Plays one game: asks the players in turn, keeps the clocks, and applies the laws.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudicator, DrawRule, WinRule};
use super::checks::{Warning, WarningCounts, check_answer, read_engine_move};
use super::clock::{Clock, Press};
use super::info::{Info, best_move};
use super::limits::Limits;
use super::openings::Opening;
use super::player::{Answer, Fault, Player, Question};
use super::record::{MoveRecord, castling_spelling};
use super::tablebase;
use super::verdict::{Reason, Verdict};
use crate::chess::notation::{CastlingSpelling, format_fen, format_move, format_shredder_fen};
use crate::chess::{ByColor, Color, Game, Move, Position};
use crate::syzygy::Tablebase;

/// Rules beyond the laws of chess, the same for all games of a match.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Time beyond the clock that is counted but not punished.
    pub margin: Duration,
    /// How long to wait for a move when no clock and no move time bounds it.
    pub move_timeout: Duration,
    /// An answer to `isready` slower than this is counted as late.
    pub late_ping: Duration,
    /// When a game is a draw by both engines' scores.
    pub draw: Option<DrawRule>,
    /// When a game is won by both engines' scores.
    pub win: Option<WinRule>,
    /// The number of the last move that is played; the game is then a draw.
    pub last_move: Option<u32>,
    /// Endgame tables that end a game as soon as they know its result.
    pub tablebase: Option<Arc<Tablebase>>,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Where it begins.
    pub opening: &'a Opening,
    /// Whether castling is spelt as Chess960 needs it.
    pub chess960: bool,
    /// What bounds each player's search.
    pub limits: ByColor<&'a Limits>,
}

/// A game that has been played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The players' moves.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub verdict: Verdict,
    /// Faults of the players.
    pub warnings: ByColor<WarningCounts>,
}

/// The match was stopped during the game; there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// The process may have answered in time while this one was not running: so long an answer may take to be noticed.
/// The clock goes by the time stamps of the answer.
const NOTICE: Duration = Duration::from_millis(100);

/// Plays a game.
///
/// # Errors
/// [`Cancelled`], when a player says so.
pub fn play(plan: &Plan<'_>, rules: &Rules, mut players: ByColor<&mut dyn Player>) -> Result<Played, Cancelled> {
    let mut table = Table::new(plan, rules);
    let verdict = loop {
        if let Some(verdict) = table.verdict() {
            break verdict;
        }
        let mover = table.game.position().side_to_move();
        match table.ask(&mut *players[mover]) {
            Ok(()) => {}
            Err(Interruption::Verdict(verdict)) => break verdict,
            Err(Interruption::Cancelled) => return Err(Cancelled),
        }
    };
    Ok(Played { moves: table.moves, verdict, warnings: table.warnings })
}

enum Interruption {
    Verdict(Verdict),
    Cancelled,
}

/// The board with everything around it.
struct Table<'a> {
    plan: &'a Plan<'a>,
    rules: &'a Rules,
    spelling: CastlingSpelling,
    game: Game,
    /// The `position` command up to the last move.
    position: String,
    clocks: ByColor<Option<Clock>>,
    adjudicator: Adjudicator,
    moves: Vec<MoveRecord>,
    warnings: ByColor<WarningCounts>,
}

impl<'a> Table<'a> {
    fn new(plan: &'a Plan<'a>, rules: &'a Rules) -> Table<'a> {
        let start = plan.opening.start;
        let clock = |limits: &Limits| limits.clock.clone().map(Clock::new);
        let mut table = Table {
            plan,
            rules,
            spelling: castling_spelling(plan.chess960),
            game: Game::new(start),
            position: position_command(&start, plan.chess960),
            clocks: ByColor(plan.limits.0.map(clock)),
            adjudicator: Adjudicator::new(rules.draw, rules.win),
            moves: Vec::new(),
            warnings: ByColor::default(),
        };
        plan.opening.moves.iter().for_each(|&mv| table.make(mv));
        table
    }

    /// Makes a legal move on the board and in the command.
    fn make(&mut self, mv: Move) {
        let prefix = if self.game.ply() == 0 { " moves " } else { " " };
        self.position.push_str(prefix);
        self.position.push_str(&format_move(mv, self.spelling));
        self.game.play(mv);
    }

    /// The verdict of the laws, of the tables, of both engines, or of the move limit.
    fn verdict(&self) -> Option<Verdict> {
        let position = self.game.position();
        let number = u32::from(position.fullmove_number());
        let by_tables = || self.rules.tablebase.as_ref().and_then(|tables| tablebase::verdict_of(tables, position));
        let by_limit = || self.rules.last_move.is_some_and(|last| number > last);
        (self.game.outcome().map(Verdict::from))
            .or_else(by_tables)
            .or_else(|| self.adjudicator.verdict(number))
            .or_else(|| by_limit().then(|| Verdict::draw(Reason::MoveLimit)))
    }

    /// Has the side to move make its move.
    fn ask(&mut self, player: &mut dyn Player) -> Result<(), Interruption> {
        let mover = self.game.position().side_to_move();
        let limits = self.plan.limits[mover];
        let go = limits.go_command(mover, &self.clocks);
        let patience = self.allowance(mover).map_or(self.rules.move_timeout, |time| time + self.rules.margin + NOTICE);
        let answer = match player.think(Question { position: &self.position, go: &go, patience }) {
            Ok(answer) => answer,
            Err(Fault::Cancelled) => return Err(Interruption::Cancelled),
            Err(fault) => return Err(Interruption::Verdict(self.verdict_on_fault(mover, fault))),
        };
        self.accept(mover, answer).map_err(Interruption::Verdict)
    }

    /// The time that `mover` has for this move; `None` if it has no clock of any kind.
    fn allowance(&self, mover: Color) -> Option<Duration> {
        let clock = self.clocks[mover].as_ref().map(Clock::remaining);
        [clock, self.plan.limits[mover].move_time].into_iter().flatten().min()
    }

    fn verdict_on_fault(&self, mover: Color, fault: Fault) -> Verdict {
        match fault {
            Fault::OutOfPatience if self.allowance(mover).is_some() => self.flag_fall(mover),
            Fault::OutOfPatience | Fault::Cancelled => Verdict::loss(mover, Reason::NoMove),
            Fault::Died => Verdict::loss(mover, Reason::EngineDied),
            Fault::Stalled => Verdict::loss(mover, Reason::EngineStalled),
        }
    }

    /// The flag of `loser` has fallen: that loses unless the opponent cannot mate by any sequence of moves.
    fn flag_fall(&self, loser: Color) -> Verdict {
        if self.game.can_mate(!loser) {
            Verdict::loss(loser, Reason::TimeForfeit)
        } else {
            Verdict::draw(Reason::TimeForfeitWithoutMatingMaterial)
        }
    }

    /// Judges an answer and makes its move.
    fn accept(&mut self, mover: Color, answer: Answer) -> Result<(), Verdict> {
        if answer.slowest_ping > self.rules.late_ping {
            self.warnings[mover].add(Warning::LatePing);
        }
        self.press_clock(mover, answer.elapsed)?;
        let mv = match best_move(&answer.best) {
            None | Some("(none)" | "0000" | "NULL") => return Err(Verdict::loss(mover, Reason::NoMove)),
            Some(text) => read_engine_move(self.game.position(), text, self.spelling)
                .map_err(|explanation| Verdict::loss(mover, Reason::IllegalMove { explanation }))?,
        };
        let infos: Vec<Info<'_>> = answer.lines.iter().filter_map(|line| Info::parse(line)).collect();
        self.warnings[mover] += &check_answer(&mut self.game, &infos, mv, self.spelling);
        let record = move_record(format_move(mv, self.spelling), &infos, answer.elapsed);
        self.adjudicator.observe(mover, record.score);
        self.moves.push(record);
        self.make(mv);
        Ok(())
    }

    fn press_clock(&mut self, mover: Color, elapsed: Duration) -> Result<(), Verdict> {
        let margin = self.rules.margin;
        let by_clock = self.clocks[mover].as_mut().map_or(Press::InTime, |clock| clock.press(elapsed, margin));
        let by_move_time = match self.plan.limits[mover].move_time {
            Some(limit) if elapsed > limit + margin => Press::FlagFell,
            Some(limit) if elapsed > limit => Press::WithinMargin,
            _ => Press::InTime,
        };
        if by_clock == Press::FlagFell || by_move_time == Press::FlagFell {
            return Err(self.flag_fall(mover));
        }
        if by_clock == Press::WithinMargin || by_move_time == Press::WithinMargin {
            self.warnings[mover].add(Warning::OverstepWithinMargin);
        }
        Ok(())
    }
}

/// The `position` command without moves.
fn position_command(start: &Position, chess960: bool) -> String {
    let mut text = String::from("position ");
    if chess960 {
        write!(text, "fen {}", format_shredder_fen(start)).expect("a string takes any text");
    } else if *start == Position::initial() {
        text.push_str("startpos");
    } else {
        write!(text, "fen {}", format_fen(start)).expect("a string takes any text");
    }
    text
}

/// The record of a move, with the last score, depth and node count that belong to the best line.
fn move_record(uci: String, infos: &[Info<'_>], elapsed: Duration) -> MoveRecord {
    let milliseconds = elapsed.as_millis() as u64;
    let mut record = MoveRecord { uci, score: None, depth: None, nodes: None, milliseconds };
    for info in infos.iter().filter(|info| info.multipv == 1) {
        record.nodes = info.nodes.or(record.nodes);
        if info.score.is_some() {
            record.score = info.score;
            record.depth = info.depth;
        }
    }
    record
}

#[cfg(test)]
mod tests;
