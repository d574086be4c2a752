//! Iterative deepening: search one ply deeper again and again, each iteration ordering the moves of the next, with a
//! narrow window around the last score (Chess Programming Wiki, "Iterative Deepening", "Aspiration Windows").

use std::ops::RangeInclusive;
use std::time::Duration;

use super::MAX_DEPTH;
use super::clock::{Clarity, time_multiple};
use super::control::Stopped;
use super::limits::Limits;
use super::node::Window;
use super::report::{Event, Finding, Report, SearchResult};
use super::root::RootMoves;
use super::worker::Search;
use crate::chess::{Game, Move};
use crate::score::{Bound, Score};

/// Bounds, and which root move is searched, are told only in searches that last: clients would drown otherwise.
pub(super) const QUIET_PERIOD: Duration = Duration::from_secs(3);
/// From this iteration on, reports that follow each other too fast are held back: tiny trees would flood the client.
const THROTTLED_DEPTH: i32 = 16;
const THROTTLE: Duration = Duration::from_millis(10);

/// Searches until a limit is reached.
pub(super) fn run(search: &mut Search<'_>, limits: &Limits, multi_pv: usize) -> SearchResult {
    if search.moves.is_empty() {
        return report_end_of_game(search);
    }
    let lines = multi_pv.clamp(1, search.moves.len());
    let game = search.game.clone();
    let mut deepening = Deepening::new(lines);
    let last_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut finished = 0;
    while finished < last_depth {
        let depth = finished + 1;
        let nodes_spent = limits.soft_nodes.is_some_and(|limit| search.nodes >= limit);
        let multiple = deepening.time_multiple(search);
        if depth > 1 && (nodes_spent || !search.control.has_time_for_iteration(search.nodes, multiple)) {
            break;
        }
        search.iteration_depth = depth as usize;
        let Ok(reached) = deepening.iteration(search, depth..=last_depth, &game) else { break };
        finished = reached;
        if limits.mate.is_some_and(|moves| proves_mate(search, moves)) {
            break;
        }
    }
    deepening.conclude(search, finished)
}

/// Mate or stalemate at the root: there is nothing to search.
fn report_end_of_game(search: &mut Search<'_>) -> SearchResult {
    let score = search.score_of_end(0);
    let report = report(search, 0, 1, score, Bound::Exact, 0, Vec::new());
    (search.tell)(Event::Report(report));
    SearchResult { score, nodes: search.nodes, ..SearchResult::NOTHING }
}

fn proves_mate(search: &Search<'_>, moves: i32) -> bool {
    let best = &search.moves.0[0];
    best.bound != Bound::Upper && best.score.moves_to_mate().is_some_and(|found| (1..=moves.max(1)).contains(&found))
}

fn report(
    search: &Search<'_>,
    depth: i32,
    rank: usize,
    score: Score,
    bound: Bound,
    selective_depth: usize,
    pv: Vec<Move>,
) -> Report {
    Report {
        depth,
        selective_depth,
        rank,
        score,
        bound,
        nodes: search.control.team_nodes(search.nodes),
        time: search.control.metered(search.nodes),
        permille_full: search.table.permille_full(),
        tablebase_hits: search.control.tablebase_hits(),
        pv,
    }
}

/// The part of the time allowed that a player with a handicap takes at most.
const LARGEST_PACE: f64 = 0.8;

struct Deepening {
    /// How many variations to find.
    lines: usize,
    /// The last iteration that counts, whole or in part: its results stand at the head of the list.
    counted: i32,
    /// First move of the last exact report of the first variation, and whether all of that iteration was told.
    last_told: Option<(Move, i32)>,
    told_at: Duration,
    /// The best move of the last iteration, and for how many iterations it has been that.
    best: Option<Move>,
    stable_iterations: i32,
    /// Score of the best move, averaged over the last iterations.
    usual_score: Option<Score>,
}

/// From this iteration on the course of the search says something about the time to spend.
const FIRST_TELLING_DEPTH: i32 = 6;

impl Deepening {
    fn new(lines: usize) -> Deepening {
        Deepening {
            lines,
            counted: 0,
            last_told: None,
            told_at: Duration::ZERO,
            best: None,
            stable_iterations: 0,
            usual_score: None,
        }
    }

