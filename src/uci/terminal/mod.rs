//! The face that the program shows a person on a terminal: moves typed as they are spoken of, a coloured board, searches
//! told in numbers for people, and games against the engine by the clock.
//!
//! It stands between the person and the session: what it does not know itself goes on as a line of the protocol. When `uci`
//! arrives it is gone, and nothing of it is ever seen by a program.

mod board;
mod dialogue;
mod duel;
mod history;
mod paint;
mod table;
mod words;

use std::collections::VecDeque;

use crate::chess::Color;
use duel::Duel;
pub(super) use paint::Paint;
use table::SearchTable;

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To tell what it finds.
    Analysis,
    /// To play the move on the board.
    Move,
    /// Nothing any more: the person has done something else meanwhile.
    Nothing,
}

/// What is remembered between a person's lines.
pub(super) struct Terminal {
    paint: Paint,
    purpose: Purpose,
    table: SearchTable,
    /// The game against the engine, if one is played.
    duel: Option<Duel>,
    /// The side whose men are shown at the bottom of the board.
    bottom: Color,
    /// Lines that wait for the end of the search.
    waiting: VecDeque<String>,
    /// Whether the cursor stands behind a prompt.
    prompted: bool,
}

impl Terminal {
    pub(super) fn new(paint: Paint) -> Terminal {
        Terminal {
            paint,
            purpose: Purpose::Analysis,
            table: SearchTable::default(),
            duel: None,
            bottom: Color::White,
            waiting: VecDeque::new(),
            prompted: false,
        }
    }
}

const HELP: &str = "\
At the board:
  e4, Nf3, e2e4, O-O   plays a move, or several
  go                   the engine thinks for three seconds and plays; in a game it takes your side, and you take its
  analyse              the engine thinks until you press Enter
  play COLOUR [M+S]    a game from here: you have COLOUR, both have M minutes and S seconds more for each move (5+3)
  resign               ends the game
  undo [N]             takes moves back: in a game your last one, otherwise one or N
  new                  the initial array
  d, board             the board;  moves  the moves so far
  stop, Enter          ends the search
  quit                 leaves
Scores are for White: +1.00 wins every second game for White; #3 is a mate in three.
Everything else is for engines and those who test them:";
