//! Games in Portable Game Notation, read and written.
//!
//! Reader: any number of games in one text, with their tags and main lines. Writer: the export format, moves in Standard
//! Algebraic Notation with comments. Source: Steven Edwards, "Portable Game Notation Specification and Implementation
//! Guide" (1994); Chess960 games carry the tags FEN, SetUp and Variant, as is usual.

use std::fmt;

use crate::chess::notation::{FenError, ScoreError, format_san, parse_fen, parse_score};
use crate::chess::{Color, Move, Position};

/// A game as read: its tags and its main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The position it begins with.
    pub start: Position,
    /// The moves of the main line.
    pub moves: Vec<Move>,
}

/// Why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: PgnFault,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnFault {
    /// A line that begins like a tag but is none.
    Tag(String),
    /// The FEN tag.
    Fen(FenError),
    /// The moves.
    Score(ScoreError),
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: ", self.game)?;
        match &self.fault {
            PgnFault::Tag(line) => write!(f, "'{line}' is not a tag"),
            PgnFault::Fen(error) => write!(f, "{error}"),
            PgnFault::Score(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PgnError {}

impl PgnGame {
    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

/// Reads all games of a text.
///
/// # Errors
/// [`PgnError`] for the first game that cannot be read.
pub fn parse_pgn(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    let sections = split_games(text);
    let numbered = sections.into_iter().enumerate();
    numbered.map(|(index, section)| section.parse().map_err(|fault| PgnError { game: index + 1, fault })).collect()
}

/// The tag lines and the movetext of one game.
#[derive(Default)]
struct Section<'a> {
    tag_lines: Vec<&'a str>,
    movetext: String,
}

/// A game begins with the first tag line after movetext, comments not counting as tags even where they look like them.
fn split_games(text: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let mut current = Section::default();
    let mut in_comment = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        // Lines with `%` in the first column are reserved for other programs.
        if line.starts_with('%') && !in_comment {
            continue;
        }
        if line.trim_start().starts_with('[') && !in_comment {
            if !current.movetext.trim().is_empty() {
                sections.push(std::mem::take(&mut current));
            }
            current.tag_lines.push(line.trim());
            continue;
        }
        in_comment = ends_in_comment(line, in_comment);
        current.movetext.push_str(line);
        current.movetext.push('\n');
    }
    if !current.tag_lines.is_empty() || !current.movetext.trim().is_empty() {
        sections.push(current);
    }
    sections
}

/// Whether a brace comment is open at the end of the line.
fn ends_in_comment(line: &str, mut in_comment: bool) -> bool {
    for letter in line.chars() {
        match letter {
            ';' if !in_comment => break,
            '{' => in_comment = true,
            '}' => in_comment = false,
            _ => {}
        }
    }
    in_comment
}

impl Section<'_> {
    fn parse(self) -> Result<PgnGame, PgnFault> {
        let tags = self.tag_lines.iter().map(|line| parse_tag(line).ok_or_else(|| PgnFault::Tag((*line).into())));
        let tags: Vec<(String, String)> = tags.collect::<Result<_, _>>()?;
        let start = match find_tag(&tags, "FEN") {
            Some(fen) => parse_fen(fen).map_err(PgnFault::Fen)?,
            None => Position::initial(),
        };
        let moves = parse_score(&start, &self.movetext).map_err(PgnFault::Score)?;
        Ok(PgnGame { tags, start, moves })
    }
}

/// Reads `[Name "value"]`, with `\"` and `\\` in the value.
fn parse_tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.trim_end().strip_suffix(']')?.trim();
    let (name, quoted) = inner.split_at(inner.find([' ', '\t', '"'])?);
    let value = quoted.trim_start().strip_prefix('"')?.strip_suffix('"')?;
    let mut unescaped = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        unescaped.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some((name.to_owned(), unescaped))
}

/// A game to be written.
#[derive(Clone, Debug)]
pub struct PgnText {
    text: String,
    column: usize,
    position: Position,
    /// Whether the next move needs its number though Black makes it.
    needs_number: bool,
}

/// The greatest length of a line of movetext.
const LINE_LENGTH: usize = 80;

