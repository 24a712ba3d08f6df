// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of InfiniBand.

pub(crate) mod claims;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{KEYS, MarkingMode, SourceParameters, SwitchParameters, check, marking, ports, response, table_of};
use crate::registry::{Family, Scheme};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::Ports;
use tidegate_circuits::response::Response;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::infiniband::calculator::{LipdCalculator, ShiftCalculator, TableCalculator};
use tidegate_circuits::rtl::infiniband::input_buffer::{InputBuffer2, InputBuffer4, InputBuffer8};
use tidegate_circuits::rtl::infiniband::inter_packet_delay::InterPacketDelay;
use tidegate_circuits::rtl::infiniband::marking::{
    Marking2, Marking4, Marking8, NaiveMarking2, NaiveMarking4, NaiveMarking8,
};
use tidegate_circuits::rtl::infiniband::naive_marker::{NaiveMarker2, NaiveMarker4, NaiveMarker8};
use tidegate_circuits::rtl::infiniband::output_marker::{OutputMarker2, OutputMarker4, OutputMarker8};
use tidegate_circuits::rtl::infiniband::response_lipd::LipdResponse;
use tidegate_circuits::rtl::infiniband::response_shift::ShiftResponse;
use tidegate_circuits::rtl::infiniband::response_table::TableResponse;
use tidegate_circuits::rtl::infiniband::source::{LipdSource, ShiftSource, TableSource};
use tidegate_hdl::module::Module;

pub const ROW: Scheme = Scheme {
    name: "infiniband",
    number: 6,
    title: "End-to-end congestion control for InfiniBand",
    paper: "Santos 2002: End-to-End Congestion Control for InfiniBand, sections IV and V; older than the congestion \
            control of the InfiniBand standard (threshold, marking rate, CCT)",
    frame: "a mark bit in the packet, returned in its ACK",
    sends_quantized_feedback: false,
    parameters: KEYS,
    defaults: &[],
    profiles: &["paper"],
    check,
    analyze: theory::analyze,
    reference: reference::of,
    claims: claims::CLAIMS,
    mistakes: claims::MISTAKES,
    mutations: claims::MUTATIONS,
    circuit,
    blocks,
    other_calculators: &[],
    ports: |parameters, part| match part {
        Part::CongestionPoint => SwitchParameters::new(parameters).ports(""),
        Part::ReactionPoint => SourceParameters::new(parameters).ports(""),
    },
    rules: &[],
    family: Family::InfiniBand,
};

/// Settings that make other modules: naive marking, and the other responses, one of them with an m that is no power of
/// two. `testbenches/marking` has other numbers of ports, `testbenches/source_infiniband` other values of m and R_min.
pub const VARIANTS: &[&[(&str, &str)]] = &[
    &[("marking", "naive")],
    &[("response", "fimd")],
    &[("response", "aimd")],
    &[("response", "aimd"), ("decrease_factor", "3"), ("rate_steps", "100")],
];

/// The whole switch with all ports, or the source of one flow.
fn circuit(part: Part, parameters: &Parameters) -> Circuit {
    if part == Part::ReactionPoint {
        return source(parameters);
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
        return vec![calculator(parameters), Circuit::of::<InterPacketDelay>("inter_packet_delay", &[])];
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

/// The source of one flow. LIPD needs no table, and a division by a power of two is a shift.
fn source(parameters: &Parameters) -> Circuit {
    let (factor, steps) = table_of(parameters);
    match response(parameters) {
        Response::Lipd => made("reaction_point", parameters, move || LipdSource::new(LipdResponse::new(steps))),
        of if factor.is_power_of_two() => {
            made("reaction_point", parameters, move || ShiftSource::new(ShiftResponse::new(of, factor, steps)))
        }
        of => made("reaction_point", parameters, move || TableSource::new(TableResponse::new(of, factor, steps))),
    }
}

/// The calculator of [`source`].
fn calculator(parameters: &Parameters) -> Circuit {
    let (factor, steps) = table_of(parameters);
    match response(parameters) {
        Response::Lipd => made("calculator", parameters, move || LipdCalculator::new(LipdResponse::new(steps))),
        of if factor.is_power_of_two() => {
            made("calculator", parameters, move || ShiftCalculator::new(ShiftResponse::new(of, factor, steps)))
        }
        of => made("calculator", parameters, move || TableCalculator::new(TableResponse::new(of, factor, steps))),
    }
}

/// A circuit for the response, m and R_min of these parameters. The number of a response is its place in
/// [`RESPONSES`](tidegate_circuits::response::RESPONSES).
fn made<C: Module>(
    block: &'static str,
    parameters: &Parameters,
    make: impl Fn() -> C + Send + Sync + 'static,
) -> Circuit {
    let (factor, steps) = table_of(parameters);
    let values = [response(parameters) as u32, factor, steps].map(u64::from);
    let keys = ["response", "decrease_factor", "rate_steps"];
    Circuit::generated(block, &[], keys.into_iter().zip(values).collect(), make)
}
