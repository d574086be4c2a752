//! Endgame tables as judges: Syzygy tables end a game as soon as they know its result.

use super::verdict::{Reason, Verdict};
use crate::chess::Position;
use crate::syzygy::{Tablebase, Wdl};

/// The result by the tables, if they know the position.
///
/// The tables count fifty moves from the position that is asked about: so only positions right after a capture or a
/// pawn move are judged. Wins that the fifty moves prevent are draws.
pub fn verdict_of(tables: &Tablebase, position: &Position) -> Option<Verdict> {
    if position.halfmove_clock() != 0 || !position.has_legal_move() {
        return None;
    }
    let us = position.side_to_move();
    Some(match tables.wdl(position)? {
        Wdl::Win => Verdict::win(us, Reason::Tablebase),
        Wdl::Loss => Verdict::win(!us, Reason::Tablebase),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Verdict::draw(Reason::Tablebase),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::chess::Color;

    /// Runs where the project's shared tables lie beside the source; elsewhere there is nothing to ask.
    #[test]
    fn tables_judge_what_they_know() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
        if !folder.exists() {
            println!("no tables in {}: nothing tested", folder.display());
            return;
        }
        let tables = Tablebase::open(&folder).expect("tables");
        let verdict = |fen: &str| verdict_of(&tables, &fen.parse().expect("a position"));
        let white_wins = Some(Verdict::win(Color::White, Reason::Tablebase));
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 w - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 b - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), None, "stalemate is for the laws");
        assert_eq!(verdict("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1"), Some(Verdict::draw(Reason::Tablebase)));
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 w - - 1 1"), None, "the fifty moves have begun");
        assert_eq!(verdict("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None, "castling");
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQQQQ3 b - - 0 1"), None, "no such table");
        assert_eq!(verdict("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
    }
}
