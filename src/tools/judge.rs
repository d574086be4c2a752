//! Ends games of the engine against itself on whose result both sides have agreed for long. For games within this process;
//! the referee, which hears two strangers, has rules of its own.

use crate::score::Score;
use crate::tools::viriformat::WhiteResult;

/// When a game is decided.
#[derive(Clone, Copy, Debug)]
pub struct JudgeRules {
    /// A game is won when scores stay beyond this for `win_plies`, in evaluation units.
    pub win_score: i32,
    /// See `win_score`.
    pub win_plies: u32,
    /// A game is drawn when scores stay within this for `draw_plies`, in evaluation units.
    pub draw_score: i32,
    /// See `draw_score`.
    pub draw_plies: u32,
    /// No draw is declared before this ply.
    pub draw_from_ply: u32,
}

/// Follows the scores of one game.
#[derive(Default)]
pub(super) struct Judge {
    won: u32,
    lost: u32,
    level: u32,
}

impl Judge {
    /// Takes the score of a move, White's view, and the ply reached; the result, if the game is decided.
    pub(super) fn decide(&mut self, white_view: Score, ply: u32, rules: &JudgeRules) -> Option<WhiteResult> {
        let units = white_view.units();
        let count = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        count(&mut self.won, units >= rules.win_score);
        count(&mut self.lost, units <= -rules.win_score);
        count(&mut self.level, units.abs() <= rules.draw_score);
        if self.won >= rules.win_plies {
            return Some(WhiteResult::Win);
        }
        if self.lost >= rules.win_plies {
            return Some(WhiteResult::Loss);
        }
        (self.level >= rules.draw_plies && ply >= rules.draw_from_ply).then_some(WhiteResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_games_are_decided() {
        let rules = JudgeRules { win_score: 2_000, win_plies: 3, draw_score: 6, draw_plies: 4, draw_from_ply: 10 };
        let decide = |scores: &[i32], from: u32| {
            let mut judge = Judge::default();
            let decisions = (from..).zip(scores);
            decisions.filter_map(|(ply, &s)| judge.decide(Score::evaluation(s), ply, &rules)).next()
        };
        assert_eq!(decide(&[2500, 2500, 2500], 0), Some(WhiteResult::Win));
        assert_eq!(decide(&[-2500, -2500, 100, -2500, -2500], 0), None);
        assert_eq!(decide(&[-2500, -2500, -2500], 0), Some(WhiteResult::Loss));
        assert_eq!(decide(&[0; 5], 0), None);
        assert_eq!(decide(&[0; 5], 20), Some(WhiteResult::Draw));
    }
}
