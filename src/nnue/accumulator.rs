//! The first layer along a line of play.
//!
//! Each step records which men came and went; the hidden layers are worked out only when an evaluation is asked for, from
//! the last ply where they are known. Where the own king has changed halves the view is another one, and its layer is built
//! anew.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::architecture::{EVALUATION_SCALE, INPUT_SCALE, OUTPUT_SCALE, output_bucket};
use super::features::Perspective;
use super::kernels::{Kernels, RowChanges};
use super::network::{Network, Row};
use crate::chess::{Bitboard, Color, Observer, Piece, PieceKind, Position, Square};
use crate::score::Score;

/// Men that one move brings or takes away: two each, when castling.
type Men = ArrayVec<(Piece, Square), 2>;

/// One ply of the line.
#[derive(Clone)]
struct Ply {
    added: Men,
    removed: Men,
    views: [Perspective; 2],
    /// Hidden layers by colour; worth something where `known`.
    layers: [Row; 2],
    known: [bool; 2],
}

impl Observer for Ply {
    #[inline(always)]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
        if piece.kind() == PieceKind::King {
            self.views[piece.color().index()] = Perspective::new(piece.color(), square);
        }
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}

/// Evaluates positions along a line of play with a network.
#[derive(Clone)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    kernels: Kernels,
    plies: Vec<Ply>,
    /// The ply it stands on; those above are memory to use again.
    top: usize,
}

impl NetworkEvaluator {
    /// An evaluator that stands at this position.
    pub fn new(network: Arc<Network>, kernels: Kernels, position: &Position) -> NetworkEvaluator {
        let mut evaluator = NetworkEvaluator { network, kernels, plies: Vec::new(), top: 0 };
        evaluator.reset(position);
        evaluator
    }

    /// Stands at this position now, with nothing to step back to.
    pub fn reset(&mut self, position: &Position) {
        let ply = Ply {
            added: Men::new(),
            removed: Men::new(),
            views: Color::ALL.map(|color| Perspective::of(position, color)),
            layers: [self.network.input_bias; 2],
            known: [false; 2],
        };
        self.plies.clear();
        self.plies.push(ply);
        self.top = 0;
        Color::ALL.into_iter().for_each(|color| self.rebuild(position, color));
    }

