//! Endgame tables in the search: results below the root, and an order of the root moves that keeps a win.
//!
//! Where distances are known for the root, the root moves are ranked by them and the tables are not asked below: they have
//! said all, and a search that sees only the board can still find the mate. Where only results are known, they rank the root
//! moves too, and go on counting below.

use std::sync::Arc;

use super::control::Stopped;
use super::limits::Limits;
use super::moves::Candidate;
use super::node::{NonPv, Pv, Window};
use super::root::{RootMove, RootMoves};
use super::worker::Search;
use crate::chess::{Game, Move};
use crate::score::{Bound, MAX_PLY, Score};
use crate::syzygy::{MOST_MEN, Tablebase, Wdl};
use crate::transposition::Learned;

/// Which endgame tables a search uses, and when.
#[derive(Clone, Debug)]
pub struct TablebaseUse {
    /// The tables, if there are any.
    pub tables: Option<Arc<Tablebase>>,
    /// The least depth at which a position below the root is looked up.
    pub least_depth: i32,
    /// Positions with more men, kings included, are not looked up.
    pub most_men: u32,
    /// Whether the fifty-move rule counts.
    pub fifty_moves: bool,
}

impl Default for TablebaseUse {
    fn default() -> TablebaseUse {
        TablebaseUse { tables: None, least_depth: 1, most_men: MOST_MEN, fifty_moves: true }
    }
}

impl TablebaseUse {
    /// The same, if there are tables and a search with these limits asks them: a mate is proved by the board alone, and a
    /// player with a handicap plays by it.
    pub(super) fn where_asked(&self, limits: &Limits) -> Option<&TablebaseUse> {
        let by_board = limits.mate.is_some() || limits.handicap.is_some();
        (self.tables.is_some() && !by_board).then_some(self)
    }

    /// The tables, if they may know positions with so many men.
    #[inline(always)]
    fn for_men(&self, men: u32) -> Option<&Tablebase> {
        let tables = self.tables.as_deref()?;
        (men <= self.most_men && men <= tables.most_men()).then_some(tables)
    }
}

/// What the tables say of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableRank {
    /// Orders the moves of a root: higher is better.
    pub(super) rank: i32,
    /// What the move is worth.
    pub(super) score: Score,
}

/// Ranks of won and lost moves lie this far from 0, less the plies that matter.
const DECIDED: i32 = 100_000;
/// Moves that only the fifty-move rule keeps from deciding the game.
const SPOILED: i32 = 10_000;

impl TableRank {
    const DRAW: TableRank = TableRank { rank: 0, score: Score::DRAW };
    /// Which loss is played is a matter for the search, so all are worth the same.
    const LOSS: TableRank = TableRank { rank: -DECIDED, score: Score::tablebase_loss_at(MAX_PLY) };

    /// The rank of a move with this many plies to the next capture or pawn move, itself counted, and the fifty-move counter
    /// before it.
    ///
    /// Tables may count a ply too few, so a win needs a ply to spare, unless the counter has just begun.
    fn by_distance(plies: i32, clock: i32, fifty_moves: bool) -> TableRank {
        let distance = plies.abs();
        let end = distance + clock;
        let in_time = !fifty_moves || end < 100 || distance == 1 || (distance == 100 && clock == 0);
        let far = Score::tablebase_win_at((distance as usize).min(MAX_PLY));
        match plies.signum() {
            1 if in_time => TableRank { rank: DECIDED - distance, score: far },
            1 => TableRank { rank: SPOILED - end.min(SPOILED / 2), score: Score::DRAW + 1 },
            -1 if fifty_moves && end > 100 => {
                TableRank { rank: end.min(SPOILED / 2) - SPOILED, score: Score::DRAW - 1 }
            }
            // Where the opponent may run out of moves by a mistake, delay counts.
            -1 if fifty_moves && end + distance >= 100 => TableRank { rank: end - DECIDED, ..TableRank::LOSS },
            -1 => TableRank::LOSS,
            _ => TableRank::DRAW,
        }
    }

    fn by_result(result: Wdl) -> TableRank {
        let far = Score::tablebase_win_at(MAX_PLY);
        match result {
            Wdl::Win => TableRank { rank: DECIDED, score: far },
            Wdl::CursedWin => TableRank { rank: SPOILED, score: Score::DRAW + 1 },
            Wdl::Draw => TableRank::DRAW,
            Wdl::BlessedLoss => TableRank { rank: -SPOILED, score: Score::DRAW - 1 },
            Wdl::Loss => TableRank::LOSS,
        }
    }

    fn is_win(self) -> bool {
        self.score.is_win()
    }
}

/// By what the tables have ranked the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RootRanking {
    Results,
    Distances,
}

