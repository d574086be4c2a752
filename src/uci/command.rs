//! Lines from the client as commands.
//!
//! Any run of white space separates words, and words before the first known command are skipped, as the protocol asks.
//! Nothing here depends on the position: moves stay text until they meet one.

use std::fmt;

use super::arguments::{
    GenfensCommand, PerftCommand, SpeedtestCommand, parse_bench, parse_genfens, parse_perft, parse_speedtest,
};
use super::go::{GoParameters, parse_go};

/// A line that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `position`: a FEN, or none for the initial array, and moves.
    Position {
        /// The fields of the FEN, joined by single spaces.
        fen: Option<String>,
        /// The moves as sent.
        moves: Vec<String>,
    },
    /// `go`
    Go(GoParameters),
    /// `go perft N` or `perft N`, with options for the latter.
    Perft(PerftCommand),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `setoption`
    SetOption {
        /// The name as sent.
        name: String,
        /// The value with its spaces; empty for buttons.
        value: String,
    },
    /// `quit`
    Quit,
    /// `bench [depth] [threads] [hash]`; what is missing has defaults.
    Bench {
        /// Plies.
        depth: Option<u64>,
        /// Threads.
        threads: Option<u64>,
        /// MiB.
        hash_mib: Option<u64>,
    },
    /// `speedtest [seconds] [threads] [hash]`
    Speedtest(SpeedtestCommand),
    /// `genfens N seed S book FILE|None`
    Genfens(GenfensCommand),
    /// `d`
    Display,
    /// `flip`
    Flip,
    /// `eval`
    Eval,
    /// `syzygy`
    Syzygy,
    /// `export_net FILE`
    ExportNetwork {
        /// The path with its spaces; `luft.nnue` when none is given.
        path: String,
    },
    /// `compiler`
    Compiler,
    /// `license`
    License,
    /// `help`
    Help,
    /// `version`
    Version,
    /// A command that is accepted and does nothing: `debug`, `register`.
    Ignored,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No known command on the line; the first word.
    Unknown(String),
    /// `position` without `startpos` or `fen`; the word found instead.
    Position(String),
    /// `setoption` without `name`.
    OptionName(String),
    /// A number was expected after the first word, and the second found.
    Number(&'static str, String),
    /// `perft` without a depth or file.
    PerftSubject,
    /// `genfens` without a number of positions, a seed or a book; what is expected.
    Genfens(&'static str),
    /// A word that the command does not know.
    Word(&'static str, String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => write!(f, "unknown command '{word}' (try help)"),
            CommandError::Position(word) => write!(f, "position: '{word}' is neither startpos nor fen"),
            CommandError::OptionName(word) => write!(f, "setoption: 'name' expected, not '{word}'"),
            CommandError::Number(after, word) => write!(f, "{after}: '{word}' is not a number it accepts"),
            CommandError::PerftSubject => write!(f, "perft: a depth or a file expected"),
            CommandError::Genfens(what) => write!(f, "genfens: {what} expected (genfens N seed S book FILE|None)"),
            CommandError::Word(command, word) => write!(f, "{command}: unknown word '{word}'"),
        }
    }
}

impl std::error::Error for CommandError {}

/// The first words of all commands.
pub(super) const COMMAND_WORDS: [&str; 27] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "quit",
    "debug",
    "register",
    "bench",
    "speedtest",
    "perft",
    "genfens",
    "d",
    "flip",
    "eval",
    "syzygy",
    "export_net",
    "compiler",
    "license",
    "--license",
    "help",
    "--help",
    "version",
    "--version",
];

/// Whether the word is the name of a command.
pub fn is_command_word(word: &str) -> bool {
    COMMAND_WORDS.contains(&word)
}

