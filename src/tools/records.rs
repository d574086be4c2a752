//! Games as training records in the published `viriformat` byte layout.
//!
//! A game is a packed start position of 32 bytes, then for each ply two bytes of move and two bytes of score (White's view),
//! and four zero bytes at the end. The start position carries the game's result. All numbers are little-endian.
//!
//! Source: Cosmo Bobak, `viriformat` (crate documentation), after Jamie Whiting's `marlinformat`.

use std::fmt;
use std::io::{self, Read, Write};

use crate::chess::{
    Board, CastlingRights, CastlingSide, Color, File, Game, Move, MoveKind, Piece, PieceKind, Position, Setup,
    SetupError, Square,
};

/// Bytes of a packed start position.
const HEADER_BYTES: usize = 32;
/// Stands for a rook that may still castle.
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// How a game ended, White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// The result of a win of `color`.
    pub fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// White's points: 0, 1/2 or 1.
    pub fn white_points(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// A game: where it began, its moves with the score of the search that chose each (centipawns, White's view), and how it
/// ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The first position.
    pub start: Position,
    /// Moves and scores.
    pub moves: Vec<(Move, i16)>,
    /// The result.
    pub result: GameResult,
}

/// Why bytes are no game.
#[derive(Debug)]
pub enum RecordError {
    /// The bytes end within a game.
    Truncated,
    /// They cannot be read at all.
    Io(io::Error),
    /// The start position is impossible.
    Setup(SetupError),
    /// The start position has an unknown man, or more men than squares.
    Packing,
    /// The result is none of the three.
    Result(u8),
    /// The move with this index from 0 is illegal.
    IllegalMove(usize),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Truncated => write!(f, "the record ends within a game"),
            RecordError::Io(error) => write!(f, "the record cannot be read: {error}"),
            RecordError::Setup(error) => write!(f, "start position: {error}"),
            RecordError::Packing => write!(f, "start position: unknown man"),
            RecordError::Result(byte) => write!(f, "result {byte} is none of 0, 1, 2"),
            RecordError::IllegalMove(index) => write!(f, "move {} of the record is illegal", index + 1),
        }
    }
}

impl std::error::Error for RecordError {}

impl GameRecord {
    /// Appends the bytes of the game.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&pack(&self.start, self.moves.first().map_or(0, |first| first.1), self.result));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&pack_move(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 4]);
    }

    /// Writes the game in one piece.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + 4 * (self.moves.len() + 1));
        self.encode(&mut bytes);
        output.write_all(&bytes)
    }

    /// Reads the next game; `None` at the end. Every move is checked to be legal.
    ///
    /// # Errors
    /// See [`RecordError`].
    pub fn read(input: &mut impl Read) -> Result<Option<GameRecord>, RecordError> {
        let mut header = [0; HEADER_BYTES];
        let mut first = 0;
        while first < HEADER_BYTES {
            match input.read(&mut header[first..]) {
                Ok(0) if first == 0 => return Ok(None),
                Ok(0) => return Err(RecordError::Truncated),
                Ok(count) => first += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RecordError::Io(error)),
            }
        }
        let (start, result) = unpack(&header)?;
        let moves = read_moves(input, start)?;
        Ok(Some(GameRecord { start, moves, result }))
    }

    /// The positions of the game with the move played there and its score, in order.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move, i16)> + '_ {
        self.moves.iter().scan(self.start, |position, &(mv, score)| {
            let before = *position;
            position.make(mv);
            Some((before, mv, score))
        })
    }

    /// The game played out, with its repetitions.
    pub fn replay(&self) -> Game {
        let mut game = Game::new(self.start);
        self.moves.iter().for_each(|&(mv, _)| game.play(mv));
        game
    }
}

fn read_moves(input: &mut impl Read, start: Position) -> Result<Vec<(Move, i16)>, RecordError> {
    let mut moves = Vec::new();
    let mut position = start;
    loop {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => RecordError::Truncated,
            _ => RecordError::Io(error),
        })?;
        if bytes == [0; 4] {
            return Ok(moves);
        }
        let packed = u16::from_le_bytes([bytes[0], bytes[1]]);
        let mv = unpack_move(&position, packed).ok_or(RecordError::IllegalMove(moves.len()))?;
        moves.push((mv, i16::from_le_bytes([bytes[2], bytes[3]])));
        position.make(mv);
    }
}

fn pack(position: &Position, score: i16, result: GameResult) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let occupied = position.board().occupied();
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = position.piece_on(square) else { continue };
        let kind = if is_unmoved_rook(position, piece, square) { UNMOVED_ROOK } else { piece.kind() as u8 };
        bytes[8 + index / 2] |= (kind | (piece.color() as u8) << 3) << (4 * (index % 2));
    }
    let en_passant = position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[24] = (position.side_to_move() as u8) << 7 | en_passant;
    bytes[25] = position.halfmove_clock().min(u8::MAX as u16) as u8;
    bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes[28..30].copy_from_slice(&score.to_le_bytes());
    bytes[30] = result as u8;
    bytes
}

