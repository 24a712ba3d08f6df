//! Packet marking: the circuits of 2, 4 and 8 ports against the model, and against their Verilog.

#[path = "../common/blocks.rs"]
mod blocks;

use tidegate::emit::Circuit;
use tidegate::rtl::congestion_point::marking::{Marking2, Marking4, Marking8};

fn circuits() -> [Circuit; 3] {
    [
        Circuit::of::<Marking2>("marking", &[]),
        Circuit::of::<Marking4>("marking", &[]),
        Circuit::of::<Marking8>("marking", &[]),
    ]
}

#[test]
fn marks_what_the_model_marks() {
    for circuit in circuits() {
        blocks::agrees_with_its_reference(&circuit, 100_000);
    }
}

#[test]
fn verilog_does_the_same() {
    for circuit in circuits() {
        blocks::agrees_with_its_verilog(&circuit, 20_000);
    }
}

#[test]
fn verilog_passes_lint() {
    for circuit in circuits() {
        blocks::passes_lint(&circuit);
    }
}
