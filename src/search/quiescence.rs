//! Quiescence: at the leaves only captures and promotions are searched, until the evaluation can be trusted.

use super::control::Stopped;
use super::history::{QuietContext, victim};
use super::node::{NodeKind, Window};
use super::node_context::{Evaluations, estimate};
use super::picker::MovePicker;
use super::worker::Search;
use crate::chess::{ExchangeValues, Move};
use crate::score::{Bound, MAX_PLY, Score};
use crate::transposition::{Known, Learned};

/// Captures tried in a leaf before only recaptures are.
const MOST_CAPTURES: usize = 3;

/// A leaf under way.
struct Leaf {
    ply: usize,
    known: Option<Known>,
    evaluations: Evaluations,
    /// The score of standing pat; minus infinity in check.
    stand_pat: Score,
}

impl Search<'_> {
    /// The score of a leaf. In check evasions are searched; otherwise the side to move may stand pat on the static
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
        if let Some(known) = known.filter(|known| !N::IS_PV && self.table_settles(known, window, ply)) {
            return Ok(known.score);
        }
        if self.is_stalemated_king() {
            return Ok(Score::DRAW);
        }
        let evaluations = self.evaluations(known.as_ref(), ply);
        let stand_pat = estimate(evaluations.corrected, known.as_ref()).unwrap_or(Score::MINUS_INFINITE);
        let leaf = Leaf { ply, known, evaluations, stand_pat };
        if stand_pat >= window.beta {
            let score = blended(stand_pat, window.beta);
            if known.is_none() {
                self.remember_leaf(&leaf, None, score, Bound::Lower);
            }
            return Ok(score);
        }
        let window = Window { alpha: window.alpha.max(stand_pat), ..window };
        self.quiescence_moves::<N>(window, &leaf)
    }

    /// Stalemate of a side with king and pawns only: that is where it happens, and no capture would show it.
    #[inline(always)]
    fn is_stalemated_king(&self) -> bool {
        let position = self.position();
        !position.has_pieces(position.side_to_move()) && !position.in_check() && !position.has_legal_move()
    }

    #[inline(always)]
    fn leaf_picker(&self, leaf: &Leaf) -> MovePicker {
        let table_move = leaf.known.and_then(|known| known.mv);
        if self.position().in_check() {
            let context = QuietContext::new(self.position(), self.past_moves(leaf.ply));
            MovePicker::new(self.position(), table_move, context)
        } else {
            MovePicker::noisy(self.position(), table_move, 0)
        }
    }

    fn quiescence_moves<N: NodeKind>(&mut self, window: Window, leaf: &Leaf) -> Result<Score, Stopped> {
        let in_check = leaf.evaluations.raw.is_none();
        let mut picker = self.leaf_picker(leaf);
        let mut best = if in_check { Score::mated_at(leaf.ply) } else { leaf.stand_pat };
        let mut best_move = None;
        let mut left = window;
        let mut tried = 0;
        while let Some(mv) = picker.next(self.game.position(), &self.worker.histories, &self.worker.params) {
            if !in_check && !self.proves_mate {
                if tried >= MOST_CAPTURES && !self.is_recapture(mv, leaf.ply) {
                    continue;
                }
                let hope = self.hope_of(mv, leaf.stand_pat);
                if hope <= left.alpha {
                    best = best.max(hope);
                    continue;
                }
            }
            tried += 1;
            self.play(mv, leaf.ply);
            let score = -self.quiescence::<N>(left.flipped(), leaf.ply + 1)?;
            self.take_back();
            best = best.max(score);
            if score > left.alpha {
                left.alpha = score;
                best_move = Some(mv);
                if N::IS_PV {
                    self.pv.extend(leaf.ply, mv);
                }
            }
            if left.is_empty() {
                break;
            }
            if in_check && !best.is_loss() && !self.proves_mate {
                // One way out is known: the other quiet ones are left to deeper searches.
                picker.skip_quiets();
            }
        }
        let bound = if left.is_empty() { Bound::Lower } else { Bound::Upper };
        let bound = if best_move.is_some() && bound == Bound::Upper { Bound::Exact } else { bound };
        let score = if bound == Bound::Lower { blended(best, window.beta) } else { best };
        self.remember_leaf(leaf, best_move, score, bound);
        Ok(score)
    }

    /// The most a capture can be expected to bring.
    #[inline(always)]
    fn hope_of(&self, mv: Move, stand_pat: Score) -> Score {
        let values = &ExchangeValues::USUAL;
        let captured = if mv.is_capture() { values.of(victim(self.position(), mv)) } else { 0 };
        let promoted = mv.promotion().map_or(0, |kind| values.of(kind));
        let params = &self.worker.params;
        let gained = (captured + promoted) * params.exchange_worth / 100;
        Score::evaluation(stand_pat.units() + gained + params.quiescence_futility)
    }

    #[inline(always)]
    fn is_recapture(&self, mv: Move, ply: usize) -> bool {
        ply.checked_sub(1).and_then(|before| self.plies[before].mv).is_some_and(|last| last.to() == mv.to())
    }

    #[inline(always)]
    fn remember_leaf(&self, leaf: &Leaf, mv: Option<Move>, score: Score, bound: Bound) {
        let was_pv = leaf.known.is_some_and(|known| known.was_pv);
        let learned = Learned { mv, score, evaluation: leaf.evaluations.raw, depth: 0, bound, was_pv };
        self.table.store(self.position().key(), leaf.ply, learned);
    }
}

/// A fail-high drawn halfway back to beta: how far beyond it the truth lies is not known.
#[inline(always)]
fn blended(score: Score, beta: Score) -> Score {
    if score.is_decisive() || beta.is_decisive() { score } else { beta + (score - beta) / 2 }
}
