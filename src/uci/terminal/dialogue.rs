//! The conversation with a person: what a line means, what is said about a search, and whose turn it is in a game.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::duel::{Duel, flag_text};
use super::words::Request;
use super::{HELP, Purpose, Terminal, board, history, table};
use crate::chess::notation::{SanError, format_fen, parse_san};
use crate::chess::{Color, Game, Move, Position};
use crate::search::{Event as SearchEvent, Limits, SearchResult};
use crate::uci::command::is_command_word;
use crate::uci::console;
use crate::uci::response::name_and_version;
use crate::uci::session::Session;

/// How long the engine thinks when it is only told to move.
const MOVE_TIME: Duration = Duration::from_secs(3);
/// Commands that put another position on the board, and end a game with it.
const OTHER_POSITION: [&str; 3] = ["position", "ucinewgame", "flip"];

impl<W: Write> Session<W> {
    /// Greets the person.
    pub(in crate::uci) fn greet(&mut self) -> io::Result<()> {
        let Some(terminal) = &self.terminal else { return Ok(()) };
        let name = terminal.paint.strong(name_and_version());
        self.print(&format!("{name}. Type a move (e4), go, play white 5+3, or help. quit leaves."))
    }

    /// Shows that it is the person's turn, unless something runs or the prompt stands already.
    pub(in crate::uci) fn prompt(&mut self) -> io::Result<()> {
        let idle = self.is_idle();
        let now = Instant::now();
        let number = history::number(self.engine.game().position());
        let Some(terminal) = self.terminal.as_mut().filter(|terminal| idle && !terminal.prompted) else {
            return Ok(());
        };
        terminal.prompted = true;
        let clocks = terminal.duel.as_ref().map_or(String::new(), |duel| format!("[{}] ", duel.clocks_text(now)));
        let prompt = format!("{clocks}{} ", terminal.paint.strong(format_args!("{number} >")));
        write!(self.output, "{prompt}")
    }

    /// What comes while the person is at the prompt begins on a line of its own.
    pub(in crate::uci) fn leave_prompt(&mut self) -> io::Result<()> {
        match &mut self.terminal {
            Some(terminal) if terminal.prompted => {
                terminal.prompted = false;
                writeln!(self.output)
            }
            _ => Ok(()),
        }
    }

    /// What the person did wrong.
    pub(in crate::uci) fn show_error(&mut self, error: &dyn std::fmt::Display) -> io::Result<()> {
        let Some(terminal) = &self.terminal else { return Ok(()) };
        let line = terminal.paint.error(error);
        self.print(&line)
    }

    /// What the person has typed.
    pub(in crate::uci) fn hear(&mut self, line: &str) -> io::Result<()> {
        let Some(terminal) = &mut self.terminal else { return self.understand(line) };
        terminal.prompted = false;
        if line.split_whitespace().next() == Some("uci") {
            return self.become_plain(line);
        }
        if self.is_idle() { self.answer(line) } else { self.hear_while_busy(line) }
    }

    /// A program has taken over. What the person still waits for goes before its first line.
    fn become_plain(&mut self, line: &str) -> io::Result<()> {
        let waiting = self.terminal.take().map(|terminal| terminal.waiting).unwrap_or_default();
        waiting.iter().try_for_each(|line| self.understand(line))?;
        self.understand(line)
    }

    fn hear_while_busy(&mut self, line: &str) -> io::Result<()> {
        let request = Request::parse(line);
        match request {
            Ok(Some(Request::Stop)) => return self.understand("stop"),
            Ok(Some(Request::Quit)) => return self.understand("quit"),
            _ if matches!(line.trim(), "isready" | "ponderhit") => return self.understand(line),
            _ => {}
        }
        let overtakes = request.is_ok_and(|request| request.is_some_and(Request::overtakes_search));
        if let Some(terminal) = &mut self.terminal {
            terminal.waiting.push_back(line.into());
            if overtakes {
                terminal.purpose = Purpose::Nothing;
                self.engine.stop();
            }
        }
        Ok(())
    }

