//! The match runner: see `src/tools/referee/README.md`.

use std::process::ExitCode;

use clap::Parser;
use luft::tools::referee::command_line::CommandLine;

fn main() -> ExitCode {
    match CommandLine::parse().execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("referee: {error}");
            ExitCode::FAILURE
        }
    }
}
