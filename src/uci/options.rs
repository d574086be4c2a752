//! The options as clients see them: names, types, defaults and ranges, and what setting one does.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::log::DebugLog;
use crate::chess::notation::CastlingSpelling;
use crate::engine::{Engine, OptionRange, Options};
use crate::nnue::Network;
use crate::search::Params;
use crate::syzygy::TablebaseError;
use crate::transposition::AllocationError;

/// Why an option was not set.
#[derive(Debug)]
pub(super) enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The value is no number within the range.
    Range(&'static str, String, OptionRange),
    /// The value is neither `true` nor `false`.
    Check(&'static str, String),
    /// No memory for the hash table.
    Memory(AllocationError),
    /// The system gives no more threads.
    Threads(io::Error),
    /// The log file cannot be opened.
    LogFile(String, io::Error),
    /// The network file is none for this program.
    EvalFile(String, io::Error),
    /// The endgame tables cannot be used.
    Syzygy(TablebaseError),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "unknown option '{name}'"),
            OptionError::Range(name, value, range) => {
                write!(f, "option {name}: '{value}' is not a number from {} to {}", range.start(), range.end())
            }
            OptionError::Check(name, value) => write!(f, "option {name}: '{value}' is neither true nor false"),
            OptionError::Memory(error) => write!(f, "option Hash: {error}; the table stays as it was"),
            OptionError::Threads(error) => write!(f, "option Threads: {error}; there are as many threads as before"),
            OptionError::LogFile(path, error) => write!(f, "option Debug Log File: cannot open '{path}': {error}"),
            OptionError::EvalFile(path, error) => {
                write!(f, "option EvalFile: cannot use '{path}': {error}; the network stays as it was")
            }
            OptionError::Syzygy(error) => write!(f, "option SyzygyPath: {error}; the tables stay as they were"),
        }
    }
}

const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const CLEAR_HASH: &str = "Clear Hash";
const PONDER: &str = "Ponder";
const MULTI_PV: &str = "MultiPV";
const MOVE_OVERHEAD: &str = "Move Overhead";
const NODES_TIME: &str = "nodestime";
const CHESS960: &str = "UCI_Chess960";
const SHOW_WDL: &str = "UCI_ShowWDL";
const ANALYSE_MODE: &str = "UCI_AnalyseMode";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const OPPONENT: &str = "UCI_Opponent";
const ENGINE_ABOUT: &str = "UCI_EngineAbout";
const EVAL_FILE: &str = "EvalFile";
const DEBUG_LOG_FILE: &str = "Debug Log File";
const SYZYGY_PATH: &str = "SyzygyPath";
const SYZYGY_PROBE_DEPTH: &str = "SyzygyProbeDepth";
const SYZYGY_PROBE_LIMIT: &str = "SyzygyProbeLimit";
const SYZYGY_50_MOVE_RULE: &str = "Syzygy50MoveRule";

const NAMES: [&str; 20] = [
    HASH,
    THREADS,
    CLEAR_HASH,
    PONDER,
    MULTI_PV,
    MOVE_OVERHEAD,
    NODES_TIME,
    CHESS960,
    SHOW_WDL,
    ANALYSE_MODE,
    LIMIT_STRENGTH,
    ELO,
    OPPONENT,
    ENGINE_ABOUT,
    SYZYGY_PATH,
    SYZYGY_PROBE_DEPTH,
    SYZYGY_PROBE_LIMIT,
    SYZYGY_50_MOVE_RULE,
    EVAL_FILE,
    DEBUG_LOG_FILE,
];

/// What `UCI_EngineAbout` says. It is the engine's to say: a client that sets it is heard and not followed.
const ABOUT: &str = concat!(
    "Luft ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine by ",
    env!("CARGO_PKG_AUTHORS"),
    "; licence ",
    env!("CARGO_PKG_LICENSE")
);

/// How clients write a text that is not there.
const EMPTY: &str = "<empty>";

/// What a parameter of the search accepts: more than its tuning does, so that a feature can be switched off.
const PARAMETERS: OptionRange = -20_000..=20_000;

/// The lines that announce the options after `uci`.
pub(super) fn announcements() -> Vec<String> {
    let defaults = Options::default();
    let tablebase = &defaults.tablebase;
    let spin = |name, default: usize, range: OptionRange| {
        format!("option name {name} type spin default {default} min {} max {}", range.start(), range.end())
    };
    let check = |name, default: bool| format!("option name {name} type check default {default}");
    let string = |name| format!("option name {name} type string default {EMPTY}");
    let mut lines = vec![
        spin(HASH, defaults.hash_mib, Options::HASH_MIB),
        spin(THREADS, defaults.threads, Options::THREADS),
        format!("option name {CLEAR_HASH} type button"),
        check(PONDER, defaults.ponder),
        spin(MULTI_PV, defaults.multi_pv, Options::MULTI_PV),
        spin(MOVE_OVERHEAD, defaults.move_overhead_ms, Options::MOVE_OVERHEAD_MS),
        spin(NODES_TIME, defaults.nodes_per_ms, Options::NODES_PER_MS),
        check(CHESS960, defaults.chess960),
        check(SHOW_WDL, defaults.show_win_draw_loss),
        check(ANALYSE_MODE, defaults.analyse_mode),
        check(LIMIT_STRENGTH, defaults.limit_strength),
        spin(ELO, defaults.elo, Options::ELO),
        string(OPPONENT),
        format!("option name {ENGINE_ABOUT} type string default {ABOUT}"),
        string(SYZYGY_PATH),
        spin(SYZYGY_PROBE_DEPTH, tablebase.least_depth as usize, Options::SYZYGY_PROBE_DEPTH),
        spin(SYZYGY_PROBE_LIMIT, tablebase.most_men as usize, Options::SYZYGY_PROBE_LIMIT),
        check(SYZYGY_50_MOVE_RULE, tablebase.fifty_moves),
        string(EVAL_FILE),
        string(DEBUG_LOG_FILE),
    ];
    if cfg!(feature = "tune") {
        let (low, high) = (PARAMETERS.start(), PARAMETERS.end());
        let line = |name, default| format!("option name {name} type spin default {default} min {low} max {high}");
        lines.extend(Params::TABLE.iter().map(|&(name, default, _)| line(name, default)));
    }
    lines
}

