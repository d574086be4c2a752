//! Tables of texts and what the readers of notation make of them.

use luft::chess::notation::{
    Epd, EpdError, FenError, Operand, PerftLine, PerftLineError, SanError, ScoreError, ScoreFault, format_san,
    parse_fen, parse_san, parse_score,
};
use luft::chess::{Color, Position, SetupError, Square};

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The standard form of what a text says in a position, or the error.
fn read(fen: &str, text: &str) -> Result<String, SanError> {
    let position = position(fen);
    parse_san(&position, text).map(|mv| format_san(&position, mv))
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White captures with pawns, with a piece, and en passant on d6 from both sides.
const CAPTURES: &str = "rnbqkb1r/ppp1pp1p/5n2/2PpP1p1/7P/5N2/PP1P1PP1/RNBQKB1R w KQkq d6 0 6";
const PROMOTION: &str = "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1";
const ROOKS: &str = "1k6/8/8/R7/8/8/8/R3K2R w KQ - 0 1";
const QUEENS: &str = "8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1";
/// King f1 and rook g1: castling takes the king to g1, where it cannot step.
const CHESS960: &str = "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1";
/// King f1 and rook h1: g1 is the target of castling and of a step.
const TWO_WAYS: &str = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";

#[test]
fn spellings_of_one_move() {
    let table: [(&str, &str, &[&str]); 20] = [
        (INITIAL, "Nf3", &["Nf3", "Ng1-f3", "Ng1f3", "g1f3", "Ngf3", "N1f3", "Nf3!?", "Nf3 !", "Ng1–f3", " Nf3 "]),
        (INITIAL, "e4", &["e4", "e2e4", "e2-e4", "ee4", "Pe4", "Pe2-e4", "e4??"]),
        (CAPTURES, "exf6", &["exf6", "ef6", "e:f6", "e5f6", "e5xf6", "e5:f6", "e5-f6", "e:f", "ef", "exf", "e×f6"]),
        (CAPTURES, "cxd6", &["cxd6", "cd6", "c5xd6", "cxd6 e.p.", "cxd6e.p.", "cd6ep", "c:d e.p.", "c:d ep", "c5d6"]),
        (CAPTURES, "exd6", &["exd6", "e5:d6 e.p.", "e:d ep", "ed", "e5-d6"]),
        (CAPTURES, "hxg5", &["hxg5", "h:g5", "h:g", "hg", "h:g++", "hg5+", "h4:g5 ++"]),
        (CAPTURES, "Nxg5", &["Nxg5", "N:g5", "Ng5", "Nf3:g5", "Nf3xg5", "f3g5", "NXg5"]),
        (PROMOTION, "e8=Q+", &["e8=Q", "e8Q", "e8/Q", "e8(Q)", "e8=q", "e7e8q", "e7-e8Q+", "e8(Q)+", "e8=Q mate"]),
        (PROMOTION, "exd8=N", &["exd8=N", "ed8N", "ed=N", "e:dN", "e:d8(N)", "e7d8n", "e7xd8/N"]),
        (ROOKS, "O-O", &["O-O", "0-0", "o-o", "O–O", "0-0!", "e1g1", "Ke1-g1", "e1h1"]),
        (ROOKS, "O-O-O", &["O-O-O", "0-0-0", "o-o-o", "e1c1", "e1a1", "Ke1c1"]),
        (ROOKS, "R1a3", &["R1a3", "Ra1-a3", "Ra1a3"]),
        (ROOKS, "R5a3", &["R5a3", "Ra5-a3"]),
        (ROOKS, "Rd1", &["Rd1", "Rad1", "Ra1d1"]),
        (QUEENS, "Qh4e1", &["Qh4e1", "Qh4-e1", "h4e1"]),
        (CHESS960, "O-O", &["O-O", "0-0", "f1g1", "Kf1-g1"]),
        (CHESS960, "O-O-O", &["O-O-O", "f1a1", "f1c1"]),
        (TWO_WAYS, "Kg1", &["Kg1", "f1g1", "Kf1-g1"]),
        (TWO_WAYS, "O-O", &["0-0", "f1h1"]),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8#", &["Rh8", "Rh8#", "Rh8mate", "Rh8 mate", "Rh8+!!"]),
    ];
    for (fen, standard, texts) in table {
        for text in texts {
            assert_eq!(read(fen, text).as_deref(), Ok(standard), "'{text}' in {fen}");
        }
    }
}

#[test]
fn only_legal_moves_need_to_be_told_apart() {
    let pinned = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    assert_eq!(read(pinned, "Ne2").as_deref(), Ok("Ne2"));
    assert_eq!(read(pinned, "Nge2").as_deref(), Ok("Ne2"));
    assert_eq!(read(pinned, "Nce2"), Err(SanError::Illegal("Nce2".into())));
}

#[test]
fn texts_that_are_no_moves() {
    for text in [
        "", " ", "+", "mate", "e.p.", "e", "4", "N", "Nf", "Nx", "N3", "e9", "i4", "Zf3", "e4e4e", "e4=", "e8=K",
        "e8=P", "e8=X", "e8=QQ", "e8((Q)", "e8)", "Nf33", "O-O-O-O", "O-", "--", "e2-", "nf3", "Ke1-", "x", "é4",
        "♘f3", "0", "O-O e.p.", "e2e4e5", "Nexf3x", "e4 e5", "0000",
    ] {
        assert_eq!(read(INITIAL, text), Err(SanError::Syntax(text.into())), "'{text}'");
    }
}

#[test]
fn moves_that_are_illegal() {
    let table: [(&str, &[&str]); 7] = [
        (INITIAL, &["e5", "Nf4", "Ke2", "O-O", "exd3", "Bb2", "Nxf3", "e:d", "e2xe4", "e7e5", "Pf1", "e4 e.p.", "ee"]),
        (CAPTURES, &["cxb6", "hxg5 e.p.", "dxc4", "Nxh4", "N:f3", "e6 ep", "O-O"]),
        (PROMOTION, &["e6", "Ke8", "exf8=Q", "a8=Q", "Ka2=Q"]),
        (ROOKS, &["Ke3", "Ke1xh1", "Kg1", "Kh1", "e1f3", "Re1g1"]),
        ("4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", &["f3", "f4", "O-O"]),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", &["O-O", "Rg1", "Kf2", "Kd2"]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", &["O-O", "0-0-0", "e1g1", "Ke1-g1"]),
    ];
    for (fen, texts) in table {
        for text in texts {
            assert_eq!(read(fen, text), Err(SanError::Illegal((*text).into())), "'{text}' in {fen}");
        }
    }
}

