// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nextpnr says of a design that it has placed and routed: clock rates, the slowest paths, resources.

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde_json::Value;
use tidegate_toolchain::nextpnr::register;

/// The rate of a clock.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Clock {
    /// The port at which it comes in, or the net of an inner clock.
    pub clock: String,
    /// What it must reach, MHz.
    pub target_mhz: f64,
    /// What it reaches, MHz.
    pub reached_mhz: f64,
    /// Whether that is enough.
    pub met: bool,
}

/// The slowest path from one clock to the same or another one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Path {
    /// Clock at the beginning.
    pub from_clock: String,
    /// Clock at the end.
    pub to_clock: String,
    /// Flip-flop or memory where it begins.
    pub from: String,
    /// Flip-flop or memory where it ends.
    pub to: String,
    /// How long it takes, ns.
    pub ns: f64,
    /// Of this, in wires, ns.
    pub wires_ns: f64,
}

/// A resource of the FPGA.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Resource {
    /// As nextpnr calls it.
    pub cell: String,
    /// What it is.
    pub name: String,
    /// How many the design takes.
    pub used: u64,
    /// How many there are.
    pub available: u64,
}

/// A report.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Report {
    /// Clocks by name.
    pub clocks: Vec<Clock>,
    /// Paths from a clock to a clock, the slowest first.
    pub paths: Vec<Path>,
    /// Resources that are used.
    pub resources: Vec<Resource>,
}

/// What a resource of the ECP5 is, in words of the other tables; its own name if there is no other.
pub(crate) fn meaning(cell: &str) -> &str {
    match cell {
        "TRELLIS_COMB" => "LUTs",
        "TRELLIS_FF" => "flip-flops",
        "TRELLIS_RAMW" => "write ports of LUT RAM",
        "TRELLIS_IO" => "pins",
        "DP16KD" => "block RAMs",
        "MULT18X18D" => "multipliers",
        "EHXPLLL" => "PLLs",
        "DCCA" => "global clocks",
        other => other,
    }
}

impl Report {
    /// Reads the report of nextpnr.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn read(report: &str) -> Result<Report> {
        let report: Value = serde_json::from_str(report).context("expected the JSON report of nextpnr")?;
        let missing = |what: &str| anyhow!("expected {what} in the report of nextpnr");
        let clocks = report["fmax"].as_object().ok_or_else(|| missing("fmax"))?;
        let clocks = clocks.iter().map(|(net, rates)| {
            let rate = |name: &str| rates[name].as_f64().map(hundredths).ok_or_else(|| missing(name));
            let (target_mhz, reached_mhz) = (rate("constraint")?, rate("achieved")?);
            Ok(Clock { clock: clock(net), target_mhz, reached_mhz, met: reached_mhz >= target_mhz })
        });
        let mut clocks = clocks.collect::<Result<Vec<_>>>()?;
        clocks.sort_by(|a, b| a.clock.cmp(&b.clock));
        let paths = report["critical_paths"].as_array().ok_or_else(|| missing("critical_paths"))?;
        let mut paths: Vec<Path> = paths.iter().filter_map(path).collect();
        paths.sort_by(|a, b| b.ns.total_cmp(&a.ns));
        let resources = report["utilization"].as_object().ok_or_else(|| missing("utilization"))?;
        let resources = resources.iter().filter_map(|(cell, counts)| {
            let (used, available) = (counts["used"].as_u64()?, counts["available"].as_u64()?);
            (used > 0).then(|| Resource { cell: cell.clone(), name: meaning(cell).to_string(), used, available })
        });
        let mut resources: Vec<Resource> = resources.collect();
        resources.sort_by_key(|resource| std::cmp::Reverse(resource.used));
        Ok(Report { clocks, paths, resources })
    }

    /// The least part of its target that a clock reaches: 1 or more if all are met.
    pub(crate) fn least_share(&self) -> f64 {
        self.clocks.iter().map(|clock| clock.reached_mhz / clock.target_mhz).fold(f64::INFINITY, f64::min)
    }
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The name of a clock from that of its net: the port, if it comes from one.
fn clock(net: &str) -> String {
    net.trim_start_matches("$glbnet$").trim_end_matches("$TRELLIS_IO_IN").to_string()
}

/// A path between clocked cells; `None` of one that begins or ends at a pin.
fn path(path: &Value) -> Option<Path> {
    let of = |end: &str| path[end].as_str()?.strip_prefix("posedge ").map(clock);
    let hops = path["path"].as_array()?;
    let end = |hop: Option<&Value>, end: &str| hop?[end]["cell"].as_str().map(register);
    let delay = |of: fn(&Value) -> bool| {
        let sum: f64 = hops.iter().filter(|hop| of(hop)).filter_map(|hop| hop["delay"].as_f64()).sum();
        hundredths(sum)
    };
    Some(Path {
        from_clock: of("from")?,
        to_clock: of("to")?,
        from: end(hops.first(), "from")?,
        to: end(hops.last(), "to")?,
        ns: delay(|_| true),
        wires_ns: delay(|hop| hop["type"] == "routing"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_clocks_paths_and_resources() {
        let text = r#"{
            "critical_paths": [
                {"from": "<async>", "to": "posedge $glbnet$clk25$TRELLIS_IO_IN", "path": []},
                {"from": "posedge $glbnet$clk25$TRELLIS_IO_IN", "to": "posedge $glbnet$clk25$TRELLIS_IO_IN", "path": [
                    {"delay": 5.83, "type": "clk-to-q", "from": {"cell": "part.queue.beats_3.0.0"}, "to": {"cell": "part.queue.beats_3.0.0"}},
                    {"delay": 2.11, "type": "routing", "from": {"cell": "part.queue.beats_3.0.0"}, "to": {"cell": "x"}},
                    {"delay": 0, "type": "setup", "from": {"cell": "part.stage.next_TRELLIS_FF_Q_49"}, "to": {"cell": "part.stage.next_TRELLIS_FF_Q_49"}}
                ]}
            ],
            "fmax": {"$glbnet$clk25$TRELLIS_IO_IN": {"achieved": 125.9445, "constraint": 125}, "slow": {"achieved": 20, "constraint": 25}},
            "utilization": {"TRELLIS_COMB": {"available": 24288, "used": 4531}, "DP16KD": {"available": 56, "used": 17}, "DTR": {"available": 1, "used": 0}}
        }"#;
        let report = Report::read(text).unwrap();
        let rate = |clock: &str, target_mhz, reached_mhz, met| Clock {
            clock: clock.to_string(),
            target_mhz,
            reached_mhz,
            met,
        };
        assert_eq!(report.clocks, [rate("clk25", 125.0, 125.94, true), rate("slow", 25.0, 20.0, false)]);
        assert_eq!(report.least_share(), 0.8);
        let path = &report.paths[0];
        assert_eq!((path.from.as_str(), path.to.as_str()), ("queue.beats_3.0.0", "stage.next"));
        assert_eq!((path.ns, path.wires_ns, report.paths.len()), (7.94, 2.11, 1));
        let names: Vec<&str> = report.resources.iter().map(|resource| resource.name.as_str()).collect();
        assert_eq!(names, ["LUTs", "block RAMs"]);
        assert!(format!("{:#}", Report::read("{}").unwrap_err()).contains("fmax"));
    }
}