/// How castling is written under `UCI_Chess960`.
pub(super) fn spelling_for(chess960: bool) -> CastlingSpelling {
    if chess960 { CastlingSpelling::KingTakesRook } else { CastlingSpelling::KingTarget }
}

/// Sets an option; names match without regard to case. Returns what there is to say about it. On an error everything stays
/// as it was.
pub(super) fn set(
    engine: &mut Engine,
    log: &mut DebugLog,
    name: &str,
    value: &str,
) -> Result<Option<String>, OptionError> {
    let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    #[cfg(feature = "tune")]
    if let Some((name, ..)) = Params::TABLE.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) {
        let number = value.parse::<i32>().ok().filter(|&number| PARAMETERS.contains(&number.into()));
        let number = number.ok_or_else(|| OptionError::Range(name, value.into(), PARAMETERS))?;
        engine.options_mut().params.set(name, number);
        return Ok(None);
    }
    match known.ok_or_else(|| OptionError::Unknown(name.into()))? {
        HASH => engine.resize_hash(spin(HASH, value, Options::HASH_MIB)?).map_err(OptionError::Memory)?,
        THREADS => engine.set_threads(spin(THREADS, value, Options::THREADS)?).map_err(OptionError::Threads)?,
        CLEAR_HASH => engine.clear_hash(),
        PONDER => engine.options_mut().ponder = check(PONDER, value)?,
        MULTI_PV => engine.options_mut().multi_pv = spin(MULTI_PV, value, Options::MULTI_PV)?,
        MOVE_OVERHEAD => {
            engine.options_mut().move_overhead_ms = spin(MOVE_OVERHEAD, value, Options::MOVE_OVERHEAD_MS)?;
        }
        CHESS960 => engine.options_mut().chess960 = check(CHESS960, value)?,
        SHOW_WDL => engine.options_mut().show_win_draw_loss = check(SHOW_WDL, value)?,
        NODES_TIME => engine.count_time_in_nodes(spin(NODES_TIME, value, Options::NODES_PER_MS)?),
        ANALYSE_MODE => engine.options_mut().analyse_mode = check(ANALYSE_MODE, value)?,
        LIMIT_STRENGTH => engine.options_mut().limit_strength = check(LIMIT_STRENGTH, value)?,
        ELO => engine.options_mut().elo = spin(ELO, value, Options::ELO)?,
        OPPONENT => engine.options_mut().opponent = text(value),
        ENGINE_ABOUT => {}
        SYZYGY_PATH => {
            engine.set_tablebase(path_of(value)).map_err(OptionError::Syzygy)?;
            return Ok(tables_found(engine));
        }
        SYZYGY_PROBE_DEPTH => {
            let depth = spin(SYZYGY_PROBE_DEPTH, value, Options::SYZYGY_PROBE_DEPTH)?;
            engine.options_mut().tablebase.least_depth = depth as i32;
        }
        SYZYGY_PROBE_LIMIT => {
            let men = spin(SYZYGY_PROBE_LIMIT, value, Options::SYZYGY_PROBE_LIMIT)?;
            engine.options_mut().tablebase.most_men = men as u32;
        }
        SYZYGY_50_MOVE_RULE => engine.count_fifty_moves(check(SYZYGY_50_MOVE_RULE, value)?),
        EVAL_FILE => engine.set_network(Arc::new(network(value)?)),
        _ => *log = open_log(value)?,
    }
    Ok(None)
}

/// What is said of endgame tables that have been opened.
fn tables_found(engine: &Engine) -> Option<String> {
    engine.options().tablebase.tables.as_ref().map(|tables| format!("found {tables}"))
}

fn spin(name: &'static str, value: &str, range: OptionRange) -> Result<usize, OptionError> {
    let number = value.parse::<i64>().ok().filter(|number| range.contains(number));
    number.map(|number| number as usize).ok_or_else(|| OptionError::Range(name, value.into(), range))
}

fn check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::Check(name, value.into())),
    }
}

/// The text of a string option.
fn text(value: &str) -> String {
    if value == EMPTY { String::new() } else { value.into() }
}

/// The path that the value of a string option is, if it is one.
fn path_of(value: &str) -> Option<&Path> {
    (!value.is_empty() && value != EMPTY).then(|| Path::new(value))
}

/// The network of a file, or that of the program.
fn network(value: &str) -> Result<Network, OptionError> {
    let network = path_of(value).map_or_else(|| Network::embedded().map_err(io::Error::other), Network::load);
    network.map_err(|error| OptionError::EvalFile(value.into(), error))
}

fn open_log(path: &str) -> Result<DebugLog, OptionError> {
    if path_of(path).is_none() {
        return Ok(DebugLog::default());
    }
    DebugLog::open(path).map_err(|error| OptionError::LogFile(path.into(), error))
}
