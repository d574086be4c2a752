//! `go` and the time it takes.

use std::time::{Duration, Instant};

use crate::engine_process::info::Score;
use crate::engine_process::searched::game_of;
use crate::engine_process::{PROMPT, with_session};

#[test]
fn no_time_at_all_gives_a_legal_move_at_once() {
    let limits = [
        "movetime 0",
        "wtime 0",
        "wtime 0 btime 0 winc 0 binc 0",
        "wtime -500 btime 60000",
        "btime 600000 binc 1000",
        "binc 5",
        "movestogo 1",
        "wtime 0 movestogo 1",
        "wtime 1 btime 1 movestogo 40",
        "depth 0",
        "depth -3",
        "nodes 0",
        "nodes 1",
        "mate 0 nodes 100",
        "wtime abc",
        "wtime",
        "movetime 10 wtime 3600000 btime 3600000",
        "depth 2 infinitely",
    ];
    with_session(|engine| {
        for limit in limits {
            let begun = Instant::now();
            engine.go(limit).check(&game_of("", &[]));
            assert!(begun.elapsed() < PROMPT, "go {limit}");
        }
    });
}

#[test]
fn no_time_is_enough_for_several_variations() {
    with_session(|engine| {
        engine.tell("setoption name MultiPV value 5");
        for limit in ["movetime 0", "nodes 0", "nodes 5", "nodes 30", "nodes 200", "wtime 0"] {
            let searched = engine.go(limit);
            searched.check(&game_of("", &[]));
            assert!(searched.infos.iter().all(|info| matches!(info.score, Score::Cp(-300..=300))), "{searched:#?}");
        }
    });
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    with_session(|engine| {
        let searched = engine.go("depth 60 nodes 2000 movetime 60000 wtime 3600000 btime 3600000");
        assert!(searched.last().nodes <= 2001);
        assert_eq!(engine.go("depth 3 nodes 100000000 movetime 600000 mate 1").last().depth, 3);
        engine.go("movetime 50 depth 100 nodes 100000000000").check(&game_of("", &[]));
    });
}

#[test]
fn depth_is_reached_and_not_passed() {
    with_session(|engine| {
        for depth in [1, 2, 5, 7] {
            let searched = engine.go(&format!("depth {depth}"));
            assert_eq!(searched.infos.iter().map(|info| info.depth).max(), Some(depth));
        }
    });
}

#[test]
fn nodes_are_exact_and_repeatable() {
    with_session(|engine| {
        for nodes in [10, 1000, 20_000] {
            let mut search = || {
                engine.tell("ucinewgame\nposition startpos");
                let searched = engine.go(&format!("nodes {nodes}"));
                assert!(searched.infos.iter().all(|info| info.nodes <= nodes + 1), "{searched:#?}");
                (searched.best.clone(), searched.infos.iter().map(|info| info.nodes).collect::<Vec<_>>())
            };
            assert_eq!(search(), search());
        }
    });
}

#[test]
fn go_without_a_limit_is_infinite() {
    with_session(|engine| {
        for go in ["", "searchmoves e2e4", "infinite"] {
            engine.send(&format!("go {go}"));
            engine.no_best_move();
            engine.stop().check(&game_of("", &[]));
        }
    });
}

#[test]
fn only_the_wanted_moves_are_searched() {
    with_session(|engine| {
        assert_eq!(engine.go("depth 4 searchmoves a2a3").best(), "a2a3");
        let searched = engine.go("searchmoves a2a3 h2h4 depth 4");
        assert!(["a2a3", "h2h4"].contains(&searched.best()));
        engine.tell("setoption name MultiPV value 9");
        assert_eq!(engine.go("searchmoves a2a3 h2h4 depth 4").check(&game_of("", &[])).last_lines().len(), 2);
    });
}

#[test]
fn illegal_wanted_moves_are_told_and_left_out() {
    with_session(|engine| {
        let searched = engine.go("searchmoves e2e5 a2a3 xyz depth 3");
        assert_eq!((searched.remarks.len(), searched.best()), (2, "a2a3"));
        assert!(searched.remarks[0].contains("'e2e5'") && searched.remarks[1].contains("'xyz'"));
        let searched = engine.go("searchmoves e2e5 depth 3");
        assert_eq!((searched.remarks.len(), searched.last().depth), (1, 3));
    });
}

