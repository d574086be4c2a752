//! Playing below full strength, for people. Pure: a rating in, limits and errors of judgement out.
//!
//! A limited player sees less far: so many nodes a move and no more. And it misjudges: every evaluation is off by an error
//! that depends on the position and on the game alone, never on a throw of dice at the move. Most of the error belongs to
//! where one side's men or the pawns stand, so the player likes a wrong setup in all positions that have it and steers
//! for it through the whole search, as people follow a wrong plan; errors that differ from leaf to leaf would cancel
//! out. Mates and draws are no matter of judgement: what is seen of them is seen rightly.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::chess::random::SplitMix64;
use crate::chess::{Color, Position};
use crate::score::Score;

/// How much less than its best a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Nodes for a move, besides the first look at each.
    nodes: u64,
    /// Standard deviation of the error of judgement, in units of evaluation.
    error: i32,
    /// Makes the errors of one game differ from those of another.
    seed: u64,
}

/// What makes a rating.
#[derive(Clone, Copy)]
struct Level {
    rating: usize,
    nodes: f64,
    error: f64,
}

const fn level(rating: usize, nodes: f64, error: f64) -> Level {
    Level { rating, nodes, error }
}

/// Fitted by matches between players of many limits and errors; `src/uci/README.md` has the results. Between two levels
/// nodes grow by a constant factor and the error falls by a constant amount for each point.
const LEVELS: [Level; 7] = [
    level(800, 188.0, 227.0),
    level(1200, 305.0, 123.0),
    level(1600, 740.0, 73.0),
    level(2000, 2246.0, 52.0),
    level(2400, 6420.0, 36.0),
    level(2800, 19_270.0, 20.0),
    level(3000, 33_500.0, 12.0),
];

/// Nodes that every root move gets for a first look: even the weakest sees a mate in one.
const FIRST_LOOK: u64 = 4;
/// Nodes where one side has a king only: to mate it is a matter of technique that every player has learned.
const TECHNIQUE_NODES: u64 = 30_000;
/// Standard deviation of a sum of as many parts as an error has, each uniform from -1 to 1, in thousandths.
const DEVIATION_OF_SUM: i64 = 1155;

/// Whether one side has nothing but its king. Such positions are judged rightly.
fn is_technique(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.board().color(color).len() == 1)
}

/// A number from -1000 to 1000 that looks random and depends on nothing but key and seed.
#[inline]
fn part(key: u64, seed: u64) -> i64 {
    SplitMix64::new(key ^ seed).below(2001) as i64 - 1000
}

impl Handicap {
    /// The ratings there are. Their differences are measured; their level is meant to be that of the engine lists for
    /// fast games (CCRL Blitz), and known to a few hundred points only.
    pub const RATINGS: RangeInclusive<usize> = 800..=3000;

    /// The handicap that makes a player of this rating, or of the nearest there is. Players of another seed misjudge other
    /// positions.
    pub fn of_rating(rating: usize, seed: u64) -> Handicap {
        let rating = rating.clamp(*Handicap::RATINGS.start(), *Handicap::RATINGS.end());
        let above = LEVELS.iter().position(|level| level.rating >= rating).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let share = (rating - low.rating) as f64 / (high.rating - low.rating) as f64;
        let nodes = low.nodes * (high.nodes / low.nodes).powf(share);
        let error = low.error + (high.error - low.error) * share;
        Handicap { nodes: nodes.round() as u64, error: error.round() as i32, seed }
    }

    /// How many nodes may be searched in this position with so many moves to choose from, for so many variations.
    pub(super) fn node_limit(&self, position: &Position, moves: usize, variations: usize) -> u64 {
        let nodes = if is_technique(position) { self.nodes.max(TECHNIQUE_NODES) } else { self.nodes };
        (nodes + FIRST_LOOK * moves as u64) * variations as u64
    }

    /// What the player takes for the value of the position, which is worth `score` to the side to move.
    #[inline(never)]
    pub(super) fn misjudged(&self, position: &Position, score: Score) -> Score {
        if self.error == 0 || is_technique(position) {
            return score;
        }
        let parts = position.board().part_keys();
        let [white, black] = Color::ALL.map(|color| parts.non_pawns[color]);
        let keys = [white, black, parts.pawns, position.key()];
        let sum: i64 = keys.into_iter().zip(0..).map(|(key, place)| part(key, self.seed.wrapping_add(place))).sum();
        let error = (sum * self.error as i64 / DEVIATION_OF_SUM) as i32;
        let for_mover = if position.side_to_move() == Color::White { error } else { -error };
        Score::evaluation(score.units() + for_mover)
    }

