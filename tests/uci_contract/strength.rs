//! `UCI_LimitStrength` and `UCI_Elo`: a player for people, who keeps every rule and wastes no analysis.

use std::path::Path;

use luft::chess::notation::{CastlingSpelling, format_move, parse_move};
use luft::chess::{Game, Move, Outcome};
use luft::syzygy::Tablebase;

use crate::POSITIONS;
use crate::engine_process::searched::game_of;
use crate::engine_process::{EngineProcess, with_session};

const HOUR: &str = "wtime 3600000 btime 3600000";

fn limit(engine: &mut EngineProcess, elo: usize) {
    engine.tell(&format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}"));
}

#[test]
fn at_every_level_all_searches_keep_the_rules() {
    with_session(|engine| {
        for elo in [800, 1500, 3000] {
            limit(engine, elo);
            for lines in [1, 4] {
                engine.tell(&format!("setoption name MultiPV value {lines}"));
                for fen in POSITIONS {
                    engine.tell(&format!("ucinewgame\nposition fen {fen}"));
                    let game = game_of(fen, &[]);
                    engine.go("nodes 1000000000").check(&game);
                    engine.go("movetime 1").check(&game);
                }
            }
        }
    });
}

#[test]
fn less_is_searched_at_lower_levels() {
    with_session(|engine| {
        // What is told is the count at the last iteration that was finished, so levels that are near could change places.
        let nodes = [800, 2800].map(|elo| {
            limit(engine, elo);
            engine.go("nodes 1000000000").last().nodes
        });
        assert!(nodes[0] < nodes[1] && nodes[1] < 1_000_000, "{nodes:?}");
    });
}

#[test]
fn limits_of_the_client_stay_upper_bounds() {
    with_session(|engine| {
        limit(engine, 3000);
        assert!(engine.go("nodes 100").last().nodes <= 101);
        assert_eq!(engine.go("depth 2").last().depth, 2);
        limit(engine, 800);
        let searched = engine.go("nodes 1000000000 searchmoves a2a3 h2h4");
        assert!(["a2a3", "h2h4"].contains(&searched.best()));
        assert!(engine.go("nodes 100").last().nodes <= 101);
        // Time is taken, and no more than there is: the search alone would be over at once.
        let begun = std::time::Instant::now();
        engine.go("movetime 1000");
        let taken = begun.elapsed().as_millis();
        assert!((80..3_000).contains(&taken), "{taken} ms");
    });
}

#[test]
fn a_player_takes_its_time_and_stop_ends_it_at_once() {
    with_session(|engine| {
        limit(engine, 1000);
        engine.send(&format!("go {HOUR}"));
        engine.no_best_move();
        engine.send("isready");
        engine.read_until("readyok");
        engine.no_best_move();
        engine.stop();
        // Pondering, it has seen all that it will see before the move is played.
        engine.send(&format!("go ponder {HOUR}"));
        engine.no_best_move();
        engine.send("ponderhit");
        engine.no_best_move();
        engine.stop();
        engine.send("go ponder nodes 1000000000");
        engine.no_best_move();
        engine.send("ponderhit");
        engine.finish_search().check(&game_of("", &[]));
        engine.send(&format!("go ponder {HOUR}"));
        engine.stop();
    });
}

