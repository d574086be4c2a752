//! Random games from fixed seeds: the positions that the tests of the rules are run on.
#![allow(dead_code)]

use luft::chess::random::SplitMix64;
use luft::chess::{Move, PieceKind, Position, Setup};

/// Longest random game in plies.
const LONGEST_GAME: usize = 300;

/// Which arrangements a game can begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The initial array.
    Standard,
    /// One of 960 arrangements for both sides.
    Chess960,
    /// Each side its own arrangement.
    DoubleChess960,
}

impl Variant {
    /// All three.
    pub const ALL: [Variant; 3] = [Variant::Standard, Variant::Chess960, Variant::DoubleChess960];

    /// A start position.
    pub fn start(self, random: &mut SplitMix64) -> Position {
        let white = random_back_rank(random);
        let ranks = match self {
            Variant::Standard => return Position::initial(),
            Variant::Chess960 => [white, white],
            Variant::DoubleChess960 => [white, random_back_rank(random)],
        };
        Setup::with_back_ranks(ranks).validate().expect("an arrangement of Chess960 is valid")
    }
}

/// Bishops on squares of both colours, the king between the rooks.
fn random_back_rank(random: &mut SplitMix64) -> [PieceKind; 8] {
    use PieceKind::{Bishop, King, Knight, Queen, Rook};
    let mut rank = [None; 8];
    for parity in 0..2 {
        rank[2 * random.below(4) as usize + parity] = Some(Bishop);
    }
    for kind in [Queen, Knight, Knight] {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
        rank[free[random.below(free.len() as u64) as usize]] = Some(kind);
    }
    let mut rest = [Rook, King, Rook].into_iter();
    rank.map(|kind| kind.or_else(|| rest.next()).expect("three files are left"))
}

/// A random legal move, if there is one.
pub fn random_move(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len() as u64) as usize])
}

/// Shows the positions of random games to `visit`, `count` in all.
pub fn visit_positions(variant: Variant, seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    let mut visited = 0;
    while visited < count {
        let mut position = variant.start(&mut random);
        for _ in 0..LONGEST_GAME.min(count - visited) {
            visit(&position);
            visited += 1;
            let Some(mv) = random_move(&position, &mut random) else {
                break;
            };
            position.make(mv);
        }
    }
}

/// Every `step`th position of random games of all variants, `count` in all.
pub fn sample(seed: u64, count: usize, step: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for variant in Variant::ALL {
        let mut index = 0;
        visit_positions(variant, seed, count.div_ceil(3) * step, |position| {
            if index % step == 0 {
                positions.push(*position);
            }
            index += 1;
        });
    }
    positions.truncate(count);
    positions
}

/// How many positions a test of `usual` positions looks at: ten times as many when `LUFT_FULL` is set.
pub fn scaled(usual: usize) -> usize {
    if std::env::var_os("LUFT_FULL").is_some() { 10 * usual } else { usual }
}