/// What the tables say of the moves of a root. They answer one question after the other, so they are asked once for all
/// workers of a team.
#[derive(Clone, Debug)]
pub struct RootRanks {
    ranking: RootRanking,
    ranks: Vec<(Move, TableRank)>,
}

impl RootRanks {
    /// Asks about the position at the end of `game`; none where the tables do not know it, or are not to be asked.
    pub fn ask(game: &Game, limits: &Limits, usage: &TablebaseUse) -> Option<RootRanks> {
        let root = game.position();
        let tables = usage.where_asked(limits)?.for_men(root.board().occupied().len())?;
        let clock = i32::from(root.halfmove_clock());
        let (ranking, mut ranks) = if let Some(distances) = tables.dtz_of_moves(root) {
            let rank = |&(mv, plies): &(Move, i32)| (mv, TableRank::by_distance(plies, clock, usage.fifty_moves));
            (RootRanking::Distances, distances.iter().map(rank).collect())
        } else {
            (RootRanking::Results, ranks_by_result(game, tables, usage)?)
        };
        let ranked: &mut Vec<(Move, TableRank)> = &mut ranks;
        for (mv, rank) in ranked {
            if repeats(game, *mv, *rank) {
                *rank = TableRank::DRAW;
            }
        }
        Some(RootRanks { ranking, ranks })
    }

    /// Whether the tables have said all: then they are not asked below the root.
    pub(super) fn are_by_distance(&self) -> bool {
        self.ranking == RootRanking::Distances
    }
}

impl RootMoves {
    /// Takes note of what the tables say and puts the best moves first.
    pub(super) fn rank(&mut self, by_tables: &RootRanks) {
        for root_move in &mut self.0 {
            let known = by_tables.ranks.iter().find(|(mv, _)| *mv == root_move.mv);
            root_move.by_tables = known.map(|&(_, rank)| rank);
        }
        self.0.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank()));
    }
}

fn ranks_by_result(game: &Game, tables: &Tablebase, usage: &TablebaseUse) -> Option<Vec<(Move, TableRank)>> {
    let root = game.position();
    let rank = |&mv: &Move| {
        let result = match tables.wdl(&root.after(mv))? {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        };
        Some((mv, TableRank::by_result(result.under(usage.fifty_moves))))
    };
    root.legal_moves().iter().map(rank).collect()
}

/// Whether the move leads to a draw by threefold repetition: at once, or, where it would win, if the opponent can bring
/// it about in reply.
fn repeats(game: &Game, mv: Move, rank: TableRank) -> bool {
    let mut game = game.clone();
    game.play(mv);
    if game.position().halfmove_clock() == 0 {
        return false;
    }
    let replies = if rank.rank > 0 { game.position().legal_moves() } else { Default::default() };
    game.occurrences() >= 3
        || replies.iter().any(|&reply| {
            game.play(reply);
            let repeated = game.occurrences() >= 3;
            game.undo();
            repeated
        })
}

impl RootMove {
    /// The rank by the tables; 0 without.
    pub(super) fn rank(&self) -> i32 {
        self.by_tables.map_or(0, |known| known.rank)
    }

    /// Orders root moves: a mate that was found stands above all, then the tables decide, then the score.
    pub(super) fn standing(&self) -> (i32, Score) {
        if self.score.is_mate() && self.score.is_win() { (i32::MAX, self.score) } else { (self.rank(), self.score) }
    }

    /// The score to tell where the search found `score`: what the tables say, unless the search knows the mate.
    pub(super) fn told(&self, score: Score) -> Score {
        match self.by_tables {
            None => score,
            Some(_) if score.is_mate() && score.is_win() => score,
            // Only when no move lasts longer is a mate the end of all.
            Some(known) if known.rank == -DECIDED && score.is_mate() && score != Score::MINUS_INFINITE => score,
            Some(known) => known.score,
        }
    }

    /// Whether the score told is that of the tables.
    pub(super) fn is_told_by_tables(&self, score: Score) -> bool {
        self.by_tables.is_some() && self.told(score) != score
    }
}

/// How a root move is searched beside those of the best rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootPart {
    /// It is one of them.
    Full,
    /// It wins as well, but later: it matters only if it mates.
    OnlyMates,
    /// Not at all.
    None,
}

impl RootMoves {
    /// How the move at this place is searched for the variation that begins at `first`.
    pub(super) fn part(&self, index: usize, first: usize) -> RootPart {
        let best = self.0[first..].iter().map(RootMove::rank).max().unwrap_or(0);
        let root_move = &self.0[index];
        if root_move.rank() == best {
            RootPart::Full
        } else if root_move.by_tables.is_some_and(TableRank::is_win) {
            RootPart::OnlyMates
        } else {
            RootPart::None
        }
    }
}

/// What the tables prove of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proved {
    pub(super) score: Score,
    bound: Bound,
}

