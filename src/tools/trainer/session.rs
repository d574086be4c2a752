//! A training run: superbatches of batches, each shared by all threads.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::checkpoint::State;
use super::curve::{Losses, draw};
use super::kernel::{Blend, learn, loss};
use super::model::Model;
use super::optimiser::Schedule;
use super::quantise::quantise_model;
use super::samples::{Filters, Sample, Samples};
use crate::chess::random::SplitMix64;

/// What to train and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Files of game records.
    pub inputs: Vec<PathBuf>,
    /// Files of game records whose results say nothing: their positions learn scores alone.
    pub scores_only: Vec<PathBuf>,
    /// The network file to write; checkpoint and curve lie beside it.
    pub output: PathBuf,
    /// Which positions count.
    pub filters: Filters,
    /// Weight of the game's result in the target, the rest is that of the score.
    pub result_weight: f32,
    /// How much of the next position's score each position learns, from 0 to 1.
    pub foresight: f32,
    /// How the learning rate falls.
    pub schedule: Schedule,
    /// Passes over all positions.
    pub passes: f64,
    /// Positions a batch.
    pub batch: usize,
    /// Batches a superbatch: then losses are told and a checkpoint is written.
    pub superbatch: u64,
    /// Threads.
    pub threads: usize,
    /// Seed of weights and order.
    pub seed: u64,
    /// Whether to go on from the checkpoint, if there is one.
    pub resume: bool,
}

/// Trains, or goes on training, and writes network, checkpoint and curve of losses after each superbatch.
///
/// The same settings and inputs give the same network, interrupted or not.
///
/// # Errors
/// When files cannot be read or written, or hold no position to learn from.
pub fn train(settings: &Settings, stop: &AtomicBool) -> io::Result<()> {
    let samples = Samples::read(&settings.inputs, &settings.scores_only, &settings.filters, settings.foresight)?;
    let (kept, held_out) = (samples.training.len(), samples.held_out.len());
    println!("{} games, {} positions: {kept} to learn from, {held_out} held out", samples.games, samples.positions);
    if kept < settings.batch {
        return Err(io::Error::other(format!("{kept} positions to learn from are less than a batch")));
    }
    let checkpoint = settings.output.with_extension("checkpoint");
    let state =
        if settings.resume && checkpoint.exists() { State::read(&checkpoint)? } else { State::new(settings.seed) };
    let mut run = Run::new(settings, &samples, state);
    while run.state.step < run.steps && !stop.load(Ordering::Relaxed) {
        run.superbatch(stop);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let network = quantise_model(&run.state.model, &run.description()).map_err(io::Error::other)?;
        std::fs::write(&settings.output, network.to_bytes())?;
        draw(&settings.output.with_extension("svg"), &run.state.losses)?;
        // Last: a run killed before this does the superbatch again, and writes all of its files.
        run.state.write(&checkpoint)?;
    }
    Ok(())
}

struct Run<'a> {
    settings: &'a Settings,
    samples: &'a Samples,
    state: State,
    blend: Blend,
    steps: u64,
    /// The order of the samples in the pass with this number.
    order: (u64, Vec<u32>),
    gradients: Vec<Model>,
    bar: ProgressBar,
}

