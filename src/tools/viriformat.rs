//! Games as training records, in the published layout "viriformat".
//!
//! A game is a packed position of 32 bytes, then four bytes for each move (the move and a score from White's point of
//! view), then four zero bytes; all numbers are little-endian. Files are games one after the other, so they can be
//! joined and cut at game borders. Source: the specification on the page of the crate `viriformat`.

use std::fmt;
use std::io::{self, Read, Write};

use crate::chess::{
    Bitboard, Board, CastlingRights, CastlingSide, Color, Game, Move, MoveKind, Outcome, Piece, PieceKind, Position,
    Setup, SetupError, Square,
};

/// The result of a game for White, as the layout numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WhiteResult {
    /// Black won.
    Loss = 0,
    /// Nobody won.
    Draw = 1,
    /// White won.
    Win = 2,
}

impl WhiteResult {
    /// The result of a win of `color`.
    pub fn win_of(color: Color) -> WhiteResult {
        match color {
            Color::White => WhiteResult::Win,
            Color::Black => WhiteResult::Loss,
        }
    }

    /// The result of a game that has come to its end.
    pub fn of(outcome: Outcome) -> WhiteResult {
        match outcome {
            Outcome::Checkmate { winner } => WhiteResult::win_of(winner),
            _ => WhiteResult::Draw,
        }
    }

    /// White's points: 0, 1/2 or 1.
    pub fn white_points(self) -> f32 {
        f32::from(self as u8) / 2.0
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// The position before the first move.
    pub start: Position,
    /// Who won.
    pub result: WhiteResult,
    /// The moves, each with the score that the mover's search gave, in evaluation units from White's point of view; 32767
    /// and -32767 stand for forced mates. At the usual material a pawn is a little more than 100 units.
    pub moves: Vec<(Move, i16)>,
}

/// Why bytes are no game.
#[derive(Debug)]
pub enum RecordError {
    /// The bytes cannot be read, or end within a game.
    Io(io::Error),
    /// More than 32 men.
    Men(u32),
    /// A piece code that means nothing.
    Piece(u8),
    /// An en passant square off the board.
    EnPassant(u8),
    /// A result that is none of 0, 1, 2.
    Result(u8),
    /// The position is not one of the game.
    Setup(SetupError),
    /// A move (the sixteen bits) that is illegal where it is played.
    Move(u16),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io(error) => write!(f, "training record: {error}"),
            RecordError::Men(count) => write!(f, "training record has {count} men, more than 32"),
            RecordError::Piece(code) => write!(f, "training record has unknown piece {code}"),
            RecordError::EnPassant(square) => write!(f, "training record has en passant square {square}"),
            RecordError::Result(code) => write!(f, "training record has unknown result {code}"),
            RecordError::Setup(error) => write!(f, "training record: {error}"),
            RecordError::Move(bits) => write!(f, "training record has illegal move {bits:#06x}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Io(error)
    }
}

const COLOR_BIT: u8 = 8;
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;
const HEAD_LENGTH: usize = 32;
const MOVE_LENGTH: usize = 4;

impl TrainingGame {
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

