//! Properties of the readers and writers of notation: what is written is read again, and no text makes a reader panic.
//!
//! `PROPTEST_CASES` sets how many cases each property is tried on.

mod random_games;

use luft::chess::notation::{
    CastlingSpelling, Epd, PerftLine, format_fen, format_move, format_san, format_shredder_fen, parse_fen, parse_move,
    parse_san, parse_score, parse_setup,
};
use luft::chess::random::SplitMix64;
use luft::chess::{Move, Position};
use proptest::prelude::*;
use random_games::{Variant, random_move};

/// As many cases as `PROPTEST_CASES` says, or this many.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(usual), failure_persistence: None, ..ProptestConfig::default() }
}

/// A random game of up to 150 plies: its start, its moves, and where it leads.
fn random_game(seed: u64, plies: u64) -> (Position, Vec<Move>, Position) {
    let mut random = SplitMix64::new(seed);
    let start = Variant::ALL[random.below(3) as usize].start(&mut random);
    let (mut position, mut moves) = (start, Vec::new());
    for _ in 0..plies {
        let Some(mv) = random_move(&position, &mut random) else {
            break;
        };
        position.make(mv);
        moves.push(mv);
    }
    (start, moves, position)
}

prop_compose! {
    fn reachable()(seed: u64, plies in 0..150_u64) -> Position {
        random_game(seed, plies).2
    }
}

fn names(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let name = |&mv: &Move| {
        let name = format_san(&position, mv);
        position.make(mv);
        name
    };
    moves.iter().map(name).collect()
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn fen_is_read_as_it_was_written(position in reachable()) {
        for fen in [format_fen(&position), format_shredder_fen(&position)] {
            prop_assert_eq!(parse_fen(&fen), Ok(position));
        }
        prop_assert_eq!(parse_fen(&format_fen(&position)).map(|read| format_fen(&read)), Ok(format_fen(&position)));
        let sparse = format_fen(&position).split(' ').take(4).collect::<Vec<_>>().join("  ");
        let read = parse_fen(&sparse).unwrap();
        prop_assert_eq!((read.key(), read.halfmove_clock(), read.fullmove_number()), (position.key(), 0, 1));
    }

    #[test]
    fn san_names_every_legal_move_and_no_two_alike(position in reachable()) {
        let mut seen = Vec::new();
        for mv in position.legal_moves() {
            let name = format_san(&position, mv);
            prop_assert_eq!(parse_san(&position, &name), Ok(mv), "{} in {}", name, position);
            prop_assert!(!seen.contains(&name), "{} twice in {}", name, position);
            seen.push(name);
        }
    }

    #[test]
    fn san_can_be_spelled_otherwise(position in reachable()) {
        for mv in position.legal_moves() {
            let name = format_san(&position, mv);
            let unmarked = name.trim_end_matches(['+', '#']);
            let respelled = [
                unmarked.replace('O', "0"),
                unmarked.replace('x', ":"),
                unmarked.replace('x', ""),
                unmarked.replace('=', "/"),
                format!("{}!?", unmarked.replace('=', "")),
            ];
            for text in respelled {
                prop_assert_eq!(parse_san(&position, &text), Ok(mv), "{} for {} in {}", text, name, position);
            }
            let uci = format_move(mv, CastlingSpelling::KingTakesRook);
            prop_assert_eq!(parse_san(&position, &uci), Ok(mv), "{} in {}", uci, position);
            let piece = position.piece_on(mv.from()).unwrap().kind().letter().to_ascii_uppercase();
            let long = format!("{piece}{}-{}", &uci[..2], &uci[2..]);
            prop_assert_eq!(parse_san(&position, &long), Ok(mv), "{} in {}", long, position);
        }
    }

    #[test]
    fn san_needs_all_it_says(position in reachable()) {
        // Without its disambiguation a name means several moves, or it had too much.
        for mv in position.legal_moves() {
            let name = format_san(&position, mv);
            let mut short = name.clone();
            let body = name.trim_end_matches(['+', '#']);
            let is_piece = body.starts_with(['K', 'Q', 'R', 'B', 'N']) && !mv.is_castling();
            if is_piece && body.len() > 3 + usize::from(mv.is_capture()) {
                short.remove(1);
                prop_assert!(parse_san(&position, &short).is_err(), "{} would do for {} in {}", short, name, position);
            }
        }
    }

    #[test]
    fn uci_moves_are_read_in_both_spellings(position in reachable()) {
        for mv in position.legal_moves() {
            for spelling in [CastlingSpelling::KingTarget, CastlingSpelling::KingTakesRook] {
                let text = format_move(mv, spelling);
                prop_assert_eq!(parse_move(&position, &text), Ok(mv), "{} in {}", text, position);
            }
        }
    }

    #[test]
    fn scores_are_read_as_they_were_written(seed: u64, plies in 0..100_u64) {
        let (start, moves, _) = random_game(seed, plies);
        let names = names(&start, &moves);
        prop_assert_eq!(parse_score(&start, &names.join(" ")), Ok(moves.clone()));
        let numbered: Vec<String> = (names.chunks(2).enumerate())
            .map(|(index, pair)| format!("{}. {} {{a comment}} ({}...)", index + 1, pair.join(" "), index + 1))
            .collect();
        prop_assert_eq!(parse_score(&start, &format!("{} *", numbered.join("\n"))), Ok(moves));
    }

    #[test]
    fn epd_is_read_as_it_was_written(position in reachable(), id in "\\PC*", mate in 0..100_u32) {
        let quoted = id.replace('\\', "\\\\").replace('"', "\\\"");
        let best: Vec<String> = position.legal_moves().iter().take(3).map(|&mv| format_san(&position, mv)).collect();
        let fen = format_fen(&position);
        let fields: Vec<&str> = fen.split(' ').collect();
        let text = format!(
            "{} bm {}; id \"{quoted}\"; dm {mate}; hmvc {}; fmvn {};",
            fields[..4].join(" "), best.join(" "), fields[4], fields[5],
        );
        let epd: Epd = text.parse().unwrap();
        prop_assert_eq!(epd.position, position);
        prop_assert_eq!(epd.id(), Some(id.as_str()));
        prop_assert_eq!(epd.mate_distance(), Ok(Some(mate)));
        prop_assert_eq!(epd.best_moves().unwrap(), position.legal_moves().into_iter().take(3).collect::<Vec<_>>());
        prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd));
    }

    #[test]
    fn perft_lines_are_read_as_they_were_written(
        position in reachable(),
        counts in prop::collection::vec((0..20_u32, any::<u64>()), 1..8),
    ) {
        let line = PerftLine { position, counts };
        prop_assert_eq!(line.to_string().parse::<PerftLine>(), Ok(line));
    }
}

