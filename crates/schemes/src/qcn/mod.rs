// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of QCN.

pub(crate) mod claims;
pub mod flow_stages;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{CalculatorParameters, FeedbackParameters, KEYS, RULES, check};
use crate::model::Models;
use crate::registry::{
    Family, OtherCalculator, Scheme, congestion_point, congestion_point_blocks, congestion_point_of,
    flow_reaction_point_of, of_flows, reaction_point_circuit, reaction_point_of,
};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::{Port, Ports};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::qcn::calculator::{QcnCalculator, QcnStep};
use tidegate_circuits::rtl::qcn::feedback::QcnFeedback;
use tidegate_circuits::rtl::qcn::flow_stages::FlowStages;
use tidegate_circuits::rtl::qcn::wide::{QcnCalculatorWide, QcnCalculatorWideSet};
use tidegate_circuits::rtl::qcn::{QcnCongestionPoint, QcnFlows, QcnReactionPoint, congestion_points};
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;

/// Outputs of the parser that the calculator does not read, and those that only count frames.
const UNREAD: [&str; 16] = [
    "q_offset_units",
    "q_delta_units",
    "has_flow_id",
    "flow_id",
    "same_point",
    "frame_start",
    "frame_flow",
    "frame_cpid_high",
    "frame_cpid_low",
    "frame_cpid_high_valid",
    "frame_cpid_low_valid",
    "frame_taken",
    "frame_malformed",
    "frame_refused",
    "frame_elsewhere",
    "frame_dropped",
];

/// The same of a reaction point of many flows.
const UNREAD_OF_FLOWS: [&str; 12] = [
    "q_offset_units",
    "q_delta_units",
    "same_point",
    "frame_cpid_high",
    "frame_cpid_low",
    "frame_cpid_high_valid",
    "frame_cpid_low_valid",
    "frame_taken",
    "frame_malformed",
    "frame_refused",
    "frame_elsewhere",
    "frame_dropped",
];

/// Outputs of the calculator that only a trace shows.
const UNREAD_OF_CALCULATOR: [&str; 3] = ["target_rate", "byte_stage", "time_stage"];

pub(crate) const ROW: Scheme = Scheme {
    name: "qcn",
    number: 1,
    title: "Quantized congestion notification",
    paper: "Jiang 2015b: Sliding Mode Congestion Control for Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase \
            Plane Analysis of Quantized Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses \
            30 to 33",
    frame: "QntzFb (6 bits) where Fb < 0, QOffset, QDelta",
    sends_quantized_feedback: true,
    parameters: KEYS,
    defaults: &[],
    profiles: &["paper", "8021q"],
    check,
    analyze: theory::analyze,
    reference: reference::of,
    claims: claims::CLAIMS,
    mistakes: claims::MISTAKES,
    mutations: claims::MUTATIONS,
    circuit: |part, parameters| match part {
        Part::CongestionPoint => congestion_point_of::<QcnCongestionPoint>(parameters, congestion_points),
        Part::ReactionPoint => reaction_point_circuit::<QcnReactionPoint, _>(parameters, QcnFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => {
            let whole = || congestion_point_of::<QcnCongestionPoint>(parameters, congestion_points);
            congestion_point_blocks(parameters, whole, || congestion_point(Circuit::of::<QcnFeedback>("feedback", &[])))
        }
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point_of(Circuit::of::<QcnCalculator>("calculator", &UNREAD_OF_CALCULATOR), &UNREAD),
            flows => flow_reaction_point_of(
                flows,
                &UNREAD_OF_FLOWS,
                of_flows("flow_stages", &[], flows, FlowStages::new),
                Circuit::of::<QcnStep>("calculator", &[]),
                FlowLimiter::without_modes,
            ),
        },
    },
    other_calculators: &[
        OtherCalculator {
            name: "wide",
            circuit: || Circuit::of::<QcnCalculatorWide>("calculator_wide", &UNREAD_OF_CALCULATOR),
        },
        OtherCalculator {
            name: "wide-set",
            circuit: || Circuit::of::<QcnCalculatorWideSet>("calculator_wide_set", &UNREAD_OF_CALCULATOR),
        },
    ],
    ports,
    rules: RULES,
    family: Family::Ethernet(Models::QCN),
};

fn ports(parameters: &Parameters, part: Part) -> Vec<Port> {
    match part {
        Part::CongestionPoint => FeedbackParameters::new(parameters).ports(""),
        Part::ReactionPoint => CalculatorParameters::new(parameters).ports(""),
    }
}
