//! The list of promises and tests, `sentences.md`, checked against the tests there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names of functions with `#[test]` in a source text.
fn tests_in(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let after = |index: usize| lines[index..].iter().find_map(|line| line.strip_prefix("fn "));
    let starts = lines.iter().enumerate().filter(|(_, line)| **line == "#[test]").map(|(index, _)| index);
    starts.filter_map(after).filter_map(|rest| rest.split('(').next()).map(String::from).collect()
}

/// Whether the place exists: a file, or a function in it.
fn exists(root: &Path, place: &str) -> bool {
    let (path, name) = place.split_once("::").unwrap_or((place, ""));
    let text = fs::read_to_string(root.join(path)).unwrap_or_default();
    !text.is_empty()
        && (name.is_empty() || text.contains(&format!("fn {name}(")) || text.contains(&format!("def {name}(")))
}

#[test]
fn every_promise_names_its_tests_and_every_test_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("tests/uci_contract");
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "rs") {
            there.extend(tests_in(&fs::read_to_string(path).unwrap()).iter().map(|name| format!("{module}::{name}")));
        }
    }
    let text = fs::read_to_string(folder.join("sentences.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 70 && there.len() > 100, "{} rows, {} tests: nothing is read", rows.len(), there.len());
    let mut named = BTreeSet::new();
    for row in rows {
        let cells = row.trim_end_matches('|').rsplit_once(" | ").expect("two cells").1;
        let places: Vec<&str> = cells.split('`').skip(1).step_by(2).collect();
        assert!(!places.is_empty() || cells.trim() == "not yet", "no test in '{row}'");
        for place in places {
            assert!(there.contains(place) || exists(root, place), "'{place}' does not exist");
            named.insert(place.to_string());
        }
    }
    let unnamed: Vec<&String> = there.difference(&named).collect();
    assert!(unnamed.is_empty(), "not in sentences.md: {unnamed:#?}");
}
