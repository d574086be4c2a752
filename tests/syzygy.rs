//! The search with endgame tables: wins are kept and converted, whatever the fifty-move counter and the history say.
//!
//! Runs where the project's shared tables lie beside the source; elsewhere there is nothing to test, which is a failure with
//! `LUFT_REQUIRE_TABLES` set.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use luft::chess::notation::{CastlingSpelling, format_move, parse_fen};
use luft::chess::random::SplitMix64;
use luft::chess::{Color, Game, Move, Outcome, Piece, Position, Square};
use luft::nnue::Network;
use luft::score::Score;
use luft::search::{Event, Limits, Params, Report, SearchResult, Settings, Signals, TablebaseUse, Worker};
use luft::syzygy::Tablebase;
use luft::transposition::TranspositionTable;

/// A search this small finds hardly any of these mates by itself.
const NODES: u64 = 400;

fn tables() -> Option<Arc<Tablebase>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    if !folder.exists() {
        assert!(std::env::var_os("LUFT_REQUIRE_TABLES").is_none(), "no tables in {}", folder.display());
        println!("no tables in {}: nothing tested", folder.display());
        return None;
    }
    Some(Tablebase::open(&folder).expect("tables"))
}

struct Player {
    worker: Worker,
    settings: Settings,
    tables: Arc<Tablebase>,
}

impl Player {
    fn new() -> Option<Player> {
        let tables = tables()?;
        let settings = Settings {
            table: Arc::new(TranspositionTable::new(1).unwrap()),
            network: Arc::new(Network::embedded().unwrap()),
            multi_pv: 1,
            move_overhead: Duration::ZERO,
            params: Params::DEFAULT,
            tablebase: TablebaseUse { tables: Some(Arc::clone(&tables)), ..TablebaseUse::default() },
        };
        Some(Player { worker: Worker::new(), settings, tables })
    }

    fn search(&mut self, game: &Game, limits: &Limits) -> (SearchResult, Vec<Report>) {
        let mut reports = Vec::new();
        let mut tell = |event| {
            if let Event::Report(report) = event {
                reports.push(report);
            }
        };
        self.settings.table.start_search();
        let result = self.worker.search(game, limits, &self.settings, &Signals::default(), Instant::now(), &mut tell);
        (result, reports)
    }

    fn best(&mut self, game: &Game) -> (Move, Score) {
        let (result, _) = self.search(game, &Limits { nodes: Some(NODES), ..Limits::default() });
        (result.best.expect("a move"), result.score)
    }

    /// The plies to the next capture or pawn move after each move.
    fn distances(&self, position: &Position) -> Vec<(Move, i32)> {
        self.tables.dtz_of_moves(position).expect("a position of the tables")
    }

    /// The defence that lasts longest.
    fn longest_defence(&self, position: &Position) -> Move {
        let order = |plies: i32| if plies < 0 { -plies } else { 1000 };
        self.distances(position).into_iter().max_by_key(|&(_, plies)| order(plies)).expect("a move").0
    }
}

/// A position with these men on random squares, White to move and winning.
fn random_win(player: &Player, random: &mut SplitMix64, men: &str) -> Position {
    loop {
        let mut squares = Square::all().collect::<Vec<_>>();
        let mut board = [None; 64];
        for letter in men.chars() {
            let square = squares.swap_remove(random.below(squares.len() as u64) as usize);
            board[square.index()] = Piece::from_letter(letter);
        }
        let ranks: Vec<String> = board.chunks(8).rev().map(rank_text).collect();
        let Ok(position) = parse_fen(&format!("{} w - - 0 1", ranks.join("/"))) else { continue };
        if position.has_legal_move() && player.tables.dtz(&position).is_some_and(|plies| plies > 0) {
            return position;
        }
    }
}

fn rank_text(rank: &[Option<Piece>]) -> String {
    rank.iter().map(|piece| piece.map_or("1".into(), |piece| piece.letter().to_string())).collect()
}

