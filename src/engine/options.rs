//! What can be set, with its limits. Names and texts are the business of `uci`.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::search::{Handicap, Params, TablebaseUse};

/// The values an option accepts.
pub type OptionRange = RangeInclusive<i64>;

/// The engine's settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the hash table in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many variations are reported.
    pub multi_pv: usize,
    /// Milliseconds lost on every move between engine and clock.
    pub move_overhead_ms: usize,
    /// Nodes that count as a millisecond, 0 for real time.
    pub nodes_per_ms: usize,
    /// Whether the client lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the client analyses and does not play: then nothing that is meant for an opponent applies, as a limit of
    /// strength.
    pub analyse_mode: bool,
    /// Whether to play no better than `elo`.
    pub limit_strength: bool,
    /// The rating to play at, if strength is limited.
    pub elo: usize,
    /// Who plays against the engine, as the client says: title, rating, `human` or `computer`, name. Empty when not told.
    pub opponent: String,
    /// The numbers that steer the search.
    pub params: Params,
    /// Whether the chances of win, draw and loss are told with each score.
    pub show_win_draw_loss: bool,
    /// Endgame tables and when to ask them.
    pub tablebase: TablebaseUse,
}

impl Options {
    /// Accepted sizes of the hash table in MiB.
    pub const HASH_MIB: OptionRange = 1..=1_048_576;
    /// Accepted numbers of threads.
    pub const THREADS: OptionRange = 1..=1024;
    /// Accepted numbers of variations.
    pub const MULTI_PV: OptionRange = 1..=256;
    /// Accepted overheads in milliseconds.
    pub const MOVE_OVERHEAD_MS: OptionRange = 0..=5_000;
    /// Accepted least depths at which endgame tables are asked.
    pub const SYZYGY_PROBE_DEPTH: OptionRange = 1..=100;
    /// Accepted largest numbers of men with which endgame tables are asked.
    pub const SYZYGY_PROBE_LIMIT: OptionRange = 0..=7;
    /// Accepted nodes per millisecond.
    pub const NODES_PER_MS: OptionRange = 0..=10_000;

    /// Accepted ratings.
    pub const ELO: OptionRange = *Handicap::RATINGS.start() as i64..=*Handicap::RATINGS.end() as i64;

    /// What a move loses between engine and clock. Where time is counted in nodes, nothing is lost.
    pub fn move_overhead(&self) -> Duration {
        if self.nodes_per_ms > 0 { Duration::ZERO } else { Duration::from_millis(self.move_overhead_ms as u64) }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead_ms: 20,
            nodes_per_ms: 0,
            ponder: false,
            chess960: false,
            analyse_mode: false,
            limit_strength: false,
            elo: 1500,
            opponent: String::new(),
            params: Params::DEFAULT,
            show_win_draw_loss: false,
            tablebase: TablebaseUse::default(),
        }
    }
}
