//! Tells how a match goes: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The display of a running match. It writes to the standard error output, so that the report can be redirected alone.
#[derive(Debug)]
pub enum Progress {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// A line after so many games.
    Lines {
        /// Games between two lines.
        interval: u64,
    },
}

impl Progress {
    /// A display for so many games, of which some are done.
    pub fn new(games: u64, done: u64, interval: u64) -> Progress {
        let target = ProgressDrawTarget::stderr();
        if target.is_hidden() {
            return Progress::Lines { interval: interval.max(1) };
        }
        let bar = ProgressBar::with_draw_target(Some(games), target).with_position(done);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}  {elapsed}/{duration}") {
            bar.set_style(style);
        }
        Progress::Bar(bar)
    }

    /// Shows the state after a game.
    pub fn update(&self, done: u64, headline: impl FnOnce() -> String) {
        match self {
            Progress::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(headline());
            }
            Progress::Lines { interval } if done.is_multiple_of(*interval) => eprintln!("{}", headline()),
            Progress::Lines { .. } => {}
        }
    }

    /// Shows a remark.
    pub fn remark(&self, text: &str) {
        match self {
            Progress::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            Progress::Lines { .. } => eprintln!("{text}"),
        }
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