fn is_unmoved_rook(position: &Position, piece: Piece, square: Square) -> bool {
    let rights = position.castling();
    piece.kind() == PieceKind::Rook
        && CastlingSide::ALL.into_iter().any(|side| rights.rook_square(piece.color(), side) == Some(square))
}

fn unpack(bytes: &[u8; HEADER_BYTES]) -> Result<(Position, GameResult), RecordError> {
    let number = |from: usize| u16::from_le_bytes([bytes[from], bytes[from + 1]]);
    let mut setup = Setup {
        board: Board::empty(),
        side_to_move: if bytes[24] >> 7 == 0 { Color::White } else { Color::Black },
        castling: CastlingRights::NONE,
        en_passant: (bytes[24] & 127 < NO_SQUARE).then(|| Square::from_index((bytes[24] & 127) as usize)),
        halfmove_clock: bytes[25] as u16,
        fullmove_number: number(26),
    };
    let occupied = crate::chess::Bitboard(bytes[..8].iter().rev().fold(0, |word, &byte| word << 8 | byte as u64));
    if occupied.len() > 32 {
        return Err(RecordError::Packing);
    }
    let mut unmoved_rooks = Vec::new();
    for (index, square) in occupied.into_iter().enumerate() {
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble >> 3 == 0 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            UNMOVED_ROOK => {
                unmoved_rooks.push((color, square));
                PieceKind::Rook
            }
            kind => *PieceKind::ALL.get(kind as usize).ok_or(RecordError::Packing)?,
        };
        setup.board.put(Piece::new(color, kind), square);
    }
    for (color, rook) in unmoved_rooks {
        if let Some(king) = setup.board.pieces(color, PieceKind::King).first() {
            grant(&mut setup.castling, color, king, rook.file());
        }
    }
    let result = match bytes[30] {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWins,
        other => return Err(RecordError::Result(other)),
    };
    Ok((setup.validate().map_err(RecordError::Setup)?, result))
}

fn grant(rights: &mut CastlingRights, color: Color, king: Square, rook: File) {
    let side = CastlingSide::towards(king, Square::new(rook, king.rank()));
    rights.grant(color, side, rook);
}

/// Bits 0-5 from, 6-11 to, 12-13 promotion (knight to queen), 14-15 kind: 0 plain, 1 en passant, 2 castling (king takes
/// rook), 3 promotion.
fn pack_move(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    let kind = match (mv.promotion(), mv.kind()) {
        (Some(piece), _) => 3 << 14 | (piece as u16 - PieceKind::Knight as u16) << 12,
        (None, MoveKind::EnPassant) => 1 << 14,
        (None, MoveKind::Castling) => 2 << 14,
        _ => 0,
    };
    squares | kind
}

fn unpack_move(position: &Position, packed: u16) -> Option<Move> {
    position.legal_moves().into_iter().find(|&mv| pack_move(mv) == packed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::chess::random::SplitMix64;

    fn random_game(start: Position, seed: u64) -> GameRecord {
        let mut random = SplitMix64::new(seed);
        let mut position = start;
        let mut moves = Vec::new();
        for _ in 0..150 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.below(legal.len() as u64) as usize];
            moves.push((mv, random.next() as i16));
            position.make(mv);
        }
        GameRecord { start, moves, result: GameResult::Draw }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "bnqrkrnb/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBNQ w DBfd - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "8/4P3/8/8/k7/8/2K3p1/8 w - - 12 60",
        ];
        let games: Vec<GameRecord> =
            starts.iter().enumerate().map(|(seed, fen)| random_game(parse_fen(fen).unwrap(), seed as u64)).collect();
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.encode(&mut bytes));
        let mut input = bytes.as_slice();
        for game in &games {
            assert_eq!(GameRecord::read(&mut input).unwrap().as_ref(), Some(game));
        }
        assert!(GameRecord::read(&mut input).unwrap().is_none());
    }

    #[test]
    fn the_initial_position_has_the_published_bytes() {
        let record = GameRecord { start: Position::initial(), moves: vec![], result: GameResult::WhiteWins };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        assert_eq!(bytes[..8], 0xFFFF_0000_0000_FFFFu64.to_le_bytes());
        // a1 and h1 are rooks that may castle (6), b1 a knight (1), the king on e1 is 5, Black's men have bit 8.
        assert_eq!(bytes[8..12], [0x16, 0x42, 0x25, 0x61]);
        assert_eq!(bytes[20..24], [0x9E, 0xCA, 0xAD, 0xE9]);
        assert_eq!((bytes[24], bytes[25], bytes[26], bytes[30]), (64, 0, 1, 2));
        assert_eq!(bytes.len(), 36);
    }

    #[test]
    fn broken_bytes_are_errors() {
        let mut bytes = Vec::new();
        random_game(Position::initial(), 3).encode(&mut bytes);
        for length in [1, 31, 33, bytes.len() - 1] {
            assert!(matches!(GameRecord::read(&mut &bytes[..length]), Err(RecordError::Truncated)), "{length}");
        }
        for index in 0..HEADER_BYTES + 8 {
            for value in [0, 7, 15, 77, 255] {
                let mut broken = bytes.clone();
                broken[index] = value;
                // Whatever it says, it does not panic.
                let _ = GameRecord::read(&mut broken.as_slice());
            }
        }
    }
}