impl<'a> Run<'a> {
    fn new(settings: &'a Settings, samples: &'a Samples, state: State) -> Run<'a> {
        let steps = (settings.passes * samples.training.len() as f64 / settings.batch as f64).ceil() as u64;
        let bar = ProgressBar::new(steps);
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} batches {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(state.step);
        let threads = settings.threads.max(1);
        Run {
            settings,
            samples,
            state,
            blend: Blend { result: settings.result_weight },
            steps,
            order: (u64::MAX, Vec::new()),
            gradients: vec![Model::zero(); threads],
            bar,
        }
    }

    /// Batches up to the next checkpoint.
    fn superbatch(&mut self, stop: &AtomicBool) {
        let started = Instant::now();
        let (mut sum, mut batches) = (0.0, 0);
        while self.state.step < self.steps && !stop.load(Ordering::Relaxed) {
            sum += self.batch();
            batches += 1;
            self.bar.set_position(self.state.step);
            if self.state.step.is_multiple_of(self.settings.superbatch.max(1)) {
                break;
            }
        }
        let positions = batches as f64 * self.settings.batch as f64;
        let held_out = &self.samples.held_out;
        let held_out_loss = loss(&self.state.model, held_out.iter(), self.blend) / held_out.len().max(1) as f64;
        self.state.losses.push(Losses { training: sum / positions, held_out: held_out_loss });
        self.tell(positions / started.elapsed().as_secs_f64().max(1e-9));
    }

    /// One batch: each thread sums the gradients of its share, then the weights take a step. Returns the sum of losses.
    fn batch(&mut self) -> f64 {
        let size = self.settings.batch;
        let batches_per_pass = (self.samples.training.len() / size).max(1) as u64;
        let (pass, within) = (self.state.step / batches_per_pass, self.state.step % batches_per_pass);
        self.put_in_order(pass);
        let indices = &self.order.1[within as usize * size..][..size];
        let (model, blend, training) = (&self.state.model, self.blend, &self.samples.training);
        let share = size.div_ceil(self.gradients.len());
        let losses: Vec<f64> = thread::scope(|scope| {
            let parts = indices.chunks(share).zip(&mut self.gradients);
            let workers: Vec<_> = parts
                .map(|(part, gradients)| {
                    scope.spawn(move || {
                        gradients.weights.fill(0.0);
                        let samples = part.iter().map(|&index| -> &Sample { &training[index as usize] });
                        learn(model, samples, blend, gradients)
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("learning does not panic")).collect()
        });
        let rate = self.settings.schedule.rate(self.state.step, self.steps);
        self.state.moments.step(&mut self.state.model, &self.gradients, size, self.state.step, rate);
        self.state.step += 1;
        losses.iter().sum()
    }

    /// Every pass has an order of its own, which depends on seed and number alone.
    fn put_in_order(&mut self, pass: u64) {
        if self.order.0 == pass {
            return;
        }
        let mut random = SplitMix64::of_series(self.settings.seed, pass);
        let mut order: Vec<u32> = (0..self.samples.training.len() as u32).collect();
        for end in (1..order.len()).rev() {
            order.swap(end, random.below(end as u64 + 1) as usize);
        }
        self.order = (pass, order);
    }

    fn tell(&self, speed: f64) {
        let Some(Losses { training, held_out }) = self.state.losses.last() else { return };
        let rate = self.settings.schedule.rate(self.state.step, self.steps);
        let line = format!(
            "batch {} of {}: loss {training:.6}, held out {held_out:.6}, rate {rate:.2e}, {speed:.0} positions/s",
            self.state.step, self.steps
        );
        if io::stderr().is_terminal() {
            self.bar.println(line);
        } else {
            // Progress is a courtesy: a closed log does not end the run.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    fn description(&self) -> String {
        format!(
            "{} games, {} positions learned from, result weight {}, foresight {}, {} batches of {}, held-out loss {:.6}",
            self.samples.games,
            self.samples.training.len(),
            self.settings.result_weight,
            self.settings.foresight,
            self.state.step,
            self.settings.batch,
            self.state.losses.last().map_or(f64::NAN, |losses| losses.held_out)
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::Setup;
    use crate::nnue::{Kernels, Network, NetworkEvaluator};
    use crate::tools::viriformat::{TrainingGame, WhiteResult};
    use std::sync::Arc;

    /// Games of random moves labelled by the material left on the board.
    pub(in crate::tools::trainer) fn material_games(count: u64) -> Vec<TrainingGame> {
        let value = |piece: crate::chess::Piece| [100, 300, 300, 500, 900, 0][piece.kind().index()];
        let material = |position: &crate::chess::Position| -> i16 {
            let men = position.board().occupied().into_iter().filter_map(|square| position.piece_on(square));
            men.map(|piece| if piece.color() == crate::chess::Color::White { value(piece) } else { -value(piece) })
                .sum()
        };
        let game = |seed| {
            let mut random = SplitMix64::new(seed);
            let start = Setup::initial().validate().unwrap();
            let (mut position, mut moves) = (start, Vec::new());
            while moves.len() < 120 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len() as u64) as usize];
                moves.push((mv, material(&position)));
                position.make(mv);
            }
            let result = match material(&position) {
                300.. => WhiteResult::Win,
                -299..300 => WhiteResult::Draw,
                _ => WhiteResult::Loss,
            };
            TrainingGame { start, moves, result }
        };
        (0..count).map(game).collect()
    }

    fn settings(name: &str, passes: f64) -> Settings {
        let folder = std::env::temp_dir().join(format!("luft-trainer-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let input = folder.join("games.vf");
        let mut bytes = Vec::new();
        material_games(150).iter().for_each(|game| game.write(&mut bytes).unwrap());
        std::fs::write(&input, bytes).unwrap();
        Settings {
            inputs: vec![input],
            scores_only: Vec::new(),
            output: folder.join("net.nnue"),
            filters: Filters { first_plies: 0, held_out_every: 10, ..Filters::default() },
            result_weight: 0.2,
            foresight: 0.0,
            schedule: Schedule { warm_up: 5, first: 5e-3, last: 1e-4 },
            passes,
            batch: 256,
            superbatch: 40,
            threads: 2,
            seed: 1,
            resume: false,
        }
    }

    #[test]
    fn a_network_finds_material_and_an_interrupted_run_ends_as_a_whole_one() {
        let whole = settings("whole", 8.0);
        let never = AtomicBool::new(false);
        train(&whole, &never).unwrap();
        let network = Arc::new(Network::from_bytes(&std::fs::read(&whole.output).unwrap()).unwrap());
        let evaluate = |fen: &str| {
            let position: crate::chess::Position = fen.parse().unwrap();
            NetworkEvaluator::new(Arc::clone(&network), Kernels::best(), &position).evaluate(&position).units()
        };
        let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let level = evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(level.abs() < 150, "{level}");
        let ahead = evaluate(&format!("{queen_up} w KQkq - 0 1"));
        let behind = evaluate(&format!("{queen_up} b KQkq - 0 1"));
        assert!(ahead > level + 100 && behind < level - 100, "{ahead} {level} {behind}");

        // The same in two parts: the checkpoint of the first superbatch, then the rest.
        let parts = Settings { resume: true, ..settings("parts", 8.0) };
        train(&parts, &never).unwrap();
        let complete = std::fs::read(&parts.output).unwrap();
        let mut state = State::new(parts.seed);
        let samples = Samples::read(&parts.inputs, &[], &parts.filters, parts.foresight).unwrap();
        let mut run = Run::new(&parts, &samples, state);
        run.superbatch(&never);
        state = run.state;
        state.write(&parts.output.with_extension("checkpoint")).unwrap();
        train(&parts, &never).unwrap();
        assert_eq!(std::fs::read(&parts.output).unwrap(), complete);
        assert_eq!(complete, std::fs::read(&whole.output).unwrap());
        for settings in [whole, parts] {
            std::fs::remove_dir_all(settings.output.parent().unwrap()).unwrap();
        }
    }
}
