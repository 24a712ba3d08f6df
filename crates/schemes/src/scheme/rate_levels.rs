// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels of the rate of a reaction point: the rate counts in C/N, and what is below a level is cut off.
//!
//! C/N is a power of two in the unit of a rate, so that a mask cuts it off: one AND gate for each bit. The bounds of the
//! rate are levels too: C is one, and the minimum rate is rounded up to the next one, so that no rate is cut below it.

use super::bounds::{Bounds, RATE, Row};
use super::parameters::{Kind, ParameterError, Parameters, Specification, key};
use tidegate_core::units::{Micro, RATE_FRACTION_BITS, Rate};

/// Its key.
pub(crate) const KEY: Specification = key(
    "rate_levels",
    Kind::Choice(&["0", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096"]),
    "0",
    "N: the rate counts in C/N, cut off after each step, min_rate rounded up; 0 = off; Jiang 2014, section 5.1.2, quantises \
     the rate, N is our choice",
)
.lively(&["0", "0", "64", "2", "4096"])
.from("choice: only Jiang 2014, section 5.1.2, names a quantisation of the rate, and not its steps");

/// The row of the line rate at its port: a whole number of levels.
pub(crate) const LINE_RATE: Row = Row::of(|keys| of_levels(keys, "line_rate_mbps")).unit(RATE);

/// The row of the minimum rate.
pub(crate) const MIN_RATE: Row = Row::of(|keys| of_levels(keys, "min_rate_mbps")).unit(RATE);

fn of_levels(keys: &Parameters, rate: &'static str) -> Bounds {
    let bounds = Row::rate(rate, 1).bounds(keys).expect("a rate can be written");
    bounds.clear(rate_cut(keys).into())
}

/// N, at least 2; `None`: the rate is not cut off.
fn levels(parameters: &Parameters) -> Option<u32> {
    if !parameters.has(KEY.key) {
        return None;
    }
    Some(parameters.choice(KEY.key).parse().expect("a number")).filter(|&levels| levels != 0)
}

/// The bits of a rate that are below a level: C/N − 1, or none.
pub(crate) fn rate_cut(parameters: &Parameters) -> u32 {
    levels(parameters).map_or(0, |levels| parameters.rate("line_rate_mbps").0 / levels - 1)
}

/// The largest rate, and the rate after reset.
pub(crate) fn line_rate(parameters: &Parameters) -> Rate {
    parameters.rate("line_rate_mbps")
}

/// The smallest rate: a level.
pub fn min_rate(parameters: &Parameters) -> Rate {
    let cut = rate_cut(parameters);
    Rate((parameters.rate("min_rate_mbps").0 + cut) & !cut)
}

/// Checks that a level is a power of two in the unit of a rate.
pub(crate) fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    let Some(levels) = levels(parameters) else { return Ok(()) };
    let fail = |reason| Err(ParameterError::new(KEY.key, reason));
    let Rate(line_rate) = parameters.fitting_rate("line_rate_mbps")?;
    let (line_mbps, clock) = (parameters.decimal("line_rate_mbps"), parameters.decimal("clock_mhz"));
    if !line_rate.is_power_of_two() {
        // The power of two below the line rate, and the clocks at which the line rate is that one or the next one.
        let below = Rate(1 << line_rate.ilog2());
        let fits = below.to_mbps(clock);
        let clock_for =
            |doubled: u32| Micro(((line_mbps.0 << RATE_FRACTION_BITS) / (8 * u64::from(below.0))) >> doubled);
        return fail(format!(
            "expected 0, because {line_mbps} Mb/s at {clock} MHz is {line_rate} steps of 2^-{RATE_FRACTION_BITS} bytes a cycle \
             and this must be a power of two: take line_rate_mbps={fits} or {}, or clock_mhz={} or {}",
            Micro(2 * fits.0),
            clock_for(1),
            clock_for(0),
        ));
    }
    if levels > line_rate {
        return fail(format!(
            "expected at most {line_rate}: the line rate is so many steps of 2^-{RATE_FRACTION_BITS} bytes a cycle"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn parameters(settings: &[(&str, &str)]) -> Result<Parameters, ParameterError> {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        registry::find("smcc").expect("a scheme").parameters(&settings)
    }

    #[test]
    fn a_level_is_a_share_of_the_line_rate() {
        for (settings, cut, least) in [
            (&[][..], 0, 2621),
            (&[("rate_levels", "64")], 4095, 4096),
            (&[("rate_levels", "64"), ("min_rate_mbps", "15.625")], 4095, 4096),
            (&[("rate_levels", "64"), ("min_rate_mbps", "15.63")], 4095, 8192),
            (&[("rate_levels", "2")], 131_071, 131_072),
            (&[("rate_levels", "4096"), ("line_rate_mbps", "10000"), ("clock_mhz", "156.25")], 511, 2560),
        ] {
            let set = parameters(settings).unwrap();
            assert_eq!((rate_cut(&set), min_rate(&set)), (cut, Rate(least)), "{settings:?}");
        }
    }

    #[test]
    fn another_line_rate_is_refused_with_those_that_do() {
        for (line_rate, clock, lines, clocks) in [
            ("1000", "100", ["800", "1600"], ["62.5", "125"]),
            ("10000", "125", ["8000", "16000"], ["78.125", "156.25"]),
            ("3", "125", ["1.953125", "3.90625"], ["96", "192"]),
        ] {
            let set = |line_rate, clock| {
                parameters(&[
                    ("rate_levels", "64"),
                    ("line_rate_mbps", line_rate),
                    ("clock_mhz", clock),
                    ("min_rate_mbps", "1"),
                ])
            };
            let error = set(line_rate, clock).unwrap_err();
            assert_eq!(error.key, "rate_levels");
            let [(line, next_line), (slow, fast)] = [lines, clocks].map(|[one, two]| (one, two));
            let advice = format!("line_rate_mbps={line} or {next_line}, or clock_mhz={slow} or {fast}");
            assert!(error.reason.contains(&advice), "{error}, not {advice}");
            lines.iter().for_each(|line_rate| assert!(set(line_rate, clock).is_ok(), "{line_rate}"));
            clocks.iter().for_each(|clock| assert!(set(line_rate, clock).is_ok(), "{clock}"));
        }
        let error = parameters(&[("rate_levels", "4096"), ("line_rate_mbps", "1.953125"), ("min_rate_mbps", "1")]);
        assert!(error.unwrap_err().reason.contains("at most 512"));
    }
}
