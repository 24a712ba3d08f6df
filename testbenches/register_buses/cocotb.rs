// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted files with a master that no one here wrote: that of cocotbext-axi, in Icarus.

use super::registers;
use std::process::Output;
use tidegate::bus::register_bus::{self, RegisterBus};
use tidegate::emit::{File, PREFIX};
use tidegate::registry;
use tidegate::scheme::Part;
use tidegate_testing::cocotb::{self as drivers, said};

fn files(part: Part) -> Vec<File> {
    let registers = registers(part, RegisterBus::Axi4Lite);
    register_bus::files(&registers, RegisterBus::Axi4Lite, registry::find("qcn").unwrap(), PREFIX)
}

/// Runs `axi4_lite_master.py` on the files of a part, in which a text is replaced.
fn run(part: Part, from: &str, to: &str) -> Option<Output> {
    let module = format!("{PREFIX}{}", registers(part, RegisterBus::Axi4Lite).module);
    let script = "testbenches/register_buses/axi4_lite_master.py";
    drivers::run(script, files(part), [from, to], &[&format!("{module}_axi4_lite"), &module])
}

#[test]
fn the_master_of_cocotbext_axi_reads_and_writes_the_registers() {
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        let Some(output) = run(part, "", "") else { return };
        assert!(output.status.success(), "{}", said(&output));
    }
}

/// What is replaced, and by what.
const MISTAKES: [(&str, &str); 3] = [
    ("responds_error <= refuses", "responds_error <= 1'd0"),
    ("write_whole <= s_axi_wstrb == 4'd15", "write_whole <= 1'd1"),
    ("!returns && !working", "!working"),
];

#[test]
fn mistakes_have_their_places() {
    drivers::has_places(&files(Part::ReactionPoint), MISTAKES.map(|(from, _)| from));
}

#[test]
#[ignore = "long: Icarus runs for each mistake"]
fn it_finds_mistakes() {
    for (from, to) in MISTAKES {
        let Some(output) = run(Part::ReactionPoint, from, to) else { return };
        let said = said(&output);
        assert!(!output.status.success() && said.contains("of 3 tests failed"), "with `{to}`: {said}");
    }
}
