//! Ends games that both engines judge alike.

use serde::{Deserialize, Serialize};

use super::info::EngineScore;
use super::verdict::{Reason, Verdict};
use crate::chess::{ByColor, Color};

/// A draw when both engines see the position as level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The number of the move from which on the rule works.
    pub from_move: u32,
    /// For how many moves of each side in a row.
    pub moves: u32,
    /// How far from 0 the scores may be, in centipawns.
    pub score: u32,
}

/// A win when both engines see the same side as winning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinRule {
    /// For how many moves of each side in a row.
    pub moves: u32,
    /// How far from 0 the scores must be at least, in centipawns.
    pub score: u32,
}

/// Watches the scores of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    draw: Option<DrawRule>,
    win: Option<WinRule>,
    /// Plies in a row with a level score.
    level: u32,
    /// Plies in a row with a winning score for each side.
    winning: ByColor<u32>,
}

impl Adjudicator {
    /// A watch by these rules; without a rule nothing is adjudicated.
    pub fn new(draw: Option<DrawRule>, win: Option<WinRule>) -> Adjudicator {
        Adjudicator { draw, win, level: 0, winning: ByColor::default() }
    }

    /// Takes note of the score that `mover` gave with its move. A move without score breaks every series.
    pub fn observe(&mut self, mover: Color, score: Option<EngineScore>) {
        let score = score.map(EngineScore::centipawns);
        let is_level = |rule: DrawRule| score.is_some_and(|score| score.unsigned_abs() <= rule.score);
        extend(&mut self.level, self.draw.is_some_and(is_level));
        for winner in Color::ALL {
            let own = score.map(|score| if winner == mover { score } else { -score });
            let is_won = |rule: WinRule| own.is_some_and(|own| own > 0 && own.unsigned_abs() >= rule.score);
            extend(&mut self.winning[winner], self.win.is_some_and(is_won));
        }
    }

    /// The verdict, if a series is long enough before the move with this number.
    pub fn verdict(&self, move_number: u32) -> Option<Verdict> {
        if let Some(rule) = self.win {
            let winner = Color::ALL.into_iter().find(|&color| self.winning[color] >= 2 * rule.moves);
            if let Some(winner) = winner {
                return Some(Verdict::win(winner, Reason::AdjudicatedWin));
            }
        }
        let is_drawn = |rule: DrawRule| move_number >= rule.from_move && self.level >= 2 * rule.moves;
        self.draw.is_some_and(is_drawn).then(|| Verdict::draw(Reason::AdjudicatedDraw))
    }
}

fn extend(series: &mut u32, goes_on: bool) {
    *series = if goes_on { *series + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(draw: Option<DrawRule>, win: Option<WinRule>, scores: &[Option<EngineScore>]) -> Adjudicator {
        let mut adjudicator = Adjudicator::new(draw, win);
        let movers = [Color::White, Color::Black].into_iter().cycle();
        movers.zip(scores).for_each(|(mover, &score)| adjudicator.observe(mover, score));
        adjudicator
    }

    const DRAW: Option<DrawRule> = Some(DrawRule { from_move: 40, moves: 2, score: 10 });
    const WIN: Option<WinRule> = Some(WinRule { moves: 2, score: 600 });

    fn cp(value: i32) -> Option<EngineScore> {
        Some(EngineScore::Centipawns(value))
    }

    #[test]
    fn level_scores_of_both_sides_draw_late_enough() {
        let level = [cp(10), cp(-10), cp(0), cp(3)];
        assert_eq!(watch(DRAW, None, &level).verdict(39), None);
        assert_eq!(watch(DRAW, None, &level).verdict(40), Some(Verdict::draw(Reason::AdjudicatedDraw)));
        assert_eq!(watch(DRAW, None, &level[..3]).verdict(40), None);
        assert_eq!(watch(DRAW, None, &[cp(0), cp(11), cp(0), cp(0), cp(0)]).verdict(40), None);
        assert_eq!(watch(DRAW, None, &[cp(0), None, cp(0), cp(0), cp(0)]).verdict(40), None);
        assert_eq!(watch(None, None, &level).verdict(99), None);
    }

    #[test]
    fn both_sides_must_see_the_same_winner() {
        let won = [cp(600), cp(-650), Some(EngineScore::Mate(5)), Some(EngineScore::Mate(-4))];
        assert_eq!(watch(None, WIN, &won).verdict(1), Some(Verdict::win(Color::White, Reason::AdjudicatedWin)));
        let lost = [cp(-600), cp(650), cp(-700), cp(900)];
        assert_eq!(watch(None, WIN, &lost).verdict(1), Some(Verdict::win(Color::Black, Reason::AdjudicatedWin)));
        assert_eq!(watch(None, WIN, &[cp(600), cp(-599), cp(600), cp(-600)]).verdict(1), None);
        assert_eq!(watch(None, WIN, &[cp(900), cp(900), cp(900), cp(900)]).verdict(1), None);
        assert_eq!(watch(None, None, &won).verdict(1), None);
    }
}
