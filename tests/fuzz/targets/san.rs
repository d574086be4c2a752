//! A first line that is a FEN, and lines that may be moves in any notation, each played where it can be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luft::chess::Position;
use luft::chess::notation::{parse_fen, parse_move, parse_san};
use luft_fuzz::check_move;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut position = parse_fen(first).unwrap_or_else(|_| Position::initial());
    for line in lines {
        let by_san = parse_san(&position, line).map_err(|error| error.to_string());
        let by_uci = parse_move(&position, line).map_err(|error| error.to_string());
        for mv in [by_san, by_uci].into_iter().flatten() {
            assert!(position.legal_moves().contains(&mv), "'{line}' is read as {mv:?} in {position}");
        }
        if let Ok(mv) = parse_san(&position, line) {
            check_move(&position, mv);
            position.make(mv);
        }
    }
});