fn with_clock(position: &Position, clock: i32) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    parse_fen(&format!("{} {} {} {} {clock} 80", fields[0], fields[1], fields[2], fields[3])).expect("a position")
}

/// Plays to the end, and checks that every stage up to the next capture takes no longer than the tables say.
fn convert(player: &mut Player, start: Position) {
    let mut game = Game::new(start);
    let mut stage = (game.ply(), player.tables.dtz(&start).expect("a position of the tables"));
    while game.outcome().is_none() {
        let mv = if game.position().side_to_move() == Color::White {
            let (mv, score) = player.best(&game);
            assert!(score.is_win(), "{start}: {score:?} in {}", game.position());
            mv
        } else {
            player.longest_defence(game.position())
        };
        game.play(mv);
        // Tables may count a ply too few.
        let plies = (game.ply() - stage.0) as i32;
        assert!(plies <= stage.1 + 1, "{start}: shuffling at {}", game.position());
        if game.position().halfmove_clock() == 0 && game.outcome().is_none() {
            stage = (game.ply(), player.tables.dtz(game.position()).expect("a position of the tables").abs());
        }
    }
    assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::White }), "{start}");
}

#[test]
fn wins_are_converted_against_the_longest_defence() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(6);
    let starts = if std::env::var_os("LUFT_FULL").is_some() { 100 } else { 6 };
    for men in ["KRk", "KQk", "KBNk", "KQkr", "KPk", "KRPk"] {
        for _ in 0..starts {
            let start = random_win(&player, &mut random, men);
            convert(&mut player, start);
        }
    }
}

#[test]
fn wins_are_converted_with_the_last_move_that_the_counter_leaves() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(7);
    for men in ["KRk", "KBNk", "KQkr"] {
        for _ in 0..4 {
            let start = random_win(&player, &mut random, men);
            let plies = player.tables.dtz(&start).expect("a position of the tables");
            convert(&mut player, with_clock(&start, (99 - plies).max(0)));
        }
    }
}

#[test]
fn wins_that_come_too_late_are_wins_only_without_the_rule() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(8);
    for men in ["KRk", "KBNk"] {
        let mut start = random_win(&player, &mut random, men);
        while player.tables.dtz(&start).is_none_or(|plies| plies < 15) {
            start = random_win(&player, &mut random, men);
        }
        let plies = player.tables.dtz(&start).expect("a position of the tables");
        let late = Game::new(with_clock(&start, 103 - plies));
        for (fifty_moves, wins) in [(true, false), (false, true)] {
            player.settings.tablebase.fifty_moves = fifty_moves;
            let (_, score) = player.best(&late);
            assert_eq!(score.is_win(), wins, "{}: {score:?}", late.position());
            assert!(wins || score.units().abs() <= 1, "{}: {score:?}", late.position());
        }
        player.settings.tablebase.fifty_moves = true;
    }
}

/// The same man back again.
fn reversed(position: &Position, mv: Move) -> Option<Move> {
    position.legal_moves().iter().copied().find(|back| back.from() == mv.to() && back.to() == mv.from())
}

/// A game in which the best move would bring about a position for the third time.
fn game_with_a_trap(player: &mut Player, start: Position) -> Option<(Game, Move)> {
    let (best, _) = player.best(&Game::new(start));
    let after = start.after(best);
    let replies = after.legal_moves();
    let mut found = replies.iter().filter_map(|&reply| {
        let mut game = Game::new(after);
        let back = reversed(&after.after(reply), best)?;
        let return_reply = reversed(&after.after(reply).after(back), reply)?;
        for mv in [reply, back, return_reply, best, reply, back, return_reply] {
            if !game.position().is_legal(mv) || game.outcome().is_some() {
                return None;
            }
            game.play(mv);
        }
        game.outcome().is_none().then_some((game, best))
    });
    found.next()
}

