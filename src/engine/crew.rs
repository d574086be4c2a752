//! The workers of an engine, and how they search together: all on the same position at once, with nothing between them but
//! the shared table (Chess Programming Wiki, "Lazy SMP"). They part by themselves, as soon as one finds in the table what
//! another has stored; nothing else makes them differ.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::Notice;
use super::pool::Pool;
use super::vote::{Ballot, elect};
use crate::chess::Game;
use crate::score::{Bound, Score};
use crate::search::{Assignment, Event, Limits, Report, SearchResult, Settings, Signals, Team, Worker};

/// All that a search needs.
pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) signals: Arc<Signals>,
    pub(super) started: Instant,
}

impl SearchJob {
    fn assignment(&self) -> Assignment<'_> {
        let SearchJob { game, limits, settings, signals, started } = self;
        Assignment { game, limits, settings, signals, started: *started }
    }

    /// Whether the answer is one move for which the workers may vote: with a depth, a mate or several lines, the client wants
    /// to know exactly what the leader does.
    fn is_put_to_vote(&self) -> bool {
        self.settings.multi_pv == 1 && self.limits.depth.is_none() && self.limits.mate.is_none()
    }
}

enum HelperTask {
    Search { job: Arc<SearchJob>, team: Arc<Team>, number: usize },
    Forget,
}

/// One worker that leads, on the thread of whoever owns the crew, and any number that help on threads of their own.
pub(super) struct Crew {
    leader: Worker,
    helpers: Pool<HelperTask, Option<SearchResult>>,
}

/// What a helper does with its tasks: it owns a worker.
fn help() -> impl FnMut(HelperTask) -> Option<SearchResult> {
    let mut worker = Worker::new();
    move |task| match task {
        HelperTask::Search { job, team, number } => {
            Some(worker.search_in_team(team.seat(number), job.assignment(), &mut |_| ()))
        }
        HelperTask::Forget => {
            worker.forget();
            None
        }
    }
}

impl Crew {
    /// A leader without helpers.
    pub(super) fn new() -> Crew {
        Crew { leader: Worker::new(), helpers: Pool::new() }
    }

    /// From now on this many threads search, the leader's included.
    ///
    /// # Errors
    /// When the system refuses a thread: then there are as many as before.
    pub(super) fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        self.helpers.resize(threads.max(1) - 1, help)
    }

    /// All workers forget what they have learned in earlier searches.
    pub(super) fn forget(&mut self) {
        self.helpers.give_all(|_| HelperTask::Forget);
        self.leader.forget();
        self.helpers.collect_all();
    }

    /// Searches, and returns when all workers have ended. Whatever fails on the way, there is a result, and its move is legal.
    pub(super) fn search(&mut self, job: SearchJob, tell: &mut dyn FnMut(Notice)) -> SearchResult {
        let job = Arc::new(job);
        let helped = job.game.position().has_legal_move();
        let team = Arc::new(Team::new(1 + self.helpers.len()));
        if helped {
            let task =
                |number| HelperTask::Search { job: Arc::clone(&job), team: Arc::clone(&team), number: number + 1 };
            self.helpers.give_all(task);
        }
        let (led, last_line) = self.lead(&job, &team, tell);
        team.end();
        let helped = if helped { self.helpers.collect_all() } else { Vec::new() };
        let helpers = helped.into_iter().map(|outcome| outcome.ok().flatten());
        let results: Vec<Option<SearchResult>> = std::iter::once(led).chain(helpers).collect();
        for (worker, _) in results.iter().enumerate().filter(|(_, result)| result.is_none()) {
            tell(Notice::WorkerFailed { worker });
        }
        let mut chosen = choose(&job, results, tell).unwrap_or_else(|| without_result(&job, last_line));
        chosen.nodes = team.nodes();
        chosen
    }

    /// The leader's part. Also gives the last line it has told, in case it has no result.
    fn lead(
        &mut self,
        job: &SearchJob,
        team: &Team,
        tell: &mut dyn FnMut(Notice),
    ) -> (Option<SearchResult>, Option<Report>) {
        let mut last_line = None;
        let mut listen = |event: Event| {
            if let Event::Report(report) = &event
                && report.rank == 1
                && report.bound == Bound::Exact
            {
                last_line = Some(report.clone());
            }
            tell(Notice::Search(event));
        };
        let leader = &mut self.leader;
        let search = AssertUnwindSafe(|| leader.search_in_team(team.seat(0), job.assignment(), &mut listen));
        let result = catch_unwind(search).ok();
        if result.is_none() {
            // What the panic has left behind may be half changed.
            self.leader = Worker::new();
        }
        (result, last_line)
    }
}

/// The result that counts: the leader's, or that of the helper who wins the vote, whose line is then told last. None when
/// nobody has one.
fn choose(
    job: &SearchJob,
    mut results: Vec<Option<SearchResult>>,
    tell: &mut dyn FnMut(Notice),
) -> Option<SearchResult> {
    if results[0].is_some() && !job.is_put_to_vote() {
        return results.swap_remove(0);
    }
    let ballots: Vec<(usize, Ballot)> = results
        .iter()
        .enumerate()
        .filter_map(|(worker, result)| Some((worker, result.as_ref().and_then(Ballot::of)?)))
        .collect();
    let only_ballots: Vec<Ballot> = ballots.iter().map(|&(_, ballot)| ballot).collect();
    let winner = elect(&only_ballots).map_or(0, |place| ballots[place].0);
    let chosen = results.swap_remove(winner)?;
    if winner != 0 {
        tell(Notice::Search(Event::Report(line_of(job, &chosen))));
    }
    Some(chosen)
}

/// The line of a result, as it is told.
fn line_of(job: &SearchJob, result: &SearchResult) -> Report {
    Report {
        depth: result.depth,
        selective_depth: result.selective_depth,
        rank: 1,
        score: result.score,
        bound: Bound::Exact,
        nodes: result.nodes,
        time: job.started.elapsed(),
        permille_full: job.settings.table.permille_full(),
        tablebase_hits: 0,
        pv: result.pv.clone(),
    }
}

/// An answer when all workers have failed: the move told last, or any legal one.
fn without_result(job: &SearchJob, last_line: Option<Report>) -> SearchResult {
    let any = || job.game.position().legal_moves().into_iter().next();
    let (score, depth, pv) = last_line.map_or((Score::DRAW, 0, Vec::new()), |line| (line.score, line.depth, line.pv));
    SearchResult {
        best: pv.first().copied().or_else(any),
        ponder: pv.get(1).copied(),
        score,
        depth,
        selective_depth: 0,
        pv,
        nodes: 0,
    }
}
