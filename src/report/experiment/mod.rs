//! What `tidegate run` and `tidegate reproduce` leave: a folder for each experiment, and one page over all.

mod pictures;

use super::csv::cell;
use super::number::{grouped, short};
use super::page::{Page, Section};
use crate::experiment::claims::Verdict;
use crate::experiment::metric::{Metric, Scope, measure};
use crate::experiment::{Experiment, Judged, Results};
use crate::units::SixDecimals;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;

/// A finished experiment with what is shown of it.
pub struct Shown<'a> {
    experiment: &'a Experiment<'a>,
    results: &'a Results<'a>,
    /// Name, caption and SVG text of each picture.
    pictures: Vec<(String, String, String)>,
}

impl<'a> Shown<'a> {
    /// Draws the pictures.
    ///
    /// # Errors
    /// See [`super::plot`].
    pub fn new(experiment: &'a Experiment<'a>, results: &'a Results<'a>) -> Result<Self> {
        Ok(Shown { experiment, results, pictures: pictures::all(experiment, results)? })
    }

    /// Names and contents of the files of its folder.
    ///
    /// # Errors
    /// See [`crate::experiment::case::Case::world`].
    pub fn files(&self) -> Result<Vec<(String, String)>> {
        let mut files = vec![
            ("verdict.json".to_string(), serde_json::to_string_pretty(&self.verdict())? + "\n"),
            ("metrics.csv".to_string(), self.metrics()),
            ("queue.csv".to_string(), self.queues()),
            ("rates.csv".to_string(), self.rates()),
            ("parameters.csv".to_string(), self.parameters()?),
        ];
        files.extend(self.pictures.iter().map(|(name, _, svg)| (format!("{name}.svg"), format!("{svg}\n"))));
        Ok(files)
    }

    /// The claims with their verdicts.
    pub fn verdict(&self) -> Value {
        let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let claims: Vec<_> = self
            .results
            .judged
            .iter()
            .map(|judged| {
                let claim = judged.question.claim;
                json!({
                    "id": claim.id.get_ref(),
                    "claim": claim.claim,
                    "paper": claim.paper,
                    "variant": judged.variant,
                    "quantity": judged.question.quantity(),
                    "unit": judged.question.unit(),
                    "bound": claim.expect.get_ref().map(number),
                    "partly_bound": claim.partly.map(|partly| partly.map(number)),
                    "reason_of_bound": claim.bound,
                    "measured": number(judged.measured.mean()),
                    "spread": number(judged.measured.spread()),
                    "values": judged.measured.values.iter().map(|value| number(*value)).collect::<Vec<_>>(),
                    "verdict": judged.verdict,
                    "cause": judged.cause,
                })
            })
            .collect();
        let file = self.experiment.file;
        json!({
            "format_version": 1,
            "id": file.id,
            "title": file.scenario.title,
            "paper": file.scenario.paper,
            "seeds": file.scenario.seeds.get_ref(),
            "packets": self.results.packets,
            "claims": claims,
        })
    }

    /// Metrics of the whole run of each variant, seed and output.
    fn metrics(&self) -> String {
        let mut text = String::from("variant,seed,output,metric,value,unit\n");
        for (case, runs) in self.experiment.cases.iter().zip(&self.results.runs) {
            for (seed, outcome) in (1..).zip(&runs.outcomes) {
                for (output, name) in case.output_names().iter().enumerate() {
                    let scope = Scope { output, flow: 0, from: 0, to: outcome.looks[output].len(), between: [0, 0] };
                    for metric in Metric::SHOWN {
                        let (value, unit) = (measure(outcome, metric, scope), metric.unit());
                        let (variant, name) = (cell(&runs.name), cell(name));
                        let _ = writeln!(text, "{variant},{seed},{name},{},{value},{unit}", metric.name());
                    }
                }
            }
        }
        text
    }

    /// The queues of the first seed, look by look.
    fn queues(&self) -> String {
        let mut text =
            String::from("time_s,variant,output,queue_mean_bytes,queue_min_bytes,queue_max_bytes,bytes_out,dropped\n");
        for (case, runs) in self.experiment.cases.iter().zip(&self.results.runs) {
            let outcome = &runs.outcomes[0];
            for (looks, name) in outcome.looks.iter().zip(case.output_names()) {
                for (number, look) in looks.iter().enumerate() {
                    let mean = look.bytes as f64 / outcome.look_cycles as f64;
                    let time = (number + 1) as f64 * outcome.look_ms() / 1e3;
                    let _ = writeln!(
                        text,
                        "{time:.9},{},{},{mean:.3},{},{},{},{}",
                        cell(&runs.name),
                        cell(&name),
                        look.least,
                        look.most,
                        look.bytes_out,
                        look.dropped
                    );
                }
            }
        }
        text
    }

