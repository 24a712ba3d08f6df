// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted files with sources, sinks and a master that no one here wrote: those of cocotbext-axi, in Icarus, with frames
//! from scapy.

use std::process::Output;
use tidegate::bus;
use tidegate::bus::axis_cp;
use tidegate::bus::width::Width;
use tidegate::emit::{File, PREFIX};
use tidegate::registry;
use tidegate_testing::cocotb::{self as drivers, said};

fn files(width: Width) -> Vec<File> {
    let settings = [("sample_packets", "5"), ("q0_bytes", "4000"), ("buffer_bytes", "16384")];
    let settings = settings.map(|(key, value)| (key.to_string(), value.to_string()));
    let scheme = registry::find("smcc").unwrap();
    let parameters = axis_cp::parameters(scheme, &settings).unwrap();
    let whole = axis_cp::congestion_point(scheme, &parameters, &settings, width);
    bus::files(&whole.netlist, &whole.registers, scheme, PREFIX)
}

/// Runs `axis_streams.py` on the files of a width, in which a text is replaced.
fn run(width: Width, from: &str, to: &str) -> Option<Output> {
    let names = [format!("{PREFIX}{}", axis_cp::MODULE), format!("{PREFIX}{}_registers", axis_cp::MODULE)];
    drivers::run("testbenches/axis_cp/axis_streams.py", files(width), [from, to], &[&names[0], &names[1]])
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
    ("&& s_axis_tuser", "&& 1'd0"),
    ("word[63:56]", "word[55:48]"),
    ("dequeue_bytes = {17'd0, left_octets}", "dequeue_bytes = 24'd1"),
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
        assert!(!output.status.success() && said.contains("of 3 tests failed"), "with `{to}`: {said}");
    }
}
