//! L1 to L5 and L8: how the men move.

use luft::chess::notation::{FenError, MoveError, parse_fen, parse_move};
use luft::chess::{Bitboard, Color, Outcome, Piece, PieceKind, Position, SetupError, Square};

use super::{INITIAL, after, assert_move_count, assert_moves, game, moves_from, position};

#[test]
fn l01_board_array_and_turns() {
    assert!(Bitboard::DARK_SQUARES.has(Square::A1) && Bitboard::DARK_SQUARES.has(Square::H8));
    assert!(Bitboard::LIGHT_SQUARES.has(Square::H1) && Bitboard::LIGHT_SQUARES.has(Square::A8));
    let initial = Position::initial();
    assert_eq!(initial.to_string(), INITIAL);
    for (square, piece) in [(Square::D1, Piece::WhiteQueen), (Square::D8, Piece::BlackQueen)] {
        assert_eq!(initial.piece_on(square), Some(piece));
    }
    assert_eq!((initial.king(Color::White), initial.king(Color::Black)), (Square::E1, Square::E8));
    assert_eq!(initial.side_to_move(), Color::White);
    for mv in initial.legal_moves() {
        let answer = initial.after(mv);
        assert_eq!(answer.side_to_move(), Color::Black);
        assert!(answer.legal_moves().into_iter().all(|mv| answer.after(mv).side_to_move() == Color::White));
        assert_ne!(mv.from(), mv.to());
    }
    assert_eq!(parse_move(&initial, "0000"), Err(MoveError::Syntax("0000".into())));
    assert_eq!(parse_move(&initial, "e1e1"), Err(MoveError::Illegal("e1e1".into())));
}

#[test]
fn l02_pieces() {
    assert_moves("k7/8/8/8/4K3/8/8/8 w - - 0 1", "e4", "d3 d4 d5 e3 e5 f3 f4 f5");
    assert_moves("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1", "a2 b1 b2");
    let rook = "a1 b2 b3 b4 b5 b6 b7 b8 c1 d1 e1 f1 g1 h1";
    assert_moves("3k4/8/8/8/8/8/7K/1R6 w - - 0 1", "b1", rook);
    assert_moves("8/k7/8/8/4B3/8/7K/8 w - - 0 1", "e4", "a8 b1 b7 c2 c6 d3 d5 f3 f5 g2 g6 h1 h7");
    assert_moves("8/1k6/8/8/4N3/8/8/K7 w - - 0 1", "e4", "c3 c5 d2 d6 f2 f6 g3 g5");
    assert_moves("1k6/8/8/8/8/8/7K/N7 w - - 0 1", "a1", "b3 c2");
    let queen = "a2 a3 a4 a5 a6 a7 a8 b1 b2 c1 c3 d1 d4 e1 e5 f1 f6 g1 g7 h1 h8";
    assert_moves("8/1k6/8/8/8/8/7K/Q7 w - - 0 1", "a1", queen);
}

#[test]
fn l02_sliders_never_jump_and_knights_do() {
    // Own men stop a slider before them, enemy men on their own square.
    assert_moves("7k/8/8/1p1P4/8/1R1p4/8/1N5K w - - 0 1", "b3", "a3 b2 b4 b5 c3 d3");
    assert_moves("7k/8/p5P1/8/2B5/8/P3p3/7K w - - 0 1", "c4", "a6 b3 b5 d3 d5 e2 e6 f7 g8");
    assert_moves("7k/8/2p5/1P6/QP6/PP6/8/7K w - - 0 1", "a4", "a5 a6 a7 a8");
    assert_moves(INITIAL, "d1", "");
    assert_moves("k7/8/3ppp2/3PPP2/3PNP2/3PPP2/8/7K w - - 0 1", "e4", "c3 c5 d2 d6 f2 f6 g3 g5");
}

