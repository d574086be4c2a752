//! What match results say: Elo, the sequential probability ratio test, and ratings of many players.
//!
//! All of it works on pairs of games (the same opening with colours reversed), because the two games of a pair are not
//! independent: counting games instead of pairs gives intervals that are too wide or too narrow.
//! The mathematics is that of Fishtest: Michel Van den Bergh, "The generalized sequential probability ratio test for
//! multinomial distributions" and "Normalized Elo"; see "Fishtest mathematics" in the Fishtest wiki.

mod elo;
mod pentanomial;
mod rating;
mod sprt;

pub use elo::{Estimate, elo, elo_of_score, expected_score, likelihood_of_superiority, normalized_elo};
pub use pentanomial::{Moments, Pentanomial, WinDrawLoss};
pub use rating::{Encounter, PairScore, Rating, Ratings, rate};
pub use sprt::{Decision, EloModel, Sprt, SprtError};

/// Half the width of a 95 % interval in standard deviations.
pub const CONFIDENCE: f64 = 1.959_963_984_540_054;