    /// The rates of the controlled flows of the first seed, look by look.
    fn rates(&self) -> String {
        let mut text = String::from("time_s,variant,flow,rate_mbps\n");
        for runs in &self.results.runs {
            let outcome = &runs.outcomes[0];
            let clock = runs.parameters.decimal("clock_mhz");
            for (number, rates) in outcome.rates.iter().enumerate() {
                let time = (number + 1) as f64 * outcome.look_ms() / 1e3;
                for &flow in &outcome.controlled {
                    let (variant, name) = (cell(&runs.name), cell(&outcome.flow_names[flow]));
                    let _ = writeln!(text, "{time:.9},{variant},{name},{}", SixDecimals(rates[flow].to_mbps(clock)));
                }
            }
        }
        text
    }

    fn parameters(&self) -> Result<String> {
        let mut text = String::from("variant,parameter,value,from\n");
        for case in &self.experiment.cases {
            for (key, value, from) in case.stated()? {
                let _ = writeln!(text, "{},{key},{},{}", cell(&case.name), cell(&value), cell(&from));
            }
        }
        Ok(text)
    }

    /// The rows of the table of claims: claim, paper, measured, bound, verdict, cause.
    pub fn rows(&self) -> Vec<Vec<String>> {
        self.results
            .judged
            .iter()
            .map(|judged| {
                let claim = judged.question.claim;
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

    /// Its part of the page.
    fn section(&self) -> Result<Section> {
        let file = self.experiment.file;
        let scenario = &file.scenario;
        let mut section = Section::new(format!("{}: {}", file.id, scenario.title));
        if !scenario.paper.is_empty() {
            section = section.paragraph(format!("Repeats {}.", scenario.paper));
        }
        for note in &scenario.notes {
            section = section.paragraph(note);
        }
        if !self.results.judged.is_empty() {
            let mut rows = self.rows();
            for (row, judged) in rows.iter_mut().zip(&self.results.judged) {
                row[3] = format!("{} ({})", row[3], judged.question.claim.bound);
                row.truncate(5);
            }
            section = section.table(&HEADERS[..5], &rows, &[]);
            // Not a column: on a phone it would be out of sight, and make rows long.
            for judged in self.results.judged.iter().filter(|judged| !judged.cause.is_empty()) {
                section = section.paragraph(format!("{}: {}", judged.question.claim.id.get_ref(), judged.cause));
            }
        }
        for (_, caption, svg) in &self.pictures {
            section = section.figure(svg, caption);
        }
        let mut rows: Vec<Vec<String>> = Vec::new();
        let cases = &self.experiment.cases;
        for case in cases {
            for (key, value, from) in case.stated()? {
                match rows.iter_mut().find(|row| row[1] == key && row[2] == value && row[3] == from) {
                    Some(row) => row[0] = format!("{}, {}", row[0], case.name),
                    None => rows.push(vec![case.name.clone(), key, value, from]),
                }
            }
        }
        let all = cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>().join(", ");
        rows.iter_mut().filter(|row| row[0] == all).for_each(|row| row[0] = "all".into());
        Ok(section.table(&["variant", "parameter", "value", "where it comes from"], &rows, &[]))
    }
}

/// Headers of [`Shown::rows`].
pub const HEADERS: [&str; 6] = ["claim", "paper", "measured", "bound", "verdict", "cause"];

/// How many claims there are of each verdict.
pub fn summary(all: &[Shown]) -> String {
    let verdicts = || all.iter().flat_map(|shown| &shown.results.judged).map(|judged| judged.verdict);
    let count = |verdict| verdicts().filter(|found| *found == verdict).count();
    format!(
        "{} claims: {} reproduced, {} partly, {} not reproduced.",
        verdicts().count(),
        count(Verdict::Reproduced),
        count(Verdict::Partly),
        count(Verdict::NotReproduced)
    )
}

/// One page over experiments; `command` repeats it.
///
/// # Errors
/// See [`Shown::files`].
pub fn page(all: &[Shown], command: &str) -> Result<String> {
    let mut page = Page::new("Experiments").lead(summary(all));
    if all.len() > 1 {
        let rows: Vec<Vec<String>> = all
            .iter()
            .flat_map(|shown| {
                let id = &shown.experiment.file.id;
                shown.rows().into_iter().map(move |mut row| {
                    row.truncate(5);
                    row.insert(0, id.clone());
                    row
                })
            })
            .collect();
        let headers: Vec<&str> = ["experiment"].into_iter().chain(HEADERS[..5].iter().copied()).collect();
        page = page.section(Section::new("All claims").table(&headers, &rows, &[]));
    }
    for shown in all {
        page = page.section(shown.section()?);
    }
    let remark = format!(
        "tidegate {}. Measured values are means over the seeds, ± the standard deviation over them. A bound stands in the \
         scenario file. Pictures over time show the first seed. An empty queue means an idle link: the packet that is being \
         sent counts as part of the queue. KB are 1024 bytes.",
        env!("CARGO_PKG_VERSION")
    );
    Ok(page.made_by(remark, &[command]).render())
}

fn measured(judged: &Judged) -> String {
    let (quantity, unit) = (judged.question.quantity(), judged.question.unit());
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
    let claim = judged.question.claim;
    let partly = claim.partly.map(|partly| format!("; partly: {}", of(partly))).unwrap_or_default();
    format!("{}{partly}", of(*claim.expect.get_ref()))
}
