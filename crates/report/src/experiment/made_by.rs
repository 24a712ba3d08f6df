// SPDX-License-Identifier: MIT OR Apache-2.0
//! What made a result: the version, the command, the scenario with its data files, and what the command line has changed.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Component, Path};
use tidegate_lab::experiment::kind::AnyResults;

/// The name of the copy of the scenario.
const SCENARIO: &str = "scenario.toml";

/// What made a result.
pub(super) struct MadeBy {
    /// As `verdict.json` says it.
    pub says: Value,
    /// Names and contents of the copies.
    pub files: Vec<(String, String)>,
}

impl MadeBy {
    /// What made these results; `command` repeats them.
    pub fn of(results: &AnyResults, command: &str) -> MadeBy {
        let scenario = &results.source().text;
        let mut says = json!({
            "tidegate": env!("CARGO_PKG_VERSION"),
            "command": command,
            "scenario": { "file": SCENARIO, "sha256": sha256(scenario) },
        });
        let mut files = vec![(SCENARIO.to_string(), scenario.clone())];
        let data = results.data();
        if !data.is_empty() {
            let places = places(data.keys().map(String::as_str));
            let mut rows = Vec::new();
            for (name, place) in places {
                let text = &data[name].source.text;
                rows.push(json!({ "name": name, "file": place, "sha256": sha256(text) }));
                files.push((place, text.clone()));
            }
            // `a.txt` and `./a.txt` are one file.
            files.sort();
            files.dedup_by(|one, other| one.0 == other.0);
            says["data"] = rows.into();
        }
        if let Some(seeds) = results.seeds() {
            says["seeds"] = seeds.into();
        }
        let set = results.settings().iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        says["set"] = set.collect::<Map<_, _>>().into();
        MadeBy { says, files }
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|octet| format!("{octet:02x}")).collect()
}

/// Where the copy of each data file is. It has the name that the scenario gives it, so that the copy of the scenario runs
/// where it is; one from elsewhere, or with the name of a file of the results, is `data-1`, `data-2` and so on.
fn places<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    let mut all: BTreeMap<&str, Option<String>> = names.map(|name| (name, beside(name))).collect();
    let mut taken: Vec<String> = all.values().flatten().cloned().collect();
    for place in all.values_mut().filter(|place| place.is_none()) {
        let free = (1..).map(|number| format!("data-{number}")).find(|name| !taken.contains(name));
        taken.extend(free.clone());
        *place = free;
    }
    all.into_iter().filter_map(|(name, place)| Some((name, place?))).collect()
}

/// The path of a data file below the scenario, if it is there and no result has the name.
fn beside(name: &str) -> Option<String> {
    let parts = Path::new(name).components().filter(|part| *part != Component::CurDir);
    let parts: Option<Vec<&str>> = parts
        .map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    let parts = parts?;
    let of_results = |name: &str| {
        ["metrics.csv", "parameters.csv", "queue.csv", "rates.csv", "verdict.json", SCENARIO].contains(&name)
            || name.ends_with(".svg")
            || name.starts_with("frames-")
    };
    (!parts.first().is_none_or(|first| of_results(first))).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_sha256sum() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_data_file_keeps_its_name_unless_it_is_elsewhere_or_a_result_has_it() {
        let names = ["./a.txt", "../b.txt", "/c.txt", "d/e.txt", "queue.csv", "data-1", "frames-1.pcap/x"];
        let places = places(names.into_iter());
        let of = names.map(|name| places[name].as_str());
        assert_eq!(of, ["a.txt", "data-2", "data-3", "d/e.txt", "data-5", "data-1", "data-4"]);
    }
}
