//! The memory that the program takes is what it was told to take.
#![cfg(target_os = "linux")]

use std::fs;

use crate::engine_process::searched::game_of;
use crate::engine_process::{EngineProcess, with_session};

/// A figure of the process in MiB, by its name in the system's account.
fn mebibytes(engine: &EngineProcess, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// All that is not the table, of an engine with one thread.
const BESIDES: u64 = 60;

#[test]
fn the_old_table_is_gone_before_the_new_one_is_used() {
    with_session(|engine| {
        for size in [300, 200, 350, 1, 350] {
            engine.tell(&format!("setoption name Hash value {size}"));
            let resident = mebibytes(engine, "VmRSS");
            assert!((size..size + BESIDES).contains(&resident), "{resident} MiB with a table of {size}");
        }
        let most = mebibytes(engine, "VmHWM");
        assert!(most < 350 + BESIDES, "{most} MiB at the same time");
    });
}

#[test]
fn searches_new_games_and_cleared_tables_take_no_more() {
    with_session(|engine| {
        engine.tell("setoption name Hash value 32\nsetoption name Threads value 4");
        let mut round = |rounds: usize| {
            for _ in 0..rounds {
                engine.go("nodes 20000").check_of_team(&game_of("", &[]));
                engine.tell("ucinewgame\nsetoption name Clear Hash\nsetoption name Threads value 1");
                engine
                    .tell("setoption name Hash value 16\nsetoption name Hash value 32\nsetoption name Threads value 4");
            }
            mebibytes(engine, "VmRSS")
        };
        let (early, late) = (round(10), round(40));
        assert!(late < early + 16, "{early} MiB, then {late}");
    });
}

#[test]
fn what_threads_and_tables_took_is_given_back() {
    with_session(|engine| {
        let mut at_rest = || {
            engine.tell("setoption name Threads value 1\nsetoption name Hash value 1\nucinewgame");
            let resident = mebibytes(engine, "VmRSS");
            for (threads, size) in [(17, 3), (4, 28), (9, 31), (2, 20), (33, 1), (5, 16)] {
                engine.tell(&format!("setoption name Hash value {size}\nsetoption name Threads value {threads}"));
                engine.go("nodes 20000").check_of_team(&game_of("", &[]));
            }
            resident
        };
        let first = at_rest();
        let later: Vec<u64> = (0..4).map(|_| at_rest()).collect();
        assert!(later.iter().all(|&resident| resident < first + 16), "{first} MiB at first, then {later:?}");
    });
}
