//! How far search results have differed from the static evaluation, for parts of the position that recur: the next
//! evaluation with the same part is corrected by it (Chess Programming Wiki, "Static Evaluation Correction History").

use crate::chess::{Color, Position};

use super::{MovedTo, Params};

const ENTRIES: usize = 16_384;
/// Entries hold units of evaluation times this.
const GRAIN: i32 = 256;
/// No entry corrects by more than this many units.
const LARGEST: i32 = 64;
/// A result counts as much as the depth allows, this at most, of `WEIGHT_SCALE`.
const LARGEST_WEIGHT: i32 = 16;
const WEIGHT_SCALE: i32 = 256;

type Table = Box<[[i16; ENTRIES]; 2]>;

/// What an evaluation is corrected by: places in each table.
#[derive(Clone, Copy)]
pub(in crate::search) struct CorrectionKeys {
    color: Color,
    pawns: usize,
    minors: usize,
    non_pawns: [usize; 2],
    moves: Option<usize>,
}

impl CorrectionKeys {
    /// The keys of a position reached by these two moves, the last first.
    #[inline(always)]
    pub(in crate::search) fn new(
        position: &Position,
        last: Option<MovedTo>,
        before: Option<MovedTo>,
    ) -> CorrectionKeys {
        let parts = position.board().part_keys();
        let place = |key: u64| key as usize % ENTRIES;
        CorrectionKeys {
            color: position.side_to_move(),
            pawns: place(parts.pawns),
            minors: place(parts.minors),
            non_pawns: Color::ALL.map(|color| place(parts.non_pawns[color])),
            moves: last.zip(before).map(|(last, before)| before.index() * MovedTo::COUNT + last.index()),
        }
    }
}

/// The tables of one worker, each by the side to move.
pub(in crate::search) struct Corrections {
    pawns: Table,
    minors: Table,
    non_pawns: [Table; 2],
    /// By the last two moves.
    moves: Box<[i16]>,
}

impl Corrections {
    pub(in crate::search) fn new() -> Corrections {
        let table = || Box::new([[0; ENTRIES]; 2]);
        Corrections {
            pawns: table(),
            minors: table(),
            non_pawns: [table(), table()],
            moves: vec![0; MovedTo::COUNT * MovedTo::COUNT].into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub(in crate::search) fn forget(&mut self) {
        let [first, second] = &mut self.non_pawns;
        for table in [&mut self.pawns, &mut self.minors, first, second] {
            table.as_flattened_mut().fill(0);
        }
        self.moves.fill(0);
    }

    /// What to add to the static evaluation.
    #[inline(always)]
    pub(in crate::search) fn of(&self, keys: &CorrectionKeys, params: &Params) -> i32 {
        let color = keys.color.index();
        let non_pawns = [0, 1].map(|side| self.non_pawns[side][color][keys.non_pawns[side]] as i32);
        let moves = keys.moves.map_or(0, |place| self.moves[place] as i32);
        let sum = self.pawns[color][keys.pawns] as i32 * params.correction_pawns
            + self.minors[color][keys.minors] as i32 * params.correction_minors
            + (non_pawns[0] + non_pawns[1]) * params.correction_non_pawns
            + moves * params.correction_moves;
        sum / (1024 * GRAIN)
    }

    /// Takes note that a search of this depth has found the evaluation wrong by `error` units.
    pub(in crate::search) fn learn(&mut self, keys: &CorrectionKeys, depth: i32, error: i32) {
        let color = keys.color.index();
        let weight = (depth + 1).min(LARGEST_WEIGHT);
        let move_towards = |entry: &mut i16| {
            let target = error.clamp(-4 * LARGEST, 4 * LARGEST) * GRAIN;
            let next = (*entry as i32 * (WEIGHT_SCALE - weight) + target * weight) / WEIGHT_SCALE;
            *entry = next.clamp(-LARGEST * GRAIN, LARGEST * GRAIN) as i16;
        };
        move_towards(&mut self.pawns[color][keys.pawns]);
        move_towards(&mut self.minors[color][keys.minors]);
        for (table, &place) in self.non_pawns.iter_mut().zip(&keys.non_pawns) {
            move_towards(&mut table[color][place]);
        }
        if let Some(place) = keys.moves {
            move_towards(&mut self.moves[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_towards_the_error_and_stays_within_its_limit() {
        let params = Params::DEFAULT;
        let keys = CorrectionKeys::new(&Position::initial(), None, None);
        let mut corrections = Corrections::new();
        assert_eq!(corrections.of(&keys, &params), 0);
        corrections.learn(&keys, 10, -50);
        let first = corrections.of(&keys, &params);
        assert!(first < 0);
        for _ in 0..1000 {
            corrections.learn(&keys, 20, -30_000);
        }
        let most = corrections.of(&keys, &params);
        assert!(most < first && most >= -6 * LARGEST, "{most}");
    }
}
