// SPDX-License-Identifier: MIT OR Apache-2.0
//! The benches of the switch see a mistake: each statement of its own modules is left out once.

use super::against_python::{Traffic, agree};
use super::{control, frame_turns, generator, has_its_registers, line_rate, made, register_split, table};
use tidegate::switch::core::Core;
use tidegate_testing::broken::{each_statement_is_needed, fails};

const PORTS: usize = 4;

#[test]
#[ignore = "long: runs of the benches for each statement"]
fn a_switch_without_one_of_its_statements_is_found() {
    // QCN sends nothing without congestion.
    let whole = made("qcn", PORTS, &control::SETTINGS);
    let traffic = Traffic::new(1500, 3);
    let modules = [
        "switch_address_table",
        "switch_forwarding",
        "switch_frame_turns",
        "switch_register_split",
        "switch_traffic_generator",
    ];
    each_statement_is_needed(&whole.netlist, &modules, 70, &[], |netlist| {
        let core = Core { netlist: netlist.clone(), registers: whole.registers.clone(), clock_mhz: whole.clock_mhz };
        fails(|| frame_turns::are_fair(netlist, 20_000))
            || fails(|| register_split::each_access_has_its_answer(netlist, 1000))
            || fails(|| has_its_registers(&core, PORTS))
            || fails(|| table::is_new_after_a_reset(&core, PORTS))
            || fails(|| generator::makes_its_frames(&core, PORTS))
            || fails(|| table::follows(&core, PORTS))
            || fails(|| agree(&core, &traffic))
            || fails(|| table::forgets(&core, PORTS, &[0, 12_000]))
            || fails(|| line_rate::all_send(&core, PORTS, 200, &[60, 61, 67, 1514]))
            || fails(|| control::overloaded(&core, PORTS))
    });
}
