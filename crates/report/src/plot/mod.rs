// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures: [`TimeSeries`] for values over time, [`Panels`] for one value of several schemes over time, [`BarChart`] and
//! [`BarPairs`] for resources side by side, [`Strips`] for what each flow got, [`PhasePlane`] for the path of a loop,
//! [`Growth`] for a cost against a number, [`HeatMap`] and [`Spread`] for the values of a sweep, [`Floorplan`] for a placed design.
//!
//! A chart is drawn as a [`Picture`]: lines, areas and text at their places, which are then written as SVG or as PNG. Text widths
//! are estimated, because a reader's browser has its own fonts; everything that could overlap (legend, value labels, names of
//! reference lines) has its own place outside the data. Curves have dashes and parts of bars have numbers, so that no
//! picture needs its colours.

mod axis;
mod bar_pairs;
mod bars;
mod canvas;
mod colour;
mod decimate;
mod detail;
mod floorplan;
mod growth;
mod heat_map;
mod legend;
mod panels;
mod phase_plane;
mod picture;
mod png;
mod side_by_side;
mod spread;
mod strips;
mod svg;
#[cfg(test)]
mod tests;
mod time_series;

pub use bar_pairs::{BarPairs, bar_pairs};
pub use bars::{Bar, BarChart, BarGroup, bars};
pub(crate) use colour::dark_rules;
pub use detail::{with_detail, with_swings};
pub use floorplan::{Floorplan, floorplan};
pub use growth::{Growth, GrowthCurve, growth};
pub use heat_map::{HeatMap, HeatPanel, heat_map};
pub use panels::{Panel, Panels, panels};
pub use phase_plane::{PhasePlane, phase_plane};
pub use picture::Picture;
pub use side_by_side::side_by_side;
pub use spread::{Spread, SpreadCurve, spread};
pub use strips::{Strip, Strips, strips};
pub use time_series::{Reference, SPREADS_MAX, Series, TimeSeries, time_series};

/// Width of a picture, in px: no wider, so that its text stays legible on a phone and on half a sheet of paper.
pub(crate) const WIDTH: u32 = 640;

/// Width of the pictures of which several stand side by side, in px.
pub(crate) const NARROW: u32 = 380;
