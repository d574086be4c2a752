//! Standard Algebraic Notation: moves as people write them, `Nbd2`, `exd8=Q+`, `O-O`.
//!
//! The writer gives the one standard form. The reader takes many forms, but only the text of exactly one legal move.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use crate::chess::position::Position;
use crate::chess::types::{CastlingSide, File, Move, PieceKind, Rank, Square};

/// Why a text is not the name of a move here. Each holds the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SanError {
    /// The text does not have the form of a move.
    Syntax(String),
    /// It has, but no legal move fits it.
    Illegal(String),
    /// More than one legal move fits it; a promotion without its piece is of this kind.
    Ambiguous(String),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax(text) => write!(f, "'{text}' is not a move"),
            SanError::Illegal(text) => write!(f, "move '{text}' is illegal here"),
            SanError::Ambiguous(text) => write!(f, "move '{text}' can mean several legal moves"),
        }
    }
}

impl std::error::Error for SanError {}

/// The legal move in standard form: the least that tells it from other legal moves (file, else rank, else both), `x`,
/// `=Q`, `O-O`, `+` and `#`.
///
/// ```
/// use luft::chess::Position;
/// use luft::chess::notation::{format_san, parse_san};
/// let position = Position::initial();
/// let mv = parse_san(&position, "Ng1-f3!").unwrap();
/// assert_eq!(format_san(&position, mv), "Nf3");
/// ```
pub fn format_san(position: &Position, mv: Move) -> String {
    let mut text = format_unmarked(position, mv);
    let after = position.after(mv);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

fn format_unmarked(position: &Position, mv: Move) -> String {
    if mv.is_castling() {
        return castling_name(CastlingSide::towards(mv.from(), mv.to())).into();
    }
    let mut text = String::new();
    match position.piece_on(mv.from()).map(|piece| piece.kind()) {
        None | Some(PieceKind::Pawn) => text.extend(mv.is_capture().then(|| mv.from().file().letter())),
        Some(kind) => {
            text.push(kind.letter().to_ascii_uppercase());
            push_origin(&mut text, position, mv, kind);
        }
    }
    if mv.is_capture() {
        text.push('x');
    }
    text.push_str(&mv.to().to_string());
    if let Some(kind) = mv.promotion() {
        text.extend(['=', kind.letter().to_ascii_uppercase()]);
    }
    text
}

fn castling_name(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::King => "O-O",
        CastlingSide::Queen => "O-O-O",
    }
}

/// Adds what tells the move from those of other men of its kind to the same square.
fn push_origin(text: &mut String, position: &Position, mv: Move, kind: PieceKind) {
    let from = mv.from();
    let rivals: Vec<Square> = (position.legal_moves().into_iter())
        .filter(|other| other.to() == mv.to() && !other.is_castling() && other.from() != from)
        .map(Move::from)
        .filter(|&square| position.piece_on(square).is_some_and(|piece| piece.kind() == kind))
        .collect();
    if rivals.is_empty() {
        return;
    }
    let file_taken = rivals.iter().any(|rival| rival.file() == from.file());
    let rank_taken = rivals.iter().any(|rival| rival.rank() == from.rank());
    if !file_taken || rank_taken {
        text.push(from.file().letter());
    }
    if file_taken {
        text.push(from.rank().digit());
    }
}

/// Reads the name of a legal move.
///
/// Besides the standard form it reads `0-0`; `:` or nothing for a capture; `-` or nothing between full squares
/// (`Ng1-f3`, `e2e4`, castling as the king's step or as king takes rook); two files alone for a pawn's capture (`f:e`,
/// `fe`); more origin than needed; promotions as `e8Q`, `e8/Q`, `e8(Q)`; and after the move `+`, `++`, `#`, `mate`,
/// `!`, `?`, `e.p.`, `ep`. A sign of capture and `e.p.` must be true; those of check and mate are not verified.
///
/// # Errors
/// [`SanError`], with the text.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let description = Description::read(text).ok_or_else(|| SanError::Syntax(text.into()))?;
    let moves = position.legal_moves();
    let mut fitting = moves.iter().filter(|&&mv| description.fits(position, mv));
    match (fitting.next(), fitting.next()) {
        (Some(&mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(SanError::Ambiguous(text.into())),
        // A king's step that it cannot make otherwise is castling.
        _ => (moves.iter().copied().find(|&mv| description.fits_castling_squares(position, mv)))
            .ok_or_else(|| SanError::Illegal(text.into())),
    }
}

/// Whether a word only remarks on the move before it: `+`, `mate`, `e.p.`, `!?`.
pub(super) fn is_remark(word: &str) -> bool {
    !word.is_empty() && strip_remarks(word).0.is_empty()
}

/// Takes the remarks off the end of a move and says whether one of them was `e.p.`.
fn strip_remarks(text: &str) -> (&str, bool) {
    const MARKS: [&str; 7] = ["+", "#", "!", "?", "†", "‡", "mate"];
    const EN_PASSANT: [&str; 4] = ["e.p.", "ep.", "e.p", "ep"];
    let mut body = text.trim();
    let mut en_passant = false;
    loop {
        let unmarked = MARKS.iter().find_map(|mark| body.strip_suffix(mark));
        let unmarked = unmarked.or_else(|| {
            let rest = EN_PASSANT.iter().find_map(|mark| body.strip_suffix(mark));
            en_passant |= rest.is_some();
            rest
        });
        match unmarked {
            Some(rest) => body = rest.trim_end(),
            None => return (body, en_passant),
        }
    }
}

/// A square of which only part may be known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PartialSquare {
    file: Option<File>,
    rank: Option<Rank>,
}

