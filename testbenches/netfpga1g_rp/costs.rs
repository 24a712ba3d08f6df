// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the module costs, and how fast it can be clocked: area in three families, and clock rate on an ECP5 with flip-flops
//! at its ports. Run with `cargo test --release --locked --test testbenches -- --ignored --nocapture netfpga1g_rp::costs`.

use crate::netfpga1g_rp::world::{Case, made};
use crate::netfpga1g_rp::{RULE, SMCC};
use tidegate::netlist::Netlist;
use tidegate::rtl::bus::netfpga1g::{receive_filter::ReceiveFilter, transmit_gates::TransmitGates};
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::cost::{areas, reach_125_mhz, ready_is_as_fast_as_a_register};
use tidegate_testing::receive_frames::Rule;

fn whole(scheme: &'static str, flows: u64) -> Netlist {
    made(&Case { scheme, flows, rule: Rule { flow_mask: flows - 1, ..RULE }, ..SMCC }).netlist
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn clock_rate_of_what_stands_in_the_paths() {
    let filter = Circuit::of::<ReceiveFilter>("receive_filter", &[]).netlist;
    let gates = Circuit::of::<TransmitGates>("transmit_gates", &[]).netlist;
    reach_125_mhz([("receive filter".to_string(), filter), ("transmit gates".to_string(), gates)]);
}

fn clock_rates(flows: u64) {
    reach_125_mhz(
        ["smcc", "qcn"].map(|scheme| (format!("tidegate_rp of {scheme}, {flows} flows"), whole(scheme, flows))),
    );
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

/// What stands behind may compute its ready late in a cycle.
#[test]
#[ignore = "long: places and routes for minutes"]
fn a_late_ready_costs_no_more_than_a_register() {
    for ready in ["out_rdy", "tx_out_rdy_0"] {
        ready_is_as_fast_as_a_register("tidegate_rp of smcc, 4 flows", &whole("smcc", 4), ready);
    }
}

#[test]
#[ignore = "long: synthesizes for minutes"]
fn area_of_the_whole() {
    let wholes = [("qcn", 4), ("qcn", 64), ("smcc", 4), ("smcc", 64)];
    let mut modules: Vec<_> =
        wholes.map(|(scheme, flows)| (format!("{scheme}, {flows} flows"), whole(scheme, flows))).to_vec();
    modules.push(("receive filter".to_string(), Circuit::of::<ReceiveFilter>("receive_filter", &[]).netlist));
    modules.push(("transmit gates".to_string(), Circuit::of::<TransmitGates>("transmit_gates", &[]).netlist));
    areas(modules);
}
