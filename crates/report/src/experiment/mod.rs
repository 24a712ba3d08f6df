// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `tidegate run` and `tidegate reproduce` leave: a folder for each experiment, and pages.

mod calculation;
mod claims;
mod network;
mod pages;
mod pictures;

pub use self::pages::pages;

use super::csv::cell;
use super::number::{grouped, short};
use super::plot::Picture;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;
use tidegate_lab::experiment::claims::{Judged, Verdict};
use tidegate_lab::experiment::kind::{AnyResults, Heading};

/// A finished experiment with what is shown of it.
pub struct Shown<'a> {
    results: &'a AnyResults<'a>,
    heading: Heading<'a>,
    /// Name, caption and drawing of each picture.
    pictures: Vec<(String, String, Picture)>,
    /// Variant, key, value, where it comes from.
    parameters: Vec<[String; 4]>,
}

impl<'a> Shown<'a> {
    /// Draws the pictures.
    ///
    /// # Errors
    /// See [`super::plot`] and [`tidegate_lab::experiment::case::Case::world`].
    pub fn new(results: &'a AnyResults<'a>) -> Result<Self> {
        let mut parameters = Vec::new();
        let pictures = match results {
            AnyResults::Network(experiment, results) => {
                for case in &experiment.cases {
                    let stated = case.stated()?.into_iter();
                    parameters.extend(stated.map(|(key, value, from)| [case.name.clone(), key, value, from]));
                }
                pictures::all(experiment, results)?
            }
            AnyResults::Calculation(study, findings) => {
                let stated = study.stated().into_iter();
                parameters
                    .extend(stated.map(|(variant, key, value, from)| [variant.into(), key.into(), value, from.into()]));
                calculation::pictures(findings)?
            }
        };
        Ok(Shown { results, heading: results.heading(), pictures, parameters })
    }

    /// Names and contents of the files of its folder.
    ///
    /// # Errors
    /// What JSON cannot hold.
    pub fn files(&self) -> Result<Vec<(String, String)>> {
        let mut files = vec![("verdict.json".to_string(), serde_json::to_string_pretty(&self.verdict())? + "\n")];
        match self.results {
            AnyResults::Network(experiment, results) => files.extend([
                ("metrics.csv".to_string(), network::metrics(experiment, results)),
                ("queue.csv".to_string(), network::queues(experiment, results)),
                ("rates.csv".to_string(), network::rates(results)),
            ]),
            AnyResults::Calculation(_, findings) => files.push(("values.csv".into(), calculation::values(findings))),
        }
        files.push(("parameters.csv".to_string(), self.parameters()));
        files.extend(self.pictures.iter().map(|(name, _, picture)| (format!("{name}.svg"), picture.svg())));
        Ok(files)
    }

    fn parameters(&self) -> String {
        let mut text = String::from("variant,parameter,value,from\n");
        for [variant, key, value, from] in &self.parameters {
            let _ = writeln!(text, "{},{key},{},{}", cell(variant), cell(value), cell(from));
        }
        text
    }

    /// The claims with their verdicts.
    pub fn verdict(&self) -> Value {
        let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let claims: Vec<_> = self
            .results
            .judged()
            .iter()
            .map(|judged| {
                let claim = judged.claim;
                json!({
                    "id": claim.id.get_ref(),
                    "claim": claim.claim,
                    "paper": claim.paper,
                    "variant": judged.variant,
                    "quantity": judged.quantity,
                    "unit": judged.unit,
                    "bound": claim.expect.get_ref().map(number),
                    "partly_bound": claim.partly.map(|partly| partly.map(number)),
                    "reason_of_bound": claim.bound,
                    "measured": number(judged.measured.mean()),
                    "spread": number(judged.measured.spread()),
                    "values": judged.measured.values.iter().map(|value| number(*value)).collect::<Vec<_>>(),
                    "verdict": judged.verdict,
                    "cause": judged.cause,
                    "tried": judged.tried.iter().map(|tried| json!({
                        "name": tried.name,
                        "measured": number(tried.value),
                        "verdict": tried.verdict,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect();
        let mut verdict = json!({
            "format_version": 1,
            "id": self.heading.id,
            "title": self.heading.title,
            "paper": self.heading.paper,
        });
        if let AnyResults::Network(experiment, results) = self.results {
            verdict["seeds"] = json!(experiment.file.scenario.seeds.get_ref());
            verdict["packets"] = json!(results.packets);
        }
        verdict["claims"] = json!(claims);
        verdict
    }

    /// The rows of the table of claims: claim, paper, measured, bound, verdict, cause.
    pub fn rows(&self) -> Vec<Vec<String>> {
        self.results
            .judged()
            .iter()
            .map(|judged| {
                let claim = judged.claim;
                vec![
                    format!("{}: {}", claim.id.get_ref(), claim.claim),
                    if claim.paper.is_empty() { "–".into() } else { claim.paper.clone() },
                    measured(judged),
                    bound(judged),
                    judged.verdict.words().into(),
                    judged.cause.clone(),
                ]
            })
            .collect()
    }
}

/// Headers of [`Shown::rows`].
pub const HEADERS: [&str; 6] = ["claim", "paper", "measured", "bound", "verdict", "cause"];

/// How many claims there are of each verdict.
pub fn summary<'s>(all: impl IntoIterator<Item = &'s Shown<'s>> + Clone) -> String {
    let verdicts = || all.clone().into_iter().flat_map(|shown| shown.results.judged()).map(|judged| judged.verdict);
    let count = |verdict| verdicts().filter(|found| *found == verdict).count();
    let not_measured = match count(Verdict::NotMeasured) {
        0 => String::new(),
        number => format!(", {number} not measured"),
    };
    format!(
        "{} claims: {} reproduced, {} partly, {} not reproduced{not_measured}.",
        verdicts().count(),
        count(Verdict::Reproduced),
        count(Verdict::Partly),
        count(Verdict::NotReproduced)
    )
}

fn measured(judged: &Judged) -> String {
    if judged.verdict == Verdict::NotMeasured {
        return "–".into();
    }
    let (quantity, unit) = (&judged.quantity, judged.unit);
    let mean = judged.measured.mean();
    let spread = if judged.measured.values.len() > 1 && mean.is_finite() {
        format!(" ± {}", short_of(judged.measured.spread(), mean))
    } else {
        String::new()
    };
    format!("{}{spread} {unit} ({quantity})", short_of(mean, mean)).replace("  ", " ")
}

/// A number with as many decimals as its scale needs.
fn short_of(value: f64, scale: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "undefined".into() } else { "never".into() };
    }
    if scale.abs() >= 1e6 {
        return short(value);
    }
    let decimals = match scale.abs() {
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        _ => 4,
    };
    grouped(value, decimals)
}

fn bound(judged: &Judged) -> String {
    let of = |[low, high]: [f64; 2]| match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", short(low), short(high)),
        (true, false) => format!("at least {}", short(low)),
        (false, true) => format!("at most {}", short(high)),
        (false, false) => "any".into(),
    };
    let claim = judged.claim;
    let partly = claim.partly.map(|partly| format!("; partly: {}", of(partly))).unwrap_or_default();
    format!("{}{partly}", of(*claim.expect.get_ref()))
}