#[test]
fn texts_that_fit_several_moves() {
    let table: [(&str, &[&str]); 4] = [
        (ROOKS, &["Ra3", "Raa3"]),
        (QUEENS, &["Qe1", "Qhe1", "Q4e1"]),
        (PROMOTION, &["e8", "exd8", "ed"]),
        // The h pawn has one capture on the g file for each of two pawns that stand one behind the other.
        ("4k3/8/6pp/6pP/7P/8/8/4K3 w - - 0 1", &["h:g", "hg"]),
    ];
    for (fen, texts) in table {
        for text in texts {
            assert_eq!(read(fen, text), Err(SanError::Ambiguous((*text).into())), "'{text}' in {fen}");
        }
    }
}

fn sans(fen: &str, text: &str) -> Result<Vec<String>, ScoreError> {
    let mut position = position(fen);
    let moves = parse_score(&position, text)?;
    Ok(moves
        .into_iter()
        .map(|mv| {
            let san = format_san(&position, mv);
            position.make(mv);
            san
        })
        .collect())
}

#[test]
fn scores_of_one_game() {
    for text in [
        "e4 e5 Nf3 Nc6",
        "1. e4 e5 2. Nf3 Nc6",
        "1.e4 e5 2.Nf3 Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 1-0",
        "e4 e5, Nf3 Nc6",
        "1. e4! {best by test (Fischer) ; } 1... e5 $1 2. Nf3 $14$5 Nc6 1/2-1/2",
        "1. e4 (1. d4 d5 (1... Nf6 {a ) and a ( in a comment} 2. c4) 2. c4) 1... e5 (1...c5) 2. Nf3 Nc6",
        "1. e4 ; 1. d4 ( is { another\n1. ... e5 2. Nf3\tNc6 0-1",
        "1.e4,e5,2.Nf3,Nc6",
        "1. e2-e4 … e7e5 2. Ng1-f3 ! Nb8-c6 !? ½-½",
        "7. e4 e5 8. Nf3 Nc6",
        "1.e4{x}e5(1...c5)2.Nf3;x\nNc6$2",
    ] {
        assert_eq!(sans(INITIAL, text).unwrap(), ["e4", "e5", "Nf3", "Nc6"], "{text}");
    }
    assert_eq!(sans(INITIAL, "").unwrap(), [""; 0]);
    assert_eq!(sans(INITIAL, " *").unwrap(), [""; 0]);
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(sans(black, "1... e5 2. Nf3").unwrap(), ["e5", "Nf3"]);
    assert_eq!(sans(black, "1. ... e5 2. Nf3").unwrap(), ["e5", "Nf3"]);
    assert_eq!(sans(ROOKS, "1. 0-0 Kb7 2.Ra1-a3 1-0").unwrap(), ["O-O", "Kb7", "R1a3"]);
    assert_eq!(sans(ROOKS, "1.0-0-0").unwrap(), ["O-O-O"]);
    assert_eq!(sans(PROMOTION, "1. e8(Q)+ (1. e8=R+) Kg7 2. Qxd8").unwrap(), ["e8=Q+", "Kg7", "Qxd8"]);
    assert_eq!(sans(PROMOTION, "1. e8(Q) + Kg7(Kh7) 2. Q:d8").unwrap(), ["e8=Q+", "Kg7", "Qxd8"]);
    assert_eq!(sans(CAPTURES, "6. c:d e.p. e:d").unwrap(), ["cxd6", "exd6"]);
}

