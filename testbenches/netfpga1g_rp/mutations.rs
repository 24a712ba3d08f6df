// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench sees a mistake: each statement of what stands in the paths is left out once.

use crate::netfpga1g_rp::lanes::Departures;
use crate::netfpga1g_rp::world::{Case, World, made};
use crate::netfpga1g_rp::{SMCC, tokens};
use tidegate::bus::rp::ReactionPoint;
use tidegate_testing::broken::{each_statement_is_needed, fails};
use tidegate_testing::stimulus::Pattern;

const MODULES: [&str; 9] = [
    "hold_queue",
    "feedback_finder",
    "netfpga1g_receive_filter",
    "outgoing_fields",
    "packet_payment",
    "tag_inserter",
    "transmit_gate",
    "gate_turns",
    "token_increments",
];

/// The flow of a packet is that of its gate, of its CN-TAG, of its source and of its destination.
const CASES: [Case; 4] =
    [with(0, Pattern::Always), with(1, Pattern::Bursts(60)), with(2, SLOW), with(3, Pattern::Always)];
const SLOW: Pattern = Pattern::Random(15);

const fn with(flow_source: u64, sink: Pattern) -> Case {
    let rules = Departures { flow_source, sink, tags: flow_source > 1, source: SMCC.rules.source, ..SMCC.rules };
    Case { packets: 300, departures: 12, rules, sink, seed: flow_source, ..SMCC }
}

#[test]
#[ignore = "long: a run of the bench for each statement"]
fn what_lacks_one_of_its_statements_is_found() {
    let ReactionPoint { netlist, registers } = made(&SMCC);
    each_statement_is_needed(&netlist, &MODULES, 60, &super::proof::proofs(), |netlist| {
        let made = || ReactionPoint { netlist: netlist.clone(), registers: registers.clone() };
        fails(|| tokens::are_rate_times_interval(netlist))
            || CASES.iter().any(|&case| fails(|| World::with(case, made()).run()))
    });
}
