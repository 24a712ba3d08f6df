//! The row of InfiniBand.

use super::{Family, Scheme};
use crate::analysis;
use crate::rtl::circuit::Circuit;
use crate::rtl::congestion_point::input_buffer::{InputBuffer2, InputBuffer4, InputBuffer8};
use crate::rtl::congestion_point::marking::{
    Marking2, Marking4, Marking8, NaiveMarking2, NaiveMarking4, NaiveMarking8,
};
use crate::rtl::congestion_point::naive_marker::{NaiveMarker2, NaiveMarker4, NaiveMarker8};
use crate::rtl::congestion_point::output_marker::{OutputMarker2, OutputMarker4, OutputMarker8};
use crate::rtl::reaction_point::calculator_infiniband::InfiniBandCalculator;
use crate::rtl::reaction_point::inter_packet_delay::InterPacketDelay;
use crate::rtl::reaction_point::source_infiniband::InfiniBandSource;
use crate::scheme::Part;
use crate::scheme::infiniband::{KEYS, MarkingMode, check, marking, packet_cycles, ports, response, table_of};
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::Ports;

pub const ROW: Scheme = Scheme {
    name: "infiniband",
    title: "End-to-end congestion control for InfiniBand",
    paper: "Santos 2002: End-to-End Congestion Control for InfiniBand, sections IV and V; older than the congestion \
            control of the InfiniBand standard (threshold, marking rate, CCT)",
    frame: "a mark bit in the packet, returned in its ACK",
    sends_quantized_feedback: false,
    parameters: KEYS,
    defaults: &[],
    profiles: &["paper"],
    check,
    analyze: analysis::infiniband::analyze,
    circuit,
    blocks,
    ports: |parameters, part| match part {
        Part::CongestionPoint => (parameters.integer("buffer_packets") as u32).values("buffer_packets"),
        Part::ReactionPoint => [
            (packet_cycles(parameters) as u32).values("packet_cycles"),
            (response(parameters) as u32).values("response"),
            parameters.flag("persistent").values("persistent"),
        ]
        .concat(),
    },
    family: Family::InfiniBand,
};

/// Settings that make other modules: naive marking, and tables for other values of m and R_min. `testbenches/marking`
/// has other numbers of ports.
pub const VARIANTS: &[&[(&str, &str)]] = &[&[("marking", "naive")], &[("decrease_factor", "3"), ("rate_steps", "100")]];

/// The whole switch with all ports, or the source of one flow.
fn circuit(part: Part, parameters: &Parameters) -> Circuit {
    if part == Part::ReactionPoint {
        let (factor, steps) = table_of(parameters);
        let source = move || InfiniBandSource::new(factor, steps);
        return Circuit::generated("reaction_point", &[], generated(parameters), source);
    }
    let block = "congestion_point";
    match (marking(parameters), ports(parameters)) {
        (MarkingMode::Counters, 2) => Circuit::of::<Marking2>(block, &[]),
        (MarkingMode::Counters, 4) => Circuit::of::<Marking4>(block, &[]),
        (MarkingMode::Counters, _) => Circuit::of::<Marking8>(block, &[]),
        (MarkingMode::Naive, 2) => Circuit::of::<NaiveMarking2>(block, &[]),
        (MarkingMode::Naive, 4) => Circuit::of::<NaiveMarking4>(block, &[]),
        (MarkingMode::Naive, _) => Circuit::of::<NaiveMarking8>(block, &[]),
    }
}

/// The blocks of one port of the switch, which has one of each per port; or the blocks of the source.
fn blocks(part: Part, parameters: &Parameters) -> Vec<Circuit> {
    if part == Part::ReactionPoint {
        let (factor, steps) = table_of(parameters);
        let calculator = move || InfiniBandCalculator::new(factor, steps);
        return vec![
            Circuit::generated("calculator", &[], generated(parameters), calculator),
            Circuit::of::<InterPacketDelay>("inter_packet_delay", &[]),
        ];
    }
    let waiting: &'static [&'static str] = match (marking(parameters), ports(parameters)) {
        (MarkingMode::Naive, _) => &["entering"],
        (MarkingMode::Counters, 2) => &["waiting_0", "waiting_1"],
        (MarkingMode::Counters, 4) => &["waiting_0", "waiting_1", "waiting_2", "waiting_3"],
        (MarkingMode::Counters, _) => {
            &["waiting_0", "waiting_1", "waiting_2", "waiting_3", "waiting_4", "waiting_5", "waiting_6", "waiting_7"]
        }
    };
    let buffer = match ports(parameters) {
        2 => Circuit::of::<InputBuffer2>("input_buffer", waiting),
        4 => Circuit::of::<InputBuffer4>("input_buffer", waiting),
        _ => Circuit::of::<InputBuffer8>("input_buffer", waiting),
    };
    let marker = match (marking(parameters), ports(parameters)) {
        (MarkingMode::Counters, 2) => Circuit::of::<OutputMarker2>("output_marker", &[]),
        (MarkingMode::Counters, 4) => Circuit::of::<OutputMarker4>("output_marker", &[]),
        (MarkingMode::Counters, _) => Circuit::of::<OutputMarker8>("output_marker", &[]),
        (MarkingMode::Naive, 2) => Circuit::of::<NaiveMarker2>("naive_marker", &[]),
        (MarkingMode::Naive, 4) => Circuit::of::<NaiveMarker4>("naive_marker", &[]),
        (MarkingMode::Naive, _) => Circuit::of::<NaiveMarker8>("naive_marker", &[]),
    };
    vec![buffer, marker]
}

/// The keys, with their values, for which the look-up table of a source is computed.
fn generated(parameters: &Parameters) -> Vec<(&'static str, u64)> {
    ["decrease_factor", "rate_steps"].map(|key| (key, parameters.integer(key))).to_vec()
}
