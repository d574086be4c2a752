//! L9 to L13: how a game ends.

use luft::chess::{Color, Game, Outcome};

use super::{INITIAL, exchanged, game, position};

/// The outcome of a position, and the same with colours exchanged.
fn outcomes(fen: &str) -> [Option<Outcome>; 2] {
    [fen.into(), exchanged(fen)].map(|fen: String| Game::new(position(&fen)).outcome())
}

#[test]
fn l09_checkmate_and_stalemate() {
    for fen in [
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1",
        "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1",
    ] {
        let winner = !position(fen).side_to_move();
        let mated = |winner| Some(Outcome::Checkmate { winner });
        assert_eq!(outcomes(fen), [mated(winner), mated(!winner)], "{fen}");
    }
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        // The knight could move but for the pin.
        "k1K5/1n6/1PB5/8/8/8/8/8 b - - 0 1",
    ] {
        assert_eq!(outcomes(fen), [Some(Outcome::Stalemate); 2], "{fen}");
    }
    for fen in [INITIAL, "R5k1/6pp/8/8/8/8/8/K7 b - - 0 1", "7k/5Q2/6K1/8/8/8/7p/8 b - - 0 1"] {
        assert_eq!(outcomes(fen), [None; 2], "{fen}");
    }
}

#[test]
fn l10_dead_positions() {
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KB2 b - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4kb2/b7/8/b7/8/8/8/B1B1K3 w - - 0 1",
    ] {
        assert_eq!(outcomes(fen), [Some(Outcome::DeadPosition); 2], "{fen}");
    }
    for fen in [
        "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
        "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kn2/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BKN2 w - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
    ] {
        assert_eq!(outcomes(fen), [None; 2], "{fen}");
    }
    // At once, by the capture that brings it about; and mate comes before it.
    let captured = game("4k3/8/8/8/8/8/3r4/4KB2 w - - 0 1", "e1d2");
    assert_eq!(captured.outcome(), Some(Outcome::DeadPosition));
    let two_knights = game("7k/8/5NKN/8/8/8/8/8 w - - 0 1", "h6f7");
    assert_eq!(two_knights.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
}

const KNIGHTS_OUT_AND_HOME: &str = "g1f3 g8f6 f3g1 f6g8";

fn shuffled(fen: &str, first: &str, times: usize) -> Game {
    game(fen, &format!("{first} {}", [KNIGHTS_OUT_AND_HOME].repeat(times).join(" ")))
}

#[test]
fn l11_threefold_repetition() {
    let counts: Vec<usize> = (0..4).map(|times| shuffled(INITIAL, "", times).occurrences()).collect();
    assert_eq!(counts, [1, 2, 3, 4]);
    assert_eq!(shuffled(INITIAL, "", 1).outcome(), None);
    assert_eq!(shuffled(INITIAL, "", 2).outcome(), Some(Outcome::Threefold));
    // A claim not made lapses until the position comes again.
    let mut lapsed = shuffled(INITIAL, "", 2);
    for text in "e2e4 g8f6 g1f3 f6g8 f3g1".split(' ') {
        lapsed.play(luft::chess::notation::parse_move(lapsed.position(), text).expect("a legal move"));
        assert_eq!(lapsed.outcome(), None);
    }
    assert_eq!(shuffled(INITIAL, "", 3).outcome(), Some(Outcome::Threefold));
    // The repetitions need not follow each other.
    let by_ways = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8";
    assert_eq!(game(INITIAL, by_ways).outcome(), Some(Outcome::Threefold));
}

#[test]
fn l11_same_side_and_same_rights() {
    // White loses a move with a triangle: the men stand as before, the other side is to move.
    let triangle = game("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", "e1d1 e8d8 d1d2 d8e8 d2e1");
    assert_eq!(triangle.occurrences(), 1);
    // The first time the king could still castle.
    let rights = "4k1n1/8/8/8/8/8/8/4K1NR w K - 0 1";
    let kings = "e1e2 g8f6 e2e1 f6g8";
    assert_eq!(game(rights, kings).occurrences(), 1);
    assert_eq!(game(rights, &[kings; 2].join(" ")).outcome(), None);
    assert_eq!(game(rights, &[kings; 3].join(" ")).outcome(), Some(Outcome::Threefold));
    assert_eq!(shuffled(rights, "", 2).outcome(), Some(Outcome::Threefold));
}

