//! Storms: options, positions, searches and the words that end them, in any order and without waiting for answers.

use std::fmt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use luft::chess::Game;
use luft::chess::notation::format_fen;

use crate::chance::Chance;
use crate::engine_process::{EngineProcess, Searched};
use crate::failures::{attempt, dismiss};
use crate::resources;

/// A storm that is not answered by then has stalled.
const STALL: Duration = Duration::from_secs(30);
/// Rounds without a limit of time, and between two looks at the memory.
const FEW_ROUNDS: usize = 40;
const ROUNDS_A_SAMPLE: usize = 20;
/// Sent last in each round: it is answered when all before it is done, and by a line that nothing else gives.
const LAST: &str = "setoption name last of the storm";
const ANSWER_TO_LAST: &str = "info string error: unknown option 'last of the storm'";

const GO: [&str; 13] = [
    "go infinite",
    "go infinite",
    "go ponder wtime 200 btime 200 winc 2 binc 2",
    "go ponder",
    "go wtime 20 btime 20 winc 2 binc 2",
    "go wtime 200 btime 200 movestogo 1",
    "go wtime 400 btime 400 movestogo 40",
    "go ponder wtime 40 btime 40 movestogo 2",
    "go movetime 3",
    "go nodes 2000",
    "go depth 5",
    "go mate 2",
    "go depth 0",
];

const OPTIONS: [&str; 32] = [
    "ucinewgame",
    "setoption name Clear Hash",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 3",
    "setoption name Threads value 4",
    "setoption name Threads value 17",
    "setoption name Hash value 1",
    "setoption name Hash value 3",
    "setoption name Hash value 16",
    "setoption name Hash value 257",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 0",
    "setoption name Move Overhead value 20",
    "setoption name Ponder value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_ShowWDL value false",
    "setoption name EvalFile value <empty>",
    "setoption name nodestime value 0",
    "setoption name nodestime value 100",
    "setoption name Ponder value false",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 800",
    "setoption name UCI_Elo value 3000",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Syzygy50MoveRule value false",
    "setoption name Syzygy50MoveRule value true",
    "setoption name SyzygyPath value <empty>",
    "setoption name UCI_AnalyseMode value false",
];

/// Endgame tables to be set now and then, if they are there.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/syzygy");

/// How the storms went.
#[derive(Default)]
pub struct Report {
    rounds: usize,
    searches: usize,
    longest: Duration,
    memory: Vec<u64>,
    pub failures: Vec<String>,
}

impl Report {
    pub fn growth_kib(&self) -> u64 {
        resources::growth(&self.memory)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { rounds, searches, longest, memory, failures } = self;
        write!(f, "{rounds} storms with {searches} searches, the longest answered after {longest:.2?}; ")?;
        write!(f, "memory {}, growth {} KiB; ", resources::course(memory), self.growth_kib())?;
        write!(f, "{} failures", failures.len())?;
        failures.iter().try_for_each(|failure| write!(f, "\n  {failure}"))
    }
}

/// What the engine has been told by the lines of a storm so far.
struct Told {
    game: Game,
    multi_pv: bool,
}

/// A search of a storm, as it must be answered.
struct Expected {
    game: Game,
    multi_pv: bool,
}

/// Storms for so many minutes, or a few if none.
pub fn rage(minutes: f64, seed: u64) -> Report {
    let (mut report, mut chance) = (Report::default(), Chance::new(seed));
    let mut engine = EngineProcess::start();
    let mut told = Told { game: chance.opening(0), multi_pv: false };
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    while report.rounds < FEW_ROUNDS || Instant::now() < end {
        if let Err(failure) = attempt(|| storm(&mut engine, &mut chance, &mut told, &mut report)) {
            report.failures.push(format!("storm {}: {failure}", report.rounds));
            engine = EngineProcess::start();
            told = Told { game: chance.opening(0), multi_pv: false };
        }
        report.rounds += 1;
    }
    report.failures.extend(dismiss(engine).err());
    report
}

/// One storm and its answers.
fn storm(engine: &mut EngineProcess, chance: &mut Chance, told: &mut Told, report: &mut Report) {
    let mut expected = Vec::new();
    let mut ready = 0;
    let begun = Instant::now();
    for _ in 0..1 + chance.below(30) {
        let line = next_line(chance, told);
        if line.starts_with("go") {
            expected.push(Expected { game: told.game.clone(), multi_pv: told.multi_pv });
        }
        ready += usize::from(line == "isready");
        engine.send(&line);
        if chance.once_in(3) {
            thread::sleep(Duration::from_micros(chance.below(3_000)));
        }
    }
    engine.send(&format!("stop\n{LAST}"));
    let lines = engine.read_within(ANSWER_TO_LAST, STALL);
    report.longest = report.longest.max(begun.elapsed());
    report.searches += expected.len();
    check(&lines, &expected, ready);
    if report.rounds.is_multiple_of(ROUNDS_A_SAMPLE) {
        report.memory.push(resources::resident_at_rest(engine));
    }
}

fn next_line(chance: &mut Chance, told: &mut Told) -> String {
    match chance.below(10) {
        0..=2 => chance.pick(&GO).into(),
        3 | 4 => "stop".into(),
        5 => "ponderhit".into(),
        6 => "isready".into(),
        7 => {
            let plies = chance.below(60) as usize;
            told.game = Game::new(*chance.opening(plies).position());
            format!("position fen {}", format_fen(told.game.position()))
        }
        8 if chance.once_in(8) && Path::new(TABLES).exists() => format!("setoption name SyzygyPath value {TABLES}"),
        _ => {
            let option = chance.pick(&OPTIONS);
            if let Some(lines) = option.strip_prefix("setoption name MultiPV value ") {
                told.multi_pv = lines != "1";
            }
            option.into()
        }
    }
}

/// Every search has its answer, in order, with moves of its position; nothing is refused.
fn check(lines: &[String], expected: &[Expected], ready: usize) {
    let (told, lines): (Vec<&String>, Vec<&String>) = lines.iter().partition(|line| *line == "readyok");
    assert_eq!(told.len(), ready, "answers to isready in {lines:#?}");
    let lines: Vec<String> = lines.into_iter().cloned().collect();
    let searches: Vec<&[String]> = lines.split_inclusive(|line| line.starts_with("bestmove")).collect();
    let (rest, searches) = searches.split_last().expect("the line that is sent last");
    let rest: Vec<&String> = rest.iter().filter(|line| !line.starts_with("info string found ")).collect();
    assert_eq!(rest, [ANSWER_TO_LAST], "lines after the last answer");
    assert_eq!(searches.len(), expected.len(), "answers to go in {lines:#?}");
    for (lines, expected) in searches.iter().zip(expected) {
        let searched = Searched::read(lines);
        let is_expected = |remark: &String| remark.starts_with("info string found ");
        assert!(searched.remarks.iter().all(is_expected), "{:?}", searched.remarks);
        if expected.multi_pv {
            searched.check(&expected.game)
        } else {
            searched.check_of_team(&expected.game)
        };
    }
}
