//! `go` and the word that ends it, at random distances of up to five milliseconds.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use crate::chance::Chance;
use crate::engine_process::searched::game_of;
use crate::engine_process::{EngineProcess, Searched, WHILE};
use crate::failures::{attempt, dismiss};
use crate::resources::Waits;

/// An answer that takes longer has stalled.
const STALL: Duration = Duration::from_secs(10);
const MOST_MICROSECONDS: u64 = 5_000;

/// What is sent, and what ends it.
#[derive(Clone, Copy, Debug)]
pub enum Race {
    Stop,
    /// With no time left, so that `ponderhit` ends the search at once.
    PonderHit,
}

impl Race {
    pub const ALL: [Race; 2] = [Race::Stop, Race::PonderHit];

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Race::Stop => ("go infinite", "stop"),
            Race::PonderHit => ("go ponder wtime 1 btime 1", "ponderhit"),
        }
    }
}

/// How the races between an engine and a word went.
pub struct Report {
    race: Race,
    threads: usize,
    /// From the word to the answer, and how long a thread of the engine waited for a processor in that round.
    latencies: Vec<(Duration, Duration)>,
    pub failures: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let at = |permille: usize| sorted.get((sorted.len() * permille / 1000).min(sorted.len() - 1));
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
        write!(f, "{:?}, {} threads, {} rounds: ", self.race, self.threads, sorted.len())?;
        if let (Some(half), Some(most), Some(nearly), Some(worst)) = (at(500), at(900), at(990), sorted.last()) {
            let [half, most, nearly] = [half, most, nearly].map(|latency| milliseconds(latency.0));
            write!(f, "median {half:.2} ms, 90 % {most:.2}, 99 % {nearly:.2}, worst {:.2} ", milliseconds(worst.0))?;
            write!(f, "(in which a thread waited {:.2} for a processor)", milliseconds(worst.1))?;
        }
        let beyond = sorted.iter().filter(|latency| latency.0 > Duration::from_millis(10)).count();
        write!(f, ", {beyond} over 10 ms, {} failures", self.failures.len())?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n  {failure}"))
    }
}

/// Starts and ends so many searches with so many threads.
pub fn run(race: Race, threads: usize, rounds: usize, seed: u64) -> Report {
    let mut report = Report { race, threads, latencies: Vec::new(), failures: Vec::new() };
    let mut chance = Chance::new(seed);
    let mut engine = start(threads);
    for round in 0..rounds {
        let delay = Duration::from_micros(chance.below(MOST_MICROSECONDS));
        match attempt(|| one_round(&mut engine, race, delay)) {
            Ok(latency) => report.latencies.push(latency),
            Err(failure) => {
                report.failures.push(format!("round {round}: {failure}"));
                engine = start(threads);
            }
        }
    }
    let silence = attempt(|| assert_eq!(engine.line_within(WHILE), None, "a line after the last answer"));
    report.failures.extend(silence.and_then(|()| dismiss(engine)).err());
    report
}

fn start(threads: usize) -> EngineProcess {
    let mut engine = EngineProcess::start();
    engine.ask(&format!("setoption name Threads value {threads}"));
    engine
}

fn one_round(engine: &mut EngineProcess, race: Race, delay: Duration) -> (Duration, Duration) {
    let (begin, end) = race.words();
    let before = Waits::of(engine);
    engine.send(begin);
    thread::sleep(delay);
    let sent = Instant::now();
    engine.send(end);
    let lines = engine.read_within("bestmove", STALL);
    let latency = sent.elapsed();
    let waited = before.longest_until(&Waits::of(engine));
    Searched::read(&lines).check_of_team(&game_of("", &[]));
    (latency, waited)
}
