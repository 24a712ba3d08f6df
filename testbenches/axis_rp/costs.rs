//! What the module costs, and how fast it can be clocked: area in three families, and clock rate on an ECP5 with flip-flops
//! at its ports. Run with `cargo test --locked --test axis_rp -- --ignored --nocapture costs`.

use crate::areas::areas;
use crate::cost::cost;
use crate::receive_frames::Rule;
use crate::world::{Case, made};
use crate::{RULE, SMCC};
use tidegate::netlist::Netlist;
use tidegate::rtl::bus::axis64::{axis_receive_filter::AxisReceiveFilter, axis_transmit_gate::AxisTransmitGate};
use tidegate::rtl::circuit::Circuit;

fn whole(scheme: &'static str, flows: u64) -> Netlist {
    made(&Case { scheme, flows, rule: Rule { flow_mask: flows - 1, ..RULE }, ..SMCC }).netlist
}

#[test]
#[ignore = "places and routes for minutes"]
fn clock_rate_of_what_stands_in_the_paths() {
    let filter = cost("receive filter", &Circuit::of::<AxisReceiveFilter>("receive_filter", &[]).netlist);
    let gate = cost("transmit gate", &Circuit::of::<AxisTransmitGate>("transmit_gate", &[]).netlist);
    assert!(filter.min(gate) >= 125.0, "{filter} and {gate} MHz");
}

#[test]
#[ignore = "synthesizes for minutes"]
fn area_of_the_whole() {
    let wholes = [("qcn", 1), ("smcc", 1), ("smcc", 4), ("smcc", 64)];
    let modules = wholes.map(|(scheme, flows)| (format!("{scheme}, {flows} flows"), whole(scheme, flows)));
    areas(&modules);
}
