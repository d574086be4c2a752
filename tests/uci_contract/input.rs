//! Rules 5, 7 and 8: any line can be read, and bad ones are told and change nothing.

use std::iter;

use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;

#[test]
fn empty_lines_and_comments_are_met_with_silence() {
    with_session(|engine| engine.tell("\n   \n\t\n\r\n# a comment\n#go infinite\n  # quit"));
}

#[test]
fn unknown_commands_give_one_error_line_that_names_the_word() {
    with_session(|engine| {
        for line in ["nonsense", "nonsense and more of it", "Nonsense?!", "ISREADY", "bestmove", "uciok", "e2e4"] {
            let word = line.split(' ').next().unwrap();
            assert!(engine.error_of(line).contains(&format!("'{word}'")));
        }
    });
}

#[test]
fn bad_commands_give_one_error_line_that_names_the_word() {
    let lines = [
        ("position", "position"),
        ("position e2e4", "'e2e4'"),
        ("position startpos e2e4", "'e2e4'"),
        ("setoption", "name"),
        ("setoption Hash value 3", "'Hash'"),
        ("setoption name", "name"),
        ("bench x", "'x'"),
        ("bench 1 1 1 1", "'1'"),
        ("perft", "depth"),
        ("perft 3 4", "'4'"),
        ("perft 3 --threads x", "'x'"),
        ("perft 3 --nonsense", "'--nonsense'"),
        ("perft 4000000000", "'4000000000'"),
        ("go perft 5000", "'5000'"),
    ];
    with_session(|engine| {
        for (line, word) in lines {
            let error = engine.error_of(line);
            assert!(error.contains(word), "'{line}': {error}");
        }
    });
}

#[test]
fn words_before_a_command_are_skipped() {
    with_session(|engine| {
        engine.tell("joho position startpos moves e2e4");
        assert!(engine.fen().contains(" b "));
        engine.send("please would you stop");
        engine.send("joho isready");
        assert_eq!(engine.read_until("readyok").len(), 1);
    });
}

#[test]
fn any_spacing_and_either_line_end_will_do() {
    with_session(|engine| {
        engine.send_bytes(b"  position \t startpos\tmoves  e2e4   e7e5 \r\n");
        engine.send_bytes(b"setoption\tname  MultiPV \t value   2\r\n\tgo\t depth   3\r\n");
        let searched = engine.finish_search();
        assert_eq!(searched.check(&game_of("", &["e2e4", "e7e5"])).last_lines().len(), 2);
        engine.send_bytes(b"position fen 8/8/4k3/8/8/4K3/8/R7   w \t-  -\t3   40\r\n");
        assert_eq!(engine.fen(), "8/8/4k3/8/8/4K3/8/R7 w - - 3 40");
    });
}

#[test]
fn bytes_that_are_no_text_are_an_unknown_command() {
    with_session(|engine| {
        engine.send_bytes(b"\xff\xfe\x00\x80\n");
        assert!(engine.read_until("info string error: unknown command")[0].len() > 30);
        engine.send_bytes(b"position fen \xc3\x28 w - -\n");
        engine.read_until("info string error: position");
        engine.tell("");
    });
}

#[test]
fn a_game_of_thousands_of_moves_is_one_line() {
    with_session(|engine| {
        let round_trip = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves: Vec<&str> = iter::repeat_n(round_trip, 1000).flatten().collect();
        engine.tell(&format!("position startpos moves {}", moves.join(" ")));
        assert!(engine.fen().ends_with(" w KQkq - 4000 2001"));
        engine.go("depth 5").check(&game_of("", &moves));
    });
}

#[test]
fn a_line_of_a_megabyte_is_read_to_its_end() {
    with_session(|engine| {
        let long = "x".repeat(1 << 20);
        assert!(engine.error_of(&long).contains("unknown command"));
        assert!(engine.error_of(&format!("position startpos moves {long}")).contains("is not a move"));
        engine.tell(&format!("# {long}"));
        engine.tell(&format!("{} isready", " ".repeat(1 << 20)).replace("isready", "stop"));
    });
}

#[test]
fn an_illegal_move_refuses_the_whole_command() {
    with_session(|engine| {
        engine.tell("position startpos moves d2d4");
        let before = engine.fen();
        let bad = [
            ("startpos moves e2e4 e7e5 e1e3", "e1e3"),
            ("startpos moves e2e5", "e2e5"),
            ("startpos moves e2e4 e2e4", "e2e4"),
            ("startpos moves e2e4 0000", "0000"),
            ("startpos moves e4", "e4"),
            ("startpos moves e2e4q", "e2e4q"),
            ("startpos moves e1g1", "e1g1"),
            ("startpos moves e2-e4", "e2-e4"),
            ("fen 8/P3k3/8/8/8/8/8/K7 w - - 0 1 moves a7a8", "a7a8"),
            ("fen 8/P3k3/8/8/8/8/8/K7 w - - 0 1 moves a7a8k", "a7a8k"),
            ("fen 4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1 moves e2d2", "e2d2"),
        ];
        for (position, word) in bad {
            let error = engine.error_of(&format!("position {position}"));
            assert!(error.contains(&format!("'{word}'")), "{position}: {error}");
            assert_eq!(engine.fen(), before);
        }
    });
}
