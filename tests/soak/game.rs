//! Games between two processes at 0.2 + 0.002 seconds, with pondering, and with options that change between moves.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use luft::chess::notation::{CastlingSpelling, format_move, parse_move};
use luft::chess::{Color, Game, Move};

use crate::chance::Chance;
use crate::engine_process::{EngineProcess, Searched};
use crate::failures::{attempt, dismiss};
use crate::resources::{self, Waits};

const TIME: Duration = Duration::from_millis(200);
const INCREMENT: Duration = Duration::from_millis(2);
/// A move that takes longer has stalled.
const STALL: Duration = Duration::from_secs(20);
const LONGEST_GAME_PLIES: usize = 400;

const THREADS: [u32; 4] = [1, 2, 3, 4];
/// Tiny and large, in MiB.
const HASH: [u32; 5] = [1, 2, 16, 64, 512];

/// How the games went.
#[derive(Default)]
pub struct Report {
    games: usize,
    plies: usize,
    ponder_hits: usize,
    /// Moves that a clock did not last for, the fault of the engine.
    pub losses: Vec<String>,
    /// The same, but the engine waited for a processor so long that it had no chance.
    starved: Vec<String>,
    /// The longest from the end of the time that the engine says it took to the arrival of its move.
    latest: Duration,
    memory: [Vec<u64>; 2],
    pub failures: Vec<String>,
}

impl Report {
    pub fn growth_kib(&self) -> u64 {
        self.memory.iter().map(|samples| resources::growth(samples)).max().unwrap_or(0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { games, plies, ponder_hits, losses, starved, latest, memory, failures } = self;
        write!(
            f,
            "{games} games, {plies} plies, {ponder_hits} ponderhits, a move at most {latest:.2?} after its last line; "
        )?;
        write!(f, "memory {}, growth {} KiB; ", resources::course(&memory[0]), self.growth_kib())?;
        write!(f, "{} losses on time, ", losses.len())?;
        write!(f, "{} more for want of a processor, {} failures", starved.len(), failures.len())?;
        let mut texts = losses.iter().chain(starved).chain(failures);
        texts.try_for_each(|text| write!(f, "\n  {text}"))
    }
}

/// Plays so many games with the same two processes, unless one of them fails.
pub fn play_games(games: usize, seed: u64) -> Report {
    let mut report = Report::default();
    let mut engines = [EngineProcess::start(), EngineProcess::start()];
    for number in 0..games {
        let chance = Chance::new(seed ^ (number as u64) << 32);
        if let Err(failure) = attempt(|| Match::new(&mut engines, chance, &mut report).play(number)) {
            report.failures.push(format!("game {number}: {failure}"));
            engines = [EngineProcess::start(), EngineProcess::start()];
        }
        report.games += 1;
    }
    report.failures.extend(engines.into_iter().filter_map(|engine| dismiss(engine).err()));
    report
}

/// One game.
struct Match<'a> {
    engines: &'a mut [EngineProcess; 2],
    chance: Chance,
    report: &'a mut Report,
    game: Game,
    moves: Vec<Move>,
    clocks: [Duration; 2],
    /// The move each side expects the other to play, while it searches the answer.
    pondering: [Option<Move>; 2],
}

/// How a move came about.
struct Answer {
    searched: Searched,
    used: Duration,
    waited: Duration,
}

