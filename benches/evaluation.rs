//! Evaluations a second by the network, for every set of kernels: from nothing, and move by move as the search needs them.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use luft::chess::Position;
use luft::engine::bench::POSITIONS;
use luft::nnue::{Kernels, Network, NetworkEvaluator};

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| fen.parse().unwrap()).collect()
}

fn evaluator(kernels: Kernels) -> NetworkEvaluator {
    NetworkEvaluator::new(Arc::new(Network::embedded().unwrap()), kernels, &Position::initial())
}

fn from_nothing(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("from nothing");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for kernels in Kernels::available() {
        let mut evaluator = evaluator(kernels);
        group.bench_function(BenchmarkId::from_parameter(kernels.name()), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    evaluator.reset(black_box(position));
                    black_box(evaluator.evaluate(position));
                }
            });
        });
    }
}

/// Every legal move of every position is made, evaluated and taken back; the cost of making moves is in the numbers.
fn move_by_move(criterion: &mut Criterion) {
    let positions = positions();
    let moves: usize = positions.iter().map(|position| position.legal_moves().len()).sum();
    let mut group = criterion.benchmark_group("move by move");
    group.throughput(Throughput::Elements(moves as u64));
    for kernels in Kernels::available() {
        let mut evaluator = evaluator(kernels);
        group.bench_function(BenchmarkId::from_parameter(kernels.name()), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    evaluator.reset(position);
                    for mv in position.legal_moves() {
                        let mut next = *position;
                        next.make_observed(mv, evaluator.step());
                        black_box(evaluator.evaluate(&next));
                        evaluator.step_back();
                    }
                }
            });
        });
    }
}

criterion_group!(benches, from_nothing, move_by_move);
criterion_main!(benches);
