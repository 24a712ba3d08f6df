// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first page of a comparison: which scheme when, three pictures, and which flows starved. All of it is computed from
//! what was measured.

use super::Drawn;
use super::area::{part_title, ports_text};
use super::closed_loop::{self, Merit, Run, STARVED_PERCENT};
use crate::number::grouped;
use crate::page::Section;
use crate::plot::{BarPairs, Panel, Panels, Strip, Strips, bar_pairs, panels, strips};
use anyhow::Result;
use tidegate_lab::measure::Variant;
use tidegate_lab::measure::area::{Column, Comparison, TOTAL};
use tidegate_toolchain::cells::{Family, Resources, SmallMemories};

/// Schemes that a row names after the best one.
const OTHERS_MAX: usize = 2;

/// What a scheme has in a row of the table.
struct Candidate {
    name: String,
    /// Less is better.
    value: f64,
    /// The best and the worst over the seeds.
    range: (f64, f64),
    /// As shown.
    text: String,
}

/// The section, with its pictures.
///
/// # Errors
/// If drawing a picture fails.
pub(super) fn section(comparison: &Comparison, runs: &[Run], drawn: &mut Drawn) -> Result<Section> {
    let mut section =
        Section::new("Which scheme when").records(&["you want", "best", "measured", "next"], &rows(comparison, runs));
    if !runs.is_empty() {
        section = section.paragraph(starved(runs)).paragraph(
            "Queue, rates and packets: the median of the seeds (the least to the largest). Unclear: seeds of the best and the \
             next scheme overlap.",
        );
    }
    let mut pictures = Vec::new();
    if let Some((family, chart)) = area(comparison) {
        let caption = format!("Sum of the blocks of a part with {}, {}.", ports_text(1), family.name());
        pictures.push(("area", bar_pairs(&chart)?, caption));
    }
    if let Some(first) = runs.first() {
        let seeds: Vec<String> = runs.iter().map(|run| run.median_seed().to_string()).collect();
        let shown =
            format!("seed {} of {}, the median by Jain's index", listed(&seeds), closed_loop::seeds_text(first));
        let caption = format!(
            "Line: {shown}. Area: from the least to the largest of the seeds at each sampling interval. Dashes: the target."
        );
        pictures.push(("queue", panels(&queue(runs))?, caption));
        let caption = format!(
            "A line is a seed, a dot a flow, filled: {shown}. Dashes: an even share. Grey: less than {STARVED_PERCENT} % of it."
        );
        pictures.push(("fairness", strips(&fairness(runs))?, caption));
    }
    let several = drawn.several(pictures);
    Ok(section.pictures(several.iter().map(|(picture, caption)| (picture, caption.as_str()))))
}

