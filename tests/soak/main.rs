//! The program under wear, from outside: very fast games with changing options, storms of commands, races of `go` with
//! `stop` and `ponderhit`. It reports losses on time, stalls, deaths, wrong or missing answers, latencies and leaks.
//!
//! Without settings each part runs for a moment, as a test of the tests; `make soak` runs them for long. What is sent
//! depends on `LUFT_SEED` alone, but for the moves of the games, which depend on time.

#[allow(dead_code, reason = "the contract needs more of it")]
#[path = "../engine_process/mod.rs"]
mod engine_process;

mod chance;
mod failures;
mod game;
mod races;
mod resources;
mod storm;

use std::fmt::Debug;
use std::str::FromStr;

/// The value of an environment variable, or this one.
fn setting<T: FromStr<Err: Debug>>(name: &str, usual: T) -> T {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error:?}")))
}

fn seed() -> u64 {
    setting("LUFT_SEED", 1)
}

#[test]
fn games_at_a_fifth_of_a_second_lose_nothing() {
    let games = setting("LUFT_SOAK_GAMES", 0);
    let report = game::play_games(games.max(2), seed());
    println!("{report}");
    assert!(report.failures.is_empty(), "{} failures", report.failures.len());
    // The moment's run of a busy test machine proves nothing about clocks.
    assert!(games == 0 || report.losses.is_empty(), "{} losses on time", report.losses.len());
    assert!(games == 0 || report.growth_kib() < resources::MOST_GROWTH_KIB, "memory grows");
}

#[test]
fn storms_of_commands_are_answered() {
    let minutes = setting("LUFT_SOAK_MINUTES", 0.0);
    let report = storm::rage(minutes, seed());
    println!("{report}");
    assert!(report.failures.is_empty(), "{} failures", report.failures.len());
    assert!(minutes == 0.0 || report.growth_kib() < resources::MOST_GROWTH_KIB, "memory grows");
}

#[test]
fn each_race_has_one_winner() {
    let rounds = setting("LUFT_SOAK_RACES", 20);
    for threads in [1, 2, 8] {
        for race in races::Race::ALL {
            let report = races::run(race, threads, rounds, seed());
            println!("{report}");
            assert!(report.failures.is_empty(), "{} failures", report.failures.len());
        }
    }
}
