// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of the theory of the papers for a set of parameters: numbers, each with its equation, and the path of the
//! loop in its phase plane, or rates over time. All in floating point: nothing here is a model of hardware.

use crate::scheme::parameters::Parameters;
use serde::Serialize;

/// The cited sources: name and title, as in docs/bibliography.md.
pub const SOURCES: [(&str, &str); 5] = [
    ("Jiang 2014", "Scale Congestion Control to Ultra-High Speed Ethernet"),
    ("Jiang 2015a", "Phase Plane Analysis of Quantized Congestion Notification for Data Center Ethernet"),
    ("Jiang 2015b", "Sliding Mode Congestion Control for Data Center Ethernet Networks"),
    ("Cheng", "Congestion Control in Converged Ethernet with Heterogeneous and Time-Varying Delays"),
    ("Santos 2002", "End-to-End Congestion Control for InfiniBand"),
];

/// One result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its name.
    pub quantity: String,
    /// Its value, if it is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// The conclusion in words, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Its source: paper and equation.
    pub equation: &'static str,
}

impl Line {
    /// A number; if the equation gives none, the reason in words.
    pub(crate) fn number(quantity: impl Into<String>, value: f64, unit: &'static str, equation: &'static str) -> Line {
        if !value.is_finite() {
            let why = if value.is_nan() { "the equation has no real value" } else { "the value is not finite" };
            return Line::verdict(quantity, format!("not defined for these parameters: {why}"), equation);
        }
        Line { quantity: quantity.into(), value: Some(value), unit, verdict: None, equation }
    }

    pub(crate) fn verdict(quantity: impl Into<String>, verdict: impl Into<String>, equation: &'static str) -> Line {
        Line { quantity: quantity.into(), value: None, unit: "", verdict: Some(verdict.into()), equation }
    }
}

/// A path through the phase plane: queue offset in bits, incoming rate less line rate in bits per second. It has a new
/// piece where the rule changes. For InfiniBand: a path over time for each response function, in seconds and bits per
/// second.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// Pieces of the path: the current rule, and points (x, y).
    pub pieces: Vec<Piece>,
    /// Slope dy/dx of the line on which the rules change, if it is not an axis.
    pub switching_slope: Option<f64>,
}

/// The whole analysis of a scheme.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The results.
    pub lines: Vec<Line>,
    /// Computes the path from the first overshoot on, for the same parameters; an error gives the reason why there is
    /// none.
    pub portrait: fn(&Parameters) -> Result<Portrait, String>,
}

/// A rule, and the points of the path during this rule.
pub(crate) type Piece = (&'static str, Vec<(f64, f64)>);

/// The excess of the rates of all sources over the link if each sends at line rate, in bits per second; for a single
/// source, the rate of the link.
pub(crate) fn overshoot(parameters: &Parameters, link: f64) -> f64 {
    (parameters.integer("flows") as f64 - 1.0).max(1.0) * link
}

/// Adds a point to the piece of its rule; a new piece begins at the end of the piece before.
pub(crate) fn extend(pieces: &mut Vec<Piece>, rule: &'static str, point: (f64, f64)) {
    match pieces.last_mut() {
        Some((last, points)) if *last == rule => points.push(point),
        last => {
            last.into_iter().for_each(|(_, points)| points.push(point));
            pieces.push((rule, vec![point]));
        }
    }
}

/// Most points of a path: more are not visible in a picture.
const POINTS_MAX: f64 = 50_000.0;

/// Step and end of a path in continuous time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// Length of a step in seconds.
    pub(crate) step: f64,
    /// End of the path in seconds.
    pub(crate) end: f64,
}

/// The path of a system in continuous time, from (0, `y`) on, until it is at rest or at its end.
///
/// `rule` gives the name of the current rule and dy/dt at (x, y), from the time since the rule began; dx/dt is y, which
/// is never below `least`. The steps use the midpoint method.
pub(crate) fn path(
    y: f64,
    least: f64,
    times: Times,
    mut rule: impl FnMut(f64, f64) -> (&'static str, f64),
) -> Vec<Piece> {
    let Times { step, end } = times;
    let rest = y.abs() * 1e-4;
    let every = (end / step / POINTS_MAX).ceil().max(1.0) as u64;
    let (mut x, mut y, mut time) = (0.0, y, 0.0);
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut quiet, mut steps) = (0.0, 0u64);
    while time < end && quiet < end / 20.0 {
        let (name, slope) = rule(x, y);
        if steps % every == 0 {
            extend(&mut pieces, name, (x, y));
        }
        let middle = y + slope * step / 2.0;
        x += middle * step;
        y = (y + slope * step).max(least);
        time += step;
        steps += 1;
        quiet = if y.abs() < rest { quiet + step } else { 0.0 };
    }
    pieces
}
