//! The loop over the moves of a node: which are worth a search, how deep, and what came of them.

use arrayvec::ArrayVec;

use super::control::Stopped;
use super::history::{Exposure, QuietContext};
use super::move_pruning::{
    NodeState, history_is_hopeless, late_move_count, noisy_exchange_threshold, quiet_exchange_threshold,
    quiet_is_futile,
};
use super::node::{NodeKind, NonPv, Pv, Window};
use super::node_context::NodeContext;
use super::picker::MovePicker;
use super::reduction::LateMove;
use super::singular::Singularity;
use super::worker::Search;
use crate::chess::{Color, ExchangeValues, Move, Piece, PieceKind};
use crate::score::{Bound, Score};

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) piece: Piece,
    /// Its place in the order, from 1.
    pub(super) number: usize,
    pub(super) history: i32,
    pub(super) exposure: Exposure,
}

/// What the moves so far have come to, as far as the next one depends on it.
#[derive(Clone, Copy)]
pub(super) struct LoopState {
    /// Beta, and alpha raised by the moves so far.
    pub(super) window: Window,
    pub(super) best_score: Score,
    pub(super) table_move_is_noisy: bool,
    /// Whether a move so far has raised alpha.
    pub(super) alpha_raised: bool,
}

/// What a node is worth.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) bound: Bound,
}

/// Moves remembered to be punished; more are hardly ever tried.
const MOST_TRIED: usize = 48;

/// The moves of one node under way.
pub(super) struct MoveLoop {
    picker: MovePicker,
    pub(super) quiet_context: QuietContext,
    table_move: Option<Move>,
    excluded: Option<Move>,
    number: usize,
    window: Window,
    best_score: Score,
    best_move: Option<Move>,
    bound: Bound,
    pub(super) tried: ArrayVec<(Move, Piece), MOST_TRIED>,
}

impl MoveLoop {
    #[inline(always)]
    pub(super) fn new(search: &Search<'_>, node: &NodeContext) -> MoveLoop {
        let quiet_context = QuietContext::new(search.position(), search.past_moves(node.ply)).at_ply(node.ply);
        let table_move = node.known.and_then(|known| known.mv);
        MoveLoop {
            picker: MovePicker::new(search.position(), table_move, quiet_context),
            quiet_context,
            table_move,
            excluded: node.excluded,
            number: 0,
            window: node.window,
            best_score: Score::MINUS_INFINITE,
            best_move: None,
            bound: Bound::Upper,
            tried: ArrayVec::new(),
        }
    }

    /// The next move that is worth a search.
    pub(super) fn next(&mut self, search: &Search<'_>, node: &NodeContext) -> Option<Candidate> {
        loop {
            let mv = self.picker.next(search.position(), &search.worker.histories, &search.worker.params)?;
            if Some(mv) == self.excluded {
                continue;
            }
            self.number += 1;
            let candidate = search.candidate(mv, self.number, &self.quiet_context);
            let protected = self.best_score.is_loss() || search.proves_mate || !search.has_pieces();
            if protected || !self.is_pruned(search, node, &candidate) {
                return Some(candidate);
            }
        }
    }

    /// Whether the move can be left out; it may also turn out that all later quiet ones can.
    fn is_pruned(&mut self, search: &Search<'_>, node: &NodeContext, candidate: &Candidate) -> bool {
        let params = &search.worker.params;
        let Candidate { mv, number, history, .. } = *candidate;
        let state = NodeState {
            depth: node.depth,
            improving: node.improving,
            surplus: node.evaluation.map(|evaluation| evaluation - self.window.alpha),
        };
        if self.picker.knows_exchange_wins() {
            return false;
        }
        if mv.is_noisy() {
            let threshold = noisy_exchange_threshold(node.depth, history, params);
            return !search.position().exchange_wins(mv, threshold, &ExchangeValues::USUAL);
        }
        if !node.in_check() && number >= late_move_count(&state, params) {
            self.picker.skip_quiets();
        }
        let reduction =
            search.worker.reductions.base(node.depth, number, true) - history * 1024 / params.late_move_history_divisor;
        let reduced_depth = (node.depth - 1 - reduction / 1024).max(0);
        if quiet_is_futile(&state, reduced_depth, params) {
            self.picker.skip_quiets();
            return !search.position().gives_direct_check(mv);
        }
        let threshold = quiet_exchange_threshold(reduced_depth, params);
        history_is_hopeless(reduced_depth, history, params)
            || !search.position().exchange_wins(mv, threshold, &ExchangeValues::USUAL)
    }

    pub(super) fn state(&self) -> LoopState {
        LoopState {
            window: self.window,
            best_score: self.best_score,
            table_move_is_noisy: self.table_move.is_some_and(Move::is_noisy),
            alpha_raised: self.best_move.is_some(),
        }
    }

    /// Takes note of a score; tells whether the move is the new best one.
    pub(super) fn record(&mut self, candidate: &Candidate, score: Score) -> bool {
        if self.tried.is_full() {
            self.tried.pop();
        }
        self.tried.push((candidate.mv, candidate.piece));
        self.best_score = self.best_score.max(score);
        if score <= self.window.alpha {
            return false;
        }
        self.best_move = Some(candidate.mv);
        self.bound = if score >= self.window.beta { Bound::Lower } else { Bound::Exact };
        self.window.alpha = score;
        true
    }

