//! `flip`: the same position with the colours exchanged, to see whether an evaluation treats both alike.

use super::Work;
use crate::chess::notation::{FenError, format_shredder_fen, parse_fen};
use crate::chess::{Game, Position};

/// A game that begins with the position turned over. Its past is gone, since it was another's.
pub(super) fn flipped(position: &Position) -> Work {
    match flip(position) {
        Ok(position) => Work::Game(Box::new(Game::new(position))),
        Err(error) => Work::Error(format!("flip: {error}")),
    }
}

fn flip(position: &Position) -> Result<Position, FenError> {
    let fen = format_shredder_fen(position);
    let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
    if let [board, side, castling, en_passant, ..] = fields.as_mut_slice() {
        let ranks: Vec<String> = board.split('/').rev().map(other_case).collect();
        *board = ranks.join("/");
        *side = if side == "w" { "b".into() } else { "w".into() };
        *castling = other_case(castling);
        *en_passant = en_passant
            .chars()
            .map(|letter| {
                if letter == '3' {
                    '6'
                } else if letter == '6' {
                    '3'
                } else {
                    letter
                }
            })
            .collect();
    }
    parse_fen(&fields.join(" "))
}

fn other_case(text: &str) -> String {
    let other = |letter: char| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    text.chars().map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_is_the_same_again() {
        for (here, there) in [
            ("4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 3 40", "r3k2r/8/8/8/3Pp3/8/8/4K3 b kq d3 3 40"),
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                "bq1bnrkr/npp1p1pp/p2p4/5p2/2P5/3PPN2/PP3PPP/BQNB1RKR b HFhf - 2 9",
            ),
        ] {
            let (here, there) = (parse_fen(here).unwrap(), parse_fen(there).unwrap());
            assert_eq!(flip(&here), Ok(there));
            assert_eq!(flip(&there), Ok(here));
        }
    }
}
