use super::*;
use crate::chess::notation::parse_fen;

/// Answers with the next of a list of moves or faults, and keeps what it was asked.
struct Script {
    answers: std::vec::IntoIter<Result<Answer, Fault>>,
    asked: Vec<(String, String)>,
}

impl Player for Script {
    fn think(&mut self, question: Question<'_>) -> Result<Answer, Fault> {
        self.asked.push((question.position.into(), question.go.into()));
        self.answers.next().unwrap_or(Err(Fault::Died))
    }
}

/// A move with a score, made in so many milliseconds.
fn reply(best: &str, milliseconds: u64, score: &str) -> Result<Answer, Fault> {
    Ok(Answer {
        lines: vec![format!("info depth 7 score {score} nodes 99 pv {best}")],
        best: format!("bestmove {best}"),
        elapsed: Duration::from_millis(milliseconds),
        slowest_ping: Duration::ZERO,
    })
}

fn moves(text: &str) -> Vec<Result<Answer, Fault>> {
    text.split_whitespace().map(|best| reply(best, 1, "cp 20")).collect()
}

fn rules() -> Rules {
    Rules {
        margin: Duration::from_millis(50),
        move_timeout: Duration::from_secs(1),
        late_ping: Duration::from_millis(100),
        draw: None,
        win: None,
        last_move: None,
        tablebase: None,
    }
}

struct Match {
    opening: Opening,
    chess960: bool,
    limits: Limits,
    rules: Rules,
}

impl Match {
    fn from(fen: &str) -> Match {
        let start = parse_fen(fen).expect("a position");
        let limits = Limits { clock: Some("1+0.1".parse().expect("a time control")), ..Limits::default() };
        Match { opening: Opening { start, moves: vec![] }, chess960: false, limits, rules: rules() }
    }

    /// Plays with these answers of White and Black. Returns the game and the two players.
    fn play(
        &self,
        white: Vec<Result<Answer, Fault>>,
        black: Vec<Result<Answer, Fault>>,
    ) -> (Result<Played, Cancelled>, [Script; 2]) {
        let mut scripts = [white, black].map(|answers| Script { answers: answers.into_iter(), asked: vec![] });
        let limits = ByColor([&self.limits; 2]);
        let plan = Plan { opening: &self.opening, chess960: self.chess960, limits };
        let [first, second] = &mut scripts;
        let played = play(&plan, &self.rules, ByColor([first as &mut dyn Player, second]));
        (played, scripts)
    }

