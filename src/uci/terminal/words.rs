//! What a person types, beyond moves and the protocol.

use std::fmt;
use std::time::Duration;

use super::duel::Terms;
use crate::chess::Color;

/// A request that the protocol does not know or means otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// `help`
    Help,
    /// `d`, `board`
    Board,
    /// `moves`
    Moves,
    /// `undo [N]`; none for as many as make sense.
    Undo(Option<u32>),
    /// `new`
    New,
    /// `go` alone
    Go,
    /// `analyse`
    Analyse,
    /// `stop`, or nothing
    Stop,
    /// `play COLOUR [M+S]`
    Play(Terms),
    /// `resign`
    Resign,
    /// `quit`
    Quit,
}

/// Why a request cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestError {
    /// `play` needs a colour; the word found.
    Colour(String),
    /// A time is minutes, or minutes and seconds; the word found.
    Time(String),
    /// `undo` takes a number; the word found.
    Count(String),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Colour(word) => write!(f, "play: your colour expected, white or black, not '{word}'"),
            RequestError::Time(word) => write!(f, "play: '{word}' is no time such as 5+3, minutes and seconds a move"),
            RequestError::Count(word) => write!(f, "undo: '{word}' is no number of moves"),
        }
    }
}

/// The usual game when no time is given: five minutes, and three seconds more for each move.
const USUAL_TIME: &str = "5+3";
/// Longer games than a day are surely a slip of the hand.
const MOST_SECONDS: f64 = 86_400.0;

impl Request {
    /// The request of a line, or none if it is something else: a move, or a line of the protocol.
    pub(super) fn parse(line: &str) -> Result<Option<Request>, RequestError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ok(Some(match words.as_slice() {
            [] | ["stop"] => Request::Stop,
            ["help" | "?"] => Request::Help,
            ["d" | "board"] => Request::Board,
            ["moves"] => Request::Moves,
            ["undo" | "back"] => Request::Undo(None),
            ["undo" | "back", count] => Request::Undo(Some(parse_count(count)?)),
            ["new"] => Request::New,
            ["go"] => Request::Go,
            ["analyse" | "analyze"] => Request::Analyse,
            ["resign"] => Request::Resign,
            ["quit" | "exit"] => Request::Quit,
            ["play"] => return Err(RequestError::Colour(String::new())),
            ["play", color] => Request::Play(parse_terms(color, USUAL_TIME)?),
            ["play", color, time] => Request::Play(parse_terms(color, time)?),
            ["play", _, _, extra, ..] => return Err(RequestError::Time((*extra).into())),
            _ => return Ok(None),
        }))
    }

    /// Whether the search that runs is of no use any more when this is asked for.
    pub(super) fn overtakes_search(self) -> bool {
        matches!(self, Request::Undo(_) | Request::New | Request::Play(_) | Request::Resign)
    }
}

fn parse_count(word: &str) -> Result<u32, RequestError> {
    word.parse().ok().filter(|&count| count > 0).ok_or_else(|| RequestError::Count(word.into()))
}

fn parse_terms(color: &str, time: &str) -> Result<Terms, RequestError> {
    let person = match color.to_ascii_lowercase().as_str() {
        "white" | "w" => Color::White,
        "black" | "b" => Color::Black,
        _ => return Err(RequestError::Colour(color.into())),
    };
    let (minutes, seconds) = time.split_once('+').unwrap_or((time, "0"));
    let duration = |text: &str, unit: f64, least: f64| {
        let seconds = text.parse::<f64>().ok().map(|number| number * unit);
        let seconds = seconds.filter(|seconds| (least..=MOST_SECONDS).contains(seconds));
        seconds.map(Duration::from_secs_f64).ok_or_else(|| RequestError::Time(time.into()))
    };
    Ok(Terms { person, time: duration(minutes, 60.0, 1.0)?, increment: duration(seconds, 1.0, 0.0)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let parse = |line| Request::parse(line);
        assert_eq!(parse("  "), Ok(Some(Request::Stop)));
        assert_eq!(parse(" undo  3 "), Ok(Some(Request::Undo(Some(3)))));
        assert_eq!(parse("undo x"), Err(RequestError::Count("x".into())));
        assert_eq!(parse("undo 0"), Err(RequestError::Count("0".into())));
        for line in ["e4", "go depth 3", "d4", "uci", "position startpos", "stopp"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn terms_of_a_game() {
        let terms = |line| match Request::parse(line) {
            Ok(Some(Request::Play(terms))) => (terms.person, terms.time.as_millis(), terms.increment.as_millis()),
            other => panic!("{other:?}"),
        };
        assert_eq!(terms("play white"), (Color::White, 300_000, 3_000));
        assert_eq!(terms("play B 0.5+0.1"), (Color::Black, 30_000, 100));
        assert_eq!(terms("play w 10"), (Color::White, 600_000, 0));
        for time in ["x", "5+", "+3", "-5+3", "5-3", "0+3", "nan+3", "inf", "1e9+3", "5+1e9"] {
            assert_eq!(Request::parse(&format!("play white {time}")), Err(RequestError::Time(time.into())), "{time}");
        }
        assert_eq!(Request::parse("play red 5+3"), Err(RequestError::Colour("red".into())));
        assert_eq!(Request::parse("play white 5 3"), Err(RequestError::Time("3".into())));
    }
}
