//! Networks from files: `EvalFile` takes one or says why not, `export_net` writes the one in use.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine_process::searched::game_of;
use crate::engine_process::{EngineProcess, output_of, with_session};
use crate::options::Folder;

const EVAL_FILE: &str = "setoption name EvalFile value";

/// The nodes of a short bench: the fingerprint of search and network.
fn bench(engine: &mut EngineProcess) -> u64 {
    engine.send("bench 2");
    let total = engine.read_until("").pop();
    let mut line = total.unwrap();
    while !line.ends_with(" nps") {
        line = engine.read_until("").remove(0);
    }
    let count = line.split(' ').next().unwrap().parse().unwrap();
    // A search waits for the end of the bench: what is asked right after its last line might be answered before it.
    engine.go("depth 1");
    count
}

/// Writes the network of the program into the folder.
fn export(folder: &Folder) -> PathBuf {
    let path = folder.path("own  net ü.nnue");
    let lines = output_of(&[&format!("export_net {}", path.display())]);
    assert!(
        lines.len() == 1 && lines[0].starts_with("info string ") && lines[0].contains("own  net ü.nnue"),
        "{lines:?}"
    );
    path
}

/// The bytes of a sound file with other output biases, which give other values.
fn another_network(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let description = u32::from_le_bytes(bytes[32..36].try_into().unwrap()) as usize;
    let (sum_at, weights_at) = (36 + description, 44 + description);
    let biases = bytes.len() - 32;
    for bias in bytes[biases..].chunks_exact_mut(4) {
        let value = i32::from_le_bytes((&*bias).try_into().unwrap());
        bias.copy_from_slice(&(value + 4_000).to_le_bytes());
    }
    // FNV-1a, as the head of the module says.
    let fold = |hash: u64, &byte: &u8| (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
    let sum = bytes[weights_at..].iter().fold(0xCBF2_9CE4_8422_2325, fold);
    bytes[sum_at..weights_at].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn an_exported_network_can_be_loaded_and_plays_the_same() {
    let folder = Folder::new("own net");
    let path = export(&folder);
    let expected = output_of(&["eval"]);
    with_session(|engine| {
        let count = bench(engine);
        engine.tell(&format!("{EVAL_FILE} {}", path.display()));
        assert_eq!(bench(engine), count);
        engine.go("depth 4").check(&game_of("", &[]));
        assert_eq!(engine.ask("eval"), expected);
        let again = folder.path("again.nnue");
        assert_eq!(engine.ask(&format!("export_net {}", again.display())).len(), 1);
        assert_eq!(fs::read(again).unwrap(), fs::read(&path).unwrap());
    });
}

#[test]
fn another_network_evaluates_otherwise_until_the_default_is_restored() {
    let folder = Folder::new("other net");
    let own = fs::read(export(&folder)).unwrap();
    let path = folder.path("other.nnue");
    fs::write(&path, another_network(&own)).unwrap();
    with_session(|engine| {
        let before = engine.ask("eval");
        for default in ["<empty>", ""] {
            engine.tell(&format!("setoption name evalfile value {}", path.display()));
            assert_ne!(engine.ask("eval"), before);
            engine.go("depth 4").check(&game_of("", &[]));
            engine.tell(&format!("{EVAL_FILE} {default}"));
            assert_eq!(engine.ask("eval"), before);
        }
        // What is exported is what is in use.
        engine.tell(&format!("{EVAL_FILE} {}", path.display()));
        let again = folder.path("again.nnue");
        engine.ask(&format!("export_net {}", again.display()));
        assert_eq!(fs::read(again).unwrap(), fs::read(&path).unwrap());
    });
}

/// Loads a file with these bytes, which must be refused for this reason and change nothing.
fn refused(engine: &mut EngineProcess, path: &Path, bytes: &[u8], reason: &str) {
    fs::write(path, bytes).unwrap();
    let error = engine.error_of(&format!("{EVAL_FILE} {}", path.display()));
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(["EvalFile", name, reason].iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn files_that_are_no_network_are_refused_and_the_network_in_use_stays() {
    let folder = Folder::new("bad nets");
    let own = fs::read(export(&folder)).unwrap();
    let other = folder.path("other.nnue");
    fs::write(&other, another_network(&own)).unwrap();
    let path = folder.path("bad.nnue");
    with_session(|engine| {
        engine.tell(&format!("{EVAL_FILE} {}", other.display()));
        let (value, count) = (engine.ask("eval"), bench(engine));
        for length in [8, 10, 25, 33, 40, 1_000, own.len() / 2, own.len() - 1] {
            refused(engine, &path, &own[..length], "ends too early");
        }
        refused(engine, &path, &[], "not a network file");
        refused(engine, &path, &[&own[..], &[0; 5]].concat(), "5 bytes after its end");
        refused(engine, &path, b"a foreign file, longer than the first few bytes of a network", "not a network file");
        refused(engine, &path, &fs::read(env!("CARGO_BIN_EXE_luft")).unwrap(), "not a network file");
        for at in [own.len() / 3, own.len() - 1] {
            let mut bytes = own.clone();
            bytes[at] ^= 0x10;
            refused(engine, &path, &bytes, "damaged");
        }
        let changed = |at: usize| {
            let mut bytes = own.clone();
            bytes[at] ^= 1;
            bytes
        };
        refused(engine, &path, &changed(8), "version");
        // The hash of the architecture, inputs, hidden units, buckets.
        [12, 20, 24, 28].iter().for_each(|&at| refused(engine, &path, &changed(at), "another architecture"));
        assert_eq!(engine.ask("eval"), value);
        assert_eq!(bench(engine), count);
        engine.go("depth 4").check(&game_of("", &[]));
    });
}

#[test]
fn a_flipped_byte_anywhere_is_noticed() {
    let folder = Folder::new("flipped");
    let own = fs::read(export(&folder)).unwrap();
    let description = u32::from_le_bytes(own[32..36].try_into().unwrap()) as usize;
    let path = folder.path("flipped.nnue");
    with_session(|engine| {
        let value = engine.ask("eval");
        // All of the head but the description, which is only words, and a sample of the weights.
        for at in (0..36).chain(36 + description..44 + description).chain((1_000..own.len()).step_by(20_011)) {
            let mut bytes = own.clone();
            bytes[at] ^= 0x80;
            refused(engine, &path, &bytes, "stays as it was");
        }
        assert_eq!(engine.ask("eval"), value);
    });
}

#[test]
fn paths_that_lead_to_no_file_are_told() {
    let folder = Folder::new("no nets");
    with_session(|engine| {
        let missing = folder.path("missing.nnue");
        let error = engine.error_of(&format!("{EVAL_FILE} {}", missing.display()));
        assert!(error.contains("EvalFile") && error.contains("missing.nnue"), "{error}");
        let error = engine.error_of(&format!("{EVAL_FILE} {}", folder.path("").display()));
        assert!(error.contains("not a regular file"), "{error}");
        engine.go("depth 3").check(&game_of("", &[]));
    });
}

#[test]
fn a_network_that_cannot_be_written_is_told() {
    let folder = Folder::new("unwritable");
    let path = folder.path("no such folder").join("net.nnue");
    with_session(|engine| {
        let error = engine.error_of(&format!("export_net {}", path.display()));
        assert!(error.contains("export_net") && error.contains("no such folder"), "{error}");
        engine.go("depth 3").check(&game_of("", &[]));
    });
    let ended = EngineProcess::start_with(&["export_net", path.to_str().unwrap()]).end();
    assert_eq!(ended.status.code(), Some(1));
}

#[test]
fn without_a_name_the_network_is_written_as_luft_nnue() {
    let folder = Folder::new("unnamed");
    let mut command = std::process::Command::new(crate::engine_process::PROGRAM);
    let ended = EngineProcess::start_command(command.arg("export_net").current_dir(folder.path(""))).end();
    assert!(ended.status.success(), "{:?}", ended.lines);
    assert_eq!(fs::read(folder.path("luft.nnue")).unwrap(), fs::read(export(&folder)).unwrap());
}
