//! Faults of an engine that cost no game but that its author wants to know: counted per engine and kind.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::info::Info;
use crate::chess::notation::{CastlingSpelling, MoveError, format_move, parse_move};
use crate::chess::{Game, Move, Position};

/// A fault that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A principal variation holds a move that cannot be read or played.
    IllegalPvMove,
    /// A principal variation goes on after mate, stalemate or a draw that the laws force.
    PvAfterEnd,
    /// `bestmove` is not the first move of the last exact principal variation.
    BestMoveUnlikePv,
    /// No score was given for the move.
    MissingScore,
    /// `isready` was answered late.
    LatePing,
    /// More time used than the clock had, within the margin.
    OverstepWithinMargin,
    /// The engine had to be started again between games.
    RestartBetweenGames,
    /// `stop` was not answered with `bestmove`: the process was ended.
    StopIgnored,
}

impl Warning {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Warning; 8] = [
        Warning::IllegalPvMove,
        Warning::PvAfterEnd,
        Warning::BestMoveUnlikePv,
        Warning::MissingScore,
        Warning::LatePing,
        Warning::OverstepWithinMargin,
        Warning::RestartBetweenGames,
        Warning::StopIgnored,
    ];

    /// A short phrase.
    pub fn name(self) -> &'static str {
        match self {
            Warning::IllegalPvMove => "illegal PV move",
            Warning::PvAfterEnd => "PV goes on after the end of the game",
            Warning::BestMoveUnlikePv => "bestmove unlike its PV",
            Warning::MissingScore => "missing score",
            Warning::LatePing => "late answer to isready",
            Warning::OverstepWithinMargin => "time beyond the clock (within the margin)",
            Warning::RestartBetweenGames => "restart between games",
            Warning::StopIgnored => "stop not answered",
        }
    }
}

/// How often each fault was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningCounts([u32; Warning::ALL.len()]);

impl WarningCounts {
    /// Counts one.
    pub fn add(&mut self, warning: Warning) {
        self.0[warning as usize] += 1;
    }

    /// How often this fault was seen.
    pub fn count(&self, warning: Warning) -> u32 {
        self.0[warning as usize]
    }

    /// Whether no fault was seen.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&count| count == 0)
    }

    /// The faults seen, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Warning, u32)> + '_ {
        Warning::ALL.into_iter().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

impl std::ops::AddAssign<&WarningCounts> for WarningCounts {
    fn add_assign(&mut self, other: &WarningCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl fmt::Display for WarningCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phrases: Vec<String> = self.iter().map(|(warning, count)| format!("{} {count}", warning.name())).collect();
        f.write_str(&phrases.join(", "))
    }
}

/// Reads a move as an engine must spell it in this mode: castling as king takes rook in Chess960 and as the king's two
/// squares otherwise.
///
/// # Errors
/// A sentence that quotes the engine's text.
pub fn read_engine_move(position: &Position, text: &str, spelling: CastlingSpelling) -> Result<Move, String> {
    let mv = parse_move(position, text).map_err(|error| match error {
        MoveError::Syntax(text) => format!("'{}' is not a move", printable(&text)),
        error => error.to_string(),
    })?;
    if !mv.is_castling() {
        return Ok(mv);
    }
    let expected = format_move(mv, spelling);
    if text != expected {
        let mode = if spelling == CastlingSpelling::KingTakesRook { "on" } else { "off" };
        return Err(format!("castling as '{text}', which with UCI_Chess960 {mode} is '{expected}'"));
    }
    Ok(mv)
}

/// Engines may send anything: only the beginning, and no signs that could upset a terminal or a PGN comment.
fn printable(text: &str) -> String {
    let harmless = |letter: char| if letter.is_ascii_graphic() && !"{}\"\\".contains(letter) { letter } else { '?' };
    text.chars().take(16).map(harmless).collect()
}

/// Looks for faults in what an engine said before a move that has been found legal.
///
/// `game` stands before the move and is left as it was.
pub fn check_answer<'a>(
    game: &'a mut Game,
    infos: &'a [Info<'a>],
    best: Move,
    spelling: CastlingSpelling,
) -> WarningCounts {
    let mut counts = WarningCounts::default();
    let mut last_exact = None;
    let mut has_score = false;
    let mut walker = PvWalker::new(game, spelling);
    for info in infos {
        has_score |= info.score.is_some();
        if info.pv.is_empty() {
            continue;
        }
        if let Some(warning) = walker.check(info.pv) {
            counts.add(warning);
        }
        if info.multipv == 1 && !info.is_bound {
            last_exact = Some(info.pv);
        }
    }
    walker.go_back_to(0);
    if !has_score {
        counts.add(Warning::MissingScore);
    }
    let first = last_exact.and_then(|pv| pv.split_ascii_whitespace().next());
    if first.is_some_and(|first| read_engine_move(game.position(), first, spelling) != Ok(best)) {
        counts.add(Warning::BestMoveUnlikePv);
    }
    counts
}

