//! Principal variations: one line a ply, each made of a move and the line below (a triangular table).

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::score::MAX_PLY;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from each ply.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable { lines: vec![Line::new(); MAX_PLY + 2] }
    }

    /// Forgets the line from this ply.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line from this ply becomes `mv` and the line from the next.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(lower[0].iter().copied().take(room));
    }

    /// The line from this ply.
    pub(super) fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }
}
