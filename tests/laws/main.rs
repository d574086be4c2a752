//! The laws of chess, numbered as in the project's list of laws: a test for each that binds the rules core.
//!
//! L14 to L17 (clock, agreement, illegal moves in a match, points) bind the match runner and are tested with it.

mod castling;
mod draws;
mod moves;
mod records;

use luft::chess::notation::{CastlingSpelling, format_move, parse_fen, parse_move};
use luft::chess::{Game, Position};

fn position(fen: &str) -> Position {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same position with colours exchanged and the board turned top to bottom.
fn exchanged(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
    let swap_case = |text: &str| -> String {
        let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(swap).collect()
    };
    fields[0] = swap_case(&fields[0].split('/').rev().collect::<Vec<_>>().join("/"));
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
    fields[2] = swap_case(&fields[2]);
    fields[3] = turned(&fields[3]);
    fields.join(" ")
}

/// Squares or UCI moves with the board turned top to bottom.
fn turned(text: &str) -> String {
    let turn = |c: char| c.to_digit(10).map_or(c, |digit| char::from_digit(9 - digit, 10).unwrap_or(c));
    text.chars().map(turn).collect()
}

/// The legal moves of the man on a square without that square, sorted: `e3 e4`, `e8q`, castling as the king's step or
/// from other squares as king takes rook.
fn moves_from(position: &Position, square: &str) -> String {
    let mut targets: Vec<String> = (position.legal_moves().into_iter())
        .map(|mv| format_move(mv, CastlingSpelling::KingTarget))
        .filter_map(|text| text.strip_prefix(square).map(String::from))
        .collect();
    targets.sort();
    targets.join(" ")
}

/// Checks where the man on a square can go, for this position and with colours exchanged.
#[track_caller]
fn assert_moves(fen: &str, square: &str, targets: &str) {
    assert_eq!(moves_from(&position(fen), square), targets, "{square} in {fen}");
    let mut other: Vec<String> = targets.split_whitespace().map(turned).collect();
    other.sort();
    let fen = exchanged(fen);
    assert_eq!(moves_from(&position(&fen), &turned(square)), other.join(" "), "{} in {fen}", turned(square));
}

/// Checks how many legal moves there are in all, for either colour.
#[track_caller]
fn assert_move_count(fen: &str, count: u64) {
    for fen in [fen.into(), exchanged(fen)] {
        assert_eq!(position(&fen).count_legal_moves(), count, "{fen}");
    }
}

/// The game after these UCI moves.
#[track_caller]
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        let mv = parse_move(game.position(), text).unwrap_or_else(|error| panic!("{error} in {}", game.position()));
        game.play(mv);
    }
    game
}

/// The FEN after these UCI moves, without the counters.
#[track_caller]
fn after(fen: &str, moves: &str) -> String {
    let fen = game(fen, moves).position().to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