impl PgnText {
    /// Begins a game with its tags, of which the reader expects FEN and SetUp if the position is not the initial one.
    pub fn new(tags: &[(&str, String)], start: &Position) -> PgnText {
        let mut text = String::new();
        for (name, value) in tags {
            let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!("[{name} \"{escaped}\"]\n"));
        }
        text.push('\n');
        PgnText { text, column: 0, position: *start, needs_number: true }
    }

    /// Adds a legal move.
    pub fn push_move(&mut self, mv: Move) {
        let number = self.position.fullmove_number();
        match self.position.side_to_move() {
            Color::White => self.push_word(&format!("{number}.")),
            Color::Black if self.needs_number => self.push_word(&format!("{number}...")),
            Color::Black => {}
        }
        self.needs_number = false;
        self.push_word(&format_san(&self.position, mv));
        self.position.make(mv);
    }

    /// Adds a comment on the last move; braces in it become parentheses.
    pub fn push_comment(&mut self, comment: &str) {
        let harmless = comment.replace('{', "(").replace('}', ")");
        let mut words: Vec<String> = harmless.split_whitespace().map(str::to_owned).collect();
        if let (Some(first), true) = (words.first_mut(), !harmless.trim().is_empty()) {
            first.insert(0, '{');
        }
        if let Some(last) = words.last_mut() {
            last.push('}');
        }
        words.iter().for_each(|word| self.push_word(word));
        self.needs_number = true;
    }

    fn push_word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > LINE_LENGTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// Ends the game with its result and an empty line.
    pub fn finish(mut self, result: &str) -> String {
        self.push_word(result);
        self.text.push_str("\n\n");
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_GAMES: &str = "\u{feff}[Event \"A \\\"quoted\\\" name\"]\r
[Result \"1-0\"]\r
\r
1. e4 {[not a tag]\r
[neither]} e5 2. Nf3 (2. f4) 2... Nc6 1-0\r
\r
% for another program\r
[White \"\"]\r
[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\r
[SetUp \"1\"]\r
\r
*\r
";

    #[test]
    fn several_games_are_read() {
        let games = parse_pgn(TWO_GAMES).expect("two games");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("Event"), Some("A \"quoted\" name"));
        assert_eq!((games[0].moves.len(), games[0].start), (4, Position::initial()));
        assert_eq!((games[1].tag("White"), games[1].tag("Black"), games[1].moves.len()), (Some(""), None, 0));
        assert_eq!(games[1].start.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(parse_pgn(" \n\n"), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_game_and_the_text() {
        let error = |text: &str| parse_pgn(text).expect_err("not a PGN").to_string();
        assert_eq!(error("1. e4 *\n[Event]\n\n*"), "game 2: '[Event]' is not a tag");
        assert_eq!(error("[FEN \"x\"]\n\n*"), "game 1: FEN has 1 fields, not 4 to 6");
        assert!(error("1. e4 e5 2. Ke3 *").starts_with("game 1: at move 2 of White"));
        for line in ["[", "[]", "[A \"]", "[A \"x\\\"]", "[é", "[A b]"] {
            assert_eq!(parse_pgn(line), Err(PgnError { game: 1, fault: PgnFault::Tag(line.into()) }));
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let start: Position = "4k3/4p3/8/8/8/8/4P3/4K2R b K - 0 7".parse().expect("a position");
        let tags = [("White", "a\\b\"c\u{7}".to_owned()), ("FEN", start.to_string()), ("SetUp", "1".to_owned())];
        let mut text = PgnText::new(&tags, &start);
        let mut position = start;
        for san in ["e5", "O-O", "e4"] {
            let mv = crate::chess::notation::parse_san(&position, san).expect("a legal move");
            text.push_move(mv);
            text.push_comment(&format!("{{after}} {san} {}", "and some words ".repeat(6)));
            position.make(mv);
        }
        let text = text.finish("*");
        let games = parse_pgn(&text).expect("one game");
        assert_eq!(games[0].tag("White"), Some("a\\b\"c"));
        assert_eq!((games[0].start, games[0].moves.len()), (start, 3));
        assert!(text.contains("7... e5 {(after) e5"), "{text}");
        assert!(text.lines().all(|line| line.len() <= LINE_LENGTH), "{text}");
    }
}
