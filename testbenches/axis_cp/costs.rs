// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5 with flip-flops at its ports, and area
//! in two Xilinx families. Run with `cargo test --release --locked --test testbenches -- --ignored --nocapture axis_cp::costs`.

use crate::axis_cp::world::made;
use tidegate::bus::width::Width;
use tidegate::netlist::Netlist;
use tidegate_testing::cost::{areas, cost, reach_125_mhz, ready_is_as_fast_as_a_register};

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_64_bits() {
    reach_125_mhz(["smcc", "qcn"].map(|scheme| with_memory(scheme, "32768")));
}

/// A MAC computes its ready late in a cycle.
#[test]
#[ignore = "long: places and routes for minutes"]
fn a_late_ready_costs_no_more_than_a_register() {
    for scheme in ["smcc", "qcn"] {
        let (name, netlist) = with_memory(scheme, "32768");
        for ready in ["m_axis_tready", "m_axis_cnm_tready"] {
            ready_is_as_fast_as_a_register(&name, &netlist, ready);
        }
    }
}

/// There is no limit for this: the wires from 68 block RAMs are long.
#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_a_large_memory() {
    let (name, netlist) = with_memory("smcc", "131072");
    cost(&name, &netlist);
}

fn with_memory(scheme: &'static str, bytes: &'static str) -> (String, Netlist) {
    let netlist = made(scheme, &[("buffer_bytes", bytes), ("q0_bytes", "16384")], Width::W64).netlist;
    (format!("{scheme}, 64 bits, {bytes} octets"), netlist)
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_the_other_widths() {
    for width in [Width::W128, Width::W256, Width::W512] {
        cost(&format!("smcc, {} bits", width.bits()), &made("smcc", &[], width).netlist);
    }
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_in_each_family() {
    let kinds = Width::ALL.map(|width| ("smcc", width)).into_iter().chain([("qcn", Width::W64)]);
    areas(kinds.map(|(scheme, width)| (format!("{scheme}, {} bits", width.bits()), made(scheme, &[], width).netlist)));
}