/// Gives a text to every reader. Whatever they answer, they answer; what they accept, they can write again.
fn read_everywhere(position: &Position, text: &str) {
    if let Ok(read) = parse_fen(text) {
        read.assert_consistent();
        assert_eq!(parse_fen(&format_fen(&read)), Ok(read), "{text}");
        assert_eq!(parse_fen(&format_shredder_fen(&read)), Ok(read), "{text}");
        assert_eq!(read.legal_moves().len() as u64, read.count_legal_moves());
    }
    let _ = parse_setup(text);
    if let Ok(mv) = parse_san(position, text) {
        assert!(position.is_legal(mv), "{text}");
        assert_eq!(parse_san(position, &format_san(position, mv)), Ok(mv), "{text}");
    }
    if let Ok(mv) = parse_move(position, text) {
        assert!(position.is_legal(mv), "{text}");
    }
    if let Ok(moves) = parse_score(position, text) {
        let mut played = *position;
        moves.into_iter().for_each(|mv| played.make(mv));
    }
    if let Ok(epd) = text.parse::<Epd>() {
        let _ = (epd.best_moves(), epd.avoid_moves(), epd.mate_distance(), epd.id());
        assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd), "{text}");
    }
    if let Ok(line) = text.parse::<PerftLine>() {
        assert_eq!(line.to_string().parse::<PerftLine>(), Ok(line), "{text}");
    }
}

/// Replaces, drops, doubles or exchanges letters of a text.
fn mutated(text: &str, seed: u64) -> String {
    const LETTERS: &str = "KQRBNPkqrbnpabcdefgh12345678 /-x:=+#!?()O0.;{}$\"\\wb,*é½9";
    let mut random = SplitMix64::new(seed);
    let mut letters: Vec<char> = text.chars().collect();
    let pool: Vec<char> = LETTERS.chars().collect();
    for _ in 0..1 + random.below(4) {
        if letters.is_empty() {
            break;
        }
        let index = random.below(letters.len() as u64) as usize;
        let other = random.below(letters.len() as u64) as usize;
        let letter = pool[random.below(pool.len() as u64) as usize];
        match random.below(5) {
            0 => letters[index] = letter,
            1 => drop(letters.remove(index)),
            2 => letters.insert(index, letter),
            3 => letters.swap(index, other),
            _ => letters.truncate(index.max(other)),
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn arbitrary_texts_are_answered(text in "\\PC{0,60}", position in reachable()) {
        read_everywhere(&position, &text);
    }

    #[test]
    fn texts_of_the_letters_of_chess_are_answered(
        text in "[KQRBNPkqrbnpa-h1-8 /x:=+#!?()O0.;{}$\"\\\\wb,*-]{0,80}",
        position in reachable(),
    ) {
        read_everywhere(&position, &text);
    }

    #[test]
    fn mutated_texts_are_answered(seed: u64, plies in 0..60_u64) {
        let (start, moves, position) = random_game(seed, plies);
        let fen = format_fen(&position);
        let score = names(&start, &moves).join(" ");
        let last = moves.last().map_or("e4".into(), |&mv| format_move(mv, CastlingSpelling::KingTarget));
        let fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let epd = format!("{fields} bm Nf3; id \"a; \\\"b\\\"\"; dm 4; hmvc 3;");
        let perft = format!("{fen} ;D1 20 ;D2 400");
        for text in [fen, score, last, epd, perft] {
            read_everywhere(&start, &mutated(&text, seed));
        }
        for mv in position.legal_moves().into_iter().take(4) {
            read_everywhere(&position, &mutated(&format_san(&position, mv), seed));
        }
    }
}