#[test]
fn l11_a_possible_en_passant_capture_counts() {
    let shuffle = "g8f6 g1f3 f6g8 f3g1";
    let occurrences = |fen: &str, times: usize| game(fen, &format!("e2e4 {}", [shuffle].repeat(times).join(" ")));
    let possible = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1";
    assert_eq!(occurrences(possible, 1).occurrences(), 1);
    assert_eq!(occurrences(possible, 2).outcome(), None);
    assert_eq!(occurrences(possible, 3).outcome(), Some(Outcome::Threefold));
    // No pawn beside it, or one that is pinned: the en passant square makes no difference.
    for unusable in ["4k1n1/8/8/8/8/8/4P3/4K1N1 w - - 0 1", "3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1"] {
        assert_eq!(occurrences(unusable, 1).occurrences(), 2, "{unusable}");
        assert_eq!(occurrences(unusable, 2).outcome(), Some(Outcome::Threefold), "{unusable}");
    }
}

#[test]
fn l11_in_the_search() {
    // Within the search one repetition is enough, before it two are needed.
    let once = shuffled(INITIAL, "", 1);
    assert!(once.is_repetition(5) && !once.is_repetition(4));
    assert!(shuffled(INITIAL, "", 2).is_repetition(0));
    // Black can go home and so repeat the position before White's first move.
    let upcoming = game(INITIAL, "g1f3 g8f6 f3g1");
    assert!(upcoming.has_upcoming_repetition(4) && !upcoming.has_upcoming_repetition(3));
    let again = game(INITIAL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert!(again.has_upcoming_repetition(0));
    let home = "4k3/8/8/8/8/8/6PP/R3K2R w - - 0 1";
    assert!(game(home, "a1a3 e8e7 a3a2 e7e8").has_upcoming_repetition(5));
    // Not when the way back is a pawn's, nor when a man stands in the way.
    assert!(!game(home, "h2h3 e8e7 h3h4 e7e8").has_upcoming_repetition(5));
    let round_the_pawn = "e8d8 a1b1 d8d7 b1b3 d7e7 b3a3 e7e8";
    assert!(!game("4k3/8/8/8/8/8/P7/R3K3 b - - 0 1", round_the_pawn).has_upcoming_repetition(8));
    assert!(game("4k3/8/8/8/8/8/1P6/R3K3 b - - 0 1", "e8d8 a1b1 d8d7 b1a1 d7e7 a1a3 e7e8").has_upcoming_repetition(8));
}

#[test]
fn l12_fifty_moves() {
    let rook = "7k/8/6K1/8/8/8/8/R7 w - - 99 90";
    assert_eq!(game(rook, "").outcome(), None);
    assert_eq!(game(rook, "a1b1").outcome(), Some(Outcome::FiftyMoves));
    assert!(game(rook, "a1b1").position().is_fifty_move_draw());
    // Mate given by the hundredth ply stands, and so does stalemate.
    let mate = game(rook, "a1a8");
    assert_eq!(mate.position().halfmove_clock(), 100);
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
    assert!(!mate.position().is_fifty_move_draw());
    assert_eq!(game("7k/8/6K1/8/8/8/8/5Q2 w - - 99 90", "f1f7").outcome(), Some(Outcome::Stalemate));
    // A check that is not mate is no excuse.
    assert_eq!(game("7k/8/5K2/8/8/8/8/R7 w - - 99 90", "a1a8").outcome(), Some(Outcome::FiftyMoves));
    // A capture or a pawn move begins the count again; castling does not.
    let counts = |fen: &str, mv: &str| game(fen, mv).position().halfmove_clock();
    assert_eq!(counts("4k3/8/8/8/8/8/3p4/4K2R w K - 99 90", "e1d2"), 0);
    assert_eq!(counts("4k3/8/8/8/8/8/3P4/4K2R w K - 99 90", "d2d3"), 0);
    assert_eq!(counts("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 90", "e5d6"), 0);
    assert_eq!(counts("4k3/8/8/8/8/8/3P4/4K2R w K - 98 90", "e1g1"), 99);
    // By each side: a hundred plies, whoever began.
    assert_eq!(game("r6k/8/6K1/8/8/8/8/R7 b - - 98 90", "h8g8").outcome(), None);
    assert_eq!(game("r6k/8/6K1/8/8/8/8/R7 b - - 98 90", "h8g8 a1b1").outcome(), Some(Outcome::FiftyMoves));
}

#[test]
fn l13_perpetual_check_ends_by_the_other_rules() {
    let checks = "h5e8 g8h7 e8h5 h7g8";
    let perpetual = |clock: u32| format!("6k1/6p1/8/7Q/8/8/1q6/7K w - - {clock} 90");
    let begun = game(&perpetual(0), checks);
    assert_eq!((begun.occurrences(), begun.outcome()), (2, None));
    assert_eq!(game(&perpetual(0), &[checks; 2].join(" ")).outcome(), Some(Outcome::Threefold));
    assert_eq!(game(&perpetual(96), checks).outcome(), Some(Outcome::FiftyMoves));
}
