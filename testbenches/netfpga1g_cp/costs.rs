// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports, and
//! area on the FPGAs of the NetFPGA-1G and of a board with a 7-series one.
//! Run with `cargo test --release --locked --test testbenches -- --ignored --nocapture netfpga1g_cp::costs`.

use crate::netfpga1g_cp::world::made;
use tidegate::bus::queue_input::QueueInput;
use tidegate::netlist::Netlist;
use tidegate::rtl::bus::netfpga1g::tap::Tap;
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::cost::{areas, reach_125_mhz, ready_is_as_fast_as_a_register};

/// The module with each scheme.
fn wholes(schemes: &[&'static str], queues: QueueInput) -> impl Iterator<Item = (String, Netlist)> {
    schemes
        .iter()
        .map(move |scheme| (format!("tidegate_cp of {scheme}, {queues:?}"), made(scheme, &[], queues).netlist))
}

fn all() -> Vec<&'static str> {
    tidegate::registry::ethernet().map(|scheme| scheme.name).collect()
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_the_tap() {
    reach_125_mhz([("tap".to_string(), Circuit::of::<Tap>("tap", &[]).netlist)]);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_with_events() {
    reach_125_mhz(wholes(&all(), QueueInput::Events));
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_with_levels() {
    reach_125_mhz(wholes(&["qcn", "smcc"], QueueInput::Level));
}

/// What stands behind may compute its ready late in a cycle.
#[test]
#[ignore = "long: places and routes for minutes"]
fn a_late_ready_costs_no_more_than_a_register() {
    for (name, netlist) in wholes(&["smcc"], QueueInput::Events) {
        ready_is_as_fast_as_a_register(&name, &netlist, "out_rdy");
    }
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_with_events() {
    areas(wholes(&all(), QueueInput::Events));
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_with_levels() {
    areas(wholes(&["qcn", "smcc"], QueueInput::Level));
}
