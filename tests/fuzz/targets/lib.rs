//! What must hold of everything the fuzz targets read, in one place.

use luft::chess::notation::{
    CastlingSpelling, format_fen, format_move, format_san, format_shredder_fen, parse_fen, parse_move, parse_san,
};
use luft::chess::{Move, Position};

/// Positions are written and read again as they are, and every legal move has a name of its own in either notation that
/// leads back to it.
pub fn check_position(position: &Position) {
    for fen in [format_fen(position), format_shredder_fen(position)] {
        assert_eq!(parse_fen(&fen).as_ref(), Ok(position), "{fen}");
    }
    for mv in position.legal_moves() {
        check_move(position, mv);
    }
}

/// A legal move is read again from all that can be written of it, and leads to a position that can be written too.
pub fn check_move(position: &Position, mv: Move) {
    let san = format_san(position, mv);
    assert_eq!(parse_san(position, &san), Ok(mv), "{san} in {position}");
    let uci = format_move(mv, CastlingSpelling::KingTakesRook);
    assert_eq!(parse_move(position, &uci), Ok(mv), "{uci} in {position}");
    let after = position.after(mv);
    let fen = format_shredder_fen(&after);
    assert_eq!(parse_fen(&fen), Ok(after), "{fen} after {uci}");
}
