// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the module costs, and how fast it can be clocked, on an ECP5 with flip-flops at its ports. Run with
//! `cargo test --release --locked --test testbenches -- --ignored --nocapture axis_tap::costs`.

use crate::axis_tap::world::made;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate_testing::cost::{areas, reach_125_mhz, ready_is_as_fast_as_a_register};

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_64_bits() {
    cost_of(Width::W64);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_256_bits() {
    cost_of(Width::W256);
}

fn cost_of(width: Width) {
    reach_125_mhz(["smcc", "qcn"].map(|scheme| {
        (format!("{scheme}, {} bits", width.bits()), made(scheme, &[], width, QueueInput::Events).netlist)
    }));
}

/// The output queues may compute their ready late in a cycle.
#[test]
#[ignore = "long: places and routes for minutes"]
fn a_late_ready_costs_no_more_than_a_register() {
    let netlist = made("smcc", &[], Width::W64, QueueInput::Events).netlist;
    ready_is_as_fast_as_a_register("smcc, 64 bits", &netlist, "m_axis_tready");
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_in_each_family() {
    let inputs = [QueueInput::Events, QueueInput::Level];
    let kinds = ["qcn", "smcc"].into_iter().flat_map(|scheme| inputs.map(|queues| (scheme, queues)));
    areas(kinds.map(|(scheme, queues)| {
        (format!("{scheme}, 256 bits, {queues:?}"), made(scheme, &[], Width::W256, queues).netlist)
    }));
}