#[test]
fn waiting_ends_with_the_input() {
    let mut engine = EngineProcess::start();
    limit(&mut engine, 1000);
    engine.send(&format!("go {HOUR}"));
    engine.no_best_move();
    let ended = engine.end();
    assert!(ended.status.success());
    assert_eq!(ended.lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[test]
fn analysis_and_proofs_are_not_weakened_and_know_nothing_of_limited_play() {
    with_session(|engine| {
        let nodes = |engine: &mut EngineProcess| {
            engine.tell("ucinewgame");
            engine.go("depth 9").last().nodes
        };
        let usual = nodes(engine);
        limit(engine, 800);
        assert_ne!(nodes(engine), usual);
        engine.tell("setoption name UCI_AnalyseMode value true");
        assert_eq!(nodes(engine), usual);
        engine.tell("setoption name UCI_AnalyseMode value false\nucinewgame");
        (0..3).for_each(|_| drop(engine.go("depth 9")));
        engine.tell("setoption name UCI_LimitStrength value false");
        assert_eq!(engine.go("depth 9").last().nodes, usual);
        limit(engine, 800);
        engine.send("go infinite");
        engine.read_until("info depth 9");
        engine.stop();
        engine.tell("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1");
        assert!(engine.go("mate 3").last().nodes > 0);
        assert_eq!(engine.go("mate 3").score(), crate::engine_process::info::Score::Mate(2));
    });
}

#[test]
fn judgement_is_wrong_the_same_way_throughout_a_game() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
    with_session(|engine| {
        limit(engine, 900);
        let told = |engine: &mut EngineProcess| {
            let searched = engine.go("nodes 1000000000");
            (searched.best.clone(), searched.score())
        };
        let mut games = std::collections::HashSet::new();
        for _ in 0..8 {
            engine.tell(&format!("ucinewgame\nposition fen {fen}"));
            let first = told(engine);
            assert_eq!(told(engine), first);
            games.insert(first.0);
        }
        assert!(games.len() > 1, "every game is the same: {games:?}");
        // Where time is counted in nodes, games repeat.
        engine.tell("setoption name nodestime value 100");
        let repeated: Vec<_> = (0..3)
            .map(|_| {
                engine.tell("ucinewgame");
                told(engine)
            })
            .collect();
        assert!(repeated.iter().all(|one| *one == repeated[0]), "{repeated:?}");
    });
}

#[test]
fn no_error_of_judgement_hides_a_mate_in_one() {
    let mates = [
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
    ];
    with_session(|engine| {
        limit(engine, 800);
        for fen in mates {
            for _ in 0..10 {
                engine.tell(&format!("ucinewgame\nposition fen {fen}"));
                let searched = engine.go("nodes 1000000000");
                let mut game = game_of(fen, &[]);
                game.play(parse_move(game.position(), searched.best()).unwrap());
                assert!(matches!(game.outcome(), Some(Outcome::Checkmate { .. })), "{fen}: {searched:?}");
            }
        }
    });
}

/// The longest defence by the tables, if they are there.
fn longest_defence(tables: Option<&Tablebase>, game: &Game) -> Option<Move> {
    let distances = tables?.dtz_of_moves(game.position())?;
    let drawing = distances.iter().find(|(_, plies)| *plies >= 0);
    drawing.or_else(|| distances.iter().min_by_key(|(_, plies)| *plies)).map(|&(mv, _)| mv)
}

/// Plays on from a position against the best defence: by the tables, or without them by the engine at full strength.
fn play_out(engine: &mut EngineProcess, defender: &mut EngineProcess, fen: &str) -> (Option<Outcome>, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    let tables = Tablebase::open(&folder).ok();
    assert!(tables.is_some() || std::env::var_os("LUFT_REQUIRE_TABLES").is_none(), "no tables in {}", folder.display());
    let mut game = game_of(fen, &[]);
    let mut line = format!("position fen {fen} moves");
    engine.tell("ucinewgame");
    for ply in 0.. {
        if let Some(outcome) = game.outcome() {
            return (Some(outcome), ply);
        }
        let by_tables = if ply % 2 == 1 { longest_defence(tables.as_deref(), &game) } else { None };
        let mv = by_tables.unwrap_or_else(|| {
            let (mover, limit) =
                if ply % 2 == 0 { (&mut *engine, "nodes 1000000000") } else { (&mut *defender, "nodes 20000") };
            mover.tell(&line);
            parse_move(game.position(), mover.go(limit).best()).unwrap()
        });
        game.play(mv);
        line += &format!(" {}", format_move(mv, CastlingSpelling::KingTarget));
    }
    unreachable!("games end")
}

#[test]
fn the_weakest_mates_a_bare_king_with_a_queen_or_a_rook() {
    let endings = [
        "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        "8/8/3k4/8/8/8/8/R3K3 w - - 0 1",
        "8/8/8/4k3/8/8/6R1/7K w - - 0 1",
        "8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
        "8/8/2k5/8/8/8/8/4K1Q1 w - - 0 1",
    ];
    let mut defender = EngineProcess::start();
    with_session(|engine| {
        limit(engine, 800);
        for fen in endings {
            let (outcome, plies) = play_out(engine, &mut defender, fen);
            assert!(matches!(outcome, Some(Outcome::Checkmate { .. })), "{fen}: {outcome:?} after {plies} plies");
        }
    });
}