    fn verdict(&self, white: Vec<Result<Answer, Fault>>, black: Vec<Result<Answer, Fault>>) -> Verdict {
        self.play(white, black).0.expect("a finished game").verdict
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn mate_ends_the_game_and_everything_is_recorded() {
    let game = Match::from(START);
    let (played, [white, black]) = game.play(moves("f2f3 g2g4"), moves("e7e5 d8h4"));
    let played = played.expect("a finished game");
    assert_eq!(played.verdict, Verdict::win(Color::Black, Reason::Checkmate));
    assert_eq!(
        played.moves.iter().map(|record| record.uci.as_str()).collect::<Vec<_>>(),
        ["f2f3", "e7e5", "g2g4", "d8h4"]
    );
    assert_eq!((played.moves[0].depth, played.moves[0].nodes), (Some(7), Some(99)));
    assert_eq!(played.warnings, ByColor::default());
    let go = |text: &str| text.to_owned();
    assert_eq!(white.asked[0], (go("position startpos"), go("go wtime 1000 winc 100 btime 1000 binc 100")));
    assert_eq!(black.asked[1].0, "position startpos moves f2f3 e7e5 g2g4");
    assert_eq!(white.asked[1].1, "go wtime 1099 winc 100 btime 1099 binc 100");
}

#[test]
fn the_laws_draw() {
    let stalemate = Match::from("7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    assert_eq!(stalemate.verdict(moves("g5g6"), vec![]), Verdict::draw(Reason::Stalemate));
    let dead = Match::from("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    assert_eq!(dead.verdict(moves("a1b2"), vec![]), Verdict::draw(Reason::DeadPosition));
    let threefold = Match::from(START);
    let (white, black) = (moves("g1f3 f3g1 g1f3 f3g1"), moves("g8f6 f6g8 g8f6 f6g8"));
    assert_eq!(threefold.verdict(white, black), Verdict::draw(Reason::Threefold));
    let fifty = Match::from("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    assert_eq!(fifty.verdict(moves("a2b2"), vec![]), Verdict::draw(Reason::FiftyMoves));
    let mate_on_the_last_ply = Match::from("7k/R7/8/8/8/8/8/KR6 w - - 99 80");
    assert_eq!(mate_on_the_last_ply.verdict(moves("b1b8"), vec![]), Verdict::win(Color::White, Reason::Checkmate));
}

#[test]
fn a_fallen_flag_loses_unless_the_opponent_cannot_mate() {
    let late = || vec![reply("e1e2", 1051, "cp 0")];
    let can_mate = Match::from("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(can_mate.verdict(late(), vec![]), Verdict::loss(Color::White, Reason::TimeForfeit));
    assert_eq!(
        can_mate.verdict(vec![Err(Fault::OutOfPatience)], vec![]),
        Verdict::loss(Color::White, Reason::TimeForfeit)
    );
    let bare_king = Match::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
    let draw = Verdict::draw(Reason::TimeForfeitWithoutMatingMaterial);
    assert_eq!(bare_king.verdict(late(), vec![]), draw);
    assert_eq!(bare_king.verdict(vec![Err(Fault::OutOfPatience)], vec![]), draw);
}

/// Even a mating move comes too late when the flag has fallen.
#[test]
fn time_is_judged_before_the_move() {
    let game = Match::from("7k/R6p/8/8/8/8/8/KR6 w - - 0 1");
    let verdict = game.verdict(vec![reply("b1b8", 1051, "mate 1")], vec![]);
    assert_eq!(verdict, Verdict::loss(Color::White, Reason::TimeForfeit));
}

#[test]
fn the_margin_is_counted_and_the_clock_goes_on() {
    let game = Match::from(START);
    let (played, scripts) = game.play(vec![reply("e2e4", 1040, "cp 1")], vec![]);
    let played = played.expect("a finished game");
    assert_eq!(played.warnings[Color::White].count(Warning::OverstepWithinMargin), 1);
    assert_eq!(scripts[1].asked[0].1, "go wtime 100 winc 100 btime 1000 binc 100");
}

#[test]
fn a_time_for_each_move_has_a_flag_too() {
    let limits = Limits { move_time: Some(Duration::from_millis(200)), ..Limits::default() };
    let game = Match { limits, ..Match::from(START) };
    let (played, _) = game.play(vec![reply("e2e4", 240, "cp 1"), reply("d2d4", 251, "cp 1")], moves("e7e5"));
    let played = played.expect("a finished game");
    assert_eq!(played.verdict, Verdict::loss(Color::White, Reason::TimeForfeit));
    assert_eq!(played.warnings[Color::White].count(Warning::OverstepWithinMargin), 1);
}

#[test]
fn without_a_clock_silence_is_a_missing_move() {
    let game = Match { limits: Limits { nodes: Some(9), ..Limits::default() }, ..Match::from(START) };
    let verdict = game.verdict(vec![Err(Fault::OutOfPatience)], vec![]);
    assert_eq!(verdict, Verdict::loss(Color::White, Reason::NoMove));
}

#[test]
fn illegal_and_missing_moves_lose() {
    let game = Match::from(START);
    for (best, reason) in [
        ("e2e5", Reason::IllegalMove { explanation: "move 'e2e5' is illegal here".into() }),
        ("O-O", Reason::IllegalMove { explanation: "'O-O' is not a move".into() }),
        ("(none)", Reason::NoMove),
        ("0000", Reason::NoMove),
        ("", Reason::NoMove),
    ] {
        assert_eq!(game.verdict(vec![reply(best, 1, "cp 0")], vec![]), Verdict::loss(Color::White, reason));
    }
    assert_eq!(game.verdict(moves("e2e4"), vec![]), Verdict::loss(Color::Black, Reason::EngineDied));
    let stalled = game.verdict(moves("e2e4"), vec![Err(Fault::Stalled)]);
    assert_eq!(stalled, Verdict::loss(Color::Black, Reason::EngineStalled));
}

#[test]
fn castling_is_spelt_by_the_mode() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let standard = Match::from(fen);
    let wrong = standard.verdict(moves("e1h1"), vec![]);
    let explanation = "castling as 'e1h1', which with UCI_Chess960 off is 'e1g1'".to_owned();
    assert_eq!(wrong, Verdict::loss(Color::White, Reason::IllegalMove { explanation }));
    let chess960 = Match { chess960: true, ..Match::from(fen) };
    let wrong = chess960.verdict(moves("e1g1"), vec![]);
    let explanation = "castling as 'e1g1', which with UCI_Chess960 on is 'e1h1'".to_owned();
    assert_eq!(wrong, Verdict::loss(Color::White, Reason::IllegalMove { explanation }));
    let (_, scripts) = chess960.play(moves("e1h1"), vec![]);
    assert_eq!(scripts[0].asked[0].0, "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    assert_eq!(scripts[1].asked[0].0, "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1");
}

#[test]
fn openings_are_played_before_the_players_begin() {
    let mut game = Match::from(START);
    let book = ["e2e4", "e7e5", "g1f3"];
    let mut position = game.opening.start;
    for text in book {
        let mv = crate::chess::notation::parse_move(&position, text).expect("a legal move");
        game.opening.moves.push(mv);
        position.make(mv);
    }
    let (_, scripts) = game.play(vec![], moves("b8c6"));
    assert_eq!(scripts[1].asked[0].0, "position startpos moves e2e4 e7e5 g1f3");
    assert_eq!(scripts[0].asked[0].0, "position startpos moves e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn both_engines_together_end_a_game() {
    let mut game = Match::from("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40");
    game.rules.draw = Some(DrawRule { from_move: 41, moves: 1, score: 20 });
    let (played, _) = game.play(moves("e1d1 d1e1"), moves("e8d8 d8e8"));
    let played = played.expect("a finished game");
    assert_eq!((played.verdict, played.moves.len()), (Verdict::draw(Reason::AdjudicatedDraw), 2));
    game.rules.win = Some(WinRule { moves: 1, score: 500 });
    let verdict = game.verdict(vec![reply("e1d1", 1, "cp 500")], vec![reply("e8d8", 1, "mate -3")]);
    assert_eq!(verdict, Verdict::win(Color::White, Reason::AdjudicatedWin));
}

#[test]
fn the_move_limit_is_a_draw() {
    let mut game = Match::from(START);
    game.rules.last_move = Some(2);
    let (played, _) = game.play(moves("e2e4 d2d4 a2a3"), moves("e7e5 d7d5"));
    let played = played.expect("a finished game");
    assert_eq!((played.verdict, played.moves.len()), (Verdict::draw(Reason::MoveLimit), 4));
}

#[test]
fn late_pings_and_cancelled_games_are_noticed() {
    let game = Match::from(START);
    let late = reply("e2e4", 1, "cp 1").map(|answer| Answer { slowest_ping: Duration::from_millis(101), ..answer });
    let (played, _) = game.play(vec![late], vec![]);
    assert_eq!(played.expect("a finished game").warnings[Color::White].count(Warning::LatePing), 1);
    let (played, _) = game.play(vec![Err(Fault::Cancelled)], vec![]);
    assert_eq!(played.map(|played| played.verdict), Err(Cancelled));
}
