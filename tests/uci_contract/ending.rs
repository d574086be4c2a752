//! Rule 6: how a session ends.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine_process::searched::game_of;
use crate::engine_process::{Ended, EngineProcess, PROGRAM, PROMPT, Searched};

/// Ends the session, which must take no time, and succeed without a word on standard error.
fn end_in_order(engine: EngineProcess) -> Vec<String> {
    let begun = Instant::now();
    let Ended { status, lines, errors } = engine.end();
    assert!(begun.elapsed() < PROMPT);
    assert!(status.success(), "{status:?}: {errors}");
    assert_eq!(errors, "");
    lines
}

#[test]
fn the_end_of_input_ends_a_running_search_with_its_best_move() {
    for go in ["go infinite", "go ponder wtime 60000", "go wtime 3600000", "go depth 100"] {
        let mut engine = EngineProcess::start();
        engine.send(go);
        engine.no_best_move();
        Searched::read(&end_in_order(engine)).check(&game_of("", &[]));
    }
}

#[test]
fn the_end_of_input_right_after_go_still_gives_a_move() {
    for _ in 0..20 {
        let mut engine = EngineProcess::start();
        engine.send("go infinite\nposition startpos moves e2e4\ngo wtime 1000000 btime 1000000");
        let lines = end_in_order(engine);
        let moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(moves, 2, "{lines:#?}");
    }
}

#[test]
fn the_end_of_input_ends_a_perft() {
    let mut engine = EngineProcess::start();
    engine.send("perft 10");
    engine.no_best_move();
    assert_eq!(end_in_order(engine), ["info string perft stopped"]);
}

#[test]
fn quit_ends_idle_searching_and_pondering() {
    for go in ["isready", "go infinite", "go ponder"] {
        let mut engine = EngineProcess::start();
        engine.send(&format!("{go}\nquit"));
        let lines = end_in_order(engine);
        assert_eq!(lines.last().unwrap().starts_with("bestmove"), go != "isready", "{lines:#?}");
    }
}

#[test]
fn a_last_line_without_its_end_counts() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"isready");
    assert_eq!(end_in_order(engine), ["readyok"]);
}

#[test]
fn no_input_at_all_is_no_trouble() {
    assert_eq!(end_in_order(EngineProcess::start()), Vec::<String>::new());
}

#[test]
fn bad_input_does_not_change_the_exit_status_of_a_session() {
    let mut engine = EngineProcess::start();
    engine.send("nonsense\nposition fen x\nperft no-such-file\nbench 1 0\ngo perft\nsetoption name Hash value x");
    let lines = end_in_order(engine);
    assert_eq!(lines.iter().filter(|line| line.starts_with("info string error: ")).count(), 6, "{lines:#?}");
}

/// Sends lines until the engine is gone, and says whether it went in time.
fn goes_away(engine: &mut EngineProcess) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PROMPT {
        if engine.try_send(b"isready\n").is_err() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    for go in ["uci", "go infinite", "go ponder"] {
        let mut engine = EngineProcess::start();
        engine.send(go);
        engine.close_output();
        assert!(goes_away(&mut engine), "still there after {go}");
        let Ended { status, errors, .. } = engine.end();
        assert!(status.success(), "{status:?}");
        assert_eq!(errors, "");
    }
}

#[cfg(unix)]
#[test]
fn output_into_head_is_quiet() {
    let script = r#""$0" help | head -n 1; "$0" "bench 2" | head -n 1; printf 'uci\ngo depth 5\n' | "$0" | head -n 1"#;
    let ended = EngineProcess::start_command(Command::new("sh").args(["-c", script, PROGRAM])).end();
    assert_eq!((ended.lines.len(), ended.errors.as_str()), (3, ""), "{:#?}", ended.lines);
}

/// Processor time that a process has used, in the system's ticks, of which a hundred or more make a second.
#[cfg(target_os = "linux")]
fn processor_ticks(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th fields after it.
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_takes_no_processor_time() {
    // Idle; at maximum depth of an endless search; with nothing to search at all.
    let dead = "position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1\ngo infinite";
    for (lines, wait) in
        [("isready", 100), (dead, 1500), ("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1\ngo ponder", 100)]
    {
        let mut engine = EngineProcess::start();
        engine.send(lines);
        thread::sleep(Duration::from_millis(wait));
        let before = processor_ticks(engine.process_id());
        thread::sleep(Duration::from_millis(600));
        let used = processor_ticks(engine.process_id()) - before;
        assert!(used <= 3, "{used} ticks for nothing after '{lines}'");
        end_in_order(engine);
    }
}

#[test]
fn every_line_has_its_end() {
    for arguments in
        [["go depth 3"].as_slice(), &["uci"], &["d"], &["perft 2"], &["bench 1"], &["nonsense"], &["license"]]
    {
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        assert_eq!(output.stdout.last(), Some(&b'\n'), "{arguments:?}");
        assert!(!output.stdout.contains(&b'\r'), "{arguments:?}");
    }
}
