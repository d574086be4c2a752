//! Where games begin: standard chess, Chess960 and double Chess960, and some random moves.

use crate::chess::random::SplitMix64;
use crate::chess::{PieceKind, Position, Setup};

/// Of a hundred games so many begin from the array of standard chess, and so many from the same Chess960 array for both
/// sides; the rest have two different arrays.
const STANDARD_PERCENT: u64 = 70;
const CHESS960_PERCENT: u64 = 15;

/// The back rank of Chess960 with this number (0 to 959) by Reinhard Scharnagl's table; 518 is that of standard chess.
pub(super) fn chess960_rank(number: u64) -> [PieceKind; 8] {
    let mut rank = [None; 8];
    let (rest, light_bishop) = (number / 4, (number % 4) as usize);
    let (rest, dark_bishop) = (rest / 4, (rest % 4) as usize);
    let (knights, queen) = (rest / 6 % 10, (rest % 6) as usize);
    rank[2 * light_bishop + 1] = Some(PieceKind::Bishop);
    rank[2 * dark_bishop] = Some(PieceKind::Bishop);
    place(&mut rank, queen, PieceKind::Queen);
    let (first, second) = KNIGHTS[knights as usize];
    // The second place is counted before the first knight stands.
    place(&mut rank, second, PieceKind::Knight);
    place(&mut rank, first, PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        place(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.unwrap_or(PieceKind::King))
}

/// The two free places of the knights, of five.
const KNIGHTS: [(usize, usize); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Puts a man on the free square with this number, counted from the left.
fn place(rank: &mut [Option<PieceKind>; 8], number: usize, kind: PieceKind) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(number) {
        *square = Some(kind);
    }
}

/// An array to begin from.
fn array(random: &mut SplitMix64) -> Position {
    const STANDARD: u64 = 518;
    let percent = random.below(100);
    let white = if percent < STANDARD_PERCENT { STANDARD } else { random.below(960) };
    let black = if percent < STANDARD_PERCENT + CHESS960_PERCENT { white } else { random.below(960) };
    let setup = Setup::with_back_ranks([chess960_rank(white), chess960_rank(black)]);
    setup.validate().expect("an array of chess is a position")
}

/// A position after `plies` or one more random moves in which the game goes on, from one of the book or an array.
pub(super) fn random_opening(random: &mut SplitMix64, book: Option<&Vec<Position>>, plies: u32) -> Position {
    loop {
        let mut position = match book {
            Some(book) if !book.is_empty() => book[random.below(book.len() as u64) as usize],
            _ => array(random),
        };
        let count = plies as u64 + random.below(2);
        for _ in 0..count {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len() as u64) as usize]);
        }
        if position.has_legal_move() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use std::collections::HashSet;

    #[test]
    fn nine_hundred_and_sixty_arrays() {
        use PieceKind::*;
        assert_eq!(chess960_rank(518), [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]);
        assert_eq!(chess960_rank(0), [Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook]);
        assert_eq!(chess960_rank(959), [Rook, King, Rook, Knight, Knight, Queen, Bishop, Bishop]);
        let all: HashSet<_> = (0..960).map(chess960_rank).collect();
        assert_eq!(all.len(), 960);
        for rank in all {
            let places = |kind| (0..8).filter(|&file| rank[file] == kind).collect::<Vec<_>>();
            let (rooks, king, bishops) = (places(Rook), places(King), places(Bishop));
            assert!(rooks[0] < king[0] && king[0] < rooks[1]);
            assert_ne!(bishops[0] % 2, bishops[1] % 2);
        }
    }

    #[test]
    fn openings_repeat_with_their_seed() {
        let openings =
            |seed: u64| (0..20).map(move |index| random_opening(&mut SplitMix64::new(seed + index), None, 8));
        assert!(openings(1).eq(openings(1)));
        assert_ne!(openings(1).next(), openings(2).next());
        let arrays: HashSet<u64> = (0..200).map(|seed| array(&mut SplitMix64::new(seed)).key()).collect();
        assert!(arrays.contains(&Position::initial().key()) && arrays.len() > 30, "{} arrays", arrays.len());
    }

    #[test]
    fn a_book_is_where_games_begin() {
        let book = vec![Position::initial(), parse_fen("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1").unwrap()];
        let openings = |plies| (0..20).map(move |seed| (SplitMix64::new(seed), plies));
        let men: HashSet<u32> = openings(3)
            .map(|(mut random, plies)| random_opening(&mut random, Some(&book), plies).board().occupied().len())
            .collect();
        assert!(men.iter().all(|men| (2..=4).contains(men) || *men > 28) && men.len() >= 2, "{men:?}");
    }
}
