// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures of a sweep: each measure over two swept keys as a heat map, or over the only one as curves.

use crate::number::short;
use crate::plot::{HeatMap, HeatPanel, Picture, Spread, SpreadCurve, heat_map, spread};
use anyhow::Result;
use tidegate_lab::sweep::axis::{Axis, Values};
use tidegate_lab::sweep::plan::{Range, Scale};
use tidegate_lab::sweep::statistic::{Sample, Statistic};
use tidegate_lab::sweep::{Column, Sweep};

/// Most pictures of a page.
const PICTURES_MAX: usize = 40;
/// A range that is drawn from is shown in so many parts.
const PARTS: usize = 8;

/// The pictures of a page.
pub struct Pictures {
    /// For each measure: its name, and the pictures with their captions.
    pub of_measures: Vec<(String, Vec<(Picture, String)>)>,
    /// What the page has no pictures of; empty if there is nothing.
    pub left_out: String,
}

/// A key that a picture shows.
struct Shown<'a> {
    number: usize,
    axis: &'a Axis,
    names: Vec<String>,
}

/// A measure, and the statistic that a picture or a row of a table shows of it.
#[derive(Clone, Copy)]
pub struct Quantity<'a> {
    place: usize,
    column: &'a Column,
    /// The statistic.
    pub statistic: Statistic,
}

impl<'a> Quantity<'a> {
    /// Those of a sweep: the mean of a measure, or the share of runs that settle, and the median.
    pub fn all(sweep: &'a Sweep) -> Vec<Quantity<'a>> {
        let of = |(place, column): (usize, &'a Column)| {
            let shown = Statistic::of(column).into_iter().filter(|statistic| *statistic != Statistic::Deviation);
            shown.map(move |statistic| Quantity { place, column, statistic })
        };
        sweep.columns.iter().enumerate().flat_map(of).collect()
    }

    /// The measure and the statistic, in words; of a mean only the measure.
    pub fn title(&self) -> String {
        let name = self.column.name.get_ref();
        match self.statistic {
            Statistic::Mean | Statistic::Deviation => name.clone(),
            Statistic::SettledPercent => format!("{name}: runs that settle"),
            Statistic::Median => format!("{name}: median"),
        }
    }

    /// Its unit.
    pub fn unit(&self) -> &'static str {
        self.statistic.unit(self.column.unit)
    }

    /// Its value in the results of a run.
    pub fn of(&self, values: &[f64]) -> f64 {
        values[self.place]
    }
}

/// Draws all pictures that a page has.
///
/// # Errors
/// See [`crate::plot`].
pub fn pictures(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Pictures> {
    let shown: Vec<Shown> = sweep.axes.iter().enumerate().filter_map(|(number, axis)| shown(number, axis)).collect();
    let pairs: Vec<_> = (0..shown.len()).flat_map(|x| (x + 1..shown.len()).map(move |y| (x, y))).collect();
    let views = pairs.len().max(1);
    let quantities = Quantity::all(sweep);
    let measures = quantities.len().min(PICTURES_MAX);
    let taken = (PICTURES_MAX / measures).clamp(1, views);
    let mut of_measures = Vec::new();
    for quantity in &quantities[..measures] {
        let mut pictures = Vec::new();
        match &shown[..] {
            [] => {}
            [only] => {
                pictures.push((curves(sweep, measured, quantity, only)?, caption(sweep, &[only], quantity, true)))
            }
            _ => {
                for (x, y) in pairs.iter().take(taken) {
                    let picture = map(sweep, measured, quantity, [&shown[*x], &shown[*y]])?;
                    pictures.push((picture, caption(sweep, &[&shown[*x], &shown[*y]], quantity, false)));
                }
            }
        }
        of_measures.push((quantity.title(), pictures));
    }
    let mut left_out = Vec::new();
    if !pairs.is_empty() && taken < pairs.len() {
        let names = pairs[taken..].iter().map(|(x, y)| format!("{} × {}", shown[*x].name(), shown[*y].name()));
        left_out.push(format!("the pairs {}", names.collect::<Vec<_>>().join(", ")));
    }
    if measures < quantities.len() {
        let names = quantities[measures..].iter().map(Quantity::title);
        left_out.push(format!("the measures {}", names.collect::<Vec<_>>().join(", ")));
    }
    Ok(Pictures { of_measures, left_out: left_out.join("; ") })
}

fn shown(number: usize, axis: &Axis) -> Option<Shown<'_>> {
    let names = match &axis.values {
        Values::List(list) if list.len() < 2 => return None,
        Values::List(list) => list.iter().map(|value| value.get_ref().clone()).collect(),
        Values::Range(range, _) => (0..PARTS).map(|part| short(bound(range.get_ref(), part as f64 + 0.5))).collect(),
    };
    Some(Shown { number, axis, names })
}

