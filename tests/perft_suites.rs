//! Every line of the perft suites in the tree, to a limit of nodes for each position.
//!
//! `LUFT_PERFT_NODES` sets another limit than 2,000,000.

use std::fs;
use std::path::Path;

use luft::chess::notation::{PerftLine, format_fen, format_shredder_fen, parse_fen};
use luft::chess::perft::perft;

const USUAL_LIMIT: u64 = 2_000_000;

fn limit() -> u64 {
    match std::env::var("LUFT_PERFT_NODES") {
        Ok(text) => text.parse().expect("LUFT_PERFT_NODES is a number of nodes"),
        Err(_) => USUAL_LIMIT,
    }
}

/// The lines of a suite, with their text.
fn read_suite(name: &str) -> Vec<(String, PerftLine)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("perft-suites").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')))
        .map(|line| (line.into(), line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))))
        .collect()
}

/// Counts every depth of the suite within the limit, and returns how many positions and counts there were.
fn check_suite(name: &str) -> (usize, usize) {
    let suite = read_suite(name);
    let limit = limit();
    let mut checked = 0;
    for (text, line) in &suite {
        for &(depth, nodes) in line.counts.iter().filter(|(_, nodes)| *nodes <= limit) {
            assert_eq!(perft(&line.position, depth), nodes, "depth {depth} of {text}");
            checked += 1;
        }
    }
    (suite.len(), checked)
}

#[test]
fn standard_suite() {
    let (positions, counts) = check_suite("standard.epd");
    assert_eq!(positions, 334);
    assert!(counts >= positions, "{counts} counts within the limit");
}

#[test]
fn chess960_suite() {
    let (positions, counts) = check_suite("chess960.epd");
    assert_eq!(positions, 252);
    assert!(counts >= positions, "{counts} counts within the limit");
}

#[test]
fn positions_of_the_suites_survive_both_spellings_of_fen() {
    for name in ["standard.epd", "chess960.epd"] {
        for (text, line) in read_suite(name) {
            for fen in [format_fen(&line.position), format_shredder_fen(&line.position)] {
                assert_eq!(parse_fen(&fen).as_ref(), Ok(&line.position), "{fen} from {text}");
            }
            // The suites write castling in the way their heads say, and en passant only where it is legal.
            let fen = text.split(';').next().unwrap_or_default().trim();
            let written = if name == "standard.epd" { format_fen } else { format_shredder_fen };
            assert_eq!(written(&line.position), fen);
        }
    }
}