#[test]
fn faults_in_scores() {
    let san = |fault: fn(String) -> SanError, text: &str| ScoreFault::Move(fault(text.into()));
    let table = [
        ("1. e4 e5 2. Ke3", 2, Color::White, san(SanError::Illegal, "Ke3")),
        ("e4 e5 Nf3 Nf3", 2, Color::Black, san(SanError::Illegal, "Nf3")),
        ("7. e4 e5 8. Bb2", 8, Color::White, san(SanError::Illegal, "Bb2")),
        ("1. e4 hello", 1, Color::Black, san(SanError::Syntax, "hello")),
        ("mate", 1, Color::White, san(SanError::Syntax, "mate")),
        ("1. e4 $", 1, Color::White, ScoreFault::Stray('$')),
        ("1. e4 e5 )", 1, Color::Black, ScoreFault::Stray(')')),
        ("}", 1, Color::White, ScoreFault::Stray('}')),
        ("e4 {e5", 1, Color::White, ScoreFault::UnclosedComment),
        ("e4 (c4 {e5)", 1, Color::White, ScoreFault::UnclosedComment),
        ("e4 (c4 (d4) ; )", 1, Color::White, ScoreFault::UnclosedVariation),
        ("1. e4 e5 3. Nf3", 2, Color::White, ScoreFault::Number("3".into())),
        ("1. e4 2. d4", 1, Color::Black, ScoreFault::Number("2".into())),
        ("1... e4", 1, Color::White, ScoreFault::Number("1".into())),
        ("99999999999. e4", 1, Color::White, ScoreFault::Number("99999999999".into())),
        ("e4 e5 1-0 Nf3", 2, Color::White, ScoreFault::AfterResult("Nf3".into())),
        ("e4 e5 1-0 *", 2, Color::White, ScoreFault::AfterResult("*".into())),
    ];
    for (text, number, side, fault) in table {
        assert_eq!(sans(INITIAL, text), Err(ScoreError { number, side, fault }), "{text}");
    }
    let error = sans(INITIAL, "1. e4 e5 2. Bb2").unwrap_err();
    assert_eq!(error.to_string(), "at move 2 of White: move 'Bb2' is illegal here");
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = "(".repeat(1_000_000);
    assert_eq!(sans(INITIAL, &deep).unwrap_err().fault, ScoreFault::UnclosedVariation);
    let closed = format!("{deep}{} e4", ")".repeat(1_000_000));
    assert_eq!(sans(INITIAL, &closed).unwrap(), ["e4"]);
}