/// The value so many parts above the start of a range.
fn bound(&Range { from, to, scale, .. }: &Range, parts: f64) -> f64 {
    let share = parts / PARTS as f64;
    match scale {
        Scale::Linear => from + share * (to - from),
        Scale::Log => (from.ln() + share * (to.ln() - from.ln())).exp(),
    }
}

impl Shown<'_> {
    fn name(&self) -> &str {
        self.axis.swept.key.get_ref()
    }

    fn label(&self) -> String {
        match self.axis.values {
            Values::List(_) => self.name().into(),
            Values::Range(..) => format!("{}, drawn: middle of each part", self.name()),
        }
    }

    /// The place of a point.
    fn place(&self, sweep: &Sweep, point: u64) -> usize {
        let number = sweep.numbers(point)[self.number];
        match &self.axis.values {
            Values::List(_) => number as usize,
            Values::Range(range, _) => {
                let value: f64 = self.axis.value(number, number).get_ref().parse().unwrap_or(f64::NAN);
                (1..PARTS).filter(|part| value >= bound(range.get_ref(), *part as f64)).count()
            }
        }
    }
}

/// What a picture shows.
fn caption(sweep: &Sweep, shown: &[&Shown], quantity: &Quantity, bars: bool) -> String {
    let mut over = vec![format!("the {} seed{}", sweep.seeds, if sweep.seeds == 1 { "" } else { "s" })];
    let others = sweep.axes.len() - shown.len();
    let parts = shown.iter().any(|shown| matches!(shown.axis.values, Values::Range(..)));
    if parts {
        over.push("the points of each part".into());
    }
    if others > 0 {
        over.push("all values of the other keys".into());
    }
    let over = over.join(", ");
    match quantity.statistic {
        Statistic::SettledPercent => format!("Share of the runs that settle, over {over}."),
        Statistic::Median => format!("Time within which half of the runs settle, over {over}."),
        _ if bars => format!("Mean and standard deviation over {over}."),
        _ => format!("Mean over {over}."),
    }
}

/// Samples of a measure for each variant, at each place.
fn samples(
    sweep: &Sweep,
    measured: &[Vec<f64>],
    quantity: &Quantity,
    places: usize,
    place: impl Fn(u64) -> usize,
) -> Vec<Vec<Sample>> {
    let mut samples = vec![vec![Sample::default(); places]; sweep.variants().count()];
    for (number, values) in (0..).zip(measured) {
        let run = sweep.run_of(number);
        samples[run.variant][place(run.point)].add(quantity.of(values));
    }
    samples
}

fn variant_names(sweep: &Sweep) -> impl Iterator<Item = String> {
    sweep.variants().map(|variant| variant.name.get_ref().clone())
}

fn curves(sweep: &Sweep, measured: &[Vec<f64>], quantity: &Quantity, shown: &Shown) -> Result<Picture> {
    let samples = samples(sweep, measured, quantity, shown.names.len(), |point| shown.place(sweep, point));
    let bar = |sample: &Sample| match quantity.statistic {
        Statistic::Mean => sample.value(Statistic::Deviation),
        _ => 0.0,
    };
    let curves = variant_names(sweep).zip(samples).map(|(name, samples)| SpreadCurve {
        name,
        points: samples.iter().map(|sample| (sample.value(quantity.statistic), bar(sample))).collect(),
    });
    spread(&Spread {
        title: quantity.title(),
        x_label: shown.label(),
        y_label: quantity.unit().into(),
        x: shown.names.clone(),
        curves: curves.collect(),
    })
}

fn map(sweep: &Sweep, measured: &[Vec<f64>], quantity: &Quantity, [x, y]: [&Shown; 2]) -> Result<Picture> {
    let wide = x.names.len();
    let place = |point| y.place(sweep, point) * wide + x.place(sweep, point);
    let samples = samples(sweep, measured, quantity, wide * y.names.len(), place);
    let panels = variant_names(sweep).zip(samples).map(|(name, samples)| {
        let rows = samples.chunks(wide).map(|row| row.iter().map(|sample| sample.value(quantity.statistic)).collect());
        HeatPanel { name, rows: rows.collect() }
    });
    heat_map(&HeatMap {
        title: quantity.title(),
        unit: quantity.unit().into(),
        x_label: x.label(),
        y_label: y.label(),
        x: x.names.clone(),
        y: y.names.clone(),
        panels: panels.collect(),
    })
}
