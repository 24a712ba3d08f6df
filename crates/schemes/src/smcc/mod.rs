// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of SMCC.

pub(crate) mod claims;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{CalculatorParameters, KEYS, check};
use crate::model::Models;
use crate::registry::{
    Family, OtherCalculator, Scheme, congestion_point, congestion_point_blocks, congestion_point_of,
    flow_reaction_point, reaction_point, reaction_point_circuit,
};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::{Port, Ports};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;
use tidegate_circuits::rtl::smcc::at_once::SmccCalculatorAtOnce;
use tidegate_circuits::rtl::smcc::calculator::SmccStep;
use tidegate_circuits::rtl::smcc::feedback::SmccFeedback;
use tidegate_circuits::rtl::smcc::{
    SmccCalculator, SmccCongestionPoint, SmccFlows, SmccReactionPoint, congestion_points,
};

pub(crate) const ROW: Scheme = Scheme {
    name: "smcc",
    number: 3,
    title: "Sliding mode congestion control",
    paper: "Jiang 2015b: Sliding Mode Congestion Control for Data Center Ethernet Networks, section 4",
    frame: "QOffset and QDelta, both signs, CPID",
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
    circuit: |part, parameters| match part {
        Part::CongestionPoint => congestion_point_of::<SmccCongestionPoint>(parameters, congestion_points),
        Part::ReactionPoint => reaction_point_circuit::<SmccReactionPoint, _>(parameters, SmccFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => {
            let whole = || congestion_point_of::<SmccCongestionPoint>(parameters, congestion_points);
            congestion_point_blocks(parameters, whole, || {
                congestion_point(Circuit::of::<SmccFeedback>("feedback", &["quantized_feedback"]))
            })
        }
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point(Circuit::of::<SmccCalculator>("calculator", &[])),
            flows => flow_reaction_point(flows, Circuit::of::<SmccStep>("calculator", &[]), FlowLimiter::new),
        },
    },
    other_calculators: &[OtherCalculator {
        name: "at-once",
        circuit: || Circuit::of::<SmccCalculatorAtOnce>("calculator_at_once", &[]),
    }],
    ports,
    rules: &[],
    family: Family::Ethernet(Models::SMCC),
};

fn ports(parameters: &Parameters, part: Part) -> Vec<Port> {
    match part {
        Part::CongestionPoint => Vec::new(),
        Part::ReactionPoint => CalculatorParameters::new(parameters).ports(""),
    }
}
