//! Searches by several threads keep every rule, and their number may change at any time.

use std::thread;
use std::time::Duration;

use luft::chess::random::SplitMix64;

use crate::POSITIONS;
use crate::engine_process::searched::game_of;
#[cfg(target_os = "linux")]
use crate::engine_process::{EngineProcess, PROGRAM};
use crate::engine_process::{PROMPT, Searched, WHILE, with_session};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";

#[test]
fn every_search_keeps_the_rules_with_any_number_of_threads() {
    with_session(|engine| {
        for threads in [2, 3, 8] {
            engine.tell(&format!("setoption name Threads value {threads}"));
            for limit in ["depth 5", "nodes 3000", "movetime 30", "nodes 1", "wtime 300 btime 300 winc 5 binc 5"] {
                for fen in POSITIONS {
                    engine.tell(&format!("position fen {fen}"));
                    engine.go(limit).check_of_team(&game_of(fen, &[]));
                }
            }
        }
    });
}

#[test]
fn depth_is_reached_and_not_passed_by_the_answer() {
    with_session(|engine| {
        engine.tell("setoption name Threads value 4");
        for depth in [1, 4, 8] {
            let searched = engine.go(&format!("depth {depth}"));
            assert_eq!(searched.check(&game_of("", &[])).infos.iter().map(|info| info.depth).max(), Some(depth));
        }
    });
}

#[test]
fn the_nodes_of_all_threads_count() {
    with_session(|engine| {
        for threads in [1, 2, 6] {
            engine.tell(&format!("setoption name Threads value {threads}\nucinewgame"));
            let searched = engine.go("nodes 30000");
            // Each thread may search a little further before it sees that the others have done their part.
            let most = if threads == 1 { 30_001 } else { 30_000 + threads * 1_000 };
            assert!(searched.last().nodes <= most, "{threads} threads: {searched:#?}");
        }
    });
}

#[test]
fn several_lines_and_proofs_of_mate_need_no_vote() {
    with_session(|engine| {
        engine.tell("setoption name Threads value 4\nsetoption name MultiPV value 3");
        for limit in ["depth 6", "nodes 20000", "movetime 20"] {
            assert_eq!(engine.go(limit).check(&game_of("", &[])).last_lines().len(), 3);
        }
        engine.tell(&format!("setoption name MultiPV value 1\nposition fen {MATE_IN_ONE}"));
        assert_eq!(engine.go("mate 1").check(&game_of(MATE_IN_ONE, &[])).best(), "e1e8");
        assert_eq!(engine.go("movetime 20").check_of_team(&game_of(MATE_IN_ONE, &[])).best(), "e1e8");
    });
}

#[test]
fn infinite_and_ponder_wait_for_stop_with_threads() {
    with_session(|engine| {
        engine.tell("setoption name Threads value 3");
        for fen in [MATE_IN_ONE, "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"] {
            engine.tell(&format!("position fen {fen}"));
            for how in ["infinite", "ponder wtime 0 btime 0", "ponder depth 2", "infinite nodes 1"] {
                engine.send(&format!("go {how}"));
                engine.no_best_move();
                engine.stop();
            }
        }
    });
}

#[test]
fn threads_and_hash_change_in_any_order_between_and_during_searches() {
    let mut random = SplitMix64::new(7);
    with_session(|engine| {
        for _ in 0..60 {
            let threads = [1, 2, 3, 7, 16, 33][random.below(6) as usize];
            let mut changes = [
                format!("setoption name Threads value {threads}"),
                format!("setoption name Hash value {}", 1 + random.below(9)),
                "ucinewgame".to_string(),
                "setoption name Clear Hash".to_string(),
            ];
            changes.rotate_left(random.below(4) as usize);
            engine.send("go nodes 5000");
            changes.iter().take(1 + random.below(4) as usize).for_each(|change| engine.send(change));
            engine.send("go depth 4");
            for _ in 0..2 {
                engine.finish_search().check_of_team(&game_of("", &[]));
            }
        }
        engine.tell("");
    });
}

#[test]
fn the_most_threads_there_may_be_search_and_go_again() {
    with_session(|engine| {
        engine.tell("setoption name Threads value 1024");
        engine.go("nodes 50000").check_of_team(&game_of("", &[]));
        engine.send("go infinite");
        engine.no_best_move();
        engine.send("stop");
        engine.finish_search().check_of_team(&game_of("", &[]));
        engine.tell("ucinewgame\nsetoption name Threads value 1");
        assert_eq!(engine.go("depth 4").last().depth, 4);
    });
}

/// Starts and stops searches at random moments, and checks that each has one answer.
fn race(threads: usize, rounds: usize) {
    let mut random = SplitMix64::new(threads as u64);
    let game = game_of("", &[]);
    with_session(|engine| {
        engine.tell(&format!("setoption name Threads value {threads}"));
        for round in 0..rounds {
            let (go, end) = match round % 3 {
                0 => ("go ponder wtime 20 btime 20", "ponderhit"),
                1 => ("go ponder", "ponderhit\nstop"),
                _ => ("go infinite", "stop"),
            };
            engine.send(go);
            thread::sleep(Duration::from_micros(random.below(5000)));
            engine.send(end);
            Searched::read(&engine.read_within("bestmove", PROMPT)).check_of_team(&game);
        }
        assert_eq!(engine.line_within(WHILE), None);
    });
}

#[test]
fn eight_threads_and_stops_at_random_moments() {
    race(8, 300);
}

#[test]
fn sixty_four_threads_and_stops_at_random_moments() {
    race(64, 100);
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_leave_those_there_are() {
    let script = r#"ulimit -v 1500000; exec "$0""#;
    let mut engine = EngineProcess::start_command(std::process::Command::new("sh").args(["-c", script, PROGRAM]));
    engine.tell("setoption name Threads value 2");
    for _ in 0..3 {
        let error = engine.error_of("setoption name Threads value 1024");
        assert!(error.contains("Threads") && error.contains("as before"), "{error}");
        engine.go("nodes 20000").check_of_team(&game_of("", &[]));
    }
    engine.tell("setoption name Threads value 3\nucinewgame");
    engine.go("depth 6").check(&game_of("", &[]));
    let ended = engine.end();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.errors);
}
