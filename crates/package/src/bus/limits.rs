// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings with which a part on a bus cannot do what was asked.

use super::width::Width;
use tidegate_core::error::Usage;
use tidegate_core::units::Micro;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// Bits of the user data path of the NetFPGA-1G in each cycle.
pub const NETFPGA1G_BITS: usize = 64;

/// The default of the key `clock_mhz`.
const CLOCK: Micro = Micro::whole(125);
/// The highest value of the key `clock_mhz`.
const CLOCK_MAX: Micro = Micro::whole(1000);

/// The highest rate of a stream, in Mb/s, if each of its beats is full.
pub fn carries(bits: usize, clock_mhz: Micro) -> Micro {
    Micro(clock_mhz.0 * bits as u64)
}

/// The lowest clock of a stream that carries a rate, in MHz.
pub fn clock_for(bits: usize, rate_mbps: Micro) -> Micro {
    Micro(rate_mbps.0.div_ceil(bits as u64))
}

/// The settings, with what the card says: each port of a NetFPGA-1G has 1 Gb/s. The line rate of a scheme whose default is above
/// what the bus carries is that, unless it is set.
pub(crate) fn of_netfpga1g(scheme: &Scheme, settings: &[(String, String)]) -> Vec<(String, String)> {
    let mut settings = settings.to_vec();
    let is_too_fast = default_line_rate(scheme, &settings).is_some_and(|rate| rate > carries(NETFPGA1G_BITS, CLOCK));
    settings.extend(is_too_fast.then(|| ("line_rate_mbps".to_string(), "1000".to_string())));
    settings
}

/// The settings, with a clock that works: the default line rate of a scheme may be above what a stream carries at the default
/// clock. Then the clock is the lowest that carries it, unless line rate or clock is set.
pub fn of_stream(scheme: &Scheme, settings: &[(String, String)], bits: usize) -> Vec<(String, String)> {
    let mut settings = settings.to_vec();
    let is_set = settings.iter().any(|(key, _)| key == "clock_mhz");
    let too_fast = default_line_rate(scheme, &settings).filter(|rate| !is_set && *rate > carries(bits, CLOCK));
    settings.extend(too_fast.map(|rate| ("clock_mhz".to_string(), clock_for(bits, rate).to_string())));
    settings
}

/// The default line rate of a scheme; `None` if another one is set.
fn default_line_rate(scheme: &Scheme, settings: &[(String, String)]) -> Option<Micro> {
    let is_set = settings.iter().any(|(key, _)| key == "line_rate_mbps");
    let known = scheme.specifications().find(|known| known.key == "line_rate_mbps").filter(|_| !is_set);
    known.and_then(|known| Micro::parse(known.default))
}

/// Refuses a line rate above what the stream carries. A part that does not know its line rate passes.
///
/// # Errors
/// With the clock, and if there is one the width, that would do.
pub fn check_line_rate(parameters: &Parameters, bits: usize, wider: &[Width]) -> Result<(), Usage> {
    if !parameters.was_read("line_rate_mbps") {
        return Ok(());
    }
    let (rate, clock) = (parameters.decimal("line_rate_mbps"), parameters.decimal("clock_mhz"));
    if rate <= carries(bits, clock) {
        return Ok(());
    }
    let possible = |bits| Some(clock_for(bits, rate)).filter(|clock| *clock <= CLOCK_MAX);
    let mut ways: Vec<String> = Vec::new();
    ways.extend(possible(bits).map(|clock| format!("clock_mhz={clock} or more, if that is its clock")));
    let wider = || wider.iter().filter(|width| width.bits() > bits);
    match wider().find(|width| rate <= carries(width.bits(), clock)) {
        Some(width) => ways.push(format!("--width {}", width.bits())),
        None if ways.is_empty() => ways.extend(wider().find_map(|width| {
            possible(width.bits()).map(|clock| format!("--width {} with clock_mhz={clock} or more", width.bits()))
        })),
        None => {}
    }
    Err(Usage(format!(
        "parameter `line_rate_mbps`: {rate} Mb/s are more than a bus of {bits} bits carries at {clock} MHz, {} Mb/s: expected {}",
        carries(bits, clock),
        match &ways[..] {
            [] => "a lower rate".to_string(),
            ways => ways.join(", or "),
        }
    )))
}

