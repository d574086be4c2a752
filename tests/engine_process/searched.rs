//! One finished search, and everything that must be true of any.

use std::collections::HashSet;

use luft::chess::notation::{parse_fen, parse_move};
use luft::chess::{Game, Position};

use super::info::{Bound, Info, Score, parse_info};

/// What a search printed.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Lines about variations.
    pub infos: Vec<Info>,
    /// `info string` lines.
    pub remarks: Vec<String>,
    /// The move; none for `(none)`.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// Whether somebody or a clock may have hurried it: then a line may be told as it is, and not to the end of its mate.
    pub hurried: bool,
}

/// The game after these moves from a FEN, or from the initial array when it is empty.
pub fn game_of(fen: &str, moves: &[&str]) -> Game {
    let start = if fen.is_empty() { Position::initial() } else { parse_fen(fen).unwrap() };
    let mut game = Game::new(start);
    for text in moves {
        game.play(parse_move(game.position(), text).unwrap());
    }
    game
}

impl Searched {
    /// Reads lines of which the last is `bestmove`. Whether the search was hurried nobody knows here, so it counts as that.
    pub fn read(lines: &[String]) -> Searched {
        let (last, before) = lines.split_last().expect("a bestmove");
        let infos = before.iter().filter_map(|line| parse_info(line)).collect();
        let remarks = before.iter().filter(|line| line.starts_with("info string")).cloned().collect();
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words.as_slice() {
            ["bestmove", "(none)"] => (None, None),
            ["bestmove", best] => (Some(best.to_string()), None),
            ["bestmove", best, "ponder", ponder] => (Some(best.to_string()), Some(ponder.to_string())),
            _ => panic!("'{last}'"),
        };
        Searched { infos, remarks, best, ponder, hurried: true }
    }

    /// The last exact line of the first variation.
    pub fn last(&self) -> &Info {
        let exact = self.infos.iter().rfind(|info| info.multipv == 1 && info.bound == Bound::Exact);
        exact.unwrap_or_else(|| panic!("no exact line: {self:#?}"))
    }

    /// The last word on the score.
    pub fn score(&self) -> Score {
        self.last().score
    }

    /// The move as text; there must be one.
    pub fn best(&self) -> &str {
        self.best.as_deref().expect("a move")
    }

    /// The exact lines of the last depth told, in the order told.
    pub fn last_lines(&self) -> Vec<&Info> {
        let depth = self.last().depth;
        self.infos.iter().filter(|info| info.depth == depth && info.bound == Bound::Exact).collect()
    }

    /// Checks all that the contract says of any search of the position at the end of this game.
    pub fn check(&self, game: &Game) -> &Searched {
        self.check_moves(game);
        let mut told = HashSet::new();
        let mut previous: Option<&Info> = None;
        for info in &self.infos {
            check_pv(game, &info.pv);
            assert!(info.bound != Bound::Exact || told.insert((info.depth, info.multipv)), "told twice: {info:?}");
            if let Some(previous) = previous {
                assert!(info.depth >= previous.depth, "depth goes back: {info:?}");
                assert!(info.nodes >= previous.nodes && info.time >= previous.time, "counts go back: {info:?}");
            }
            previous = Some(info);
        }
        self.check_variations();
        self.check_mates();
        self
    }

    /// Without haste every mate is told with its whole line.
    fn check_mates(&self) {
        for info in self.infos.iter().filter(|info| !self.hurried && info.bound == Bound::Exact) {
            if let Score::Mate(moves) = info.score {
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                assert_eq!(info.pv.len() as i64, plies, "not the whole line: {info:?}");
            }
        }
    }

    /// The same for a search by several threads, whose last line may be that of another thread than the one before: of the
    /// same depth or another.
    pub fn check_of_team(&self, game: &Game) -> &Searched {
        let mut leader = self.clone();
        if let [.., before, last] = leader.infos.as_slice()
            && last.bound == Bound::Exact
            && last.pv.first() != before.pv.first()
        {
            check_pv(game, &last.pv);
            self.check_mates();
            assert!(last.nodes >= before.nodes && last.time >= before.time, "counts go back: {last:?}");
            leader.infos.pop();
            leader.best = leader.last().pv.first().cloned();
            leader.ponder = None;
        }
        leader.check(game);
        self.check_moves(game);
        self
    }

    fn check_moves(&self, game: &Game) {
        let Some(best) = &self.best else {
            assert!(!game.position().has_legal_move(), "no move, but some are legal");
            return;
        };
        assert_eq!(self.last().pv.first(), Some(best), "another move than the last line says: {self:#?}");
        let mv = parse_move(game.position(), best).expect("bestmove is legal");
        if let Some(ponder) = &self.ponder {
            parse_move(&game.position().after(mv), ponder).expect("the ponder move is legal");
        }
    }

    /// Lines of one depth: in order, with different first moves, the better first.
    fn check_variations(&self) {
        let exact: Vec<&Info> = self.infos.iter().filter(|info| info.bound == Bound::Exact).collect();
        for lines in exact.chunk_by(|one, next| one.depth == next.depth) {
            let ranks: Vec<usize> = lines.iter().map(|info| info.multipv).collect();
            assert_eq!(ranks, (1..=lines.len()).collect::<Vec<_>>(), "{lines:#?}");
            let first_moves: HashSet<_> = lines.iter().map(|info| info.pv.first()).collect();
            assert_eq!(first_moves.len(), lines.len(), "a first move twice: {lines:#?}");
            assert!(lines.is_sorted_by_key(|info| -info.score.order()), "not in order: {lines:#?}");
        }
    }
}

/// Every move is legal, and only the last may end the game.
fn check_pv(game: &Game, pv: &[String]) {
    let mut game = game.clone();
    for (index, text) in pv.iter().enumerate() {
        assert!(index == 0 || game.outcome().is_none(), "{pv:?} goes on after {:?} at {text}", game.outcome());
        let mv = parse_move(game.position(), text).unwrap_or_else(|error| panic!("{error} in {pv:?}"));
        game.play(mv);
    }
}
