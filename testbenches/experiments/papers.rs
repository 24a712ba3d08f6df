// SPDX-License-Identifier: MIT OR Apache-2.0
//! What scenario files and `analyze` cite exists: each section, figure, table, note, equation and theorem that they name is
//! one of its paper, by `papers.toml`.
//!
//! A citation belongs to the paper that is named before it in the same part of a sentence, up to a semicolon, a closing
//! parenthesis or a full stop: "stated, Jiang 2015b, section 4.2". Without one it belongs to the paper of the file.

use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use tidegate::experiment::catalogue;
use tidegate::registry::SCHEMES;
use tidegate_testing::REPOSITORY;

/// Keys of a scenario file whose texts cite.
const KEYS: [&str; 6] = ["paper", "notes", "from", "claim", "bound", "remark"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    paper: Vec<Paper>,
}

/// What there is to cite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// As it is cited.
    pub name: String,
    /// Numbers, and appendices; with their titles.
    sections: BTreeMap<String, String>,
    /// Number and parts: "5ab".
    figures: Vec<String>,
    tables: Vec<String>,
    /// Footnotes.
    notes: u32,
    equations: u32,
    theorems: u32,
    propositions: u32,
}

impl Paper {
    fn has_figure(&self, number: &str, part: Option<char>) -> bool {
        let figure = |figure: &&String| figure.trim_end_matches(|letter: char| letter.is_ascii_lowercase()) == number;
        let found = self.figures.iter().find(figure);
        found.is_some_and(|figure| part.is_none_or(|part| figure.ends_with(|_| figure.contains(part))))
    }

    /// What of a citation, such as "figures 4, 6 and 7 (a)", is not in the paper.
    fn lacks(&self, what: &str, which: &str) -> Vec<String> {
        let upto = |most: u32| {
            let number = Regex::new(r"\d+").unwrap();
            let beyond = number.find_iter(which).filter(|one| !(1..=most).contains(&one.as_str().parse().unwrap()));
            beyond.map(|one| one.as_str().to_string()).collect::<Vec<_>>()
        };
        let lacking = match what.to_lowercase().trim_end_matches('s') {
            "section" | "appendix" => {
                let each = Regex::new(SECTION).unwrap();
                let all = each.find_iter(which).map(|one| one.as_str().to_string());
                all.filter(|one| !self.sections.contains_key(one)).collect()
            }
            "figure" | "fig." => {
                let which = which.replace(" and ", ", ").replace(" to ", ", ");
                let mut number = String::new();
                let mut lacking = Vec::new();
                for one in Regex::new(r"\d+|[a-d]").unwrap().find_iter(&which).map(|one| one.as_str()) {
                    let part = one.chars().next().filter(char::is_ascii_lowercase);
                    if part.is_none() {
                        number = one.into();
                    }
                    if !self.has_figure(&number, part) {
                        lacking.push(format!("{number}{}", part.map(String::from).unwrap_or_default()));
                    }
                }
                lacking
            }
            "table" => [which]
                .iter()
                .filter(|one| !self.tables.iter().any(|table| table == *one))
                .map(|one| one.to_string())
                .collect(),
            "note" => upto(self.notes),
            "theorem" => upto(self.theorems),
            "proposition" => upto(self.propositions),
            _ => upto(self.equations),
        };
        lacking
            .into_iter()
            .map(|one| format!("{} has no {} {one}", self.name, if what.is_empty() { "equation" } else { what }))
            .collect()
    }
}

/// The number of a section.
const SECTION: &str = r"\b(?:[IVX]+|[A-D]|\d+)(?:\.(?:[A-Z]|\d+))*\b";

/// What citations look like: the name of a paper, the kind and the numbers, the end of the part of a sentence.
pub struct Citations {
    papers: Vec<Paper>,
    pattern: Regex,
}

impl Citations {
    pub fn new() -> Citations {
        let text = std::fs::read_to_string(format!("{REPOSITORY}/testbenches/papers.toml")).unwrap();
        let papers = toml::from_str::<Table>(&text).unwrap().paper;
        let figure = r"\d+(?:[a-d]\b| ?\([a-d]\))?(?:, \([a-d]\))*";
        let list = |one: &str| format!("{one}(?:(?:, | and | to ){one})*");
        let kinds = [
            format!(r"(?<what>[Ss]ections?|[Aa]ppendix) (?<which>{})", list(SECTION)),
            format!(r"(?<what>[Ff]igures?|Fig\.) (?<which>{})", list(figure)),
            r"(?<what>Table) (?<which>[IVX]+|\d+)".into(),
            format!(r"(?<what>[Nn]otes?|Theorems?|[Pp]ropositions?) (?<which>{})", list(r"\d+")),
            r"(?<what>)\((?<which>[1-9]\d?)\)".into(),
        ];
        // Groups of one name each: the kinds are tried one after the other at a place.
        let kinds = kinds.iter().enumerate().map(|(at, kind)| {
            kind.replace("?<what>", &format!("?<what{at}>")).replace("?<which>", &format!("?<which{at}>"))
        });
        let kinds = kinds.collect::<Vec<_>>().join("|");
        let name = r"(?<name>\b[A-Z][a-z]+ (?:19|20)\d\d[a-z]?\b|\bCheng\b)";
        Citations { papers, pattern: Regex::new(&format!(r"{name}|{kinds}|(?<end>;|\)|\.(?: |$))")).unwrap() }
    }

