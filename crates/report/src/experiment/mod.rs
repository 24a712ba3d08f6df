// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `tidegate run` and `tidegate reproduce` leave: a folder for each experiment, and pages.

mod calculation;
mod claims;
pub mod control;
pub mod joint;
mod made_by;
mod network;
mod pages;
mod pictures;

pub use self::pages::pages;

use self::made_by::MadeBy;
use super::csv::cell;
use super::number::{grouped, short};
use super::plot::Picture;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;
use tidegate_lab::experiment::claims::{Judged, Measured, Verdict};
use tidegate_lab::experiment::kind::{AnyResults, Heading};

/// A finished experiment with what is shown of it.
pub struct Shown<'a> {
    results: &'a AnyResults<'a>,
    heading: Heading<'a>,
    /// Name, caption and drawing of each picture.
    pictures: Vec<(String, String, Picture)>,
    /// Variant, key, value, where it comes from.
    parameters: Vec<[String; 4]>,
    made_by: MadeBy,
}

impl<'a> Shown<'a> {
    /// Draws the pictures; `command` repeats the results.
    ///
    /// # Errors
    /// See [`super::plot`] and [`tidegate_lab::experiment::case::Case::world`].
    pub fn new(results: &'a AnyResults<'a>, command: &str) -> Result<Self> {
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
        let made_by = MadeBy::of(results, command);
        Ok(Shown { results, heading: results.heading(), pictures, parameters, made_by })
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
        files.extend(self.made_by.files.iter().cloned());
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
                    "measured": number(judged.measured.value()),
                    "spread": number(judged.measured.spread()),
                    "values": judged.measured.values.iter().map(|value| number(*value)).collect::<Vec<_>>(),
                    "conditions": judged.conditions.iter().map(|met| {
                        json!({
                            "variant": met.variant,
                            "quantity": met.quantity,
                            "unit": met.unit,
                            "bound": met.condition.expect.get_ref().map(number),
                            "partly_bound": met.condition.partly.map(|partly| partly.map(number)),
                            "reason_of_bound": met.condition.bound,
                            "measured": number(met.measured.value()),
                            "values": met.measured.values.iter().map(|value| number(*value)).collect::<Vec<_>>(),
                            "verdict": met.verdict,
                        })
                    }).collect::<Vec<_>>(),
                    "verdict": judged.verdict,
                    "seeds_within": judged.seeds_within,
                    "can_fail": judged.can_fail,
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
            "made_by": self.made_by.says,
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
                    format!("{}{}", judged.verdict.words(), beside_verdict(judged)),
                    judged.cause.clone(),
                ]
            })
            .collect()
    }
}

/// Headers of [`Shown::rows`].
pub const HEADERS: [&str; 6] = ["claim", "paper", "measured", "bound", "verdict", "cause"];

/// How many claims there are of each verdict. Those that cannot fail do not count among the reproduced ones.
pub fn summary<'s>(all: impl IntoIterator<Item = &'s Shown<'s>> + Clone) -> String {
    let judged = || all.clone().into_iter().flat_map(|shown| shown.results.judged());
    let claims = |wanted: &dyn Fn(&Judged) -> bool| {
        let count =
            |verdict| judged().filter(|judged| judged.verdict == verdict && judged.counts() && wanted(judged)).count();
        let not_measured = match count(Verdict::NotMeasured) {
            0 => String::new(),
            number => format!(", {number} not measured"),
        };
        format!(
            "{} claims: {} reproduced, {} partly, {} not reproduced{not_measured}",
            judged().filter(|judged| judged.counts() && wanted(judged)).count(),
            count(Verdict::Reproduced),
            count(Verdict::Partly),
            count(Verdict::NotReproduced)
        )
    };
    let mut text = claims(&|_| true) + ".";
    let cannot = judged().filter(|judged| !judged.counts()).count();
    if cannot > 0 {
        text += &format!(" {cannot} more cannot fail: they stay so without congestion control.");
    }
    if judged().any(|judged| judged.claim.after_run) {
        text += &format!(" Without those added after a run, {}.", claims(&|judged| !judged.claim.after_run));
    }
    text
}

fn measured(judged: &Judged) -> String {
    if judged.verdict == Verdict::NotMeasured {
        return "–".into();
    }
    let own = value(&judged.measured, &judged.quantity, judged.unit);
    judged.conditions.iter().fold(own, |text, met| format!("{text}; {}", value(&met.measured, &met.quantity, met.unit)))
}

fn value(measured: &Measured, quantity: &str, unit: &str) -> String {
    let value = measured.value();
    let spread = if measured.values.len() > 1 && value.is_finite() {
        format!(" ± {}", short_of(measured.spread(), value))
    } else {
        String::new()
    };
    format!("{}{spread} {unit} ({quantity})", short_of(value, value)).replace("  ", " ")
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

/// What stands behind the verdict: how many seeds would be reproduced alone, and whether it cannot fail.
fn beside_verdict(judged: &Judged) -> String {
    let seeds = judged.measured.values.len();
    let seeds = if seeds > 1 { format!(", {} of {seeds} seeds", judged.seeds_within) } else { String::new() };
    let cannot = if judged.counts() { "" } else { "; cannot fail" };
    format!("{seeds}{cannot}")
}

fn bound(judged: &Judged) -> String {
    let claim = judged.claim;
    let own = bounds(*claim.expect.get_ref(), claim.partly);
    judged.conditions.iter().fold(own, |text, met| {
        let condition = met.condition;
        format!("{text}; {}: {}", met.quantity, bounds(*condition.expect.get_ref(), condition.partly))
    })
}

fn bounds(expect: [f64; 2], partly: Option<[f64; 2]>) -> String {
    let of = |[low, high]: [f64; 2]| match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", short(low), short(high)),
        (true, false) => format!("at least {}", short(low)),
        (false, true) => format!("at most {}", short(high)),
        (false, false) => "any".into(),
    };
    let partly = partly.map(|partly| format!(" (partly: {})", of(partly))).unwrap_or_default();
    format!("{}{partly}", of(expect))
}