#[test]
fn a_proof_of_a_mate_leaves_the_analysis_as_it_was() {
    with_session(|engine| {
        let analysed = engine.go("depth 12").last().nodes;
        engine.tell("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
        assert_eq!(engine.go("mate 1").best(), "e1e8");
        engine.tell("position startpos");
        let again = engine.go("depth 12").last().nodes;
        assert!(again * 2 < analysed, "{again} nodes after {analysed}: nothing is known any more");
    });
}

#[test]
fn a_mate_search_ends_with_the_proof() {
    with_session(|engine| {
        let mates = [
            ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
            ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ];
        for (fen, moves) in mates {
            engine.tell(&format!("ucinewgame\nposition fen {fen}"));
            let searched = engine.go(&format!("mate {moves}"));
            let last = searched.check(&game_of(fen, &[])).last();
            assert_eq!((last.score, last.pv.len() as i64), (Score::Mate(moves), 2 * moves - 1), "{last:?}");
            let pv: Vec<&str> = last.pv.iter().map(String::as_str).collect();
            let end = game_of(fen, &pv);
            assert!(end.position().in_check() && !end.position().has_legal_move());
        }
        assert_eq!(engine.go("mate 1 depth 2").last().depth, 2);
    });
}

#[test]
fn the_last_move_of_a_period_takes_nearly_all_that_is_left() {
    with_session(|engine| {
        let begun = Instant::now();
        engine.go("wtime 500 btime 500 movestogo 1");
        assert!(begun.elapsed() >= Duration::from_millis(400));
    });
}

#[test]
fn the_overhead_is_kept_free() {
    with_session(|engine| {
        engine.tell("setoption name Move Overhead value 5000");
        let begun = Instant::now();
        engine.go("wtime 5500 btime 5500 movestogo 1");
        // 500 ms are left; all 5.5 s would be used without the option.
        assert!(begun.elapsed() < Duration::from_millis(500) + PROMPT);
    });
}

#[test]
fn a_forced_move_is_answered_fast_and_still_has_a_line_and_a_score() {
    with_session(|engine| {
        let fen = "k6r/8/8/8/8/8/6r1/7K w - - 0 1";
        engine.tell(&format!("position fen {fen}"));
        let begun = Instant::now();
        let searched = engine.go("wtime 600000 btime 600000");
        // A hundredth of the clock, not of the budget, so that a busy machine does not matter.
        assert!(begun.elapsed() < Duration::from_secs(6));
        let last = searched.check(&game_of(fen, &[])).last();
        assert!(last.depth >= 1, "{last:?}");
    });
}

#[test]
fn time_counted_in_nodes_is_exact_and_repeatable() {
    with_session(|engine| {
        engine.tell("setoption name nodestime value 100");
        let searched = engine.go("movetime 50");
        let last = searched.check(&game_of("", &[])).last();
        // 50 ms are 5000 nodes, and what is told of the time is counted the same way.
        assert!((1000..=5001).contains(&last.nodes) && last.time == last.nodes / 100, "{last:?}");
        let mut game = || {
            engine.tell("ucinewgame");
            let mut moves: Vec<String> = Vec::new();
            let mut counts = Vec::new();
            for number in 0..6 {
                engine.tell(&format!("position startpos moves {}", moves.join(" ")));
                // The client's clock differs from run to run; only its first word on each side counts.
                let sent = if number < 2 { 400 } else { 1 + counts.len() * 7 };
                let searched = engine.go(&format!("wtime {sent} btime {sent} winc 10 binc 10"));
                counts.push(searched.last().nodes);
                moves.push(searched.best().into());
            }
            (moves, counts)
        };
        let (first, second) = (game(), game());
        assert_eq!(first, second);
        assert!(first.1.iter().all(|&nodes| (500..40_000).contains(&nodes)), "{first:?}");
    });
}

#[test]
fn time_counted_in_nodes_never_oversteps() {
    with_session(|engine| {
        for (per_ms, limit, most) in [
            (1, "wtime 1000 btime 1000", 1000),
            (7, "wtime 100 btime 100 movestogo 1", 700),
            (10_000, "movetime 3", 30_000),
            (50, "wtime 0 btime 0", 1),
        ] {
            engine.tell(&format!("ucinewgame\nsetoption name nodestime value {per_ms}"));
            let nodes = engine.go(limit).check(&game_of("", &[])).last().nodes;
            assert!(nodes <= most + 1, "{nodes} nodes for {limit} at {per_ms} a millisecond");
        }
        // Real time again.
        engine.tell("setoption name nodestime value 0");
        engine.go("movetime 20").check(&game_of("", &[]));
    });
}

#[test]
fn unknown_words_are_told_and_the_search_runs() {
    with_session(|engine| {
        let searched = engine.go("depth 3 quickly nodes many");
        assert_eq!(searched.remarks.len(), 2);
        assert!(searched.remarks[0].contains("'quickly'") && searched.remarks[1].contains("'many'"));
    });
}
