use super::*;
use crate::chess::random::SplitMix64;

fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance, "{left} is not {right}");
}

/// An encounter whose pairs brought these points.
fn encounter(player: usize, opponent: usize, pair_points: &[f64]) -> Encounter {
    let sum = pair_points.iter().sum();
    let squares = pair_points.iter().map(|points| points * points).sum();
    let count = pair_points.len() as f64;
    Encounter { player, opponent, points: sum, games: 2.0 * count, pairs: PairScore { count, sum, squares } }
}

#[test]
fn two_players_differ_by_the_elo_of_their_score() {
    // 3 of 4 points: 400 log10(3) = 190.85 Elo apart.
    let ratings = rate(2, &[encounter(0, 1, &[1.5, 1.5])], None);
    close(ratings.players[0].elo, 95.424, 1e-3);
    close(ratings.players[1].elo, -95.424, 1e-3);
    assert!(!ratings.smoothed);
    let fixed = rate(2, &[encounter(0, 1, &[1.5, 1.5])], Some((1, 2000.0)));
    close(fixed.players[0].elo, 2190.849, 1e-3);
    assert_eq!(fixed.players[1], Rating { elo: 2000.0, margin: 0.0 });
}

#[test]
fn the_error_bar_of_a_match_is_that_of_its_pair_scores() {
    // Pair scores 1, 1, 2, 0, 1, 1, 2, 0: variance 0.5, so the sum of eight has deviation 2. The slope of 16 games at
    // equality is 4 points for one unit of log odds.
    let ratings = rate(2, &[encounter(0, 1, &[1.0, 1.0, 2.0, 0.0, 1.0, 1.0, 2.0, 0.0])], Some((1, 0.0)));
    close(ratings.players[0].elo, 0.0, 1e-9);
    close(ratings.players[0].margin, CONFIDENCE * 2.0 / 4.0 * 400.0 / 10f64.ln(), 1e-6);
}

#[test]
fn consistent_results_of_three_players_are_recovered() {
    let truth = [100.0, 30.0, -130.0];
    let expected = |a: usize, b: usize| expected_score(truth[a] - truth[b]);
    let game = |a, b| Encounter { points: 100.0 * expected(a, b), games: 100.0, ..encounter(a, b, &[]) };
    let ratings = rate(3, &[game(0, 1), game(0, 2), game(1, 2)], None);
    for (rating, truth) in ratings.players.iter().zip(truth) {
        close(rating.elo, truth, 1e-6);
    }
}

#[test]
fn results_without_a_finite_maximum_are_smoothed() {
    let ratings = rate(3, &[encounter(0, 1, &[2.0, 2.0]), encounter(1, 2, &[1.0, 2.0])], None);
    assert!(ratings.smoothed);
    assert!(ratings.players.iter().all(|rating| rating.elo.is_finite() && rating.margin.is_finite()));
    assert!(ratings.players[0].elo > ratings.players[1].elo && ratings.players[1].elo > ratings.players[2].elo);
}

#[test]
fn players_without_games_and_empty_tournaments_are_no_trouble() {
    assert!(rate(0, &[], None).players.is_empty());
    assert_eq!(rate(1, &[], None).players.len(), 1);
    assert!(rate(3, &[], None).players.iter().all(|rating| rating.elo == 0.0));
}

/// In simulated tournaments of four players the true differences lie within the bars about 95 times in a hundred.
#[test]
fn error_bars_cover_the_truth_as_often_as_they_say() {
    let truth = [60.0, 20.0, -20.0, -60.0];
    let mut random = SplitMix64::new(7);
    let mut covered = 0;
    for _ in 0..500 {
        let mut encounters = Vec::new();
        for player in 0..4 {
            for opponent in player + 1..4 {
                let score = expected_score(truth[player] - truth[opponent]);
                let pairs: Vec<f64> = (0..100).map(|_| simulated_pair(score, &mut random)).collect();
                encounters.push(encounter(player, opponent, &pairs));
            }
        }
        let ratings = rate(4, &encounters, None).players;
        covered +=
            ratings.iter().zip(truth).filter(|(rating, truth)| (rating.elo - truth).abs() <= rating.margin).count();
    }
    // 2000 intervals (not independent within a tournament): 95 % with a generous allowance.
    assert!((1860..=1940).contains(&covered), "{covered} of 2000");
}

/// Two games, each drawn half the time.
fn simulated_pair(score: f64, random: &mut SplitMix64) -> f64 {
    let mut game = || {
        let draw = random.next() as f64 / u64::MAX as f64;
        if draw < 0.5 {
            0.5
        } else if draw < 0.5 + (score - 0.25) {
            1.0
        } else {
            0.0
        }
    };
    game() + game()
}
