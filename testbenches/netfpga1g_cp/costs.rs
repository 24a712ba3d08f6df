//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports, and
//! area on the FPGAs of the NetFPGA-1G and of a board with a 7-series one.
//! Run with `cargo test --locked --test netfpga1g_cp -- --ignored --nocapture costs`.

use crate::cost::{area, reach_125_mhz};
use crate::world::made;
use tidegate::bus::queue_input::QueueInput;
use tidegate::rtl::bus::netfpga1g::tap::Tap;
use tidegate::rtl::circuit::Circuit;

/// Prints the cost with each scheme, and then fails if one of them is too slow: the user data path has 125 MHz.
fn cost_of_the_whole(schemes: &[&str], queues: QueueInput) {
    reach_125_mhz(schemes.iter().map(|scheme| {
        let (name, netlist) = (format!("tidegate_cp of {scheme}, {queues:?}"), made(scheme, &[], queues).netlist);
        area(&name, &netlist);
        (name, netlist)
    }));
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_the_tap() {
    reach_125_mhz([("tap".to_string(), Circuit::of::<Tap>("tap", &[]).netlist)]);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_with_events() {
    cost_of_the_whole(&["qcn", "smcc", "bcn", "asm", "dsm"], QueueInput::Events);
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_with_levels() {
    cost_of_the_whole(&["qcn", "smcc"], QueueInput::Level);
}
