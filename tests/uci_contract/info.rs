//! `info` lines. Their form and what always holds is checked by every search in these tests; here is the rest.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::POSITIONS;
use crate::engine_process::info::{Bound, Score, parse_info};
use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;

#[test]
fn each_completed_depth_is_told_once() {
    with_session(|engine| {
        let searched = engine.go("depth 9");
        let depths: Vec<u64> = searched.check(&game_of("", &[])).infos.iter().map(|info| info.depth).collect();
        assert_eq!(depths, (1..=9).collect::<Vec<_>>());
        assert!(searched.infos.iter().all(|info| info.selective_depth > 0));
    });
}

#[test]
fn variations_are_as_many_as_asked_for_or_as_there_are_moves() {
    with_session(|engine| {
        for wanted in [1, 3, 256] {
            engine.tell(&format!("setoption name MultiPV value {wanted}"));
            for fen in POSITIONS {
                engine.tell(&format!("position fen {fen}"));
                let game = game_of(fen, &[]);
                let searched = engine.go("depth 4");
                let lines = searched.check(&game).last_lines();
                assert_eq!(lines.len(), wanted.min(game.position().legal_moves().len()));
                assert!(lines.iter().all(|info| info.depth == 4));
            }
        }
    });
}

#[test]
fn stopped_variations_are_of_one_depth_too() {
    with_session(|engine| {
        engine.tell("setoption name MultiPV value 4");
        for nodes in (0..6000).step_by(211) {
            engine.tell("ucinewgame\nposition startpos moves e2e4 e7e5");
            let searched = engine.go(&format!("nodes {nodes}"));
            let lines = searched.check(&game_of("", &["e2e4", "e7e5"])).last_lines();
            assert_eq!(lines.len(), 4, "{searched:#?}");
        }
    });
}

#[test]
fn lines_end_where_the_game_ends() {
    with_session(|engine| {
        engine.tell("setoption name MultiPV value 40");
        // The queen mates on several squares, and gives stalemate on others.
        let fen = "7k/5K2/7P/6Q1/8/8/8/8 w - - 96 100";
        engine.tell(&format!("position fen {fen}"));
        let searched = engine.go("depth 6");
        searched.check(&game_of(fen, &[]));
        assert!(matches!(searched.score(), Score::Mate(1..)));
        let ends: HashSet<_> = searched
            .last_lines()
            .iter()
            .map(|info| {
                format!("{:?}", game_of(fen, &info.pv.iter().map(String::as_str).collect::<Vec<_>>()).outcome())
            })
            .collect();
        assert!(ends.contains("Some(Stalemate)") && ends.contains("Some(Checkmate { winner: White })"), "{ends:?}");
    });
}

#[test]
fn quick_mates_do_not_flood_the_client() {
    with_session(|engine| {
        engine.tell("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
        engine.send("go infinite");
        assert!(engine.no_best_move() < 100);
        engine.stop().check(&game_of("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", &[]));
    });
}

#[test]
fn moves_under_search_are_told_only_after_three_seconds() {
    with_session(|engine| {
        engine.send("go infinite");
        let mut told = Vec::new();
        while told.len() < 3 {
            let line = engine.line_within(Duration::from_secs(60)).expect("news of a long search");
            if line.contains(" currmove ") {
                told.push(line);
            } else if let Some(info) = parse_info(&line) {
                assert!(told.is_empty() || info.time >= 3000, "{line}");
            }
        }
        told.iter().for_each(|line| assert_eq!(parse_info(line), None));
        engine.stop();
    });
}

#[test]
fn moves_under_search_do_not_flood_the_client() {
    with_session(|engine| {
        engine.tell("setoption name MultiPV value 4");
        let begun = Instant::now();
        engine.send("go movetime 4000");
        let told = engine.read_until("bestmove").iter().filter(|line| line.contains(" currmove ")).count();
        let most = begun.elapsed().saturating_sub(Duration::from_secs(3)).as_millis() as usize / 50 + 1;
        assert!((1..=most).contains(&told), "{told} moves told, {most} at most");
    });
}

#[test]
fn a_mate_against_is_told_with_its_line() {
    with_session(|engine| {
        // Whatever White does, the second rook mates.
        let fen = "6k1/8/8/8/8/1r6/r7/7K w - - 0 1";
        engine.tell(&format!("position fen {fen}"));
        let searched = engine.go("depth 6");
        let last = searched.check(&game_of(fen, &[])).last();
        assert_eq!((last.score, last.pv.len()), (Score::Mate(-1), 2));
    });
}

#[test]
fn chances_are_told_when_asked_for_and_only_then() {
    with_session(|engine| {
        for fen in POSITIONS {
            engine.tell(&format!("position fen {fen}\nsetoption name UCI_ShowWDL value true"));
            let told = engine.go("depth 5");
            for info in &told.check(&game_of(fen, &[])).infos {
                let [win, _, loss] = info.chances.expect("chances are told");
                match info.score {
                    Score::Cp(value) => assert!(value.signum() * (win as i64 - loss as i64) >= 0, "{info:?}"),
                    Score::Mate(moves) => assert_eq!(win, if moves > 0 { 1000 } else { 0 }, "{info:?}"),
                }
            }
            engine.tell("setoption name UCI_ShowWDL value false");
            let silent = engine.go("depth 2");
            assert!(silent.check(&game_of(fen, &[])).infos.iter().all(|info| info.chances.is_none()));
        }
    });
}

#[test]
fn bounds_are_told_only_after_three_seconds() {
    with_session(|engine| {
        for fen in POSITIONS {
            engine.tell(&format!("position fen {fen}"));
            let searched = engine.go("nodes 60000");
            assert!(searched.infos.iter().all(|info| info.bound == Bound::Exact || info.time >= 3000), "{searched:#?}");
        }
    });
}

#[test]
fn a_hundred_centipawns_win_every_second_game() {
    with_session(|engine| {
        engine.tell("setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 60");
        let mut seen = 0;
        for fen in POSITIONS {
            engine.tell(&format!("position fen {fen}"));
            for info in engine.go("depth 4").infos {
                let [win, _, loss] = info.chances.expect("chances are told");
                match info.score {
                    Score::Cp(value @ 97..=103) => {
                        seen += 1;
                        assert!((470..=530).contains(&win), "{value}: {info:?}");
                    }
                    Score::Cp(value @ -103..=-97) => {
                        seen += 1;
                        assert!((470..=530).contains(&loss), "{value}: {info:?}");
                    }
                    _ => {}
                }
            }
        }
        assert!(seen > 0, "no score near a hundred");
    });
}
