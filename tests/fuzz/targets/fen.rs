//! Any text as a FEN and as a line of EPD.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luft::chess::notation::{Epd, PerftLine, parse_fen, parse_setup};
use luft_fuzz::check_position;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = parse_setup(&text).map_err(|error| error.to_string());
    let _ = text.parse::<PerftLine>().map_err(|error| error.to_string());
    if let Ok(position) = parse_fen(&text).map_err(|error| error.to_string()) {
        check_position(&position);
    }
    if let Ok(epd) = text.parse::<Epd>().map_err(|error| error.to_string()) {
        let written = epd.to_string();
        assert_eq!(written.parse::<Epd>().as_ref(), Ok(&epd), "{written}");
        let _ = (epd.best_moves(), epd.avoid_moves(), epd.mate_distance(), epd.id());
    }
});
