//! The loop between a client and an engine.
//!
//! One thread reads lines, one searches, and this one waits for what either has to say, so that every answer is ordered
//! and nothing blocks. `stop`, `ponderhit`, `isready` and `quit` act at once; everything else waits, in order, for the
//! end of the running search.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::command::Command;
use super::console;
use super::event::{Event, read_lines};
use super::go::GoParameters;
use super::log::{DebugLog, Direction};
use super::options;
use super::response::{self, ScoreStyle};
use crate::chess::notation::{CastlingSpelling, parse_fen, parse_move};
use crate::chess::{Game, Position};
use crate::engine::{Engine, Notice};
use crate::score::win_model::material;
use crate::search::Event as SearchEvent;

/// Where a session's commands come from.
pub enum Source {
    /// A client that may send more at any time; when it is gone, a running search stops.
    Client(Box<dyn Read + Send>),
    /// A fixed list of lines; each is carried out to its end.
    Script(Vec<String>),
}

/// What the engine's thread is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Busy {
    No,
    Searching { pondering: bool },
    Task,
}

/// A command that waits for the end of the search, and what has since been said about the work it begins.
struct Waiting {
    command: Command,
    stopped: bool,
    ponderhit: bool,
}

/// A conversation.
pub struct Session<W: Write> {
    pub(super) engine: Engine,
    output: BufWriter<W>,
    log: DebugLog,
    events: Receiver<Event>,
    pub(super) sender: Sender<Event>,
    busy: Busy,
    /// Commands that wait for the end of the search.
    waiting: VecDeque<Waiting>,
    quitting: bool,
    /// Something was found wrong that the exit status after a script should tell.
    failed: bool,
}

impl<W: Write> Session<W> {
    /// A session with a new engine, which writes to `output`.
    ///
    /// # Errors
    /// When there is no memory for an engine.
    pub fn new(output: W) -> io::Result<Session<W>> {
        let (sender, events) = channel();
        let to_session = sender.clone();
        // The session outlives its engine, and after it nobody wants notices.
        let tell = move |notice| drop(to_session.send(Event::Engine(notice)));
        let engine = Engine::new(tell)?;
        Ok(Session {
            engine,
            output: BufWriter::new(output),
            log: DebugLog::default(),
            events,
            sender,
            busy: Busy::No,
            waiting: VecDeque::new(),
            quitting: false,
            failed: false,
        })
    }

