use super::*;
use crate::chess::random::SplitMix64;

fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance, "{left} is not {right}");
}

fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("sound parameters")
}

#[test]
fn parameters_are_checked() {
    assert_eq!(Sprt::new(5.0, 0.0, 0.05, 0.05, EloModel::Logistic), Err(SprtError::Bounds(5.0, 0.0)));
    assert_eq!(Sprt::new(0.0, 5.0, 0.05, 0.5, EloModel::Logistic), Err(SprtError::Probability(0.5)));
    assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05, EloModel::Logistic).is_err());
    let (lower, upper) = sprt(0.0, 5.0, EloModel::Logistic).bounds();
    close(lower, -(19f64.ln()), 1e-12);
    close(upper, 19f64.ln(), 1e-12);
}

/// When every pair is won or lost, the distribution has one parameter and the ratio a closed form.
#[test]
fn two_outcomes_give_the_closed_form() {
    let test = sprt(-10.0, 30.0, EloModel::Logistic);
    let (score0, score1) = (expected_score(-10.0), expected_score(30.0));
    let expected = 400.0 * ((1.0 - score1) / (1.0 - score0)).ln() + 500.0 * (score1 / score0).ln();
    close(test.log_likelihood_ratio(&Pentanomial([400, 0, 0, 0, 500])), expected, 1e-3);
}

/// The figures that Fishtest's own program gave for a test of the Monty project (see the tests of Elo).
#[test]
fn ratios_equal_published_ones() {
    let pairs = Pentanomial([13, 37, 50, 25, 3]);
    close(sprt(0.0, 4.0, EloModel::Normalized).log_likelihood_ratio(&pairs), -0.54912, 2e-5);
    close(sprt(0.0, 2.716, EloModel::Logistic).log_likelihood_ratio(&pairs), -0.53772, 1e-4);
}

#[test]
fn likeliest_distributions_keep_the_constraint() {
    let observed = [0.1, 0.2, 0.4, 0.25, 0.05];
    let distribution = likeliest_with_deviations(&observed, 0.3);
    let mean = weighted(&distribution, |score| score);
    let deviation = weighted(&distribution, |score| (score - mean).powi(2)).sqrt();
    close(distribution.iter().sum(), 1.0, 1e-9);
    close((mean - 0.5) / deviation, 0.3, 1e-8);
    let distribution = likeliest_with_zero_mean(&observed, &Pentanomial::SCORES.map(|score| score - 0.6));
    close(weighted(&distribution, |score| score), 0.6, 1e-9);
    close(distribution.iter().sum(), 1.0, 1e-9);
}

#[test]
fn exchanging_players_and_hypotheses_changes_the_sign_only() {
    let pairs = Pentanomial([3, 41, 117, 59, 6]);
    for model in [EloModel::Logistic, EloModel::Normalized] {
        let forth = sprt(-2.0, 7.0, model).log_likelihood_ratio(&pairs);
        let back = sprt(-7.0, 2.0, model).log_likelihood_ratio(&pairs.reversed());
        close(forth, -back, 1e-6);
    }
}

/// One-sided and tiny samples must give finite ratios.
#[test]
fn extreme_counts_stay_finite() {
    for counts in [[0; 5], [1, 0, 0, 0, 0], [0, 0, 0, 0, 9], [0, 0, 5000, 0, 0], [0, 1, 0, 0, 0]] {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let ratio = sprt(0.0, 5.0, model).log_likelihood_ratio(&Pentanomial(counts));
            assert!(ratio.is_finite(), "{counts:?} {model:?}: {ratio}");
        }
    }
}

/// A distribution of pair scores as strong engines have them (many level pairs), tilted to the mean of this Elo.
fn pair_distribution(elo: f64) -> [f64; 5] {
    let level = [0.004, 0.14, 0.712, 0.14, 0.004];
    let score = expected_score(elo);
    let mut tilt = 0.0;
    for _ in 0..50 {
        let tilted = tilt_by(&level, tilt);
        let mean = weighted(&tilted, |value| value);
        let variance = weighted(&tilted, |value| (value - mean).powi(2));
        tilt += (score - mean) / variance;
    }
    tilt_by(&level, tilt)
}

fn tilt_by(distribution: &[f64; 5], tilt: f64) -> [f64; 5] {
    let tilted: [f64; 5] = std::array::from_fn(|index| distribution[index] * (tilt * Pentanomial::SCORES[index]).exp());
    let total: f64 = tilted.iter().sum();
    tilted.map(|probability| probability / total)
}

/// Plays one simulated match to its decision.
///
/// The ratio is worked out only when it can have reached a bound since the last time: with these bounds a pair moves it
/// by 0.25 at most once there are fifty of them.
fn simulate(test: &Sprt, cumulative: &[f64; 5], random: &mut SplitMix64) -> Decision {
    let (lower, upper) = test.bounds();
    let mut pairs = Pentanomial::default();
    let mut patience = 50;
    loop {
        for _ in 0..patience {
            let draw = random.next() as f64 / u64::MAX as f64;
            let outcome = cumulative.iter().position(|&limit| draw < limit).unwrap_or(4);
            pairs.add(outcome as u32);
        }
        let ratio = test.log_likelihood_ratio(&pairs);
        if ratio <= lower {
            return Decision::H0;
        }
        if ratio >= upper {
            return Decision::H1;
        }
        patience = (((upper - ratio).min(ratio - lower) / 0.25) as u32).max(1);
    }
}

/// How many of ten thousand matches between players this far apart end in the given decision.
fn count_decisions(elo: f64, decision: Decision, seed: u64) -> u32 {
    let test = sprt(0.0, 5.0, EloModel::Logistic);
    let mut sum = 0.0;
    let cumulative = pair_distribution(elo).map(|probability| {
        sum += probability;
        sum
    });
    let mut random = SplitMix64::new(seed);
    (0..10_000).filter(|_| simulate(&test, &cumulative, &mut random) == decision).count() as u32
}

/// With an error rate of 5 % ten thousand matches err 500 times, with a standard deviation of 22; three of them are
/// allowed. (A ratio that overshoots its bound makes the true rate a little smaller than the nominal one.)
#[test]
fn error_rates_are_as_promised() {
    let (false_positives, false_negatives) = std::thread::scope(|scope| {
        let positives = scope.spawn(|| count_decisions(0.0, Decision::H1, 1));
        let negatives = scope.spawn(|| count_decisions(5.0, Decision::H0, 2));
        (positives.join().expect("simulation"), negatives.join().expect("simulation"))
    });
    println!("of 10000 matches {false_positives} at 0 Elo and {false_negatives} at 5 Elo were decided wrongly");
    assert!((435..=565).contains(&false_positives), "{false_positives} of 10000 wrong at 0 Elo");
    assert!((435..=565).contains(&false_negatives), "{false_negatives} of 10000 wrong at 5 Elo");
}
