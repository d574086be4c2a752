//! Options: how they are announced, set and refused.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;

use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;
#[cfg(unix)]
use crate::engine_process::{EngineProcess, PROGRAM};

#[test]
fn uci_introduces_the_engine_and_its_options() {
    with_session(|engine| {
        engine.send("uci");
        let lines = engine.read_until("uciok");
        assert!(lines[0].starts_with("id name Luft ") && lines[1].starts_with("id author "), "{lines:#?}");
        for option in [
            "Hash type spin default 16 min 1 max 1048576",
            "Threads type spin default 1 min 1 max 1024",
            "Clear Hash type button",
            "Ponder type check default false",
            "MultiPV type spin default 1 min 1 max 256",
            "Move Overhead type spin default 20 min 0 max 5000",
            "nodestime type spin default 0 min 0 max 10000",
            "UCI_Chess960 type check default false",
            "UCI_ShowWDL type check default false",
            "UCI_AnalyseMode type check default false",
            "UCI_LimitStrength type check default false",
            "UCI_Elo type spin default 1500 min 800 max 3000",
            "UCI_Opponent type string default <empty>",
            "SyzygyPath type string default <empty>",
            "SyzygyProbeDepth type spin default 1 min 1 max 100",
            "SyzygyProbeLimit type spin default 7 min 0 max 7",
            "Syzygy50MoveRule type check default true",
            "EvalFile type string default <empty>",
            "Debug Log File type string default <empty>",
        ] {
            assert!(lines.contains(&format!("option name {option}")), "{option} is not in {lines:#?}");
        }
        let about = lines.iter().find_map(|line| line.strip_prefix("option name UCI_EngineAbout type string default "));
        assert!(about.is_some_and(|about| about.contains("Luft") && about.contains("licence")), "{lines:#?}");
        let strange = lines[2..lines.len() - 1].iter().find(|line| !line.starts_with("option name "));
        assert_eq!(strange, None);
    });
}

#[test]
fn every_option_can_be_set_to_what_it_announces() {
    with_session(|engine| {
        engine.send("uci");
        for line in engine.read_until("uciok").iter().filter(|line| line.starts_with("option name ")) {
            let (name, description) = line["option name ".len()..].split_once(" type ").unwrap();
            let words: Vec<&str> = description.split(' ').collect();
            match words.as_slice() {
                ["button"] => engine.tell(&format!("setoption name {name}")),
                ["spin", "default", default, "min", least, "max", most] => {
                    // A hash table of the largest size is more than most machines have.
                    let values = [*default, least, if name == "Hash" { least } else { most }, default];
                    values.iter().for_each(|value| engine.tell(&format!("setoption name {name} value {value}")));
                }
                ["check" | "string", "default", default @ ..] if !default.is_empty() => {
                    engine.tell(&format!("setoption name {name} value {}", default.join(" ")));
                }
                _ => panic!("'{line}'"),
            }
        }
        engine.go("depth 3").check(&game_of("", &[]));
    });
}

#[test]
fn names_match_without_regard_to_case_and_spacing() {
    with_session(|engine| {
        engine.tell("setoption name multipv value 3");
        assert_eq!(engine.go("depth 2").last_lines().len(), 3);
        engine.tell("setoption  NAME\tMULTIPV  VALUE   2");
        assert_eq!(engine.go("depth 2").last_lines().len(), 2);
        engine.tell("setoption name clear HASH\nsetoption name  Move   Overhead value 7");
        engine.tell("setoption name NODESTIME value 0\nsetoption name uci_analysemode value True");
        engine.tell("setoption name uci_opponent value GM 2800 human  Gary  Kasparov\nsetoption name UCI_Opponent");
        engine.tell("setoption name ponder value TRUE\nsetoption name UCI_CHESS960 value False");
    });
}

