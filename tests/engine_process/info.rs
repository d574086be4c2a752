//! `info` lines, read as strictly as the contract writes them.

use std::str::SplitWhitespace;

/// A score as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i64),
    /// Moves to mate.
    Mate(i64),
}

impl Score {
    /// A number that orders scores from worst to best for the side to move.
    pub fn order(self) -> i64 {
        match self {
            Score::Cp(units) => units,
            Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Score::Mate(moves) => -1_000_000 - moves,
        }
    }
}

/// Whether a score is the value or a limit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// A line about a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    pub depth: u64,
    pub selective_depth: u64,
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    /// Chances of win, draw and loss in thousandths, when they are told.
    pub chances: Option<[u64; 3]>,
    pub nodes: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

struct Words<'a> {
    line: &'a str,
    words: SplitWhitespace<'a>,
}

impl<'a> Words<'a> {
    fn expect(&mut self, wanted: &str) {
        let found = self.words.next();
        assert_eq!(found, Some(wanted), "in '{}'", self.line);
    }

    /// The plain integer after this name.
    fn number<T: std::str::FromStr>(&mut self, name: &str) -> T {
        self.expect(name);
        let word = self.words.next().unwrap_or_default();
        word.parse().unwrap_or_else(|_| panic!("{name} '{word}' is no integer in '{}'", self.line))
    }

    fn score(&mut self) -> Score {
        self.expect("score");
        match self.words.clone().next() {
            Some("cp") => Score::Cp(self.number("cp")),
            _ => Score::Mate(self.number("mate")),
        }
    }

    fn bound(&mut self) -> Bound {
        let bound = match self.words.clone().next() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => return Bound::Exact,
        };
        self.words.next();
        bound
    }

    fn chances(&mut self) -> Option<[u64; 3]> {
        if self.words.clone().next() != Some("wdl") {
            return None;
        }
        self.words.next();
        let chances = [(); 3].map(|()| self.words.next().and_then(|word| word.parse().ok()).expect("a chance"));
        assert_eq!(chances.iter().sum::<u64>(), 1000, "in '{}'", self.line);
        Some(chances)
    }

    fn pv(&mut self) -> Vec<String> {
        match self.words.next() {
            None => Vec::new(),
            Some(word) => {
                assert_eq!(word, "pv", "in '{}'", self.line);
                let pv: Vec<String> = self.words.by_ref().map(String::from).collect();
                assert!(!pv.is_empty(), "pv without moves in '{}'", self.line);
                pv
            }
        }
    }
}

/// A line about a variation with every field in its place; none for other `info` lines, which must be of a known form.
pub fn parse_info(line: &str) -> Option<Info> {
    let mut words = Words { line, words: line.split_whitespace() };
    words.expect("info");
    if words.words.clone().next() == Some("string") {
        return None;
    }
    let depth = words.number("depth");
    if words.words.clone().next() == Some("currmove") {
        words.expect("currmove");
        words.words.next();
        let number: usize = words.number("currmovenumber");
        assert!(number > 0 && words.words.next().is_none(), "'{line}'");
        return None;
    }
    let selective_depth = words.number("seldepth");
    let multipv = words.number("multipv");
    let (score, bound, chances) = (words.score(), words.bound(), words.chances());
    let nodes = words.number("nodes");
    let _nps: u64 = words.number("nps");
    let permille: u64 = words.number("hashfull");
    assert!(permille <= 1000, "'{line}'");
    let _tablebase_hits: u64 = words.number("tbhits");
    let time = words.number("time");
    Some(Info { depth, selective_depth, multipv, score, bound, chances, nodes, time, pv: words.pv() })
}
