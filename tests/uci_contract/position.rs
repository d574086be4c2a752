//! `position`: what is refused with its reason, what is repaired, what is understood.

use crate::engine_process::with_session;

/// Positions that cannot be, and what the error must name.
const REFUSED: [(&str, &str); 29] = [
    ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks"),
    ("8/8/8/8/8/8/8/8/8 w - - 0 1", "9 ranks"),
    ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "'7'"),
    ("4k3/8/8/8/8/8/ppppppppp/4K3 w - - 0 1", "'ppppppppp'"),
    ("4k3/8/8/8/8/8/44p/4K3 w - - 0 1", "'44p'"),
    ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "'9'"),
    ("4k3/8/8/8/8/8/0p7/4K3 w - - 0 1", "'0'"),
    ("4k3/8/8/8/8/8/x7/4K3 w - - 0 1", "'x'"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
    ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "White has 2 kings"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a1"),
    ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a8"),
    ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "not to move is in check"),
    ("4k3/8/8/8/1b2r2b/8/8/4K3 w - - 0 1", "3 men give check"),
    ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1 1", "7 fields"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQ - 0 1", "White has 17 men"),
    ("rnbqkbnr/pppppppp/p7/8/8/8/8/4K3 w kq - 0 1", "Black has 17 men"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x'"),
    ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "'W'"),
    ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "'KX'"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "'e9'"),
    ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "'e4'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "'-1'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "'1.5'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1", "'99999999999'"),
    ("4k3/8/8/8/8/8/8/4K3 w -", "3 fields"),
    ("", "0 fields"),
];

#[test]
fn impossible_positions_are_refused_with_the_reason_and_the_position_stays() {
    with_session(|engine| {
        engine.tell("position startpos moves d2d4");
        let before = engine.fen();
        for (fen, reason) in REFUSED {
            let error = engine.error_of(&format!("position fen {fen}"));
            assert!(error.contains(reason), "'{fen}': {error}");
            assert_eq!(engine.fen(), before);
        }
    });
}

#[test]
fn texts_that_programs_produce_are_repaired_silently() {
    let repaired = [
        // Rights without king or rook in place.
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k2r/8/8/8/8/8/8/R2K4 w KQkq - 0 1", "4k2r/8/8/8/8/8/8/R2K4 w Qk - 0 1"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        // En passant squares that no legal capture can use.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"),
        // Counters.
        ("4k3/8/8/8/8/8/8/4K2R w K - 150 200", "4k3/8/8/8/8/8/8/4K2R w K - 150 200"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 3 0", "4k3/8/8/8/8/8/8/4K2R w K - 3 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1"),
        ("4k3/8/8/8/8/8/8/4K2R   w  K   -  65535 65535", "4k3/8/8/8/8/8/8/4K2R w K - 65535 65535"),
    ];
    with_session(|engine| {
        for (sent, meant) in repaired {
            engine.tell(&format!("position fen {sent}"));
            assert_eq!(engine.fen(), meant);
        }
    });
}

#[test]
fn counters_at_their_end_do_not_overflow() {
    with_session(|engine| {
        engine.tell("position fen 4k3/8/8/8/8/8/8/4K2R w K - 65535 65535 moves h1h2 e8e7 h2h1");
        assert_eq!(engine.fen(), "8/4k3/8/8/8/8/8/4K2R b - - 65535 65535");
        engine.go("depth 4");
    });
}

#[test]
fn both_kinds_of_castling_letters_are_understood() {
    let texts = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Hq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"),
        // The outermost rook, and one that is not.
        ("1r2k1r1/8/8/8/8/8/8/1R2KR1R w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2KR1R w KQkq - 0 1"),
        ("4k3/8/8/8/8/8/8/1R2KR1R w FB - 0 1", "4k3/8/8/8/8/8/8/1R2KR1R w FQ - 0 1"),
    ];
    with_session(|engine| {
        for (sent, meant) in texts {
            engine.tell(&format!("position fen {sent}"));
            assert_eq!(engine.fen(), meant);
        }
    });
}

#[test]
fn the_moves_are_played() {
    with_session(|engine| {
        engine.tell("position startpos moves");
        assert_eq!(engine.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        engine.tell("position startpos moves e2e4 g8f6 e4e5 d7d5 e5d6 e8d7 d6c7 d7e6 c7b8n");
        assert_eq!(engine.fen(), "rNbq1b1r/pp2pppp/4kn2/8/8/8/PPPP1PPP/RNBQKBNR b KQ - 0 5");
        engine.tell("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q e8e7");
        assert_eq!(engine.fen(), "Q7/4k3/8/8/8/8/8/4K3 w - - 1 2");
    });
}

#[test]
fn a_new_game_keeps_the_position_until_one_is_sent() {
    with_session(|engine| {
        engine.tell("position startpos moves e2e4\nucinewgame");
        assert!(engine.fen().contains(" b "));
        engine.tell("position startpos");
        assert!(engine.fen().contains(" w "));
    });
}
