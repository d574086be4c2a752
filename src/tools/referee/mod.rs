//! The referee: matches between UCI engines that can be trusted.
//!
//! From the bottom up: [`clock`], [`limits`] and [`settings`] describe a game's conditions; [`lines`], [`process`] and
//! [`client`] speak with an engine; [`play`] plays one game by the laws, with [`adjudication`] and [`checks`];
//! [`schedule`], [`pool`] and [`runner`] play many; [`journal`], [`outputs`] and [`report`] keep and judge them.
//! No game depends on the order in which concurrent games end, and a finished game is never lost.

pub mod adjudication;
pub mod checks;
pub mod client;
pub mod clock;
pub mod command_line;
pub mod info;
pub mod journal;
pub mod limits;
pub mod lines;
pub mod openings;
pub mod outputs;
pub mod play;
pub mod player;
pub mod pool;
pub mod process;
pub mod progress;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod standings;
pub mod statistics;
pub mod tablebase;
pub mod verdict;
