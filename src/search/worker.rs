//! A worker: everything one thread needs to search, and the steps every node takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::Budget;
use super::control::{Control, Stopped};
use super::handicap::Handicap;
use super::history::{Corrections, Exposure, Histories, MovedTo};
use super::iterate;
use super::limits::Limits;
use super::line::{Completions, MateFinder};
use super::milestones::Milestones;
use super::node_pruning::Verification;
use super::params::Params;
use super::pv::PvTable;
use super::reduction::ReductionTable;
use super::report::{Event, Finding, SearchResult};
use super::root::RootMoves;
use super::signals::Signals;
use super::tables::{RootRanks, TablebaseUse};
use super::team::{Seat, Team};
use crate::chess::{Game, Move, Position};
use crate::nnue::{Kernels, Network, NetworkEvaluator};
use crate::score::{MAX_PLY, Score};
use crate::transposition::TranspositionTable;

/// What a worker remembers of one ply of the line it stands on.
#[derive(Clone, Copy, Default)]
pub(super) struct PlyState {
    /// The move made at this ply; none for a null move.
    pub(super) mv: Option<Move>,
    /// The same as an index of histories.
    pub(super) moved_to: Option<MovedTo>,
    /// The corrected static evaluation; none in check.
    pub(super) evaluation: Option<Score>,
    /// The move left out in a search for singularity.
    pub(super) excluded: Option<Move>,
    /// How many nodes of this ply have cut off since their grandparent was entered.
    pub(super) cutoffs: u32,
    /// The number of that move in the order of its node, from 1.
    pub(super) number: usize,
    /// Whether the move made at this ply left, and whether it entered, an attacked square.
    pub(super) exposure: Exposure,
}

/// What stays with a worker from search to search.
pub struct Worker {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) reductions: ReductionTable,
    pub(super) params: Params,
    /// Memory of the last search, for the next one.
    spare: Option<(Vec<PlyState>, PvTable)>,
    /// Who looks for the rest of mates, since the first that was to be found.
    pub(super) mate_finder: Option<Box<MateFinder>>,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker::new()
    }
}

impl Worker {
    /// A worker that has learned nothing yet.
    pub fn new() -> Worker {
        let params = Params::DEFAULT;
        Worker {
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: ReductionTable::new(&params),
            params,
            spare: None,
            mate_finder: None,
        }
    }

    /// Forgets what was learned in earlier searches: a new game begins.
    pub fn forget(&mut self) {
        self.histories.forget();
        self.corrections.forget();
    }

    fn adopt(&mut self, params: &Params) {
        if self.params != *params {
            self.params = params.clone();
            self.reductions = ReductionTable::new(params);
        }
    }

