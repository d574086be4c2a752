//! The judgement on a match, as text for people and as JSON for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::standings::Standings;
use super::statistics::{
    Decision, Estimate, Pentanomial, Rating, Sprt, WinDrawLoss, elo, likelihood_of_superiority, normalized_elo,
};

/// All figures of a match so far.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Finished games.
    pub games: u64,
    /// Games of the whole schedule.
    pub scheduled: u64,
    /// The players in the order in which they were given.
    pub players: Vec<PlayerReport>,
    /// Those that have met, the one given first first.
    pub pairings: Vec<PairingReport>,
    /// The test, if one was asked for.
    pub sprt: Option<SprtReport>,
    /// Whether the ratings rest on added draws (see [`super::statistics::Ratings`]).
    pub ratings_smoothed: bool,
    /// How often games ended for each reason.
    pub reasons: BTreeMap<&'static str, u64>,
}

/// One player's figures.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// The name.
    pub name: String,
    /// All games.
    pub score: WinDrawLoss,
    /// Points: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Elo by maximum likelihood.
    pub rating: Rating,
    /// Faults that were counted.
    pub warnings: BTreeMap<&'static str, u32>,
}

/// The figures of two players that have met.
#[derive(Clone, Debug, Serialize)]
pub struct PairingReport {
    /// The index of the one whose figures these are.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// All games.
    pub score: WinDrawLoss,
    /// Finished pairs of games.
    pub pairs: Pentanomial,
    /// Elo.
    pub elo: Option<Estimate>,
    /// Normalised Elo.
    pub normalized_elo: Option<Estimate>,
    /// The probability that the first is the stronger one.
    pub likelihood_of_superiority: Option<f64>,
}

/// Where the test stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    /// Its parameters.
    pub parameters: Sprt,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// The ratio at which `elo0` is accepted.
    pub lower: f64,
    /// The ratio at which `elo1` is accepted.
    pub upper: f64,
    /// How it ended, if it has.
    pub decision: Option<Decision>,
}

impl Report {
    /// Works all figures out. The test is on the first two players.
    pub fn new(
        names: &[String],
        standings: &Standings,
        scheduled: usize,
        sprt: Option<&Sprt>,
        fixed: Option<(usize, f64)>,
    ) -> Report {
        let ratings = standings.ratings(fixed);
        let player = |(index, name): (usize, &String)| PlayerReport {
            name: name.clone(),
            score: standings.of(index),
            points: standings.of(index).points(),
            rating: ratings.players[index],
            warnings: standings.warnings(index).iter().map(|(warning, count)| (warning.name(), count)).collect(),
        };
        let count = names.len();
        let met = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        Report {
            games: standings.games(),
            scheduled: scheduled as u64,
            players: names.iter().enumerate().map(player).collect(),
            pairings: met.filter_map(|(first, second)| pairing_report(standings, first, second)).collect(),
            sprt: sprt.map(|sprt| sprt_report(sprt, &standings.between(0, 1).1)),
            ratings_smoothed: ratings.smoothed,
            reasons: standings.reasons().clone(),
        }
    }

    /// One line on how things stand.
    pub fn headline(&self) -> String {
        let mut text = format!("games {}/{}", self.games, self.scheduled);
        match (self.pairings.as_slice(), self.players.as_slice()) {
            ([pairing], [first, second]) => {
                let score = pairing.score;
                let results = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
                text.push_str(&format!("  {} v {}: {results}", first.name, second.name));
                if let Some(elo) = pairing.elo {
                    text.push_str(&format!("  Elo {:+.1} ± {:.1}", elo.value, elo.margin()));
                }
            }
            (_, players) => {
                let mut ranked: Vec<&PlayerReport> = players.iter().collect();
                ranked.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
                for player in ranked.iter().take(4) {
                    let rating = player.rating;
                    text.push_str(&format!("  {} {:+.0} ± {:.0}", player.name, rating.elo, rating.margin));
                }
            }
        }
        if let Some(sprt) = &self.sprt {
            text.push_str(&format!("  LLR {:.2} [{:.2}, {:.2}]", sprt.ratio, sprt.lower, sprt.upper));
        }
        text
    }
}

fn pairing_report(standings: &Standings, first: usize, second: usize) -> Option<PairingReport> {
    let (score, pairs) = standings.between(first, second);
    (score.games() > 0).then(|| PairingReport {
        first,
        second,
        score,
        pairs,
        elo: elo(&pairs),
        normalized_elo: normalized_elo(&pairs),
        likelihood_of_superiority: likelihood_of_superiority(&pairs),
    })
}

