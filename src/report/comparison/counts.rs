//! What many queues or flows cost: tables, sentences and pictures for the terminal and the page.

use super::area::{Cells, Quantity, signed};
use crate::measure::Variant;
use crate::measure::counts::{Counts, Form, Outcome, Row};
use crate::report::number::grouped;
use crate::report::plot::{Growth, GrowthCurve, growth};
use crate::scheme::Part;
use crate::toolchain::cells::Family;
use anyhow::Result;

/// What the rows and the last column of [`table`] mean.
pub const MEANING: &str = "Copies: n times the part for one; they share only parameters. In one: one part that serves all n, \
                           with the state of each in memory. Bits each: of a copy its flip-flops and the bits of its \
                           memories, of one part for many the bits of memory that each of the n takes.";

/// A family and a part, as in the rows.
type Place<'a> = (Family, &'a str);

fn rows<'a>(counts: &'a Counts, (family, part): Place<'a>) -> impl Iterator<Item = &'a Row> {
    counts.rows.iter().filter(move |row| (row.family, row.part) == (family, part))
}

fn variant(row: &Row) -> Variant {
    Variant { scheme: row.scheme.clone(), profile: row.profile.clone() }
}

fn name(variant: &Variant) -> String {
    format!("{} {}", variant.scheme, variant.profile)
}

/// `queues` or `flows`.
fn served(part: &str) -> &'static str {
    let parts = [Part::CongestionPoint, Part::ReactionPoint];
    parts.into_iter().find(|known| known.name() == part).map_or("", Part::serves)
}

fn whole(number: u32) -> String {
    grouped(f64::from(number), 0)
}

/// `1 copy`, `16 copies`, `16 in one`.
fn label(row: &Row) -> String {
    match (row.form, row.count) {
        (Form::Copies, 1) => "1 copy".to_string(),
        (Form::Copies, count) => format!("{} copies", whole(count)),
        (Form::OnePart, count) => format!("{} in one", whole(count)),
    }
}

/// The variants of a family and a part, in the order of the rows.
pub fn variants(counts: &Counts, place: Place) -> Vec<Variant> {
    let mut all = Vec::new();
    for row in rows(counts, place) {
        if !all.contains(&variant(row)) {
            all.push(variant(row));
        }
    }
    all
}

/// The table of a variant: for each number of queues or flows a row of copies and a row of one part.
pub fn table(counts: &Counts, place: Place, of: &Variant) -> Cells {
    let slices = place.0 == Family::Xc2vp;
    let mut headers = vec![served(place.1), "flip-flops", "LUTs", "LUT RAM", "block RAM"];
    headers.extend(slices.then_some("slices"));
    headers.push("bits each");
    let line = |row: &Row| {
        let cells = match row.cost() {
            Some(cost) => {
                let resources = &cost.resources;
                let mut cells = vec![resources.flip_flops, resources.luts, resources.lut_rams, resources.block_rams];
                cells.extend(cost.slices_at_least);
                cells.push(cost.state_bits);
                cells.into_iter().map(whole).collect()
            }
            None => vec!["none".to_string()],
        };
        std::iter::once(label(row)).chain(cells).collect()
    };
    Cells {
        rows: rows(counts, place).filter(|row| variant(row) == *of).map(line).collect(),
        right_aligned: (1..headers.len()).collect(),
        headers: headers.into_iter().map(str::to_string).collect(),
    }
}

/// A sentence for each reason why a part is missing, with the numbers that it concerns.
pub fn missing(counts: &Counts, place: Place, of: &Variant) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows(counts, place).filter(|row| variant(row) == *of) {
        if let Outcome::Missing { missing } = &row.outcome {
            match reasons.iter_mut().find(|(known, _)| known == missing) {
                Some((_, numbers)) => numbers.push(whole(row.count)),
                None => reasons.push((missing, vec![whole(row.count)])),
            }
        }
    }
    reasons.into_iter().map(|(reason, numbers)| format!("None for {}: {reason}.", numbers.join(", "))).collect()
}

/// A sentence for each pair of variants and each form: the difference for every number of queues or flows.
pub fn differences(counts: &Counts, place: Place) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for difference in counts.differences.iter().filter(|one| (one.family, one.part) == place) {
        let (more, less) = (&difference.more, &difference.less);
        let form = match difference.form {
            Form::Copies => "copies",
            Form::OnePart => "in one",
        };
        let pair = format!("{} {} − {} {}, {form}", more.0, more.1, less.0, less.1);
        let value = format!("{} with {}", signed(difference.flip_flops), whole(difference.count));
        match lines.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, values)) => values.push(value),
            None => lines.push((pair, vec![value])),
        }
    }
    let sentence = |(pair, values): (String, Vec<String>)| {
        format!("{pair}: {} {}, in flip-flops.", values.join(", "), served(place.1))
    };
    lines.into_iter().map(sentence).collect()
}

/// Flip-flops or LUTs against the number of queues or flows: a colour for each variant, dashes for copies. `None` if
/// nothing can be drawn on a logarithmic axis.
///
/// # Errors
/// See [`growth`].
pub fn chart(counts: &Counts, place: Place, title: &str, quantity: Quantity) -> Result<Option<String>> {
    let mut curves = Vec::new();
    for (colour, of) in variants(counts, place).iter().enumerate() {
        for form in [Form::Copies, Form::OnePart] {
            let rows = rows(counts, place).filter(|row| variant(row) == *of && row.form == form);
            let counted = rows.filter_map(|row| Some((row.count, quantity.of(&row.cost()?.resources))));
            let mut points: Vec<(f64, f64)> =
                counted.filter(|point| point.1 > 0).map(|point| (point.0.into(), point.1.into())).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (form, dashed) = match form {
                Form::Copies => ("copies", true),
                Form::OnePart => ("one part", false),
            };
            curves.push(GrowthCurve { name: format!("{}, {form}", name(of)), points, colour, dashed });
        }
    }
    curves.retain(|curve| !curve.points.is_empty());
    let (x_label, y_label) = (format!("number of {}", served(place.1)), quantity.name().to_string());
    let chart = Growth { title: title.to_string(), x_label, y_label, curves };
    (!chart.curves.is_empty()).then(|| growth(&chart)).transpose()
}