#[test]
fn bad_values_are_refused_with_the_range_and_the_option_stays() {
    let refused = [
        ("Hash", "0", "1 to 1048576"),
        ("Hash", "1048577", "1 to 1048576"),
        ("Hash", "many", "1 to 1048576"),
        ("Hash", "-5", "1 to 1048576"),
        ("Hash", "16.5", "1 to 1048576"),
        ("Hash", "16 32", "1 to 1048576"),
        ("Hash", "99999999999999999999", "1 to 1048576"),
        ("MultiPV", "0", "1 to 256"),
        ("MultiPV", "257", "1 to 256"),
        ("Move Overhead", "-1", "0 to 5000"),
        ("Move Overhead", "5001", "0 to 5000"),
        ("nodestime", "-1", "0 to 10000"),
        ("nodestime", "10001", "0 to 10000"),
        ("UCI_AnalyseMode", "on", "true nor false"),
        ("UCI_LimitStrength", "1500", "true nor false"),
        ("UCI_Elo", "799", "800 to 3000"),
        ("UCI_Elo", "3001", "800 to 3000"),
        ("Threads", "0", "1 to 1024"),
        ("Threads", "1025", "1 to 1024"),
        ("Threads", "two", "1 to 1024"),
        ("UCI_Chess960", "maybe", "true nor false"),
        ("Ponder", "1", "true nor false"),
        ("UCI_ShowWDL", "yes", "true nor false"),
        ("SyzygyProbeDepth", "0", "1 to 100"),
        ("SyzygyProbeDepth", "101", "1 to 100"),
        ("SyzygyProbeLimit", "-1", "0 to 7"),
        ("SyzygyProbeLimit", "8", "0 to 7"),
        ("Syzygy50MoveRule", "50", "true nor false"),
    ];
    with_session(|engine| {
        engine.tell("setoption name MultiPV value 2\nsetoption name UCI_Chess960 value true");
        for (name, value, reason) in refused {
            let error = engine.error_of(&format!("setoption name {name} value {value}"));
            assert!([name, reason, &format!("'{value}'")].iter().all(|part| error.contains(part)), "{error}");
        }
        for name in ["Hash", "MultiPV", "Ponder"] {
            assert!(engine.error_of(&format!("setoption name {name}")).contains(name));
        }
        assert_eq!(engine.go("depth 2").last_lines().len(), 2);
        assert!(engine.fen().contains(" HAha "));
    });
}

#[test]
fn unknown_options_are_named() {
    with_session(|engine| {
        for (line, name) in [("Foo Bar value 3", "'Foo Bar'"), ("x", "'x'"), ("Hash MB value 3", "'Hash MB'")] {
            assert!(engine.error_of(&format!("setoption name {line}")).contains(name));
        }
    });
}