impl Proved {
    /// What anybody knows.
    const NOTHING: Proved = Proved { score: Score::MINUS_INFINITE, bound: Bound::Lower };

    fn of(result: Wdl, ply: usize) -> Proved {
        let win = Score::tablebase_win_at(ply);
        match result {
            // There may be a mate, which is worth more.
            Wdl::Win => Proved { score: win, bound: Bound::Lower },
            Wdl::Loss => Proved { score: -win, bound: Bound::Upper },
            Wdl::CursedWin => Proved { score: Score::DRAW + 1, bound: Bound::Exact },
            Wdl::Draw => Proved { score: Score::DRAW, bound: Bound::Exact },
            Wdl::BlessedLoss => Proved { score: Score::DRAW - 1, bound: Bound::Exact },
        }
    }

    #[inline(always)]
    pub(super) fn settles(self, window: Window) -> bool {
        self.bound.settles(self.score, window.alpha, window.beta)
    }

    /// What the side to move has at least.
    #[inline(always)]
    pub(super) fn at_least(self) -> Score {
        if self.bound == Bound::Lower { self.score } else { Score::MINUS_INFINITE }
    }

    /// What it has at most.
    #[inline(always)]
    pub(super) fn at_most(self) -> Score {
        if self.bound == Bound::Upper { self.score } else { Score::INFINITE }
    }
}

/// What the tables say stays true however deep is searched: it is stored as if it came from so much deeper.
const STORED_DEEPER: i32 = 6;

impl Search<'_> {
    /// What the tables say of the node.
    #[inline(always)]
    pub(super) fn ask_tables(&mut self, depth: i32, ply: usize) -> Proved {
        let asked = self.tablebase.filter(|usage| depth >= usage.least_depth && self.plies[ply].excluded.is_none());
        asked.and_then(|usage| self.probe(usage, ply)).unwrap_or(Proved::NOTHING)
    }

    /// The tables count fifty moves from the position on, so it must be one right after a capture or pawn move.
    fn probe(&mut self, usage: &TablebaseUse, ply: usize) -> Option<Proved> {
        let position = self.game.position();
        let tables = usage.for_men(position.board().occupied().len())?;
        let result = if position.halfmove_clock() == 0 { tables.wdl(position)? } else { return None };
        self.control.count_tablebase_hit();
        Some(Proved::of(result.under(usage.fifty_moves), ply))
    }

    /// Remembers what the tables say, which is slower to ask than the transposition table.
    pub(super) fn remember_proved(&self, proved: Proved, depth: i32, ply: usize, was_pv: bool) {
        let Proved { score, bound } = proved;
        let learned = Learned { mv: None, score, evaluation: None, depth: depth + STORED_DEEPER, bound, was_pv };
        self.table.store(self.position().key(), ply, learned);
    }

    /// The score of a root move that matters only if it mates, and mates faster than `alpha`; none if it does not.
    pub(super) fn mate_by(
        &mut self,
        candidate: &Candidate,
        depth: i32,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let window = Window { alpha: alpha.max(Score::BELOW_MATES), beta: Score::INFINITE };
        self.plies[0].exposure = candidate.exposure;
        self.plies[0].number = candidate.number;
        self.play(candidate.mv, 0);
        let null = Window::null(window.alpha).flipped();
        let mut score = -self.search_node::<NonPv>(null, depth - 1, 1, true)?;
        if score > window.alpha {
            score = -self.search_node::<Pv>(window.flipped(), depth - 1, 1, false)?;
        }
        self.take_back();
        Ok((score > window.alpha).then_some(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_fifty_move_rule() {
        let rank = |plies, clock| TableRank::by_distance(plies, clock, true);
        assert!(rank(5, 0).rank > rank(7, 0).rank && rank(7, 0).is_win());
        // Wins in time, just in time, too late; draws; losses that may be saved, and that are.
        let order = [
            rank(1, 99),
            rank(99, 0),
            rank(100, 0),
            rank(60, 41),
            rank(90, 41),
            rank(0, 41),
            rank(-80, 41),
            rank(-60, 41),
            rank(-40, 41),
            rank(-30, 41),
            rank(-3, 41),
        ];
        assert!(order.is_sorted_by_key(|rank| -rank.rank), "{order:?}");
        assert!(order.is_sorted_by_key(|rank| -rank.score.units()), "{order:?}");
        let wins = order.iter().filter(|rank| rank.is_win()).count();
        assert_eq!((wins, rank(-80, 41).score, rank(-30, 41).score.is_loss()), (3, Score::DRAW - 1, true));
        assert!(TableRank::by_distance(90, 41, false).is_win() && TableRank::by_distance(140, 0, false).is_win());
        assert!(!rank(140, 0).is_win());
    }
}