#[test]
fn epd_lines() {
    let text = r#"r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4 Qxe6; am h3; id "x; \\ \"y\""; c0 "a" b; ce -35; noop;"#;
    let epd: Epd = text.parse().unwrap();
    let sans = |moves: Vec<luft::chess::Move>| -> Vec<String> {
        moves.into_iter().map(|mv| format_san(&epd.position, mv)).collect()
    };
    assert_eq!(sans(epd.moves("sm").unwrap()), [""; 0]);
    assert_eq!(sans(epd.avoid_moves().unwrap()), ["h3"]);
    assert_eq!(epd.best_moves(), Err(EpdError::Move("bm".into(), SanError::Illegal("Qxe6".into()))));
    assert_eq!(epd.id(), Some(r#"x; \ "y""#));
    assert_eq!(epd.operands("c0").unwrap(), [Operand::Quoted("a".into()), Operand::Word("b".into())]);
    assert_eq!(epd.operands("noop"), Some([].as_slice()));
    assert_eq!(epd.number("ce"), Err(EpdError::Number("ce".into(), "-35".into())));
    assert_eq!(epd.number("noop"), Err(EpdError::Number("noop".into(), "".into())));
    assert_eq!(epd.mate_distance(), Ok(None));
    assert_eq!(epd.to_string(), text);
}

#[test]
fn epd_counters() {
    let board = "4k3/8/8/8/8/8/8/4K2R w K -";
    for text in ["hmvc 7; fmvn 40;", "7 40", "1 2 fmvn 40; hmvc 7", "7 40 id a;"] {
        let epd: Epd = format!("{board} {text}").parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (7, 40), "{text}");
        assert!(epd.to_string().ends_with("hmvc 7; fmvn 40;"));
    }
    let epd: Epd = board.parse().unwrap();
    assert_eq!(epd.to_string(), board);
}

#[test]
fn faults_in_epd() {
    let board = "4k3/8/8/8/8/8/8/4K2R w K -";
    let table = [
        ("".into(), EpdError::FieldCount(0)),
        ("8/8/8/8/8/8/8/8 w -".into(), EpdError::FieldCount(3)),
        (
            "8/8/8/8/8/8/8/8 w - - bm e4;".into(),
            EpdError::Position(FenError::Setup(SetupError::KingCount(Color::White, 0))),
        ),
        ("8/8/8/8/8/8/8 w - -".into(), EpdError::Position(FenError::RankCount(7))),
        (format!("{board} 1x bm e4;"), EpdError::Position(FenError::Counter("1x".into()))),
        (format!("{board} bm; ;"), EpdError::Opcode("".into())),
        (format!("{board} \"bm\" e4;"), EpdError::Opcode("\"bm\"".into())),
        (format!("{board} b.m e4;"), EpdError::Opcode("b.m".into())),
        (format!("{board} id \"abc; \\\""), EpdError::UnclosedQuote("abc; \\\"".into())),
        (format!("{board} hmvc x;"), EpdError::Number("hmvc".into(), "x".into())),
        (format!("{board} fmvn 65536;"), EpdError::Number("fmvn".into(), "65536".into())),
    ];
    for (text, error) in table {
        assert_eq!(text.parse::<Epd>(), Err(error), "{text}");
    }
}

#[test]
fn lines_of_perft_suites() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 ;D1 20 ;D2 400";
    let line: PerftLine = text.parse().unwrap();
    assert_eq!(line, PerftLine { position: Position::initial(), counts: vec![(1, 20), (2, 400)] });
    assert_eq!(line.to_string(), text);
    let compact: PerftLine = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;D2  400;".parse().unwrap();
    assert_eq!(compact.counts, [(2, 400)]);
    let fault = |text: &str| format!("{INITIAL}{text}").parse::<PerftLine>().unwrap_err();
    assert_eq!(fault(""), PerftLineError::NoCounts);
    assert_eq!(fault(" ; ;"), PerftLineError::NoCounts);
    for count in ["D1", "D 20", "1 20", "D1 -20", "Dx 20", "D1 20 30", "D99999999999 1"] {
        assert_eq!(fault(&format!(" ;{count}")), PerftLineError::Count(count.into()));
    }
    assert_eq!("x ;D1 20".parse::<PerftLine>(), Err(PerftLineError::Position(FenError::FieldCount(1))));
}

