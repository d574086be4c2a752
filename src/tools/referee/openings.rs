//! Where games begin: positions of an EPD or FEN file, or the first moves of the games of a PGN file.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::chess::notation::{Epd, EpdError};
use crate::chess::random::SplitMix64;
use crate::chess::{CastlingSide, Color, File, Game, Move, Position};
use crate::tools::pgn::{PgnError, PgnGame, parse_pgn};

/// A position and moves from there, after which the players begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position before the moves.
    pub start: Position,
    /// The moves already made.
    pub moves: Vec<Move>,
}

/// Why openings cannot be had.
#[derive(Debug)]
pub enum OpeningError {
    /// The file cannot be read.
    File(PathBuf, std::io::Error),
    /// A line (from 1) of an EPD file is no position.
    Line(usize, EpdError),
    /// A PGN file cannot be understood.
    Pgn(PgnError),
    /// The game is already over in the opening with this number (from 1).
    Over(usize),
    /// There are none.
    Empty(PathBuf),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::File(path, error) => write!(f, "openings {}: {error}", path.display()),
            OpeningError::Line(line, error) => write!(f, "openings line {line}: {error}"),
            OpeningError::Pgn(error) => write!(f, "openings {error}"),
            OpeningError::Over(number) => write!(f, "opening {number}: the game is already over"),
            OpeningError::Empty(path) => write!(f, "no openings in {}", path.display()),
        }
    }
}

impl std::error::Error for OpeningError {}

impl Opening {
    /// The initial position of standard chess.
    pub fn standard() -> Opening {
        Opening { start: Position::initial(), moves: Vec::new() }
    }

    /// Whether castling can only be spelt as king takes rook: a king or rook that may castle stands elsewhere than in
    /// standard chess.
    pub fn needs_chess960(&self) -> bool {
        let rights = self.start.castling();
        Color::ALL.into_iter().any(|color| {
            let odd_rook = |(side, file)| rights.rook_file(color, side).is_some_and(|rook| rook != file);
            let odd_king = rights.any(color) && self.start.king(color).file() != File::E;
            odd_king || [(CastlingSide::King, File::H), (CastlingSide::Queen, File::A)].into_iter().any(odd_rook)
        })
    }

    fn is_over(&self) -> bool {
        let mut game = Game::new(self.start);
        self.moves.iter().any(|&mv| {
            let over = game.outcome().is_some();
            if !over {
                game.play(mv);
            }
            over
        }) || game.outcome().is_some()
    }
}

/// Reads a file: as PGN if its name ends in `.pgn`, otherwise a position on each line (EPD or FEN; empty lines and
/// lines that begin with `#` do not count). Of PGN games at most `plies` moves are taken.
///
/// # Errors
/// See [`OpeningError`].
pub fn read_openings(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningError> {
    let bytes = std::fs::read(path).map_err(|error| OpeningError::File(path.into(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let openings = if is_pgn { read_pgn(&text, plies)? } else { read_lines(&text)? };
    if openings.is_empty() {
        return Err(OpeningError::Empty(path.into()));
    }
    match openings.iter().position(Opening::is_over) {
        Some(index) => Err(OpeningError::Over(index + 1)),
        None => Ok(openings),
    }
}

fn read_pgn(text: &str, plies: Option<usize>) -> Result<Vec<Opening>, OpeningError> {
    let opening = |mut game: PgnGame| {
        game.moves.truncate(plies.unwrap_or(usize::MAX));
        Opening { start: game.start, moves: game.moves }
    };
    Ok(parse_pgn(text).map_err(OpeningError::Pgn)?.into_iter().map(opening).collect())
}

fn read_lines(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let meant = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    meant
        .map(|(number, line)| {
            let epd: Epd = line.parse().map_err(|error| OpeningError::Line(number, error))?;
            Ok(Opening { start: epd.position, moves: Vec::new() })
        })
        .collect()
}

/// Puts the openings in an order that depends on the seed alone (Fisher and Yates).
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for last in (1..openings.len()).rev() {
        openings.swap(last, random.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn positions_are_read_in_every_usual_form() {
        let text = "# a remark\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\"; hmvc 3;\n";
        let openings = read_lines(text).expect("three positions");
        assert_eq!(openings.iter().map(|opening| opening.start.halfmove_clock()).collect::<Vec<_>>(), [0, 0, 3]);
        let error = read_lines("\nrnbqkbnr/pppppppp/8/8 w KQkq -\n").expect_err("four ranks");
        assert_eq!(error.to_string(), "openings line 2: FEN board has 4 ranks, not 8");
    }

    #[test]
    fn games_are_cut_after_so_many_plies() {
        let openings = read_pgn("1. e4 e5 2. Nf3 *", Some(2)).expect("one game");
        assert_eq!(openings[0].moves.len(), 2);
        assert_eq!(read_pgn("1. e4 e5 2. Nf3 *", None).expect("one game")[0].moves.len(), 3);
    }

    #[test]
    fn chess960_is_recognised_by_its_castling_rights() {
        let needs = |fen: &str| Opening { start: parse_fen(fen).expect("a position"), moves: vec![] }.needs_chess960();
        assert!(!needs("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(needs("bbqrkrnn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKRNN w KQkq - 0 1"));
        assert!(needs("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBNR w HAha - 0 1"));
        assert!(!needs("bbqrkrnn/pppppppp/8/8/8/8/PPPPPPPP/BBQRKRNN w - - 0 1"));
    }

    #[test]
    fn finished_games_are_no_openings() {
        let mate = read_pgn("1. f3 e5 2. g4 Qh4# 0-1", None).expect("one game").remove(0);
        assert!(mate.is_over());
        assert!(!Opening { moves: mate.moves[..3].to_vec(), ..mate.clone() }.is_over());
        assert!(!Opening::standard().is_over());
    }

    #[test]
    fn the_seed_fixes_the_order() {
        let text: Vec<String> = (1..=50).map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")).collect();
        let openings = read_lines(&text.join("\n")).expect("fifty positions");
        let shuffled = |seed| {
            let mut copy = openings.clone();
            shuffle(&mut copy, seed);
            copy.iter().map(|opening| opening.start.fullmove_number()).collect::<Vec<_>>()
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=50).collect::<Vec<_>>());
    }
}
