//! Which worker of a team is to be believed (Chess Programming Wiki, "Lazy SMP": the thread to choose at the end).
//!
//! Each votes for its move, with more weight the deeper it has searched and the better it thinks of the position. Moves
//! that are proved to win need no majority.

use crate::chess::Move;
use crate::score::Score;
use crate::search::SearchResult;

/// What even the most pessimistic of equally deep workers counts, in units of evaluation: with less, small differences of
/// score would outweigh agreement.
const FLOOR: i64 = 16;

/// What one worker says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ballot {
    mv: Move,
    score: Score,
    depth: i32,
}

impl Ballot {
    /// The vote of a result; none without a move or a depth that counts.
    pub(super) fn of(result: &SearchResult) -> Option<Ballot> {
        let mv = result.best.filter(|_| result.depth > 0)?;
        Some(Ballot { mv, score: result.score, depth: result.depth })
    }

    fn weight(&self, lowest: Score) -> i64 {
        self.depth as i64 * ((self.score - lowest) as i64 + FLOOR)
    }
}

/// The place of the ballot that wins; between equals the first. None without ballots.
pub(super) fn elect(ballots: &[Ballot]) -> Option<usize> {
    let lowest = ballots.iter().map(|ballot| ballot.score).min()?;
    let votes =
        |mv: Move| -> i64 { ballots.iter().filter(|ballot| ballot.mv == mv).map(|ballot| ballot.weight(lowest)).sum() };
    // A proved win beats everything, and a nearer one those further away.
    let merit = |ballot: &Ballot| {
        let win = if ballot.score.is_win() { ballot.score } else { Score::DRAW };
        (win, votes(ballot.mv), ballot.weight(lowest))
    };
    let mut best = 0;
    for place in 1..ballots.len() {
        if merit(&ballots[place]) > merit(&ballots[best]) {
            best = place;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};

    fn ballot(to: Square, score: i32, depth: i32) -> Ballot {
        Ballot { mv: Move::new(Square::E2, to, MoveKind::Quiet), score: Score::evaluation(score), depth }
    }

    #[test]
    fn the_majority_wins_and_the_deepest_of_it_speaks() {
        let ballots = [ballot(Square::E3, 10, 12), ballot(Square::D3, 10, 12), ballot(Square::D3, 10, 13)];
        assert_eq!(elect(&ballots), Some(2));
        assert_eq!(elect(&ballots[..2]), Some(0));
        assert_eq!(elect(&[]), None);
    }

    #[test]
    fn a_better_score_counts_at_equal_depth() {
        assert_eq!(elect(&[ballot(Square::E3, 10, 12), ballot(Square::D3, 60, 12)]), Some(1));
        assert_eq!(elect(&[ballot(Square::E3, 10, 12), ballot(Square::D3, 12, 4)]), Some(0));
    }

    #[test]
    fn a_nearer_mate_beats_the_majority() {
        let mate = |to, plies| Ballot { score: Score::mating_at(plies), ..ballot(to, 0, 6) };
        let mut ballots = vec![ballot(Square::E3, 900, 30); 5];
        ballots.push(mate(Square::D3, 9));
        ballots.push(mate(Square::F3, 5));
        assert_eq!(elect(&ballots), Some(6));
    }

    #[test]
    fn a_proved_loss_does_not_speak_for_those_who_see_none() {
        let lost = Ballot { score: Score::mated_at(6), ..ballot(Square::E3, 0, 20) };
        assert_eq!(elect(&[lost, ballot(Square::D3, -300, 19)]), Some(1));
        assert_eq!(elect(&[lost, Ballot { score: Score::mated_at(8), ..lost }]), Some(1));
    }
}