    /// Talks until `quit`, the end of the input, or the end of the script. `Ok(false)` when something in a script was
    /// wrong; a client has been told, and its session always ends well.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn run(mut self, source: Source) -> io::Result<bool> {
        let for_client = matches!(source, Source::Client(_));
        match source {
            Source::Client(input) => read_lines(input, self.sender.clone()),
            Source::Script(lines) => {
                self.play_script(&lines)?;
                self.quitting = true;
            }
        }
        while !(self.quitting && self.busy == Busy::No) {
            self.wait()?;
        }
        self.output.flush()?;
        Ok(for_client || !self.failed)
    }

    /// Carries out line after line. Only what acts on a running search is said while one runs.
    fn play_script(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            let at_once =
                matches!(Command::parse(line), Ok(Some(Command::Stop | Command::PonderHit | Command::IsReady)));
            while self.busy != Busy::No && !at_once {
                self.wait()?;
            }
            self.line(line)?;
        }
        while self.busy != Busy::No {
            self.wait()?;
        }
        Ok(())
    }

    /// Waits for the next event. What was printed goes out before waiting, and not line by line: short searches print many
    /// lines at once, and each write wakes the client.
    fn wait(&mut self) -> io::Result<()> {
        if let Ok(event) = self.events.try_recv() {
            return self.handle(event);
        }
        self.output.flush()?;
        // The session holds a sender itself, so this can only wait, not fail.
        match self.events.recv() {
            Ok(event) => self.handle(event),
            Err(_) => Ok(()),
        }
    }

    fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Line(line) => self.line(&line),
            Event::EndOfInput => self.quit(),
            Event::Engine(Notice::Search(event)) => self.search_event(&event),
            Event::Engine(Notice::Finished(result)) => {
                let line = response::best_move(&result, self.spelling());
                self.engine.settle(&result);
                self.busy = Busy::No;
                self.print(&line)?;
                self.carry_on()
            }
            Event::Engine(Notice::TaskDone) => {
                self.busy = Busy::No;
                self.carry_on()
            }
            Event::Print(line) => self.print(&line),
            Event::Failed => {
                self.failed = true;
                Ok(())
            }
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.log.line(Direction::In, line);
        match Command::parse(line) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.receive(command),
            Err(error) => self.print_error(&error),
        }
    }

    /// Acts at once on what may not wait, and on everything else in its turn.
    fn receive(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::IsReady => self.print("readyok"),
            Command::Quit => self.quit(),
            Command::Stop => {
                if self.busy != Busy::No {
                    self.engine.stop();
                }
                self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                Ok(())
            }
            Command::PonderHit => {
                self.ponderhit();
                self.waiting.iter_mut().for_each(|waiting| waiting.ponderhit = true);
                Ok(())
            }
            _ => self.schedule(command),
        }
    }

    /// The running search ponders no longer. Without one does nothing.
    fn ponderhit(&mut self) {
        if self.busy == (Busy::Searching { pondering: true }) {
            self.busy = Busy::Searching { pondering: false };
            self.engine.ponderhit();
        }
    }

    /// Stops what runs and will run, and leaves when it has ended.
    fn quit(&mut self) -> io::Result<()> {
        self.quitting = true;
        self.engine.stop();
        self.carry_on()
    }

    fn schedule(&mut self, command: Command) -> io::Result<()> {
        self.waiting.push_back(Waiting { command, stopped: false, ponderhit: false });
        self.carry_on()
    }

    /// Carries out waiting commands until one keeps the engine busy. A `stop` or `ponderhit` that came after a command
    /// was meant for the search it begins, too.
    fn carry_on(&mut self) -> io::Result<()> {
        while self.busy == Busy::No {
            let Some(Waiting { command, stopped, ponderhit }) = self.waiting.pop_front() else {
                break;
            };
            self.execute(command)?;
            if ponderhit {
                self.ponderhit();
            }
            if stopped && self.busy != Busy::No {
                self.engine.stop();
            }
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(parameters) => self.go(&parameters),
            Command::SetOption { name, value } => match options::set(&mut self.engine, &mut self.log, &name, &value) {
                Ok(()) => Ok(()),
                Err(error) => self.print_error(&error),
            },
            // The others of these have acted at once, and never wait.
            Command::Ignored | Command::IsReady | Command::Quit | Command::Stop | Command::PonderHit => Ok(()),
            console => self.execute_console(console),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.print(&format!("id name {}", response::name_and_version()))?;
        self.print(&format!("id author {}", env!("CARGO_PKG_AUTHORS")))?;
        for line in options::announcements() {
            self.print(&line)?;
        }
        self.print("uciok")
    }

    /// Sets up the position and plays the moves, or refuses the whole.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let start = match fen.map_or(Ok(Position::initial()), parse_fen) {
            Ok(position) => position,
            Err(error) => return self.print_error(&format_args!("position: {error}")),
        };
        let mut game = Game::new(start);
        for text in moves {
            match parse_move(game.position(), text) {
                Ok(mv) => game.play(mv),
                Err(error) => return self.print_error(&format_args!("position: {error}")),
            }
        }
        self.engine.set_game(game);
        Ok(())
    }

    fn go(&mut self, parameters: &GoParameters) -> io::Result<()> {
        for error in &parameters.errors {
            self.print_error(error)?;
        }
        let overhead = self.engine.options().move_overhead();
        let (limits, illegal) = parameters.limits(self.engine.game().position(), overhead);
        for text in illegal {
            self.print_error(&format_args!("go searchmoves: move '{text}' is illegal here"))?;
        }
        self.busy = Busy::Searching { pondering: limits.ponder };
        self.engine.go(limits);
        self.stop_if_quitting();
        Ok(())
    }

    fn execute_console(&mut self, command: Command) -> io::Result<()> {
        match console::run(&command, &self.engine, &self.sender) {
            console::Work::Lines(lines) => lines.iter().try_for_each(|line| self.print(line)),
            console::Work::Error(error) => self.print_error(&error),
            console::Work::Task(task) => {
                self.busy = Busy::Task;
                self.engine.run_task(task);
                self.stop_if_quitting();
                Ok(())
            }
        }
    }

    /// What is begun after the client has gone is ended at once.
    fn stop_if_quitting(&self) {
        if self.quitting {
            self.engine.stop();
        }
    }

    fn spelling(&self) -> CastlingSpelling {
        options::spelling_for(self.engine.options().chess960)
    }

    fn search_event(&mut self, event: &SearchEvent) -> io::Result<()> {
        let style = ScoreStyle {
            material: material(self.engine.game().position().board()),
            win_draw_loss: self.engine.options().show_win_draw_loss,
        };
        let line = response::info(event, self.spelling(), style);
        self.print(&line)
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        self.log.line(Direction::Out, line);
        writeln!(self.output, "{line}")
    }

    fn print_error(&mut self, error: &dyn std::fmt::Display) -> io::Result<()> {
        self.failed = true;
        self.print(&format!("info string error: {error}"))
    }
}
