// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables and pictures of a scenario without a network.

use super::super::csv::cell;
use super::super::number::short;
use super::super::plot::Picture;
use super::super::portrait::{draw, title};
use anyhow::Result;
use std::fmt::Write;
use tidegate_lab::experiment::calculation::{Findings, Value};

/// All values, as CSV.
pub fn values(findings: &Findings) -> String {
    let mut text = String::from("variant,quantity,value,unit,words,source\n");
    for (variant, values) in &findings.values {
        for Value { quantity, value, words, unit, source } in values {
            let number = value.map(|value| value.to_string()).unwrap_or_default();
            let [variant, quantity, words, source] = [*variant, quantity.as_str(), words, source].map(cell);
            let _ = writeln!(text, "{variant},{quantity},{number},{unit},{words},{source}");
        }
    }
    text
}

/// The same for readers: a row for each quantity, a column for each variant.
pub fn rows(findings: &Findings) -> (Vec<String>, Vec<Vec<String>>) {
    let headers = ["quantity".to_string()].into_iter().chain(findings.values.iter().map(|(name, _)| name.to_string()));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (column, (_, values)) in (1..).zip(&findings.values) {
        for Value { quantity, value, words, unit, .. } in values {
            let at = rows.iter().position(|row| row[0] == *quantity).unwrap_or_else(|| {
                rows.push(vec![quantity.clone()]);
                rows.len() - 1
            });
            rows[at].resize(column, String::new());
            rows[at].push(value.map_or(words.clone(), |value| format!("{} {unit}", short(value)).trim_end().into()));
        }
    }
    rows.iter_mut().for_each(|row| row.resize(findings.values.len() + 1, String::new()));
    (headers.collect(), rows)
}

/// Name, caption and drawing of each picture.
///
/// # Errors
/// See [`super::super::plot`].
pub fn pictures(findings: &Findings) -> Result<Vec<(String, String, Picture)>> {
    let many = findings.portraits.len() > 1;
    let mut pictures = Vec::new();
    for (number, (variant, scheme, portrait)) in (1..).zip(&findings.portraits) {
        let name = if many { format!("portrait-{number}") } else { "portrait".into() };
        let title = format!("{variant}. {}", title(scheme));
        pictures.push((name, format!("{variant}. What the theory says."), draw(scheme, &title, portrait)?));
    }
    Ok(pictures)
}