fn sprt_report(sprt: &Sprt, pairs: &Pentanomial) -> SprtReport {
    let (lower, upper) = sprt.bounds();
    let (ratio, decision) = (sprt.log_likelihood_ratio(pairs), sprt.decision(pairs));
    SprtReport { parameters: *sprt, ratio, lower, upper, decision }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} games", self.games, self.scheduled)?;
        self.pairings.iter().try_for_each(|pairing| self.write_pairing(f, pairing))?;
        if let Some(sprt) = &self.sprt {
            writeln!(f, "{sprt}")?;
        }
        if self.players.len() > 2 {
            self.write_table(f)?;
        }
        let reasons: Vec<String> = self.reasons.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "Endings: {}", reasons.join(", "))?;
        for player in self.players.iter().filter(|player| !player.warnings.is_empty()) {
            let warnings: Vec<String> = player.warnings.iter().map(|(name, count)| format!("{name} {count}")).collect();
            writeln!(f, "Warnings for {}: {}", player.name, warnings.join(", "))?;
        }
        Ok(())
    }
}

impl Report {
    fn write_pairing(&self, f: &mut fmt::Formatter<'_>, pairing: &PairingReport) -> fmt::Result {
        let (first, second) = (&self.players[pairing.first].name, &self.players[pairing.second].name);
        let WinDrawLoss { wins, draws, losses } = pairing.score;
        let (points, games) = (pairing.score.points(), pairing.score.games());
        let share = 100.0 * points / games as f64;
        writeln!(f, "{first} v {second}: +{wins} ={draws} -{losses}, {points} of {games} ({share:.1} %)")?;
        write!(f, "  pairs {}", pairing.pairs)?;
        if let Some(elo) = pairing.elo {
            write!(f, ", Elo {}", Range(elo))?;
        }
        if let Some(normalized) = pairing.normalized_elo {
            write!(f, ", normalised {}", Range(normalized))?;
        }
        if let Some(likelihood) = pairing.likelihood_of_superiority {
            write!(f, ", LOS {:.1} %", 100.0 * likelihood)?;
        }
        writeln!(f)
    }

    /// The cross table, best player first: points of each player against each other one.
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| self.players[b].rating.elo.total_cmp(&self.players[a].rating.elo));
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
        write!(f, " #  {:width$}  {:>7} {:>6} {:>11} {:>6}", "player", "Elo", "±", "points", "%")?;
        (1..=order.len()).try_for_each(|rank| write!(f, " {rank:>9}"))?;
        writeln!(f)?;
        for (rank, &index) in order.iter().enumerate() {
            let PlayerReport { name, score, points, rating, .. } = &self.players[index];
            let share = 100.0 * points / (score.games() as f64).max(1.0);
            let total = format!("{points}/{}", score.games());
            write!(
                f,
                "{:>2}  {name:width$}  {:>7.1} {:>6.1} {total:>11} {share:>6.1}",
                rank + 1,
                rating.elo,
                rating.margin
            )?;
            order.iter().try_for_each(|&other| write!(f, " {:>9}", self.cell(index, other)))?;
            writeln!(f)?;
        }
        if self.ratings_smoothed {
            writeln!(f, "(Some players took all points or met no others: ratings with a draw added to each pairing.)")?;
        }
        Ok(())
    }

    fn cell(&self, player: usize, opponent: usize) -> String {
        for pairing in &self.pairings {
            if (pairing.first, pairing.second) == (player, opponent) {
                return format!("{}/{}", pairing.score.points(), pairing.score.games());
            }
            if (pairing.first, pairing.second) == (opponent, player) {
                let score = pairing.score.reversed();
                return format!("{}/{}", score.points(), score.games());
            }
        }
        "-".into()
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self.parameters;
        write!(f, "SPRT [{elo0}, {elo1}] {model:?}, alpha {alpha}, beta {beta}: ")?;
        write!(f, "LLR {:.3} in [{:.3}, {:.3}], ", self.ratio, self.lower, self.upper)?;
        match self.decision {
            Some(Decision::H0) => write!(f, "H0 accepted (Elo {elo0})"),
            Some(Decision::H1) => write!(f, "H1 accepted (Elo {elo1})"),
            None => write!(f, "undecided"),
        }
    }
}

/// An estimate as `+5.2 [-1.0, +11.4]`.
struct Range(Estimate);

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.0.value, self.0.low, self.0.high)
    }
}
