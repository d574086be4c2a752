//! Slider attacks computed from scratch, slowly: the source of every table.
//!
//! Along one line, `occupied - 2 * slider` borrows up to the first blocker, and the same on the reversed word reaches
//! downwards ("hyperbola quintessence", Chess Programming Wiki).

use crate::chess::types::{Bitboard, Square};

/// The two lines of a rook or of a bishop through a square, without the square itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    const fn directions(self) -> [(i32, i32); 2] {
        match self {
            Slider::Rook => [(1, 0), (0, 1)],
            Slider::Bishop => [(1, 1), (1, -1)],
        }
    }

    /// The whole line through `square` in one of the two directions, both ways, without `square`.
    pub(super) const fn line_mask(self, square: Square, which: usize) -> u64 {
        let (files, ranks) = self.directions()[which];
        let mut mask = 0;
        let mut distance = -7;
        while distance <= 7 {
            if let Some(target) = square.offset(files * distance, ranks * distance) {
                mask |= target.bitboard().0;
            }
            distance += 1;
        }
        mask & !square.bitboard().0
    }
}

/// Squares reached along `mask` from `square` up to and including the first occupied one each way.
pub(super) const fn line_attacks(mask: u64, square: Square, occupied: u64) -> u64 {
    let slider = square.bitboard().0;
    let blockers = occupied & mask;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & mask
}

/// Squares the slider attacks from `square` with these squares occupied.
pub(super) const fn attacks(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
    let first = line_attacks(slider.line_mask(square, 0), square, occupied.0);
    let second = line_attacks(slider.line_mask(square, 1), square, occupied.0);
    Bitboard(first | second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::SplitMix64;

    fn walk(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (files, ranks) in slider.directions() {
            for sign in [1, -1] {
                let targets = (1..8).map_while(|n| square.offset(sign * n * files, sign * n * ranks));
                for target in targets {
                    reached |= target.bitboard();
                    if occupied.has(target) {
                        break;
                    }
                }
            }
        }
        reached
    }

    #[test]
    fn equal_a_step_by_step_walk() {
        let mut random = SplitMix64::new(1);
        for square in Square::all() {
            for _ in 0..500 {
                let occupied = Bitboard(random.next() & random.next());
                for slider in [Slider::Rook, Slider::Bishop] {
                    assert_eq!(attacks(slider, square, occupied), walk(slider, square, occupied));
                }
            }
        }
    }
}
