//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports.
//! Run with `cargo test --locked --test netfpga1g_cp -- --ignored --nocapture costs`.

use crate::cost::cost;
use crate::world::made;
use tidegate::rtl::bus::netfpga1g::tap::Tap;
use tidegate::rtl::circuit::Circuit;

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_the_tap() {
    let slowest = cost("tap", &Circuit::of::<Tap>("tap", &[]).netlist);
    assert!(slowest >= 125.0, "{slowest} MHz: the user data path has 125 MHz");
}

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_the_whole() {
    for scheme in ["qcn", "smcc"] {
        cost(&format!("tidegate_cp of {scheme}"), &made(scheme, &[]).netlist);
    }
}
