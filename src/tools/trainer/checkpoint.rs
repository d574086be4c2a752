//! The state of a training run between superbatches, so that a killed run goes on exactly where it was.

use std::fs;
use std::io;
use std::path::Path;

use super::curve::Losses;
use super::model::{Model, WEIGHTS};
use super::optimiser::Moments;

const MAGIC: &[u8; 8] = b"LUFTTRN1";

/// Everything that changes while training.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) model: Model,
    pub(super) moments: Moments,
    /// Batches done.
    pub(super) step: u64,
    /// Losses after each superbatch.
    pub(super) losses: Vec<Losses>,
}

impl State {
    pub(super) fn new(seed: u64) -> State {
        State { model: Model::random(seed), moments: Moments::zero(), step: 0, losses: Vec::new() }
    }

    /// Writes the state: first beside the file, then in its place, so that there is always a whole one.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(WEIGHTS as u64).to_le_bytes());
        bytes.extend_from_slice(&self.step.to_le_bytes());
        bytes.extend_from_slice(&(self.losses.len() as u64).to_le_bytes());
        for losses in &self.losses {
            bytes.extend_from_slice(&losses.training.to_le_bytes());
            bytes.extend_from_slice(&losses.held_out.to_le_bytes());
        }
        for list in [&self.model.weights, &self.moments.first, &self.moments.second] {
            list.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        let beside = path.with_extension("part");
        fs::write(&beside, bytes)?;
        fs::rename(beside, path)
    }

    /// Reads a state back.
    pub(super) fn read(path: &Path) -> io::Result<State> {
        let bytes = fs::read(path)?;
        State::parse(&bytes)
            .ok_or_else(|| io::Error::other(format!("{}: not a checkpoint of this trainer", path.display())))
    }

    fn parse(bytes: &[u8]) -> Option<State> {
        let mut rest = bytes.strip_prefix(MAGIC.as_slice())?;
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at_checked(count)?;
            rest = tail;
            Some(head)
        };
        let mut word = || Some(u64::from_le_bytes(take(8)?.try_into().ok()?));
        let (weights, step, count) = (word()?, word()?, word()?);
        if weights != WEIGHTS as u64 || count > bytes.len() as u64 {
            return None;
        }
        let mut losses = Vec::new();
        for _ in 0..count {
            losses.push(Losses { training: f64::from_bits(word()?), held_out: f64::from_bits(word()?) });
        }
        let mut list = || {
            let numbers = take(4 * WEIGHTS)?.chunks_exact(4);
            Some(numbers.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<f32>>())
        };
        let (weights, first, second) = (list()?, list()?, list()?);
        rest.is_empty().then_some(State { model: Model { weights }, moments: Moments { first, second }, step, losses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_as_they_were_and_other_files_do_not() {
        let path = std::env::temp_dir().join(format!("luft-checkpoint-{}", std::process::id()));
        let state = State { step: 17, losses: vec![Losses { training: 0.25, held_out: 0.5 }], ..State::new(3) };
        state.write(&path).unwrap();
        assert!(State::read(&path).unwrap() == state);
        let bytes = fs::read(&path).unwrap();
        assert!(State::parse(&bytes[..bytes.len() - 1]).is_none());
        assert!(State::parse(b"LUFTTRN1 but not really").is_none());
        fs::remove_file(&path).unwrap();
    }
}