    /// Writes the game.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(HEAD_LENGTH + MOVE_LENGTH * (self.moves.len() + 1));
        bytes.extend(pack(&self.start, self.result));
        for &(mv, score) in &self.moves {
            bytes.extend(pack_move(mv).to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend([0; MOVE_LENGTH]);
        writer.write_all(&bytes)
    }

    /// Reads the next game; `None` at the end. The reader should be buffered.
    ///
    /// # Errors
    /// See [`RecordError`].
    pub fn read(mut reader: impl Read) -> Result<Option<TrainingGame>, RecordError> {
        let mut head = [0; HEAD_LENGTH];
        // Only an end before the first byte is the end of the file and not of a game.
        if read_some(&mut reader, &mut head[..1])? == 0 {
            return Ok(None);
        }
        reader.read_exact(&mut head[1..])?;
        let (start, result) = unpack(&head)?;
        let mut position = start;
        let mut moves = Vec::new();
        loop {
            let mut pair = [0; MOVE_LENGTH];
            reader.read_exact(&mut pair)?;
            let bits = u16::from_le_bytes([pair[0], pair[1]]);
            if bits == 0 {
                return Ok(Some(TrainingGame { start, result, moves }));
            }
            let mv = unpack_move(&position, bits)?;
            moves.push((mv, i16::from_le_bytes([pair[2], pair[3]])));
            position.make(mv);
        }
    }
}

/// As `read`, but not disturbed by signals.
fn read_some(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn pack(position: &Position, result: WhiteResult) -> [u8; HEAD_LENGTH] {
    let mut bytes = [0; HEAD_LENGTH];
    let occupied = position.board().occupied();
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let code = position.piece_on(square).map_or(0, |piece| piece_code(piece, square, position.castling()));
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    let black = if position.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = black | position.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = position.halfmove_clock().min(255) as u8;
    bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes[30] = result as u8;
    bytes
}

fn piece_code(piece: Piece, square: Square, castling: CastlingRights) -> u8 {
    let color = piece.color();
    let may_castle = CastlingSide::ALL.into_iter().any(|side| castling.rook_square(color, side) == Some(square));
    let kind = if may_castle { UNMOVED_ROOK } else { piece.kind() as u8 };
    kind | if color == Color::Black { COLOR_BIT } else { 0 }
}

fn unpack(bytes: &[u8; HEAD_LENGTH]) -> Result<(Position, WhiteResult), RecordError> {
    let mut board = Board::empty();
    let mut unmoved = Vec::new();
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() > 32 {
        return Err(RecordError::Men(occupied.count_ones()));
    }
    for (index, square) in Bitboard(occupied).into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & COLOR_BIT == 0 { Color::White } else { Color::Black };
        let kind = match code & !COLOR_BIT {
            UNMOVED_ROOK => {
                unmoved.push((color, square));
                PieceKind::Rook
            }
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or(RecordError::Piece(code))?,
        };
        board.put(Piece::new(color, kind), square);
    }
    let setup = Setup {
        castling: castling_rights(&board, &unmoved),
        board,
        side_to_move: if bytes[24] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black },
        en_passant: unpack_square(bytes[24] & !BLACK_TO_MOVE)?,
        halfmove_clock: u16::from(bytes[25]),
        fullmove_number: u16::from_le_bytes([bytes[26], bytes[27]]),
    };
    let result = match bytes[30] {
        0 => WhiteResult::Loss,
        1 => WhiteResult::Draw,
        2 => WhiteResult::Win,
        code => return Err(RecordError::Result(code)),
    };
    Ok((setup.validate().map_err(RecordError::Setup)?, result))
}

fn castling_rights(board: &Board, unmoved: &[(Color, Square)]) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for &(color, rook) in unmoved {
        if let Some(king) = board.pieces(color, PieceKind::King).first() {
            rights.grant(color, CastlingSide::towards(king, rook), rook.file());
        }
    }
    rights
}

fn unpack_square(code: u8) -> Result<Option<Square>, RecordError> {
    match code {
        NO_SQUARE => Ok(None),
        0..NO_SQUARE => Ok(Some(Square::from_index(usize::from(code)))),
        _ => Err(RecordError::EnPassant(code)),
    }
}

fn pack_move(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |kind| kind as u16 - PieceKind::Knight as u16);
    let sort = match mv.kind() {
        MoveKind::EnPassant => 1,
        MoveKind::Castling => 2,
        _ if mv.is_promotion() => 3,
        _ => 0,
    };
    mv.from() as u16 | (mv.to() as u16) << 6 | promotion << 12 | sort << 14
}

