//! Mates in ordinary searches: what is announced is true, and comes with a line to the end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use luft::chess::notation::Epd;
use luft::chess::{Game, Outcome};
use luft::nnue::Network;
use luft::score::Bound;
use luft::search::{Event, Limits, Params, Report, Settings, Signals, TablebaseUse, Worker};
use luft::transposition::TranspositionTable;

const MATES: &str = include_str!("data/mates-long.epd");

/// Whole with `LUFT_FULL`; with debug assertions a search takes twenty times as long, so a part and fewer nodes must do.
fn extent() -> (usize, u64) {
    if std::env::var_os("LUFT_FULL").is_some() { (1, 1_000_000) } else { (36, 100_000) }
}

fn positions() -> Vec<Epd> {
    let lines = MATES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse::<Epd>().unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

struct Searcher {
    worker: Worker,
    settings: Settings,
}

impl Searcher {
    fn new(multi_pv: usize) -> Searcher {
        let settings = Settings {
            table: Arc::new(TranspositionTable::new(16).unwrap()),
            network: Arc::new(Network::embedded().unwrap()),
            multi_pv,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
            tablebase: TablebaseUse::default(),
        };
        Searcher { worker: Worker::new(), settings }
    }

    fn reports(&mut self, game: &Game, nodes: u64) -> Vec<Report> {
        self.worker.forget();
        self.settings.table.clear(1);
        let mut reports = Vec::new();
        let mut tell = |event| {
            if let Event::Report(report) = event {
                reports.push(report);
            }
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.worker.search(game, &limits, &self.settings, &Signals::default(), Instant::now(), &mut tell);
        reports
    }
}

/// What is wrong with a report on a position with a mate in `fastest`.
fn fault(game: &Game, report: &Report, fastest: i32) -> Option<String> {
    let mut after = game.clone();
    for (index, &mv) in report.pv.iter().enumerate() {
        if index > 0 && after.outcome().is_some() {
            return Some("goes on past the end of the game".into());
        }
        if !after.position().is_legal(mv) {
            return Some(format!("{mv:?} is illegal"));
        }
        after.play(mv);
    }
    let mate = report.score.moves_to_mate()?;
    if mate > 0 && mate < fastest {
        return Some(format!("mate in {mate} where {fastest} is the fastest"));
    }
    let us = game.position().side_to_move();
    let (plies, winner) = if mate > 0 { (2 * mate - 1, us) } else { (-2 * mate, !us) };
    let ends_in_mate = after.outcome() == Some(Outcome::Checkmate { winner });
    let is_whole = report.pv.len() == plies as usize && ends_in_mate;
    (report.bound == Bound::Exact && !is_whole)
        .then(|| format!("mate {mate} with {} of {plies} plies, {:?}", report.pv.len(), after.outcome()))
}

fn check_mates(multi_pv: usize) {
    let (every, nodes) = extent();
    let mut searcher = Searcher::new(multi_pv);
    let mut counts: BTreeMap<i32, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for epd in positions().iter().step_by(every) {
        let fastest = epd.mate_distance().unwrap().expect("a position with dm") as i32;
        let game = Game::new(epd.position);
        let reports = searcher.reports(&game, nodes);
        for report in &reports {
            if let Some(fault) = fault(&game, report, fastest) {
                wrong.push(format!("{} depth {} line {}: {fault}", epd.position, report.depth, report.rank));
            }
        }
        let last = reports.iter().rfind(|report| report.rank == 1).and_then(|report| report.score.moves_to_mate());
        let found = last.filter(|&moves| moves > 0);
        let count = counts.entry(fastest).or_default();
        let facts = [true, found.is_some(), found == Some(fastest)];
        count.iter_mut().zip(facts).for_each(|(count, fact)| *count += usize::from(fact));
    }
    let total = counts.values().fold([0; 3], |sum, count| std::array::from_fn(|index| sum[index] + count[index]));
    println!(
        "MultiPV {multi_pv}, {nodes} nodes: mates by moves [positions, found, with the shortest length]: {counts:?}"
    );
    println!("MultiPV {multi_pv}: {} of {} found, {} with the shortest length", total[1], total[0], total[2]);
    assert!(wrong.is_empty(), "{} wrong lines:\n{}", wrong.len(), wrong.join("\n"));
    assert!(total[1] * 2 >= total[0], "blind: {total:?}");
}

#[test]
fn mates_of_one_variation() {
    check_mates(1);
}

#[test]
fn mates_of_four_variations() {
    check_mates(4);
}
