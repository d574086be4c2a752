//! L18 and L19: writing and reading the moves of a game.

use luft::chess::notation::{SanError, ScoreError, ScoreFault, format_san, parse_san, parse_score};
use luft::chess::{Color, Game, Outcome, Position, Square};

use super::{exchanged, position, turned};

/// The name of the move that the board squares `from` and `to` describe, and of its mirror image for Black.
#[track_caller]
fn assert_name(fen: &str, uci: &str, name: &str) {
    for (fen, uci, name) in [(fen.into(), uci.into(), name.into()), (exchanged(fen), turned(uci), turned(name))] {
        let position = position(&fen);
        let mv = luft::chess::notation::parse_move(&position, &uci).expect("a legal move");
        assert_eq!(format_san(&position, mv), name, "{uci} in {fen}");
        assert_eq!(parse_san(&position, &name), Ok(mv), "{name} in {fen}");
    }
}

#[test]
fn l18_algebraic_notation() {
    let two_rooks = "1k6/8/8/R7/8/8/8/R3K2R w KQ - 0 1";
    let queens = "8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1";
    let pawns = "3n3k/4P3/8/2pP4/8/5p2/4P1P1/K7 w - c6 0 1";
    let table = [
        (super::INITIAL, "e2e4", "e4"),
        (super::INITIAL, "g1f3", "Nf3"),
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", "Rxd5"),
        ("4k3/8/8/8/8/8/3p4/3RK3 w - - 0 1", "e1d2", "Kxd2"),
        (pawns, "d5c6", "dxc6"),
        (pawns, "e2f3", "exf3"),
        (pawns, "g2f3", "gxf3"),
        (pawns, "e7e8q", "e8=Q+"),
        (pawns, "e7d8n", "exd8=N"),
        (pawns, "e7d8b", "exd8=B"),
        (pawns, "e7e8r", "e8=R+"),
        // Disambiguation: none, file, rank, both; never by what is illegal.
        (two_rooks, "h1g1", "Rg1"),
        (two_rooks, "a1d1", "Rd1"),
        (two_rooks, "a1a3", "R1a3"),
        (two_rooks, "a5a3", "R5a3"),
        ("6k1/8/8/8/8/8/8/R3KN1R w - - 0 1", "f1d2", "Nd2"),
        ("6k1/8/8/8/8/8/2K5/R6R w - - 0 1", "a1e1", "Rae1"),
        ("7k/8/8/8/8/8/3K4/1N3N2 w - - 0 1", "d2c3", "Kc3"),
        ("7k/8/8/8/8/8/4K3/1N3N2 w - - 0 1", "b1d2", "Nbd2"),
        (queens, "h4e1", "Qh4e1"),
        (queens, "e4e1", "Qee1"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        (two_rooks, "e1g1", "O-O"),
        (two_rooks, "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
        ("3k4/8/3K4/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", "Kg6"),
    ];
    for (fen, uci, name) in table {
        assert_name(fen, uci, name);
    }
}

const MINIATURE: [&str; 21] = [
    "e4", "e5", "Nf3", "f6", "Nxe5", "fxe5", "Qh5+", "Ke7", "Qxe5+", "Kf7", "Bc4+", "Kg6", "Qf5+", "Kh6", "d4+", "g5",
    "h4", "Be7", "hxg5+", "Kg7", "Qf7#",
];

/// The standard names of the moves of a score, and the game itself.
fn replay(text: &str) -> (Vec<String>, Game) {
    let start = Position::initial();
    let moves = parse_score(&start, text).unwrap_or_else(|error| panic!("{error}"));
    let mut game = Game::new(start);
    let mut names = Vec::new();
    for mv in moves {
        names.push(format_san(game.position(), mv));
        game.play(mv);
    }
    (names, game)
}

#[test]
fn l19_a_miniature_in_long_algebraic() {
    let long =
        "1. e2-e4 e7-e5 2. Ng1-f3 f7-f6? 3. Nf3:e5! f6:e5? 4. Qd1-h5+ Ke8-e7 5. Qh5:e5+ Ke7-f7 6. Bf1-c4+ Kf7-g6??
        7. Qe5-f5+ Kg6-h6 8. d2-d4+ g7-g5 9. h2-h4 Bf8-e7 10. h4:g5++ Kh6-g7 11. Qf5-f7 mate";
    let short =
        "1. e4 e5 2. Nf3 f6? 3. N:e5! f:e? 4. Qh5+ Ke7 5. Q:e5+ Kf7 6. Bc4+ Kg6?? 7. Qf5+ Kh6 8. d4+ g5 9. h4 Be7
        10. h:g++ Kg7 11. Qf7 mate";
    for text in [long, short] {
        let (names, mut game) = replay(text);
        assert_eq!(names, MINIATURE);
        assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
        // White's tenth move is double check, by the pawn and the rook behind it.
        game.undo();
        game.undo();
        let checkers: Vec<Square> = game.position().checkers().into_iter().collect();
        assert_eq!(checkers, [Square::H1, Square::G5]);
    }
}

#[test]
fn l19_an_illegal_fifth_move() {
    let text = "c4 c6, Nf3 d5, g3 Nf6, Bg2 g6, Bb2 Bg7";
    let error = parse_score(&Position::initial(), text).unwrap_err();
    let fault = ScoreFault::Move(SanError::Illegal("Bb2".into()));
    assert_eq!(error, ScoreError { number: 5, side: Color::White, fault });
    assert_eq!(error.to_string(), "at move 5 of White: move 'Bb2' is illegal here");
    // With the pawn out of the way the record goes on.
    assert_eq!(replay("c4 c6, Nf3 d5, g3 Nf6, Bg2 g6, b3 Bg7, Bb2").0.last().map(String::as_str), Some("Bb2"));
}

#[test]
fn l19_habits_of_writing() {
    let position = position("r3k2r/pPn2ppp/8/2PpP3/4p2P/8/PP3PP1/R3K2R w KQkq d6 0 1");
    let table = [
        ("0-0", "O-O"),
        ("0-0-0", "O-O-O"),
        ("c:d e.p.", "cxd6"),
        ("cd6 ep", "cxd6"),
        ("c5xd6 e.p.", "cxd6"),
        ("b8Q+", "b8=Q+"),
        ("b8(N)", "b8=N"),
        ("b:aQ+", "bxa8=Q+"),
        ("ba8/R", "bxa8=R+"),
        ("Ra1-b1!?", "Rb1"),
        ("Rh1h3", "Rh3"),
        ("h4-h5!", "h5"),
        ("g2g4", "g4"),
    ];
    for (text, name) in table {
        let mv = parse_san(&position, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format_san(&position, mv), name, "{text}");
    }
    for text in ["b8", "b:a", "ba"] {
        assert_eq!(parse_san(&position, text), Err(SanError::Ambiguous(text.into())));
    }
    for text in ["R:a7", "e:d5", "e5:f6 e.p.", "Ke1:e2"] {
        assert_eq!(parse_san(&position, text), Err(SanError::Illegal(text.into())));
    }
}
