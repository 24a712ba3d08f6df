//! What the module costs, and how fast it can be clocked, on an ECP5 with flip-flops at its ports. Run with
//! `cargo test --locked --test axis_tap -- --ignored --nocapture cost`.

use crate::cost::{area, cost};
use crate::world::made;
use tidegate::bus::width::Width;

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_256_bits() {
    let slowest = cost("smcc, 256 bits", &made("smcc", &[], Width::W256).netlist);
    assert!(slowest >= 125.0, "{slowest} MHz");
}

#[test]
#[ignore = "synthesizes for minutes"]
fn area_in_each_family() {
    for scheme in ["qcn", "smcc"] {
        area(&format!("{scheme}, 256 bits"), &made(scheme, &[], Width::W256).netlist);
    }
}
