//! Pictures as SVG text: [`TimeSeries`] for values over time, [`BarChart`] for resources side by side,
//! [`PhasePlane`] for the path of a loop, [`Growth`] for a cost against a number, [`HeatMap`] and [`Spread`] for the values of
//! a sweep.
//!
//! Drawn by hand onto the SVG backend of `plotters`, which has no fonts: text widths are estimated, and everything that
//! could overlap (legend, value labels, names of reference lines) has its own place outside the data.

mod axis;
mod bars;
mod canvas;
mod decimate;
mod growth;
mod heat_map;
mod legend;
mod phase_plane;
mod side_by_side;
mod spread;
#[cfg(test)]
mod tests;
mod time_series;

pub use bars::{Bar, BarChart, BarGroup, bars};
pub use growth::{Growth, GrowthCurve, growth};
pub use heat_map::{HeatMap, HeatPanel, heat_map};
pub use phase_plane::{PhasePlane, phase_plane};
pub use side_by_side::side_by_side;
pub use spread::{Spread, SpreadCurve, spread};
pub use time_series::{Reference, Series, TimeSeries, time_series};

/// Width of the pictures, in px; [`growth`] is narrower.
pub const WIDTH: u32 = 900;
