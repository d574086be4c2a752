//! The rest of a line to a mate, put together from what the transposition table remembers. It looks at a bounded number of
//! moves, so there is always time for it. It is a line of legal moves to a mate after the right number of plies; where the
//! table has forgotten, it need not be the best play.

use crate::chess::{Game, Move, Outcome, Position};
use crate::score::Bound;
use crate::transposition::{Known, TranspositionTable};

/// After so many moves looked at the table is taken not to remember the line.
const MOST_LOOKS: usize = 20_000;

/// The moves from the end of `game` to a mate in exactly so many plies, if they can be put together from the table: for the
/// side that mates its moves and checks, for the other any replies, first those after which it knows of a mate in time.
pub(super) fn mate_in_table(table: &TranspositionTable, game: &Game, plies: usize) -> Option<Vec<Move>> {
    let mut walk = Walk { table, game: game.clone(), line: Vec::with_capacity(plies), looks: 0 };
    walk.reaches_mate(plies).then_some(walk.line)
}

struct Walk<'a> {
    table: &'a TranspositionTable,
    game: Game,
    line: Vec<Move>,
    looks: usize,
}

impl Walk<'_> {
    /// Whether a line to a mate in exactly so many plies is found from here; then it has been appended.
    fn reaches_mate(&mut self, plies: usize) -> bool {
        match self.game.outcome() {
            Some(Outcome::Checkmate { .. }) => return plies == 0,
            Some(_) => return false,
            None if plies == 0 || self.looks > MOST_LOOKS => return false,
            None => (),
        }
        self.candidates(plies).into_iter().any(|mv| self.follow(mv, plies))
    }

    fn follow(&mut self, mv: Move, plies: usize) -> bool {
        self.game.play(mv);
        self.line.push(mv);
        let found = self.reaches_mate(plies - 1);
        if !found {
            self.line.pop();
        }
        self.game.undo();
        found
    }

    /// What is worth trying where the mate is so many plies away. What the table knows comes first; where it has forgotten,
    /// checks and any replies.
    fn candidates(&mut self, plies: usize) -> Vec<Move> {
        let position = self.game.position();
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        self.looks += moves.len();
        if plies.is_multiple_of(2) {
            moves.sort_by_cached_key(|&mv| self.defence(plies - 1, &position.after(mv)));
            return moves;
        }
        let known = self.known(position).and_then(|known| known.mv);
        moves.retain(|&mv| known == Some(mv) || position.after(mv).in_check());
        moves.sort_by_key(|&mv| known != Some(mv));
        moves
    }

    /// The order of a reply that leads here: first those after which the table knows that the side to move mates, latest
    /// first but in time.
    fn defence(&self, plies: usize, position: &Position) -> usize {
        let proof = self.known(position).filter(|known| known.score.is_win() && known.bound != Bound::Upper);
        let distance = proof.and_then(|known| known.score.plies_to_mate());
        distance.and_then(|distance| plies.checked_sub(distance)).unwrap_or(usize::MAX)
    }

    fn known(&self, position: &Position) -> Option<Known> {
        self.table.probe(position.key(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::{parse_fen, parse_move};
    use crate::score::Score;
    use crate::transposition::Learned;

    /// White mates by pushing rooks up the board: a2a7, then b3b8.
    const LADDER: &str = "7k/8/8/8/8/1R6/R7/7K w - - 0 1";

    fn store(table: &TranspositionTable, fen: &str, mv: Option<&str>, score: Score, bound: Bound) {
        let position = parse_fen(fen).unwrap();
        let mv = mv.map(|text| parse_move(&position, text).unwrap());
        let learned = Learned { mv, score, evaluation: None, depth: 3, bound, was_pv: false };
        table.store(position.key(), 0, learned);
    }

    fn line(table: &TranspositionTable, fen: &str, plies: usize) -> Option<String> {
        let line = mate_in_table(table, &Game::new(parse_fen(fen).unwrap()), plies)?;
        Some(line.iter().map(|mv| format!("{}{}", mv.from(), mv.to())).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lines_end_in_mate_after_just_so_many_plies() {
        let table = TranspositionTable::new(1).unwrap();
        // The last move is found without the table, the ones before it are not.
        assert_eq!(line(&table, "7k/R7/8/8/8/1R6/8/7K w - - 0 1", 1).as_deref(), Some("b3b8"));
        assert_eq!(line(&table, "7k/R7/8/8/8/1R6/8/7K b - - 0 1", 2).as_deref(), Some("h8g8 b3b8"));
        assert_eq!(line(&table, LADDER, 3), None);
        store(&table, LADDER, Some("a2a7"), Score::mating_at(3), Bound::Lower);
        assert_eq!(line(&table, LADDER, 3).as_deref(), Some("a2a7 h8g8 b3b8"));
        assert_eq!(line(&table, LADDER, 2), None);
    }

    #[test]
    fn replies_that_the_table_knows_to_lose_come_first() {
        let table = TranspositionTable::new(1).unwrap();
        let before = "6k1/8/8/8/8/1R6/R7/7K b - - 0 1";
        let any = Some("g8f7 a2a7 f7e8 b3b8");
        assert_eq!(line(&table, before, 4).as_deref(), any);
        store(&table, LADDER, Some("a2a7"), Score::mating_at(3), Bound::Upper);
        assert_eq!(line(&table, before, 4).as_deref(), any);
        store(&table, LADDER, Some("a2a7"), Score::mating_at(3), Bound::Exact);
        assert_eq!(line(&table, before, 4).as_deref(), Some("g8h8 a2a7 h8g8 b3b8"));
    }

    #[test]
    fn a_table_full_of_circles_is_left_soon() {
        let table = TranspositionTable::new(1).unwrap();
        for (square, other) in [("h1", "g1"), ("g1", "h1")] {
            for king in ["7k/8", "6k1/8", "8/7k", "8/6k1", "8/5k2", "5k2/8"] {
                let rank = if square == "h1" { "7K" } else { "6K1" };
                let fen = format!("{king}/8/8/8/1R6/R7/{rank} w - - 0 1");
                store(&table, &fen, Some(&format!("{square}{other}")), Score::mating_at(3), Bound::Lower);
            }
        }
        assert_eq!(line(&table, "7k/8/8/8/8/1R6/R7/7K w - - 0 1", 201), None);
    }
}
