// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path of a control loop: in its phase plane, or the rates of an InfiniBand source over time.

use super::plot::{PhasePlane, Picture, Series, TimeSeries, phase_plane, time_series};
use anyhow::Result;
use tidegate_schemes::analysis::Portrait;
use tidegate_schemes::registry::{Family, Scheme};

/// What a portrait of a scheme shows.
pub fn title(scheme: &Scheme) -> String {
    match scheme.family {
        Family::Ethernet(_) => format!("{}: path from the first overshoot on", scheme.title),
        Family::InfiniBand => "InfiniBand source: from R_min to R_max without a mark".into(),
    }
}

/// The portrait.
///
/// # Errors
/// See [`super::plot`].
pub fn draw(scheme: &Scheme, title: &str, portrait: &Portrait) -> Result<Picture> {
    const BITS_A_KILOBYTE: f64 = 8192.0;
    const MEGA: f64 = 1e6;
    let scaled = |points: &[(f64, f64)]| points.iter().map(|(x, y)| (x / BITS_A_KILOBYTE, y / MEGA)).collect();
    match scheme.family {
        Family::Ethernet(_) => phase_plane(&PhasePlane {
            title: title.into(),
            x_label: "queue length − q0 (KB)".into(),
            y_label: "incoming rate − line rate (Mb/s)".into(),
            pieces: portrait.pieces.iter().map(|(rule, points)| (rule.to_string(), scaled(points))).collect(),
            switching_slope: portrait.switching_slope.map(|slope| slope * BITS_A_KILOBYTE / MEGA),
        }),
        Family::InfiniBand => {
            let chart = TimeSeries::new(title, "time (ms)", "rate (Mb/s)");
            let curve = |(name, points): &(&str, Vec<(f64, f64)>)| {
                Series::new(*name, points.iter().map(|(time, rate)| (time * 1e3, rate / MEGA)).collect()).steps()
            };
            time_series(&portrait.pieces.iter().map(curve).fold(chart, TimeSeries::series))
        }
    }
}