    /// Answers lines that have waited, until one keeps the engine busy.
    pub(in crate::uci) fn answer_waiting(&mut self) -> io::Result<()> {
        while self.is_idle() {
            let Some(line) = self.terminal.as_mut().and_then(|terminal| terminal.waiting.pop_front()) else { break };
            self.answer(&line)?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> io::Result<()> {
        match Request::parse(line) {
            Ok(Some(request)) => self.obey(request),
            Ok(None) => self.move_or_command(line),
            Err(error) => self.print_error(&error),
        }
    }

    fn obey(&mut self, request: Request) -> io::Result<()> {
        match request {
            Request::Help => self.show_help(),
            Request::Board => self.show_board(true),
            Request::Moves => self.show_moves(),
            Request::Undo(count) => self.take_back(count),
            Request::New => self.begin_new_game(),
            Request::Go => self.think_and_move(),
            Request::Analyse => self.think(Purpose::Analysis, Limits { infinite: true, ..Limits::default() }),
            Request::Stop => Ok(()),
            Request::Play(terms) => {
                let mover = self.engine.game().position().side_to_move();
                if self.tell_outcome()? {
                    return Ok(());
                }
                self.with_terminal(|terminal| {
                    terminal.duel = Some(Duel::new(terms, mover, Instant::now()));
                    terminal.bottom = terms.person;
                });
                self.show_board(false)?;
                self.think_if_on_move()
            }
            Request::Resign => self.resign(),
            Request::Quit => self.understand("quit"),
        }
    }

    fn with_terminal(&mut self, change: impl FnOnce(&mut Terminal)) {
        if let Some(terminal) = &mut self.terminal {
            change(terminal);
        }
    }

    fn duel(&self) -> Option<Duel> {
        self.terminal.as_ref().and_then(|terminal| terminal.duel)
    }

    /// Moves if the line begins with one, else a line of the protocol.
    fn move_or_command(&mut self, line: &str) -> io::Result<()> {
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_move = |error: &SanError| !matches!(error, SanError::Syntax(_));
        let moves = || parse_san(self.engine.game().position(), first).as_ref().map_or_else(is_move, |_| true);
        if is_command_word(first) || !moves() {
            self.with_terminal(|terminal| {
                terminal.purpose = Purpose::Analysis;
                terminal.table.restart();
                if OTHER_POSITION.contains(&first) {
                    terminal.duel = None;
                }
            });
            return self.understand(line);
        }
        for word in line.split_whitespace() {
            match parse_san(self.engine.game().position(), word) {
                Ok(mv) => self.play_for_person(mv)?,
                Err(_) if self.tell_outcome()? => return Ok(()),
                Err(error) => return self.print_error(&error),
            }
            if !self.is_idle() {
                break;
            }
        }
        Ok(())
    }

    /// Plays the person's move, and lets the engine answer if they play against each other.
    fn play_for_person(&mut self, mv: Move) -> io::Result<()> {
        if self.tell_outcome()? || self.tell_fallen_flag()? {
            return Ok(());
        }
        self.play(mv);
        if !self.tell_outcome()? && self.duel().is_some() {
            return self.think_if_on_move();
        }
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        let mut game = self.engine.game().clone();
        game.play(mv);
        self.engine.set_game(game);
        self.with_terminal(|terminal| {
            if let Some(duel) = &mut terminal.duel {
                duel.press(Instant::now());
            }
        });
    }

    fn think(&mut self, purpose: Purpose, limits: Limits) -> io::Result<()> {
        if self.tell_outcome()? {
            return Ok(());
        }
        self.with_terminal(|terminal| {
            terminal.purpose = purpose;
            terminal.table.restart();
        });
        self.begin_search(limits);
        Ok(())
    }

    /// In a game the engine takes the turn of the person: they change sides, and the game goes on.
    fn think_and_move(&mut self) -> io::Result<()> {
        if self.duel().is_some() {
            self.with_terminal(|terminal| {
                if let Some(duel) = &mut terminal.duel {
                    duel.change_sides();
                    terminal.bottom = duel.person();
                }
            });
            return self.think_if_on_move();
        }
        self.think(Purpose::Move, Limits { move_time: Some(MOVE_TIME), ..Limits::default() })
    }

    fn think_if_on_move(&mut self) -> io::Result<()> {
        let mover = self.engine.game().position().side_to_move();
        match self.duel() {
            Some(duel) if duel.person() != mover => {
                let clock = Some(duel.clock(Instant::now()));
                self.think(Purpose::Move, Limits { clock, ..Limits::default() })
            }
            _ => Ok(()),
        }
    }

    /// News of a search: rows of a table, but no look into the engine's mind in a game against it.
    pub(in crate::uci) fn show_news(&mut self, event: &SearchEvent) -> io::Result<()> {
        let position = *self.engine.game().position();
        let (Some(terminal), SearchEvent::Report(report)) = (&mut self.terminal, event) else { return Ok(()) };
        if terminal.purpose == Purpose::Nothing || (terminal.purpose == Purpose::Move && terminal.duel.is_some()) {
            return Ok(());
        }
        let lines = terminal.table.lines(report, &position, terminal.paint);
        lines.iter().try_for_each(|line| self.print(line))
    }

    /// A search has ended.
    pub(in crate::uci) fn show_result(&mut self, result: &SearchResult) -> io::Result<()> {
        let Some(terminal) = &mut self.terminal else { return Ok(()) };
        let purpose = std::mem::replace(&mut terminal.purpose, Purpose::Analysis);
        match (purpose, result.best) {
            (Purpose::Nothing, _) => Ok(()),
            (_, None) => self.tell_outcome().map(drop),
            (Purpose::Analysis, Some(best)) => {
                let text = history::numbered(self.engine.game().position(), best);
                self.print(&format!("Best is {text}"))
            }
            (Purpose::Move, Some(best)) => self.play_for_engine(best, result),
        }
    }

    fn play_for_engine(&mut self, best: Move, result: &SearchResult) -> io::Result<()> {
        if self.tell_fallen_flag()? {
            return Ok(());
        }
        let before = *self.engine.game().position();
        let (text, score) = (history::numbered(&before, best), table::score_text(result.score, &before));
        self.play(best);
        let remark = if self.duel().is_some() { String::new() } else { format!("  ({score}, depth {})", result.depth) };
        self.show_board(false)?;
        let name = self.terminal.as_ref().map_or(String::new(), |terminal| terminal.paint.strong(text));
        self.print(&format!("Luft plays {name}{remark}"))?;
        self.tell_outcome().map(drop)
    }

    /// Says how the game has ended, if it has, which also ends a game against the engine.
    fn tell_outcome(&mut self) -> io::Result<bool> {
        if self.engine.game().outcome().is_none() {
            return Ok(false);
        }
        self.end_duel(&format!("The game is over: {}.", console::state(self.engine.game())))?;
        Ok(true)
    }

    fn end_duel(&mut self, text: &str) -> io::Result<()> {
        self.with_terminal(|terminal| terminal.duel = None);
        self.print(text)
    }

    /// Ends a game in which a flag has fallen.
    pub(in crate::uci) fn tell_fallen_flag(&mut self) -> io::Result<bool> {
        let Some(color) = self.duel().and_then(|duel| duel.fallen(Instant::now())) else { return Ok(false) };
        let searching = !self.is_idle();
        self.with_terminal(|terminal| {
            if searching && terminal.purpose == Purpose::Move {
                terminal.purpose = Purpose::Nothing;
            }
        });
        if searching {
            self.engine.stop();
        }
        self.end_duel(&format!("{}.", flag_text(self.engine.game(), color)))?;
        Ok(true)
    }

    /// When a flag falls if nobody moves.
    pub(in crate::uci) fn next_flag(&self) -> Option<Instant> {
        self.duel().map(|duel| duel.flag_falls_at())
    }

    fn resign(&mut self) -> io::Result<()> {
        match self.duel() {
            Some(duel) => self.end_duel(&format!("{:?} resigns: {:?} wins.", duel.person(), !duel.person())),
            None => self.print("There is no game to resign: play white 5+3 begins one."),
        }
    }

    fn begin_new_game(&mut self) -> io::Result<()> {
        self.engine.new_game();
        self.engine.set_game(Game::new(Position::initial()));
        self.with_terminal(|terminal| {
            terminal.duel = None;
            terminal.bottom = Color::White;
        });
        Ok(())
    }

    /// Takes back so many moves, or in a game against the engine as many as lead back to the person's turn.
    fn take_back(&mut self, count: Option<u32>) -> io::Result<()> {
        let mut game = self.engine.game().clone();
        let person = self.duel().map(|duel| duel.person());
        let plies = game.ply();
        // No more than there are: a number may be any.
        for _ in 0..count.unwrap_or(1).min(plies as u32) {
            game.undo();
            while person.is_some_and(|person| person != game.position().side_to_move()) && game.ply() > 0 {
                game.undo();
            }
        }
        if game.ply() == plies {
            return self.print("There is no move to take back.");
        }
        let mover = game.position().side_to_move();
        self.engine.set_game(game);
        self.with_terminal(|terminal| {
            if let Some(duel) = &mut terminal.duel {
                duel.turn_back(mover, Instant::now());
            }
        });
        self.show_board(false)?;
        self.think_if_on_move()
    }

    /// The board, with everything the laws say of it when that is wanted.
    fn show_board(&mut self, in_full: bool) -> io::Result<()> {
        let Some(terminal) = &self.terminal else { return Ok(()) };
        let (paint, game) = (terminal.paint, self.engine.game());
        let last = history::last_move(game);
        let mut lines = board::lines(game.position(), last.map(|(_, mv)| mv), terminal.bottom, paint);
        if in_full {
            let last =
                last.map_or(String::new(), |(before, mv)| format!(", {} played", history::numbered(&before, mv)));
            lines.push(String::new());
            lines.push(format!("{:?} to move{last}: {}", game.position().side_to_move(), console::state(game)));
            lines.push(paint.faint(format_fen(game.position())));
        }
        lines.iter().try_for_each(|line| self.print(line))
    }

    fn show_moves(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let moves = history::moves_of(game).into_iter().map(|(_, mv)| mv);
        let text = history::line(*game.start(), moves, usize::MAX);
        self.print(if text.is_empty() { "No moves yet." } else { &text })
    }

    fn show_help(&mut self) -> io::Result<()> {
        HELP.lines().try_for_each(|line| self.print(line))?;
        self.understand("help")
    }
}
