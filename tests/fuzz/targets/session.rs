//! Any lines as a session: every `go` gets its move, every `isready` its answer, and the session ends well.
//!
//! The lines are sent once as by a client that goes away, which stops all its searches, and once as a script, where every
//! search takes its course.
#![no_main]

use std::io::{Cursor, empty};

use libfuzzer_sys::fuzz_target;
use luft::uci::{Command, Session, Source};

/// What no input may ask for: files, memory and processors of the machine, and time without end.
fn is_harmless(line: &str) -> bool {
    match Command::parse(line) {
        Ok(Some(
            Command::Bench { .. } | Command::Speedtest(_) | Command::Genfens(_) | Command::ExportNetwork { .. },
        )) => false,
        Ok(Some(Command::Perft(perft))) => format!("{perft:?}").contains("Depth(1)") && perft.hash_mib == 0,
        Ok(Some(Command::SetOption { name, value })) => is_harmless_option(&name, &value),
        _ => true,
    }
}

fn is_harmless_option(name: &str, value: &str) -> bool {
    match name.to_ascii_lowercase().as_str() {
        // A player of limited strength takes its time by the clock.
        "debug log file" | "uci_limitstrength" => false,
        "hash" | "threads" | "multipv" => value.parse().is_ok_and(|number: i64| number < 4),
        _ => true,
    }
}

/// Lines of which each search ends soon.
fn harmless_lines(text: &str) -> Vec<String> {
    let limited = |line: &str| match Command::parse(line) {
        Ok(Some(Command::Go(_))) => format!("{line} nodes 300"),
        _ => line.to_string(),
    };
    text.lines().filter(|line| is_harmless(line)).take(40).map(limited).collect()
}

/// What is printed, and whether all went well.
fn answers(lines: &[String], source: Source) -> String {
    let mut output = Vec::new();
    let session = Session::new(&mut output).expect("memory for an engine");
    session.run(source).expect("memory takes all that is printed");
    let text = String::from_utf8(output).expect("what is printed is text");
    assert!(text.is_empty() || text.ends_with('\n'), "a line without end: {text}");
    let count = |beginning: &str| text.lines().filter(|line| line.starts_with(beginning)).count();
    let faults = ["search thread", "the command has failed", "the engine has failed"];
    assert!(faults.iter().all(|fault| count(&format!("info string error: {fault}")) == 0), "{lines:#?}");
    let heard =
        lines.iter().map(|line| Command::parse(line)).take_while(|command| !matches!(command, Ok(Some(Command::Quit))));
    let (mut moves, mut ready) = (0, 0);
    for command in heard {
        moves += usize::from(matches!(command, Ok(Some(Command::Go(_)))));
        ready += usize::from(matches!(command, Ok(Some(Command::IsReady))));
    }
    assert_eq!((count("bestmove "), count("readyok")), (moves, ready), "{lines:#?} {text}");
    text
}

fuzz_target!(|bytes: &[u8]| {
    let lines = harmless_lines(&String::from_utf8_lossy(bytes));
    let client = Source::Client(Box::new(Cursor::new(lines.join("\n").into_bytes())));
    answers(&lines, client);
    answers(&lines, Source::Script { lines: lines.clone(), input: Box::new(empty()) });
});
