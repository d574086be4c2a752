//! The match runner as a user runs it, against engines that misbehave in every way.
//!
//! This executable is also those engines: with a variable in its environment it speaks UCI instead of testing.

mod fake_engine;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use luft::tools::pgn::parse_pgn;
use luft::tools::referee::checks::Warning;
use luft::tools::referee::record::GameRecord;
use luft::tools::referee::verdict::{GameResult, Reason};

fn main() {
    if let Ok(behaviour) = std::env::var(fake_engine::BEHAVIOUR) {
        fake_engine::run(behaviour);
        return;
    }
    let mut tests: Vec<(&'static str, fn())> = vec![
        ("faults_lose_the_game_for_their_own_reason", faults_lose_the_game_for_their_own_reason),
        ("harmless_faults_are_counted", harmless_faults_are_counted),
        ("a_flood_harms_nobody", a_flood_harms_nobody),
        ("games_of_others_go_on", games_of_others_go_on),
        ("a_dead_engine_is_started_again", a_dead_engine_is_started_again),
        ("engines_that_cannot_start_end_the_match", engines_that_cannot_start_end_the_match),
        ("castling_is_judged_by_its_spelling", castling_is_judged_by_its_spelling),
        ("chess960_is_switched_on_by_the_opening", chess960_is_switched_on_by_the_opening),
        ("records_agree_with_each_other", records_agree_with_each_other),
        ("a_killed_match_is_resumed", a_killed_match_is_resumed),
        ("a_journal_is_guarded", a_journal_is_guarded),
        ("a_test_ends_the_match", a_test_ends_the_match),
    ];
    if cfg!(target_os = "linux") {
        tests.push(("no_process_stays_behind", no_process_stays_behind));
    }
    let trial = |(name, test): (&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().map(trial).collect()).exit();
}

/// A folder of its own for a test, with a match to be run in it.
struct Setting {
    folder: PathBuf,
    arguments: Vec<String>,
}

