//! The workers of an engine, and how they search together: all on the same position at once, with little between them but
//! the shared table (Chess Programming Wiki, "Lazy SMP"). They part by themselves, as soon as one finds in the table what
//! another has stored, and meet again when one of them has finished an iteration.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Notice;
use super::pool::Pool;
use super::vote::{Ballot, elect};
use crate::chess::Game;
use crate::score::{Bound, Score};
use crate::search::{
    Assignment, Event, Finding, Limits, Milestones, Report, RootRanks, SearchResult, Settings, Signals, Team, Worker,
};

/// All that a search needs.
pub(super) struct SearchJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) signals: Arc<Signals>,
    pub(super) started: Instant,
}

impl SearchJob {
    /// Whether the answer is one move for which the workers may vote: with a depth, a mate or several lines, the client wants
    /// to know exactly what the leader has at its end, whoever has found it.
    fn is_put_to_vote(&self) -> bool {
        self.goes_on_together() && self.limits.depth.is_none()
    }

    /// Whether an iteration is finished for all workers when one has finished it. A finding is one line, and no proof.
    fn goes_on_together(&self) -> bool {
        self.settings.multi_pv == 1 && self.limits.mate.is_none()
    }
}

/// A job as all workers share it.
struct SharedJob {
    job: SearchJob,
    ranks: Option<RootRanks>,
    team: Team,
    milestones: Milestones<Finding>,
}

impl SharedJob {
    fn assignment(&self) -> Assignment<'_> {
        let SearchJob { game, limits, settings, signals, started } = &self.job;
        let milestones = self.job.goes_on_together().then_some(&self.milestones);
        Assignment { game, limits, settings, ranks: self.ranks.as_ref(), milestones, signals, started: *started }
    }
}

enum HelperTask {
    Search { shared: Arc<SharedJob>, number: usize },
    Forget,
}

/// One worker that leads, on the thread of whoever owns the crew, and any number that help on threads of their own.
pub(super) struct Crew {
    leader: Worker,
    helpers: Pool<HelperTask, Option<SearchResult>>,
}

/// Memory that a worker takes at most, with some to spare: tables of histories and corrections, lines, accumulators.
const WORKER_BYTES: usize = 8 << 20;

/// What a helper does with its tasks: it owns a worker, whose memory is allocated and first written by its thread.
fn help() -> io::Result<impl FnMut(HelperTask) -> Option<SearchResult>> {
    // Small allocations end the process when they fail, so the whole is asked for once, and given back.
    Vec::<u8>::new().try_reserve_exact(WORKER_BYTES).map_err(io::Error::other)?;
    let mut worker = Worker::new();
    Ok(move |task| match task {
        HelperTask::Search { shared, number } => {
            Some(worker.search_in_team(shared.team.seat(number), shared.assignment(), &mut |_| ()))
        }
        HelperTask::Forget => {
            worker.forget();
            None
        }
    })
}

impl Crew {
    /// A leader without helpers.
    pub(super) fn new() -> Crew {
        Crew { leader: Worker::new(), helpers: Pool::new() }
    }

