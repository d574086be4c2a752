//! Commands beyond the protocol, in a session and as arguments.

use std::env;
use std::fs;
use std::process;
use std::time::{Duration, Instant};

use luft::chess::Position;
use luft::chess::notation::parse_fen;

#[cfg(target_os = "linux")]
use crate::engine_process::PROGRAM;
use crate::engine_process::{EngineProcess, PROMPT, output_of, with_session};
use crate::options::Folder;

/// Whether a line is `N nodes M nps` in plain integers; N.
fn bench_total(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words.as_slice() else { panic!("'{line}'") };
    speed.parse::<u64>().unwrap();
    nodes.parse().unwrap()
}

#[test]
fn bench_is_deterministic() {
    let total = |arguments: &[&str]| bench_total(output_of(arguments).last().unwrap());
    let count = total(&["bench", "3"]);
    assert!(count > 1000);
    assert_eq!(total(&["bench", "3"]), count);
    assert_eq!(total(&["bench 3 1 16"]), count);
    assert_eq!(total(&["setoption name Hash value 4", "position startpos moves e2e4", "bench 3"]), count);
    assert!(total(&["bench", "4"]) > count);
    with_session(|engine| {
        engine.send("go depth 5\nbench 3\nbench 3");
        engine.finish_search();
        for _ in 0..2 {
            let lines: Vec<String> = (0..41).map(|_| engine.read_until("").remove(0)).collect();
            assert_eq!(bench_total(lines.last().unwrap()), count);
        }
    });
}

#[test]
fn bench_searches_with_as_many_threads_as_asked_for() {
    assert!(bench_total(output_of(&["bench 3 4"]).last().unwrap()) > 0);
    with_session(|engine| {
        for threads in [0, 1025] {
            let error = engine.error_of(&format!("bench 3 {threads}"));
            assert!(error.contains(&format!("'{threads}'")) && error.contains("1024"), "{error}");
        }
    });
}