/// Refuses a set point that the queue never exceeds, so that no feedback would ask for a lower rate.
///
/// # Errors
/// With the highest set point.
pub(crate) fn check_set_point(parameters: &Parameters, octets: u64, queue: &str) -> Result<(), Usage> {
    let set_point = parameters.integer("q0_bytes");
    if set_point < octets {
        return Ok(());
    }
    Err(Usage(format!(
        "parameter `q0_bytes`: {set_point} bytes are a set point that the queue never exceeds: {queue} {octets} bytes; expected less, \
         such as {}",
        octets / 2
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(pairs: &[(&str, &str)]) -> Parameters {
        let settings: Vec<_> = pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters = tidegate_schemes::registry::find("smcc").unwrap().parameters(&settings).unwrap();
        parameters.decimal("line_rate_mbps");
        parameters
    }

    /// Each width at the bound and above it; the clock in the message is the lowest that does.
    #[test]
    fn a_line_rate_is_refused_exactly_above_what_the_stream_carries() {
        for width in Width::ALL {
            for clock in ["125", "156.25", "322.265625"] {
                let most = carries(width.bits(), Micro::parse(clock).unwrap());
                let with = |rate: Micro, clock: &str| {
                    let parameters = parameters(&[("line_rate_mbps", &rate.to_string()), ("clock_mhz", clock)]);
                    check_line_rate(&parameters, width.bits(), &Width::ALL)
                };
                assert_eq!(with(most, clock).map_err(|error| error.0), Ok(()));
                let above = Micro(most.0 + 1);
                let error = with(above, clock).unwrap_err().0;
                let named = error.split("clock_mhz=").nth(1).unwrap().split(' ').next().unwrap();
                assert!(with(above, named).is_ok(), "{error}");
                let below = Micro(Micro::parse(named).unwrap().0 - 1).to_string();
                assert!(with(above, &below).is_err(), "{error}");
            }
        }
        // 64 bits would need 1,562.5 MHz.
        let error = check_line_rate(&parameters(&[("line_rate_mbps", "100000")]), 64, &Width::ALL).unwrap_err().0;
        assert!(error.contains("--width 128 with clock_mhz=781.25 or more"), "{error}");
        let error = check_line_rate(&parameters(&[("line_rate_mbps", "100000")]), 64, &[]).unwrap_err().0;
        assert!(error.ends_with("expected a lower rate"), "{error}");
    }

    /// The defaults of each scheme work on each bus, and what is set stays.
    #[test]
    fn defaults_that_a_bus_does_not_carry_are_replaced() {
        let dsm = tidegate_schemes::registry::find("dsm").unwrap();
        let set = |key: &str, value: &str| (key.to_string(), value.to_string());
        assert_eq!(of_netfpga1g(dsm, &[]), [set("line_rate_mbps", "1000")]);
        assert_eq!(of_stream(dsm, &[], 64), [set("clock_mhz", "156.25")]);
        assert_eq!(of_stream(dsm, &[], 128), []);
        for own in [set("line_rate_mbps", "9000"), set("clock_mhz", "100")] {
            assert_eq!(of_stream(dsm, std::slice::from_ref(&own), 64), [own]);
        }
        for scheme in tidegate_schemes::registry::SCHEMES.iter().filter(|scheme| scheme.name != "dsm") {
            assert_eq!((of_netfpga1g(scheme, &[]), of_stream(scheme, &[], 64)), (vec![], vec![]), "{}", scheme.name);
        }
    }

    #[test]
    fn a_part_without_a_line_rate_passes() {
        let settings = [("line_rate_mbps".to_string(), "100000".to_string())];
        let parameters = tidegate_schemes::registry::find("qcn").unwrap().parameters(&settings).unwrap();
        assert!(check_line_rate(&parameters, 64, &Width::ALL).is_ok());
    }
}
