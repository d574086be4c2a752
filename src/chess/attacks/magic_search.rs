//! The tool that finds the magic numbers, kept so that anyone can find them again.
//!
//! A magic number maps every set of blockers on a slider's relevant squares to a slot of a table with one
//! multiplication and one shift, such that sets with different attacks never share a slot (Chess Programming Wiki,
//! "Magic Bitboards", after Lasse Hansen and Pradu Kannan). `cargo run --release --bin find_magics` prints the table
//! in `magic_numbers.rs`.

use super::rays::{Slider, attacks};
use crate::chess::random::SplitMix64;
use crate::chess::types::{Bitboard, File, Rank, Square};

/// The seed from which the numbers in the tree were found.
pub const SEED: u64 = 0x4C75_6674;

/// The squares whose occupation changes what the slider attacks: its lines without their last squares.
pub(super) const fn relevant_mask(slider: Slider, square: Square) -> Bitboard {
    let ranks = Bitboard::rank(Rank::R1).0 | Bitboard::rank(Rank::R8).0;
    let files = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
    let edges = (ranks & !Bitboard::rank(square.rank()).0) | (files & !Bitboard::file(square.file()).0);
    Bitboard(attacks(slider, square, Bitboard::EMPTY).0 & !edges)
}

/// The next subset of `mask` after `subset` in counting order (the "carry rippler"); after the last comes the empty one.
pub(super) const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

/// A magic number for the slider on this square, with as many index bits as relevant squares.
fn find(slider: Slider, square: Square, random: &mut SplitMix64) -> u64 {
    let mask = relevant_mask(slider, square).0;
    let bits = mask.count_ones();
    let mut pairs = Vec::new();
    let mut subset = 0;
    loop {
        pairs.push((subset, attacks(slider, square, Bitboard(subset)).0));
        subset = next_subset(subset, mask);
        if subset == 0 {
            break;
        }
    }
    let mut slots = vec![0; 1 << bits];
    loop {
        // Sparse candidates collide less.
        let magic = random.next() & random.next() & random.next();
        slots.fill(0);
        let fits = pairs.iter().all(|&(blockers, reached)| {
            let slot = &mut slots[(blockers.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = *slot == 0 || *slot == reached;
            *slot = reached;
            free
        });
        if fits {
            return magic;
        }
    }
}

/// The magic numbers of rook and bishop for all squares, found from `seed`.
pub fn search(seed: u64) -> [[u64; Square::COUNT]; 2] {
    [Slider::Rook, Slider::Bishop].map(|slider| {
        // A generator of its own for each square keeps every number independent of the others.
        std::array::from_fn(|index| {
            let mut random = SplitMix64::new(seed ^ ((index as u64 + 1) << 32) ^ ((slider as u64) << 48));
            find(slider, Square::from_index(index), &mut random)
        })
    })
}

/// The text of `magic_numbers.rs` for these numbers.
pub fn source_text(magics: &[[u64; Square::COUNT]; 2]) -> String {
    let mut text =
        String::from("//! Magic numbers, printed by `cargo run --release --bin find_magics`. Do not edit by hand.\n");
    for (name, numbers) in [("ROOK", &magics[0]), ("BISHOP", &magics[1])] {
        text.push_str(&format!("\npub(super) const {name}: [u64; 64] = [\n"));
        for number in numbers {
            let hex = format!("{number:016X}");
            let groups = [&hex[0..4], &hex[4..8], &hex[8..12], &hex[12..16]].join("_");
            text.push_str(&format!("    0x{groups},\n"));
        }
        text.push_str("];\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_in_the_tree_are_those_of_the_seed() {
        assert_eq!(source_text(&search(SEED)), include_str!("magic_numbers.rs"));
    }
}
