//! Any bytes as a list of folders with endgame tables. `@` stands for a folder of the target's own, in which the names on
//! the lines after the first lie as files that look like tables.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use luft::syzygy::Tablebase;

/// Emptied for each input.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("luft-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for tables");
    folder
});

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// The beginning and the length of a table of this name, but nothing in it.
fn contents(name: &[u8]) -> Vec<u8> {
    let magic = if name.ends_with(b"z") { [0xd7, 0x66, 0x0c, 0xa5] } else { [0x71, 0xe8, 0x23, 0x5d] };
    let mut file = magic.to_vec();
    file.resize(80 - name.len() / 60, 0);
    file
}

fn write_tables<'a>(names: impl Iterator<Item = &'a [u8]>) -> Vec<PathBuf> {
    let one_part =
        |name: &&[u8]| !name.is_empty() && !name.contains(&b'/') && !name.contains(&b'\\') && **name != *b"..";
    let write = |name: &[u8]| {
        let path = FOLDER.join(path_of(name));
        fs::write(&path, contents(name)).is_ok().then_some(path)
    };
    names.filter(one_part).take(8).filter_map(write).collect()
}

fn with_folder(list: &[u8]) -> Vec<u8> {
    let folder = FOLDER.as_os_str().as_encoded_bytes();
    let letters = list.iter().map(|letter| if *letter == b'@' { folder } else { std::slice::from_ref(letter) });
    letters.collect::<Vec<_>>().concat()
}

/// Tables are opened or refused, and what is said of them can be said; what was held before stays on a refusal.
fn open(list: &Path) {
    match Tablebase::open(list) {
        Ok(tables) => {
            let (results, distances) = tables.counts();
            assert!(results > 0 && distances <= 8 && tables.most_men() >= 3, "{tables} in {}", list.display());
            let mut held = Some(tables);
            assert!(Tablebase::replace(&mut held, Path::new("/nowhere")).is_err() && held.is_some());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let list = path_of(&with_folder(lines.next().unwrap_or_default()));
    let files = write_tables(lines);
    open(&list);
    files.iter().for_each(|file| drop(fs::remove_file(file)));
});