/// Plays principal variations out on the board, one after the other. Those of one search begin much alike: what the next
/// shares with the last stays on the board.
struct PvWalker<'a> {
    game: &'a mut Game,
    start: usize,
    played: Vec<&'a str>,
    spelling: CastlingSpelling,
}

impl<'a> PvWalker<'a> {
    fn new(game: &'a mut Game, spelling: CastlingSpelling) -> PvWalker<'a> {
        let start = game.ply();
        PvWalker { game, start, played: Vec::new(), spelling }
    }

    /// The first fault of a principal variation.
    fn check(&mut self, pv: &'a str) -> Option<Warning> {
        let shared =
            self.played.iter().zip(pv.split_ascii_whitespace()).take_while(|(one, other)| *one == other).count();
        self.go_back_to(shared);
        for text in pv.split_ascii_whitespace().skip(shared) {
            if !self.played.is_empty() && self.game.outcome().is_some() {
                return Some(Warning::PvAfterEnd);
            }
            let Ok(mv) = read_engine_move(self.game.position(), text, self.spelling) else {
                return Some(Warning::IllegalPvMove);
            };
            self.game.play(mv);
            self.played.push(text);
        }
        None
    }

    fn go_back_to(&mut self, moves: usize) {
        self.played.truncate(moves);
        while self.game.ply() > self.start + moves {
            self.game.undo();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    const PLAIN: CastlingSpelling = CastlingSpelling::KingTarget;

    fn game(fen: &str) -> Game {
        Game::new(parse_fen(fen).expect("a position"))
    }

    fn warnings(fen: &str, lines: &[&str], best: &str) -> Vec<Warning> {
        let mut game = game(fen);
        let infos: Vec<Info<'_>> = lines.iter().filter_map(|line| Info::parse(line)).collect();
        let best = parse_move(game.position(), best).expect("a legal move");
        let counts = check_answer(&mut game, &infos, best, PLAIN);
        assert_eq!(game.ply(), 0);
        counts.iter().map(|(warning, _)| warning).collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

    #[test]
    fn a_sound_answer_has_no_faults() {
        let lines = ["info depth 1 score cp 3 pv d2d4", "info depth 2 score cp 5 pv e2e4 e7e5", "info string hello"];
        assert_eq!(warnings(START, &lines, "e2e4"), []);
        // A bound's line need not agree with the move.
        let lines =
            ["info score cp 5 pv e2e4", "info score cp 1 upperbound pv d2d4", "info multipv 2 score cp 1 pv c2c4"];
        assert_eq!(warnings(START, &lines, "e2e4"), []);
    }

    #[test]
    fn faults_are_told_apart() {
        assert_eq!(warnings(START, &["info depth 3 pv e2e4"], "e2e4"), [Warning::MissingScore]);
        assert_eq!(warnings(START, &["info score cp 1 pv e2e4 e2e4"], "e2e4"), [Warning::IllegalPvMove]);
        assert_eq!(warnings(START, &["info score cp 1 pv d2d4"], "e2e4"), [Warning::BestMoveUnlikePv]);
        assert_eq!(warnings(MATE_IN_ONE, &["info score mate 1 pv d1d8 g8f8"], "d1d8"), [Warning::PvAfterEnd]);
        assert_eq!(warnings(MATE_IN_ONE, &["info score mate 1 pv d1d8"], "d1d8"), []);
    }

    #[test]
    fn castling_must_be_spelt_as_the_mode_asks() {
        let position = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
        assert!(read_engine_move(&position, "e1g1", PLAIN).is_ok());
        let error = read_engine_move(&position, "e1h1", PLAIN).expect_err("wrong spelling");
        assert_eq!(error, "castling as 'e1h1', which with UCI_Chess960 off is 'e1g1'");
        assert!(read_engine_move(&position, "e1h1", CastlingSpelling::KingTakesRook).is_ok());
        assert!(read_engine_move(&position, "e1g1", CastlingSpelling::KingTakesRook).is_err());
        assert_eq!(read_engine_move(&position, "e1e3", PLAIN), Err("move 'e1e3' is illegal here".into()));
        assert_eq!(read_engine_move(&position, "{\u{1b}}", PLAIN), Err("'???' is not a move".into()));
    }
}
