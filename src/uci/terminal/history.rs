//! The moves of a game, found again from its positions, and their numbers.

use crate::chess::notation::format_san;
use crate::chess::{Color, Game, Move, Position};

/// The moves since the start, each with the position before it.
pub(super) fn moves_of(game: &Game) -> Vec<(Position, Move)> {
    let mut game = game.clone();
    let mut moves = Vec::new();
    while game.ply() > 0 {
        let after = *game.position();
        game.undo();
        let before = *game.position();
        let mv = before.legal_moves().into_iter().find(|&mv| before.after(mv) == after);
        moves.extend(mv.map(|mv| (before, mv)));
    }
    moves.reverse();
    moves
}

/// The last move and the position before it.
pub(super) fn last_move(game: &Game) -> Option<(Position, Move)> {
    let mut before = game.clone();
    before.undo();
    let position = *before.position();
    let mv = position.legal_moves().into_iter().find(|&mv| game.ply() > 0 && position.after(mv) == *game.position());
    mv.map(|mv| (position, mv))
}

/// The number before a move: `3.` or `3...`.
pub(super) fn number(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

/// A move with its number, as `3... Nf6`.
pub(super) fn numbered(position: &Position, mv: Move) -> String {
    format!("{} {}", number(position), format_san(position, mv))
}

/// Moves that follow each other from a position, numbered as in print, as many as fit into `width` letters but at least
/// one.
pub(super) fn line(mut position: Position, moves: impl IntoIterator<Item = Move>, width: usize) -> String {
    let mut text = String::new();
    for mv in moves {
        let needs_number = text.is_empty() || position.side_to_move() == Color::White;
        let word = if needs_number { numbered(&position, mv) } else { format_san(&position, mv) };
        if !text.is_empty() && text.len() + 1 + word.len() > width {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word);
        position.make(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_san;

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Position::initial());
        for text in moves.split(' ') {
            game.play(parse_san(game.position(), text).unwrap());
        }
        game
    }

    #[test]
    fn moves_are_found_again_and_numbered() {
        let game = game("e4 e5 Nf3 Nc6 Bb5 a6 O-O");
        let moves: Vec<Move> = moves_of(&game).into_iter().map(|(_, mv)| mv).collect();
        let all = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O";
        assert_eq!(line(*game.start(), moves.iter().copied(), usize::MAX), all);
        assert_eq!(line(*game.start(), moves.iter().copied(), 15), "1. e4 e5 2. Nf3");
        assert_eq!(line(*game.start(), moves.iter().copied(), 0), "1. e4");
        let (before, mv) = last_move(&game).unwrap();
        assert_eq!(numbered(&before, mv), "4. O-O");
        let after = game.start().after(moves[0]);
        assert_eq!(line(after, moves[1..3].iter().copied(), 80), "1... e5 2. Nf3");
        assert_eq!(last_move(&Game::new(Position::initial())), None);
    }
}