    /// Searches the position at the end of `game` until a limit is reached or the signals say stop.
    ///
    /// Everything worth telling goes to `tell` while the search runs. It does not wait for a release: a search that may
    /// not answer yet has to be held back by [`Signals::wait_until_released`].
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        started: Instant,
        tell: &mut dyn FnMut(Event),
    ) -> SearchResult {
        let ranks = RootRanks::ask(game, limits, &settings.tablebase);
        let assignment =
            Assignment { game, limits, settings, ranks: ranks.as_ref(), milestones: None, signals, started };
        self.search_in_team(Team::new(1).seat(0), assignment, tell)
    }

    /// Searches as one of a team, all of whose workers have the same assignment: the leader until a limit is reached, the
    /// others until the team's search is over. Only the leader tells anything.
    pub fn search_in_team(
        &mut self,
        seat: Seat<'_>,
        assignment: Assignment<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> SearchResult {
        if !seat.is_leader() && (seat.is_over() || assignment.signals.is_stopped()) {
            // With more threads than processors many searches are over before the last helper has woken.
            return SearchResult::NOTHING;
        }
        let limits = if seat.is_leader() { assignment.limits } else { &assignment.limits.for_helper() };
        self.histories.begin_search();
        let mut search = self.prepare(seat, Assignment { limits, ..assignment }, tell);
        search.control.share(assignment.milestones);
        if seat.is_leader() && assignment.ranks.is_some() {
            search.control.count_tablebase_hit();
        }
        let result = iterate::run(&mut search, limits, assignment.settings.multi_pv);
        search.put_away();
        result
    }

    /// Completes the line of what another worker of the team has found, as the leader completes its own before it tells them.
    pub fn complete(&mut self, seat: Seat<'_>, assignment: Assignment<'_>, found: SearchResult) -> SearchResult {
        let Some(best) = found.best else { return found };
        let limits = Limits { search_moves: vec![best], ..assignment.limits.clone() };
        let mut silent = |_| ();
        let mut search = self.prepare(seat, Assignment { limits: &limits, ..assignment }, &mut silent);
        search.control.resume_clock(found.clock_time);
        search.nodes = found.nodes;
        search.moves.0[0].pv.clone_from(&found.pv);
        let score = search.complete_line(0, found.score);
        let pv = std::mem::take(&mut search.moves.0[0].pv);
        search.put_away();
        SearchResult { score, ponder: pv.get(1).copied().or(found.ponder), pv, ..found }
    }

    /// A search that stands at its root.
    fn prepare<'a>(
        &'a mut self,
        seat: Seat<'a>,
        assignment: Assignment<'a>,
        tell: &'a mut dyn FnMut(Event),
    ) -> Search<'a> {
        let Assignment { game, limits, settings, ranks, signals, started, .. } = assignment;
        self.adopt(&settings.params);
        let (mut plies, pv) = self.spare.take().unwrap_or_else(|| (Vec::new(), PvTable::new()));
        plies.clear();
        plies.resize(MAX_PLY + 3, PlyState::default());
        let mut moves = RootMoves::new(game.position(), &limits.search_moves, &self.histories, &self.params);
        if let Some(ranks) = ranks {
            moves.rank(ranks);
        }
        let forced = moves.len() == 1 && limits.search_moves.is_empty();
        let budget = budget(limits, settings, forced);
        let mut control = Control::new(signals, seat, limits, budget, started);
        if let Some(handicap) = &limits.handicap {
            control.limit_nodes(handicap.node_limit(game.position(), moves.len(), settings.multi_pv.min(moves.len())));
        }
        Search {
            root: *game.position(),
            evaluator: NetworkEvaluator::new(Arc::clone(&settings.network), Kernels::best(), game.position()),
            game: game.clone(),
            worker: self,
            table: &settings.table,
            control,
            plies,
            pv,
            moves,
            proves_mate: limits.mate.is_some(),
            handicap: limits.handicap,
            settings,
            tablebase: settings
                .tablebase
                .where_asked(limits)
                .filter(|_| !ranks.is_some_and(RootRanks::are_by_distance)),
            nodes: 0,
            iteration_depth: 0,
            verification: None,
            selective_depth: 0,
            completions: Completions::default(),
            announced_at: None,
            tell,
        }
    }
}

/// What the move may use of the clock, if there is one.
fn budget(limits: &Limits, settings: &Settings, forced: bool) -> Option<Budget> {
    let budget = Budget::of(&limits.clock?, settings.move_overhead);
    let budget = if limits.uses_opponents_time { with_opponents_time(budget) } else { budget };
    Some(if forced { budget.for_forced_move() } else { budget })
}

/// How much longer a move usually takes where the engine thinks on the opponent's time: many a move is found there, and
/// leaves its time to the others.
const WITH_OPPONENTS_TIME: f64 = 1.25;

/// The budget where the engine thinks on the opponent's time; what a move may use at most stays.
fn with_opponents_time(budget: Budget) -> Budget {
    Budget { soft: budget.soft.mul_f64(WITH_OPPONENTS_TIME).min(budget.hard), ..budget }
}

/// One search to be done.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The game that leads to the position.
    pub game: &'a Game,
    /// What ends the search.
    pub limits: &'a Limits,
    /// What is searched with.
    pub settings: &'a Settings,
    /// What its endgame tables say of the root, as [`RootRanks::ask`] answers.
    pub ranks: Option<&'a RootRanks>,
    /// Where the workers of a team tell each other of finished iterations; none if each is to do all of its own.
    pub milestones: Option<&'a Milestones<Finding>>,
    /// What the outside says meanwhile.
    pub signals: &'a Signals,
    /// When the search was asked for.
    pub started: Instant,
}

