//! Chess960: how castling is written and read.

use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;

const STANDARD: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const SHUFFLED: &str = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1";

#[test]
fn castling_is_written_as_the_option_says() {
    with_session(|engine| {
        engine.tell(&format!("position fen {STANDARD}"));
        for (chess960, short, long) in [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1"), ("false", "e1g1", "e1c1")]
        {
            engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
            for written in [short, long] {
                // Both spellings are read in either mode.
                for sent in [written, if written == short { "e1h1" } else { "e1a1" }] {
                    assert_eq!(engine.go(&format!("depth 2 searchmoves {sent}")).best(), written);
                }
            }
        }
    });
}

#[test]
fn both_spellings_are_played_in_either_mode() {
    with_session(|engine| {
        for chess960 in ["false", "true"] {
            engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
            for moves in ["e1g1 e8c8", "e1h1 e8a8", "e1g1 e8a8"] {
                engine.tell(&format!("position fen {STANDARD} moves {moves}"));
                assert!(engine.fen().starts_with("2kr3r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 2 2"));
            }
        }
    });
}

#[test]
fn a_move_that_can_be_a_plain_king_move_is_one() {
    with_session(|engine| {
        engine.tell("setoption name UCI_Chess960 value true");
        engine.tell(&format!("position fen {SHUFFLED} moves f1g1"));
        assert!(engine.fen().starts_with("1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R4KR b hb - "));
        engine.tell(&format!("position fen {SHUFFLED} moves f1h1 f8b8"));
        assert!(engine.fen().starts_with("2kr3r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - "));
    });
}

#[test]
fn shuffled_castling_is_king_takes_rook_even_without_the_option() {
    with_session(|engine| {
        engine.tell(&format!("position fen {SHUFFLED}"));
        assert_eq!(engine.go("depth 2 searchmoves f1h1").best(), "f1h1");
        assert_eq!(engine.go("depth 2 searchmoves f1b1").best(), "f1b1");
    });
}

#[test]
fn the_option_outlives_startpos_and_new_games() {
    with_session(|engine| {
        engine.tell("setoption name UCI_Chess960 value true");
        engine.send("uci");
        engine.read_until("uciok");
        engine.tell("ucinewgame\nposition startpos");
        assert!(engine.fen().contains(" HAha "));
        engine.tell("position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5");
        assert_eq!(engine.go("depth 1 searchmoves e1g1").best(), "e1h1");
    });
}

#[test]
fn lines_and_divides_use_the_same_spelling() {
    with_session(|engine| {
        engine.tell(&format!("position fen {STANDARD}"));
        for (chess960, castling, other) in [("false", "e1g1: 1", "e1h1: 1"), ("true", "e1h1: 1", "e1g1: 1")] {
            engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
            engine.send("go perft 1");
            let lines = engine.read_until("25 nodes");
            assert!(lines.iter().any(|line| line == castling) && !lines.iter().any(|line| line == other), "{lines:#?}");
        }
    });
}

#[test]
fn chess960_searches_keep_the_rules() {
    let starts = [
        SHUFFLED,
        "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
        "4k3/8/8/8/8/8/8/KR6 w B - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        "rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAha - 0 1",
        "nqnbrkbr/1ppppp1p/p7/6p1/6P1/P6P/1PPPPP2/NQNBRKBR w HEhe - 1 9",
    ];
    with_session(|engine| {
        for chess960 in ["true", "false"] {
            engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
            for fen in starts {
                engine.tell(&format!("position fen {fen}"));
                engine.go("depth 6").check(&game_of(fen, &[]));
            }
        }
    });
}
