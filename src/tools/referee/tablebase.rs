//! Endgame tables as judges.

use super::verdict::Verdict;
use crate::chess::Position;

/// Endgame tables.
#[derive(Clone, Debug)]
pub struct Tablebase;

impl Tablebase {
    /// The result by the tables, if they know the position.
    pub fn verdict(&self, _position: &Position) -> Option<Verdict> {
        None
    }
}
