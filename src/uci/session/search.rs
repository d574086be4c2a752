//! What a session does with `position` and `go`.

use std::io::{self, Write};

use super::{Busy, Session};
use crate::chess::notation::{parse_fen, parse_move};
use crate::chess::{Game, Position};
use crate::search::Limits;
use crate::uci::go::GoParameters;

impl<W: Write> Session<W> {
    /// Sets up the position and plays the moves, or refuses the whole.
    pub(super) fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let start = match fen.map_or(Ok(Position::initial()), parse_fen) {
            Ok(position) => position,
            Err(error) => return self.print_error(&format_args!("position: {error}")),
        };
        let mut game = Game::new(start);
        for text in moves {
            match parse_move(game.position(), text) {
                Ok(mv) => game.play(mv),
                Err(error) => return self.print_error(&format_args!("position: {error}")),
            }
        }
        self.engine.set_game(game);
        Ok(())
    }

    pub(super) fn go(&mut self, parameters: &GoParameters) -> io::Result<()> {
        for error in &parameters.errors {
            self.print_error(error)?;
        }
        let overhead = self.engine.options().move_overhead();
        let (limits, illegal) = parameters.limits(self.engine.game().position(), overhead);
        for text in illegal {
            self.print_error(&format_args!("go searchmoves: move '{text}' is illegal here"))?;
        }
        self.begin_search(limits);
        Ok(())
    }

    pub(in crate::uci) fn begin_search(&mut self, limits: Limits) {
        self.busy = Busy::Searching { pondering: limits.ponder, endless: limits.is_endless() };
        self.told = None;
        self.engine.go(limits);
        self.stop_if_quitting();
    }
}