    /// Takes a step: whoever makes the move tells the returned observer of its changes.
    #[inline(always)]
    pub fn step(&mut self) -> &mut impl Observer {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            let ply = self.plies[self.top - 1].clone();
            self.plies.push(ply);
        }
        let ply = &mut self.plies[self.top];
        ply.added.clear();
        ply.removed.clear();
        ply.views = views;
        ply.known = [false; 2];
        ply
    }

    /// Takes the last step back.
    #[inline(always)]
    pub fn step_back(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// The value of the position, at which the evaluator must stand, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        Color::ALL.into_iter().for_each(|color| self.bring_up_to_date(position, color));
        let bucket = output_bucket(position.board().occupied().len());
        self.output(position.side_to_move(), bucket)
    }

    /// The value under every bucket; [`output_bucket`] tells which of them is in use.
    pub fn evaluate_buckets(&mut self, position: &Position) -> Vec<Score> {
        Color::ALL.into_iter().for_each(|color| self.bring_up_to_date(position, color));
        (0..self.network.output_bias.len()).map(|bucket| self.output(position.side_to_move(), bucket)).collect()
    }

    fn output(&self, mover: Color, bucket: usize) -> Score {
        let layers = &self.plies[self.top].layers;
        let (own, other) = (&layers[mover.index()], &layers[(!mover).index()]);
        let squared = self.kernels.output(own, other, &self.network.outputs[bucket]) as i64;
        let sum = squared / INPUT_SCALE as i64 + self.network.output_bias[bucket] as i64;
        Score::evaluation((sum * EVALUATION_SCALE as i64 / (INPUT_SCALE * OUTPUT_SCALE) as i64) as i32)
    }

    /// Makes the layer of one view known at the top.
    #[inline(always)]
    fn bring_up_to_date(&mut self, position: &Position, color: Color) {
        let view = self.plies[self.top].views[color.index()];
        let mut known = self.top;
        while !self.plies[known].known[color.index()] {
            // The root is always known, so `known` does not pass it.
            known -= 1;
            if self.plies[known].views[color.index()] != view {
                return self.rebuild(position, color);
            }
        }
        for ply in known..self.top {
            self.update(ply, view);
        }
    }

    /// The layer of a view at the ply after `ply`, from that at `ply`.
    #[inline(always)]
    fn update(&mut self, ply: usize, view: Perspective) {
        let (before, after) = self.plies.split_at_mut(ply + 1);
        let (before, after) = (&before[ply], &mut after[0]);
        let row = |&(piece, square): &(Piece, Square)| &self.network.inputs[view.input(piece, square)];
        let added: ArrayVec<&Row, 2> = after.added.iter().map(row).collect();
        let removed: ArrayVec<&Row, 2> = after.removed.iter().map(row).collect();
        let index = view.color.index();
        let changes = RowChanges { added: &added, removed: &removed };
        self.kernels.apply(&before.layers[index], &mut after.layers[index], &changes);
        after.known[index] = true;
    }

    /// The layer of one view at the top from nothing.
    fn rebuild(&mut self, position: &Position, color: Color) {
        let ply = &mut self.plies[self.top];
        let view = ply.views[color.index()];
        let rows: ArrayVec<&Row, 32> = view.inputs(position).map(|input| &self.network.inputs[input]).collect();
        let changes = RowChanges { added: &rows, removed: &[] };
        self.kernels.apply(&self.network.input_bias, &mut ply.layers[color.index()], &changes);
        ply.known[color.index()] = true;
    }

    /// What each man is worth to the evaluation: the change, for White, when it is taken off the board. Kings have none.
    pub fn piece_values(&mut self, position: &Position) -> Vec<(Square, i32)> {
        let white_view = |score: Score| if position.side_to_move() == Color::White { score } else { -score };
        let whole = white_view(self.evaluate(position)).units();
        let kings = position.board().kind(PieceKind::King);
        let squares: Bitboard = position.board().occupied() - kings;
        let mut values = Vec::new();
        for square in squares {
            let Some(piece) = position.piece_on(square) else { continue };
            let ply = self.step_without(piece, square);
            let without = white_view(self.evaluate_reduced(position, ply)).units();
            self.step_back();
            values.push((square, whole - without));
        }
        values
    }

    fn step_without(&mut self, piece: Piece, square: Square) -> usize {
        self.step();
        self.plies[self.top].removed.push((piece, square));
        self.top
    }

    /// The value at a ply that differs from the position by men taken off.
    fn evaluate_reduced(&mut self, position: &Position, ply: usize) -> Score {
        for color in Color::ALL {
            self.update(ply - 1, self.plies[ply].views[color.index()]);
        }
        let bucket = output_bucket(position.board().occupied().len() - 1);
        self.output(position.side_to_move(), bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::SplitMix64;
    use crate::chess::{Game, Setup};
    use crate::nnue::network::tests::random_network;

    /// Random lines with steps back and evaluations left out: incremental equals fresh, for every kernel.
    #[test]
    fn incremental_equals_fresh_for_every_kernel() {
        let network = Arc::new(random_network(4));
        let mut random = SplitMix64::new(5);
        let kernels = Kernels::available();
        for _ in 0..40 {
            let start = Setup::initial().validate().unwrap();
            let mut game = Game::new(start);
            let mut evaluators: Vec<NetworkEvaluator> =
                kernels.iter().map(|&kernels| NetworkEvaluator::new(Arc::clone(&network), kernels, &start)).collect();
            for _ in 0..200 {
                let moves = game.position().legal_moves();
                if moves.is_empty() || random.below(5) == 0 && game.ply() > 0 {
                    game.undo();
                    evaluators.iter_mut().for_each(NetworkEvaluator::step_back);
                    continue;
                }
                let mv = moves[random.below(moves.len() as u64) as usize];
                let position = *game.position();
                game.play(mv);
                for evaluator in &mut evaluators {
                    let mut next = position;
                    next.make_observed(mv, evaluator.step());
                }
                if random.below(3) == 0 {
                    let position = game.position();
                    let fresh =
                        NetworkEvaluator::new(Arc::clone(&network), Kernels::SCALAR, position).evaluate(position);
                    for evaluator in &mut evaluators {
                        assert_eq!(evaluator.evaluate(position), fresh, "{} {position}", evaluator.kernels.name());
                    }
                }
            }
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_are_worth_the_same() {
        let network = Arc::new(random_network(6));
        let evaluate = |fen: &str| {
            let position: Position = fen.parse().unwrap();
            NetworkEvaluator::new(Arc::clone(&network), Kernels::best(), &position).evaluate(&position)
        };
        let value = evaluate("2k5/8/3p4/8/8/1N6/8/6K1 w - - 0 1");
        assert_eq!(value, evaluate("5k2/8/4p3/8/8/6N1/8/1K6 w - - 0 1"));
        assert_eq!(value, evaluate("6k1/8/1n6/8/8/3P4/8/2K5 b - - 0 1"));
    }
}
