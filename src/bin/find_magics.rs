//! Prints `src/chess/attacks/magic_numbers.rs`, found again from its fixed seed.

use luft::chess::attacks::magic_search;

fn main() {
    print!("{}", magic_search::source_text(&magic_search::search(magic_search::SEED)));
}
