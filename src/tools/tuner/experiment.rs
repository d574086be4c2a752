//! A run of the factorial experiment: pairs on several threads, the observations in a file after each batch.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::duel::Duel;
use super::factors::{Factor, Observation, draw_lots, params_without, worths};
use super::run::Settings;
use crate::chess::random::SplitMix64;
use crate::engine::STACK_BYTES;

/// Where an experiment stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// The features.
    pub factors: Vec<Factor>,
    /// Each side plays without a feature once in so many games.
    pub one_in: u64,
    /// Seed of lots and openings.
    pub seed: u64,
    /// Pairs in the whole experiment.
    pub pairs: u64,
    /// What was seen so far, pair by pair.
    pub observations: Vec<Observation>,
}

/// Pairs a thread plays between two looks at the file.
const PAIRS_A_BATCH: u64 = 8;

impl Experiment {
    /// Reads an experiment that was begun.
    ///
    /// # Errors
    /// When the file cannot be read or holds none.
    pub fn read(path: &std::path::Path) -> io::Result<Experiment> {
        let experiment: Experiment = serde_json::from_slice(&std::fs::read(path)?).map_err(io::Error::other)?;
        let count = experiment.factors.len();
        let is_sound = experiment.observations.iter().all(|seen| seen.contrast.len() == count);
        if is_sound { Ok(experiment) } else { Err(io::Error::other("this is no experiment of this program")) }
    }

    fn write(&self, path: &std::path::Path) -> io::Result<()> {
        let partial = path.with_extension("partial");
        std::fs::write(&partial, serde_json::to_string(self).map_err(io::Error::other)?)?;
        std::fs::rename(&partial, path)
    }

    /// A line for each feature: its worth with a 95 % interval, and the pairs that speak of it.
    pub fn lines(&self) -> Vec<String> {
        let Some(worths) = worths(&self.observations, self.factors.len()) else {
            return vec!["too few pairs to tell the features apart".into()];
        };
        let line = |(factor, worth): (&Factor, super::Worth)| {
            format!("{:32} Elo {:+6.1} +- {:4.1}, {} pairs", factor.name, worth.elo, worth.error, worth.pairs)
        };
        self.factors.iter().zip(worths).map(line).collect()
    }

    /// Plays on until the plan is done or `stop`.
    ///
    /// # Errors
    /// When the file cannot be written, or there is no memory for the players.
    pub fn run(&mut self, settings: &Settings, stop: &AtomicBool) -> io::Result<()> {
        let threads = settings.threads.max(1);
        let mut duels: Vec<Duel> =
            (0..threads).map(|_| Duel::new(&settings.network).map_err(io::Error::other)).collect::<Result<_, _>>()?;
        let bar = ProgressBar::new(self.pairs).with_position(self.observations.len() as u64);
        while (self.observations.len() as u64) < self.pairs && !stop.load(Ordering::Relaxed) {
            let seen = self.batch(settings, &mut duels)?;
            self.observations.extend(seen);
            bar.set_position(self.observations.len() as u64);
            self.write(&settings.output)?;
        }
        bar.finish();
        Ok(())
    }

    fn batch(&self, settings: &Settings, duels: &mut [Duel]) -> io::Result<Vec<Observation>> {
        let done = self.observations.len() as u64;
        thread::scope(|scope| {
            let begin = |(thread, duel)| {
                let first: u64 = done + thread as u64 * PAIRS_A_BATCH;
                let pairs = first..(first + PAIRS_A_BATCH).min(self.pairs);
                let duel: &mut Duel = duel;
                let play = move || pairs.map(|pair| self.observe(settings, duel, pair)).collect::<Vec<_>>();
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, play)
            };
            let handles: Vec<_> = duels.iter_mut().enumerate().map(begin).collect::<io::Result<_>>()?;
            let mut seen = Vec::new();
            for handle in handles {
                seen.extend(handle.join().map_err(|_| io::Error::other("a player's thread has failed"))?);
            }
            Ok(seen)
        })
    }

    fn observe(&self, settings: &Settings, duel: &mut Duel, pair: u64) -> Observation {
        let mut random = SplitMix64::new(SplitMix64::new(self.seed).next() ^ SplitMix64::new(pair).next());
        let [first, second] = [(); 2].map(|()| draw_lots(self.factors.len(), self.one_in, &mut random));
        let opening = settings.openings[random.below(settings.openings.len() as u64) as usize];
        let sets = [&first, &second].map(|without| params_without(&self.factors, without));
        let points = duel.play_pair(&opening, [&sets[0], &sets[1]], settings.nodes);
        Observation::new([&first, &second], points)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chess::Position;
    use crate::nnue::Network;
    use crate::tools::tuner::parse_factors;

    #[test]
    fn an_experiment_comes_back_and_goes_on() {
        let folder = std::env::temp_dir().join(format!("luft-experiment-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let output = folder.join("run.json");
        let factors = parse_factors("late moves: late_move_depth=255").unwrap();
        let mut experiment = Experiment { factors, one_in: 2, seed: 3, pairs: 16, observations: Vec::new() };
        let settings = Settings {
            nodes: 60,
            threads: 2,
            openings: vec![Position::initial()],
            network: Arc::new(Network::embedded().unwrap()),
            output: output.clone(),
        };
        experiment.run(&settings, &AtomicBool::new(false)).unwrap();
        assert_eq!(experiment.observations.len(), 16);
        assert_eq!(Experiment::read(&output).unwrap(), experiment);
        assert!(experiment.lines()[0].starts_with("late moves"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
