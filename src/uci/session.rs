//! The loop between a client and an engine.
//!
//! One thread reads lines, one searches, and this one waits for what either has to say, so that every answer is ordered
//! and nothing blocks. `stop`, `ponderhit`, `isready` and `quit` act at once; everything else waits, in order, for the
//! end of the running search.

mod script;
mod search;
mod watch;

use std::collections::VecDeque;
use std::io::{self, BufWriter, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use super::command::Command;
use super::console;
use super::event::{Event, read_lines};
use super::log::{DebugLog, Direction};
use super::options;
use super::response::{self, ScoreStyle};
use super::terminal::{Paint, Terminal};
use crate::chess::Move;
use crate::chess::notation::CastlingSpelling;
use crate::engine::{Engine, Notice};
use crate::score::win_model::material;
use crate::search::Event as SearchEvent;
use script::ScriptInput;

/// Where a session's commands come from.
pub enum Source {
    /// A client that may send more at any time; when it is gone, a running search stops.
    Client(Box<dyn Read + Send>),
    /// A person at a terminal, until a line says `uci`: then a client.
    Person {
        /// What is typed.
        input: Box<dyn Read + Send>,
        /// Whether the environment may ask for colours.
        colours: bool,
    },
    /// A fixed list of lines; each is carried out to its end.
    Script {
        /// The lines.
        lines: Vec<String>,
        /// Where to listen for `stop`, or for its end, while a search runs that nothing else can end.
        input: Box<dyn Read + Send>,
    },
}

/// What the engine's thread is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Busy {
    No,
    Searching {
        pondering: bool,
        /// Nothing but a word from outside ends it.
        endless: bool,
    },
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
    pub(super) output: BufWriter<W>,
    log: DebugLog,
    events: Receiver<Event>,
    pub(super) sender: Sender<Event>,
    busy: Busy,
    /// Commands that wait for the end of the search.
    waiting: VecDeque<Waiting>,
    /// First move of the last line told about the running search, and the reply.
    told: Option<(Move, Option<Move>)>,
    /// How a person is spoken to; none with a program.
    pub(super) terminal: Option<Terminal>,
    /// None but in a script.
    script_input: Option<ScriptInput>,
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
        let engine = Engine::new(Self::teller(&sender))?;
        Ok(Session {
            engine,
            output: BufWriter::new(output),
            log: DebugLog::default(),
            events,
            sender,
            busy: Busy::No,
            waiting: VecDeque::new(),
            told: None,
            terminal: None,
            script_input: None,
            quitting: false,
            failed: false,
        })
    }

    /// What the engine tells its news through. The session outlives its engine, and after it nobody wants them.
    fn teller(sender: &Sender<Event>) -> impl FnMut(Notice) + Send + 'static {
        let to_session = sender.clone();
        move |notice| drop(to_session.send(Event::Engine(notice)))
    }

    /// Talks until `quit`, the end of the input, or the end of the script. `Ok(false)` when something in a script was
    /// wrong; a client has been told, and its session always ends well.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn run(mut self, source: Source) -> io::Result<bool> {
        let for_client = !matches!(source, Source::Script { .. });
        match source {
            Source::Client(input) => read_lines(input, self.sender.clone()),
            Source::Person { input, colours } => {
                let paint = if colours { Paint::from_environment() } else { Paint::new(false) };
                self.terminal = Some(Terminal::new(paint));
                self.greet()?;
                read_lines(input, self.sender.clone());
            }
            Source::Script { lines, input } => {
                self.script_input = Some(ScriptInput::Unread(input));
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

    /// Waits for the next event. What was printed goes out before waiting, and not line by line: short searches print many
    /// lines at once, and each write wakes the client.
    fn wait(&mut self) -> io::Result<()> {
        if let Ok(event) = self.events.try_recv() {
            return self.handle(event);
        }
        self.prompt()?;
        self.output.flush()?;
        // The session holds a sender itself, so nothing but the time can run out.
        let patience = self.patience();
        match patience.map_or_else(|| self.events.recv().map_err(Into::into), |time| self.events.recv_timeout(time)) {
            Ok(event) => self.handle(event),
            Err(RecvTimeoutError::Timeout) => self.look_around(),
            Err(RecvTimeoutError::Disconnected) => Ok(()),
        }
    }

    fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Line(line) => self.line(&line),
            Event::EndOfInput => self.end_of_input(),
            Event::Engine(Notice::Search(event)) => self.search_event(&event),
            Event::Engine(Notice::Finished(result)) => {
                let line = response::best_move(result.best, result.ponder, self.spelling());
                self.engine.settle(&result);
                self.busy = Busy::No;
                if self.terminal.is_some() {
                    self.show_result(&result)?;
                } else {
                    self.print(&line)?;
                }
                self.come_to_rest()
            }
            Event::Engine(Notice::TaskDone) => {
                self.busy = Busy::No;
                self.come_to_rest()
            }
            Event::Engine(Notice::WorkerFailed { worker }) => {
                self.print_error(&format_args!("search thread {worker} has failed and begins afresh"))
            }
            Event::Engine(Notice::TaskFailed) => self.print_error(&"the command has failed by a fault of the program"),
            Event::Print(line) => self.print(&line),
            Event::Failed => {
                self.failed = true;
                Ok(())
            }
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.log.line(Direction::In, line);
        if self.terminal.is_some() { self.hear(line) } else { self.understand(line) }
    }

    /// Does what a line of the protocol says.
    pub(super) fn understand(&mut self, line: &str) -> io::Result<()> {
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
        if let Busy::Searching { pondering: pondering @ true, .. } = &mut self.busy {
            *pondering = false;
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

    /// Nothing runs any more: what has waited comes next.
    fn come_to_rest(&mut self) -> io::Result<()> {
        self.carry_on()?;
        self.answer_waiting()
    }

    /// Whether nothing runs.
    pub(super) fn is_idle(&self) -> bool {
        self.busy == Busy::No
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
                Ok(None) => Ok(()),
                Ok(Some(remark)) => self.print(&format!("info string {remark}")),
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

    fn execute_console(&mut self, command: Command) -> io::Result<()> {
        match console::run(&command, &self.engine, &self.sender) {
            console::Work::Lines(lines) => lines.iter().try_for_each(|line| self.print(line)),
            console::Work::Error(error) => self.print_error(&error),
            console::Work::Game(game) => {
                self.engine.set_game(*game);
                Ok(())
            }
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
        if let SearchEvent::Report(report) = event
            && report.rank == 1
            && let Some(&mv) = report.pv.first()
        {
            self.told = Some((mv, report.pv.get(1).copied()));
        }
        if self.terminal.is_some() {
            return self.show_news(event);
        }
        let style = ScoreStyle {
            material: material(self.engine.game().position().board()),
            win_draw_loss: self.engine.options().show_win_draw_loss,
        };
        let line = response::info(event, self.spelling(), style);
        self.print(&line)
    }

    pub(super) fn print(&mut self, line: &str) -> io::Result<()> {
        self.log.line(Direction::Out, line);
        self.leave_prompt()?;
        writeln!(self.output, "{line}")
    }

    pub(super) fn print_error(&mut self, error: &dyn std::fmt::Display) -> io::Result<()> {
        self.failed = true;
        if self.terminal.is_some() {
            return self.show_error(error);
        }
        self.print(&format!("info string error: {error}"))
    }
}
