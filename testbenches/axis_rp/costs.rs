// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the module costs, and how fast it can be clocked: area in three families, and clock rate on an ECP5 with flip-flops
//! at its ports. Run with `cargo test --release --locked --test testbenches -- --ignored --nocapture axis_rp::costs`.

use tidegate::bus::axis_rp::{self, receive_filter, transmit_gate};
use tidegate::bus::width::Width;
use tidegate::netlist::Netlist;
use tidegate::registry;
use tidegate_testing::cost::{areas, cost, reach_125_mhz, ready_is_as_fast_as_a_register};

fn whole(scheme: &str, flows: u64, width: Width) -> Netlist {
    let settings = [("rp_flows".to_string(), flows.to_string())];
    let scheme = registry::find(scheme).unwrap();
    let parameters = axis_rp::parameters(scheme, &settings).unwrap();
    axis_rp::reaction_point(scheme, &parameters, &settings, width).netlist
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_of_what_stands_in_the_paths() {
    let modules = [("receive filter", receive_filter(Width::W64)), ("transmit gate", transmit_gate(Width::W64))];
    reach_125_mhz(modules.map(|(name, netlist)| (name.to_string(), netlist)));
}

/// There is no limit for these yet: the measured rates are printed.
#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_of_what_stands_in_wide_paths() {
    for width in [Width::W128, Width::W256] {
        cost(&format!("receive filter, {} bits", width.bits()), &receive_filter(width));
        cost(&format!("transmit gate, {} bits", width.bits()), &transmit_gate(width));
    }
}

fn clock_rates(flows: u64) {
    reach_125_mhz(
        ["smcc", "qcn"].map(|scheme| {
            (format!("tidegate_rp of {scheme}, {flows} flows, 64 bits"), whole(scheme, flows, Width::W64))
        }),
    );
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_with_one_flow() {
    clock_rates(1);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_with_4_flows() {
    clock_rates(4);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_with_64_flows() {
    clock_rates(64);
}

/// A MAC computes its ready late in a cycle.
#[test]
#[ignore = "long: places and routes for minutes"]
fn a_late_ready_costs_no_more_than_a_register() {
    for ready in ["m_axis_rx_tready", "m_axis_tx_tready"] {
        ready_is_as_fast_as_a_register("smcc, 1 flow, 64 bits", &whole("smcc", 1, Width::W64), ready);
    }
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_of_the_whole() {
    let wholes = [
        ("qcn", 1, Width::W64),
        ("qcn", 4, Width::W64),
        ("qcn", 64, Width::W64),
        ("smcc", 1, Width::W64),
        ("smcc", 4, Width::W64),
        ("smcc", 64, Width::W64),
        ("smcc", 1, Width::W128),
        ("smcc", 1, Width::W256),
        ("smcc", 1, Width::W512),
    ];
    let modules = wholes.map(|(scheme, flows, width)| {
        (format!("{scheme}, {flows} flows, {} bits", width.bits()), whole(scheme, flows, width))
    });
    areas(modules);
}
