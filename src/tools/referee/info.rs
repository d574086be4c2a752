//! What engines say while they search: `info` lines and the final `bestmove`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A score from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves of the winning side; negative if the side to move is mated.
    Mate(i32),
}

impl EngineScore {
    /// Centipawns, with any mate beyond all of them.
    pub fn centipawns(self) -> i32 {
        match self {
            EngineScore::Centipawns(value) => value,
            EngineScore::Mate(moves) if moves > 0 => i32::MAX,
            EngineScore::Mate(_) => -i32::MAX,
        }
    }
}

impl fmt::Display for EngineScore {
    /// In pawns or moves to mate, with a sign: `+0.35`, `-M4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineScore::Centipawns(value) => {
                let sign = if *value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            EngineScore::Mate(moves) => {
                write!(f, "{}M{}", if *moves > 0 { '+' } else { '-' }, moves.unsigned_abs())
            }
        }
    }
}

impl FromStr for EngineScore {
    type Err = ();

    /// Reads what [`fmt::Display`] writes; callers name the text at fault themselves.
    fn from_str(text: &str) -> Result<EngineScore, ()> {
        let (sign, magnitude) = match text.split_at_checked(1) {
            Some(("+", rest)) => (1, rest),
            Some(("-", rest)) => (-1, rest),
            _ => return Err(()),
        };
        if let Some(moves) = magnitude.strip_prefix('M') {
            return Ok(EngineScore::Mate(sign * moves.parse::<i32>().map_err(|_| ())?));
        }
        let (pawns, hundredths) = magnitude.split_once('.').ok_or(())?;
        let (pawns, hundredths): (i32, i32) = (pawns.parse().map_err(|_| ())?, hundredths.parse().map_err(|_| ())?);
        let value = pawns.checked_mul(100).and_then(|value| value.checked_add(hundredths)).ok_or(())?;
        Ok(EngineScore::Centipawns(sign * value))
    }
}

impl Serialize for EngineScore {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EngineScore {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<EngineScore, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("'{text}' is not a score")))
    }
}

/// One `info` line, as far as a referee needs it. What is missing or cannot be read is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The score.
    pub score: Option<EngineScore>,
    /// Whether the score is only a bound.
    pub is_bound: bool,
    /// Rank of the line among several; 1 if not given.
    pub multipv: u32,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The moves of the principal variation, separated by white space.
    pub pv: &'a str,
}

impl<'a> Info<'a> {
    /// Reads a line; `None` if it is no `info` line or only a remark (`info string`).
    pub fn parse(line: &'a str) -> Option<Info<'a>> {
        let mut info = Info { multipv: 1, ..Info::default() };
        let mut rest = line.trim_start().strip_prefix("info")?;
        if !rest.starts_with([' ', '\t']) {
            return None;
        }
        while let Some((word, after)) = split_word(rest) {
            rest = after;
            match word {
                "depth" => info.depth = number(&mut rest),
                "multipv" => info.multipv = number(&mut rest).unwrap_or(1),
                "nodes" => info.nodes = number(&mut rest),
                "score" => info.score = parse_score(&mut rest),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "string" => return (info != Info { multipv: 1, ..Info::default() }).then_some(info),
                "pv" => {
                    info.pv = rest.trim();
                    break;
                }
                _ => {}
            }
        }
        Some(info)
    }
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    (!text.is_empty()).then(|| text.split_at(text.find([' ', '\t']).unwrap_or(text.len())))
}

/// Takes the next word off if it is a number.
fn number<T: FromStr>(rest: &mut &str) -> Option<T> {
    let (word, after) = split_word(rest)?;
    let value = word.parse().ok()?;
    *rest = after;
    Some(value)
}

fn parse_score(rest: &mut &str) -> Option<EngineScore> {
    let (kind, after) = split_word(rest)?;
    let make = match kind {
        "cp" => EngineScore::Centipawns,
        "mate" => EngineScore::Mate,
        _ => return None,
    };
    *rest = after;
    // Clamped so that negating and printing are safe whatever the engine says.
    number::<i64>(rest).map(|value| make(value.clamp(-1_000_000, 1_000_000) as i32))
}

/// The move word of a `bestmove` line; `None` if the line has none.
pub fn best_move(line: &str) -> Option<&str> {
    line.split_ascii_whitespace().skip_while(|&word| word != "bestmove").nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_is_read() {
        let line = "info depth 12 seldepth 20 multipv 2 score cp -35 lowerbound nodes 4711 nps 1000 hashfull 3 time 5 pv e2e4  e7e5";
        let expected = Info {
            depth: Some(12),
            score: Some(EngineScore::Centipawns(-35)),
            is_bound: true,
            multipv: 2,
            nodes: Some(4711),
            pv: "e2e4  e7e5",
        };
        assert_eq!(Info::parse(line), Some(expected));
    }

    #[test]
    fn odd_lines_do_no_harm() {
        assert_eq!(Info::parse("info string depth 7 score cp 9"), None);
        assert_eq!(Info::parse("information depth 7"), None);
        assert_eq!(Info::parse("readyok"), None);
        let info = Info::parse("info depth x score mate nodes -1 pv").expect("an info line");
        assert_eq!(info, Info { multipv: 1, ..Info::default() });
        let info = Info::parse("info score mate -99999999999 depth 3").expect("an info line");
        assert_eq!((info.score, info.depth), (Some(EngineScore::Mate(-1_000_000)), Some(3)));
    }

    #[test]
    fn scores_are_written_and_read_back() {
        for (score, text) in [
            (EngineScore::Centipawns(35), "+0.35"),
            (EngineScore::Centipawns(-1207), "-12.07"),
            (EngineScore::Centipawns(0), "+0.00"),
            (EngineScore::Mate(3), "+M3"),
            (EngineScore::Mate(-12), "-M12"),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(text.parse(), Ok(score));
        }
        for text in ["", "0.35", "+x", "+1", "-M", "é", "+99999999999.00"] {
            assert_eq!(text.parse::<EngineScore>(), Err(()), "{text}");
        }
    }

    #[test]
    fn best_moves_are_found() {
        assert_eq!(best_move("bestmove e2e4 ponder e7e5"), Some("e2e4"));
        assert_eq!(best_move("bestmove"), None);
    }
}
