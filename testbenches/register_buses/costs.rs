// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a bus of registers costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports.
//! Run with `cargo test --release --locked --test testbenches -- --ignored --nocapture register_buses::costs`.

use super::registers;
use tidegate::bus::register_bus::{RegisterBus, on_bus};
use tidegate::scheme::Part;
use tidegate_testing::cost::{cost, reach_125_mhz};

#[test]
#[ignore = "long: places and routes for minutes"]
fn cost_of_the_buses() {
    reach_125_mhz([RegisterBus::Axi4Lite, RegisterBus::Ring].map(|bus| {
        let adapter = bus.adapter();
        (adapter.block.to_string(), adapter.netlist)
    }));
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        for bus in [RegisterBus::Axi4Lite, RegisterBus::Ring] {
            let registers = registers(part, bus);
            cost(&format!("registers of the {} with {bus:?}", part.title()), &on_bus(&registers, bus));
        }
    }
}
