//! Quiescence: at the leaves only captures and promotions are searched, until the evaluation can be trusted.

use super::control::Stopped;
use super::node::{NodeKind, Window};
use super::picker::MovePicker;
use super::worker::Search;
use crate::chess::Move;
use crate::score::{Bound, MAX_PLY, Score};
use crate::transposition::{Known, Learned};

impl Search<'_> {
    /// The score of a leaf. In check all evasions are searched; otherwise the side to move may stand pat on the static
    /// evaluation, or take what does not lose material by exchange.
    pub(super) fn quiescence<N: NodeKind>(&mut self, window: Window, ply: usize) -> Result<Score, Stopped> {
        self.enter_node(ply)?;
        if let Some(score) = self.drawn_by_law(ply) {
            return Ok(score);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let known = self.table.probe(self.position().key(), ply);
        if let Some(known) =
            known.filter(|known| !N::IS_PV && known.bound.settles(known.score, window.alpha, window.beta))
        {
            return Ok(known.score);
        }
        if self.is_stalemated_king() {
            return Ok(Score::DRAW);
        }
        let evaluation = self.static_evaluation(known);
        let stand_pat = evaluation.unwrap_or(Score::MINUS_INFINITE);
        if stand_pat >= window.beta {
            self.remember_leaf(known, None, stand_pat, evaluation, Bound::Lower, ply);
            return Ok(stand_pat);
        }
        let window = Window { alpha: window.alpha.max(stand_pat), ..window };
        self.quiescence_moves::<N>(window, ply, known, evaluation)
    }

    /// Stalemate of a side with king and pawns only: that is where it happens, and no capture would show it.
    #[inline(always)]
    fn is_stalemated_king(&self) -> bool {
        let position = self.position();
        !position.has_pieces(position.side_to_move()) && !position.in_check() && !position.has_legal_move()
    }

    fn quiescence_moves<N: NodeKind>(
        &mut self,
        window: Window,
        ply: usize,
        known: Option<Known>,
        evaluation: Option<Score>,
    ) -> Result<Score, Stopped> {
        let in_check = evaluation.is_none();
        let table_move = known.and_then(|known| known.mv);
        let mut picker = if in_check {
            MovePicker::new(self.position(), table_move, [None; 2])
        } else {
            MovePicker::noisy(self.position(), table_move)
        };
        let mut best = evaluation.unwrap_or(Score::mated_at(ply));
        let mut best_move = None;
        let mut left = window;
        while let Some(mv) = picker.next(self.game.position(), &self.worker.histories) {
            self.play(mv, ply);
            let score = -self.quiescence::<N>(left.flipped(), ply + 1)?;
            self.take_back();
            best = best.max(score);
            if score > left.alpha {
                left.alpha = score;
                best_move = Some(mv);
                if N::IS_PV {
                    self.pv.extend(ply, mv);
                }
            }
            if left.is_empty() {
                break;
            }
        }
        let bound = match best_move {
            _ if left.is_empty() => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        self.remember_leaf(known, best_move, best, evaluation, bound, ply);
        Ok(best)
    }

    #[inline(always)]
    fn remember_leaf(
        &self,
        known: Option<Known>,
        mv: Option<Move>,
        score: Score,
        evaluation: Option<Score>,
        bound: Bound,
        ply: usize,
    ) {
        let was_pv = known.is_some_and(|known| known.was_pv);
        self.table.store(self.position().key(), ply, Learned { mv, score, evaluation, depth: 0, bound, was_pv });
    }
}