    /// How long the player takes over a move for which there is usually this much time: more where the choice is hard
    /// (`multiple` of the usual), and not the same in every position.
    pub(super) fn pace(&self, position: &Position, usual: Duration, multiple: f64) -> Duration {
        let mood = 0.65 + 0.35 * part(position.key(), !self.seed) as f64 / 1000.0;
        usual.mul_f64(mood * multiple)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;

    #[test]
    fn more_rating_means_more_nodes_and_less_error() {
        let all: Vec<Handicap> = (800..=3000).map(|rating| Handicap::of_rating(rating, 1)).collect();
        assert!(all.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes && pair[0].error >= pair[1].error));
        assert!(all[0].nodes < all[2200].nodes && all[0].error > all[2200].error);
        for level in LEVELS {
            let made = Handicap::of_rating(level.rating, 1);
            assert_eq!((made.nodes as f64, f64::from(made.error)), (level.nodes, level.error));
        }
        assert_eq!(Handicap::of_rating(0, 1), all[0]);
        assert_eq!(Handicap::of_rating(9999, 1), all[2200]);
    }

    /// Positions of one random game.
    fn positions() -> Vec<Position> {
        let mut random = SplitMix64::new(3);
        let mut all = vec![Position::initial()];
        for _ in 0..60 {
            let last = all[all.len() - 1];
            let moves = last.legal_moves();
            if moves.is_empty() {
                break;
            }
            all.push(last.after(moves[random.below(moves.len() as u64) as usize]));
        }
        all
    }

    #[test]
    fn a_position_is_misjudged_the_same_way_in_one_game_and_another_way_in_the_next() {
        let [one, other] = [7, 8].map(|seed| Handicap::of_rating(1000, seed));
        let misjudged = |handicap: &Handicap, position| handicap.misjudged(position, Score::DRAW).units();
        let all = positions();
        assert!(all.iter().all(|position| misjudged(&one, position) == misjudged(&one, position)));
        let differ = all.iter().filter(|position| misjudged(&one, position) != misjudged(&other, position)).count();
        assert!(differ > all.len() / 2);
    }

    #[test]
    fn errors_have_the_deviation_of_the_level_and_no_bias() {
        let position = Position::initial();
        let errors: Vec<f64> = (0..4000)
            .map(|seed| Handicap::of_rating(1200, SplitMix64::new(seed).next()))
            .map(|handicap| f64::from(handicap.misjudged(&position, Score::DRAW).units()))
            .collect();
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let deviation = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
        let expected = f64::from(Handicap::of_rating(1200, 0).error);
        assert!(mean.abs() < expected / 10.0, "{mean}");
        assert!((deviation / expected - 1.0).abs() < 0.1, "{deviation} for {expected}");
    }

    #[test]
    fn both_sides_see_the_same_error_from_their_own_side() {
        // The error of the whole position depends on the side to move; without it the rest is the same.
        let [white, black] = ["4k3/pp6/8/8/8/8/PP3N2/4K3 w - - 0 1", "4k3/pp6/8/8/8/8/PP3N2/4K3 b - - 0 1"]
            .map(|fen| parse_fen(fen).unwrap());
        let sums: i32 = (0..500)
            .map(|seed| Handicap::of_rating(800, SplitMix64::new(seed).next()))
            .map(|handicap| {
                let [white, black] = [&white, &black].map(|at| handicap.misjudged(at, Score::DRAW).units());
                (white * black).signum()
            })
            .sum();
        assert!(sums < -150, "{sums}");
    }

    #[test]
    fn a_bare_king_is_judged_rightly_and_with_care() {
        let weakest = Handicap::of_rating(800, 5);
        let position = parse_fen("8/8/8/4k3/8/8/8/4K2R w - - 0 1").unwrap();
        assert_eq!(weakest.misjudged(&position, Score::evaluation(300)), Score::evaluation(300));
        assert!(weakest.node_limit(&position, 20, 1) > weakest.node_limit(&Position::initial(), 20, 1));
    }

    #[test]
    fn every_move_and_every_variation_gets_its_nodes() {
        let weakest = Handicap::of_rating(800, 5);
        let limit = |moves, variations| weakest.node_limit(&Position::initial(), moves, variations);
        assert!(limit(218, 1) >= 218 * FIRST_LOOK);
        assert_eq!(limit(20, 3), 3 * limit(20, 1));
    }

    #[test]
    fn the_pace_depends_on_the_position_and_stays_near_the_usual_time() {
        let player = Handicap::of_rating(1500, 5);
        let usual = Duration::from_secs(10);
        let paces: Vec<Duration> = positions().iter().map(|position| player.pace(position, usual, 1.0)).collect();
        assert!(paces.iter().all(|pace| (Duration::from_secs(3)..=usual).contains(pace)), "{paces:?}");
        assert!(paces.iter().max().unwrap().saturating_sub(*paces.iter().min().unwrap()) > Duration::from_secs(3));
        assert!(player.pace(&Position::initial(), usual, 2.0) > player.pace(&Position::initial(), usual, 1.0));
    }
}