    pub fn paper(&self, name: &str) -> Option<&Paper> {
        self.papers.iter().find(|paper| paper.name == name)
    }

    /// The paper of a file whose `paper` line this is.
    pub fn of_file(&self, line: &str) -> Option<&Paper> {
        self.papers.iter().find(|paper| line.starts_with(&paper.name))
    }

    /// What `text` cites and does not exist; `own` is the paper of the file.
    pub fn mistakes(&self, own: Option<&Paper>, text: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        let mut named: Option<&str> = None;
        for found in self.pattern.captures_iter(text) {
            if let Some(name) = found.name("name") {
                named = Some(name.as_str());
            } else if found.name("end").is_some() {
                named = None;
            } else {
                let group = |name: &str| (0..5).find_map(|at| found.name(&format!("{name}{at}"))).unwrap().as_str();
                match named.map_or(own, |name| self.paper(name)) {
                    Some(paper) => mistakes.extend(paper.lacks(group("what"), group("which"))),
                    None => mistakes.push(format!("{} is of no paper of papers.toml", &found[0])),
                }
            }
        }
        mistakes
    }
}

/// Texts of the keys that cite, in the whole file.
fn texts(value: &toml::Value, key: &str, all: &mut Vec<String>) {
    match value {
        toml::Value::String(text) if KEYS.contains(&key) => all.push(text.clone()),
        toml::Value::Array(values) => values.iter().for_each(|value| texts(value, key, all)),
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| texts(value, key, all)),
        _ => {}
    }
}

/// The file of an experiment: identifier and content.
fn files() -> impl Iterator<Item = (&'static str, toml::Value)> {
    catalogue::ids().map(|id| {
        let text = std::fs::read_to_string(format!("{REPOSITORY}/testbenches/experiments/{id}.toml")).unwrap();
        (id, toml::from_str(&text).unwrap())
    })
}

#[test]
fn what_the_experiments_cite_exists() {
    let citations = Citations::new();
    let mut mistakes = Vec::new();
    for (id, file) in files() {
        let paper = file["paper"].as_str().unwrap();
        let own = citations.of_file(paper);
        assert!(own.is_some(), "{id}: paper = \"{paper}\" is none of papers.toml");
        let mut all = Vec::new();
        texts(&file, "", &mut all);
        let distinct: BTreeSet<String> = all.into_iter().collect();
        for text in distinct {
            mistakes
                .extend(citations.mistakes(own, &text).iter().map(|mistake| format!("{id}, \"{text}\": {mistake}")));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn what_analyze_cites_exists() {
    let citations = Citations::new();
    for scheme in SCHEMES {
        let parameters = scheme.parameters(&[]).unwrap();
        for line in (scheme.analyze)(&parameters).lines {
            let mistakes = citations.mistakes(None, line.equation);
            assert!(mistakes.is_empty(), "{}, {}: \"{}\": {mistakes:?}", scheme.name, line.quantity, line.equation);
        }
    }
}

#[test]
fn a_citation_of_what_does_not_exist_is_found() {
    let citations = Citations::new();
    let own = citations.paper("Jiang 2015b");
    for (text, expected) in [
        ("stated, section 5.3.1: R_a = 256", &[][..]),
        ("stated, section 5.6", &["section 5.6"]),
        ("sections 5.3.3 and 7, figures 5b, 15 and 24", &["section 7", "figure 24"]),
        ("figure 5 (c)", &["figure 5c"]),
        ("stated, section V.A", &["section V.A"]),
        ("stated, Cheng, section V.A; section 5.1", &[]),
        ("stated, Cheng, section 5.1", &["section 5.1"]),
        ("section 5.1 (Jiang 2014, section 5.1.2), section 5.1.2", &["section 5.1.2"]),
        ("Santos 2002, notes 10 and 14, Table II", &["note 14", "Table II"]),
        ("rule (25), Theorem 3, (31)", &["equation 31"]),
        ("Alizadeh 2010, section 2.2", &["section 2.2"]),
    ] {
        let found = citations.mistakes(own, text);
        let all = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, what)| {
                let (kind, number) = what.split_once(' ').unwrap();
                found.contains(kind) && found.contains(number)
            });
        assert!(all, "{text}: {found:?}");
    }
}
