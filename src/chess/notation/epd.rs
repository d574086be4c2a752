//! Extended Position Description: a position and named remarks on it, such as the best move or a name.
//!
//! Source: Steven Edwards, "Portable Game Notation Specification and Implementation Guide", section 16.2.

use std::fmt;
use std::str::FromStr;

use super::fen::{FenError, format_fen, parse_setup};
use super::san::{SanError, parse_san};
use crate::chess::position::{Position, Setup, SetupError};
use crate::chess::types::Move;

/// A position with operations.
///
/// The operations `hmvc` and `fmvn` are not among `operations`: they are the counters of the position.
///
/// ```
/// use luft::chess::notation::{Epd, format_san};
/// let epd: Epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back; rank\"; dm 1;".parse().unwrap();
/// let best = epd.best_moves().unwrap();
/// assert_eq!(format_san(&epd.position, best[0]), "Rd8#");
/// assert_eq!(epd.id(), Some("back; rank"));
/// assert_eq!(epd.mate_distance(), Ok(Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// What is said about it, in the order of the text.
    pub operations: Vec<Operation>,
}

/// One remark on a position: a name and any number of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name: a letter, then letters, digits, `_` or `-`.
    pub opcode: String,
    /// What the name is said of.
    pub operands: Vec<Operand>,
}

/// An operand of an [`Operation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A word without white space, `;` or `"`: a move or a number.
    Word(String),
    /// Any text, written in quotes, with `\` before each `"` and `\`.
    Quoted(String),
}

impl Operand {
    /// The text without quotes.
    pub fn text(&self) -> &str {
        match self {
            Operand::Word(text) | Operand::Quoted(text) => text,
        }
    }
}

/// Why a text is no EPD, or an operation does not say what it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EpdError {
    /// Fewer than four fields; the number there is.
    FieldCount(usize),
    /// The position cannot be read.
    Position(FenError),
    /// A name that does not begin with a letter or holds other signs than letters, digits, `_` and `-`.
    Opcode(String),
    /// A quote without its end; the text after it.
    UnclosedQuote(String),
    /// An operand of this operation is not a whole number in range.
    Number(String, String),
    /// An operand of this operation is not a move.
    Move(String, SanError),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::FieldCount(count) => write!(f, "EPD has {count} fields before its operations, not 4"),
            EpdError::Position(error) => write!(f, "{error}"),
            EpdError::Opcode(text) => write!(f, "EPD operation '{text}' cannot be read"),
            EpdError::UnclosedQuote(text) => write!(f, "EPD quote '{text}' has no end"),
            EpdError::Number(opcode, text) => write!(f, "EPD operation '{opcode}' has '{text}', not a number in range"),
            EpdError::Move(opcode, error) => write!(f, "EPD operation '{opcode}': {error}"),
        }
    }
}

impl std::error::Error for EpdError {}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> EpdError {
        EpdError::Position(error)
    }
}

impl From<SetupError> for EpdError {
    fn from(error: SetupError) -> EpdError {
        EpdError::Position(error.into())
    }
}

impl Epd {
    /// The operands of the first operation of this name, if there is one.
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&operation.operands)
    }

    /// The first operand of an operation as text: of `id`, or of a comment `c0` to `c9`.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(Operand::text)
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    /// The first operand of an operation as a whole number; `None` when there is no such operation.
    ///
    /// # Errors
    /// [`EpdError::Number`] when the operand is missing or no number from 0 to 2^32 - 1.
    pub fn number(&self, opcode: &str) -> Result<Option<u32>, EpdError> {
        self.operands(opcode).map(|operands| read_number(opcode, operands)).transpose()
    }

    /// In how many moves the side to move mates (`dm`); `None` when nothing is said.
    ///
    /// # Errors
    /// As [`Epd::number`].
    pub fn mate_distance(&self) -> Result<Option<u32>, EpdError> {
        self.number("dm")
    }

    /// The operands of an operation as legal moves of the position; empty when there is no such operation.
    ///
    /// # Errors
    /// [`EpdError::Move`], with the text of the first that is none.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        let read = |operand: &Operand| {
            parse_san(&self.position, operand.text()).map_err(|error| EpdError::Move(opcode.into(), error))
        };
        self.operands(opcode).unwrap_or_default().iter().map(read).collect()
    }

    /// The best moves (`bm`).
    ///
    /// # Errors
    /// As [`Epd::moves`].
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("bm")
    }

    /// The moves to avoid (`am`).
    ///
    /// # Errors
    /// As [`Epd::moves`].
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am")
    }
}

