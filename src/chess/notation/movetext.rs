//! Scores of games: moves with their numbers, remarks, comments, variations and the result.

use std::fmt;

use super::san::{SanError, is_remark, parse_san};
use crate::chess::position::Position;
use crate::chess::types::{Color, Move};

/// Where and why the score of a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreError {
    /// The number of the move that was to be read, counted as the score itself counts.
    pub number: u32,
    /// Whose move that was.
    pub side: Color,
    /// What is wrong with it.
    pub fault: ScoreFault,
}

/// What is wrong with the score of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoreFault {
    /// The move cannot be read or played.
    Move(SanError),
    /// A move number (as in the text) that does not belong here.
    Number(String),
    /// `{` without `}`.
    UnclosedComment,
    /// `(` without `)`.
    UnclosedVariation,
    /// A sign without meaning here: `)`, `}`, or `$` without a number.
    Stray(char),
    /// A word after the result.
    AfterResult(String),
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at move {} of {:?}: ", self.number, self.side)?;
        match &self.fault {
            ScoreFault::Move(error) => write!(f, "{error}"),
            ScoreFault::Number(text) => write!(f, "move number '{text}' is out of order"),
            ScoreFault::UnclosedComment => write!(f, "comment without '}}'"),
            ScoreFault::UnclosedVariation => write!(f, "variation without ')'"),
            ScoreFault::Stray(sign) => write!(f, "stray '{sign}'"),
            ScoreFault::AfterResult(text) => write!(f, "'{text}' after the result"),
        }
    }
}

impl std::error::Error for ScoreError {}

/// Reads the moves of a game from this position, each as [`parse_san`] does.
///
/// Move numbers may be missing; those given may start anywhere but must then count on. Commas, comments (`{...}`, `;` to
/// the end of the line), variations in parentheses, glyphs (`$1`) and a result at the end are read and dropped.
///
/// # Errors
/// [`ScoreError`], with the number of the move.
pub fn parse_score(position: &Position, text: &str) -> Result<Vec<Move>, ScoreError> {
    let mut reader = Reader::new(position);
    for word in (Words { rest: text }) {
        word.and_then(|word| reader.word(word)).map_err(|fault| reader.error(fault))?;
    }
    reader.finish_move().map_err(|fault| reader.error(fault))?;
    Ok(reader.moves)
}

/// Plays the words of a score one by one.
struct Reader<'a> {
    position: Position,
    moves: Vec<Move>,
    /// A move not yet played, because remarks on it may follow as words of their own.
    pending: Vec<&'a str>,
    /// The first number of the score less the position's own.
    offset: Option<i64>,
    has_result: bool,
}

impl<'a> Reader<'a> {
    fn new(position: &Position) -> Reader<'a> {
        Reader { position: *position, moves: Vec::new(), pending: Vec::new(), offset: None, has_result: false }
    }

    fn error(&self, fault: ScoreFault) -> ScoreError {
        let number = i64::from(self.position.fullmove_number()) + self.offset.unwrap_or(0);
        ScoreError { number: u32::try_from(number).unwrap_or(0), side: self.position.side_to_move(), fault }
    }

    fn word(&mut self, word: &'a str) -> Result<(), ScoreFault> {
        if self.has_result {
            return Err(ScoreFault::AfterResult(word.into()));
        }
        if is_remark(word) && !self.pending.is_empty() {
            self.pending.push(word);
            return Ok(());
        }
        self.finish_move()?;
        self.has_result = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "½-½" | "½" | "*");
        if self.has_result {
            return Ok(());
        }
        let text = self.number(word)?;
        self.pending.extend((!text.is_empty()).then_some(text));
        Ok(())
    }

    /// Checks the number a word begins with, if any, and returns the rest: a move or nothing.
    fn number(&mut self, word: &'a str) -> Result<&'a str, ScoreFault> {
        let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let text = after_digits.trim_start_matches(['.', '…']);
        let digits = &word[..word.len() - after_digits.len()];
        let dots = &after_digits[..after_digits.len() - text.len()];
        if digits.is_empty() {
            return Ok(text);
        }
        if dots.is_empty() && !text.is_empty() {
            // Not a number: castling written with zeros, or something a move reader will refuse.
            return Ok(word);
        }
        let misplaced = || ScoreFault::Number(digits.into());
        let number: u32 = digits.parse().map_err(|_| misplaced())?;
        let offset = i64::from(number) - i64::from(self.position.fullmove_number());
        let for_black = dots.contains("..") || dots.contains('…');
        if *self.offset.get_or_insert(offset) != offset || for_black && self.position.side_to_move() == Color::White {
            return Err(misplaced());
        }
        Ok(text)
    }

    /// Plays the pending move, if there is one.
    fn finish_move(&mut self) -> Result<(), ScoreFault> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mv = parse_san(&self.position, &self.pending.join(" ")).map_err(ScoreFault::Move)?;
        self.pending.clear();
        self.position.make(mv);
        self.moves.push(mv);
        Ok(())
    }
}

/// The words of a score, with everything between them dropped.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = Result<&'a str, ScoreFault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.rest = self.rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            let first = self.rest.chars().next()?;
            let skipped = match first {
                '{' | ';' => self.skip_comment(first),
                '(' => self.skip_variation(),
                '$' => self.skip_glyph(),
                ')' | '}' => Err(ScoreFault::Stray(first)),
                _ => return Some(Ok(self.take(word_length(self.rest)))),
            };
            if let Err(fault) = skipped {
                self.rest = "";
                return Some(Err(fault));
            }
        }
    }
}

impl<'a> Words<'a> {
    /// Splits off this many bytes, which must end between letters.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn skip_comment(&mut self, opening: char) -> Result<(), ScoreFault> {
        let end = if opening == ';' {
            self.rest.find('\n').unwrap_or(self.rest.len())
        } else {
            self.rest.find('}').ok_or(ScoreFault::UnclosedComment)? + 1
        };
        self.take(end);
        Ok(())
    }

    /// Skips a variation with all that is nested in it; parentheses in its comments do not count.
    fn skip_variation(&mut self) -> Result<(), ScoreFault> {
        let mut depth = 0_usize;
        while let Some(start) = self.rest.find(['(', ')', '{', ';']) {
            self.take(start);
            match self.rest.chars().next() {
                Some(opening @ ('{' | ';')) => {
                    self.skip_comment(opening)?;
                    continue;
                }
                Some('(') => depth += 1,
                _ => depth -= 1,
            }
            self.take(1);
            if depth == 0 {
                return Ok(());
            }
        }
        Err(ScoreFault::UnclosedVariation)
    }

    fn skip_glyph(&mut self) -> Result<(), ScoreFault> {
        self.take(1);
        let digits = self.rest.len() - self.rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        self.take(digits);
        if digits == 0 { Err(ScoreFault::Stray('$')) } else { Ok(()) }
    }
}

/// The bytes of the word that the text begins with; the promotion `(Q)` belongs to its word.
fn word_length(text: &str) -> usize {
    let is_end = |letter: char| letter.is_whitespace() || ",;$(){}".contains(letter);
    let end = text.find(is_end).unwrap_or(text.len());
    match text.as_bytes()[end..] {
        [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', ..] => {
            let after = end + 3;
            // A check or a glyph may follow.
            after + text[after..].find(is_end).unwrap_or(text.len() - after)
        }
        _ => end,
    }
}
