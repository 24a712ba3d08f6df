// SPDX-License-Identifier: MIT OR Apache-2.0
//! What many queues or flows cost: tables, sentences and pictures for the terminal and the page.

use super::area::{Cells, Quantity, signed};
use crate::number::grouped;
use crate::plot::{Growth, GrowthCurve, Picture, growth};
use anyhow::Result;
use tidegate_lab::measure::Variant;
use tidegate_lab::measure::counts::{Counts, Form, Outcome, Row};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::Family;

/// What the rows and the last column of [`table`] mean.
pub const MEANING: &str = "Copies: n times the part for one; they share only parameters. In one: one part that serves all n, \
                           with the state of each in memory; for 1 it is the part for one. Bits each: of a copy its \
                           flip-flops and the bits of its memories, of one part for many the bits of memory that each of \
                           the n takes.";

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

/// A sentence for each pair of variants and each form: the difference in flip-flops for every number of queues or flows.
/// The part for one is the same in both forms.
pub fn differences(counts: &Counts, place: Place) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    let here = counts.differences.iter().filter(|one| (one.family, one.part) == place);
    for difference in here.filter(|one| one.form == Form::Copies || one.count > 1) {
        let (more, less) = (&difference.more, &difference.less);
        let form = match difference.form {
            Form::Copies => "copies",
            Form::OnePart => "in one",
        };
        let pair = format!("{} {} − {} {}, flip-flops, {form}", more.0, more.1, less.0, less.1);
        let value = format!("{} with {}", signed(difference.flip_flops), whole(difference.count));
        match lines.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, values)) => values.push(value),
            None => lines.push((pair, vec![value])),
        }
    }
    lines.into_iter().map(|(pair, values)| format!("{pair}: {}.", values.join(", "))).collect()
}

/// A line for each kind of cell that is in no column.
pub fn unknown_cells(counts: &Counts, place: Place) -> Vec<String> {
    let cells = |row: &Row| {
        let whose = format!("{}, {}", name(&variant(row)), label(row));
        let other = row.cost().map(|cost| cost.resources.other_cells.clone()).unwrap_or_default();
        other.into_iter().map(move |(cell, count)| format!("{whose}: {count} {cell} cells, which no column counts"))
    };
    rows(counts, place).flat_map(cells).collect()
}

/// Flip-flops or LUTs against the number of queues or flows: a colour for each variant, dashes for copies. `None` if
/// nothing can be drawn on a logarithmic axis.
///
/// # Errors
/// See [`growth`].
pub(crate) fn chart(counts: &Counts, place: Place, title: &str, quantity: Quantity) -> Result<Option<Picture>> {
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
            if !dashed && points.iter().all(|point| point.0 == 1.0) {
                continue; // the part for one is the first of the copies
            }
            curves.push(GrowthCurve { name: format!("{}, {form}", name(of)), points, colour, dashed });
        }
    }
    curves.retain(|curve: &GrowthCurve| !curve.points.is_empty());
    let (x_label, y_label) = (format!("number of {}", served(place.1)), quantity.name().to_string());
    let chart = Growth { title: title.to_string(), x_label, y_label, curves };
    (!chart.curves.is_empty()).then(|| growth(&chart)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tidegate_lab::measure::counts::{Cost, Difference};
    use tidegate_toolchain::cells::Resources;

    const PLACE: Place = (Family::Xc2vp, "rp");

    fn row(scheme: &str, count: u32, form: Form, flip_flops: u32) -> Row {
        let resources = Resources { flip_flops, luts: 3 * flip_flops, lut_rams: 7, ..Resources::default() };
        let slices_at_least = Family::Xc2vp.slices_at_least(&resources);
        let (scheme, profile) = (scheme.to_string(), "paper".to_string());
        let outcome = Outcome::Counted(Cost { resources, slices_at_least, state_bits: 98 });
        Row { family: Family::Xc2vp, scheme, profile, part: "rp", count, form, outcome }
    }

    /// One part exists for SMCC only.
    fn counts() -> Counts {
        let none = || Outcome::Missing { missing: "not yet".to_string() };
        let mut latches = row("smcc", 1024, Form::OnePart, 500);
        if let Outcome::Counted(cost) = &mut latches.outcome {
            cost.resources.other_cells = BTreeMap::from([("LDCE".to_string(), 3)]);
        }
        let rows = vec![
            row("smcc", 1, Form::Copies, 150),
            row("smcc", 1, Form::OnePart, 150),
            row("smcc", 1024, Form::Copies, 153_600),
            latches,
            row("qcn", 1, Form::Copies, 200),
            row("qcn", 1, Form::OnePart, 200),
            row("qcn", 1024, Form::Copies, 204_800),
            Row { outcome: none(), ..row("qcn", 1024, Form::OnePart, 0) },
        ];
        let difference = |count, form, flip_flops| Difference {
            family: Family::Xc2vp,
            part: "rp",
            more: ("qcn".to_string(), "paper".to_string()),
            less: ("smcc".to_string(), "paper".to_string()),
            count,
            form,
            flip_flops,
        };
        let differences = vec![
            difference(1, Form::Copies, 50),
            difference(1, Form::OnePart, 50),
            difference(1024, Form::Copies, 51_200),
        ];
        Counts { rows, differences }
    }

    #[test]
    fn a_table_has_copies_and_one_part_for_each_number() {
        let counts = counts();
        let variants = variants(&counts, PLACE);
        assert_eq!(variants.iter().map(name).collect::<Vec<_>>(), ["smcc paper", "qcn paper"]);
        let smcc = table(&counts, PLACE, &variants[0]);
        assert_eq!(smcc.headers, ["flows", "flip-flops", "LUTs", "LUT RAM", "block RAM", "slices", "bits each"]);
        let expected = [
            ["1 copy", "150", "450", "7", "0", "225", "98"],
            ["1 in one", "150", "450", "7", "0", "225", "98"],
            ["1,024 copies", "153,600", "460,800", "7", "0", "230,400", "98"],
            ["1,024 in one", "500", "1,500", "7", "0", "750", "98"],
        ];
        assert_eq!(smcc.rows, expected);
        assert_eq!(missing(&counts, PLACE, &variants[0]), [""; 0]);
        assert_eq!(table(&counts, PLACE, &variants[1]).rows[3], ["1,024 in one", "none"]);
        assert_eq!(missing(&counts, PLACE, &variants[1]), ["None for 1,024: not yet."]);
        assert_eq!(
            differences(&counts, PLACE),
            ["qcn paper − smcc paper, flip-flops, copies: +50 with 1, +51,200 with 1,024."]
        );
        let cells = unknown_cells(&counts, PLACE);
        assert_eq!(cells, ["smcc paper, 1,024 in one: 3 LDCE cells, which no column counts"]);
    }

    #[test]
    fn a_picture_has_a_curve_for_each_form_that_grows() {
        let picture = |quantity| chart(&counts(), PLACE, "title", quantity).unwrap().unwrap().svg();
        let flip_flops = picture(Quantity::FlipFlops);
        for wanted in
            ["smcc paper, copies", "smcc paper, one part", "qcn paper, copies", "number of flows", "flip-flops"]
        {
            assert!(flip_flops.contains(wanted), "{wanted}: {flip_flops}");
        }
        assert!(!flip_flops.contains("qcn paper, one part"), "it has no part for many");
        assert!(picture(Quantity::Luts).contains("LUTs"));
        let nothing = Counts { rows: Vec::new(), differences: Vec::new() };
        assert_eq!(chart(&nothing, PLACE, "title", Quantity::Luts).unwrap(), None);
    }
}
