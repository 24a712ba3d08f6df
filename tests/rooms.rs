// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rooms of ARCHITECTURE.md: each uses those that its row names, all of them above its row. So there is no circle.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates: `tidegate` shows the rooms of the other one as its own.
const SOURCES: [&str; 2] = ["src", "circuits/src"];

/// Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// For each room, the rooms that its code names, without comments and unit tests.
fn used() -> BTreeMap<String, BTreeSet<String>> {
    let path = Regex::new(r"\bcrate::(\w+)").unwrap();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let files = SOURCES.iter().flat_map(|source| sources(Path::new(source)).into_iter().map(|file| (*source, file)));
    for (source, file) in files {
        let inside = file.strip_prefix(source).unwrap().components().next().unwrap();
        let room = inside.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string();
        if room == "lib" || room == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let named = code.flat_map(|line| path.captures_iter(line)).map(|found| found[1].to_string());
        used.entry(room).or_default().extend(named);
    }
    let rooms: BTreeSet<String> = used.keys().cloned().collect();
    for (room, others) in &mut used {
        others.retain(|other| other != room && rooms.contains(other));
    }
    used
}

/// The rows of the table of rooms: names, and the rooms that they know.
fn table() -> Vec<(Vec<String>, BTreeSet<String>)> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let name = Regex::new(r"`(?:circuits/)?src/(\w+)").unwrap();
    let rows = text.lines().filter(|line| SOURCES.iter().any(|source| line.starts_with(&format!("| `{source}/"))));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names = name.captures_iter(cells[0]).map(|found| found[1].to_string()).collect();
        let known = cells[2].split(", ").filter(|&known| known != "nothing").map(str::to_string).collect();
        (names, known)
    });
    rows.collect()
}

#[test]
fn rooms_use_what_their_row_names_and_only_rooms_above() {
    let (used, table) = (used(), table());
    let mut above: BTreeSet<String> = BTreeSet::new();
    for (names, known) in &table {
        let mut actual = BTreeSet::new();
        for name in names {
            let uses = used.get(name).unwrap_or_else(|| panic!("ARCHITECTURE.md: there is no room `{name}`"));
            actual.extend(uses.iter().filter(|other| !names.contains(other)).cloned());
        }
        assert_eq!(*known, actual, "{names:?}: what ARCHITECTURE.md says (left) and what the code uses");
        assert!(known.is_subset(&above), "{names:?} uses a room that is not above it in ARCHITECTURE.md");
        above.extend(names.iter().cloned());
    }
    assert_eq!(above, used.keys().cloned().collect(), "the rooms of ARCHITECTURE.md and those of the sources");
}
