//! A node of the search: principal-variation search with a transposition table.
//!
//! `search_node` is the table of contents: is the node decided? what does the table know? is it good enough to pass?
//! then the moves, best first, later ones reduced, and at last what was learned.

use arrayvec::ArrayVec;

use super::control::Stopped;
use super::history::bonus;
use super::null_move::{NullMoveCase, depth_after_null};
use super::picker::MovePicker;
use super::worker::Search;
use crate::chess::{MAX_MOVES, Move};
use crate::score::{Bound, MAX_PLY, Score};
use crate::transposition::{Known, Learned};

/// What kind of node is searched: on the principal variation, with an open window, or off it, with a null window.
pub(super) trait NodeKind {
    const IS_PV: bool;
}

/// A node that may become part of the principal variation.
pub(super) struct Pv;
/// A node that only proves a bound.
pub(super) struct NonPv;

impl NodeKind for Pv {
    const IS_PV: bool = true;
}

impl NodeKind for NonPv {
    const IS_PV: bool = false;
}

/// The scores between which the value of a node matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The smallest window above `alpha`.
    #[inline(always)]
    pub(super) fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window as the opponent sees it.
    #[inline(always)]
    pub(super) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Narrowed to what mates at this ply leave possible; empty if a shorter mate is already known.
    #[inline(always)]
    fn within_mates(self, ply: usize) -> Window {
        Window { alpha: self.alpha.max(Score::mated_at(ply)), beta: self.beta.min(Score::mating_at(ply + 1)) }
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// What a node has learned from its moves so far.
struct Progress {
    best_score: Score,
    best_move: Option<Move>,
    /// Moves searched, in order.
    tried: ArrayVec<Move, MAX_MOVES>,
    bound: Bound,
}

impl Search<'_> {
    /// The score of the position at this ply for its side to move, within the window.
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence::<N>(window, ply);
        }
        self.enter_node(ply)?;
        if let Some(score) = self.drawn_by_law(ply) {
            return Ok(score);
        }
        let window = self.window_with_certainties(window, ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        let known = self.table.probe(self.position().key(), ply);
        if let Some(score) = known.and_then(|known| self.table_cutoff::<N>(&known, window, depth)) {
            return Ok(score);
        }
        let evaluation = self.static_evaluation(known);
        if let Some(score) = self.null_move_cutoff::<N>(window, depth, ply, evaluation)? {
            return Ok(score);
        }
        self.search_moves::<N>(window, depth, ply, known, evaluation)
    }

    /// The window less what is certain: a mate can be no nearer than the next ply, and a side that can repeat has a draw.
    #[inline(always)]
    fn window_with_certainties(&self, window: Window, ply: usize) -> Window {
        let mut window = window.within_mates(ply);
        if window.alpha < Score::DRAW && self.game.has_upcoming_repetition(ply) {
            window.alpha = Score::DRAW;
        }
        window
    }

    /// The table's score, if it settles the node. Not on the principal variation, which must stay complete, and not near
    /// the fifty-move limit, of which the table knows nothing.
    #[inline(always)]
    fn table_cutoff<N: NodeKind>(&self, known: &Known, window: Window, depth: i32) -> Option<Score> {
        let settled = !N::IS_PV
            && known.depth >= depth
            && known.bound.settles(known.score, window.alpha, window.beta)
            && self.position().halfmove_clock() < 90;
        settled.then_some(known.score)
    }

    /// The static evaluation, from the table if it is there; none in check, where it means nothing.
    #[inline(always)]
    pub(super) fn static_evaluation(&mut self, known: Option<Known>) -> Option<Score> {
        if self.position().in_check() {
            return None;
        }
        known.and_then(|known| known.evaluation).or_else(|| Some(self.evaluate()))
    }

    /// The score if even passing fails high.
    fn null_move_cutoff<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        evaluation: Option<Score>,
    ) -> Result<Option<Score>, Stopped> {
        let Some(evaluation) = evaluation.filter(|_| !N::IS_PV && !self.proves_mate) else {
            return Ok(None);
        };
        let position = self.position();
        let case = NullMoveCase {
            depth,
            evaluation,
            beta: window.beta,
            has_pieces: position.has_pieces(position.side_to_move()),
            after_null: ply == 0 || self.plies[ply - 1].mv.is_none(),
        };
        let Some(depth) = depth_after_null(&case, &self.worker.params) else {
            return Ok(None);
        };
        self.pass(ply);
        let score = -self.search_node::<NonPv>(window.flipped(), depth, ply + 1)?;
        self.take_back_pass();
        // A mate found after passing is no proof of a mate.
        Ok((score >= window.beta).then_some(if score.is_win() { window.beta } else { score }))
    }

    fn search_moves<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        known: Option<Known>,
        evaluation: Option<Score>,
    ) -> Result<Score, Stopped> {
        let table_move = known.and_then(|known| known.mv);
        let mut picker = MovePicker::new(self.position(), table_move, self.plies[ply].killers);
        self.plies[ply + 1].killers = [None; 2];
        let mut progress = Progress {
            best_score: Score::MINUS_INFINITE,
            best_move: None,
            tried: ArrayVec::new(),
            bound: Bound::Upper,
        };
        let mut window_left = window;
        while let Some(mv) = picker.next(self.game.position(), &self.worker.histories) {
            progress.tried.push(mv);
            let score = self.search_child::<N>(mv, window_left, depth, ply, progress.tried.len())?;
            if score > progress.best_score {
                progress.best_score = score;
                if score > window_left.alpha {
                    self.raise_alpha::<N>(&mut progress, &mut window_left, mv, score, ply);
                }
            }
            if window_left.is_empty() {
                progress.bound = Bound::Lower;
                self.learn_from_cutoff(&progress, mv, depth, ply);
                break;
            }
        }
        if progress.tried.is_empty() {
            return Ok(self.score_without_moves(ply));
        }
        let was_pv = N::IS_PV || known.is_some_and(|known| known.was_pv);
        let Progress { best_score: score, best_move: mv, bound, .. } = progress;
        self.table.store(self.position().key(), ply, Learned { mv, score, evaluation, depth, bound, was_pv });
        Ok(score)
    }

    /// Plays and searches one move, the `number`th of its node: a late one first reduced, any but the first with a null
    /// window, and fully when that fails high.
    pub(super) fn search_child<N: NodeKind>(
        &mut self,
        mv: Move,
        window: Window,
        depth: i32,
        ply: usize,
        number: usize,
    ) -> Result<Score, Stopped> {
        let reduction = self.reduction::<N>(mv, depth, number);
        self.play(mv, ply);
        let score = self.search_ladder::<N>(window, depth - 1, ply, number, reduction)?;
        self.take_back();
        Ok(score)
    }

    /// Reduced null window, full null window, full window: each rung only when the one before fails high.
    fn search_ladder<N: NodeKind>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        number: usize,
        reduction: i32,
    ) -> Result<Score, Stopped> {
        if number > 1 || !N::IS_PV {
            let null = Window::null(window.alpha).flipped();
            let mut score = -self.search_node::<NonPv>(null, depth - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.search_node::<NonPv>(null, depth, ply + 1)?;
            }
            if !N::IS_PV || score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.search_node::<Pv>(window.flipped(), depth, ply + 1)?)
    }

    /// Plies to reduce a move by. Noisy moves and evasions are few and change much: they are not reduced.
    #[inline(always)]
    fn reduction<N: NodeKind>(&self, mv: Move, depth: i32, number: usize) -> i32 {
        let params = &self.worker.params;
        let first = if N::IS_PV { 3 } else { 2 };
        if self.proves_mate {
            return 0;
        }
        if depth < params.late_move_depth || number <= first || mv.is_noisy() || self.position().in_check() {
            return 0;
        }
        let history = self.worker.histories.quiet(self.position().side_to_move(), mv);
        self.worker.reductions.plies(depth, number, N::IS_PV, history, params)
    }

    #[inline(always)]
    fn raise_alpha<N: NodeKind>(
        &mut self,
        progress: &mut Progress,
        window: &mut Window,
        mv: Move,
        score: Score,
        ply: usize,
    ) {
        progress.best_move = Some(mv);
        progress.bound = Bound::Exact;
        window.alpha = score;
        if N::IS_PV {
            self.pv.extend(ply, mv);
        }
    }

    /// The cutting move is rewarded, those of its kind tried before it are punished.
    fn learn_from_cutoff(&mut self, progress: &Progress, cut: Move, depth: i32, ply: usize) {
        let bonus = bonus(depth, &self.worker.params);
        let position = *self.position();
        let histories = &mut self.worker.histories;
        histories.learn(&position, cut, bonus);
        for &mv in progress.tried.iter().filter(|&&mv| mv != cut) {
            // Captures are worth trying before a quiet move whatever happens; quiet moves are not tried before captures.
            if mv.is_noisy() || !cut.is_noisy() {
                histories.learn(&position, mv, -bonus);
            }
        }
        if !cut.is_noisy() && self.plies[ply].killers[0] != Some(cut) {
            self.plies[ply].killers[1] = self.plies[ply].killers[0];
            self.plies[ply].killers[0] = Some(cut);
        }
    }

    /// Mate or stalemate.
    #[inline(always)]
    pub(super) fn score_without_moves(&self, ply: usize) -> Score {
        if self.position().in_check() { Score::mated_at(ply) } else { Score::DRAW }
    }
}