    pub(super) fn has_cut(&self) -> bool {
        self.window.is_empty()
    }

    /// Whether there was no move at all.
    pub(super) fn found_none(&self) -> bool {
        self.number == 0
    }

    pub(super) fn outcome(&self) -> Outcome {
        Outcome { score: self.best_score, mv: self.best_move, bound: self.bound }
    }

    pub(super) fn is_table_move(&self, mv: Move) -> bool {
        self.table_move == Some(mv)
    }
}

impl Search<'_> {
    /// Whether the side to move has anything besides king and pawns.
    #[inline(always)]
    fn has_pieces(&self) -> bool {
        self.position().has_pieces(self.position().side_to_move())
    }

    /// The move with what is known of it.
    #[inline(always)]
    pub(super) fn candidate(&self, mv: Move, number: usize, context: &QuietContext) -> Candidate {
        let position = self.position();
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::new(Color::White, PieceKind::Pawn));
        let histories = &self.worker.histories;
        let history = if mv.is_noisy() { histories.noisy(position, mv) } else { histories.quiet(context, piece, mv) };
        Candidate { mv, piece, number, history, exposure: context.exposure(mv) }
    }

    /// How much deeper to search a move than its place would have it: only the table's move can be singular.
    #[inline(always)]
    pub(super) fn extension<N: NodeKind>(
        &mut self,
        node: &NodeContext,
        candidate: &Candidate,
        moves: &MoveLoop,
    ) -> Result<Singularity, Stopped> {
        if moves.is_table_move(candidate.mv) {
            self.singularity::<N>(node, candidate.mv)
        } else {
            Ok(Singularity::Extend(0))
        }
    }

    /// Plays and searches one move.
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        node: &NodeContext,
        candidate: &Candidate,
        state: &LoopState,
        extension: i32,
    ) -> Result<Score, Stopped> {
        let depth = node.depth - 1 + extension;
        self.plies[node.ply].exposure = candidate.exposure;
        self.plies[node.ply].number = candidate.number;
        self.play(candidate.mv, node.ply);
        let reduced = self.reduced_depth::<N>(node, candidate, state, depth);
        let score = self.search_ladder::<N>(node, candidate, state, depth, reduced)?;
        self.take_back();
        Ok(score)
    }

    /// The depth at which the move just played is searched first; `depth` if it is not reduced.
    fn reduced_depth<N: NodeKind>(
        &self,
        node: &NodeContext,
        candidate: &Candidate,
        state: &LoopState,
        depth: i32,
    ) -> i32 {
        let params = &self.worker.params;
        let first_reduced = if N::IS_PV { 3 } else { 2 } + (node.ply == 0) as usize;
        if candidate.number < first_reduced || node.depth < params.late_move_depth || self.proves_mate {
            return depth;
        }
        let late_move = LateMove {
            depth: node.depth,
            number: candidate.number,
            is_quiet: !candidate.mv.is_noisy(),
            history: candidate.history,
            is_pv: N::IS_PV,
            was_pv: node.was_pv,
            is_cut_node: node.is_cut_node,
            improving: node.improving,
            gives_check: self.position().in_check(),
            table_move_is_noisy: state.table_move_is_noisy,
            child_cuts_often: self.plies[node.ply + 1].cutoffs > 3,
            alpha_raised: state.alpha_raised,
            correction: node.correction,
        };
        (depth - self.worker.reductions.plies(&late_move, params)).max(0).min(depth)
    }

    /// A reduced search that does far better than the best so far deserves more than the usual depth, and one that is hardly
    /// better less.
    fn change_of_depth(&self, gain: i32, ply: usize) -> i32 {
        let params = &self.worker.params;
        match ply {
            0 => 0,
            _ => (gain > params.deeper_margin) as i32 - (gain < params.shallower_margin) as i32,
        }
    }

    /// Reduced null window, full null window, full window: each rung only when the one before fails high.
    fn search_ladder<N: NodeKind>(
        &mut self,
        node: &NodeContext,
        candidate: &Candidate,
        state: &LoopState,
        depth: i32,
        reduced: i32,
    ) -> Result<Score, Stopped> {
        let (window, ply) = (state.window, node.ply + 1);
        if candidate.number > 1 || !N::IS_PV {
            let null = Window::null(window.alpha).flipped();
            let is_cut_node = reduced < depth || !node.is_cut_node;
            let mut score = -self.search_node::<NonPv>(null, reduced, ply, is_cut_node)?;
            if score > window.alpha && reduced < depth {
                let full = depth + self.change_of_depth(score - state.best_score, node.ply);
                if full > reduced {
                    score = -self.search_node::<NonPv>(null, full, ply, !node.is_cut_node)?;
                    self.learn_from_second_look(candidate, score, &window, node);
                }
            }
            if !N::IS_PV || score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.search_node::<Pv>(window.flipped(), depth, ply, false)?)
    }
}
