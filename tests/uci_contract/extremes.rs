//! Positions, games and depths at the edge of what there can be.

use luft::chess::notation::{CastlingSpelling, format_move};
use luft::chess::random::SplitMix64;
use luft::chess::{Game, Position};

use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;

/// Men that can take each other almost everywhere.
const EXPLOSIVE: [&str; 3] = [
    "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/KQQQQQQQ w - - 0 1",
    "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
    "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1",
];
/// The most moves a position can have.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
/// Nothing can be taken and little moved: iterations cost almost nothing.
const BLOCKED: &str = "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1";

#[test]
fn positions_that_explode_are_searched_in_time() {
    with_session(|engine| {
        for threads in [1, 4] {
            engine.tell(&format!("setoption name Threads value {threads}"));
            for fen in EXPLOSIVE {
                engine.tell(&format!("position fen {fen}"));
                for limit in ["movetime 100", "nodes 5000", "wtime 200 btime 200"] {
                    engine.go(limit).check_of_team(&game_of(fen, &[]));
                }
                engine.send("go infinite");
                engine.no_best_move();
                engine.stop().check_of_team(&game_of(fen, &[]));
            }
        }
    });
}

#[test]
fn two_hundred_and_eighteen_moves_are_all_told() {
    with_session(|engine| {
        engine.tell(&format!("position fen {MOST_MOVES}\nsetoption name MultiPV value 256"));
        let searched = engine.go("depth 1");
        assert_eq!(searched.check(&game_of(MOST_MOVES, &[])).last_lines().len(), 218);
    });
}

#[test]
fn the_deepest_iteration_ends_the_search() {
    with_session(|engine| {
        for threads in [1, 3] {
            engine.tell(&format!("setoption name Threads value {threads}\nposition fen {BLOCKED}"));
            for limit in ["depth 240", "depth 1000000", "depth 2000 nodes 2000000"] {
                let searched = engine.go(limit);
                searched.check_of_team(&game_of(BLOCKED, &[]));
                assert!(searched.last().depth > 100 || limit.contains("nodes"), "{:?}", searched.last());
            }
        }
    });
}

/// A game of this many plies in which nobody is mated: random moves, begun again where they end.
fn long_game(plies: usize) -> Vec<String> {
    let mut random = SplitMix64::new(2000);
    loop {
        let mut game = Game::new(Position::initial());
        let mut moves = Vec::new();
        while moves.len() < plies && game.position().has_legal_move() {
            let legal = game.position().legal_moves();
            let mv = legal[random.below(legal.len() as u64) as usize];
            moves.push(format_move(mv, CastlingSpelling::KingTarget));
            game.play(mv);
        }
        if moves.len() == plies && game.position().has_legal_move() {
            return moves;
        }
    }
}

#[test]
fn games_of_two_thousand_plies_are_searched() {
    let moves = long_game(2000);
    let shuffled: Vec<String> =
        ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(2000).map(|&mv| mv.into()).collect();
    with_session(|engine| {
        for game in [&moves[..], &moves[..1999], &shuffled] {
            let words: Vec<&str> = game.iter().map(String::as_str).collect();
            let position = game_of("", &words);
            engine.tell(&format!("position startpos moves {}", words.join(" ")));
            for threads in [1, 3] {
                engine.tell(&format!("setoption name Threads value {threads}"));
                for limit in ["depth 5", "nodes 5000", "movetime 20"] {
                    engine.go(limit).check_of_team(&position);
                }
            }
        }
    });
}
