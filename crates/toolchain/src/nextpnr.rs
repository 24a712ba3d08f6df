// SPDX-License-Identifier: MIT OR Apache-2.0
//! Place and route for the Lattice ECP5 with nextpnr: the largest device of the slowest speed grade, without pins. The
//! same tools give the same number with the same seed. Another seed changes it by a few MHz.

use super::NO_FOLDER;
use super::find::{Program, Tool};
use super::yosys::Yosys;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use tidegate_core::interrupt::{self, Scratch};

/// Name of the device in reports.
pub const DEVICE: &str = "LFE5U-85F";
/// As nextpnr asks for the device.
const DEVICE_ARGUMENTS: [&str; 3] = ["--85k", "--package", "CABGA756"];
/// The slowest of three.
pub const SPEED_GRADE: u32 = 6;
/// What nextpnr is told to reach, MHz: the core clock of the NetFPGA-1G.
const WANTED_MHZ: u32 = 125;
/// How much the placer weighs what is late against the length of wires, ten times what it does by default. The way from
/// block RAM to the register behind it is then short enough with most seeds, and other long paths are shorter too.
const TIMING_WEIGHT: u32 = 100;

/// A nextpnr for the ECP5 that was found.
#[derive(Clone, Debug)]
pub struct Nextpnr {
    program: Program,
}

/// A design that Yosys has mapped to the ECP5, to be placed and routed.
#[derive(Clone, Debug)]
pub struct Mapped {
    top: String,
    json: String,
}

impl Mapped {
    /// Synthesizes a design for place and route.
    ///
    /// # Errors
    /// What Yosys says of a design that it refuses.
    pub fn new(yosys: &Yosys, top: &str, verilog: &str) -> Result<Mapped> {
        let script = format!("read_verilog design.v\nsynth_ecp5 -top {top} -json netlist.json\n");
        let json =
            yosys.run(&script, verilog, "netlist.json").with_context(|| format!("Yosys cannot synthesize {top}"))?;
        Ok(Mapped { top: top.to_string(), json })
    }
}

/// The result of nextpnr for one design and one seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Routed {
    /// Highest clock frequency, MHz.
    pub fmax_mhz: f64,
    /// LUTs, including those used for carries or memory.
    pub luts: u32,
    /// Flip-flops, including those at the ports.
    pub flip_flops: u32,
    /// Flip-flop or memory where the longest path begins.
    pub from: String,
    /// Flip-flop or memory where it ends.
    pub to: String,
}

impl Nextpnr {
    /// Finds nextpnr.
    ///
    /// # Errors
    /// [`super::MissingTool`] if it is missing.
    pub fn find() -> Result<Nextpnr> {
        Ok(Nextpnr { program: Tool::NextpnrEcp5.needed()? })
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.program.version
    }

    /// Places and routes a design that has one clock. Placement begins at random, from `seed`.
    ///
    /// # Errors
    /// What nextpnr says of a design that it refuses.
    pub fn route(&self, design: &Mapped, seed: u32) -> Result<Routed> {
        // As in `Yosys::run`, names are relative to the folder of the run.
        let scratch = Scratch::new("nextpnr").context(NO_FOLDER)?;
        std::fs::write(scratch.path().join("netlist.json"), &design.json).context("cannot write the netlist")?;
        let mut command = self.program.command_in(scratch.path());
        command
            .args(DEVICE_ARGUMENTS)
            .args(["--speed", &SPEED_GRADE.to_string(), "--seed", &seed.to_string(), "--freq", &WANTED_MHZ.to_string()])
            .args(["--placer-heap-timingweight", &TIMING_WEIGHT.to_string()])
            .args(["--out-of-context", "--lpf-allow-unconstrained", "--timing-allow-fail", "--quiet"])
            .args(["--json", "netlist.json", "--report", "report.json"]);
        let output =
            interrupt::output(&mut command).with_context(|| format!("cannot run {}", self.program.path.display()))?;
        match std::fs::read_to_string(scratch.path().join("report.json")) {
            Ok(report) if output.status.success() => read(&report),
            _ => {
                let said = String::from_utf8_lossy(&output.stderr);
                let error = said.lines().find(|line| line.contains("ERROR")).unwrap_or(said.trim());
                bail!("nextpnr-ecp5 cannot route {} with seed {seed}: {}, {error}", design.top, output.status)
            }
        }
    }
}