    /// From now on this many threads search, the leader's included.
    ///
    /// # Errors
    /// When the system refuses a thread or its memory: then there are as many as before.
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
        let alone = job.limits.handicap.is_some();
        let helped = !alone && job.game.position().has_legal_move();
        let ranks = RootRanks::ask(&job.game, &job.limits, &job.settings.tablebase);
        let team = Team::new(if alone { 1 } else { 1 + self.helpers.len() });
        let shared = Arc::new(SharedJob { job, ranks, team, milestones: Milestones::default() });
        if helped {
            let task = |number| HelperTask::Search { shared: Arc::clone(&shared), number: number + 1 };
            self.helpers.give_all(task);
        }
        let (led, last_line) = self.lead(&shared, tell);
        shared.team.end();
        let helped = if helped { self.helpers.collect_all() } else { Vec::new() };
        let helpers = helped.into_iter().map(|outcome| outcome.ok().flatten());
        let mut results: Vec<Option<SearchResult>> = std::iter::once(led).chain(helpers).collect();
        for (worker, result) in results.iter_mut().enumerate() {
            match result {
                Some(result) => result.nodes = shared.team.nodes(),
                None => tell(Notice::WorkerFailed { worker }),
            }
        }
        let chosen = choose(&shared, &mut self.leader, results, tell);
        chosen.unwrap_or_else(|| without_result(&shared.job, &shared.team, last_line))
    }

    /// The leader's part. Also gives the last line it has told, in case it has no result. Who plays with a handicap knows
    /// nothing of other searches, and leaves nothing of its errors to them.
    fn lead(&mut self, shared: &SharedJob, tell: &mut dyn FnMut(Notice)) -> (Option<SearchResult>, Option<Report>) {
        let mut last_line = None;
        let mut listen = |event: Event| {
            if let Event::Report(report) = &event
                && report.rank == 1
                && report.bound == Bound::Exact
                && !report.pv.is_empty()
            {
                last_line = Some(report.clone());
            }
            tell(Notice::Search(event));
        };
        let mut limited = shared.job.limits.handicap.map(|_| Worker::new());
        let leader = limited.as_mut().unwrap_or(&mut self.leader);
        let search = AssertUnwindSafe(|| leader.search_in_team(shared.team.seat(0), shared.assignment(), &mut listen));
        let result = catch_unwind(search).ok();
        if result.is_none() {
            // What the panic has left behind may be half changed.
            self.leader = Worker::new();
        }
        (result, last_line)
    }
}

/// The result that counts: the leader's, or that of the helper who wins the vote with another move, whose line is then told
/// last. None when nobody has one.
fn choose(
    shared: &SharedJob,
    leader: &mut Worker,
    mut results: Vec<Option<SearchResult>>,
    tell: &mut dyn FnMut(Notice),
) -> Option<SearchResult> {
    if results[0].is_some() && !shared.job.is_put_to_vote() {
        return results.swap_remove(0);
    }
    let ballots: Vec<(usize, Ballot)> = results
        .iter()
        .enumerate()
        .filter_map(|(worker, result)| Some((worker, result.as_ref().and_then(Ballot::of)?)))
        .collect();
    let only_ballots: Vec<Ballot> = ballots.iter().map(|&(_, ballot)| ballot).collect();
    let winner = elect(&only_ballots).map_or(0, |place| ballots[place].0);
    let best = results[winner].as_ref()?.best;
    if results[0].as_ref().is_some_and(|led| led.best == best) {
        // The leader has told its line for this move already.
        return results.swap_remove(0);
    }
    let chosen = leader.complete(shared.team.seat(0), shared.assignment(), results.swap_remove(winner)?);
    tell(Notice::Search(Event::Report(line_of(&shared.job, &shared.team, &chosen))));
    Some(chosen)
}

/// The line of a result, as it is told: as exact whatever its score was found as, since clients look for the move that is
/// played at the head of the last exact line.
fn line_of(job: &SearchJob, team: &Team, result: &SearchResult) -> Report {
    Report {
        depth: result.depth,
        selective_depth: result.selective_depth,
        rank: 1,
        score: result.score,
        bound: Bound::Exact,
        nodes: result.nodes,
        time: time_of(job, result.nodes),
        permille_full: job.settings.table.permille_full(),
        tablebase_hits: team.tablebase_hits(),
        pv: result.pv.clone(),
    }
}

/// The time that a search has taken by its own count.
fn time_of(job: &SearchJob, nodes: u64) -> Duration {
    let counted = |per_ms| Duration::from_micros(nodes.saturating_mul(1000) / per_ms);
    job.limits.nodes_per_ms.map_or_else(|| job.started.elapsed(), counted)
}

