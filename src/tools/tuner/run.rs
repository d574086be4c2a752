//! A tuning run: batches of pairs on several threads, the state in a file after each batch.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::curve;
use super::duel::Duel;
use super::players::{Players, lots, play_pair};
use super::spsa::{Knob, Schedule, directions, learn, shifted};
use crate::chess::Position;
use crate::nnue::Network;
use crate::search::Params;

/// What does not change during a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes a move.
    pub nodes: u64,
    /// Threads that play.
    pub threads: usize,
    /// Positions that games begin from.
    pub openings: Vec<Position>,
    /// The network to play with.
    pub network: Arc<Network>,
    /// Where the state is kept; the picture lies beside it.
    pub output: PathBuf,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The numbers.
    pub knobs: Vec<Knob>,
    /// The plan of the run.
    pub schedule: Schedule,
    /// Seed of shifts and openings.
    pub seed: u64,
    /// Pairs played.
    pub pairs_done: u64,
    /// Values at the start.
    pub start: Vec<f64>,
    /// Change of each value as a part of its range, after some numbers of pairs.
    pub history: Vec<(u64, Vec<f64>)>,
}

impl State {
    /// A run that is about to begin.
    ///
    /// # Errors
    /// The first name that is no parameter of the search.
    pub fn new(names: &[String], schedule: Schedule, seed: u64) -> Result<State, String> {
        let knob = |name: &String| {
            let line = Params::TABLE.iter().find(|(known, ..)| known == name);
            let (name, value, range) = line.ok_or_else(|| name.clone())?;
            Ok(Knob::new(name, *value, *range.start(), *range.end()))
        };
        let knobs = names.iter().map(knob).collect::<Result<Vec<_>, String>>()?;
        let start = knobs.iter().map(|knob| knob.value).collect();
        Ok(State { knobs, schedule, seed, pairs_done: 0, start, history: Vec::new() })
    }

    /// Reads a state.
    ///
    /// # Errors
    /// When the file cannot be read or is none.
    pub fn read(path: &Path) -> io::Result<State> {
        let state: State = serde_json::from_slice(&std::fs::read(path)?).map_err(io::Error::other)?;
        if state.is_sound() { Ok(state) } else { Err(io::Error::other("this is no state of a run of this program")) }
    }

    fn is_sound(&self) -> bool {
        let known = |knob: &Knob| Params::TABLE.iter().any(|(name, ..)| *name == knob.name);
        let ranged = |knob: &Knob| (knob.low..=knob.high).contains(&knob.value) && knob.last_shift.is_finite();
        let count = self.knobs.len();
        self.knobs.iter().all(|knob| known(knob) && ranged(knob))
            && self.start.len() == count
            && self.history.iter().all(|(_, values)| values.len() == count)
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        let partial = path.with_extension("partial");
        std::fs::write(&partial, text)?;
        std::fs::rename(&partial, path)
    }

    fn draw(&self, path: &Path) -> io::Result<()> {
        let names: Vec<String> = self.knobs.iter().map(|knob| knob.name.clone()).collect();
        curve::draw(&path.with_extension("svg"), &names, &self.history)
    }

    /// The values as they stand, rounded.
    pub fn lines(&self) -> Vec<String> {
        let line = |(knob, start): (&Knob, &f64)| format!("{} = {:.0} (from {start})", knob.name, knob.value.round());
        self.knobs.iter().zip(&self.start).map(line).collect()
    }

    fn note(&mut self) {
        let change = |(knob, start): (&Knob, &f64)| (knob.value - start) / (knob.high - knob.low);
        let changes = self.knobs.iter().zip(&self.start).map(change).collect();
        self.history.push((self.pairs_done, changes));
    }
}

/// The text that OpenBench takes for a tuning run of these parameters.
pub fn open_bench_text(state: &State) -> Vec<String> {
    let line = |knob: &Knob| {
        let Knob { name, value, low, high, last_shift } = knob;
        format!("{name}, int, {value:.1}, {low:.1}, {high:.1}, {last_shift:.2}, {}", state.schedule.last_gain)
    };
    state.knobs.iter().map(line).collect()
}

/// Batches between two points of the curve.
const BATCHES_A_POINT: u64 = 8;

/// One pair: its directions and the points of the plus side.
struct Trial {
    pair: u64,
    directions: Vec<f64>,
    points: f64,
}

/// Plays on until the plan is done or `stop`, and draws the course; of a finished run it does no more than that.
///
/// # Errors
/// When the state cannot be written, or there is no memory for the players.
pub fn run(settings: &Settings, state: &mut State, stop: &AtomicBool) -> io::Result<()> {
    let mut players = Players::new(settings)?;
    let bar = ProgressBar::new(state.schedule.pairs).with_position(state.pairs_done);
    let mut batches = 0;
    while state.pairs_done < state.schedule.pairs && !stop.load(Ordering::Relaxed) {
        let pairs = state.schedule.pairs;
        let trials = players.batch(state.pairs_done, pairs, |duel, pair| trial(settings, state, duel, pair))?;
        for trial in &trials {
            learn(&mut state.knobs, &state.schedule, &trial.directions, trial.points, trial.pair);
        }
        state.pairs_done += trials.len() as u64;
        bar.set_position(state.pairs_done);
        batches += 1;
        if batches % BATCHES_A_POINT == 0 || state.pairs_done >= state.schedule.pairs {
            state.note();
            state.draw(&settings.output)?;
        }
        state.write(&settings.output)?;
    }
    bar.finish();
    state.draw(&settings.output)
}

fn trial(settings: &Settings, state: &State, duel: &mut Duel, pair: u64) -> Trial {
    let mut random = lots(state.seed, pair);
    let directions = directions(state.knobs.len(), &mut random);
    let [plus, minus] = [1.0, -1.0].map(|sign| {
        let values = shifted(&state.knobs, &state.schedule, &directions, sign, pair, &mut random);
        let mut params = Params::DEFAULT;
        for (knob, value) in state.knobs.iter().zip(values) {
            params.set(&knob.name, value);
        }
        params
    });
    let points = play_pair(settings, duel, [&plus, &minus], &mut random);
    Trial { pair, directions, points }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_a_run_goes_on() {
        let folder = std::env::temp_dir().join(format!("luft-tuner-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let output = folder.join("run.json");
        let schedule = Schedule { pairs: 16, last_gain: 0.002 };
        let names = ["reverse_futility_slope".to_string(), "late_move_base".to_string()];
        let mut state = State::new(&names, schedule, 7).unwrap();
        let settings = Settings {
            nodes: 60,
            threads: 2,
            openings: vec![Position::initial()],
            network: Arc::new(Network::embedded().unwrap()),
            output: output.clone(),
        };
        run(&settings, &mut state, &AtomicBool::new(false)).unwrap();
        assert_eq!(state.pairs_done, 16);
        assert_eq!(State::read(&output).unwrap(), state);
        assert!(output.with_extension("svg").exists());
        let damaged = std::fs::read_to_string(&output).unwrap().replace("late_move_base", "nonsense");
        std::fs::write(&output, damaged).unwrap();
        assert!(State::read(&output).is_err());
        assert_eq!(open_bench_text(&state).len(), 2);
        assert_eq!(State::new(&["nonsense".to_string()], schedule, 1), Err("nonsense".to_string()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
