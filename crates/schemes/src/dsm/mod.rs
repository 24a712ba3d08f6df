// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of DSM.

pub(crate) mod claims;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{CalculatorParameters, FeedbackParameters, KEYS, check};
use crate::model::Models;
use crate::registry::{
    Family, Scheme, congestion_point, congestion_point_blocks, congestion_point_of, flow_reaction_point,
    reaction_point, reaction_point_circuit,
};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::{Port, Ports};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::dsm::calculator::DsmStep;
use tidegate_circuits::rtl::dsm::feedback::DsmFeedback;
use tidegate_circuits::rtl::dsm::{DsmCalculator, DsmCongestionPoint, DsmFlows, DsmReactionPoint, congestion_points};
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;

pub(crate) const ROW: Scheme = Scheme {
    name: "dsm",
    number: 5,
    title: "Delay-tolerant sliding mode congestion control",
    paper: "Cheng: Congestion Control in Converged Ethernet with Heterogeneous and Time-Varying Delays, \
            sections III and IV",
    frame: "F, a step of the rate: QOffset bits 31 to 16, QDelta 15 to 0; CPID",
    sends_quantized_feedback: false,
    parameters: KEYS,
    defaults: &[("line_rate_mbps", "10000"), ("sample_mode", "time")],
    profiles: &["paper"],
    check,
    analyze: theory::analyze,
    reference: reference::of,
    claims: claims::CLAIMS,
    mistakes: claims::MISTAKES,
    mutations: claims::MUTATIONS,
    circuit: |part, parameters| match part {
        Part::CongestionPoint => whole(parameters),
        Part::ReactionPoint => reaction_point_circuit::<DsmReactionPoint, _>(parameters, DsmFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => {
            let blocks = || congestion_point(Circuit::of::<DsmFeedback>("feedback", &["quantized_feedback"]));
            congestion_point_blocks(parameters, || whole(parameters), blocks)
        }
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point(Circuit::of::<DsmCalculator>("calculator", &[])),
            flows => flow_reaction_point(flows, Circuit::of::<DsmStep>("calculator", &[]), FlowLimiter::without_modes),
        },
    },
    other_calculators: &[],
    ports,
    rules: &[],
    family: Family::Ethernet(Models::DSM),
};

fn whole(parameters: &Parameters) -> Circuit {
    congestion_point_of::<DsmCongestionPoint>(parameters, congestion_points)
}

fn ports(parameters: &Parameters, part: Part) -> Vec<Port> {
    match part {
        Part::CongestionPoint => FeedbackParameters::new(parameters).ports(""),
        Part::ReactionPoint => CalculatorParameters::new(parameters).ports(""),
    }
}