impl<'a> Match<'a> {
    fn new(engines: &'a mut [EngineProcess; 2], mut chance: Chance, report: &'a mut Report) -> Match<'a> {
        let opening = chance.opening(8);
        let game = Game::new(*opening.position());
        Match { engines, chance, report, game, moves: Vec::new(), clocks: [TIME; 2], pondering: [None; 2] }
    }

    fn play(mut self, number: usize) {
        for side in [0, 1] {
            let options = format!("{}\n{}\nucinewgame", self.threads(), self.hash());
            assert_eq!(self.engines[side].ask(&options), Vec::<String>::new());
        }
        while self.game.outcome().is_none() && self.game.ply() < LONGEST_GAME_PLIES {
            if !self.play_move(number) {
                break;
            }
        }
        for side in [0, 1] {
            self.end_pondering(side);
            let resident = resources::resident_at_rest(&mut self.engines[side]);
            self.report.memory[side].push(resident);
        }
    }

    fn threads(&mut self) -> String {
        format!("setoption name Threads value {}", self.chance.pick(&THREADS))
    }

    fn hash(&mut self) -> String {
        format!("setoption name Hash value {}", self.chance.pick(&HASH))
    }

    fn position(&self, extra: Option<Move>) -> String {
        let word = |&mv: &Move| format!(" {}", format_move(mv, CastlingSpelling::KingTarget));
        let moves: String = self.moves.iter().chain(extra.as_ref()).map(word).collect();
        format!("position fen {} moves{moves}", luft::chess::notation::format_fen(self.game.start()))
    }

    fn clock_words(&self) -> String {
        let [white, black] = self.clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        format!("wtime {white} btime {black} winc {increment} binc {increment}")
    }

    fn side(&self) -> usize {
        usize::from(self.game.position().side_to_move() == Color::Black)
    }

    /// One move by the clock; false if the clock did not last.
    fn play_move(&mut self, number: usize) -> bool {
        let side = self.side();
        let answer = self.answer(side);
        answer.searched.check_of_team(&self.game);
        let told = answer.searched.infos.last().map_or(0, |info| info.time);
        let late = answer.used.saturating_sub(Duration::from_millis(told));
        self.report.latest = self.report.latest.max(late);
        if answer.used > self.clocks[side] {
            self.lose(number, &answer, late);
            return false;
        }
        self.clocks[side] = self.clocks[side] - answer.used + INCREMENT;
        let mv = parse_move(self.game.position(), answer.searched.best()).expect("checked");
        self.game.play(mv);
        self.moves.push(mv);
        self.report.plies += 1;
        self.between_moves(side, answer.searched.ponder.as_deref());
        true
    }

    /// The move of a side, by `ponderhit` if it expected the last one.
    fn answer(&mut self, side: usize) -> Answer {
        let hit = self.pondering[side].is_some() && self.pondering[side] == self.moves.last().copied();
        if !hit {
            self.end_pondering(side);
            let position = self.position(None);
            self.engines[side].tell(&position);
        }
        let words = if hit { "ponderhit".into() } else { format!("go {}", self.clock_words()) };
        self.pondering[side] = None;
        self.report.ponder_hits += usize::from(hit);
        let engine = &mut self.engines[side];
        let waits = Waits::of(engine);
        let begun = Instant::now();
        engine.send(&words);
        let lines = engine.read_within("bestmove", STALL);
        let used = begun.elapsed();
        let waited = waits.longest_until(&Waits::of(engine));
        Answer { searched: Searched::read(&lines), used, waited }
    }

    fn lose(&mut self, number: usize, answer: &Answer, late: Duration) {
        let left = self.clocks[self.side()];
        let Answer { used, waited, .. } = answer;
        let text = format!(
            "game {number}, ply {}: {used:.2?} of {left:.2?} used, the move {late:.2?} after the time of the last line, a \
             thread of the engine waited {waited:.2?} for a processor",
            self.game.ply()
        );
        let explained = used.saturating_sub(*waited) <= left;
        if explained { self.report.starved.push(text) } else { self.report.losses.push(text) }
    }

    /// Stops a search for a move that was not played; its answer is nothing to anybody.
    fn end_pondering(&mut self, side: usize) {
        if self.pondering[side].take().is_some() {
            self.engines[side].send("stop");
            Searched::read(&self.engines[side].read_within("bestmove", STALL));
        }
    }

    /// What happens to a side that has moved: it ponders, or its options change, or a storm breaks over it.
    fn between_moves(&mut self, side: usize, expected: Option<&str>) {
        if self.game.outcome().is_some() {
            return;
        }
        match self.chance.below(12) {
            0 => drop(self.threads_and_hash(side)),
            1 => self.storm(side),
            2 => drop(self.engines[side].ask("setoption name Clear Hash")),
            3..=6 => self.ponder(side, expected),
            _ => {}
        }
    }

    fn threads_and_hash(&mut self, side: usize) -> Vec<String> {
        let mut lines = [self.threads(), self.hash()];
        lines.rotate_left(self.chance.below(2) as usize);
        self.engines[side].ask(&lines.join("\n"))
    }

    fn ponder(&mut self, side: usize, expected: Option<&str>) {
        let Some(mv) = expected.and_then(|text| parse_move(self.game.position(), text).ok()) else { return };
        let lines = format!("{}\ngo ponder {}", self.position(Some(mv)), self.clock_words());
        self.engines[side].send(&lines);
        self.pondering[side] = Some(mv);
    }

    /// Searches that are stopped or hit after a moment, between moves.
    fn storm(&mut self, side: usize) {
        for _ in 0..1 + self.chance.below(8) {
            let (go, end) = self.chance.pick(&[
                ("go infinite", "stop"),
                ("go ponder", "ponderhit\nstop"),
                ("go ponder wtime 1 btime 1", "ponderhit"),
                ("go movetime 1", "stop\nponderhit"),
            ]);
            let moment = Duration::from_micros(self.chance.below(3_000));
            let engine = &mut self.engines[side];
            engine.send(go);
            thread::sleep(moment);
            engine.send(end);
            Searched::read(&engine.read_within("bestmove", STALL));
        }
        assert_eq!(self.engines[side].ask(""), Vec::<String>::new(), "lines after a storm");
    }
}