#[test]
fn any_hash_size_works() {
    with_session(|engine| {
        for size in [1, 3, 7, 33, 1] {
            engine.tell(&format!("setoption name Hash value {size}"));
            engine.go("nodes 20000").check(&game_of("", &[]));
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_had_leaves_the_one_there_is() {
    let script = r#"ulimit -v 1000000; exec "$0""#;
    let mut engine = EngineProcess::start_command(process::Command::new("sh").args(["-c", script, PROGRAM]));
    engine.tell("setoption name Hash value 8");
    let error = engine.error_of("setoption name Hash value 1048576");
    assert!(error.contains("Hash") && error.contains("1048576"), "{error}");
    engine.go("depth 6").check(&game_of("", &[]));
    assert!(engine.end().status.success());
}

#[test]
fn a_cleared_table_knows_nothing() {
    with_session(|engine| {
        let nodes = |searched: crate::engine_process::Searched| searched.last().nodes;
        let fresh = nodes(engine.go("depth 6"));
        for forget in ["ucinewgame", "ucinewgame\nsetoption name Clear Hash"] {
            assert_ne!(nodes(engine.go("depth 6")), fresh);
            engine.tell(forget);
            assert_eq!(nodes(engine.go("depth 6")), fresh);
        }
        engine.tell("setoption name Clear Hash");
        engine.send("go depth 1");
        let lines = engine.read_until("bestmove");
        assert!(lines[0].contains(" hashfull 0 "), "{lines:#?}");
    });
}

#[test]
fn what_was_learned_under_another_fifty_move_rule_is_forgotten() {
    with_session(|engine| {
        // Nodes of a search after the same one and this option.
        let mut nodes_after = |option: &str| {
            engine.tell("setoption name Syzygy50MoveRule value true\nucinewgame");
            engine.go("depth 8");
            engine.tell(&format!("setoption name {option}"));
            engine.go("depth 8").last().nodes
        };
        let (cleared, kept) = (nodes_after("Clear Hash"), nodes_after("Syzygy50MoveRule value true"));
        assert_ne!(cleared, kept);
        assert_eq!(nodes_after("Syzygy50MoveRule value false"), cleared);
    });
}

#[test]
fn ponder_changes_no_legality() {
    with_session(|engine| {
        for value in ["true", "false"] {
            engine.tell(&format!("setoption name Ponder value {value}"));
            engine.send("go ponder wtime 100 btime 100");
            engine.no_best_move();
            engine.send("ponderhit");
            engine.finish_search().check(&game_of("", &[]));
        }
    });
}

#[test]
fn clients_say_who_plays_and_whether_they_analyse() {
    with_session(|engine| {
        let nodes = |engine: &mut crate::engine_process::EngineProcess| {
            engine.tell("ucinewgame");
            engine.go("depth 6").check(&game_of("", &[])).last().nodes
        };
        let usual = nodes(engine);
        for value in ["none none computer Stockfish 17", "IM 2400 human Marić, A.", "<empty>"] {
            engine
                .tell(&format!("setoption name UCI_Opponent value {value}\nsetoption name UCI_AnalyseMode value true"));
            // What is said of the opponent changes nothing in the moves.
            assert_eq!(nodes(engine), usual);
        }
    });
}

#[test]
fn what_the_engine_says_of_itself_cannot_be_changed() {
    with_session(|engine| {
        engine.tell("setoption name UCI_EngineAbout value something else");
        engine.send("uci");
        let lines = engine.read_until("uciok");
        assert!(!lines.iter().any(|line| line.contains("something else")), "{lines:#?}");
    });
}

/// A folder of this test's own, gone with the value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("luft {name} {}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A path within.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_debug_log_has_every_line_in_and_out_with_its_time() {
    let folder = Folder::new("log");
    let path = folder.0.join("two  spaces ü.txt");
    with_session(|engine| {
        engine.tell(&format!("setoption name Debug Log File value {}", path.display()));
        engine.tell("position startpos moves e2e4");
        engine.go("depth 1");
        engine.error_of("nonsense");
        engine.tell("setoption name Debug Log File value <empty>\nposition startpos");
    });
    let text = fs::read_to_string(&path).unwrap();
    let mut last = 0.0;
    for line in text.lines() {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        let time: f64 = time.parse().unwrap();
        assert!(time >= last && (rest.starts_with(">> ") || rest.starts_with("<< ")), "{line}");
        last = time;
    }
    for part in [">> position startpos moves e2e4\n", "<< readyok\n", "<< bestmove ", "<< info string error: unknown"] {
        assert!(text.contains(part), "'{part}' is not in {text}");
    }
    assert!(text.ends_with(">> setoption name Debug Log File value <empty>\n"), "{text}");
}

#[test]
fn a_log_that_cannot_be_opened_is_told_and_the_one_there_is_goes_on() {
    let folder = Folder::new("bad log");
    let path = folder.0.join("log.txt");
    with_session(|engine| {
        engine.tell(&format!("setoption name Debug Log File value {}", path.display()));
        let bad = folder.0.join("no such folder").join("log.txt");
        let error = engine.error_of(&format!("setoption name Debug Log File value {}", bad.display()));
        assert!(error.contains("Debug Log File") && error.contains("no such folder"), "{error}");
        engine.tell("position startpos");
    });
    assert!(fs::read_to_string(&path).unwrap().contains(">> position startpos\n"));
}
