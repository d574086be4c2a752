//! Any bytes as games in the layout of training records; what is read is written and read again, and can be played out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luft::tools::viriformat::TrainingGame;

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    while let Ok(Some(game)) = TrainingGame::read(&mut rest).map_err(|error| error.to_string()) {
        assert_eq!(game.positions().count(), game.moves.len());
        assert_eq!(game.replay().ply(), game.moves.len());
        let _ = game.replay().outcome();
        let mut written = Vec::new();
        game.write(&mut written).expect("memory takes all");
        assert_eq!(TrainingGame::read(written.as_slice()).expect("a sound record"), Some(game));
    }
});
