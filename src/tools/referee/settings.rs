//! Engines as a user describes them: `name=A,cmd=./luft,option.Hash=16,tc=2+0.02`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::clock::{TimeControlError, parse_seconds};
use super::limits::Limits;

/// One player of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// The name in records.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its command-line arguments.
    pub arguments: Vec<String>,
    /// The folder it runs in; this process' own if `None`.
    pub directory: Option<PathBuf>,
    /// Variables added to its environment.
    pub environment: Vec<(String, String)>,
    /// UCI options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// What bounds its search.
    pub limits: Limits,
}

/// Why a description names no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// A part that is not of the form `KEY=VALUE`.
    Form(String),
    /// A key that means nothing.
    Key(String),
    /// A value that cannot be read: key and value.
    Value(String, String),
    /// The time control.
    TimeControl(TimeControlError),
    /// A description without `cmd`.
    NoCommand(String),
    /// An engine whose search nothing bounds.
    Unbounded(String),
    /// Two engines of one name.
    SameName(String),
    /// Fewer than two engines.
    TooFew,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Form(text) => write!(f, "engine setting '{text}' is not of the form KEY=VALUE"),
            SettingsError::Key(key) => write!(f, "engine setting '{key}' is unknown"),
            SettingsError::Value(key, value) => write!(f, "engine setting {key}: '{value}' cannot be read"),
            SettingsError::TimeControl(error) => write!(f, "{error}"),
            SettingsError::NoCommand(text) => write!(f, "engine '{text}' has no cmd="),
            SettingsError::Unbounded(name) => write!(f, "engine '{name}' has none of tc=, st=, nodes=, depth="),
            SettingsError::SameName(name) => write!(f, "two engines are called '{name}': give them name="),
            SettingsError::TooFew => write!(f, "a match needs two engines at least"),
        }
    }
}

impl std::error::Error for SettingsError {}

impl From<TimeControlError> for SettingsError {
    fn from(error: TimeControlError) -> SettingsError {
        SettingsError::TimeControl(error)
    }
}

/// Reads the engines of a match, each beginning with what `each` says for all of them.
///
/// A description is a list of `KEY=VALUE` with commas between; `\,` is a comma within a value. Keys: `name`, `cmd`, `arg`
/// (one argument, may be repeated), `dir`, `env.NAME`, `option.NAME`, `tc` (time control), `st` (seconds a move),
/// `nodes`, `depth`. A later value replaces an earlier one, also one from `each`; and an engine that has limits of its
/// own has none of those from `each`.
///
/// # Errors
/// See [`SettingsError`].
pub fn parse_engines(engines: &[String], each: &str) -> Result<Vec<EngineSettings>, SettingsError> {
    let mut common = EngineSettings::default();
    apply(&mut common, each)?;
    let parsed = engines.iter().map(|text| parse_engine(text, &common)).collect::<Result<Vec<_>, _>>()?;
    for (index, engine) in parsed.iter().enumerate() {
        if parsed[..index].iter().any(|other| other.name == engine.name) {
            return Err(SettingsError::SameName(engine.name.clone()));
        }
    }
    if parsed.len() < 2 { Err(SettingsError::TooFew) } else { Ok(parsed) }
}

