//! The parts of the rules core agree with each other on positions of random games.

mod random_games;

use std::collections::HashMap;

use luft::chess::notation::format_shredder_fen;
use luft::chess::random::SplitMix64;
use luft::chess::{Game, Move, MoveList, Position, Selection};
use random_games::{Variant, random_move, sample, scaled, visit_positions};

fn generated(position: &Position, selection: Selection) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(selection, &mut list);
    list.into_iter().collect()
}

fn assert_selections_add_up(position: &Position) {
    let (mut all, noisy) = (generated(position, Selection::All), generated(position, Selection::Noisy));
    let quiet = generated(position, Selection::Quiet);
    assert!(noisy.iter().all(|mv| mv.is_noisy()), "{position}: {noisy:?}");
    assert!(!quiet.iter().any(|mv| mv.is_noisy()), "{position}: {quiet:?}");
    let mut parts = [noisy, quiet].concat();
    all.sort_unstable();
    parts.sort_unstable();
    assert_eq!(all, parts, "{position}");
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{position} has a move twice");
    assert_eq!(position.count_legal_moves(), all.len() as u64, "{position}");
    assert_eq!(position.has_legal_move(), !all.is_empty(), "{position}");
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    for (seed, variant) in Variant::ALL.into_iter().enumerate() {
        visit_positions(variant, 10 + seed as u64, scaled(100_000), assert_selections_add_up);
    }
}

#[test]
fn any_sixteen_bits_are_legal_exactly_when_listed() {
    for position in sample(20, scaled(300), 37) {
        let moves = position.legal_moves();
        let mut found = 0;
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let legal = position.is_legal(mv);
            assert_eq!(legal, moves.contains(&mv), "{mv:?} in {position}");
            found += usize::from(legal);
        }
        assert_eq!(found, moves.len(), "{position}");
    }
}

#[test]
fn making_a_move_on_a_copy_and_in_place_is_the_same() {
    for position in sample(30, scaled(3_000), 11) {
        for mv in position.legal_moves() {
            let mut made = position;
            made.make(mv);
            made.assert_consistent();
            assert_eq!(made, position.after(mv));
            assert_ne!(made.key(), position.key());
        }
    }
}

#[test]
fn a_pass_changes_the_side_and_the_key_and_nothing_on_the_board() {
    for position in sample(40, scaled(3_000), 11).into_iter().filter(|position| !position.in_check()) {
        let mut passed = position;
        passed.make_null();
        passed.assert_consistent();
        assert_eq!(passed.board(), position.board());
        assert_eq!(passed.side_to_move(), !position.side_to_move());
        assert_eq!(passed.castling(), position.castling());
        assert_eq!(passed.en_passant(), None);
        assert_ne!(passed.key(), position.key());
    }
}

#[test]
fn taking_back_restores_everything() {
    let mut random = SplitMix64::new(50);
    for round in 0..scaled(60) {
        let start = Variant::ALL[round % 3].start(&mut random);
        let mut game = Game::new(start);
        let mut past = Vec::new();
        for _ in 0..400 {
            past.push((*game.position(), game.occurrences(), game.outcome(), game.has_upcoming_repetition(4)));
            let pass = random.below(8) == 0 && !game.position().in_check();
            match random_move(game.position(), &mut random) {
                Some(_) if pass => game.play_null(),
                Some(mv) => game.play(mv),
                None => break,
            }
        }
        // The game ends with one position more than were noted, unless it ended by the rules.
        while game.ply() >= past.len() {
            game.undo();
        }
        while let Some(noted) = past.pop() {
            assert_eq!(game.ply(), past.len());
            let now = (*game.position(), game.occurrences(), game.outcome(), game.has_upcoming_repetition(4));
            assert_eq!(now, noted);
            game.undo();
        }
        assert_eq!((game.position(), game.start()), (&start, &start));
    }
}

/// What the repetition rule sees of a position: all of its FEN but the counters.
fn identity(position: &Position) -> String {
    let fen = format_shredder_fen(position);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_name_positions() {
    let mut names: HashMap<u64, String> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    for variant in Variant::ALL {
        visit_positions(variant, 60, scaled(60_000), |position| {
            let (key, name) = (position.key(), identity(position));
            assert_eq!(*names.entry(key).or_insert_with(|| name.clone()), name);
            assert_eq!(*keys.entry(name).or_insert(key), key);
        });
    }
    assert!(keys.len() > 100_000, "{} different positions", keys.len());
}

/// Counts by comparing whole positions back to the last capture, pawn move or pass.
fn occurrences_by_comparing(past: &[Position], position: &Position) -> usize {
    let name = identity(position);
    1 + past.iter().filter(|earlier| identity(earlier) == name).count()
}

#[test]
fn repetitions_are_those_found_by_comparing() {
    let mut random = SplitMix64::new(70);
    let mut repeated = 0;
    for fen in ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "k7/8/8/8/8/8/8/K6n b - - 0 1", "r3k3/p7/8/8/8/8/P7/R3K3 w Qq - 0 1"]
    {
        for _ in 0..scaled(60) {
            let mut game = Game::new(fen.parse().expect("a position"));
            let mut past = Vec::new();
            for _ in 0..60 {
                let expected = occurrences_by_comparing(&past, game.position());
                assert_eq!(game.occurrences(), expected, "{}", game.position());
                repeated += usize::from(expected > 1);
                past.push(*game.position());
                let Some(mv) = random_move(game.position(), &mut random) else {
                    break;
                };
                game.play(mv);
            }
        }
    }
    assert!(repeated > 100, "only {repeated} repetitions came up");
}

/// Whether some legal move leads to a repetition, found by trying them all.
fn upcoming_by_trying(game: &mut Game, ply: usize) -> bool {
    let moves = game.position().legal_moves();
    moves.into_iter().any(|mv| {
        game.play(mv);
        let repeats = game.is_repetition(ply + 1);
        game.undo();
        repeats
    })
}

#[test]
fn upcoming_repetitions_are_those_found_by_trying() {
    let mut random = SplitMix64::new(80);
    let (mut both, mut claimed_only) = (0, 0);
    for fen in ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "k7/8/8/8/8/8/8/K6n b - - 0 1", "2r1k3/p7/8/8/8/8/P7/R3K2B w Q - 0 1"]
    {
        for _ in 0..scaled(40) {
            let mut game = Game::new(fen.parse().expect("a position"));
            for _ in 0..60 {
                for ply in [0, 2, 5, 40] {
                    let claimed = game.has_upcoming_repetition(ply);
                    let found = upcoming_by_trying(&mut game, ply);
                    assert!(claimed || !found, "missed one {ply} plies deep in {}", game.position());
                    both += usize::from(claimed && found);
                    claimed_only += usize::from(claimed && !found);
                }
                let Some(mv) = random_move(game.position(), &mut random) else {
                    break;
                };
                game.play(mv);
            }
        }
    }
    // Only a pin or a check can forbid the move that was claimed.
    assert!(both > 200 && claimed_only * 10 < both, "{both} found, {claimed_only} claimed in vain");
}