impl PartialSquare {
    const UNKNOWN: PartialSquare = PartialSquare { file: None, rank: None };

    fn read(letters: &mut Peekable<Chars<'_>>) -> PartialSquare {
        let file = letters.next_if(|&letter| File::from_letter(letter).is_some()).and_then(File::from_letter);
        let rank = letters.next_if(|&digit| Rank::from_digit(digit).is_some()).and_then(Rank::from_digit);
        PartialSquare { file, rank }
    }

    fn fits(self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file()) && self.rank.is_none_or(|rank| rank == square.rank())
    }

    fn is_whole(self) -> bool {
        self.file.is_some() && self.rank.is_some()
    }
}

/// What a text says about a move.
enum Description {
    Castling(CastlingSide),
    Plain(PlainDescription),
}

/// What a text says about a move other than castling; what it leaves open is `None` or false.
struct PlainDescription {
    kind: Option<PieceKind>,
    from: PartialSquare,
    to: PartialSquare,
    capture: bool,
    en_passant: bool,
    promotion: Option<PieceKind>,
}

impl Description {
    fn read(text: &str) -> Option<Description> {
        let (body, en_passant) = strip_remarks(text);
        match read_castling(body) {
            Some(side) => (!en_passant).then_some(Description::Castling(side)),
            None => PlainDescription::read(body, en_passant).map(Description::Plain),
        }
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        match self {
            Description::Castling(side) => mv.is_castling() && CastlingSide::towards(mv.from(), mv.to()) == *side,
            Description::Plain(plain) => !mv.is_castling() && plain.fits(position, mv),
        }
    }

    /// Whether the text names castling by whole squares: where the king stands, and where it ends or the rook stands.
    fn fits_castling_squares(&self, position: &Position, mv: Move) -> bool {
        let Description::Plain(plain) = self else {
            return false;
        };
        let king_target = CastlingSide::towards(mv.from(), mv.to()).king_target(position.side_to_move());
        let target_fits = plain.to.is_whole() && (plain.to.fits(king_target) || plain.to.fits(mv.to()));
        mv.is_castling()
            && plain.from.is_whole()
            && plain.from.fits(mv.from())
            && target_fits
            && plain.kind.is_none_or(|kind| kind == PieceKind::King)
            && plain.promotion.is_none()
            && !plain.capture
            && !plain.en_passant
    }
}

fn read_castling(body: &str) -> Option<CastlingSide> {
    let spelled: String =
        body.chars().map(|letter| if matches!(letter, '0' | 'o') { 'O' } else { plain_dash(letter) }).collect();
    CastlingSide::ALL.into_iter().find(|&side| castling_name(side) == spelled)
}

/// Typeset dashes as `-`.
fn plain_dash(letter: char) -> char {
    if matches!(letter, '‐' | '‑' | '–' | '—' | '−') { '-' } else { letter }
}

impl PlainDescription {
    fn read(body: &str, en_passant: bool) -> Option<PlainDescription> {
        let mut letters = body.chars().peekable();
        let letter = letters.next_if(|letter| "KQRBNP".contains(*letter)).and_then(PieceKind::from_letter);
        let first = PartialSquare::read(&mut letters);
        let sign = letters.next_if(|&letter| matches!(plain_dash(letter), 'x' | 'X' | '×' | ':' | '-'));
        let second = PartialSquare::read(&mut letters);
        let promotion = read_promotion(&letters.collect::<String>())?;
        let is_single = sign.is_none() && second == PartialSquare::UNKNOWN;
        let (from, to) = if is_single { (PartialSquare::UNKNOWN, first) } else { (first, second) };
        // Two whole squares say enough without a letter, as in UCI; else no letter means a pawn.
        let kind = if from.is_whole() && to.is_whole() { letter } else { letter.or(Some(PieceKind::Pawn)) };
        let is_file_pair = to.rank.is_none() && from.file.is_some() && kind == Some(PieceKind::Pawn);
        let is_complete = to.file.is_some() && (to.rank.is_some() || is_file_pair);
        let capture = is_file_pair || sign.is_some_and(|sign| plain_dash(sign) != '-');
        is_complete.then_some(PlainDescription { kind, from, to, capture, en_passant, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let kind = position.piece_on(mv.from()).map(|piece| piece.kind());
        self.from.fits(mv.from())
            && self.to.fits(mv.to())
            && (self.kind.is_none() || self.kind == kind)
            && (!self.capture || mv.is_capture())
            && (!self.en_passant || mv.is_en_passant())
            && (self.promotion.is_none() || self.promotion == mv.promotion())
    }
}

/// Reads what follows the target square: nothing, `=Q`, `/Q`, `(Q)` or `Q`. The outer `None` is anything else.
fn read_promotion(rest: &str) -> Option<Option<PieceKind>> {
    if rest.is_empty() {
        return Some(None);
    }
    let bracketed = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let name = bracketed.or_else(|| rest.strip_prefix(['=', '/'])).unwrap_or(rest);
    let mut letters = name.chars();
    match (letters.next().and_then(PieceKind::from_letter), letters.next()) {
        (Some(kind), None) if PieceKind::PROMOTIONS.contains(&kind) => Some(Some(kind)),
        _ => None,
    }
}