fn read_number<N: FromStr>(opcode: &str, operands: &[Operand]) -> Result<N, EpdError> {
    let text = operands.first().map_or("", Operand::text);
    text.parse().map_err(|_| EpdError::Number(opcode.into(), text.into()))
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Reads one line: four fields as in a FEN, then operations, each ended by `;` (the last may go without). The two
    /// counters of a FEN may follow the fourth field; `hmvc` and `fmvn` overrule them.
    fn from_str(text: &str) -> Result<Epd, EpdError> {
        let (mut setup, rest) = read_fields(text)?;
        let mut operations = read_operations(rest)?;
        for Operation { opcode, operands } in &operations {
            match opcode.as_str() {
                "hmvc" => setup.halfmove_clock = read_number(opcode, operands)?,
                "fmvn" => setup.fullmove_number = read_number(opcode, operands)?,
                _ => {}
            }
        }
        operations.retain(|operation| !matches!(operation.opcode.as_str(), "hmvc" | "fmvn"));
        Ok(Epd { position: setup.validate()?, operations })
    }
}

fn read_fields(text: &str) -> Result<(Setup, &str), EpdError> {
    let mut fields = Vec::new();
    let mut rest = text.trim();
    while fields.len() < 6 && !rest.is_empty() {
        let (field, after) = split_word(rest);
        if fields.len() >= 4 && !field.starts_with(|letter: char| letter.is_ascii_digit()) {
            break;
        }
        fields.push(field);
        rest = after;
    }
    if fields.len() < 4 {
        return Err(EpdError::FieldCount(fields.len()));
    }
    Ok((parse_setup(&fields.join(" "))?, rest))
}

/// The first word and what follows it without leading white space.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(rest.len());
        let (opcode, after) = rest.split_at(end);
        if !is_opcode(opcode) {
            return Err(EpdError::Opcode(opcode.into()));
        }
        let (operands, after) = read_operands(after)?;
        operations.push(Operation { opcode: opcode.into(), operands });
        rest = after;
    }
    Ok(operations)
}

fn is_opcode(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-');
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.chars().all(is_sign)
}

/// Reads operands up to and with the next `;` outside quotes, and what follows it without leading white space.
fn read_operands(text: &str) -> Result<(Vec<Operand>, &str), EpdError> {
    let mut operands = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(';') {
            return Ok((operands, after.trim_start()));
        }
        let (operand, after) = match rest.strip_prefix('"') {
            Some(quoted) => read_quoted(quoted)?,
            None => read_word(rest),
        };
        operands.push(operand);
        rest = after.trim_start();
    }
    Ok((operands, ""))
}

fn read_word(text: &str) -> (Operand, &str) {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, ';' | '"');
    let (word, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    (Operand::Word(word.into()), rest)
}

fn read_quoted(text: &str) -> Result<(Operand, &str), EpdError> {
    let mut content = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Ok((Operand::Quoted(content), letters.as_str())),
            '\\' => content.extend(letters.next()),
            _ => content.push(letter),
        }
    }
    Err(EpdError::UnclosedQuote(text.into()))
}

impl fmt::Display for Epd {
    /// One line, with `hmvc` and `fmvn` where the counters are not 0 and 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = format_fen(&self.position);
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        for operation in &self.operations {
            write!(f, " {operation};")?;
        }
        if self.position.halfmove_clock() != 0 {
            write!(f, " hmvc {};", self.position.halfmove_clock())?;
        }
        if self.position.fullmove_number() != 1 {
            write!(f, " fmvn {};", self.position.fullmove_number())?;
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        self.operands.iter().try_for_each(|operand| write!(f, " {operand}"))
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Word(word) => f.write_str(word),
            Operand::Quoted(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}
