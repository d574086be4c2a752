//! Endgame tables as clients set them. Where the shared tables are not there, only the refusals are tested; with
//! `LUFT_REQUIRE_TABLES` set that is a failure.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use crate::engine_process::info::Score;
use crate::engine_process::searched::game_of;
use crate::engine_process::with_session;

const ROOK_ENDING: &str = "8/8/8/8/3k4/8/8/KR6 w - - 0 1";

fn tables() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    if !folder.exists() {
        assert!(env::var_os("LUFT_REQUIRE_TABLES").is_none(), "no tables in {}", folder.display());
        println!("no tables in {}: only refusals tested", folder.display());
        return None;
    }
    Some(folder)
}

/// A folder of the test's own, with copies of those tables whose names are wanted.
fn folder_with(name: &str, wanted: impl Fn(&str) -> bool) -> PathBuf {
    let folder = env::temp_dir().join(format!("luft tables é {} {name}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    for file in tables().into_iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if wanted(name) {
            fs::copy(&path, folder.join(name)).unwrap();
        }
    }
    folder
}

fn set(folder: &Path) -> String {
    format!("setoption name SyzygyPath value {}", folder.display())
}

#[test]
fn bad_paths_are_one_error_and_the_tables_stay() {
    let empty = folder_with("empty", |_| false);
    let damaged = folder_with("damaged", |_| false);
    fs::write(damaged.join("KQvK.rtbw"), [0; 80]).unwrap();
    let short = folder_with("short", |_| false);
    fs::write(short.join("KQvK.rtbw"), [0x71, 0xe8, 0x23, 0x5d]).unwrap();
    with_session(|engine| {
        let good = tables();
        if let Some(folder) = &good {
            assert_eq!(engine.ask(&set(folder)), ["info string found 35 WDL and 35 DTZ tables of up to 4 men"]);
        }
        for (folder, word) in [
            (Path::new("/no/such/folder"), "/no/such/folder"),
            (empty.as_path(), "no endgame tables"),
            (damaged.as_path(), "KQvK.rtbw"),
            (short.as_path(), "KQvK.rtbw"),
        ] {
            let error = engine.error_of(&set(folder));
            assert!(error.contains("SyzygyPath") && error.contains(word), "{error}");
        }
        engine.tell(&format!("position fen {ROOK_ENDING}"));
        let answer = engine.ask("syzygy");
        assert_eq!(good.is_some(), answer[0].starts_with("info string syzygy wdl 2 dtz "), "{answer:?}");
        engine.tell("setoption name SyzygyPath value <empty>");
        assert_eq!(engine.ask("syzygy"), ["info string no endgame tables in use"]);
    });
    [empty, damaged, short].iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn tables_that_are_not_wanted_any_more_are_closed() {
    let Some(folder) = tables() else { return };
    with_session(|engine| {
        let open = |engine: &crate::engine_process::EngineProcess| {
            let maps = fs::read_to_string(format!("/proc/{}/maps", engine.process_id())).unwrap();
            maps.lines().filter(|line| line.contains(".rtb")).count()
        };
        engine.ask(&set(&folder));
        engine.tell(&format!("position fen {ROOK_ENDING}"));
        engine.ask("syzygy");
        engine.go("nodes 2000");
        assert!(open(engine) > 0);
        engine.tell("setoption name SyzygyPath value <empty>");
        assert_eq!(open(engine), 0);
        engine.ask(&set(&folder));
        assert!(engine.ask("syzygy")[0].starts_with("info string syzygy wdl 2 dtz "));
    });
}

#[test]
fn the_root_counts_as_one_hit_whatever_the_number_of_threads() {
    let Some(folder) = tables() else { return };
    with_session(|engine| {
        engine.ask(&set(&folder));
        engine.tell(&format!("setoption name Threads value 4\nposition fen {ROOK_ENDING}"));
        engine.send("go nodes 20000");
        for line in engine.read_until("bestmove").iter().filter(|line| line.contains(" tbhits ")) {
            assert!(line.contains(" tbhits 1 "), "{line}");
        }
    });
}

#[test]
fn several_folders_with_spaces_and_other_letters_are_taken_together() {
    if tables().is_none() {
        return;
    }
    let queens = folder_with("queens", |name| name.starts_with("KQvK."));
    let rooks = folder_with("rooks", |name| name.starts_with("KRvK."));
    let both = env::join_paths([&queens, &rooks]).unwrap();
    with_session(|engine| {
        assert_eq!(engine.ask(&set(&queens)), ["info string found 1 WDL and 1 DTZ tables of up to 3 men"]);
        engine.tell(&format!("position fen {ROOK_ENDING}"));
        assert_eq!(engine.ask("syzygy"), ["info string syzygy unknown"]);
        assert_eq!(engine.ask(&set(Path::new(&both))), ["info string found 2 WDL and 2 DTZ tables of up to 3 men"]);
        assert!(engine.ask("syzygy")[0].starts_with("info string syzygy wdl 2 dtz "));
        let searched = engine.go("nodes 500");
        assert!(matches!(searched.check(&game_of(ROOK_ENDING, &[])).score(), Score::Cp(20_000..) | Score::Mate(1..)));
    });
    [queens, rooks].iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
}

#[test]
fn results_without_distances_keep_the_win_too() {
    if tables().is_none() {
        return;
    }
    let results = folder_with("results", |name| name.ends_with(".rtbw"));
    with_session(|engine| {
        assert_eq!(engine.ask(&set(&results)), ["info string found 35 WDL and 0 DTZ tables of up to 4 men"]);
        for fen in [
            ROOK_ENDING,
            "8/1P6/8/8/8/2k5/7r/K7 w - - 0 1",
            "8/1P6/8/8/2k5/8/7r/K7 b - - 0 1",
            "8/8/8/3q4/8/2k5/8/K6R b - - 0 1",
            "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
        ] {
            engine.tell(&format!("position fen {fen}"));
            let answer = engine.ask("syzygy");
            let (won, lost) = (answer[0].ends_with("wdl 2"), answer[0].ends_with("wdl -2"));
            let searched = engine.go("nodes 2000");
            let score = searched.check(&game_of(fen, &[])).score();
            let told = (
                matches!(score, Score::Cp(20_000..) | Score::Mate(1..)),
                matches!(score, Score::Cp(..=-20_000) | Score::Mate(..=0)),
            );
            assert_eq!(told, (won, lost), "{fen}: {score:?}, {answer:?}");
        }
    });
    fs::remove_dir_all(results).unwrap();
}
