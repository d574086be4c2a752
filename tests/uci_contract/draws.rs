//! Draws that depend on the moves sent, and mates that come before them.

use crate::engine_process::info::Score;
use crate::engine_process::searched::game_of;
use crate::engine_process::{EngineProcess, Searched, with_session};

fn search(engine: &mut EngineProcess, fen: &str, moves: &str, limit: &str) -> Searched {
    engine.tell(&format!("ucinewgame\nposition fen {fen} moves {moves}"));
    let searched = engine.go(limit);
    searched.check(&game_of(fen, &moves.split_whitespace().collect::<Vec<_>>()));
    searched
}

#[test]
fn the_worse_side_takes_a_third_repetition() {
    // White is lost, but his king's step to h1 leads to the first position.
    let fen = "k7/1rr5/8/8/8/8/8/7K b - - 0 1";
    with_session(|engine| {
        let once = "a8b8 h1g1 b8a8";
        // Beyond 100 centipawns a side is more likely to win than not.
        assert!(search(engine, fen, once, "depth 5").score().order() < -100);
        let twice = "a8b8 h1g1 b8a8 g1h1 a8b8 h1g1 b8a8";
        let searched = search(engine, fen, twice, "depth 5");
        assert_eq!((searched.score(), searched.best()), (Score::Cp(0), "g1h1"));
    });
}

#[test]
fn the_better_side_avoids_a_third_repetition() {
    let fen = "K7/1RR5/8/8/8/8/8/7k b - - 0 1";
    with_session(|engine| {
        let searched = search(engine, fen, "h1g1 a8b8 g1h1 b8a8 h1g1 a8b8 g1h1", "depth 5");
        assert!(searched.score().order() > 100, "{:?}", searched.last());
        assert_ne!(searched.best(), "b8a8");
    });
}

#[test]
fn a_perpetual_check_is_a_draw() {
    with_session(|engine| {
        // Black mates if he gets a move; the queen checks for ever on e8 and h5.
        let fen = "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1";
        assert_eq!(search(engine, fen, "", "depth 8").score(), Score::Cp(0));
    });
}

#[test]
fn occurrences_count_rights_and_possible_captures() {
    let rooks = "a1a2 a8a7 a2a1 a7a8";
    let knights = "g1f3 g8f6 f3g1 f6g8";
    let games = [
        (format!("a2a4 a7a5 {rooks} {rooks}"), 2),
        (format!("a2a4 a7a5 {knights} {knights}"), 3),
        ("e2e4 g8f6 g1f3 f6g8 f3g1".into(), 2),
        (format!("e2e4 a7a6 e4e5 d7d5 {knights}"), 1),
    ];
    with_session(|engine| {
        for (moves, count) in games {
            engine.tell(&format!("position startpos moves {moves}"));
            assert!(engine.ask("d").contains(&format!("Occurrences: {count}")), "{moves}");
        }
    });
}

#[test]
fn nothing_is_won_after_the_hundredth_ply() {
    with_session(|engine| {
        let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 99 120";
        assert_eq!(search(engine, fen, "", "depth 6").score(), Score::Cp(0));
        // A capture begins the count anew.
        let fen = "8/8/8/3k4/8/8/1p6/KQ6 w - - 99 120";
        assert!(search(engine, fen, "", "depth 6").score().order() > 100);
    });
}

#[test]
fn mate_on_the_hundredth_ply_counts() {
    with_session(|engine| {
        let mates = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 120";
        let searched = search(engine, mates, "", "depth 5");
        assert_eq!((searched.score(), searched.best()), (Score::Mate(1), "e1e8"));
        // A mate in two comes on the third ply.
        for (clock, score) in [(97, Score::Mate(2)), (98, Score::Cp(0))] {
            let fen = format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 120");
            assert_eq!(search(engine, &fen, "", "depth 6").score(), score);
        }
    });
}

#[test]
fn the_clock_of_the_moves_counts() {
    with_session(|engine| {
        let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 94 120";
        let moves = "b1b2 d5d6 b2b3 d6d7 b3b4";
        assert_eq!(search(engine, fen, moves, "depth 4").score(), Score::Cp(0));
    });
}

#[test]
fn dead_positions_are_drawn() {
    with_session(|engine| {
        for fen in ["8/8/4k3/8/8/4K3/8/8", "8/8/4k3/8/8/4KN2/8/8", "8/8/4k3/8/8/4KB2/8/8", "8/5b2/4k3/8/8/4KB2/8/8"] {
            assert_eq!(search(engine, &format!("{fen} w - - 0 1"), "", "depth 5").score(), Score::Cp(0), "{fen}");
        }
    });
}

#[test]
fn d_tells_the_state() {
    let states = [
        ("startpos", "in play"),
        ("startpos moves f2f3 e7e5 g2g4 d8h4", "checkmate, Black wins"),
        ("fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "draw by stalemate"),
        ("fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "draw, neither side can mate"),
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "draw by threefold repetition"),
        ("fen 8/8/4k3/8/8/4K3/8/R7 w - - 99 90 moves a1a2", "draw by the fifty-move rule"),
        ("fen 4k3/4R3/4K3/8/8/8/8/8 b - - 0 1", "check"),
    ];
    with_session(|engine| {
        for (position, state) in states {
            engine.tell(&format!("position {position}"));
            assert!(engine.ask("d").contains(&format!("State: {state}")), "{position}");
        }
    });
}
