// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand: the recovery time of rates, and the difference between the tables and the closed forms (Santos 2002,
//! section V).

use crate::analysis::{Analysis, Line, Piece, Portrait};
use crate::infiniband::rule::{packet_cycles, table_of};
use crate::scheme::parameters::Parameters;
use tidegate_circuits::response::{RESPONSES, Response, Table, climb};

/// A response function: its name, the section of its closed form, its table.
struct Function {
    name: &'static str,
    response: Response,
    equation: &'static str,
    table: Table,
    steps: u32,
    factor: u32,
}

impl Function {
    fn all(parameters: &Parameters) -> [Function; 3] {
        let (factor, steps) = table_of(parameters);
        RESPONSES.map(|response| {
            let (name, equation) = match response {
                Response::Lipd => ("lipd", "Santos 2002, section V.D, figure 5"),
                Response::Fimd => ("fimd", "Santos 2002, section V.C, figure 5"),
                Response::Aimd => ("aimd", "Santos 2002, section VI.B, figure 5"),
            };
            Function { name, response, equation, table: Table::new(response, factor, steps), steps, factor }
        })
    }

    /// Every inter-packet delay that occurs.
    fn delays(&self) -> impl Iterator<Item = u8> {
        (0..self.steps).map(|ipd| ipd as u8)
    }

    /// Packet times from a delay to delay 0, by the table.
    fn climbs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut climbed = 0;
        self.delays().map(move |ipd| {
            climbed += u32::from(self.table.entry(ipd).wait);
            (ipd.into(), climbed)
        })
    }

    /// Packet times from R_max / 2 to R_max, by the table: the rate with ipd = 1 is half of that with ipd = 0.
    fn climb_from_half(&self) -> u32 {
        self.climbs().nth(1).map_or(0, |(_, climbed)| climbed)
    }

    /// Largest difference from the closed form, packet times.
    fn increase_error(&self) -> f64 {
        let exact = |ipd| climb(self.response, self.factor, self.steps, ipd);
        self.climbs().map(|(ipd, climbed)| (f64::from(climbed) - exact(ipd)).abs()).fold(0.0, f64::max)
    }

    /// Largest number of discrete rates between the rate after a mark and f_dec.
    fn decrease_error(&self) -> f64 {
        let off = |ipd: u8| {
            let rate = 1.0 / f64::from(1 + u32::from(ipd));
            let decreased = match self.response {
                Response::Lipd => 1.0 / (1.0 / rate + 1.0),
                Response::Fimd | Response::Aimd => rate / f64::from(self.factor),
            };
            let exact = 1.0 / decreased.max(1.0 / f64::from(self.steps)) - 1.0;
            // Whole numbers after a division.
            let off = (f64::from(self.table.entry(ipd).decreased) - exact).abs();
            if off < 1e-9 { 0.0 } else { off }
        };
        self.delays().map(off).fold(0.0, f64::max)
    }

    /// Least and most packet times of a recovery, for marks that do not lead to R_min; `None` if all do.
    fn recoveries(&self) -> Option<(u32, u32)> {
        let times =
            || self.delays().filter(|&ipd| !self.table.entry(ipd).at_minimum).map(|ipd| self.table.recovery_time(ipd));
        times().min().zip(times().max())
    }

    /// Time (s) and rate (bit/s) from R_min up to R_max.
    fn path(&self, packet_time: f64, line_rate: f64) -> Piece {
        let rate = |ipd: u8| line_rate / f64::from(1 + u32::from(ipd));
        let mut time = 0.0;
        let mut points = Vec::new();
        for ipd in self.delays().collect::<Vec<_>>().into_iter().rev() {
            points.push((time, rate(ipd)));
            time += f64::from(self.table.entry(ipd).wait) * packet_time;
        }
        (self.name, points)
    }
}