fn parse_engine(text: &str, common: &EngineSettings) -> Result<EngineSettings, SettingsError> {
    let mut engine = EngineSettings { limits: Limits::default(), ..common.clone() };
    apply(&mut engine, text)?;
    if engine.limits.is_unbounded() {
        engine.limits = common.limits.clone();
    }
    if engine.command.as_os_str().is_empty() {
        return Err(SettingsError::NoCommand(text.into()));
    }
    if engine.name.is_empty() {
        engine.name = engine.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    if engine.limits.is_unbounded() {
        return Err(SettingsError::Unbounded(engine.name));
    }
    Ok(engine)
}

/// Changes the settings as the description says.
fn apply(engine: &mut EngineSettings, text: &str) -> Result<(), SettingsError> {
    for part in split_at_commas(text) {
        let (key, value) = part.split_once('=').ok_or_else(|| SettingsError::Form(part.clone()))?;
        apply_one(engine, key.trim(), value)?;
    }
    Ok(())
}

fn apply_one(engine: &mut EngineSettings, key: &str, value: &str) -> Result<(), SettingsError> {
    let unreadable = || SettingsError::Value(key.into(), value.into());
    match key {
        "name" => engine.name = value.into(),
        "cmd" => engine.command = value.into(),
        "arg" => engine.arguments.push(value.into()),
        "dir" => engine.directory = Some(value.into()),
        "tc" => engine.limits.clock = Some(value.parse()?),
        "st" => {
            let time = parse_seconds(value).filter(|&time| time > Duration::ZERO).ok_or_else(unreadable)?;
            engine.limits.move_time = Some(time);
        }
        "nodes" => engine.limits.nodes = Some(value.parse().map_err(|_| unreadable())?),
        "depth" => engine.limits.depth = Some(value.parse().map_err(|_| unreadable())?),
        _ => {
            let (list, name) = match key.split_once('.') {
                Some(("option", name)) => (&mut engine.options, name),
                Some(("env", name)) => (&mut engine.environment, name),
                _ => return Err(SettingsError::Key(key.into())),
            };
            list.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            list.push((name.into(), value.into()));
        }
    }
    Ok(())
}

/// The parts between commas, empty ones left out.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ',' => parts.push(std::mem::take(&mut part)),
            '\\' if letters.next_if_eq(&',').is_some() => part.push(','),
            _ => part.push(letter),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines(texts: &[&str], each: &str) -> Result<Vec<EngineSettings>, SettingsError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        parse_engines(&texts, each)
    }

    #[test]
    fn descriptions_are_read() {
        let first = r"name=A,cmd=./a b,arg=-x,arg=1\,2,dir=/tmp,env.K=V,option.Hash=32,option.Some Path=c:\x,nodes=5";
        let parsed = engines(&[first, "cmd=/usr/games/b.bin"], "tc=1+0.1,option.hash=16").expect("two engines");
        let expected = EngineSettings {
            name: "A".into(),
            command: "./a b".into(),
            arguments: vec!["-x".into(), "1,2".into()],
            directory: Some("/tmp".into()),
            environment: vec![("K".into(), "V".into())],
            options: vec![("Hash".into(), "32".into()), ("Some Path".into(), r"c:\x".into())],
            limits: Limits { nodes: Some(5), ..Limits::default() },
        };
        assert_eq!(parsed[0], expected);
        assert_eq!((parsed[1].name.as_str(), parsed[1].limits.describe()), ("b", "1+0.1".into()));
        assert_eq!(parsed[1].options, [("hash".into(), "16".into())]);
    }

    #[test]
    fn errors_name_the_part_at_fault() {
        let error = |texts: &[&str], each| engines(texts, each).expect_err("no engines").to_string();
        assert_eq!(error(&["cmd=a,x", "cmd=b"], ""), "engine setting 'x' is not of the form KEY=VALUE");
        assert_eq!(error(&["cmd=a,x=1", "cmd=b"], ""), "engine setting 'x' is unknown");
        assert_eq!(error(&["cmd=a,nodes=many", "cmd=b"], ""), "engine setting nodes: 'many' cannot be read");
        assert_eq!(error(&["cmd=a,st=0", "cmd=b"], ""), "engine setting st: '0' cannot be read");
        assert_eq!(error(&["name=a", "cmd=b"], "depth=1"), "engine 'name=a' has no cmd=");
        assert_eq!(error(&["cmd=a", "cmd=b"], ""), "engine 'a' has none of tc=, st=, nodes=, depth=");
        assert_eq!(error(&["cmd=a", "cmd=x/a"], "depth=1"), "two engines are called 'a': give them name=");
        assert_eq!(error(&["cmd=a"], "depth=1"), "a match needs two engines at least");
        assert!(error(&["cmd=a", "cmd=b"], "tc=x").starts_with("time control 'x'"));
    }
}
