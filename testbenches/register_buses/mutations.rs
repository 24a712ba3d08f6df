// SPDX-License-Identifier: MIT OR Apache-2.0
//! The benches see a mistake: each statement of what connects a register file to a bus is left out once,
//! and each operator and number is changed once.

use super::axi4_lite::{ONLY_READS, ONLY_WRITES};
use super::{axi4_lite, registers, ring};
use tidegate::bus::register_bus::{RegisterBus, on_bus};
use tidegate::scheme::Part;
use tidegate_testing::broken::{each_operator_and_number_is_needed, each_statement_is_needed, fails};
use tidegate_testing::stimulus::Pattern;

const CYCLES: u64 = 20_000;

#[test]
fn a_mistake_in_axi4_lite_is_found() {
    let registers = registers(Part::CongestionPoint, RegisterBus::Axi4Lite);
    let netlist = on_bus(&registers, RegisterBus::Axi4Lite);
    let (all, seldom) = ([Pattern::Random(50); 5], [Pattern::Random(5); 5]);
    let patterns = [all, seldom, ONLY_WRITES, ONLY_READS];
    let found = |netlist: &_| {
        patterns.iter().any(|&patterns| fails(|| axi4_lite::run(&registers, netlist, patterns, CYCLES, 1)))
    };
    each_statement_is_needed(&netlist, &["axi4_lite"], 5, &[], found);
    each_operator_and_number_is_needed(&netlist, &["axi4_lite"], &[], &[], found);
}

#[test]
fn a_mistake_in_the_register_ring_is_found() {
    let registers = registers(Part::ReactionPoint, RegisterBus::Ring);
    let netlist = on_bus(&registers, RegisterBus::Ring);
    let patterns = [50, 5].map(Pattern::Random);
    let found =
        |netlist: &_| patterns.iter().any(|&requests| fails(|| ring::run(&registers, netlist, requests, CYCLES, 1)));
    each_statement_is_needed(&netlist, &["register_ring"], 5, &[], found);
    each_operator_and_number_is_needed(&netlist, &["register_ring"], &[], &[], found);
}