/// `4`, `4 and 5`, `4, 5 and 6`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The rows of the table: what is wanted, the best scheme, what was measured of it, the next ones.
fn rows(comparison: &Comparison, runs: &[Run]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (part, candidates) in areas(comparison) {
        rows.push(row(format!("fewest flip-flops in the {}", part_title(part)), candidates));
    }
    type Figure = (&'static str, usize, f64, fn(&Merit, f64) -> f64);
    let figures: [Figure; 4] = [
        ("mean queue nearest to its target (KB off)", 1, 1.0, |merit, target| (merit.queue_mean - target).abs()),
        ("steadiest queue (standard deviation, KB)", 1, 1.0, |merit, _| merit.queue_deviation),
        ("fairest rates (Jain's index)", 2, -1.0, |merit, _| merit.fairness()),
        ("fewest packets dropped", 0, 1.0, |merit, _| merit.dropped),
    ];
    for (wanted, decimals, sign, figure) in figures {
        let candidate = |run: &Run| {
            let target = run.target();
            let over = run.over_seeds(&|merit| figure(merit, target));
            let (best, worst) = if sign > 0.0 { (over.least, over.most) } else { (-over.most, -over.least) };
            Candidate { name: run.name(), value: sign * over.median, range: (best, worst), text: over.text(decimals) }
        };
        if !runs.is_empty() {
            rows.push(row(wanted.into(), runs.iter().map(candidate).collect()));
        }
    }
    rows
}

fn row(wanted: String, mut candidates: Vec<Candidate>) -> Vec<String> {
    // Stable: equal ones stay in the order of the command line.
    candidates.sort_by(|one, other| one.value.total_cmp(&other.value));
    let best = candidates.iter().filter(|one| one.value == candidates[0].value).count();
    let (first, others) = candidates.split_at(best);
    let unclear = others.first().is_some_and(|next| next.range.0 <= first[0].range.1);
    let name = match (candidates.len(), best) {
        (1, _) => first[0].name.clone(),
        (all, best) if all == best => "all the same".into(),
        _ => listed(&first.iter().map(|one| one.name.clone()).collect::<Vec<_>>()),
    };
    let next: Vec<String> =
        others.iter().take(OTHERS_MAX).map(|other| format!("{}: {}", other.name, other.text)).collect();
    let next = if next.is_empty() { "–".to_string() } else { next.join("; ") };
    vec![wanted, if unclear { format!("{name} (unclear)") } else { name }, first[0].text.clone(), next]
}

/// The variants of a part in the first family, with the resources of one of the fewest ports.
fn variants<'a>(comparison: &'a Comparison, family: Family, part: &'a str) -> Vec<(String, &'a Resources)> {
    let ports = comparison.rows.iter().map(|row| row.ports).min().unwrap_or(1);
    let columns = comparison.columns((family, part)).into_iter();
    let named = columns.filter(|column| column.small_memories == SmallMemories::LutRam).filter_map(|column| {
        let Column { variant: Variant { scheme, profile }, .. } = &column;
        let name = format!("{scheme} {profile}");
        comparison.row((family, part), &column, ports, TOTAL).map(|row| (name, &row.resources))
    });
    named.collect()
}

fn first_family(comparison: &Comparison) -> impl Iterator<Item = (Family, &'static str)> {
    let tables = comparison.tables();
    let family = tables.first().map(|table| table.0);
    tables.into_iter().filter(move |table| Some(table.0) == family)
}

/// For each part, the candidates for the fewest flip-flops.
fn areas(comparison: &Comparison) -> Vec<(&'static str, Vec<Candidate>)> {
    let whole = |number: u32| grouped(f64::from(number), 0);
    let candidate = |(name, resources): (String, &Resources)| {
        let value = f64::from(resources.flip_flops);
        let text = format!("{} ({} LUTs)", whole(resources.flip_flops), whole(resources.luts));
        Candidate { name, value, range: (value, value), text }
    };
    let of = |(family, part)| (part, variants(comparison, family, part).into_iter().map(candidate).collect());
    first_family(comparison).map(of).collect()
}

/// What each variant costs, part by part; of the first family.
fn area(comparison: &Comparison) -> Option<(Family, BarPairs)> {
    let family = comparison.tables().first()?.0;
    let groups = first_family(comparison).map(|(family, part)| {
        let bars = variants(comparison, family, part)
            .into_iter()
            .map(|(name, resources)| (name, [f64::from(resources.flip_flops), f64::from(resources.luts)]));
        (part_title(part).to_string(), bars.collect())
    });
    let title = format!("Area, {}", family.name());
    let quantities = ["flip-flops", "LUTs"].map(String::from);
    Some((family, BarPairs { title, quantities, groups: groups.collect() }))
}

fn queue(runs: &[Run]) -> Panels {
    let panel =
        |run: &Run| Panel { name: run.name(), curve: run.queue(), band: run.queue_band(), target: run.target() };
    Panels {
        title: "Queue over time".into(),
        x_label: "time (s)".into(),
        y_label: "queue length (KB)".into(),
        panels: runs.iter().map(panel).collect(),
    }
}

fn fairness(runs: &[Run]) -> Strips {
    let strip = |run: &Run| {
        let (shares, marked) = run.shares();
        let name = format!("{}: {}", run.name(), run.over_seeds(&Merit::fairness).text(2));
        Strip { name, runs: shares, marked }
    };
    Strips {
        title: "Fairness (Jain's index)".into(),
        x_label: "mean rate of a flow, % of an even share".into(),
        even: 100.0,
        starved: STARVED_PERCENT,
        strips: runs.iter().map(strip).collect(),
    }
}