/// Reads the report of nextpnr.
fn read(report: &str) -> Result<Routed> {
    let report: Value = serde_json::from_str(report).context("expected the JSON report of nextpnr")?;
    let missing = |what: &str| anyhow!("expected {what} in the report of nextpnr");
    let clocks = report["fmax"].as_object().filter(|clocks| clocks.len() == 1);
    let clock = clocks.and_then(|clocks| clocks.values().next()).ok_or_else(|| missing("one clock"))?;
    let used = |cells: &str| {
        let number = report["utilization"][cells]["used"].as_u64();
        number.map(|number| number as u32).ok_or_else(|| missing(cells))
    };
    let clocked = |path: &&Value| ["from", "to"].iter().all(|end| path[end].as_str().is_some_and(is_edge));
    let paths = report["critical_paths"].as_array().ok_or_else(|| missing("critical_paths"))?;
    let path = paths.iter().find(clocked).and_then(|path| path["path"].as_array()).ok_or_else(|| missing("a path"))?;
    let end = |hop: Option<&Value>, end: &str| {
        let cell = hop.and_then(|hop| hop[end]["cell"].as_str());
        cell.map(register).ok_or_else(|| missing("the ends of the longest path"))
    };
    Ok(Routed {
        fmax_mhz: clock["achieved"].as_f64().ok_or_else(|| missing("a frequency"))?,
        luts: used("TRELLIS_COMB")?,
        flip_flops: used("TRELLIS_FF")?,
        from: end(path.first(), "from")?,
        to: end(path.last(), "to")?,
    })
}

fn is_edge(event: &str) -> bool {
    event.starts_with("posedge ")
}

/// The register of a cell: the name of the cell without the suffix of the synthesis and without the instance of the
/// part.
pub fn register(cell: &str) -> String {
    let end = ["_TRELLIS_FF", "_LUT4", "_CCU2C", "_PFUMX", "_L6MUX21", "_MULT18X18D", "_DPR16X4"]
        .iter()
        .filter_map(|kind| cell.find(kind))
        .min();
    let name = &cell[..end.unwrap_or(cell.len())];
    name.trim_start_matches("part.").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_for_its_clock_and_its_longest_path() {
        let report = r#"{
            "critical_paths": [
                {"from": "<async>", "to": "posedge clock", "path": []},
                {"from": "posedge clock", "to": "posedge clock", "path": [
                    {"from": {"cell": "part.reaction_point.rate_TRELLIS_FF_Q_3", "port": "Q"}, "to": {"cell": "x", "port": "A"}},
                    {"from": {"cell": "x", "port": "F"}, "to": {"cell": "grant_TRELLIS_FF_Q", "port": "DI"}}
                ]}
            ],
            "fmax": {"clock": {"achieved": 131.25, "constraint": 125.0}},
            "utilization": {"TRELLIS_COMB": {"available": 84000, "used": 1200}, "TRELLIS_FF": {"available": 84000, "used": 600}}
        }"#;
        let expected = Routed {
            fmax_mhz: 131.25,
            luts: 1200,
            flip_flops: 600,
            from: "reaction_point.rate".to_string(),
            to: "grant".to_string(),
        };
        assert_eq!(read(report).unwrap(), expected);
        let error = format!("{:#}", read(r#"{"fmax": {}}"#).unwrap_err());
        assert!(error.contains("one clock"), "{error}");
    }
}
