//! The files of endgame tables: which there are, and whether they look whole.
//!
//! Everything is checked before the prober sees a folder, since it trusts what it finds.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::material::{Answers, Material};

/// Why there are no tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablebaseError {
    /// A folder cannot be read.
    Folder(PathBuf, ErrorKind),
    /// A file cannot be read.
    File(PathBuf, ErrorKind),
    /// A file is no table, or not all of one.
    Damaged(PathBuf),
    /// No tables in any folder of the list.
    Empty(PathBuf),
    /// The name of a folder is not Unicode, which the prober needs.
    NotUnicode(PathBuf),
    /// The folder is on another drive than the working directory, where the prober cannot look (Windows only).
    OtherDrive(PathBuf),
    /// Other tables are in use in this process, and there can be only one set.
    InUse,
    /// The program was built for a system for which there is no probing code.
    NoProber,
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Folder(path, kind) => write!(f, "cannot read the folder '{}': {kind}", path.display()),
            TablebaseError::File(path, kind) => write!(f, "cannot read '{}': {kind}", path.display()),
            TablebaseError::Damaged(path) => write!(f, "'{}' is no complete endgame table", path.display()),
            TablebaseError::Empty(path) => write!(f, "no endgame tables in '{}'", path.display()),
            TablebaseError::NotUnicode(path) => write!(f, "the path '{}' is not Unicode", path.display()),
            TablebaseError::OtherDrive(path) => {
                write!(f, "'{}' is not on the drive of the working directory", path.display())
            }
            TablebaseError::InUse => write!(f, "other endgame tables are in use in this process"),
            TablebaseError::NoProber => write!(f, "there is no probing code for endgame tables on this system"),
        }
    }
}

impl std::error::Error for TablebaseError {}

/// Folders with tables, and what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collection {
    /// The folders that hold any, in the order of the list.
    pub(super) folders: Vec<PathBuf>,
    pub(super) tables: BTreeMap<Material, Answers>,
}

impl Collection {
    /// Looks through a list of folders, separated as in the system's `PATH`.
    pub(super) fn find(list: &Path) -> Result<Collection, TablebaseError> {
        let mut collection = Collection { folders: Vec::new(), tables: BTreeMap::new() };
        for folder in env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()) {
            if collection.add(&folder)? && !collection.folders.contains(&folder) {
                collection.folders.push(folder);
            }
        }
        let has_wdl = collection.tables.values().any(|answers| answers.wdl);
        if has_wdl { Ok(collection) } else { Err(TablebaseError::Empty(list.into())) }
    }

    /// Takes in the tables of a folder, and says whether there are any.
    fn add(&mut self, folder: &Path) -> Result<bool, TablebaseError> {
        let unreadable = |error: io::Error| TablebaseError::Folder(folder.into(), error.kind());
        let mut any = false;
        for entry in folder.read_dir().map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_stem().and_then(|name| name.to_str());
            let Some(material) = name.and_then(Material::from_name) else { continue };
            let Some(kind) = TableKind::of(&path) else { continue };
            check(&path, kind)?;
            any = true;
            let answers = self.tables.entry(material).or_default();
            match kind {
                TableKind::WinDrawLoss => answers.wdl = true,
                TableKind::DistanceToZero => answers.dtz = true,
            }
        }
        Ok(any)
    }

    /// The folders as one text for the prober, which splits it at colons on every system.
    pub(super) fn for_prober(&self) -> Result<String, TablebaseError> {
        let folders: Result<Vec<String>, TablebaseError> =
            self.folders.iter().map(|folder| without_drive(folder)).collect();
        Ok(folders?.join(":"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TableKind {
    WinDrawLoss,
    DistanceToZero,
}

impl TableKind {
    fn of(path: &Path) -> Option<TableKind> {
        match path.extension()?.to_str()? {
            "rtbw" => Some(TableKind::WinDrawLoss),
            "rtbz" => Some(TableKind::DistanceToZero),
            _ => None,
        }
    }

    /// The first four bytes of such a file.
    fn magic(self) -> [u8; 4] {
        match self {
            TableKind::WinDrawLoss => [0x71, 0xe8, 0x23, 0x5d],
            TableKind::DistanceToZero => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Whether a file begins as a table does and has a length that complete ones have: blocks of 64 bytes and a checksum.
fn check(path: &Path, kind: TableKind) -> Result<(), TablebaseError> {
    let unreadable = |error: io::Error| TablebaseError::File(path.into(), error.kind());
    let mut file = File::open(path).map_err(unreadable)?;
    let data = file.metadata().map_err(unreadable)?;
    if !data.is_file() || data.len() % 64 != 16 || data.len() < 80 {
        return Err(TablebaseError::Damaged(path.into()));
    }
    let mut magic = [0; 4];
    file.read_exact(&mut magic).map_err(unreadable)?;
    if magic == kind.magic() { Ok(()) } else { Err(TablebaseError::Damaged(path.into())) }
}

/// The path as text, without a colon: on Windows the letter of the drive has to go, which leaves the working drive.
fn without_drive(folder: &Path) -> Result<String, TablebaseError> {
    let text = folder.to_str().ok_or_else(|| TablebaseError::NotUnicode(folder.into()))?;
    if !cfg!(windows) {
        return Ok(text.into());
    }
    let Some((drive, rest)) = text.split_once(':') else {
        return Ok(text.into());
    };
    let here = env::current_dir().ok().and_then(|here| Some(here.to_str()?.split_once(':')?.0.to_owned()));
    let same = here.is_some_and(|here| here.eq_ignore_ascii_case(drive));
    if same { Ok(rest.into()) } else { Err(TablebaseError::OtherDrive(folder.into())) }
}