    /// The multiple of the usual time that the move deserves, by the iterations so far.
    fn time_multiple(&self, search: &Search<'_>) -> f64 {
        let best = &search.moves.0[0];
        if self.counted < FIRST_TELLING_DEPTH {
            return 1.0;
        }
        time_multiple(&Clarity {
            best_move_share: best.nodes as f64 / search.nodes.max(1) as f64,
            stable_iterations: self.stable_iterations,
            score_drop: self.usual_score.map_or(0, |usual| usual - best.score),
        })
    }

    /// How long the player takes for the move, well within what it may; nothing at full strength.
    fn pace(&self, search: &Search<'_>) -> Duration {
        let (Some(handicap), Some((usual, most))) = (&search.handicap, search.control.usual_time()) else {
            return Duration::ZERO;
        };
        handicap.pace(&search.root, usual, self.time_multiple(search)).min(most.mul_f64(LARGEST_PACE))
    }

    /// Takes note of what the iteration has found.
    fn follow(&mut self, search: &Search<'_>) {
        let best = &search.moves.0[0];
        self.stable_iterations = if self.best == Some(best.mv) { self.stable_iterations + 1 } else { 0 };
        self.best = Some(best.mv);
        let usual = self.usual_score.map_or(best.score, |usual| {
            if best.score.is_decisive() || usual.is_decisive() { best.score } else { usual + (best.score - usual) / 2 }
        });
        self.usual_score = Some(usual);
    }

    /// One iteration over all variations, to the least of these depths, and which depth is finished after it: another worker
    /// may be further. When stopped, leaves the best that is known at the head of the list.
    fn iteration(&mut self, search: &mut Search<'_>, depths: RangeInclusive<i32>, game: &Game) -> Result<i32, Stopped> {
        let (mut depth, last_depth) = depths.into_inner();
        if let Some((reached, finding)) = self.search_or_be_overtaken(search, depth, game)? {
            search.moves.adopt(finding);
            depth = reached.min(last_depth);
        }
        search.control.end_iteration();
        search.moves.sort_from(0);
        let best = &search.moves.0[0];
        search.control.offer(depth, || best.finding());
        self.counted = depth;
        self.follow(search);
        self.tell_lines(search, depth);
        Ok(depth)
    }

    /// Searches all variations to this depth; what another worker has found if it has finished the iteration first.
    fn search_or_be_overtaken(
        &mut self,
        search: &mut Search<'_>,
        depth: i32,
        game: &Game,
    ) -> Result<Option<(i32, Finding)>, Stopped> {
        let before = search.moves.clone();
        search.moves.begin_iteration();
        let found = search.control.begin_iteration(depth);
        if found.is_some() {
            return Ok(found);
        }
        let searched = (0..self.lines).try_for_each(|first| self.aspirate(search, depth, first));
        let Err(stopped) = searched else { return Ok(None) };
        search.return_to_root(game);
        let found = search.control.overtaken();
        if found.is_none() {
            self.keep_what_counts(search, depth, before);
            return Err(stopped);
        }
        Ok(found)
    }

    /// An unfinished iteration counts as soon as its first move is done. With several variations it would mix scores of
    /// different depths, so there it does not count.
    fn keep_what_counts(&mut self, search: &mut Search<'_>, depth: i32, before: RootMoves) {
        let best = search.moves.0.iter().map(|root_move| root_move.score).max();
        // A loss is none before every move has been searched.
        if self.lines == 1 && best.is_some_and(|best| !best.is_loss()) {
            search.moves.sort_from(0);
            self.counted = depth;
        } else {
            search.moves = before;
        }
    }

    /// Searches with a narrow window around the last score and widens it on the side on which it fails.
    fn aspirate(&mut self, search: &mut Search<'_>, depth: i32, first: usize) -> Result<(), Stopped> {
        let params = &search.worker.params;
        let previous = search.moves.0[first].previous;
        // Helpers try their luck with half the window: a narrow one is quicker where the score stays, a wide one where it
        // moves.
        let mut margin = params.aspiration_window / if search.control.is_leader() { 1 } else { 2 };
        let narrow = depth >= params.aspiration_depth && !previous.is_decisive() && previous != Score::MINUS_INFINITE;
        let mut window = if narrow { around(previous, margin) } else { FULL };
        // After a fail-high the search only has to confirm: it may be shallower.
        let mut shallower = 0;
        loop {
            let score = search.search_root(window, (depth - shallower).max(1), first)?;
            search.moves.sort_from(first);
            margin += margin / 2;
            if score <= window.alpha && window.alpha > FULL.alpha {
                self.tell_bound(search, depth, first);
                shallower = 0;
                window = Window { alpha: around(score, margin).alpha, beta: window.beta };
            } else if score >= window.beta && window.beta < FULL.beta {
                self.tell_bound(search, depth, first);
                // A mate seen at this depth might not be seen at less.
                let confirms = !search.proves_mate && !score.is_decisive();
                shallower = if confirms { (shallower + 1).min(3) } else { 0 };
                window = Window { alpha: window.alpha, beta: around(score, margin).beta };
            } else {
                return Ok(());
            }
        }
    }