/// Which schemes let flows starve, worst first said.
fn starved(runs: &[Run]) -> String {
    let below =
        |run: &Run| format!("less than {STARVED_PERCENT} % of an even share ({} Mb/s)", grouped(run.even_share(), 0));
    let rate = |run: &Run| format!("{} Mb/s", grouped(run.starved().lowest, 1));
    let (starving, others): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.starved().seeds > 0);
    let mut sentences = Vec::new();
    for run in &starving {
        let closed_loop::Starved { seeds, of, seed, .. } = run.starved();
        sentences.push(format!(
            "{} lets a flow starve in {seeds} of {of} seeds: it gets {}. The lowest mean rate is {} (seed {seed}).",
            run.name(),
            below(run),
            rate(run)
        ));
    }
    if let Some(first) = others.first() {
        let none = match starving.is_empty() {
            true => format!("In no seed a flow gets {}", below(first)),
            false => "With the other schemes no flow does".into(),
        };
        let rates: Vec<String> = others
            .iter()
            .map(|run| format!("{} with {} (seed {})", rate(run), run.name(), run.starved().seed))
            .collect();
        sentences.push(format!("{none}; the lowest mean rates are {}.", listed(&rates)));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::area::tests::comparison;

    fn candidate(name: &str, value: f64, range: (f64, f64)) -> Candidate {
        Candidate { name: name.into(), value, range, text: grouped(value, 0) }
    }

    #[test]
    fn the_best_is_named_with_those_that_are_equal() {
        let of = |values: &[(&str, f64)]| {
            row("calm".into(), values.iter().map(|(name, value)| candidate(name, *value, (*value, *value))).collect())
        };
        assert_eq!(of(&[("b", 3.0), ("a", 2.0), ("c", 9.0)]), ["calm", "a", "2", "b: 3; c: 9"]);
        assert_eq!(of(&[("b", 2.0), ("a", 2.0), ("c", 9.0)]), ["calm", "b and a", "2", "c: 9"]);
        assert_eq!(of(&[("b", 2.0), ("a", 2.0)]), ["calm", "all the same", "2", "–"]);
        assert_eq!(of(&[("b", 2.0)]), ["calm", "b", "2", "–"]);
        assert_eq!(of(&[("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0)])[3], "b: 2; c: 3", "two of three others");
    }

    #[test]
    fn it_is_unclear_if_a_seed_of_the_next_one_is_better_than_one_of_the_best() {
        let of = |next: (f64, f64)| {
            row("calm".into(), vec![candidate("a", 2.0, (1.0, 3.0)), candidate("b", 4.0, next)])[1].clone()
        };
        assert_eq!(of((3.5, 5.0)), "a");
        assert_eq!(of((2.9, 5.0)), "a (unclear)");
    }

    #[test]
    fn area_is_that_of_the_first_family_with_lut_ram() {
        let comparison = comparison();
        let rows = rows(&comparison, &[]);
        let expected =
            ["fewest flip-flops in the reaction point", "smcc paper", "100 (200 LUTs)", "qcn paper: 320 (640 LUTs)"];
        assert_eq!(rows, [expected]);
        let (family, chart) = area(&comparison).unwrap();
        let bars = vec![("qcn paper".to_string(), [320.0, 640.0]), ("smcc paper".to_string(), [100.0, 200.0])];
        assert_eq!((family, chart.groups), (Family::Xc2vp, vec![("reaction point".to_string(), bars)]));
    }

    #[test]
    fn a_starved_flow_is_said_with_seeds_and_rate() {
        let run = |scheme: &str| {
            let variant = Variant { scheme: scheme.into(), profile: "paper".into() };
            Run::new(&variant, vec![("profile".into(), "paper".into())], 1_250_000, &|_| ()).unwrap()
        };
        let runs = [run("smcc"), run("qcn")];
        let starving = runs.iter().filter(|run| run.starved().seeds > 0).count();
        let text = starved(&runs);
        assert_eq!(text.matches("lets a flow starve in").count(), starving, "{text}");
        assert_eq!(text.contains("lowest mean rates are"), starving < 2, "{text}");
        assert_eq!(text.contains("In no seed"), starving == 0, "{text}");
        assert!(text.contains("(333 Mb/s)") && text.contains("(seed "), "{text}");
        let mut drawn = Drawn::default();
        section(&comparison(), &runs, &mut drawn).unwrap();
        let names: Vec<&str> = drawn.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["area", "queue", "fairness"]);
    }
}