/// An answer when all workers have failed: the move told last, or any legal one.
fn without_result(job: &SearchJob, team: &Team, last_line: Option<Report>) -> SearchResult {
    let any =
        || job.limits.search_moves.first().copied().or_else(|| job.game.position().legal_moves().into_iter().next());
    let (score, depth, pv) = last_line.map_or((Score::DRAW, 0, Vec::new()), |line| (line.score, line.depth, line.pv));
    SearchResult {
        best: pv.first().copied().or_else(any),
        ponder: pv.get(1).copied(),
        score,
        depth,
        selective_depth: 0,
        pv,
        nodes: team.nodes(),
        clock_time: time_of(job, team.nodes()),
        pace: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::parse_fen;
    use crate::nnue::Network;
    use crate::search::{Params, TablebaseUse};
    use crate::transposition::TranspositionTable;

    fn job(limits: Limits) -> SearchJob {
        let settings = Settings {
            table: Arc::new(TranspositionTable::new(4).unwrap()),
            network: Arc::new(Network::embedded().unwrap()),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
            tablebase: TablebaseUse::default(),
        };
        let (game, signals) = (Game::new(Position::initial()), Arc::default());
        SearchJob { game, limits, settings, signals, started: Instant::now() }
    }

    fn is_legal(mv: Option<crate::chess::Move>) -> bool {
        mv.is_some_and(|mv| Position::initial().is_legal(mv))
    }

    /// The first moves of all exact lines told.
    fn lines(notices: &[Notice]) -> Vec<crate::chess::Move> {
        let line = |notice: &Notice| match notice {
            Notice::Search(Event::Report(report)) if report.bound == Bound::Exact => report.pv.first().copied(),
            _ => None,
        };
        notices.iter().filter_map(line).collect()
    }

    #[test]
    fn all_workers_search_and_the_last_line_is_that_of_the_answer() {
        let mut crew = Crew::new();
        for threads in [1, 4, 2] {
            crew.set_threads(threads).unwrap();
            let mut notices = Vec::new();
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let result = crew.search(job(limits), &mut |notice| notices.push(notice));
            assert!(is_legal(result.best));
            assert_eq!(result.best, lines(&notices).last().copied());
            assert!(result.nodes >= 20_000 && result.nodes < 25_000, "{}", result.nodes);
            crew.forget();
        }
    }

    #[test]
    fn one_thread_searches_the_same_before_and_after_there_were_more() {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let mut crew = Crew::new();
        let timeless = |result| SearchResult { clock_time: Duration::ZERO, ..result };
        let first = timeless(crew.search(job(limits.clone()), &mut |_| ()));
        crew.set_threads(3).unwrap();
        crew.search(job(limits.clone()), &mut |_| ());
        crew.set_threads(1).unwrap();
        crew.forget();
        assert_eq!(timeless(crew.search(job(limits), &mut |_| ())), first);
    }

    #[test]
    fn a_leader_that_fails_still_answers_as_its_last_line_said() {
        // With helpers ahead of it the leader may tell one line only.
        for (threads, lines_told) in [(1, 4), (3, 1)] {
            let mut crew = Crew::new();
            crew.set_threads(threads).unwrap();
            let limits = Limits { depth: Some(9), ..Limits::default() };
            let (mut told, mut failed) = (Vec::new(), Vec::new());
            let result = crew.search(job(limits.clone()), &mut |notice| match notice {
                Notice::WorkerFailed { worker } => failed.push(worker),
                notice => {
                    told.push(notice);
                    assert_ne!(told.len(), lines_told, "a fault (this panic belongs to a test)");
                }
            });
            assert!(is_legal(result.best));
            assert_eq!(result.best, lines(&told).last().copied());
            assert_eq!(failed, [0]);
            assert_eq!(crew.search(job(limits), &mut |_| ()).depth, 9, "the next search is whole");
        }
    }

    #[test]
    fn the_line_of_a_helper_is_completed_before_it_is_told() {
        let position = parse_fen("7k/8/8/8/8/1R6/R7/7K w - - 0 1").unwrap();
        let mate_in_two = ["a2a7", "b3b7"].map(|text| crate::chess::notation::parse_move(&position, text).unwrap());
        let job = SearchJob { game: Game::new(position), ..job(Limits { nodes: Some(1), ..Limits::default() }) };
        let shared = SharedJob { job, ranks: None, team: Team::new(2), milestones: Milestones::default() };
        let helper = SearchResult {
            best: Some(mate_in_two[0]),
            score: Score::mating_at(3),
            depth: 4,
            pv: vec![mate_in_two[0]],
            ..without_result(&shared.job, &shared.team, None)
        };
        let leader = SearchResult { best: Some(mate_in_two[1]), score: Score::DRAW, ..helper.clone() };
        let mut told = Vec::new();
        let results = vec![Some(leader), Some(helper.clone())];
        let chosen = choose(&shared, &mut Worker::new(), results, &mut |notice| told.push(notice)).unwrap();
        assert_eq!((chosen.pv.len(), chosen.pv[0], chosen.score), (3, mate_in_two[0], Score::mating_at(3)));
        let [Notice::Search(Event::Report(line))] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((&line.pv, line.score, chosen.ponder), (&chosen.pv, chosen.score, line.pv.get(1).copied()));
        // Who is told to stop does not begin another search, but looks what can be put together without one.
        shared.job.signals.stop();
        let chosen = Worker::new().complete(shared.team.seat(0), shared.assignment(), helper);
        assert_eq!((chosen.pv.len(), chosen.pv[0]), (3, mate_in_two[0]));
    }

    #[test]
    fn findings_are_shared_only_where_one_line_is_the_answer() {
        let shares = |limits, multi_pv| {
            let mut job = job(limits);
            job.settings.multi_pv = multi_pv;
            let milestones = Milestones::default();
            let shared = SharedJob { job, ranks: None, team: Team::new(2), milestones };
            shared.assignment().milestones.is_some()
        };
        let depth = Limits { depth: Some(9), ..Limits::default() };
        assert!(shares(Limits::default(), 1) && shares(depth, 1));
        assert!(!shares(Limits::default(), 2));
        assert!(!shares(Limits { mate: Some(3), ..Limits::default() }, 1));
    }

    #[test]
    fn a_finding_from_elsewhere_is_the_answer_of_the_iteration() {
        let mv = Position::initial().legal_moves().into_iter().nth(7).unwrap();
        let job = job(Limits { depth: Some(9), ..Limits::default() });
        let milestones = Milestones::default();
        let score = Score::evaluation(77);
        milestones.offer(9, Finding { mv, score, selective_depth: 12, pv: vec![mv] });
        let shared = SharedJob { job, ranks: None, team: Team::new(2), milestones };
        let result = Worker::new().search_in_team(shared.team.seat(0), shared.assignment(), &mut |_| ());
        assert_eq!((result.best, result.score, result.depth), (Some(mv), score, 9));
    }

    #[test]
    fn with_no_result_at_all_a_wanted_move_is_played() {
        let wanted = Position::initial().legal_moves().into_iter().nth(7).unwrap();
        let limits = Limits { search_moves: vec![wanted], ..Limits::default() };
        assert_eq!(without_result(&job(limits), &Team::new(1), None).best, Some(wanted));
        assert!(is_legal(without_result(&job(Limits::default()), &Team::new(1), None).best));
    }

    #[test]
    fn a_small_part_of_the_stack_holds_a_long_line() {
        const PART: usize = 32;
        let search = || {
            let position = parse_fen("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1").unwrap();
            let limits = Limits { nodes: Some(600_000), ..Limits::default() };
            let job = SearchJob { game: Game::new(position), ..job(limits) };
            let mut deepest = 0;
            Crew::new().search(job, &mut |notice| {
                if let Notice::Search(Event::Report(report)) = notice {
                    deepest = deepest.max(report.selective_depth);
                }
            });
            deepest
        };
        // A thread that needs more ends the process. So many plies in so small a part: the deepest line takes a quarter at most.
        let thread = std::thread::Builder::new().stack_size(super::super::STACK_BYTES / PART).spawn(search).unwrap();
        let deepest = thread.join().unwrap();
        assert!(deepest >= 4 * crate::score::MAX_PLY / PART, "{deepest}");
    }
}