#[test]
fn faults_in_fen() {
    use FenError::*;
    let table = [
        ("", FieldCount(0)),
        ("8/8/8/8/8/8/8/8 w -", FieldCount(3)),
        ("8/8/8/8/8/8/8/8 w - - 0 1 x", FieldCount(7)),
        ("8/8/8/8/8/8/8 w - -", RankCount(7)),
        ("8/8/8/8/8/8/8/8/8 w - -", RankCount(9)),
        ("8/8/8/8/8/8/8/7 w - -", RankLength("7".into())),
        ("8/8/8/8/8/8/8/54 w - -", RankLength("54".into())),
        ("8/8/8/8/8/8//8 w - -", RankLength("".into())),
        ("8/8/ppppppppp/8/8/8/8/8 w - -", RankLength("ppppppppp".into())),
        ("8/8/7x/8/8/8/8/8 w - -", UnknownPiece('x')),
        ("8/8/9/8/8/8/8/8 w - -", UnknownPiece('9')),
        ("8/8/80/8/8/8/8/8 w - -", UnknownPiece('0')),
        ("8/8/7é/8/8/8/8/8 w - -", UnknownPiece('é')),
        ("4k3/8/8/8/8/8/8/4K3 W - -", SideToMove("W".into())),
        ("4k3/8/8/8/8/8/8/4K3 - - -", SideToMove("-".into())),
        ("4k3/8/8/8/8/8/8/4K3 w KX -", Castling("KX".into())),
        ("4k3/8/8/8/8/8/8/4K3 w K- -", Castling("K-".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - e4", EnPassant("e4".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - e", EnPassant("e".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - z3", EnPassant("z3".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - - x", Counter("x".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", Counter("-1".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - - 65536", Counter("65536".into())),
        ("8/8/8/8/8/8/8/4K3 w - -", Setup(SetupError::KingCount(Color::Black, 0))),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", Setup(SetupError::KingCount(Color::White, 2))),
        ("4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - -", Setup(SetupError::TooManyMen(Color::White, 17))),
        // 226 moves: more than a list of moves has room for.
        ("4k2P/8/8/8/8/8/8/4K3 w - -", Setup(SetupError::PawnOnBackRank(Square::H8))),
        ("4k3/8/8/8/8/8/8/p3K3 w - -", Setup(SetupError::PawnOnBackRank(Square::A1))),
        ("4k3/8/8/8/8/8/8/4K2r b - -", Setup(SetupError::OpponentInCheck)),
        ("8/8/8/8/8/8/4k3/4K3 w - -", Setup(SetupError::OpponentInCheck)),
        ("4k3/8/8/8/4r3/3n4/8/r3K3 w - -", Setup(SetupError::TooManyCheckers(3))),
    ];
    for (text, error) in table {
        assert_eq!(parse_fen(text), Err(error), "{text}");
    }
}

#[test]
fn the_most_moves_that_can_be() {
    let most_moves = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(most_moves.legal_moves().len(), 218);
    // Clients may set up what no game reaches.
    let fifteen_queens = position("2QQ2Q1/Q4Q2/Q6Q/4Q3/Q6Q/Q4Q1Q/3Q4/1k2K1Q1 w - - 0 1");
    assert!(fifteen_queens.legal_moves().len() > 218);
    assert_eq!(fifteen_queens.legal_moves().len() as u64, fifteen_queens.count_legal_moves());
}
