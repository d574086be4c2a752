//! `d`: a position for the eye.

use crate::chess::notation::{CastlingSpelling, format_fen, format_move, format_shredder_fen};
use crate::chess::{Bitboard, File, Game, Outcome, Piece, Position, Rank, Square};
use crate::uci::options::spelling_for;

/// The board, the FEN, and everything the laws say about the position.
pub(in crate::uci) fn board(game: &Game, chess960: bool) -> Vec<String> {
    let position = game.position();
    let mut lines = picture(position);
    let fen = if chess960 { format_shredder_fen(position) } else { format_fen(position) };
    let squares = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    lines.extend([
        String::new(),
        format!("FEN: {fen}"),
        format!("Key: {:016X}", position.key()),
        format!("Checkers: {}", squares(position.checkers())),
        format!("Pinned: {}", squares(position.pinned())),
        format!("Legal moves: {}", legal_moves(position, spelling_for(chess960))),
        format!("Occurrences: {}", game.occurrences()),
        format!("State: {}", state(game)),
    ]);
    lines
}

fn picture(position: &Position) -> Vec<String> {
    let mut lines: Vec<String> = Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| {
            let men = File::ALL.map(|file| position.piece_on(Square::new(file, rank)).map_or('.', Piece::letter));
            let row: Vec<String> = men.iter().map(char::to_string).collect();
            format!("  {}  {}", rank.digit(), row.join(" "))
        })
        .collect();
    lines.push(String::new());
    lines.push("     a b c d e f g h".into());
    lines
}

fn legal_moves(position: &Position, spelling: CastlingSpelling) -> String {
    let mut moves: Vec<String> = position.legal_moves().into_iter().map(|mv| format_move(mv, spelling)).collect();
    moves.sort();
    moves.join(" ")
}

/// How the game stands by the laws.
pub(in crate::uci) fn state(game: &Game) -> String {
    match game.outcome() {
        None if game.position().in_check() => "check".into(),
        None => "in play".into(),
        Some(Outcome::Checkmate { winner }) => format!("checkmate, {winner:?} wins"),
        Some(Outcome::Stalemate) => "draw by stalemate".into(),
        Some(Outcome::DeadPosition) => "draw, neither side can mate".into(),
        Some(Outcome::Threefold) => "draw by threefold repetition".into(),
        Some(Outcome::FiftyMoves) => "draw by the fifty-move rule".into(),
    }
}
