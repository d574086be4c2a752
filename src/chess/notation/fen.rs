//! Forsyth-Edwards Notation, with the castling letters of X-FEN and Shredder-FEN.

use std::fmt;
use std::str::FromStr;

use crate::chess::position::{Board, Position, Setup, SetupError};
use crate::chess::types::{CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

/// Why a text is no FEN of a playable position. Each names the field at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Fewer than four fields or more than six.
    FieldCount(usize),
    /// The placement has not eight ranks.
    RankCount(usize),
    /// A rank (written as in the text) does not add up to eight squares.
    RankLength(String),
    /// A letter in the placement that is no man and no digit 1 to 8.
    UnknownPiece(char),
    /// The side to move is neither `w` nor `b`.
    SideToMove(String),
    /// The castling field has a letter that means nothing.
    Castling(String),
    /// The en passant field is neither `-` nor a square of the third or sixth rank.
    EnPassant(String),
    /// A counter is not a whole number from 0 to 65535.
    Counter(String),
    /// All fields can be read, but not as a position of the game.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::FieldCount(count) => write!(f, "FEN has {count} fields, not 4 to 6"),
            FenError::RankCount(count) => write!(f, "FEN board has {count} ranks, not 8"),
            FenError::RankLength(rank) => write!(f, "FEN rank '{rank}' is not 8 squares long"),
            FenError::UnknownPiece(letter) => write!(f, "FEN board has unknown letter '{letter}'"),
            FenError::SideToMove(text) => write!(f, "FEN side to move '{text}' is not 'w' or 'b'"),
            FenError::Castling(text) => write!(f, "FEN castling field '{text}' cannot be read"),
            FenError::EnPassant(text) => write!(f, "FEN en passant square '{text}' cannot be read"),
            FenError::Counter(text) => write!(f, "FEN counter '{text}' is not a number from 0 to 65535"),
            FenError::Setup(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FenError {}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> FenError {
        FenError::Setup(error)
    }
}

/// Reads a FEN of four to six fields, separated by any white space; missing counters are 0 and 1.
///
/// Castling letters may be `KQkq` (X-FEN: the outermost rook) or files (`HAha`, Shredder-FEN). Rights without king and
/// rook in place and en passant squares without a legal capture are dropped.
///
/// # Errors
/// See [`FenError`].
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    Ok(parse_setup(text)?.validate()?)
}

/// Reads a FEN as [`parse_fen`] does, but leaves open whether it is a position of the game.
///
/// # Errors
/// See [`FenError`]; never [`FenError::Setup`].
pub fn parse_setup(text: &str) -> Result<Setup, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if !(4..=6).contains(&fields.len()) {
        return Err(FenError::FieldCount(fields.len()));
    }
    let mut setup = Setup {
        board: parse_board(fields[0])?,
        side_to_move: parse_side(fields[1])?,
        castling: CastlingRights::NONE,
        en_passant: parse_en_passant(fields[3])?,
        halfmove_clock: parse_counter(fields.get(4), 0)?,
        fullmove_number: parse_counter(fields.get(5), 1)?,
    };
    setup.castling = parse_castling(fields[2], &setup)?;
    Ok(setup)
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    let mut board = Board::empty();
    for (&row, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
        parse_rank(row, rank, &mut board)?;
    }
    Ok(board)
}

fn parse_rank(row: &str, rank: Rank, board: &mut Board) -> Result<(), FenError> {
    let mut file = 0;
    for letter in row.chars() {
        if let Some(piece) = Piece::from_letter(letter) {
            let square = File::ALL.get(file).map(|&file| Square::new(file, rank));
            board.put(piece, square.ok_or_else(|| FenError::RankLength(row.into()))?);
            file += 1;
        } else {
            match letter.to_digit(10) {
                Some(empty @ 1..=8) => file += empty as usize,
                _ => return Err(FenError::UnknownPiece(letter)),
            }
        }
    }
    if file == 8 { Ok(()) } else { Err(FenError::RankLength(row.into())) }
}

fn parse_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(text.into())),
    }
}

fn parse_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square = Square::from_str(text).map_err(|()| FenError::EnPassant(text.into()))?;
    match square.rank() {
        Rank::R3 | Rank::R6 => Ok(Some(square)),
        _ => Err(FenError::EnPassant(text.into())),
    }
}

fn parse_counter(text: Option<&&str>, missing: u16) -> Result<u16, FenError> {
    text.map_or(Ok(missing), |text| text.parse().map_err(|_| FenError::Counter((*text).into())))
}

fn parse_castling(text: &str, setup: &Setup) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = setup.board.pieces(color, PieceKind::King).first();
        let granted = match letter.to_ascii_lowercase() {
            'k' => setup.outermost_rook(color, CastlingSide::King).map(|file| (CastlingSide::King, file)),
            'q' => setup.outermost_rook(color, CastlingSide::Queen).map(|file| (CastlingSide::Queen, file)),
            lower => {
                let file = File::from_letter(lower).ok_or_else(|| FenError::Castling(text.into()))?;
                let rook = Square::new(file, Rank::R1.relative_to(color));
                king.map(|king| (CastlingSide::towards(Square::new(king.file(), rook.rank()), rook), file))
            }
        };
        if let Some((side, file)) = granted {
            rights.grant(color, side, file);
        }
    }
    Ok(rights)
}

/// The FEN with X-FEN castling letters: `KQkq`, or a file letter where the rook is not the outermost one.
pub fn format_fen(position: &Position) -> String {
    format_with(position, |position, color, side, file| {
        let outermost = outermost_rook(position, color, side) == Some(file);
        match side {
            _ if !outermost => file.letter(),
            CastlingSide::King => 'k',
            CastlingSide::Queen => 'q',
        }
    })
}

/// The FEN with Shredder castling letters: always the files of the rooks.
pub fn format_shredder_fen(position: &Position) -> String {
    format_with(position, |_, _, _, file| file.letter())
}

fn outermost_rook(position: &Position, color: Color, side: CastlingSide) -> Option<File> {
    let setup = Setup { board: *position.board(), ..Setup::initial() };
    setup.outermost_rook(color, side)
}

fn format_with(position: &Position, castling_letter: impl Fn(&Position, Color, CastlingSide, File) -> char) -> String {
    let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(|rank| format_rank(position, rank)).collect();
    let side = if position.side_to_move() == Color::White { 'w' } else { 'b' };
    let mut castling = String::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(file) = position.castling().rook_file(color, side) {
                let letter = castling_letter(position, color, side, file);
                castling.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
    if castling.is_empty() {
        castling.push('-');
    }
    let en_passant = position.en_passant().map_or("-".into(), |square| square.to_string());
    let (halfmoves, fullmoves) = (position.halfmove_clock(), position.fullmove_number());
    format!("{} {side} {castling} {en_passant} {halfmoves} {fullmoves}", ranks.join("/"))
}

fn format_rank(position: &Position, rank: Rank) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in File::ALL {
        match position.piece_on(Square::new(file, rank)) {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(piece.letter());
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        parse_fen(text)
    }
}

impl fmt::Display for Position {
    /// The FEN of [`format_fen`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_fen(self))
    }
}
