// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted files with a source, a sink and a master that no one here wrote: those of cocotbext-axi, in Icarus, with frames
//! from scapy.

use crate::axis_tap::world::made;
use std::process::Output;
use tidegate::bus;
use tidegate::bus::axis_tap::MODULE;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate::emit::{File, PREFIX};
use tidegate::registry;
use tidegate_testing::cocotb::{self as drivers, said};

fn files(width: Width) -> Vec<File> {
    let whole = made("smcc", &[("sample_packets", "5"), ("q0_bytes", "4000")], width, QueueInput::Events);
    bus::files(&whole.netlist, &whole.registers, registry::find("smcc").unwrap(), PREFIX)
}

/// Runs `tap_streams.py` on the files of a width, in which a text is replaced.
fn run(width: Width, from: &str, to: &str) -> Option<Output> {
    let names = [format!("{PREFIX}{MODULE}"), format!("{PREFIX}{MODULE}_registers")];
    drivers::run("testbenches/axis_tap/tap_streams.py", files(width), [from, to], &[&names[0], &names[1]])
}

fn passes(width: Width) {
    if let Some(output) = run(width, "", "") {
        assert!(output.status.success(), "{width:?}: {}", said(&output));
    }
}

#[test]
fn the_streams_of_cocotbext_axi_carry_the_frames_of_scapy() {
    passes(Width::W256);
}

#[test]
#[ignore = "long: Icarus runs three widths"]
fn so_they_do_at_the_other_widths() {
    [Width::W64, Width::W128, Width::W512].into_iter().for_each(passes);
}

/// What is replaced, and by what.
const MISTAKES: [(&str, &str); 3] = [
    ("by_removal + by_drop", "by_removal"),
    ("port == 3'd3", "port == 3'd4"),
    ("length <= user[15:0]", "length <= user[47:32]"),
];

#[test]
fn mistakes_have_their_places() {
    drivers::has_places(&files(Width::W64), MISTAKES.map(|(from, _)| from));
}

#[test]
#[ignore = "long: Icarus runs for each mistake"]
fn they_find_mistakes() {
    for (from, to) in MISTAKES {
        let Some(output) = run(Width::W64, from, to) else { return };
        let said = said(&output);
        assert!(!output.status.success() && said.contains("of 2 tests failed"), "with `{to}`: {said}");
    }
}
