// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rooms of ARCHITECTURE.md: each uses those that its row names, all of them above its row. So there is no circle.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are one room.
const ONE_ROOM: [&str; 4] = ["toolchain", "verify", "report", "testing"];

/// The crates of the workspace: folder of their sources, and name.
fn crates() -> Vec<(PathBuf, String)> {
    let folders = fs::read_dir("crates").unwrap().map(|entry| entry.unwrap().path());
    let named = folders.map(|folder| (folder.join("src"), folder.file_name().unwrap().to_str().unwrap().to_string()));
    named.chain([(PathBuf::from("src"), "tidegate".to_string())]).collect()
}

/// Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// For each room, the rooms that its code names, without comments and unit tests.
fn used() -> BTreeMap<String, BTreeSet<String>> {
    let path = Regex::new(r"\b(?:crate|tidegate_\w+)::(\w+)").unwrap();
    let whole = Regex::new(&format!(r"\btidegate_({})\b", ONE_ROOM.join("|"))).unwrap();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let files = crates().into_iter().flat_map(|(source, name)| {
        let files = sources(&source).into_iter();
        files.map(move |file| (source.clone(), name.clone(), file)).collect::<Vec<_>>()
    });
    for (source, name, file) in files {
        let inside = file.strip_prefix(&source).unwrap().components().next().unwrap();
        let inside = inside.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string();
        let of_scheme = source.join(&inside).join("rule.rs").exists();
        let room = if ONE_ROOM.contains(&name.as_str()) { name } else { inside };
        // The folder of a scheme is a part of the list of schemes: a row, and what it holds.
        let room = if of_scheme { "registry".to_string() } else { room };
        if room == "lib" || room == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let named = path.captures_iter(line).chain(whole.captures_iter(line));
            used.entry(room.clone()).or_default().extend(named.map(|found| found[1].to_string()));
        }
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
    let name = Regex::new(r"`(?:crates/(\w+)/)?src/(\w*)").unwrap();
    let rows =
        text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2).take_while(|line| !line.is_empty());
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names = name
            .captures_iter(cells[0])
            .map(|found| if found[2].is_empty() { &found[1] } else { &found[2] }.to_string())
            .collect();
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
