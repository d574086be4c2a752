//! A position with its past: repetition, and how a game ends.

use super::attacks::between;
use super::position::{Observer, Position};
use super::repetition::reversible_move;
use super::types::{Bitboard, Color, Move, PieceKind};

/// How a game has ended by the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate {
        /// Who gave mate.
        winner: Color,
    },
    /// No legal move and no check.
    Stalemate,
    /// Neither side can mate by any sequence of moves.
    DeadPosition,
    /// The position has occurred three times.
    Threefold,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
}

#[derive(Clone, Debug)]
struct Past {
    position: Position,
    /// Plies before `position` that could be undone by moving back: none was a capture, a pawn move, a loss of castling
    /// rights or a null move.
    reversible: u16,
}

/// A position and all positions before it, with the moves of play and search made and taken back on it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    reversible: u16,
    past: Vec<Past>,
    /// Keys of `past`, apart because repetition reads nothing else.
    keys: Vec<u64>,
}

impl Game {
    /// A game that begins here.
    pub fn new(position: Position) -> Game {
        Game { position, reversible: 0, past: Vec::new(), keys: Vec::new() }
    }

    /// The position on the board.
    #[inline(always)]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        self.past.first().map_or(&self.position, |past| &past.position)
    }

    /// Plies played since the start.
    pub fn ply(&self) -> usize {
        self.past.len()
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// Plays a legal move and tells the observer of every man that changes its place.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.remember();
        let rights = self.position.castling();
        self.position.make_observed(mv, observer);
        let reversible = self.position.halfmove_clock() != 0 && self.position.castling() == rights;
        self.reversible = if reversible { self.reversible.saturating_add(1) } else { 0 };
    }

    /// Passes the move (for null-move pruning). The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        self.remember();
        self.position.make_null();
        self.reversible = 0;
    }

    #[inline]
    fn remember(&mut self) {
        self.past.push(Past { position: self.position, reversible: self.reversible });
        self.keys.push(self.position.key());
    }

    /// Takes the last move back; at the start does nothing.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(past) = self.past.pop() {
            self.position = past.position;
            self.reversible = past.reversible;
            self.keys.pop();
        }
    }

    /// How many plies ago the same position stood, latest first.
    #[inline]
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.key();
        (4..=self.reversible as usize).step_by(2).filter(move |&distance| self.key_before(distance) == key)
    }

    #[inline(always)]
    fn key_before(&self, distance: usize) -> u64 {
        self.keys[self.keys.len() - distance]
    }

    /// How often the position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier_occurrences().count()
    }

    /// Whether a search that is `ply` plies deep should take the position as drawn by repetition: it occurred before
    /// within the search, or twice before in the game.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut before_root = 0;
        for distance in self.earlier_occurrences() {
            before_root += 1;
            if distance < ply || before_root == 2 {
                return true;
            }
        }
        false
    }

    /// Whether the side to move has a reversible move that leads to an earlier position, so that it can have at least
    /// a draw: one from within the search (`ply` plies deep), or one that has already occurred twice.
    #[inline]
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let occupied = self.position.board().occupied();
        let us = self.position.side_to_move();
        (3..=self.reversible as usize).step_by(2).any(|distance| {
            let Some((one, other)) = reversible_move(self.position.key() ^ self.key_before(distance)) else {
                return false;
            };
            // The piece stands on one of the two squares, and it must be ours and free to go.
            let mover = self.position.piece_on(one).or(self.position.piece_on(other));
            (between(one, other) & occupied).is_empty()
                && mover.is_some_and(|piece| piece.color() == us)
                && (distance < ply || self.occurred_twice(distance))
        })
    }

    /// Whether the position that stood `distance` plies ago had occurred before that as well.
    fn occurred_twice(&self, distance: usize) -> bool {
        let key = self.key_before(distance);
        let reversible = self.past[self.past.len() - distance].reversible as usize;
        (4..=reversible).step_by(2).any(|further| self.key_before(distance + further) == key)
    }

    /// How the game has ended, if it has. Threefold repetition and fifty moves end it without a claim here.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            let winner = !position.side_to_move();
            return Some(if position.in_check() { Outcome::Checkmate { winner } } else { Outcome::Stalemate });
        }
        if position.is_dead() {
            return Some(Outcome::DeadPosition);
        }
        if position.halfmove_clock() >= 100 {
            return Some(Outcome::FiftyMoves);
        }
        (self.occurrences() >= 3).then_some(Outcome::Threefold)
    }

    /// Whether `color` could still mate by some sequence of moves; if not, a flag fall of the other side is a draw.
    ///
    /// Judged by material: a lone knight needs an enemy man other than a queen to block its king in, bishops of one
    /// square colour need a pawn, a knight or a bishop of the other colour on the board.
    pub fn can_mate(&self, color: Color) -> bool {
        let board = self.position.board();
        let own = board.color(color);
        let (knights, bishops) = (board.kind(PieceKind::Knight), board.kind(PieceKind::Bishop));
        let strong = own - knights - bishops - board.kind(PieceKind::King);
        if strong.any() {
            return true;
        }
        if (own & knights).any() {
            let blockers = board.color(!color) - board.kind(PieceKind::Queen) - board.kind(PieceKind::King);
            return (own & (knights | bishops)).several() || blockers.any();
        }
        let on_light = bishops & Bitboard::LIGHT_SQUARES;
        let one_colour = on_light.is_empty() || on_light == bishops;
        let helpers = board.kind(PieceKind::Pawn) | knights;
        (own & bishops).any() && (!one_colour || helpers.any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn material_that_can_still_mate() {
        // Whether White, then whether Black can mate.
        let table = [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
            ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", false, true),
            ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", true, false),
            ("3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", false, true),
            ("3nk3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
            ("3bk3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", true, false),
        ];
        for (fen, white, black) in table {
            let game = Game::new(parse_fen(fen).unwrap());
            assert_eq!([game.can_mate(Color::White), game.can_mate(Color::Black)], [white, black], "{fen}");
        }
    }
}
