use super::*;
use crate::chess::notation::parse_fen;
use crate::tools::pgn::parse_pgn;
use crate::tools::referee::checks::WarningCounts;
use crate::tools::referee::info::EngineScore;
use crate::tools::referee::schedule::{Schedule, Tournament};
use crate::tools::referee::settings::parse_engines;
use crate::tools::referee::verdict::{Reason, Verdict};

fn move_record(uci: &str, score: Option<EngineScore>) -> MoveRecord {
    MoveRecord { uci: uci.into(), score, depth: Some(9), nodes: None, milliseconds: 1234 }
}

fn scholars_mate() -> GameRecord {
    let cp = |value| Some(EngineScore::Centipawns(value));
    GameRecord {
        number: 1,
        white: 1,
        black: 0,
        date: "2024.02.29".into(),
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        chess960: false,
        book: vec!["e2e4".into(), "e7e5".into(), "d1h5".into()],
        moves: vec![
            move_record("b8c6", cp(-35)),
            move_record("f1c4", cp(40)),
            move_record("g8f6", cp(-7)),
            move_record("h5f7", Some(EngineScore::Mate(1))),
        ],
        verdict: Verdict::win(Color::White, Reason::Checkmate),
        warnings: [WarningCounts::default(); 2],
    }
}

fn engines() -> Vec<EngineSettings> {
    let texts = ["name=A,cmd=a".to_owned(), "name=B \"x\",cmd=b".to_owned()];
    parse_engines(&texts, "tc=40/60+0.1,nodes=5").expect("two engines")
}

#[test]
fn pgn_has_tags_moves_comments_and_result() {
    let engines = engines();
    let fixture = Schedule::new(Tournament::RoundRobin, 2, 1).fixture(1);
    let text = pgn(Event { name: "Test", engines: &engines }, &fixture, &scholars_mate()).expect("a game");
    let expected = "[Event \"Test\"]
[Site \"?\"]
[Date \"2024.02.29\"]
[Round \"1.2\"]
[White \"B \\\"x\\\"\"]
[Black \"A\"]
[Result \"1-0\"]
[TimeControl \"40/60+0.1\"]
[SearchLimits \"40/60+0.1 nodes 5\"]
[Termination \"normal\"]
[PlyCount \"7\"]

1. e4 {book} 1... e5 {book} 2. Qh5 {book} 2... Nc6 {-0.35/9 1.234s} 3. Bc4
{+0.40/9 1.234s} 3... Nf6 {-0.07/9 1.234s} 4. Qxf7# {+M1/9 1.234s, White mates}
1-0

";
    assert_eq!(text, expected);
    let games = parse_pgn(&text).expect("one game");
    assert_eq!(games[0].moves.len(), 7);
}

#[test]
fn chess960_games_carry_their_start() {
    let record = GameRecord {
        fen: "bbqrkrnn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKRNN w KQkq - 0 1".into(),
        chess960: true,
        book: vec![],
        moves: vec![],
        verdict: Verdict::loss(Color::White, Reason::EngineDied),
        ..scholars_mate()
    };
    let engines = engines();
    let fixture = Schedule::new(Tournament::RoundRobin, 2, 1).fixture(1);
    let text = pgn(Event { name: "Test", engines: &engines }, &fixture, &record).expect("a game");
    assert!(text.contains(
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqrkrnn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKRNN w FDfd - 0 1\"]\n"
    ));
    assert!(text.ends_with("[Termination \"abandoned\"]\n[PlyCount \"0\"]\n\n{White's engine died} 0-1\n\n"), "{text}");
}

#[test]
fn final_positions_say_who_won() {
    let engines = engines();
    let text = epd(Event { name: "Test", engines: &engines }, &scholars_mate()).expect("a game");
    let epd: Epd = text.trim().parse().expect("an EPD");
    assert_eq!(epd.position.to_string(), "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
    assert_eq!(epd.text("c0"), Some("1-0 White mates"));
    assert_eq!(epd.id(), Some("game 2: B \"x\" - A"));
}

#[test]
fn training_records_begin_after_the_book() {
    let bytes = training_record(&scholars_mate()).expect("a game");
    let game = TrainingGame::read(bytes.as_slice()).expect("a sound record").expect("a game");
    let start = parse_fen("rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2").expect("a position");
    assert_eq!((game.start, game.result), (start, WhiteResult::Win));
    assert_eq!(game.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>(), [35, 40, 7, i16::MAX]);
}

#[test]
fn games_that_teach_nothing_are_no_training_records() {
    let on_time = GameRecord { verdict: Verdict::loss(Color::Black, Reason::TimeForfeit), ..scholars_mate() };
    assert_eq!(training_record(&on_time), Ok(vec![]));
    let mut silent = scholars_mate();
    silent.moves[1].score = None;
    assert_eq!(training_record(&silent), Ok(vec![]));
}

#[test]
fn records_that_hold_no_game_are_refused() {
    let mut record = scholars_mate();
    record.moves[0].uci = "b8b6".into();
    assert_eq!(training_record(&record).expect_err("no game").to_string(), "move 'b8b6' is illegal here");
    record.fen = "x".into();
    assert!(record.final_game().is_err());
}