/// What the search is set to, apart from the limits of one move.
#[derive(Clone)]
pub struct Settings {
    /// The shared table.
    pub table: Arc<TranspositionTable>,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// How many variations to report, at least 1.
    pub multi_pv: usize,
    /// Time lost on every move between engine and clock.
    pub move_overhead: Duration,
    /// The numbers that steer the search.
    pub params: Params,
    /// Endgame tables and when to ask them.
    pub tablebase: TablebaseUse,
}

/// One running search.
pub(super) struct Search<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) root: Position,
    pub(super) game: Game,
    pub(super) evaluator: NetworkEvaluator,
    pub(super) table: &'a TranspositionTable,
    pub(super) control: Control<'a>,
    pub(super) plies: Vec<PlyState>,
    pub(super) pv: PvTable,
    pub(super) moves: RootMoves,
    /// Whether a mate is to be proved: then nothing is left out that could hide one.
    pub(super) proves_mate: bool,
    /// By how much less than the best is played.
    pub(super) handicap: Option<Handicap>,
    pub(super) settings: &'a Settings,
    /// The endgame tables to ask below the root, if any.
    pub(super) tablebase: Option<&'a TablebaseUse>,
    pub(super) nodes: u64,
    /// Depth of the running iteration.
    pub(super) iteration_depth: usize,
    /// The verification of a null move under way.
    pub(super) verification: Option<Verification>,
    pub(super) selective_depth: usize,
    /// The lines completed so far.
    pub(super) completions: Completions,
    /// When a root move was last announced, since the search began.
    pub(super) announced_at: Option<Duration>,
    pub(super) tell: &'a mut dyn FnMut(Event),
}

impl Search<'_> {
    /// The search is over: its worker keeps the memory for the next.
    fn put_away(self) {
        self.worker.spare = Some((self.plies, self.pv));
    }

    /// The position the search stands on.
    #[inline(always)]
    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Every node begins here: counts the ply reached and asks whether to stop.
    #[inline(always)]
    pub(super) fn enter_node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.selective_depth = self.selective_depth.max(ply);
        self.pv.clear(ply);
        self.control.check(self.nodes)
    }

    /// Plays a legal move at this ply.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move, ply: usize) {
        self.nodes += 1;
        let mover = self.position().piece_on(mv.from());
        self.plies[ply].mv = Some(mv);
        self.plies[ply].moved_to = mover.map(|piece| MovedTo::new(piece, mv.to()));
        self.game.play_observed(mv, self.evaluator.step());
        self.table.prefetch(self.position().key());
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(super) fn take_back(&mut self) {
        self.game.undo();
        self.evaluator.step_back();
    }

    /// Passes at this ply.
    pub(super) fn pass(&mut self, ply: usize) {
        self.nodes += 1;
        self.plies[ply].mv = None;
        self.plies[ply].moved_to = None;
        self.game.play_null();
        self.table.prefetch(self.position().key());
    }

    /// Takes a pass back.
    pub(super) fn take_back_pass(&mut self) {
        self.game.undo();
    }

    /// Goes back to the root from wherever a stop has left the search.
    pub(super) fn return_to_root(&mut self, game: &Game) {
        while self.game.ply() > game.ply() {
            self.game.undo();
        }
        self.evaluator.reset(&self.root);
    }

    /// The static evaluation of the position, with the player's error. This is the one place where judgement enters the
    /// search; what it costs at full strength is a branch that never goes the other way, after thousands of operations of
    /// the network.
    #[inline(always)]
    pub(super) fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(self.game.position());
        match &self.handicap {
            None => score,
            Some(handicap) => handicap.misjudged(self.game.position(), score),
        }
    }

    /// The score if the laws decide the node without search: a draw by material, repetition or fifty moves.
    #[inline(always)]
    pub(super) fn drawn_by_law(&self, ply: usize) -> Option<Score> {
        let position = self.position();
        let drawn = position.is_dead() || self.game.is_repetition(ply) || position.is_fifty_move_draw();
        drawn.then_some(Score::DRAW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_the_opponents_time_too_a_move_takes_longer_but_never_more_than_it_may() {
        let (soft, hard) = (Duration::from_millis(400), Duration::from_millis(2000));
        assert_eq!(with_opponents_time(Budget { soft, hard }), Budget { soft: Duration::from_millis(500), hard });
        assert_eq!(with_opponents_time(Budget { soft: hard, hard }), Budget { soft: hard, hard });
    }
}
