//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports, and
//! area on the FPGAs of the NetFPGA-1G and of a board with a 7-series one.
//! Run with `cargo test --locked --test netfpga1g_cp -- --ignored --nocapture costs`.

use crate::cost::{area, cost};
use crate::world::made;
use tidegate::bus::queue_input::QueueInput;
use tidegate::rtl::bus::netfpga1g::tap::Tap;
use tidegate::rtl::circuit::Circuit;

/// The user data path has 125 MHz.
const TARGET: f64 = 125.0;

/// Prints the cost with each scheme, and then fails if one of them is too slow.
fn cost_of_the_whole(schemes: &[&str], queues: QueueInput) {
    let slowest = schemes.iter().map(|scheme| {
        let (name, netlist) = (format!("tidegate_cp of {scheme}, {queues:?}"), made(scheme, &[], queues).netlist);
        area(&name, &netlist);
        let slowest = cost(&name, &netlist);
        (name, slowest)
    });
    let slow: Vec<_> = slowest.filter(|(_, slowest)| *slowest < TARGET).collect();
    assert!(slow.is_empty(), "MHz: {slow:?}");
}

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_the_tap() {
    let slowest = cost("tap", &Circuit::of::<Tap>("tap", &[]).netlist);
    assert!(slowest >= TARGET, "{slowest} MHz");
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