impl Setting {
    fn new(name: &str) -> Setting {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("referee-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let journal = folder.join("journal");
        Setting { folder, arguments: vec!["match".into(), "--journal".into(), journal.display().to_string()] }
    }

    /// Adds an engine that is called as it behaves, with more settings.
    fn engine(self, behaviour: &str, more: &str) -> Setting {
        let program = std::env::current_exe().expect("this program").display().to_string();
        let variable = fake_engine::BEHAVIOUR;
        let settings = format!("name={behaviour},cmd={program},env.{variable}={behaviour},{more}");
        self.with(&["--engine", &settings])
    }

    fn with(mut self, arguments: &[&str]) -> Setting {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(&self.arguments);
        command
    }

    fn run(&self) -> Output {
        let output = self.command().stdin(Stdio::null()).output().expect("the referee runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn error(&self) -> String {
        let output = self.command().stdin(Stdio::null()).output().expect("the referee runs");
        assert!(!output.status.success(), "no error");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The games of the journal in the order of their numbers.
    fn games(&self) -> Vec<GameRecord> {
        let text = std::fs::read_to_string(self.file("journal")).unwrap_or_default();
        let lines = text.lines().skip(1).filter_map(|line| serde_json::from_str(line).ok());
        let mut games: Vec<GameRecord> = lines.collect();
        games.sort_by_key(|game| game.number);
        games
    }
}

/// Two games of a misbehaving engine (the player with index 0) against an honest one.
fn two_games(test: &str, behaviour: &str, limits: &str, more: &[&str]) -> (Vec<GameRecord>, String) {
    let setting = Setting::new(&format!("{test}-{behaviour}"))
        .engine(behaviour, "")
        .engine("honest", "")
        .with(&["--each", limits, "--games", "2", "--ping-timeout", "1", "--late-ping", "50"])
        .with(more);
    let output = setting.run();
    let games = setting.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        let honest = usize::from(game.white == 0);
        assert!(game.warnings[honest].is_empty(), "{behaviour}: {}", game.warnings[honest]);
        game.replay().expect("a sound record");
    }
    (games, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn faults_lose_the_game_for_their_own_reason() {
    let illegal = |explanation: &str| Reason::IllegalMove { explanation: explanation.into() };
    let expected = [
        ("illegal", illegal("'e1e9' is not a move")),
        ("impossible", illegal("move 'a8a1' is illegal here")),
        ("none", Reason::NoMove),
        ("empty", Reason::NoMove),
        ("silent", Reason::TimeForfeit),
        ("slow", Reason::TimeForfeit),
        ("endless flood", Reason::TimeForfeit),
        ("die", Reason::EngineDied),
        ("orphan", Reason::EngineDied),
        ("stall", Reason::EngineStalled),
    ];
    for (behaviour, reason) in expected {
        let (games, _) = two_games("fault", behaviour, "tc=0.5", &[]);
        for game in games {
            let winner = if game.white == 0 { GameResult::BlackWins } else { GameResult::WhiteWins };
            assert_eq!((game.verdict.result, &game.verdict.reason), (winner, &reason), "{behaviour}");
            let ignores_stop = matches!(behaviour, "silent" | "endless flood");
            let warned = game.warnings[game.white].count(Warning::StopIgnored);
            assert_eq!(warned, u32::from(ignores_stop), "{behaviour}");
        }
    }
    let (games, _) = two_games("clockless", "silent", "nodes=5", &["--move-timeout", "1"]);
    assert!(games.iter().all(|game| game.verdict.reason == Reason::NoMove));
}

fn harmless_faults_are_counted() {
    let expected = [
        ("no score", Warning::MissingScore),
        ("bad pv", Warning::IllegalPvMove),
        ("unlike", Warning::BestMoveUnlikePv),
        ("late ping", Warning::LatePing),
    ];
    for (behaviour, warning) in expected {
        let (games, _) = two_games("warning", behaviour, "nodes=5", &["--max-moves", "8"]);
        for game in games {
            assert!(game.verdict.reason.is_by_play(), "{behaviour}: {}", game.verdict);
            let own = game.warnings[usize::from(game.white != 0)];
            assert!(own.count(warning) >= 4, "{behaviour}: {own}");
            assert!(own.iter().all(|(seen, _)| seen == warning), "{behaviour}: {own}");
        }
    }
}

fn a_flood_harms_nobody() {
    let (games, _) = two_games("flood", "flood", "tc=30", &["--max-moves", "4"]);
    for game in games {
        assert_eq!(game.verdict.reason, Reason::MoveLimit);
        let own = game.warnings[usize::from(game.white != 0)];
        assert!(own.is_empty(), "{own}");
    }
}

fn games_of_others_go_on() {
    let setting = Setting::new("others").engine("die", "").engine("honest", "").engine("upright", "").with(&[
        "--each",
        "nodes=5",
        "--games",
        "4",
        "--concurrency",
        "3",
        "--max-moves",
        "60",
    ]);
    setting.run();
    let games = setting.games();
    assert_eq!(games.len(), 12);
    for game in games {
        let with_dying = game.white == 0 || game.black == 0;
        assert_eq!(game.verdict.reason == Reason::EngineDied, with_dying, "{}", game.verdict);
    }
}

fn a_dead_engine_is_started_again() {
    let (_, remarks) = two_games("again", "die", "tc=0.5", &[]);
    assert_eq!(remarks.matches("die is started again: assertion failed: heart").count(), 2, "{remarks}");
}

fn engines_that_cannot_start_end_the_match() {
    let each = ["--each", "nodes=5", "--games", "2"];
    let dead = Setting::new("dead").engine("dead", "").engine("honest", "").with(&each);
    assert_eq!(dead.error(), "referee: engine 'dead' ended before it was ready: no heart\n");
    let missing = Setting::new("missing").engine("honest", "").with(&["--engine", "name=x,cmd=/no/engine"]).with(&each);
    assert!(missing.error().starts_with("referee: engine 'x' cannot be started"), "{}", missing.error());
    let option = Setting::new("option").engine("honest", "").engine("upright", "option.Hsah=1").with(&each);
    assert_eq!(option.error(), "referee: engine 'upright' has no option 'Hsah'\n");
}

fn castling_is_judged_by_its_spelling() {
    let setting = Setting::new("castling");
    let openings = setting.file("castling.epd");
    std::fs::write(&openings, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\n").expect("a file");
    let setting = setting.engine("wrong castling", "").engine("honest", "").with(&[
        "--each",
        "nodes=5",
        "--games",
        "2",
        "--openings",
        &openings,
    ]);
    setting.run();
    let explanation = "castling as 'e1h1', which with UCI_Chess960 off is 'e1g1'".to_owned();
    assert_eq!(setting.games()[0].verdict.reason, Reason::IllegalMove { explanation });
    let explanation = "castling as 'e8h8', which with UCI_Chess960 off is 'e8g8'".to_owned();
    assert_eq!(setting.games()[1].verdict.reason, Reason::IllegalMove { explanation });
}

fn chess960_is_switched_on_by_the_opening() {
    let setting = Setting::new("chess960");
    let (openings, pgn) = (setting.file("chess960.epd"), setting.file("games.pgn"));
    let double = "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAeb - 0 1\n";
    std::fs::write(&openings, format!("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\n{double}")).expect("a file");
    let arguments = ["--each", "nodes=5", "--games", "4", "--max-moves", "4", "--openings", &openings, "--pgn", &pgn];
    let setting = setting.engine("honest", "").engine("upright", "").with(&arguments);
    setting.run();
    let games = setting.games();
    assert_eq!(games.iter().map(|game| game.chess960).collect::<Vec<_>>(), [false, false, true, true]);
    assert!(games.iter().all(|game| game.verdict.reason == Reason::MoveLimit));
    assert_eq!((games[0].moves[0].uci.as_str(), games[2].moves[0].uci.as_str()), ("e1g1", "b1g1"));
    let text = std::fs::read_to_string(&pgn).expect("the PGN");
    assert_eq!(text.matches("[Variant \"Chess960\"]").count(), 2);
    let lacking = Setting::new("standard").engine("honest", "").engine("standard only", "").with(&arguments);
    assert!(lacking.error().contains("has no option UCI_Chess960, which an opening needs"));
}

fn records_agree_with_each_other() {
    let setting = Setting::new("records");
    let files = ["games.pgn", "ends.epd", "games.viri", "report.json"].map(|name| setting.file(name));
    let [pgn, epd, training, json] = &files;
    let outputs = ["--pgn", pgn, "--epd", epd, "--training", training, "--json", json];
    let limits = ["--each", "nodes=5", "--games", "10", "--concurrency", "2", "--max-moves", "150"];
    let logs = setting.file("logs");
    let setting =
        setting.engine("honest", "").engine("upright", "").with(&limits).with(&outputs).with(&["--log", &logs]);
    setting.run();
    let games = setting.games();
    let written = parse_pgn(&std::fs::read_to_string(pgn).expect("the PGN")).expect("sound games");
    let ends = std::fs::read_to_string(epd).expect("the EPD");
    let finals: HashSet<String> =
        games.iter().map(|game| game.final_game().expect("a sound record").position().to_string()).collect();
    let from_pgn = written.iter().map(|game| {
        let mut position = game.start;
        game.moves.iter().for_each(|&mv| position.make(mv));
        position.to_string()
    });
    assert_eq!((games.len(), written.len(), ends.lines().count()), (10, 10, 10));
    assert_eq!(from_pgn.collect::<HashSet<_>>(), finals);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("the report")).expect("sound JSON");
    assert_eq!((&report["games"], &report["pairings"][0]["pairs"].as_array().map(Vec::len)), (&10.into(), &Some(5)));
    assert!(std::fs::metadata(training).expect("the records").len() > 0);
    assert!(Path::new(&logs).join("honest-1.log").exists() && Path::new(&logs).join("upright-2.stderr").exists());
}

fn wait_for_games(setting: &Setting, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while setting.games().len() < count {
        assert!(Instant::now() < deadline, "no games");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill(mut child: Child) {
    child.kill().expect("the referee can be killed");
    child.wait().expect("the referee can be waited for");
}

/// Killed twice at any moment and resumed, a match has the same games as one that was left alone.
fn a_killed_match_is_resumed() {
    let outcomes = |setting: &Setting| {
        let games = setting.games();
        let moves = |game: &GameRecord| game.moves.iter().map(|record| record.uci.clone()).collect::<Vec<_>>();
        games.iter().map(|game| (game.number, (game.verdict.clone(), moves(game)))).collect::<BTreeMap<_, _>>()
    };
    let openings = |setting: &Setting| {
        let path = setting.file("openings.epd");
        let lines: String =
            (1..=40).map(|n| format!("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 {n}\n")).collect();
        std::fs::write(&path, lines.replace("RK", "KR")).expect("a file");
    };
    let setting = |name: &str| {
        let setting = Setting::new(name);
        openings(&setting);
        let common = Path::new(env!("CARGO_TARGET_TMPDIR")).join("referee-killed/openings.epd").display().to_string();
        let pgn = setting.file("games.pgn");
        let limits = ["--each", "nodes=5", "--games", "40", "--concurrency", "3", "--openings", &common, "--pgn", &pgn];
        setting.engine("honest", "").engine("upright", "").with(&limits)
    };
    let killed = setting("killed");
    let whole = setting("whole");
    whole.run();
    let quiet = |command: &mut Command| command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("a referee");
    let first = quiet(&mut killed.command());
    wait_for_games(&killed, 3);
    kill(first);
    let before = killed.games().len();
    // What a kill in the middle of a line leaves.
    let mut journal = std::fs::OpenOptions::new().append(true).open(killed.file("journal")).expect("the journal");
    std::io::Write::write_all(&mut journal, b"{\"number\":").expect("a longer journal");
    let killed = killed.with(&["--resume"]);
    let second = quiet(&mut killed.command());
    wait_for_games(&killed, (before + 3).min(40));
    kill(second);
    let output = killed.run();
    assert_eq!(outcomes(&killed), outcomes(&whole));
    assert_eq!(killed.games().len(), 40, "a game was played twice");
    let pgn = std::fs::read_to_string(killed.file("games.pgn")).expect("the PGN");
    assert_eq!(parse_pgn(&pgn).expect("sound games").len(), 40);
    let score = |output: &Output| String::from_utf8_lossy(&output.stdout).lines().nth(1).map(str::to_owned);
    assert_eq!(score(&output), score(&whole.with(&["--resume"]).run()));
}

fn a_journal_is_guarded() {
    let setting = Setting::new("journal").engine("honest", "").engine("upright", "");
    let setting = setting.with(&["--games", "2", "--max-moves", "5"]);
    let with =
        |more: &[&str]| Setting { folder: setting.folder.clone(), arguments: setting.arguments.clone() }.with(more);
    with(&["--each", "nodes=5"]).run();
    assert!(with(&["--each", "nodes=5"]).error().contains("--resume goes on with it"));
    assert!(with(&["--each", "nodes=6", "--resume"]).error().contains("belongs to another match: 'engines' differs"));
    with(&["--each", "nodes=5", "--resume"]).run();
    assert_eq!(setting.games().len(), 2);
    with(&["--each", "nodes=6", "--overwrite"]).run();
    assert_eq!(setting.games().len(), 2);
    std::fs::write(setting.file("journal"), "{}\nnothing\n").expect("a file");
    assert!(with(&["--each", "nodes=5", "--resume"]).error().contains("belongs to another match"));
}

/// An engine that loses every game is found out long before the last one, and resuming adds nothing.
fn a_test_ends_the_match() {
    let setting = Setting::new("sprt").engine("honest", "").engine("none", "");
    let limits = ["--each", "nodes=5", "--games", "5000", "--concurrency", "2", "--sprt=-50,50"];
    let setting = setting.with(&limits);
    let output = setting.run();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("H1 accepted"), "{text}");
    let played = setting.games().len();
    assert!(played < 100, "{played} games");
    setting.with(&["--resume"]).run();
}

/// Neither engines nor their children outlive a match, not even one that is killed.
fn no_process_stays_behind() {
    let orphans = || {
        let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
        let commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        commands.filter(|command| command.as_slice() == b"sleep\x004711\0").count()
    };
    two_games("behind", "orphan", "tc=0.5", &[]);
    // A killed process is gone a moment later.
    let deadline = Instant::now() + Duration::from_secs(10);
    while orphans() > 0 {
        assert!(Instant::now() < deadline, "an engine's child outlived the match");
        std::thread::sleep(Duration::from_millis(5));
    }
    let setting = Setting::new("behind").engine("honest", "").engine("upright", "");
    let setting = setting.with(&["--each", "nodes=5", "--games", "5000"]);
    let child = setting.command().stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("a referee");
    wait_for_games(&setting, 1);
    let engines = children(child.id());
    assert_eq!(engines.len(), 2);
    kill(child);
    let deadline = Instant::now() + Duration::from_secs(10);
    while engines.iter().any(|engine| Path::new(&format!("/proc/{engine}")).exists()) {
        assert!(Instant::now() < deadline, "an engine outlived the referee");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The processes whose parent this is.
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |&number: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    numbers.filter(is_child).collect()
}
