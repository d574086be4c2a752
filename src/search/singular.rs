//! Singular extensions: a table move that is far better than all others is searched deeper.
//!
//! Source: Anantharaman, Campbell, Hsu, "Singular Extensions: Adding Selectivity to Brute-Force Searching", 1988; in the
//! form with an excluded move and the table's score as the measure (Chess Programming Wiki, "Singular Extensions").

use super::control::Stopped;
use super::node::{NodeKind, NonPv, Window};
use super::node_context::NodeContext;
use super::params::Params;
use super::worker::Search;
use crate::chess::Move;
use crate::score::{Bound, Score};

/// What the search of the other moves has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singularity {
    /// The table's move is to be searched so many plies deeper (or, below zero, shallower).
    Extend(i32),
    /// Another move is above beta too: the node is worth this.
    MultiCut(Score),
}

/// The numbers that decide: what the others came to, against what they were asked for.
struct Verdict {
    others: Score,
    asked: Score,
    table_score: Score,
    beta: Score,
    is_pv: bool,
    is_cut_node: bool,
}

fn judge(verdict: &Verdict, params: &Params) -> Singularity {
    let Verdict { others, asked, table_score, beta, is_pv, is_cut_node } = *verdict;
    if others < asked {
        let shortfall = asked - others;
        let double = !is_pv && shortfall > params.double_extension_margin;
        let triple = !is_pv && shortfall > params.triple_extension_margin;
        return Singularity::Extend(1 + double as i32 + triple as i32);
    }
    if others >= beta && !others.is_decisive() {
        return Singularity::MultiCut(others);
    }
    if table_score >= beta {
        Singularity::Extend(if is_pv { -1 } else { -3 })
    } else {
        Singularity::Extend(if is_cut_node { -2 } else { 0 })
    }
}

/// A line may be extended to so many times the depth of the iteration.
const LONGEST_LINE: usize = 2;

impl Search<'_> {
    /// How much deeper to search the table's move.
    pub(super) fn singularity<N: NodeKind>(&mut self, node: &NodeContext, mv: Move) -> Result<Singularity, Stopped> {
        let none = Singularity::Extend(0);
        let Some(known) = node.known.filter(|_| !self.proves_mate && node.excluded.is_none()) else {
            return Ok(none);
        };
        let params = &self.worker.params;
        let trusted = node.depth >= params.singular_depth + (node.was_pv as i32)
            && known.depth >= node.depth - 3
            && known.bound != Bound::Upper
            && !known.score.is_decisive()
            && node.ply < LONGEST_LINE * self.iteration_depth;
        if !trusted {
            return Ok(none);
        }
        let asked = known.score - params.singular_margin * node.depth / 16;
        let window = Window { alpha: asked - 1, beta: asked };
        self.plies[node.ply].excluded = Some(mv);
        let others = self.search_node::<NonPv>(window, (node.depth - 1) / 2, node.ply, node.is_cut_node);
        self.plies[node.ply].excluded = None;
        let verdict = Verdict {
            others: others?,
            asked,
            table_score: known.score,
            beta: node.window.beta,
            is_pv: N::IS_PV,
            is_cut_node: node.is_cut_node,
        };
        Ok(judge(&verdict, &self.worker.params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let params = Params::DEFAULT;
        let verdict = |others, is_pv, beta| Verdict {
            others: Score::evaluation(others),
            asked: Score::evaluation(100),
            table_score: Score::evaluation(110),
            beta: Score::evaluation(beta),
            is_pv,
            is_cut_node: true,
        };
        assert_eq!(judge(&verdict(95, true, 120), &params), Singularity::Extend(1));
        assert_eq!(judge(&verdict(-500, true, 120), &params), Singularity::Extend(1));
        assert_eq!(judge(&verdict(-500, false, 120), &params), Singularity::Extend(3));
        assert_eq!(judge(&verdict(105, false, 102), &params), Singularity::MultiCut(Score::evaluation(105)));
        assert_eq!(judge(&verdict(101, false, 105), &params), Singularity::Extend(-3));
        assert_eq!(judge(&verdict(101, false, 120), &params), Singularity::Extend(-2));
    }
}
