//! What holds for the sources as a whole: imports go one way, only the outer layers talk, and all that is unsafe is listed.
//!
//! A module may use only modules of the layers below its own, or its own folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules of one row know nothing of each other.
const LAYERS: [&[&str]; 7] = [
    &["chess", "sync"],
    &["score"],
    &["nnue", "transposition", "syzygy"],
    &["search"],
    &["engine"],
    &["uci"],
    &["tools"],
];

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The modules that follow `crate::` in a source text, one or several in braces. Comments do not count.
fn imports(source: &str) -> BTreeSet<String> {
    let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut modules = BTreeSet::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(list) = rest.strip_prefix('{') {
            // Only the first word of each item at the outer level is a module.
            let mut depth = 0;
            let mut item = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => modules.extend([name(item.trim())].into_iter().filter(|_| !item.is_empty())),
                    _ => {}
                }
                if letter == ',' && depth == 0 { item.clear() } else { item.push(letter) }
            }
            modules.insert(name(item.trim()));
        } else {
            modules.insert(name(rest));
        }
    }
    modules.retain(|module| !module.is_empty());
    modules
}

fn module_of(path: &Path, source_folder: &Path) -> String {
    let first = path.strip_prefix(source_folder).unwrap().components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
}

#[test]
fn imports_go_only_down() {
    let source_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source_folder, &mut files);
    let mut wrong = Vec::new();
    let mut edges = 0;
    for file in &files {
        let module = module_of(file, &source_folder);
        let Some(layer) = layer_of(&module) else {
            assert!(["lib", "main", "bin", "build"].contains(&module.as_str()), "{module} belongs to no layer");
            continue;
        };
        for target in imports(&fs::read_to_string(file).unwrap()) {
            let Some(target_layer) = layer_of(&target) else {
                wrong.push(format!("{}: crate::{target} belongs to no layer", file.display()));
                continue;
            };
            edges += 1;
            if target != module && target_layer >= layer {
                wrong.push(format!("{}: {module} imports {target}", file.display()));
            }
        }
    }
    assert!(edges > 50, "only {edges} imports found: the test reads nothing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_imports_reads_imports() {
    let source = "use crate::{a::{b, c}, d};\nuse crate::e::f;\n// use crate::g;\nlet x = crate::h::i();";
    assert_eq!(imports(source).into_iter().collect::<Vec<_>>(), ["a", "d", "e", "h"]);
}

#[test]
fn only_the_outer_layers_touch_the_standard_streams() {
    let source_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source_folder, &mut files);
    for file in files {
        let module = module_of(&file, &source_folder);
        let source = fs::read_to_string(&file).unwrap();
        let talks = ["println!", "eprintln!", "stdin()", "stdout()"].iter().any(|word| source.contains(word));
        let may_talk = ["uci", "tools", "main", "bin", "build"].contains(&module.as_str());
        assert!(!talks || may_talk, "{} touches the standard streams", file.display());
    }
}

/// How often a source text says `unsafe`, comments apart.
fn unsafe_count(source: &str) -> usize {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.filter(|&word| word == "unsafe").count()
}

/// The files in the rows of the inventory's table, each with its count.
fn inventory(page: &str) -> Vec<(String, usize)> {
    let mut listed = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (files, count) = (cells.next().unwrap(), cells.next().unwrap().parse().unwrap());
        listed.extend(files.split(", ").map(|file| (file.trim_matches('`').to_string(), count)));
    }
    listed.sort();
    listed
}

#[test]
fn the_inventory_of_unsafe_code_is_complete() {
    let source_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source_folder, &mut files);
    let count = |file: &PathBuf| {
        let name = file.strip_prefix(&source_folder).unwrap().to_string_lossy().replace('\\', "/");
        (name, unsafe_count(&fs::read_to_string(file).unwrap()))
    };
    let mut found: Vec<(String, usize)> = files.iter().map(count).filter(|&(_, count)| count > 0).collect();
    found.sort();
    assert_eq!(found, inventory(&fs::read_to_string(source_folder.join("UNSAFE.md")).unwrap()));
}

#[test]
fn the_counter_of_unsafe_counts() {
    let source = "unsafe fn a() {}\n// unsafe\nlet b = unsafe { c() }; // unsafe\n#[deny(unsafe_code)]";
    assert_eq!(unsafe_count(source), 2);
}
