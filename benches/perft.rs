//! Perft side by side with the crates `cozy-chess` and `chess`, one thread, no hash, and Luft with two threads.
//!
//! Every program counts its last ply without making the moves, each by the fastest means it offers. Threads are compared
//! one ply deeper, where starting them costs nothing. After the groups a table of the ratios is printed: the median of the
//! samples of each group, and the geometric mean over the positions.

use std::hint::black_box;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::Criterion;
use luft::chess::Position;
use luft::chess::perft::{PerftOptions, divide, perft};

const POSITIONS: [(&str, &str, u32); 6] = [
    ("initial", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("rook endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("talkchess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

/// A way to count, by name and how much deeper than the table says, on a position and depth.
type Counter = (&'static str, u32, fn(&str, u32) -> Box<dyn Fn() -> u64>);

const COUNTERS: [Counter; 5] = [
    ("luft", 0, |fen, depth| {
        let position = Position::from_str(fen).unwrap();
        Box::new(move || perft(black_box(&position), depth))
    }),
    ("cozy-chess", 0, |fen, depth| {
        let board = cozy_chess::Board::from_str(fen).unwrap();
        Box::new(move || cozy_perft(black_box(&board), depth))
    }),
    ("chess", 0, |fen, depth| {
        let board = chess::Board::from_str(fen).unwrap();
        Box::new(move || chess::MoveGen::movegen_perft_test(black_box(&board), depth as usize) as u64)
    }),
    ("luft, 1 thread", 1, |fen, depth| divided(fen, depth, 1)),
    ("luft, 2 threads", 1, |fen, depth| divided(fen, depth, 2)),
];

fn divided(fen: &str, depth: u32, threads: usize) -> Box<dyn Fn() -> u64> {
    let position = Position::from_str(fen).unwrap();
    let options = PerftOptions { threads, hash_mib: 0 };
    let never = AtomicBool::new(false);
    Box::new(move || {
        let counts = divide(black_box(&position), depth, &options, &never).unwrap().unwrap();
        counts.iter().map(|(_, nodes)| nodes).sum()
    })
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

type Row = [f64; COUNTERS.len()];

/// Seconds of each counter on each position: the median of the samples of Criterion's own timing loop.
fn measure(criterion: &mut Criterion) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, fen, depth) in POSITIONS {
        let mut group = criterion.benchmark_group(format!("perft {depth} of {name}"));
        let mut row = [0.0; COUNTERS.len()];
        for ((counter, deeper, prepare), seconds) in COUNTERS.iter().zip(&mut row) {
            let expected = perft(&Position::from_str(fen).unwrap(), depth + deeper);
            let count = prepare(fen, depth + deeper);
            assert_eq!(count(), expected, "{counter} on {name}");
            let mut samples = Vec::new();
            group.throughput(criterion::Throughput::Elements(expected));
            group.bench_function(*counter, |bencher| {
                bencher.iter_custom(|rounds| {
                    let start = Instant::now();
                    for _ in 0..rounds {
                        black_box(count());
                    }
                    let elapsed = start.elapsed();
                    samples.push(elapsed.as_secs_f64() / rounds as f64);
                    elapsed
                });
            });
            samples.sort_by(f64::total_cmp);
            *seconds = samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN);
        }
        group.finish();
        rows.push(row);
    }
    rows
}

fn print_table(rows: &[Row]) {
    println!("\nspeed of luft as a multiple of each (above 1: luft is faster); last: two threads over one");
    println!("{:<14} {:>11} {:>11} {:>11} {:>11}", "position", "cozy-chess", "chess", "faster one", "2 threads");
    let ratios = |row: &Row| [row[1] / row[0], row[2] / row[0], row[1].min(row[2]) / row[0], row[3] / row[4]];
    let line = |name: &str, [cozy, chess, faster, threads]: [f64; 4]| {
        println!("{name:<14} {cozy:>11.2} {chess:>11.2} {faster:>11.2} {threads:>11.2}");
    };
    for ((name, ..), row) in POSITIONS.iter().zip(rows) {
        line(name, ratios(row));
    }
    let mean = |column: usize| {
        let logarithms: f64 = rows.iter().map(|row| ratios(row)[column].ln()).sum();
        (logarithms / rows.len() as f64).exp()
    };
    line("geometric mean", [mean(0), mean(1), mean(2), mean(3)]);
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let rows = measure(&mut criterion);
    criterion.final_summary();
    // `cargo test --benches` runs each counter once and measures nothing.
    if std::env::args().any(|argument| argument == "--bench") {
        print_table(&rows);
    }
}
