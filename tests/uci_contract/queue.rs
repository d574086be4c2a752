//! Rules 3 and 4: nothing waits that may not, nothing is lost, and the rest happens in order.

use crate::engine_process::searched::game_of;
use crate::engine_process::{PROMPT, Searched, with_session};

#[test]
fn isready_is_answered_at_once() {
    with_session(|engine| {
        for go in ["", "go infinite", "go ponder wtime 1000 btime 1000", "go perft 9"] {
            engine.send(go);
            for _ in 0..20 {
                engine.send("isready");
                engine.read_within("readyok", PROMPT);
            }
            engine.send("stop\nisready");
            engine.read_within("readyok", PROMPT);
        }
    });
}

#[test]
fn isready_is_answered_after_a_large_table_is_cleared() {
    with_session(|engine| {
        engine.tell("setoption name Hash value 128");
        for work in ["setoption name Clear Hash", "ucinewgame", "setoption name Hash value 64"] {
            engine.send(&format!("{work}\nisready"));
            engine.read_within("readyok", PROMPT);
        }
    });
}

#[test]
fn a_stop_right_after_go_is_never_missed() {
    with_session(|engine| {
        for round in 0..300 {
            engine.send(if round % 2 == 0 { "go infinite\nstop" } else { "go ponder wtime 100000\nstop" });
            Searched::read(&engine.read_within("bestmove", PROMPT)).check(&game_of("", &[]));
        }
        engine.tell("");
    });
}

#[test]
fn a_stop_without_search_does_nothing_and_never_touches_the_next_go() {
    with_session(|engine| {
        engine.tell("stop\nstop");
        assert_eq!(engine.go("depth 4").last().depth, 4);
        engine.send("stop\ngo infinite");
        engine.no_best_move();
        engine.stop();
        for _ in 0..100 {
            engine.send("stop\ngo depth 3");
            assert_eq!(engine.finish_search().last().depth, 3);
        }
    });
}

#[test]
fn a_stop_that_comes_when_the_search_has_just_ended_is_harmless() {
    with_session(|engine| {
        for _ in 0..100 {
            engine.send("go depth 1");
            engine.send("stop");
            engine.finish_search();
            assert_eq!(engine.go("depth 3").last().depth, 3);
        }
    });
}

#[test]
fn a_second_go_waits_its_turn() {
    with_session(|engine| {
        engine.send("go depth 5\ngo depth 3\ngo depth 4");
        let depths = [(); 3].map(|()| engine.finish_search().check(&game_of("", &[])).last().depth);
        assert_eq!(depths, [5, 3, 4]);
        engine.tell("");
    });
}

#[test]
fn clients_send_stop_and_then_commands_without_waiting() {
    with_session(|engine| {
        for _ in 0..50 {
            engine.send("go infinite\nstop\nposition startpos moves e2e4\ngo depth 3");
            engine.finish_search().check(&game_of("", &[]));
            let second = engine.finish_search();
            assert_eq!(second.check(&game_of("", &["e2e4"])).last().depth, 3);
            engine.tell("position startpos");
        }
    });
}

#[test]
fn commands_during_a_search_are_applied_in_order_after_it() {
    with_session(|engine| {
        engine.send(
            "go movetime 100\nsetoption name MultiPV value 2\nposition startpos moves e2e4\ngo depth 3\n\
             ucinewgame\nsetoption name MultiPV value 1\nposition startpos\nsetoption name Nonsense\ngo depth 4",
        );
        assert_eq!(engine.finish_search().check(&game_of("", &[])).last_lines().len(), 1);
        let second = engine.finish_search();
        assert_eq!(second.check(&game_of("", &["e2e4"])).last_lines().len(), 2);
        let third = engine.finish_search();
        assert_eq!(third.check(&game_of("", &[])).last_lines().len(), 1);
        assert_eq!((third.remarks.len(), third.last().depth), (1, 4));
    });
}

#[test]
fn what_is_sent_after_a_go_does_not_change_its_search() {
    with_session(|engine| {
        engine.send("go infinite\nposition startpos moves e2e4\nsetoption name UCI_Chess960 value true");
        engine.no_best_move();
        engine.stop().check(&game_of("", &[]));
        assert!(engine.fen().contains(" b HAha "));
    });
}

#[test]
fn stop_ends_every_search_that_was_asked_for_before_it() {
    with_session(|engine| {
        engine.send("go infinite\ngo infinite\nposition startpos moves e2e4\ngo ponder\nposition startpos\nstop");
        for moves in [[].as_slice(), &[], &["e2e4"]] {
            Searched::read(&engine.read_within("bestmove", PROMPT)).check(&game_of("", moves));
        }
        assert_eq!(engine.go("depth 3").check(&game_of("", &[])).last().depth, 3);
    });
}

#[test]
fn ponderhit_reaches_the_search_that_still_waits() {
    with_session(|engine| {
        engine.send("go ponder depth 30\nstop\ngo ponder depth 3\nposition startpos\nponderhit");
        engine.finish_search();
        assert_eq!(engine.finish_search().last().depth, 3);
        engine.tell("");
    });
}

#[test]
fn a_count_of_leaves_takes_its_turn_and_can_be_stopped() {
    with_session(|engine| {
        engine.send("go depth 3\nperft 9\ngo depth 2");
        engine.finish_search();
        engine.send("stop");
        let lines = engine.read_within("bestmove", PROMPT);
        assert_eq!(lines[0], "info string perft stopped");
    });
}
