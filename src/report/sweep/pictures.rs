//! Pictures of a sweep: each measure over two swept keys as a heat map, or over the only one as curves.

use crate::report::number::short;
use crate::report::plot::{HeatMap, HeatPanel, Spread, SpreadCurve, heat_map, spread};
use crate::sweep::Sweep;
use crate::sweep::axis::{Axis, Values};
use crate::sweep::plan::{Range, Scale};
use anyhow::Result;

/// Most pictures of a page.
const PICTURES_MAX: usize = 40;
/// A range that is drawn from is shown in so many parts.
const PARTS: usize = 8;

/// The pictures of a page.
pub struct Pictures {
    /// For each measure: its name, and the pictures with their captions.
    pub of_measures: Vec<(String, Vec<(String, String)>)>,
    /// What the page has no pictures of; empty if there is nothing.
    pub left_out: String,
}

/// A key that a picture shows.
struct Shown<'a> {
    number: usize,
    axis: &'a Axis,
    names: Vec<String>,
}

/// Values of one cell of a picture.
#[derive(Clone, Default)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Adds a value; what is undefined in a run does not count.
    pub fn add(&mut self, value: f64) {
        if !value.is_nan() {
            self.0.push(value);
        }
    }

    /// The mean; no number without values.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        (self.0.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / self.0.len() as f64).sqrt()
    }

    /// Least and largest value.
    pub fn range(&self) -> [f64; 2] {
        [self.0.iter().copied().fold(f64::NAN, f64::min), self.0.iter().copied().fold(f64::NAN, f64::max)]
    }
}

/// Draws all pictures that a page has.
///
/// # Errors
/// See [`crate::report::plot`].
pub fn pictures(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Pictures> {
    let shown: Vec<Shown> = sweep.axes.iter().enumerate().filter_map(|(number, axis)| shown(number, axis)).collect();
    let pairs: Vec<_> = (0..shown.len()).flat_map(|x| (x + 1..shown.len()).map(move |y| (x, y))).collect();
    let views = pairs.len().max(1);
    let measures = sweep.columns.len().min(PICTURES_MAX);
    let taken = (PICTURES_MAX / measures).clamp(1, views);
    let mut of_measures = Vec::new();
    for (number, column) in sweep.columns.iter().enumerate().take(measures) {
        let title = column.name.get_ref().clone();
        let mut pictures = Vec::new();
        match &shown[..] {
            [] => {}
            [only] => pictures.push((curves(sweep, measured, number, only)?, caption(sweep, &[only], true))),
            _ => {
                for (x, y) in pairs.iter().take(taken) {
                    let picture = map(sweep, measured, number, [&shown[*x], &shown[*y]])?;
                    pictures.push((picture, caption(sweep, &[&shown[*x], &shown[*y]], false)));
                }
            }
        }
        of_measures.push((title, pictures));
    }
    let mut left_out = Vec::new();
    if !pairs.is_empty() && taken < pairs.len() {
        let names = pairs[taken..].iter().map(|(x, y)| format!("{} × {}", shown[*x].name(), shown[*y].name()));
        left_out.push(format!("the pairs {}", names.collect::<Vec<_>>().join(", ")));
    }
    if measures < sweep.columns.len() {
        let names = sweep.columns[measures..].iter().map(|column| column.name.get_ref().as_str());
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
fn caption(sweep: &Sweep, shown: &[&Shown], bars: bool) -> String {
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
    if bars { format!("Mean and standard deviation over {over}.") } else { format!("Mean over {over}.") }
}

/// Samples of a measure for each variant, at each place.
fn samples(
    sweep: &Sweep,
    measured: &[Vec<f64>],
    column: usize,
    places: usize,
    place: impl Fn(u64) -> usize,
) -> Vec<Vec<Sample>> {
    let mut samples = vec![vec![Sample::default(); places]; sweep.variants().count()];
    for (number, values) in (0..).zip(measured) {
        let run = sweep.run_of(number);
        samples[run.variant][place(run.point)].add(values[column]);
    }
    samples
}

fn variant_names(sweep: &Sweep) -> impl Iterator<Item = String> {
    sweep.variants().map(|variant| variant.name.get_ref().clone())
}

fn curves(sweep: &Sweep, measured: &[Vec<f64>], column: usize, shown: &Shown) -> Result<String> {
    let samples = samples(sweep, measured, column, shown.names.len(), |point| shown.place(sweep, point));
    let curves = variant_names(sweep).zip(samples).map(|(name, samples)| SpreadCurve {
        name,
        points: samples.iter().map(|sample| (sample.mean(), sample.deviation())).collect(),
    });
    let of = &sweep.columns[column];
    spread(&Spread {
        title: of.name.get_ref().clone(),
        x_label: shown.label(),
        y_label: of.unit.into(),
        x: shown.names.clone(),
        curves: curves.collect(),
    })
}

fn map(sweep: &Sweep, measured: &[Vec<f64>], column: usize, [x, y]: [&Shown; 2]) -> Result<String> {
    let wide = x.names.len();
    let place = |point| y.place(sweep, point) * wide + x.place(sweep, point);
    let samples = samples(sweep, measured, column, wide * y.names.len(), place);
    let panels = variant_names(sweep).zip(samples).map(|(name, samples)| {
        let rows = samples.chunks(wide).map(|row| row.iter().map(Sample::mean).collect());
        HeatPanel { name, rows: rows.collect() }
    });
    let of = &sweep.columns[column];
    heat_map(&HeatMap {
        title: of.name.get_ref().clone(),
        unit: of.unit.into(),
        x_label: x.label(),
        y_label: y.label(),
        x: x.names.clone(),
        y: y.names.clone(),
        panels: panels.collect(),
    })
}