impl Command {
    /// The command of a line; `None` for empty lines and comments (`#`).
    ///
    /// # Errors
    /// See [`CommandError`].
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first().filter(|word| !word.starts_with('#')) else {
            return Ok(None);
        };
        let known = words.iter().position(|word| COMMAND_WORDS.contains(word));
        let start = known.ok_or_else(|| CommandError::Unknown((*first).into()))?;
        let rest = &words[start + 1..];
        let command = match words[start] {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "position" => parse_position(rest)?,
            "go" if rest.first() == Some(&"perft") => parse_perft(&rest[1..])?,
            "go" => Command::Go(parse_go(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "setoption" => parse_set_option(line, rest)?,
            "quit" => Command::Quit,
            "bench" => parse_bench(rest)?,
            "speedtest" => parse_speedtest(rest)?,
            "perft" => parse_perft(rest)?,
            "genfens" => parse_genfens(line, rest)?,
            "flip" => Command::Flip,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "syzygy" => Command::Syzygy,
            "export_net" => Command::ExportNetwork { path: export_path(line, words[start]).into() },
            "compiler" => Command::Compiler,
            "license" | "--license" => Command::License,
            "help" | "--help" => Command::Help,
            "version" | "--version" => Command::Version,
            _ => Command::Ignored,
        };
        Ok(Some(command))
    }
}

fn parse_position(words: &[&str]) -> Result<Command, CommandError> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let fen = match words.first() {
        Some(&"startpos") if moves_at == 1 => None,
        Some(&"startpos") => return Err(CommandError::Word("position startpos", words[1].into())),
        Some(&"fen") => Some(words[1..moves_at.max(1)].join(" ")),
        other => return Err(CommandError::Position(other.copied().unwrap_or_default().into())),
    };
    let moves = words.iter().skip(moves_at + 1).map(|&word| word.into()).collect();
    Ok(Command::Position { fen, moves })
}

/// `setoption name N [value V]`, name and value of several words. The value is cut from the line itself, because a path
/// may hold any run of spaces.
fn parse_set_option(line: &str, words: &[&str]) -> Result<Command, CommandError> {
    let is = |word: &str, wanted| word.eq_ignore_ascii_case(wanted);
    match words.first() {
        Some(word) if is(word, "name") => {}
        other => return Err(CommandError::OptionName(other.copied().unwrap_or_default().into())),
    }
    let value_at = words.iter().position(|word| is(word, "value"));
    let name = words[1..value_at.unwrap_or(words.len())].join(" ");
    if name.is_empty() {
        return Err(CommandError::OptionName(String::new()));
    }
    let value = value_at.map_or("", |index| text_after(line, words[index]));
    Ok(Command::SetOption { name, value: value.into() })
}

/// What stands in the line after a word, which must be a slice of the line.
pub(super) fn text_after<'a>(line: &'a str, word: &str) -> &'a str {
    let end = word.as_ptr() as usize + word.len() - line.as_ptr() as usize;
    line.get(end..).unwrap_or_default().trim()
}

/// The path after `export_net`, of any run of words.
fn export_path<'a>(line: &'a str, word: &str) -> &'a str {
    match text_after(line, word) {
        "" => "luft.nnue",
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn white_space_comments_and_words_before_commands() {
        assert_eq!(Command::parse(""), Ok(None));
        assert_eq!(Command::parse(" \t "), Ok(None));
        assert_eq!(Command::parse("# isready"), Ok(None));
        assert_eq!(parse("  joho\t isready "), Command::IsReady);
        assert_eq!(Command::parse("joho"), Err(CommandError::Unknown("joho".into())));
    }

    #[test]
    fn positions() {
        let startpos = Command::Position { fen: None, moves: vec!["e2e4".into(), "e7e5".into()] };
        assert_eq!(parse("position  startpos moves e2e4\te7e5"), startpos);
        let fen = Command::Position { fen: Some("8/8/8/8 w - -".into()), moves: vec![] };
        assert_eq!(parse("position fen 8/8/8/8   w - - moves"), fen);
        assert_eq!(Command::parse("position"), Err(CommandError::Position(String::new())));
        assert_eq!(Command::parse("position e4"), Err(CommandError::Position("e4".into())));
        assert!(Command::parse("position startpos e2e4").is_err());
        assert_eq!(
            parse("position fen moves e2e4"),
            Command::Position { fen: Some("".into()), moves: vec!["e2e4".into()] }
        );
    }

    #[test]
    fn options_keep_spaces_in_values() {
        let command = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(parse("setoption name Clear Hash"), command("Clear Hash", ""));
        assert_eq!(parse("setoption NAME Hash Value 32"), command("Hash", "32"));
        assert_eq!(
            parse("setoption name Debug  Log File value /a  b/ü.log "),
            command("Debug Log File", "/a  b/ü.log")
        );
        assert_eq!(parse("setoption name X value"), command("X", ""));
        assert_eq!(Command::parse("setoption Hash 3"), Err(CommandError::OptionName("Hash".into())));
        assert_eq!(Command::parse("setoption name"), Err(CommandError::OptionName("".into())));
    }

    #[test]
    fn export_paths_keep_spaces() {
        let command = |path: &str| Command::ExportNetwork { path: path.into() };
        assert_eq!(parse("export_net"), command("luft.nnue"));
        assert_eq!(parse("please export_net  a  b/ü.nnue "), command("a  b/ü.nnue"));
    }
}
