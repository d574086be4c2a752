//! The search against positions with known answers: mates of proved length, and single-solution tactics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use luft::chess::notation::Epd;
use luft::chess::{Game, Move, Outcome};
use luft::nnue::Network;
use luft::search::{Event, Limits, Params, SearchResult, Settings, Signals, TablebaseUse, Worker};
use luft::transposition::TranspositionTable;

const MATES: &str = include_str!("data/mates.epd");
const TACTICS: &str = include_str!("data/tactics.epd");

/// Nodes within which mates must be found, by the number of moves to mate.
const MATE_NODES: [u64; 7] = [0, 10_000, 100_000, 1_000_000, 4_000_000, 30_000_000, 30_000_000];
const TACTICS_NODES: u64 = 300_000;

/// With debug assertions every move is checked and a search takes twenty times as long: a part must do there, and the whole
/// is for `make test-release`.
fn selected(epds: Vec<Epd>) -> Vec<Epd> {
    let every = if cfg!(debug_assertions) { 8 } else { 1 };
    epds.into_iter().step_by(every).collect()
}

fn moves_to_mate(epd: &Epd) -> i32 {
    epd.mate_distance().unwrap().expect("a position with dm") as i32
}

fn positions(text: &str) -> Vec<Epd> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse::<Epd>().unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

struct Found {
    result: SearchResult,
    pv: Vec<Move>,
}

fn search(epd: &Epd, limits: Limits) -> Found {
    let table = Arc::new(TranspositionTable::new(16).unwrap());
    let network = Arc::new(Network::embedded().unwrap());
    let settings = Settings {
        table,
        network,
        multi_pv: 1,
        move_overhead: Duration::ZERO,
        params: Params::DEFAULT,
        tablebase: TablebaseUse::default(),
    };
    let mut pv = Vec::new();
    let mut tell = |event| {
        if let Event::Report(report) = event {
            pv = report.pv;
        }
    };
    let game = Game::new(epd.position);
    let result = Worker::new().search(&game, &limits, &settings, &Signals::default(), Instant::now(), &mut tell);
    Found { result, pv }
}

/// Every mate is found with its exact length, and with a line that ends in mate.
#[test]
fn mates_of_proved_length() {
    let mut epds = selected(positions(MATES));
    assert!(epds.len() >= 40);
    if cfg!(debug_assertions) {
        epds.retain(|epd| moves_to_mate(epd) <= 3);
    }
    let mut wrong = Vec::new();
    for epd in &epds {
        let moves = moves_to_mate(epd);
        let nodes = MATE_NODES[(moves as usize).min(MATE_NODES.len() - 1)];
        let found = search(epd, Limits { nodes: Some(nodes), mate: Some(moves), ..Limits::default() });
        let announced = found.result.score.moves_to_mate();
        if announced != Some(moves) {
            wrong.push(format!("{}: mate in {moves}, found {announced:?}: {}", epd.id().unwrap_or(""), epd.position));
            continue;
        }
        let mut game = Game::new(epd.position);
        for &mv in &found.pv {
            assert!(game.position().is_legal(mv), "{}: {:?}", epd.position, found.pv);
            game.play(mv);
        }
        assert_eq!(found.pv.first(), found.result.best.as_ref());
        let mated = game.outcome() == Some(Outcome::Checkmate { winner: epd.position.side_to_move() });
        assert!(mated && found.pv.len() as i32 == 2 * moves - 1, "{}: {:?}", epd.position, found.pv);
    }
    println!("mates: {} of {} found with the right length", epds.len() - wrong.len(), epds.len());
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), epds.len(), wrong.join("\n"));
}

/// A guard against blindness, not a measure of strength: most tactics are seen at once.
#[test]
fn most_tactics_are_solved() {
    let epds = selected(positions(TACTICS));
    assert!(epds.len() >= 10);
    let solved = epds.iter().filter(|epd| {
        let best = epd.best_moves().expect("readable moves");
        let found = search(epd, Limits { nodes: Some(TACTICS_NODES), ..Limits::default() });
        found.result.best.is_some_and(|mv| best.contains(&mv))
    });
    let solved = solved.count();
    println!("tactics: {solved} of {} solved at {TACTICS_NODES} nodes", epds.len());
    assert!(solved * 10 >= epds.len() * 6, "only {solved} of {}", epds.len());
}