#[test]
fn l02_captures_and_kings() {
    assert_eq!(after("k7/8/8/3p4/8/4N3/8/K7 w - - 0 1", "e3d5"), "k7/8/8/3N4/8/8/8/K7 b - -");
    assert_eq!(after("k7/8/8/3n4/8/8/3R4/K7 w - - 0 1", "d2d5"), "k7/8/8/3R4/8/8/8/K7 b - -");
    // Kings keep a square between them, and take neither each other nor what is guarded.
    assert_moves("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3", "c2 c3 d2 e2 e3");
    assert_moves("8/8/8/8/4k3/4n3/4K3/8 w - - 0 1", "e2", "d2 e1 f2");
    for fen in ["8/8/8/3k4/3K4/8/8/8 w - - 0 1", "3k4/8/8/8/8/8/8/3RK3 w - - 0 1"] {
        assert_eq!(parse_fen(fen), Err(FenError::Setup(SetupError::OpponentInCheck)));
    }
}

#[test]
fn l03_pawns() {
    assert_moves("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2", "e3 e4");
    assert_moves("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3", "e4");
    assert_moves("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2", "");
    assert_moves("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e2", "e3");
    assert_moves("4k3/8/8/8/4N3/8/4P3/4K3 w - - 0 1", "e2", "e3");
    assert_moves("4k3/8/8/8/8/3pnp2/4P3/4K3 w - - 0 1", "e2", "d3 f3");
    assert_moves("4k3/8/8/8/8/3P1N2/4P3/4K3 w - - 0 1", "e2", "e3 e4");
    assert_moves("4k3/8/8/3ppp2/3pPp2/3p1p2/8/4K3 w - - 0 1", "e4", "d5 f5");
    // Not across the edge of the board.
    assert_moves("4k3/8/p7/7p/7P/8/8/4K3 w - - 0 1", "h4", "");
    assert_moves("4k3/8/8/p7/P6p/8/8/4K3 w - - 0 1", "a4", "");
}