fn unpack_move(position: &Position, bits: u16) -> Result<Move, RecordError> {
    let legal = position.legal_moves().into_iter().find(|&mv| pack_move(mv) == bits);
    legal.ok_or(RecordError::Move(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_move};
    use crate::chess::random::SplitMix64;

    fn game(fen: &str, moves: &[(&str, i16)], result: WhiteResult) -> TrainingGame {
        let start = parse_fen(fen).expect("a position");
        let mut position = start;
        let moves = moves.iter().map(|&(text, score)| {
            let mv = parse_move(&position, text).expect("a legal move");
            position.make(mv);
            (mv, score)
        });
        TrainingGame { start, result, moves: moves.collect() }
    }

    fn written(game: &TrainingGame) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.write(&mut bytes).expect("memory takes all");
        bytes
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The example of the specification. It prints the pieces by half bytes in their order, of which the first is the
    /// lower half of the first byte.
    #[test]
    fn the_published_example_is_met() {
        let moves = [("e2e4", 10), ("e7e5", 20), ("d1h5", -30), ("e8e7", 32767), ("h5e5", 32767)];
        let expected = [
            0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0x00, 0x00, 0x00, 0x00, 0x88, 0x88,
            0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9, 0x40, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x0c, 0x07, 0x0a, 0x00,
            0x34, 0x09, 0x14, 0x00, 0xc3, 0x09, 0xe2, 0xff, 0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0x00, 0x00,
            0x00, 0x00,
        ];
        assert_eq!(written(&game(START, &moves, WhiteResult::Win)), expected);
    }

    #[test]
    fn all_sorts_of_moves_come_back() {
        let games = [
            game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9", &[("e1g1", 1), ("e8c8", -1)], WhiteResult::Draw),
            game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", &[("e5d6", 5)], WhiteResult::Win),
            game("1n6/P3k3/8/8/8/8/p3K3/1N6 w - - 0 1", &[("a7b8r", 0), ("a2b1n", 0)], WhiteResult::Loss),
            game("bnqrkrnb/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBNQ w DBfd - 0 1", &[("g2g3", 0)], WhiteResult::Draw),
        ];
        let bytes: Vec<u8> = games.iter().flat_map(written).collect();
        let mut reader = bytes.as_slice();
        for game in games {
            assert_eq!(TrainingGame::read(&mut reader).expect("a sound record"), Some(game));
        }
        assert!(TrainingGame::read(&mut reader).expect("the end").is_none());
    }

    #[test]
    fn random_games_come_back() {
        let mut random = SplitMix64::new(11);
        for _ in 0..50 {
            let start = Position::initial();
            let mut position = start;
            let mut moves = Vec::new();
            while moves.len() < 150 && position.has_legal_move() {
                let legal = position.legal_moves();
                let mv = legal[random.below(legal.len() as u64) as usize];
                moves.push((mv, random.next() as i16));
                position.make(mv);
            }
            let game = TrainingGame { start, result: WhiteResult::Draw, moves };
            assert_eq!(TrainingGame::read(written(&game).as_slice()).expect("a sound record"), Some(game));
        }
    }

    #[test]
    fn damaged_records_are_refused() {
        let sound = written(&game(START, &[("e2e4", 0)], WhiteResult::Win));
        let error = |index: usize, value: u8| {
            let mut bytes = sound.clone();
            bytes[index] = value;
            TrainingGame::read(bytes.as_slice()).expect_err("damaged").to_string()
        };
        assert_eq!(error(8, 0x67), "training record has unknown piece 7");
        assert_eq!(error(24, 0x41), "training record has en passant square 65");
        assert_eq!(error(30, 3), "training record has unknown result 3");
        assert_eq!(error(32, 0x0d), "training record has illegal move 0x070d");
        assert_eq!(error(0, 0), "training record: Black has 0 kings, not one");
        assert_eq!(error(2, 0xff), "training record has 40 men, more than 32");
        assert!(TrainingGame::read(&sound[..38]).is_err());
        assert!(TrainingGame::read(&sound[..5]).is_err());
    }
}