/// The whole analysis: of all three response functions, independent of the parameter.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let mega = |key: &str| parameters.decimal(key).to_f64() * 1e6;
    let (line_rate, clock) = (mega("line_rate_mbps"), mega("clock_mhz"));
    let packet_time = 8.0 * parameters.integer("packet_bytes") as f64 / line_rate;
    let (_, steps) = table_of(parameters);
    let functions = Function::all(parameters);
    const RATES: &str = "Santos 2002, section V.D, a finite set of rates";
    let mut lines = vec![
        Line::number("packet time at R_max", packet_time * 1e6, "µs", "Santos 2002, Table I"),
        Line::number(
            "the same in the circuit",
            packet_cycles(parameters) as f64 / clock * 1e6,
            "µs",
            "Santos 2002, Table I",
        ),
        Line::number("discrete rates, R_max / (1 + ipd)", steps.into(), "", RATES),
        Line::number("R_min", line_rate / f64::from(steps) / 1e6, "Mb/s", "Santos 2002, section VI.B"),
        Line::number("1 / R_min", f64::from(steps) * packet_time * 1e3, "ms", "Santos 2002, section V.A, Condition 3"),
    ];
    for function in &functions {
        let name = function.name;
        let whole = function.climbs().last().map_or(0, |(_, climbed)| climbed);
        let time = f64::from(whole) * packet_time * 1e3;
        lines.push(Line::number(format!("{name}: from R_min to R_max without a mark"), time, "ms", function.equation));
        let time = f64::from(whole - function.climb_from_half()) * packet_time * 1e3;
        lines.push(Line::number(
            format!("{name}: from R_min to R_max / 2 without a mark"),
            time,
            "ms",
            function.equation,
        ));
        if let Some((least, most)) = function.recoveries() {
            let of = |packet_times: u32| f64::from(packet_times) * packet_time * 1e3;
            const CONDITION: &str = "Santos 2002, section V.A, Condition 3";
            lines.push(Line::number(format!("{name}: shortest recovery from a mark"), of(least), "ms", CONDITION));
            lines.push(Line::number(format!("{name}: longest recovery from a mark"), of(most), "ms", CONDITION));
        }
        let fair = if function.table.converges() {
            "holds over all rates: none recovers sooner than a lower one"
        } else {
            "does not hold: some rate recovers sooner than a lower one"
        };
        lines.push(Line::verdict(
            format!("{name}: T_rec(r1) ≤ T_rec(r2) for r1 < r2"),
            fair,
            "Santos 2002, section V.A, Condition 2",
        ));
        lines.push(Line::number(
            format!("{name}: table against f_dec, most"),
            function.decrease_error(),
            "rates",
            function.equation,
        ));
        let error = function.increase_error();
        lines.push(Line::number(
            format!("{name}: table against F_inc, most"),
            error,
            "packet times",
            function.equation,
        ));
    }
    Analysis { lines, portrait }
}

/// Rates over time from R_min up to R_max.
fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let line_rate = parameters.decimal("line_rate_mbps").to_f64() * 1e6;
    let packet_time = 8.0 * parameters.integer("packet_bytes") as f64 / line_rate;
    let mut pieces = Function::all(parameters).map(|function| function.path(packet_time, line_rate)).to_vec();
    // They stay at R_max.
    let end = pieces.iter().filter_map(|(_, points)| points.last()).fold(0.0, |end: f64, point| end.max(point.0));
    pieces.iter_mut().for_each(|(_, points)| points.push((end, line_rate)));
    Ok(Portrait { pieces, switching_slope: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn analysis(settings: &[(&str, &str)]) -> Analysis {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        analyze(&registry::find("infiniband").unwrap().parameters(&settings).unwrap())
    }

    fn value(analysis: &Analysis, quantity: &str) -> f64 {
        analysis.lines.iter().find(|line| line.quantity == quantity).unwrap().value.unwrap()
    }

    /// "4.2 ms for FIMD and 133.7 ms for LIPD and AIMD", with the defaults.
    #[test]
    fn the_defaults_recover_as_the_paper_says() {
        let analysis = analysis(&[]);
        for (name, milliseconds) in [("lipd", 133.7), ("fimd", 4.2), ("aimd", 133.7)] {
            let found = value(&analysis, &format!("{name}: from R_min to R_max without a mark"));
            assert_eq!((found * 10.0).round() / 10.0, milliseconds, "{name}");
        }
    }

    #[test]
    fn another_factor_and_another_least_rate_make_another_table() {
        let analysis = analysis(&[("decrease_factor", "4"), ("rate_steps", "64")]);
        // log_4(64) = 3 recoveries of 1 / R_min each.
        let least = value(&analysis, "1 / R_min");
        assert!((value(&analysis, "fimd: from R_min to R_max without a mark") - 3.0 * least).abs() < 1e-9);
        assert_eq!(value(&analysis, "discrete rates, R_max / (1 + ipd)"), 64.0);
    }

    #[test]
    fn the_tables_are_as_near_as_whole_numbers_can_be() {
        for settings in [&[][..], &[("decrease_factor", "3"), ("rate_steps", "100")]] {
            let analysis = analysis(settings);
            for name in ["lipd", "fimd", "aimd"] {
                assert!(value(&analysis, &format!("{name}: table against F_inc, most")) <= 0.500_001);
                assert_eq!(value(&analysis, &format!("{name}: table against f_dec, most")), 0.0);
            }
        }
    }

    #[test]
    fn paths_begin_at_the_least_rate_and_end_at_the_largest() {
        let defaults = registry::find("infiniband").unwrap().parameters(&[]).unwrap();
        for (name, points) in portrait(&defaults).unwrap().pieces {
            assert_eq!((points[0], points.len()), ((0.0, 8e9 / 256.0), 257), "{name}");
            assert_eq!(points.last().unwrap().1, 8e9);
            assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1));
        }
    }
}