    fn tell_bound(&mut self, search: &mut Search<'_>, depth: i32, first: usize) {
        if search.control.elapsed() > QUIET_PERIOD {
            self.tell(search, depth, first, false);
        }
    }

    fn tell_lines(&mut self, search: &mut Search<'_>, depth: i32) {
        let now = search.control.elapsed();
        if depth >= THROTTLED_DEPTH && now < self.told_at + THROTTLE {
            return;
        }
        self.told_at = now;
        for place in 0..self.lines {
            self.tell(search, depth, place, true);
        }
    }

    fn tell(&mut self, search: &mut Search<'_>, depth: i32, place: usize, exact: bool) {
        if !search.control.is_leader() {
            return;
        }
        let root_move = &search.moves.0[place];
        let bound = if exact { Bound::Exact } else { root_move.bound };
        let searched = root_move.score != Score::MINUS_INFINITE;
        let score = if searched { root_move.score } else { root_move.previous };
        let mv = root_move.mv;
        let bound = if root_move.is_told_by_tables(score) { Bound::Exact } else { bound };
        let selective_depth = root_move.selective_depth;
        let told = root_move.told(score);
        let score = if bound == Bound::Exact { search.complete_line(place, score) } else { told };
        let pv = search.moves.0[place].pv.clone();
        let report = report(search, depth, place + 1, score, bound, selective_depth, pv);
        if place == 0 && bound == Bound::Exact {
            self.last_told = Some((mv, depth));
        }
        (search.tell)(Event::Report(report));
    }

    /// The last word: what was held back or changed since the last report is told, and the result returned.
    fn conclude(mut self, search: &mut Search<'_>, finished: i32) -> SearchResult {
        let guess = search.evaluate();
        for root_move in &mut search.moves.0[..self.lines] {
            if root_move.score == Score::MINUS_INFINITE && root_move.previous == Score::MINUS_INFINITE {
                // Stopped before the move was searched: it stands where a first guess has put it.
                root_move.score = guess;
            }
        }
        let best = search.moves.0[0].clone();
        // The last exact line has to begin with the move that is played: only a line that begins so already may be followed
        // by one that is but a bound, of an iteration broken off while it was failing high or low.
        let is_new = self.last_told.is_none_or(|(mv, _)| mv != best.mv);
        if is_new || self.last_told.is_some_and(|(_, depth)| depth < finished) {
            for place in 0..self.lines {
                self.tell(search, self.counted, place, is_new || self.lines > 1);
            }
        }
        let score = if best.score == Score::MINUS_INFINITE { best.previous } else { best.score };
        SearchResult {
            best: Some(best.mv),
            ponder: expected_reply(search),
            score: best.told(score),
            depth: self.counted,
            selective_depth: best.selective_depth,
            pv: best.pv,
            nodes: search.control.team_nodes(search.nodes),
            clock_time: search.control.clock_time(search.nodes).unwrap_or_default(),
            pace: self.pace(search),
        }
    }
}

const FULL: Window = Window { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

/// The window this far around a score, open where it would leave the range of evaluations.
fn around(score: Score, margin: i32) -> Window {
    let open = margin > 600;
    let (low, high) = (score - margin, score + margin);
    Window {
        alpha: if open || low.is_loss() { FULL.alpha } else { low },
        beta: if open || high.is_win() { FULL.beta } else { high },
    }
}

/// The second move of the line, or what the table expects after a line of one move.
fn expected_reply(search: &Search<'_>) -> Option<Move> {
    let pv = &search.moves.0[0].pv;
    let after = search.root.after(*pv.first()?);
    let from_table = || search.table.probe(after.key(), 1).and_then(|known| known.mv);
    pv.get(1).copied().or_else(from_table).filter(|&mv| after.is_legal(mv))
}
