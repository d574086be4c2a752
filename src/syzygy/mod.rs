//! Endgame tables in the Syzygy format: who wins with few men on the board, and how far the next capture or pawn move is.
//!
//! A position the tables do not know, or a file that fails, is no answer; nothing here panics. The files are checked for
//! their form, not for their content: what a well-formed file says is believed. The probing code keeps its state in the
//! process, so there is one set of tables in a process; all that want the same folders share it.

mod files;
mod material;
#[cfg(all(target_pointer_width = "64", any(target_arch = "x86_64", target_vendor = "apple")))]
mod prober;
#[cfg(not(all(target_pointer_width = "64", any(target_arch = "x86_64", target_vendor = "apple"))))]
#[path = "no_prober.rs"]
mod prober;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use files::TablebaseError;
pub use material::MOST_MEN;

use crate::chess::{Move, Position};
use files::Collection;
use material::{Answers, Material};
use prober::{Distances, Prober};

/// The result for the side to move, with the fifty-move counter at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule, which saves a draw.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule, which makes it a draw.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The result if the fifty-move rule counts or not.
    pub fn under(self, fifty_moves: bool) -> Wdl {
        match self {
            Wdl::BlessedLoss if !fifty_moves => Wdl::Loss,
            Wdl::CursedWin if !fifty_moves => Wdl::Win,
            other => other,
        }
    }
}

/// A set of endgame tables.
pub struct Tablebase {
    prober: Prober,
    collection: Collection,
    usable: HashMap<u32, Answers>,
    most_men: u32,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("folders", &self.collection.folders).finish_non_exhaustive()
    }
}

/// The set that is open in the process, if any. The probing code has but one state: this is its owner.
static OPEN: Mutex<Option<Arc<Tablebase>>> = Mutex::new(None);

impl Tablebase {
    /// The tables of a list of folders, separated as in the system's `PATH`: by colons on Unix, by semicolons on Windows.
    ///
    /// # Errors
    /// See [`TablebaseError`]. Tables open elsewhere in the process are in use as long as anybody holds them.
    pub fn open(list: &Path) -> Result<Arc<Tablebase>, TablebaseError> {
        let mut held = None;
        Tablebase::replace(&mut held, list)?;
        held.ok_or(TablebaseError::InUse)
    }

    /// Holds the tables of another list of folders in place of those held so far, which may be none.
    ///
    /// # Errors
    /// As of [`Tablebase::open`]. What was held stays then.
    pub fn replace(held: &mut Option<Arc<Tablebase>>, list: &Path) -> Result<(), TablebaseError> {
        let collection = Collection::find(list)?;
        let folders = collection.for_prober()?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = open.as_ref() {
            if tables.collection == collection {
                *held = Some(Arc::clone(tables));
                return Ok(());
            }
            let ours = held.as_ref().is_some_and(|held| Arc::ptr_eq(held, tables));
            if Arc::strong_count(tables) > 1 + usize::from(ours) {
                return Err(TablebaseError::InUse);
            }
        }
        // The state of the probing code has to be free before it can be taken again.
        let former = held.take().map(|tables| tables.collection.clone());
        *open = None;
        let outcome = Tablebase::take(&mut open, &folders, collection);
        let reopen = |former: Collection| Tablebase::take(&mut open, &former.for_prober().ok()?, former).ok();
        *held = outcome.as_ref().map_or_else(|_| former.and_then(reopen), |tables| Some(Arc::clone(tables)));
        outcome.map(drop)
    }

    /// Opens tables where none are open.
    fn take(
        open: &mut Option<Arc<Tablebase>>,
        folders: &str,
        collection: Collection,
    ) -> Result<Arc<Tablebase>, TablebaseError> {
        let tables = Arc::new(Tablebase::new(Prober::open(folders)?, collection));
        Ok(Arc::clone(open.insert(tables)))
    }

    /// Holds no tables any more. If nobody else does, their files are closed.
    pub fn give_back(held: &mut Option<Arc<Tablebase>>) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        *held = None;
        if open.as_ref().is_some_and(|tables| Arc::strong_count(tables) == 1) {
            *open = None;
        }
    }

    fn new(prober: Prober, collection: Collection) -> Tablebase {
        let usable = material::usable(&collection.tables);
        let men = collection.tables.iter().filter(|(_, answers)| answers.wdl).map(|(material, _)| material.men());
        let most_men = men.max().unwrap_or(0);
        Tablebase { prober, collection, usable: usable.into_iter().collect(), most_men }
    }

    /// The most men on the board, kings included, that any table is for.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// How many tables of results and of distances there are.
    pub fn counts(&self) -> (usize, usize) {
        let count = |has: fn(&Answers) -> bool| self.collection.tables.values().filter(|answers| has(answers)).count();
        (count(|answers| answers.wdl), count(|answers| answers.dtz))
    }

    fn answers(&self, position: &Position) -> Answers {
        let men = position.board().occupied().len();
        if men > self.most_men || !position.castling().is_none() {
            return Answers::default();
        }
        if men == 2 {
            return Answers { wdl: true, dtz: true };
        }
        self.usable.get(&Material::of(position).signature()).copied().unwrap_or_default()
    }

    /// The result of a position, as if its fifty-move counter stood at 0; none if no table knows it. Positions with
    /// castling rights are in no table.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if self.answers(position).wdl { self.prober.wdl(position) } else { None }
    }

    /// The plies to the next capture or pawn move with best play on both sides, as if the fifty-move counter stood at 0:
    /// positive for a win, negative for a loss, 0 for a draw; beyond 100 where the fifty-move rule makes it a draw. Some
    /// tables count in moves, so that the number may be one too small. -1 also stands for mate on the board.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        self.distances(position).map(|distances| distances.position)
    }

    /// The same for every legal move, from the side of the mover and with the move itself counted, in the order of the
    /// move generator. A move that captures or pushes a pawn counts 1 if it keeps a win, or 101 if the win is one that the
    /// fifty-move rule will prevent.
    pub fn dtz_of_moves(&self, position: &Position) -> Option<Vec<(Move, i32)>> {
        self.distances(position).map(|distances| distances.moves)
    }

    fn distances(&self, position: &Position) -> Option<Distances> {
        if self.answers(position).dtz { self.prober.distances(position) } else { None }
    }
}

impl fmt::Display for Tablebase {
    /// `35 WDL and 35 DTZ tables of up to 4 men`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wdl, dtz) = self.counts();
        write!(f, "{wdl} WDL and {dtz} DTZ tables of up to {} men", self.most_men)
    }
}
