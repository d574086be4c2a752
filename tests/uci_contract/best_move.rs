//! Rules 1 and 2: one `go`, one `bestmove`, and not before its time.

use crate::POSITIONS;
use crate::engine_process::info::Score;
use crate::engine_process::searched::game_of;
use crate::engine_process::{WHILE, with_session};

const MATED: &str = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";

#[test]
fn one_go_gives_one_best_move_and_it_is_the_last_line() {
    with_session(|engine| {
        engine.go("depth 4").check(&game_of("", &[]));
        assert_eq!(engine.line_within(WHILE), None);
        engine.tell("");
    });
}

#[test]
fn every_search_keeps_the_rules() {
    with_session(|engine| {
        for limit in ["depth 6", "nodes 3000", "movetime 30", "nodes 1", "wtime 300 btime 300 winc 5 binc 5"] {
            for fen in POSITIONS {
                engine.tell(&format!("position fen {fen}"));
                engine.go(limit).check(&game_of(fen, &[]));
            }
        }
    });
}

#[test]
fn searches_stopped_at_any_moment_keep_the_rules() {
    with_session(|engine| {
        for round in 0..130 {
            let nodes = round * round * 3;
            let fen = POSITIONS[round % POSITIONS.len()];
            engine.tell(&format!("ucinewgame\nposition fen {fen}"));
            engine.go(&format!("nodes {nodes}")).check(&game_of(fen, &[]));
        }
    });
}

#[test]
fn without_a_legal_move_the_answer_is_none() {
    with_session(|engine| {
        for (fen, score) in [(MATED, Score::Mate(0)), (STALEMATE, Score::Cp(0))] {
            for limit in ["depth 3", "movetime 20", "wtime 100 btime 100", "nodes 10", "mate 1"] {
                engine.tell(&format!("position fen {fen}"));
                let searched = engine.go(limit);
                assert_eq!((&searched.best, &searched.ponder, searched.infos.len()), (&None, &None, 1));
                assert_eq!((searched.last().depth, searched.score()), (0, score));
                assert!(searched.last().pv.is_empty());
            }
        }
    });
}

#[test]
fn infinite_and_ponder_wait_for_stop() {
    let finished_early = [
        ("", "depth 2"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", ""),
        ("k6r/8/8/8/8/8/6r1/7K w - - 0 1", ""),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", ""),
        (MATED, ""),
        (STALEMATE, ""),
        ("", "movetime 1"),
        ("", "wtime 0 btime 0"),
        ("", "nodes 1"),
    ];
    with_session(|engine| {
        for (fen, limit) in finished_early {
            for how in ["infinite", "ponder"] {
                let position = if fen.is_empty() { "startpos".into() } else { format!("fen {fen}") };
                engine.tell(&format!("position {position}"));
                engine.send(&format!("go {how} {limit}"));
                engine.no_best_move();
                engine.stop();
            }
        }
    });
}

#[test]
fn pondering_on_a_mate_goes_on_to_tell_depths() {
    with_session(|engine| {
        // A mate in six with lines that break off.
        engine.tell("position fen rn3r2/pbppq1pk/1p2pb2/4N3/3PN3/3B4/PPP2PPP/R3K2R w KQ - 0 12");
        engine.send("go ponder wtime 600000 btime 600000");
        for _ in 0..6 {
            engine.read_until("info depth ");
        }
        engine.stop();
    });
}

#[test]
fn infinite_waits_even_at_maximum_depth() {
    with_session(|engine| {
        engine.tell("position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1");
        engine.send("go infinite");
        // Hundreds of tiny iterations must not flood the client.
        assert!(engine.no_best_move() < 100);
        engine.stop();
    });
}

#[test]
fn ponderhit_lets_the_clock_run() {
    with_session(|engine| {
        for limit in ["wtime 200 btime 200", "movetime 30", "depth 3", "nodes 100", "mate 1 depth 3"] {
            engine.tell("position startpos moves e2e4 e7e5");
            engine.send(&format!("go ponder {limit}"));
            engine.no_best_move();
            engine.send("ponderhit");
            engine.finish_search();
        }
    });
}

#[test]
fn an_endless_search_stays_endless_after_ponderhit() {
    with_session(|engine| {
        engine.send("go ponder");
        engine.send("ponderhit");
        engine.no_best_move();
        engine.stop().check(&game_of("", &[]));
    });
}

#[test]
fn ponderhit_without_pondering_does_nothing() {
    with_session(|engine| {
        engine.tell("ponderhit");
        engine.send("go infinite");
        engine.send("ponderhit");
        engine.no_best_move();
        engine.stop();
        engine.tell("ponderhit");
        engine.send("go ponder depth 1");
        engine.no_best_move();
        engine.stop();
    });
}