#[test]
fn sizes_and_threads_out_of_range_are_one_error() {
    with_session(|engine| {
        for (line, part) in [
            ("bench 3 1 0", "'0' MiB"),
            ("bench 3 1 1048577", "'1048577' MiB"),
            ("bench 3 1 99999999999999", "1048576"),
            ("perft 3 --hash 1048577", "'1048577' MiB"),
            ("perft 3 --threads 0", "'0' threads"),
            ("perft 3 --threads 1025", "'1025' threads"),
            ("perft no-such-file.epd --threads 1025", "'1025' threads"),
        ] {
            let error = engine.error_of(line);
            assert!(error.contains(part) && error.starts_with(line.split(' ').next().unwrap()), "{error}");
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_perft_whose_threads_cannot_be_had_is_one_error() {
    let script = r#"ulimit -v 1500000; exec "$0""#;
    let mut engine = EngineProcess::start_command(std::process::Command::new("sh").args(["-c", script, PROGRAM]));
    engine.send("perft 8 --threads 1024");
    let lines = engine.read_until("info string");
    assert!(lines.last().unwrap().starts_with("info string error: perft: "), "{lines:#?}");
    engine.send("perft 3");
    assert!(engine.read_until("8902 nodes").len() > 20);
    let ended = engine.end();
    assert!(ended.status.success() && ended.errors.is_empty(), "{:?}: {}", ended.status, ended.errors);
}

#[test]
fn bench_can_be_stopped() {
    with_session(|engine| {
        engine.send("bench 60\nstop");
        while !engine.read_until("").remove(0).contains(" nps") {}
    });
}

#[test]
fn speedtest_lasts_as_long_as_asked_and_ends_with_nodes_and_speed() {
    let begun = Instant::now();
    let lines = output_of(&["speedtest", "1", "1", "8"]);
    assert!(begun.elapsed() >= Duration::from_millis(900));
    assert!(bench_total(lines.last().unwrap()) > 0);
    for part in ["version: Luft", "threads: 1", "hash: 8 MiB", "positions: 40", "time: "] {
        assert!(lines.iter().any(|line| line.starts_with(part)), "'{part}' is not in {lines:#?}");
    }
    with_session(|engine| {
        assert!(engine.error_of("speedtest 0").contains("1 to "));
        assert!(engine.error_of("speedtest 1 5000").contains("threads"));
        assert!(engine.error_of("speedtest 1 1 0").contains("MiB"));
        engine.send("speedtest 3600\nstop");
        assert_eq!(engine.read_within("info string", PROMPT), ["info string speedtest stopped"]);
        engine.read_within("time: ", PROMPT);
        bench_total(&engine.read_within("", PROMPT)[0]);
    });
}

#[test]
fn flip_exchanges_the_colours() {
    with_session(|engine| {
        engine.tell("position fen 4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 3 40\nflip");
        assert_eq!(engine.fen(), "r3k2r/8/8/8/3Pp3/8/8/4K3 b kq d3 3 40");
        engine.tell("flip");
        assert_eq!(engine.fen(), "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 3 40");
    });
    let evaluation = |flip: &[&str]| {
        let fen = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let lines = output_of(&[&[fen], flip, &["eval"]].concat());
        signed(lines.last().unwrap().strip_prefix("Evaluation: ").unwrap().split(' ').next().unwrap())
    };
    assert_eq!(evaluation(&["flip"]), -evaluation(&[]));
}

/// The positions of `info string genfens FEN` lines.
fn generated(lines: &[String]) -> Vec<Position> {
    let fens = lines.iter().map(|line| line.strip_prefix("info string genfens ").unwrap_or_else(|| panic!("{line}")));
    fens.map(|fen| parse_fen(fen).unwrap()).collect()
}

#[test]
fn genfens_prints_playable_openings_that_repeat_with_their_seed() {
    let lines = output_of(&["genfens 12 seed 42 book None", "quit"]);
    let positions = generated(&lines);
    assert_eq!(positions.len(), 12);
    assert!(positions.iter().all(|position| position.has_legal_move() && position.fullmove_number() >= 5));
    assert_eq!(output_of(&["genfens 12 seed 42 book None"]), lines);
    assert_ne!(output_of(&["genfens 12 seed 43 book None"]), lines);
}

#[test]
fn genfens_begins_from_a_book() {
    let folder = Folder::new("book");
    let path = folder.path("two  rooks.epd");
    let lines = "# a comment\n\n4k2r/8/8/8/8/8/8/R3K3 w Qk - bm a1a8; id \"one\";\n4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1\n";
    fs::write(&path, lines).unwrap();
    let positions = generated(&output_of(&[&format!("genfens 5 seed 1 book {}", path.display())]));
    assert_eq!(positions.len(), 5);
    assert!(positions.iter().all(|position| position.board().occupied().len() <= 4));
    fs::write(&path, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n").unwrap();
    for (text, reason) in [
        ("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n", "no playable opening"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\nnonsense\n", "line 2"),
        ("\n", "no position"),
    ] {
        fs::write(&path, text).unwrap();
        let ended = EngineProcess::start_with(&[&format!("genfens 5 seed 1 book {}", path.display())]).end();
        assert_eq!(ended.status.code(), Some(1));
        assert!(
            ended.lines[0].starts_with("info string error: genfens: ") && ended.lines[0].contains(reason),
            "{:?}",
            ended.lines
        );
    }
    let ended = EngineProcess::start_with(&["genfens 5 seed 1 book no-such.epd"]).end();
    assert!(ended.status.code() == Some(1) && ended.lines[0].contains("'no-such.epd'"), "{:?}", ended.lines);
}

#[test]
fn license_tells_both_licences() {
    for license in ["license", "--license"] {
        let text = output_of(&[license]).join("\n");
        assert!(
            text.contains("MIT") && text.contains("Apache") && text.contains("Permission is hereby granted"),
            "{text}"
        );
    }
}

#[test]
fn an_endless_search_given_as_an_argument_ends_with_the_input() {
    for endless in [["go infinite"].as_slice(), &["go"], &["go", "infinite"], &["go ponder wtime 1000"]] {
        // The input is open while the search runs, and then ends.
        let mut engine = EngineProcess::start_with(&[endless, &["go depth 2"]].concat());
        engine.no_best_move();
        let ended = engine.end();
        assert!(ended.status.success(), "{:?}", ended.status);
        let moves = ended.lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(moves, 2, "{endless:?}: {:#?}", ended.lines);
    }
}

#[test]
fn an_endless_search_given_as_an_argument_ends_with_stop() {
    let lines = output_of(&["go infinite", "stop", "d"]);
    assert!(
        lines.iter().any(|line| line.starts_with("bestmove")) && lines.iter().any(|line| line.starts_with("FEN: "))
    );
    let mut engine = EngineProcess::start_with(&["go infinite", "go depth 2"]);
    engine.no_best_move();
    engine.stop();
    engine.finish_search();
    assert!(engine.end().status.success());
}

#[test]
fn perft_divides_sorted_with_total_time_and_speed() {
    for command in ["perft 3", "go perft 3", "perft 3 --threads 2 --hash 1"] {
        let lines = output_of(&[command]);
        let (total, divide) = lines.split_last().unwrap();
        let moves = &divide[..divide.len() - 1];
        assert!(moves.len() == 20 && moves.is_sorted() && divide.last().unwrap().is_empty(), "{lines:#?}");
        assert_eq!((&*moves[0], &*moves[19]), ("a2a3: 380", "h2h4: 420"));
        let words: Vec<&str> = total.split(' ').collect();
        assert!(matches!(words.as_slice(), ["8902", "nodes", _, "ms", _, "nps"]), "{total}");
    }
}

#[test]
fn perft_counts_the_present_position() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (depth, count) in [(0, "1 nodes"), (1, "48 nodes"), (2, "2039 nodes"), (4, "4085603 nodes")] {
        let lines = output_of(&[&format!("position fen {fen}"), &format!("perft {depth}")]);
        assert!(lines.last().unwrap().starts_with(count), "{lines:#?}");
    }
    let lines = output_of(&["position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "perft 3"]);
    assert!(lines.last().unwrap().starts_with("0 nodes"), "{lines:#?}");
}

/// Runs `perft` on a file of these lines.
fn check_suite(name: &str, text: &str, options: &[&str]) -> (bool, Vec<String>) {
    let path = env::temp_dir().join(format!("luft-{name}-{}.epd", process::id()));
    fs::write(&path, text).unwrap();
    let path_text = path.to_str().unwrap();
    let arguments: Vec<&str> = ["perft", path_text].into_iter().chain(options.iter().copied()).collect();
    let ended = EngineProcess::start_with(&arguments).end();
    fs::remove_file(&path).unwrap();
    assert_eq!(ended.errors, "");
    (ended.status.success(), ended.lines)
}

const GOOD_LINE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902";

#[test]
fn perft_of_a_file_tells_what_is_wrong_by_its_exit_status() {
    let (success, lines) = check_suite("right", &format!("# a comment\n\n{GOOD_LINE}\n"), &["--threads", "2"]);
    assert_eq!((success, lines.join("|").as_str()), (true, "9322 nodes|1 passed, 0 failed"));
    let wrong = GOOD_LINE.replace("8902", "8903");
    let (success, lines) = check_suite("wrong", &format!("{GOOD_LINE}\n{wrong}\nnonsense ;D1 1\n"), &[]);
    assert_eq!((success, lines.last().unwrap().as_str()), (false, "1 passed, 2 failed"));
    assert!(lines[0].starts_with("line 2: depth 3: 8902 nodes, not 8903") && lines[1].starts_with("line 3: "));
    let (success, lines) = check_suite("limited", &format!("{wrong}\n"), &["--nodes", "1000"]);
    assert_eq!((success, lines.join("|").as_str()), (true, "420 nodes|1 passed, 0 failed"));
}

#[test]
fn perft_of_a_missing_file_fails() {
    let ended = EngineProcess::start_with(&["perft", "no-such-file.epd"]).end();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.lines[0].contains("'no-such-file.epd'"), "{:#?}", ended.lines);
}

#[test]
fn wrong_arguments_fail() {
    for arguments in [["bogus"].as_slice(), &["perft"], &["position fen 8/8 w - -", "d"], &["bench", "x"]] {
        let ended = EngineProcess::start_with(arguments).end();
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}");
        assert!(ended.lines[0].starts_with("info string error: "), "{:#?}", ended.lines);
    }
}

#[test]
fn d_shows_board_fen_key_checkers_and_moves() {
    let lines = output_of(&["position startpos moves e2e4 d7d5 f1b5", "d"]);
    for line in [
        "  8  r n b q k b n r",
        "  5  . B . p . . . .",
        "     a b c d e f g h",
        "FEN: rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2",
        "Checkers: b5",
        "Legal moves: b8c6 b8d7 c7c6 c8d7 d8d7",
        "State: check",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "'{line}' is not in {lines:#?}");
    }
    let key = lines.iter().find_map(|line| line.strip_prefix("Key: ")).unwrap();
    assert!(key.len() == 16 && u64::from_str_radix(key, 16).is_ok());
}

/// A number that tells by its sign whom it favours.
fn signed(text: &str) -> i64 {
    assert!(text == "0" || text.starts_with(['+', '-']), "'{text}'");
    text.parse().unwrap()
}

#[test]
fn eval_shows_the_worth_of_men_every_output_and_the_evaluation() {
    for (fen, men) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30),
        ("4k3/8/8/8/8/8/8/4KQ2 b - - 0 1", 1),
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", 1),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1),
    ] {
        let lines = output_of(&[&format!("position fen {fen}"), "eval"]);
        let at = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
        let worths = lines[2..at("     a")].iter().skip(1).step_by(2).flat_map(|line| line.split_whitespace());
        assert_eq!(worths.map(signed).count(), men, "{lines:#?}");
        let outputs = &lines[at("output") + 1..lines.len() - 2];
        let values: Vec<i64> = outputs.iter().map(|line| signed(line.split_whitespace().nth(2).unwrap())).collect();
        let used: Vec<usize> = (0..outputs.len()).filter(|&index| outputs[index].ends_with("  in use")).collect();
        assert_eq!(used.len(), 1, "{lines:#?}");
        let last = lines.last().unwrap();
        let evaluation = last.strip_prefix("Evaluation: ").unwrap().split(' ').next().unwrap();
        assert_eq!(signed(evaluation), values[used[0]], "{lines:#?}");
        assert!(last.contains(" centipawns for White"), "{last}");
        assert_eq!(last.contains("in check"), fen.contains("q3/4K3"), "{last}");
    }
}

#[test]
fn eval_is_the_same_for_both_sides_to_move_but_for_the_tempo() {
    let evaluation = |fen: &str| {
        let lines = output_of(&[&format!("position fen {fen}"), "eval"]);
        let last = lines.last().unwrap();
        signed(last.strip_prefix("Evaluation: ").unwrap().split(' ').next().unwrap())
    };
    // Exchanging colours and the move turns the sign.
    let here = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let there = "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1";
    assert_eq!(evaluation(here), -evaluation(there));
}

#[test]
fn help_names_every_command() {
    for help in ["help", "--help"] {
        let text = output_of(&[help]).join("\n");
        for word in [
            "uci",
            "isready",
            "ucinewgame",
            "setoption",
            "position",
            "go",
            "stop",
            "ponderhit",
            "quit",
            "perft",
            "bench",
            "speedtest",
            "eval",
            "flip",
            "genfens",
            "license",
            "export_net",
            "compiler",
            "version",
            "help",
        ] {
            assert!(text.contains(word), "{word} is not in the help");
        }
    }
}

#[test]
fn version_and_compiler_tell_what_this_is() {
    let version = format!("Luft {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(output_of(&["version"]), [version.as_str()]);
    assert_eq!(output_of(&["--version"]), [version.as_str()]);
    let text = output_of(&["compiler"]).join("\n");
    for part in [version.as_str(), env::consts::ARCH, env::consts::OS, "network kernels: "] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn each_argument_is_a_command_run_in_order() {
    let lines =
        output_of(&["position startpos moves e2e4", "go depth 3", "setoption name MultiPV value 2", "d", "go depth 2"]);
    let at = |beginning: &str| lines.iter().position(|line| line.starts_with(beginning)).unwrap();
    assert!(at("bestmove") < at("FEN: ") && lines.last().unwrap().starts_with("bestmove"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
    assert!(lines.iter().any(|line| line.contains("multipv 2")));
    // Words of one command may come apart.
    assert_eq!(output_of(&["perft", "2"]).last().unwrap().split(' ').next(), Some("400"));
}
