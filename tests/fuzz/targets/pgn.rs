//! Any text as games in PGN; what is read is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luft::chess::Position;
use luft::chess::notation::{format_fen, parse_score};
use luft::tools::pgn::{PgnGame, PgnText, parse_pgn};

/// The game as the program writes it.
fn written(game: &PgnGame) -> String {
    let mut tags: Vec<(&str, String)> = vec![("FEN", format_fen(&game.start)), ("SetUp", "1".into())];
    tags.extend(
        game.tags.iter().map(|(name, value)| (name.as_str(), value.clone())).filter(|(name, _)| *name == "Event"),
    );
    let mut text = PgnText::new(&tags, &game.start);
    for (index, &mv) in game.moves.iter().enumerate() {
        text.push_move(mv);
        if index % 3 == 0 {
            text.push_comment(game.tag("Event").unwrap_or("none"));
        }
    }
    text.finish("*")
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = parse_score(&Position::initial(), &text).map_err(|error| error.to_string());
    let Ok(games) = parse_pgn(&text).map_err(|error| error.to_string()) else { return };
    for game in &games {
        let again = written(game);
        let read = parse_pgn(&again).unwrap_or_else(|error| panic!("{error} in {again}"));
        assert_eq!(read.len(), 1, "{again}");
        assert_eq!((read[0].start, &read[0].moves), (game.start, &game.moves), "{again}");
    }
});
