// SPDX-License-Identifier: MIT OR Apache-2.0
//! docs/claims.md: each sentence of a paper with the claims that judge it. Each claim that it names exists, each claim of an
//! experiment stands under its paper, and what it cites exists.

use super::papers::Citations;
use std::collections::BTreeSet;
use tidegate::experiment::catalogue;
use tidegate_testing::REPOSITORY;

/// A row of a table: the paper, section, sentence, and what judges it.
struct Row {
    paper: String,
    cells: [String; 3],
}

fn rows(page: &str) -> Vec<Row> {
    let mut paper = String::new();
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            paper = heading.split(',').next().unwrap().into();
        } else if let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) {
            let cells: Vec<_> = line.split(" | ").map(String::from).collect();
            let cells = cells.try_into().unwrap_or_else(|_| panic!("expected three cells: {line}"));
            rows.push(Row { paper: paper.clone(), cells });
        }
    }
    rows.retain(|row| row.cells[0] != "section");
    rows
}

/// The claims of a cell such as "`smcc-fig5`: empty, tight; `smcc-fig16`: fair".
fn named(cell: &str) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for part in cell.split("; ") {
        let (id, claims) = part
            .split_once(": ")
            .and_then(|(id, claims)| Some((id.strip_prefix('`')?.strip_suffix('`')?, claims)))
            .ok_or(format!("`{part}`: expected `EXPERIMENT`: claim, claim, or \"not judged\" and why"))?;
        all.extend(claims.split(", ").map(|claim| (id.to_string(), claim.to_string())));
    }
    Ok(all)
}

#[test]
fn each_claim_stands_beside_the_sentence_that_it_judges() {
    let citations = Citations::new();
    let page = std::fs::read_to_string(format!("{REPOSITORY}/docs/claims.md")).unwrap();
    let mut known = BTreeSet::new();
    for id in catalogue::ids() {
        let file = catalogue::find(id).unwrap();
        let heading = file.heading();
        let paper = citations.of_file(heading.paper).unwrap_or_else(|| panic!("{id}: {}", heading.paper));
        known.extend(heading.claims.iter().map(|claim| (paper.name.clone(), id.into(), claim.id.get_ref().clone())));
    }
    let mut mistakes = Vec::new();
    let mut judged = BTreeSet::new();
    for Row { paper, cells: [section, sentence, judges] } in rows(&page) {
        let own = citations.paper(&paper).unwrap_or_else(|| panic!("## {paper}: no paper of papers.toml"));
        for text in [&format!("section {section}"), &sentence, &judges] {
            mistakes.extend(citations.mistakes(Some(own), text).iter().map(|mistake| format!("{sentence}: {mistake}")));
        }
        if judges.starts_with("not judged") {
            continue;
        }
        match named(&judges) {
            Ok(claims) => judged.extend(claims.into_iter().map(|(id, claim)| (paper.clone(), id, claim))),
            Err(mistake) => mistakes.push(format!("{sentence}: {mistake}")),
        }
    }
    let each = |(paper, id, claim): &(String, String, String)| format!("{paper}, {id}: {claim}");
    mistakes.extend(known.difference(&judged).map(|claim| format!("{}: no sentence is judged by it", each(claim))));
    mistakes.extend(judged.difference(&known).map(|claim| format!("{}: no such claim of this paper", each(claim))));
    assert!(mistakes.is_empty(), "docs/claims.md: {} mistakes:\n{}", mistakes.len(), mistakes.join("\n"));
}