#[test]
fn l04_en_passant() {
    let before = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    assert_eq!(after(before, "d7d5"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    assert_eq!(after(before, "d7d5 e5d6"), "4k3/8/3P4/8/8/8/8/4K3 b - -");
    assert_moves("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6 e6");
    assert_moves("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5", "c6 d6");
    // Directly after the double step only, and after no single step.
    assert_eq!(moves_from(game(before, "d7d5 e1e2 e8e7").position(), "e5"), "e6");
    assert_eq!(moves_from(game("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5").position(), "e5"), "e6");
    assert_eq!(moves_from(game("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d6").position(), "e5"), "d6 e6");
    // Only by a pawn, and only by one that stands beside.
    assert_moves("4k3/8/8/3pN3/8/8/8/4K3 w - d6 0 1", "e5", "c4 c6 d3 d7 f3 f7 g4 g6");
    assert_moves("4k3/8/8/3p1P2/8/8/8/4K3 w - d6 0 1", "f5", "f6");
    assert_moves("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1", "h5", "h6");
    // The square is kept only where the capture is possible.
    assert_eq!(after(INITIAL, "e2e4"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
}

#[test]
fn l04_en_passant_must_leave_the_king_safe() {
    // Both pawns leave the rank at once; the captured one leaves a diagonal; the capturing one is pinned.
    assert_moves("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5", "e6");
    assert_moves("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", "e5", "e6");
    assert_moves("4k3/1b6/8/3pP3/8/5K2/8/8 w - d6 0 1", "e5", "e6");
    assert_moves("k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "e6");
    assert_moves("k7/6b1/8/3pP3/8/8/1K6/8 w - d6 0 1", "e5", "");
    // Along the line of the pin it may capture.
    assert_moves("k7/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1", "e5", "d6");
    // A second man on the rank still shields the king.
    assert_moves("4k3/8/8/K1NpP2r/8/8/8/8 w - d6 0 1", "e5", "d6 e6");
    // It may meet the check of the pawn that stepped, or that of a slider by standing in its way.
    assert_moves("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "e5", "d6");
    assert_moves("4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "e5", "d6");
    assert_moves("4k3/8/1r4K1/3pP3/8/8/8/8 w - d6 0 1", "e5", "d6 e6");
    assert_moves("4k3/6K1/8/3pP3/3n4/8/8/6r1 w - d6 0 1", "e5", "");
}

#[test]
fn l05_promotion() {
    assert_moves("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7", "e8b e8n e8q e8r");
    assert_moves("3n1n1k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7", "d8b d8n d8q d8r e8b e8n e8q e8r f8b f8n f8q f8r");
    assert_moves("3nbn1k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7", "d8b d8n d8q d8r f8b f8n f8q f8r");
    // Whatever is still on the board, and at once: the ninth queen checks, the new knight mates.
    let nine_queens = game("7k/P5pp/8/8/8/8/QQQQQQQQ/K7 w - - 0 1", "a7a8q");
    assert_eq!(nine_queens.position().board().pieces(Color::White, PieceKind::Queen).len(), 9);
    assert!(nine_queens.position().in_check());
    let smothered = game("6br/5Ppk/6pp/8/8/8/8/K7 w - - 0 1", "f7f8n");
    assert_eq!(smothered.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
    assert_eq!(after("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8r"), "R7/7k/8/8/8/8/8/K7 b - -");
    for text in ["e7e8", "e7e8k", "e7e8p"] {
        let promoting = position("7k/4P3/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(parse_move(&promoting, text), Err(MoveError::Illegal(text.into())));
    }
    assert_eq!(
        parse_move(&position("7k/8/4P3/8/8/8/8/K7 w - - 0 1"), "e6e7q"),
        Err(MoveError::Illegal("e6e7q".into()))
    );
}

#[test]
fn l08_check_must_be_met() {
    // By the king, by capture, by interposing; nothing else.
    let rook_checks = "4k3/8/8/8/4r3/8/3P4/R2QK1N1 w - - 0 1";
    assert_moves(rook_checks, "e1", "f1 f2");
    assert_moves(rook_checks, "d1", "e2");
    assert_moves(rook_checks, "g1", "e2");
    assert_moves(rook_checks, "a1", "");
    assert_moves(rook_checks, "d2", "");
    assert_moves("4k3/8/8/8/4r3/8/8/Q3K2B w - - 0 1", "h1", "e4");
    // A knight's check cannot be blocked.
    assert_moves("4k3/8/8/8/8/3n4/8/R1B1K2R w - - 0 1", "a1", "");
    assert_moves("4k3/8/8/8/8/3n4/8/3QK3 w - - 0 1", "d1", "d3");
    // A king does not step back along the line of the check.
    assert_moves("4k3/8/8/8/r3K3/8/8/8 w - - 0 1", "e4", "d3 d5 e3 e5 f3 f5");
}

#[test]
fn l08_two_checkers_leave_only_king_moves() {
    let double = "4k3/8/8/8/4r3/3n4/3P1P2/R2QK2R w KQ - 0 1";
    assert_moves(double, "e1", "f1");
    assert_move_count(double, 1);
    let discovered = game("4k3/8/8/8/4r3/8/4n3/Q3K2R b K - 0 1", "e2c3");
    assert_eq!(discovered.position().checkers().len(), 1);
    let doubled = game("4k3/8/8/4r3/4n3/8/8/Q3K2R b K - 0 1", "e4d2").position().checkers();
    assert_eq!(doubled.len(), 1);
}

#[test]
fn l08_pins() {
    assert_moves("4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "e3", "");
    assert_moves("4k3/4r3/8/8/8/4B3/8/4K3 w - - 0 1", "e3", "");
    assert_moves("4k3/4r3/8/8/8/4R3/8/4K3 w - - 0 1", "e3", "e2 e4 e5 e6 e7");
    assert_moves("4k3/4r3/8/8/8/4Q3/8/4K3 w - - 0 1", "e3", "e2 e4 e5 e6 e7");
    assert_moves("4k3/4r3/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2", "e3 e4");
    assert_moves("4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "d2", "");
    assert_moves("4k3/8/8/8/8/2b5/3P4/4K3 w - - 0 1", "d2", "c3");
    assert_moves("4k3/8/8/b7/8/2Q5/8/4K3 w - - 0 1", "c3", "a5 b4 d2");
    // Two men on the line are not pinned, and a pinned man may not meet another check.
    assert_moves("4k3/4r3/8/8/4P3/4N3/8/4K3 w - - 0 1", "e3", "c2 c4 d1 d5 f1 f5 g2 g4");
    assert_moves("4k3/4r3/8/8/8/4R3/8/r3K3 w - - 0 1", "e3", "");
}
