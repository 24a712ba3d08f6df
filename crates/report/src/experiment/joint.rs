// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `tidegate reproduce --joint` leaves: each combination of what a paper leaves open, with its score.

use super::super::csv::cell;
use super::super::page::{Page, Section};
use serde_json::{Value, json};
use std::fmt::Write;
use tidegate_lab::experiment::joint::{Joint, Score, Search};

/// Most combinations that the page shows; the CSV file has all.
const SHOWN_MAX: usize = 20;

fn score(score: Score) -> String {
    format!("{} + {} partly", score.reproduced, score.partly)
}

fn words(joint: &Joint, values: &[usize]) -> String {
    let pairs = joint.readings.reading.iter().zip(values).filter(|(_, value)| **value > 0);
    let words: Vec<_> = pairs.map(|(reading, &value)| reading.words(value)).collect();
    if words.is_empty() { "as in the files".into() } else { words.join("; ") }
}

/// The combination of the files, the best one, and the chosen one.
fn marked(joint: &Joint, search: &Search) -> [(&'static str, usize); 3] {
    let chosen = search.combinations.iter().position(|values| *values == joint.chosen);
    [("printed", 0), ("best", search.ranked(None)[0]), ("joint reading", chosen.unwrap_or(0))]
}

/// One line: the scores of the files, of the best combination and of the chosen one.
pub fn summary(joint: &Joint, search: &Search) -> String {
    let parts = marked(joint, search).map(|(name, number)| {
        format!("{name}: {} ({})", score(search.total(number, None)), words(joint, &search.combinations[number]))
    });
    format!("{}: {} combinations. Reproduced claims, {}.", joint.readings.paper, search.scores.len(), parts.join("; "))
}

/// Headers of [`rows`]: the score and each experiment.
pub fn headers(search: &Search) -> Vec<String> {
    let mut headers = vec!["combination".to_string(), "all".into()];
    headers.extend(search.experiments.iter().cloned());
    headers
}

/// The first combinations, the best first, and what they score.
pub fn rows(joint: &Joint, search: &Search) -> Vec<Vec<String>> {
    let ranked = search.ranked(None);
    ranked.iter().take(SHOWN_MAX).map(|&number| row(joint, search, number)).collect()
}

fn row(joint: &Joint, search: &Search, number: usize) -> Vec<String> {
    let mut cells = vec![words(joint, &search.combinations[number]), score(search.total(number, None))];
    cells.extend(search.scores[number].iter().map(|one| format!("{} + {}", one.reproduced, one.partly)));
    cells
}

/// For each experiment: the best combination of the others, and what this one scores with it.
fn left_out(joint: &Joint, search: &Search) -> Vec<Vec<String>> {
    let of = |(number, id): (usize, &String)| {
        let best = search.ranked(Some(number))[0];
        let own = search.ranked_for(number);
        vec![
            id.clone(),
            words(joint, &search.combinations[best]),
            score(search.scores[best][number]),
            score(search.scores[own][number]),
        ]
    };
    search.experiments.iter().enumerate().map(of).collect()
}

/// All combinations as CSV, the best first.
pub fn csv(joint: &Joint, search: &Search) -> String {
    let mut text = String::from("combination,experiment,reproduced,partly\n");
    for number in search.ranked(None) {
        let words = words(joint, &search.combinations[number]);
        for (id, score) in search.experiments.iter().zip(&search.scores[number]) {
            let _ = writeln!(text, "{},{id},{},{}", cell(&words), score.reproduced, score.partly);
        }
    }
    text
}

/// The page; `command` repeats it.
pub fn page(joint: &Joint, search: &Search, command: &str) -> String {
    let headers = headers(search);
    let headers: Vec<_> = headers.iter().map(String::as_str).collect();
    let open = joint.readings.reading.iter().map(|reading| {
        let values = (0..=reading.others.len()).map(|number| reading.words(number)).collect::<Vec<_>>();
        vec![reading.name.clone(), values.join("; "), reading.from.clone()]
    });
    let marked = marked(joint, search).map(|(name, number)| {
        let mut cells = row(joint, search, number);
        cells[0] = format!("{name}: {}", cells[0]);
        cells
    });
    let remark = format!(
        "tidegate {}. A score counts the claims that are reproduced, and those that are partly so; claims that cannot fail do \
         not count. joint.csv has all combinations.",
        env!("CARGO_PKG_VERSION")
    );
    Page::new(format!("Joint readings of {}", joint.readings.paper))
        .lead(summary(joint, search))
        .section(Section::new("What is open").records(&["reading", "values", "why"], &open.collect::<Vec<_>>()))
        .section(Section::new("The files, the best and the chosen combination").table(&headers, &marked, &[]))
        .section(Section::new("The best combinations").table(&headers, &rows(joint, search), &[]))
        .section(
            Section::new("Each experiment with what is best for the others")
                .paragraph("No set gives all: an experiment scores less with what is best for the others than with its own best.")
                .records(&["experiment", "best for the others", "score with it", "its own best"], &left_out(joint, search)),
        )
        .made_by(remark, &[command])
        .render()
}

/// All of it as JSON.
pub fn json(joint: &Joint, search: &Search) -> Value {
    let of = |number: usize| {
        let scores = search.experiments.iter().zip(&search.scores[number]);
        let scores: serde_json::Map<_, _> = scores
            .map(|(id, score)| (id.clone(), json!({ "reproduced": score.reproduced, "partly": score.partly })))
            .collect();
        json!({ "combination": words(joint, &search.combinations[number]), "scores": scores })
    };
    let marked: serde_json::Map<_, _> =
        marked(joint, search).into_iter().map(|(name, number)| (name.replace(' ', "_"), of(number))).collect();
    json!({
        "format_version": 1,
        "paper": joint.readings.paper,
        "marked": marked,
        "combinations": search.ranked(None).into_iter().map(of).collect::<Vec<_>>(),
    })
}