#[test]
fn wins_are_not_thrown_away_by_repetition() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(9);
    let mut trapped = 0;
    while trapped < 5 {
        let start = random_win(&player, &mut random, "KQk");
        let Some((game, best)) = game_with_a_trap(&mut player, start) else { continue };
        let (mv, score) = player.best(&game);
        assert!(mv != best && score.is_win(), "{}: {mv:?} {score:?}", game.position());
        trapped += 1;
    }
}

#[test]
fn variations_stand_in_the_order_of_the_tables() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(10);
    for men in ["KQkr", "KRPk", "KPkp", "KQkp"] {
        let start = random_win(&player, &mut random, men);
        let distances = player.distances(&start);
        player.settings.multi_pv = 256;
        let (result, reports) = player.search(&Game::new(start), &Limits { depth: Some(4), ..Limits::default() });
        player.settings.multi_pv = 1;
        let lines: Vec<&Report> = reports.iter().filter(|report| report.depth == 4).collect();
        assert_eq!(lines.len(), distances.len(), "{start}");
        assert!(lines.is_sorted_by_key(|report| -report.score.units()), "{start}: {lines:#?}");
        let plies = |mv: Move| distances.iter().find(|(other, _)| *other == mv).expect("a move of the position").1;
        for line in &lines {
            let plies = plies(line.pv[0]);
            let told = (line.score.is_win(), line.score.is_loss());
            assert_eq!(told, (plies > 0, plies < 0), "{start} {:?}: {:?}, dtz {plies}", line.pv[0], line.score);
        }
        assert_eq!(result.best, lines.first().map(|line| line.pv[0]));
        assert!(reports.iter().all(|report| report.tablebase_hits > 0));
    }
}

#[test]
fn only_wanted_moves_are_ranked() {
    let Some(mut player) = Player::new() else { return };
    let mut random = SplitMix64::new(11);
    let start = random_win(&player, &mut random, "KQkr");
    let mut distances = player.distances(&start);
    distances.sort_by_key(|&(_, plies)| plies);
    let chosen = |wanted: fn(i32) -> bool| -> Vec<(Move, i32)> {
        distances.iter().copied().filter(|&(_, plies)| wanted(plies)).collect()
    };
    let (wins, draws) = (chosen(|plies| plies > 1), chosen(|plies| plies == 0));
    let mut search = |search_moves: Vec<Move>| {
        let limits = Limits { nodes: Some(NODES), search_moves, ..Limits::default() };
        player.search(&Game::new(start), &limits).0
    };
    let text = |mv: Move| format_move(mv, CastlingSpelling::KingTarget);
    let slow_wins: Vec<Move> = wins.iter().rev().take(3).map(|&(mv, _)| mv).collect();
    let result = search(slow_wins.clone());
    let best = result.best.expect("a move");
    assert!(slow_wins.contains(&best) && result.score.is_win(), "{start}: {} {:?}", text(best), result.score);
    let result = search(draws.iter().map(|&(mv, _)| mv).collect());
    assert!(draws.is_empty() || result.score == Score::DRAW, "{start}: {:?}", result.score);
}

#[test]
fn positions_below_the_root_are_found() {
    let Some(mut player) = Player::new() else { return };
    // Five men: the tables speak only after a capture. Black can give the rook for the pawn.
    let game = Game::new(parse_fen("8/8/8/3k4/8/3R4/r3P3/4K3 b - - 0 1").expect("a position"));
    let (_, reports) = player.search(&game, &Limits { depth: Some(8), ..Limits::default() });
    assert!(reports.last().is_some_and(|report| report.tablebase_hits > 0), "{reports:#?}");
    player.settings.tablebase.most_men = 3;
    player.settings.table.clear(1);
    let fewer = player.search(&game, &Limits { depth: Some(6), ..Limits::default() }).1;
    player.settings.tablebase.most_men = 0;
    player.settings.table.clear(1);
    let none = player.search(&game, &Limits { depth: Some(6), ..Limits::default() }).1;
    let hits = |reports: &[Report]| reports.last().map(|report| report.tablebase_hits);
    assert!(hits(&fewer) < hits(&reports) && hits(&none) == Some(0));
}
