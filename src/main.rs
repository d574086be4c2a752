//! The `luft` program: a UCI session on standard input and output, or the commands given as arguments.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use luft::engine::give_back_large_blocks;
use luft::uci::{Session, Source, is_command_word};

/// Arguments as lines: one that begins with a command's name begins a line, others continue it. So both
/// `luft "position startpos" "go depth 5"` and `luft perft 5 --threads 2 bench` mean what they look like.
fn lines_of(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for argument in arguments {
        let begins = argument.split_whitespace().next().is_some_and(is_command_word);
        match lines.last_mut() {
            Some(line) if !begins => {
                line.push(' ');
                line.push_str(&argument);
            }
            _ => lines.push(argument),
        }
    }
    lines
}

fn main() -> ExitCode {
    give_back_large_blocks();
    let lines = lines_of(std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()));
    let input = Box::new(io::stdin());
    let source = match lines.is_empty() {
        false => Source::Script { lines, input },
        true if io::stdin().is_terminal() && io::stdout().is_terminal() => Source::Person { input, colours: true },
        true => Source::Client(input),
    };
    let session = match Session::new(io::stdout()) {
        Ok(session) => session,
        Err(error) => {
            eprintln!("luft: {error}");
            return ExitCode::FAILURE;
        }
    };
    match session.run(source) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The client has closed the output: nobody is left to tell.
        Err(_) => ExitCode::SUCCESS,
    }
}
