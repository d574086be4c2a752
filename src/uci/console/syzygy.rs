//! `syzygy`: what endgame tables say of the position.

use crate::chess::Move;
use crate::chess::notation::format_move;
use crate::engine::Engine;
use crate::syzygy::{Tablebase, Wdl};
use crate::uci::options::spelling_for;

/// One line: the result, -2 for a loss to 2 for a win, the plies to the next capture or pawn move, and the same plies for
/// every move, best first.
pub(super) fn lines(engine: &Engine) -> Vec<String> {
    let Some(tables) = engine.options().tablebase.tables.as_deref() else {
        return vec!["info string no endgame tables in use".into()];
    };
    vec![format!("info string syzygy {}", answer(engine, tables))]
}

fn answer(engine: &Engine, tables: &Tablebase) -> String {
    let position = engine.game().position();
    let Some(result) = tables.wdl(position) else {
        return "unknown".into();
    };
    let mut text = format!("wdl {}", number_of(result));
    if let (Some(dtz), Some(mut moves)) = (tables.dtz(position), tables.dtz_of_moves(position)) {
        moves.sort_by_key(|&(_, plies)| order(plies));
        text.push_str(&format!(" dtz {dtz} moves"));
        let spelling = spelling_for(engine.options().chess960);
        moves
            .iter()
            .for_each(|&(mv, plies): &(Move, i32)| text.push_str(&format!(" {} {plies}", format_move(mv, spelling))));
    }
    text
}

fn number_of(result: Wdl) -> i32 {
    match result {
        Wdl::Loss => -2,
        Wdl::BlessedLoss => -1,
        Wdl::Draw => 0,
        Wdl::CursedWin => 1,
        Wdl::Win => 2,
    }
}

/// Wins first, the fastest before the others; then draws; then losses, the slowest first.
fn order(plies: i32) -> (i32, i32) {
    (-plies.signum(), plies)
}
