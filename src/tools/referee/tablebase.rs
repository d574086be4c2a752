//! Endgame tables as judges: Syzygy tables end a game as soon as they know its result.
//!
//! The probing code keeps its state in the process, so there is one set of tables, and each question is asked under a
//! lock. It takes any table for present, so only those are asked whose files have been seen here. What the files say is
//! believed: files from a doubtful source can make the process fail.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyrrhic_rs::{EngineAdapter, TBError, TableBases, WdlProbeResult};

use super::verdict::{Reason, Verdict};
use crate::chess::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks};
use crate::chess::{Bitboard, Color, PieceKind, Position, Square};

/// Endgame tables.
#[derive(Clone)]
pub struct Tablebase {
    tables: Arc<Mutex<TableBases<Attacks>>>,
    /// The names of the tables' files without their endings: `KQvKR`.
    present: Arc<HashSet<String>>,
}

/// Why there are no tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablebaseError {
    /// No tables in the folder.
    Empty(PathBuf),
    /// The name of the folder cannot be passed on.
    Path(PathBuf),
    /// Tables are open already.
    InUse,
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Empty(path) => write!(f, "no endgame tables in {}", path.display()),
            TablebaseError::Path(path) => write!(f, "endgame tables: the path {} is not UTF-8", path.display()),
            TablebaseError::InUse => write!(f, "endgame tables are open already"),
        }
    }
}

impl std::error::Error for TablebaseError {}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("tables", &self.present.len()).finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The tables of a folder (several are separated as in the `PATH` of a Unix shell). One set in a process.
    ///
    /// # Errors
    /// See [`TablebaseError`].
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        let text = path.to_str().ok_or_else(|| TablebaseError::Path(path.into()))?;
        let present: HashSet<String> = text.split(':').flat_map(|folder| table_names(Path::new(folder))).collect();
        if present.is_empty() {
            return Err(TablebaseError::Empty(path.into()));
        }
        let tables = TableBases::new(text).map_err(|error| match error {
            TBError::AlreadyInitialized => TablebaseError::InUse,
            _ => TablebaseError::Empty(path.into()),
        })?;
        Ok(Tablebase { tables: Arc::new(Mutex::new(tables)), present: Arc::new(present) })
    }

    fn has_table(&self, position: &Position) -> bool {
        let (white, black) = (men(position, Color::White), men(position, Color::Black));
        self.present.contains(&format!("{white}v{black}")) || self.present.contains(&format!("{black}v{white}"))
    }

    /// The result by the tables, if they know the position.
    ///
    /// The tables count fifty moves from the position that is asked about: so only positions right after a capture or a
    /// pawn move are judged. Wins that the fifty moves prevent are draws.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let board = position.board();
        let is_candidate =
            position.halfmove_clock() == 0 && position.castling().is_none() && board.occupied().len() <= 7;
        if !(is_candidate && self.has_table(position) && position.has_legal_move()) {
            return None;
        }
        let kind = |kind| board.kind(kind).0;
        let us = position.side_to_move();
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let probed = tables.probe_wdl(
            board.color(Color::White).0,
            board.color(Color::Black).0,
            kind(PieceKind::King),
            kind(PieceKind::Queen),
            kind(PieceKind::Rook),
            kind(PieceKind::Bishop),
            kind(PieceKind::Knight),
            kind(PieceKind::Pawn),
            position.en_passant().map_or(0, |square| square as u32),
            us == Color::White,
        );
        match probed.ok()? {
            WdlProbeResult::Win => Some(Verdict::win(us, Reason::Tablebase)),
            WdlProbeResult::Loss => Some(Verdict::win(!us, Reason::Tablebase)),
            WdlProbeResult::Draw | WdlProbeResult::CursedWin | WdlProbeResult::BlessedLoss => {
                Some(Verdict::draw(Reason::Tablebase))
            }
        }
    }
}

/// The tables in a folder whose files have the length that complete ones have.
fn table_names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let name = |file: std::fs::DirEntry| {
        let is_complete = file.metadata().is_ok_and(|data| data.len() & 63 == 16);
        let name = file.file_name().to_str()?.strip_suffix(".rtbw")?.to_owned();
        is_complete.then_some(name)
    };
    files.filter_map(name).collect()
}

/// The men of one side as tables are named: `KRP`.
fn men(position: &Position, color: Color) -> String {
    let kinds = PieceKind::ALL.into_iter().rev();
    let letters = kinds.map(|kind| {
        let count = position.board().pieces(color, kind).len() as usize;
        kind.letter().to_ascii_uppercase().to_string().repeat(count)
    });
    letters.collect()
}

/// Attacks as the probing code asks for them.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::from_index(index as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, index: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, square(index)).0
    }

    fn knight_attacks(index: u64) -> u64 {
        knight_attacks(square(index)).0
    }

    fn bishop_attacks(index: u64, occupied: u64) -> u64 {
        bishop_attacks(square(index), Bitboard(occupied)).0
    }

    fn rook_attacks(index: u64, occupied: u64) -> u64 {
        rook_attacks(square(index), Bitboard(occupied)).0
    }

    fn queen_attacks(index: u64, occupied: u64) -> u64 {
        queen_attacks(square(index), Bitboard(occupied)).0
    }

    fn king_attacks(index: u64) -> u64 {
        king_attacks(square(index)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs where the project's shared tables lie beside the source; elsewhere there is nothing to ask.
    #[test]
    fn tables_judge_what_they_know() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
        if !folder.exists() {
            println!("no tables in {}: nothing tested", folder.display());
            return;
        }
        assert_eq!(Tablebase::open(Path::new("/no/tables")).err(), Some(TablebaseError::Empty("/no/tables".into())));
        let tables = Tablebase::open(&folder).expect("tables");
        let verdict = |fen: &str| tables.verdict(&fen.parse().expect("a position"));
        let white_wins = Some(Verdict::win(Color::White, Reason::Tablebase));
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 w - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 b - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), white_wins);
        assert_eq!(verdict("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), None, "stalemate is for the laws");
        assert_eq!(verdict("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1"), Some(Verdict::draw(Reason::Tablebase)));
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQ6 w - - 1 1"), None, "the fifty moves have begun");
        assert_eq!(verdict("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None, "castling");
        assert_eq!(verdict("4k3/8/8/8/8/8/8/KQQQQ3 b - - 0 1"), None, "no such table");
        assert_eq!(verdict("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
    }
}
