//! The arguments of commands beyond the protocol.

use super::command::{Command, CommandError, text_after};
use crate::chess::perft::MAX_DEPTH;

/// What `perft` is asked to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCommand {
    /// The present position to a depth, or a suite.
    pub subject: PerftSubject,
    /// Threads that share the work.
    pub threads: u64,
    /// Size of the table of subtrees in MiB, 0 for none.
    pub hash_mib: u64,
    /// In a suite: leave out counts above this.
    pub node_limit: Option<u64>,
}

/// The present position or a file of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerftSubject {
    /// The present position to this depth.
    Depth(u32),
    /// A file of lines `FEN ;D1 n ;D2 n ...`.
    Suite(String),
}

/// What `speedtest` is asked for; what is missing has defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpeedtestCommand {
    /// Seconds in all.
    pub seconds: Option<u64>,
    /// Threads that search.
    pub threads: Option<u64>,
    /// Size of the hash table in MiB.
    pub hash_mib: Option<u64>,
}

/// What `genfens` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenfensCommand {
    /// How many positions.
    pub count: u64,
    /// What the choice depends on.
    pub seed: u64,
    /// A file of positions to begin from, one a line; none for the initial array.
    pub book: Option<String>,
}

fn number<T: std::str::FromStr>(after: &'static str, word: &str) -> Result<T, CommandError> {
    word.parse().map_err(|_| CommandError::Number(after, word.into()))
}

pub(super) fn parse_bench(words: &[&str]) -> Result<Command, CommandError> {
    if let Some(extra) = words.get(3) {
        return Err(CommandError::Word("bench", (*extra).into()));
    }
    let argument = |index: usize| words.get(index).map(|word| number("bench", word)).transpose();
    Ok(Command::Bench { depth: argument(0)?, threads: argument(1)?, hash_mib: argument(2)? })
}

pub(super) fn parse_perft(words: &[&str]) -> Result<Command, CommandError> {
    let mut command = PerftCommand { subject: PerftSubject::Depth(0), threads: 1, hash_mib: 0, node_limit: None };
    let mut subject = None;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = |name| number(name, words.next().copied().unwrap_or_default());
        match word {
            "--threads" => command.threads = value("--threads")?,
            "--hash" => command.hash_mib = value("--hash")?,
            "--nodes" => command.node_limit = Some(value("--nodes")?),
            _ if word.starts_with("--") => return Err(CommandError::Word("perft", word.into())),
            _ if subject.is_some() => return Err(CommandError::Word("perft", word.into())),
            _ => subject = Some(word),
        }
    }
    let subject = subject.ok_or(CommandError::PerftSubject)?;
    command.subject = match subject.parse::<u64>() {
        Ok(depth) if depth <= u64::from(MAX_DEPTH) => PerftSubject::Depth(depth as u32),
        Ok(_) => return Err(CommandError::Number("perft", subject.into())),
        Err(_) => PerftSubject::Suite(subject.into()),
    };
    Ok(Command::Perft(command))
}

pub(super) fn parse_speedtest(words: &[&str]) -> Result<Command, CommandError> {
    if let Some(extra) = words.get(3) {
        return Err(CommandError::Word("speedtest", (*extra).into()));
    }
    let argument = |index: usize| words.get(index).map(|word| number("speedtest", word)).transpose();
    Ok(Command::Speedtest(SpeedtestCommand { seconds: argument(0)?, threads: argument(1)?, hash_mib: argument(2)? }))
}

/// `genfens N seed S book FILE|None`; the path is cut from the line itself, because it may hold spaces.
pub(super) fn parse_genfens(line: &str, words: &[&str]) -> Result<Command, CommandError> {
    let count = words.first().ok_or(CommandError::Genfens("a number of positions"))?;
    let count = number("genfens", count)?;
    let (mut seed, mut at) = (0, 1);
    if words.get(at) == Some(&"seed") {
        seed = number("seed", words.get(at + 1).ok_or(CommandError::Genfens("a seed"))?)?;
        at += 2;
    }
    let book = match words.get(at) {
        None => "",
        Some(&"book") => text_after(line, words[at]),
        Some(word) => return Err(CommandError::Word("genfens", (*word).into())),
    };
    let book = Some(book).filter(|book| !book.is_empty() && !book.eq_ignore_ascii_case("none")).map(String::from);
    Ok(Command::Genfens(GenfensCommand { count, seed, book }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn perft_and_bench() {
        let Command::Perft(perft) = parse("perft 5 --threads 2 --hash 64") else { panic!() };
        assert_eq!((perft.subject, perft.threads, perft.hash_mib), (PerftSubject::Depth(5), 2, 64));
        let Command::Perft(perft) = parse("perft --nodes 100 suite.epd") else { panic!() };
        assert_eq!((perft.subject, perft.node_limit), (PerftSubject::Suite("suite.epd".into()), Some(100)));
        assert_eq!(Command::parse("perft"), Err(CommandError::PerftSubject));
        assert_eq!(Command::parse("perft 3 --threads"), Err(CommandError::Number("--threads", "".into())));
        assert_eq!(Command::parse("perft 100"), Err(CommandError::Number("perft", "100".into())));
        assert_eq!(Command::parse("go perft"), Err(CommandError::PerftSubject));
        assert_eq!(parse("bench 5"), Command::Bench { depth: Some(5), threads: None, hash_mib: None });
        assert_eq!(Command::parse("bench x"), Err(CommandError::Number("bench", "x".into())));
    }

    #[test]
    fn speedtest_and_genfens() {
        assert_eq!(parse("speedtest"), Command::Speedtest(SpeedtestCommand::default()));
        let all = SpeedtestCommand { seconds: Some(5), threads: Some(1), hash_mib: Some(32) };
        assert_eq!(parse("speedtest 5 1 32"), Command::Speedtest(all));
        assert_eq!(Command::parse("speedtest fast"), Err(CommandError::Number("speedtest", "fast".into())));
        assert_eq!(Command::parse("speedtest 1 1 1 1"), Err(CommandError::Word("speedtest", "1".into())));
        let command = |count, seed, book: Option<&str>| {
            Command::Genfens(GenfensCommand { count, seed, book: book.map(String::from) })
        };
        assert_eq!(parse("genfens 3 seed 7 book None"), command(3, 7, None));
        assert_eq!(parse("genfens 3 seed 7 book  a  b/ü.epd "), command(3, 7, Some("a  b/ü.epd")));
        assert_eq!(parse("genfens 1"), command(1, 0, None));
        assert_eq!(Command::parse("genfens"), Err(CommandError::Genfens("a number of positions")));
        assert_eq!(Command::parse("genfens 3 seed"), Err(CommandError::Genfens("a seed")));
        assert_eq!(Command::parse("genfens 3 seed x"), Err(CommandError::Number("seed", "x".into())));
        assert_eq!(Command::parse("genfens 3 dfrc"), Err(CommandError::Word("genfens", "dfrc".into())));
    }
}
