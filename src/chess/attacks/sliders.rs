//! Rook, bishop and queen attacks by one table look-up: magic multiplication, or PEXT where the build allows it.
//!
//! The index by `pext` needs BMI2, which the portable build does not assume; `make native` turns it on, except on AMD
//! processors before Zen 3, where the instruction is slower than the multiplication (`--cfg slow_pext`).

use super::magic_numbers;
use super::magic_search::{next_subset, relevant_mask};
use super::rays::{Slider, line_attacks};
use crate::chess::types::{Bitboard, Square};

/// Slots for all squares: the sum of 2^(relevant squares).
const ROOK_SLOTS: usize = 102_400;
const BISHOP_SLOTS: usize = 5_248;

#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Entry {
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", not(slow_pext))))]
    #[inline(always)]
    const fn index(&self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(slow_pext)))]
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        let packed = std::arch::x86_64::_pext_u64(occupied.0, self.mask);
        self.offset as usize + packed as usize
    }

    /// The slot of a subset of the mask, given its place in counting order.
    #[allow(unused_variables)]
    const fn slot(&self, subset: u64, place: usize) -> usize {
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", not(slow_pext))))]
        let slot = self.index(Bitboard(subset));
        // `pext` numbers the subsets in counting order.
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(slow_pext)))]
        let slot = self.offset as usize + place;
        slot
    }
}

struct Table<const SLOTS: usize> {
    entries: [Entry; Square::COUNT],
    attacks: [Bitboard; SLOTS],
}

impl<const SLOTS: usize> Table<SLOTS> {
    #[allow(long_running_const_eval)]
    const fn new(slider: Slider, magics: &[u64; Square::COUNT]) -> Self {
        let mut table = Table {
            entries: [Entry { mask: 0, magic: 0, offset: 0, shift: 0 }; Square::COUNT],
            attacks: [Bitboard::EMPTY; SLOTS],
        };
        let mut offset = 0;
        let mut index = 0;
        while index < Square::COUNT {
            let square = Square::from_index(index);
            let mask = relevant_mask(slider, square);
            table.entries[index] = Entry { mask: mask.0, magic: magics[index], offset, shift: 64 - mask.len() };
            table.fill(slider, square);
            offset += 1 << mask.len();
            index += 1;
        }
        assert!(offset as usize == SLOTS);
        table
    }

    const fn fill(&mut self, slider: Slider, square: Square) {
        let entry = self.entries[square.index()];
        let lines = [slider.line_mask(square, 0), slider.line_mask(square, 1)];
        let mut subset = 0;
        let mut place = 0;
        loop {
            self.attacks[entry.slot(subset, place)] =
                Bitboard(line_attacks(lines[0], square, subset) | line_attacks(lines[1], square, subset));
            subset = next_subset(subset, entry.mask);
            place += 1;
            if subset == 0 {
                break;
            }
        }
    }

    #[inline(always)]
    fn get(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = self.entries[square.index()].index(occupied);
        // SAFETY: an entry's offset plus any value of its index bits lies inside the table: `new` asserts that the
        // offsets add up to `SLOTS`, and multiplication and shift (or `pext`) give at most `64 - shift` bits.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

#[allow(long_running_const_eval)]
static ROOK: Table<ROOK_SLOTS> = Table::new(Slider::Rook, &magic_numbers::ROOK);
#[allow(long_running_const_eval)]
static BISHOP: Table<BISHOP_SLOTS> = Table::new(Slider::Bishop, &magic_numbers::BISHOP);

/// Squares a rook on `square` attacks with these squares occupied, the first blocker each way included.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK.get(square, occupied)
}

/// Squares a bishop on `square` attacks with these squares occupied, the first blocker each way included.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP.get(square, occupied)
}

/// Squares a queen on `square` attacks with these squares occupied, the first blocker each way included.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::rays;
    use crate::chess::random::SplitMix64;

    #[test]
    fn tables_equal_rays_for_every_relevant_subset_and_for_noise() {
        let mut random = SplitMix64::new(2);
        for square in Square::all() {
            for slider in [Slider::Rook, Slider::Bishop] {
                let mask = relevant_mask(slider, square).0;
                let mut subset = 0;
                loop {
                    let occupied = Bitboard(subset | random.next() & !mask);
                    let looked_up = match slider {
                        Slider::Rook => rook_attacks(square, occupied),
                        Slider::Bishop => bishop_attacks(square, occupied),
                    };
                    assert_eq!(looked_up, rays::attacks(slider, square, occupied));
                    subset = next_subset(subset, mask);
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}
