//! A run of the factorial experiment: pairs on several threads, the observations in a file after each batch.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::duel::Duel;
use super::factors::{Factor, Observation, draw_lots, params_without, worths};
use super::players::{Players, lots, play_pair};
use super::run::Settings;

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

impl Experiment {
    /// Reads an experiment that was begun.
    ///
    /// # Errors
    /// When the file cannot be read or holds none.
    pub fn read(path: &Path) -> io::Result<Experiment> {
        let experiment: Experiment = serde_json::from_slice(&std::fs::read(path)?).map_err(io::Error::other)?;
        let count = experiment.factors.len();
        let is_sound = experiment.observations.iter().all(|seen| seen.contrast.len() == count);
        if is_sound { Ok(experiment) } else { Err(io::Error::other("this is no experiment of this program")) }
    }

    fn write(&self, path: &Path) -> io::Result<()> {
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
        let mut players = Players::new(settings)?;
        let bar = ProgressBar::new(self.pairs).with_position(self.observations.len() as u64);
        while (self.observations.len() as u64) < self.pairs && !stop.load(Ordering::Relaxed) {
            let done = self.observations.len() as u64;
            let seen = players.batch(done, self.pairs, |duel, pair| self.observe(settings, duel, pair))?;
            self.observations.extend(seen);
            bar.set_position(self.observations.len() as u64);
            self.write(&settings.output)?;
        }
        bar.finish();
        Ok(())
    }

    fn observe(&self, settings: &Settings, duel: &mut Duel, pair: u64) -> Observation {
        let mut random = lots(self.seed, pair);
        let [first, second] = [(); 2].map(|()| draw_lots(self.factors.len(), self.one_in, &mut random));
        let sets = [&first, &second].map(|without| params_without(&self.factors, without));
        let points = play_pair(settings, duel, [&sets[0], &sets[1]], &mut random);
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
