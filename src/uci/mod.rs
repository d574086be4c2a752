//! The Universal Chess Interface: lines in, lines out.
//!
//! `command` reads lines, `response` writes them, `session` is the loop between a client and an engine, and `console`
//! holds the commands beyond the protocol. Nothing below this layer knows of text other than moves and positions.

mod arguments;
mod command;
mod console;
mod event;
mod go;
mod log;
mod options;
mod response;
mod session;
mod terminal;

pub use command::{Command, CommandError, is_command_word};
pub use session::{Session, Source};
