//! One worker's search: iterative deepening over a principal-variation search with a transposition table.
//!
//! The way in is [`Worker::search`]: a game, limits and a sink for reports in, a [`SearchResult`] out. Reports carry
//! numbers and moves, never text. Time is read in `control` and nowhere else.
//!
//! Read `iterate` (deepening and aspiration), `root` (the first ply), `node` (every other ply), `moves` (the moves of a
//! node), `learning` (what it leaves behind), `quiescence` (the leaves) in that order, with `README.md` beside them;
//! functions that decide something (`reduction`, `move_pruning`, `null_move`, `clock`) are pure and stand in their own
//! files.

mod clock;
mod control;
mod handicap;
mod history;
mod iterate;
mod learning;
mod limits;
mod line;
mod milestones;
mod move_pruning;
mod moves;
mod node;
mod node_context;
mod node_pruning;
mod null_move;
mod params;
mod picker;
mod pv;
mod quiescence;
mod reduction;
mod report;
mod root;
mod signals;
mod singular;
mod table_line;
mod tables;
mod team;
mod worker;

pub use clock::Budget;
pub use handicap::Handicap;
pub use limits::{ClockState, Limits};
pub use milestones::Milestones;
pub use params::Params;
pub use report::{Event, Finding, Report, SearchResult};
pub use signals::Signals;
pub use tables::{RootRanks, TablebaseUse};
pub use team::{Seat, Team};
pub use worker::{Assignment, Settings, Worker};

/// The deepest iteration.
pub const MAX_DEPTH: i32 = 240;
