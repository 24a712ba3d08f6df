// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted files with a master that no one here wrote: that of cocotbext-axi, in Icarus.

use super::registers;
use std::process::Output;
use tidegate::bus::register_bus::{self, RegisterBus};
use tidegate::emit::PREFIX;
use tidegate::registry;
use tidegate::scheme::Part;
use tidegate_testing::cocotb::{self as drivers, said};

/// Runs `axi4_lite_master.py` on the files of a part, in which a text is replaced.
fn run(part: Part, from: &str, to: &str) -> Option<Output> {
    let registers = registers(part, RegisterBus::Axi4Lite);
    let files = register_bus::files(&registers, RegisterBus::Axi4Lite, registry::find("qcn").unwrap(), PREFIX);
    let module = format!("{PREFIX}{}", registers.module);
    let script = "testbenches/register_buses/axi4_lite_master.py";
    drivers::run(script, files, [from, to], &[&format!("{module}_axi4_lite"), &module])
}

#[test]
fn the_master_of_cocotbext_axi_reads_and_writes_the_registers() {
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        let Some(output) = run(part, "", "") else { return };
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
#[ignore = "long: Icarus runs for each mistake"]
fn it_finds_mistakes() {
    let mistakes = [
        ("responds_error <= refuses", "responds_error <= 1'd0"),
        ("write_whole <= s_axi_wstrb == 4'd15", "write_whole <= 1'd1"),
        ("!returns && !working", "!working"),
    ];
    for (from, to) in mistakes {
        let Some(output) = run(Part::ReactionPoint, from, to) else { return };
        let said = said(&output);
        assert!(!output.status.success() && said.contains("of 3 tests failed"), "with `{to}`: {said}");
    }
}
