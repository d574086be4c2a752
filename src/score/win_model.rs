//! What evaluations mean for the result of a game: chances of win, draw and loss, and centipawns made from them.
//!
//! The chance to win with an evaluation of `x` units is `1 / (1 + exp((a - x) / b))`, where `a` and `b` are polynomials of
//! the material on the board; the chance to lose is that of winning with `-x`. At `x = a` it is one half, and that is called
//! 100 centipawns. Source of the form: Stockfish wiki, "UCI" and "WDL model". The constants are fitted to games of this
//! engine by `datagen fit FILE...`, which prints them as they stand here.

use super::Score;
use crate::chess::{Board, PieceKind};

/// Material counts for which the model is fitted; others are taken for the nearest.
pub const MATERIAL: std::ops::RangeInclusive<i32> = 17..=78;

/// Material counts are divided by this before they enter the polynomials.
pub const MATERIAL_SCALE: f64 = 58.0;

/// The constants of the model: coefficients of polynomials in the scaled material, from the third power down to the constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinModel {
    /// The evaluation that wins every second game.
    pub a: [f64; 4],
    /// How many units the chances take to change.
    pub b: [f64; 4],
}

/// The model of the last pool of games that the network of the sources has learned from (pool 10 in `src/nnue/README.md`); a
/// new network wants a new fit.
pub const FITTED: WinModel =
    WinModel { a: [-92.983, 441.325, -721.571, 486.275], b: [33.063, -244.814, 433.768, 75.323] };

/// The material of both sides together: pawns 1, knights and bishops 3, rooks 5, queens 9.
pub fn material(board: &Board) -> i32 {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    [(Pawn, 1), (Knight, 3), (Bishop, 3), (Rook, 5), (Queen, 9)]
        .into_iter()
        .map(|(kind, value)| value * board.kind(kind).len() as i32)
        .sum()
}

impl WinModel {
    /// `a` and `b` at this material.
    pub fn parameters(&self, material: i32) -> (f64, f64) {
        let x = f64::from(material.clamp(*MATERIAL.start(), *MATERIAL.end())) / MATERIAL_SCALE;
        let polynomial = |powers: &[f64; 4]| powers.iter().fold(0.0, |sum, power| sum * x + power);
        (polynomial(&self.a), polynomial(&self.b))
    }

    /// The chances to win, to draw and to lose with an evaluation of `units`; they sum to 1.
    pub fn chances(&self, units: f64, material: i32) -> [f64; 3] {
        let (a, b) = self.parameters(material);
        let win = |units: f64| 1.0 / (1.0 + ((a - units) / b).exp());
        let (win, loss) = (win(units), win(-units));
        [win, 1.0 - win - loss, loss]
    }
}

/// The score in centipawns, of which 100 win every second game at this material. Proved wins and losses keep their units.
pub fn centipawns(score: Score, material: i32) -> i32 {
    if score.is_decisive() {
        return score.units();
    }
    let (a, _) = FITTED.parameters(material);
    let centipawns = (f64::from(score.units()) * 100.0 / a).round() as i32;
    Score::evaluation(centipawns).units()
}

/// The chances of win, draw and loss in thousandths, which sum to 1000. Proved wins and losses are certain.
pub fn win_draw_loss(score: Score, material: i32) -> (u16, u16, u16) {
    if score.is_win() {
        return (1000, 0, 0);
    }
    if score.is_loss() {
        return (0, 0, 1000);
    }
    let [win, _, loss] = FITTED.chances(f64::from(score.units()), material);
    let thousandths = |chance: f64| (1000.0 * chance).round() as u16;
    let win = thousandths(win).min(1000);
    let loss = thousandths(loss).min(1000 - win);
    (win, 1000 - win - loss, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn material_of_both_sides_is_counted() {
        assert_eq!(material(Position::initial().board()), 78);
        let ending: Position = "4k3/8/3p4/8/8/1N6/8/4K2Q w - - 0 1".parse().unwrap();
        assert_eq!(material(ending.board()), 13);
    }

    #[test]
    fn the_fitted_model_makes_sense_at_every_material() {
        for material in MATERIAL {
            let (a, b) = FITTED.parameters(material);
            // Networks differ in their units, but not by orders of magnitude.
            assert!((20.0..2_000.0).contains(&a) && (10.0..1_000.0).contains(&b), "{material}: {a} {b}");
            let level = FITTED.chances(0.0, material);
            assert!((0.02..0.9).contains(&level[1]), "{material}: {level:?}");
        }
    }

    #[test]
    fn a_hundred_centipawns_win_every_second_game() {
        for material in [0, 17, 40, 78, 90] {
            let (a, _) = FITTED.parameters(material);
            let score = Score::evaluation(a.round() as i32);
            assert!((99..=101).contains(&centipawns(score, material)));
            assert_eq!(centipawns(-score, material), -centipawns(score, material));
            assert!((495..=505).contains(&win_draw_loss(score, material).0));
        }
    }

    #[test]
    fn chances_sum_to_a_thousand_and_rise_with_the_score() {
        for material in 0..100 {
            let mut last = 0;
            for units in (-31_000..31_000).step_by(7) {
                let score = Score::evaluation(units);
                let (win, draw, loss) = win_draw_loss(score, material);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-score, material).0, loss);
                assert!(win >= last);
                last = win;
            }
        }
    }

    #[test]
    fn proved_scores_are_certain_and_keep_their_units() {
        for score in [Score::mating_at(3), Score::tablebase_win_at(5)] {
            assert_eq!(win_draw_loss(score, 50), (1000, 0, 0));
            assert_eq!(win_draw_loss(-score, 50), (0, 0, 1000));
            assert_eq!(centipawns(score, 50), score.units());
        }
        assert!(!Score::evaluation(centipawns(Score::MAX_EVALUATION, 17)).is_decisive());
    }
}
