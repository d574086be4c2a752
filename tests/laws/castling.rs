//! L6 and L7: castling.

use luft::chess::Position;
use luft::chess::notation::{MoveError, parse_move};

use super::{after, assert_moves, game, moves_from, position};

const OPEN: &str = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1";
const STEPS: &str = "d1 d2 e2 f1 f2";

#[test]
fn l06_castling() {
    assert_moves(OPEN, "e1", "c1 d1 d2 e2 f1 f2 g1");
    assert_eq!(after(OPEN, "e1g1"), "r3k2r/p6p/8/8/8/8/P6P/R4RK1 b kq -");
    assert_eq!(after(OPEN, "e1c1"), "r3k2r/p6p/8/8/8/8/P6P/2KR3R b kq -");
    assert_eq!(after(OPEN, "e1g1 e8c8"), "2kr3r/p6p/8/8/8/8/P6P/R4RK1 w - -");
    assert_eq!(after(OPEN, "e1c1 e8g8"), "r4rk1/p6p/8/8/8/8/P6P/2KR3R w - -");
}

#[test]
fn l06_rights_are_lost_for_good() {
    let castlings = |moves: &str| -> String {
        let moves = moves_from(game(OPEN, moves).position(), "e1");
        moves.split(' ').filter(|target| ["c1", "g1"].contains(target)).collect::<Vec<_>>().join(" ")
    };
    let there_and_back = |there: &str, back: &str| format!("{there} h7h6 {back} h6h5");
    assert_eq!(castlings(&there_and_back("e1e2", "e2e1")), "");
    assert_eq!(castlings(&there_and_back("h1g1", "g1h1")), "c1");
    assert_eq!(castlings(&there_and_back("a1b1", "b1a1")), "g1");
    assert_eq!(castlings(&there_and_back("a2a3", "a3a4")), "c1 g1");
    // A captured rook castles no more, even when another rook comes to its square.
    let rook_taken = "4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1";
    assert_eq!(after(rook_taken, "g3h1"), "4k3/8/8/8/8/8/8/R3K2n w Q -");
    assert_eq!(after(rook_taken, "g3h1 a1a2 e8e7 a2h2 e7e8 h2h1"), "4k3/8/8/8/8/8/8/4K2R b - -");
    assert_eq!(after("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "a1a8"), "R3k3/8/8/8/8/8/8/4K3 b - -");
}

#[test]
fn l06_barred_for_the_moment() {
    for (men, why) in [
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "in check from the front"),
        ("4k3/8/8/8/8/3n4/8/R3K2R w KQ - 0 1", "in check from a knight"),
    ] {
        let targets = moves_from(&position(men), "e1");
        assert!(!targets.contains("c1") && !targets.contains("g1"), "{why}: {targets}");
    }
    let row = |fen: &str, targets: &str| assert_moves(fen, "e1", targets);
    // Crosses or reaches an attacked square on one side, then on the other.
    row("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e2 f1 f2 g1");
    row("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "d1 d2 e2 f1 f2 g1");
    row("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "c1 d1 d2 e2");
    row("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "c1 d1 d2 e2 f1 f2");
    row("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", "d2 e2 f2");
    row("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", "c1 d1 d2 e2 f2");
    // A man between king and rook, own or enemy.
    for (fen, targets) in [
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", STEPS),
        ("4k3/8/8/8/8/8/8/R1B1KB1R w KQ - 0 1", "d1 d2 e2 f2"),
        ("4k3/8/8/8/8/8/8/Rn2K1nR w KQ - 0 1", "d1 f1 f2"),
        ("4k3/8/8/8/8/8/8/R2QKB1R w KQ - 0 1", "d2 e2 f2"),
    ] {
        row(fen, targets);
    }
}

#[test]
fn l06_allowed_all_the_same() {
    // The rook is attacked, or crosses an attacked square.
    assert_moves("r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "c1 d1 d2 e2 f1 f2 g1");
    assert_moves("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1", "c1 d1 d2 e2 f1 f2 g1");
    // The king was in check before.
    let checked = game("4k3/8/8/8/1b6/8/2P5/R3K2R w KQ - 0 1", "c2c3 b4a5");
    assert_eq!(moves_from(checked.position(), "e1"), "c1 d1 d2 e2 f1 f2 g1");
}

#[test]
fn l06_king_and_rook_on_one_rank() {
    // A rook promoted on e8 stands on the king's file and never castles with it.
    let promoted = game("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8r h8g7");
    assert_eq!(moves_from(promoted.position(), "e1"), "d1 d2 e2 f1 f2");
    for claimed in ["E", "K", "e", "Q"] {
        let fen = format!("4R3/6k1/8/8/8/8/8/4K3 w {claimed} - 0 1");
        assert!(position(&fen).castling().is_none(), "{fen}");
    }
    // A rook promoted on the corner of the other side gives no right, and takes the one that was there.
    assert_eq!(after("4k3/8/8/8/8/8/6p1/4K2R b K - 0 1", "g2h1r"), "4k3/8/8/8/8/8/8/4K2r w - -");
}

#[test]
fn l07_chess960_targets() {
    let castled = |fen: &str, mv: &str, result: &str| assert_eq!(after(fen, mv), result, "{mv} in {fen}");
    castled("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "4k3/8/8/8/8/8/8/5RK1 b - -");
    castled("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "4k3/8/8/8/8/8/8/2KR4 b - -");
    castled("4k3/8/8/8/8/8/8/5RKR w FH - 0 1", "g1f1", "4k3/8/8/8/8/8/8/2KR3R b - -");
    castled("4k3/8/8/8/8/8/8/R4KR1 w AG - 0 1", "f1g1", "4k3/8/8/8/8/8/8/R4RK1 b - -");
    castled("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - -");
    castled("2rk1r2/8/8/8/8/8/8/4K3 b cf - 0 1", "d8c8", "2kr1r2/8/8/8/8/8/8/4K3 w - -");
    castled("2rk1r2/8/8/8/8/8/8/4K3 b cf - 0 1", "d8f8", "2r2rk1/8/8/8/8/8/8/4K3 w - -");
    // Each side its own files.
    let double = "1r2k2r/8/8/8/8/8/3P1P2/R1K4R w AHbh - 0 1";
    castled(double, "c1a1 e8b8", "2kr3r/8/8/8/8/8/3P1P2/2KR3R w - -");
    castled(double, "c1h1 e8h8", "1r3rk1/8/8/8/8/8/3P1P2/R4RK1 w - -");
    castled(double, "a1b1", "1r2k2r/8/8/8/8/8/3P1P2/1RK4R b Kkq -");
}

#[test]
fn l07_chess960_conditions() {
    let allows = |fen: &str, mv: &str| {
        let position: Position = position(fen);
        match parse_move(&position, mv) {
            Ok(found) => found.is_castling(),
            Err(error) => {
                assert_eq!(error, MoveError::Illegal(mv.into()));
                false
            }
        }
    };
    let table = [
        ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", true),
        // A square that the king crosses, or reaches, is attacked.
        ("3rk3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", false),
        ("4kr2/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", false),
        ("4k1r1/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1", false),
        // Where neither is, attacks do not matter; not even on the rook.
        ("r3k2r/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1", true),
        ("4k1r1/8/8/8/8/8/8/R4K2 w A - 0 1", "f1a1", true),
        ("1r2k3/8/8/8/8/8/8/R4K2 w A - 0 1", "f1a1", true),
        // Men between start and end of either.
        ("4k3/8/8/8/8/8/8/1K1N2R1 w G - 0 1", "b1g1", false),
        ("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", "b1a1", false),
        ("4k3/8/8/8/8/8/8/RKN5 w A - 0 1", "b1a1", false),
        ("4k3/8/8/8/8/8/8/1RK4N w B - 0 1", "c1b1", true),
        ("4k3/8/8/8/8/8/8/NR3K2 w B - 0 1", "f1b1", true),
        ("4k3/8/8/8/8/8/8/RN3K2 w A - 0 1", "f1a1", false),
        ("4k3/8/8/8/8/8/8/5KRN w G - 0 1", "f1g1", true),
        ("4k3/8/8/8/8/8/8/4KR1N w F - 0 1", "e1f1", true),
        ("4k3/8/8/8/8/8/8/4KRN1 w F - 0 1", "e1f1", false),
        // The rook shields the king's target from the rank.
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", false),
        ("4k3/8/8/8/8/8/8/nRK5 w B - 0 1", "c1b1", true),
        ("4k3/8/8/8/8/8/8/1K1R3r w D - 0 1", "b1d1", false),
        // In check.
        ("4k3/8/8/8/8/8/3n4/1K4R1 w G - 0 1", "b1g1", false),
    ];
    for (fen, mv, allowed) in table {
        assert_eq!(allows(fen, mv), allowed, "{mv} in {fen}");
        let other = super::exchanged(fen);
        assert_eq!(allows(&other, &super::turned(mv)), allowed, "{mv} turned in {other}");
    }
}
