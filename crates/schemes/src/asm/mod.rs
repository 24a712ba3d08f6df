// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of ASM.

pub(crate) mod claims;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{CalculatorParameters, KEYS, Quantiser, check};
use crate::model::Models;
use crate::registry::{
    Family, Scheme, congestion_point, congestion_point_blocks, congestion_point_of, flow_reaction_point,
    reaction_point, reaction_point_circuit,
};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::{Port, Ports};
use crate::scheme::sampling_exception::ExceptionParameters;
use tidegate_circuits::rtl::asm::calculator::AsmStep;
use tidegate_circuits::rtl::asm::feedback::AsmFeedback;
use tidegate_circuits::rtl::asm::{AsmCalculator, AsmCongestionPoint, AsmFlows, AsmReactionPoint, congestion_points};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::congestion_point::sampling_exception::SamplingException;
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;

pub(crate) const ROW: Scheme = Scheme {
    name: "asm",
    number: 4,
    title: "Adaptive sliding mode congestion control",
    paper: "Jiang 2014: Scale Congestion Control to Ultra-High Speed Ethernet, section 4",
    frame: "QOffset and QDelta, both signs, quantised, CPID",
    sends_quantized_feedback: false,
    parameters: KEYS,
    defaults: &[("w", "32")],
    profiles: &["paper"],
    check,
    analyze: theory::analyze,
    reference: reference::of,
    claims: claims::CLAIMS,
    mistakes: claims::MISTAKES,
    mutations: claims::MUTATIONS,
    circuit: |part, parameters| match part {
        Part::CongestionPoint => congestion_point_of::<AsmCongestionPoint>(parameters, congestion_points),
        Part::ReactionPoint => reaction_point_circuit::<AsmReactionPoint, _>(parameters, AsmFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => {
            let whole = || congestion_point_of::<AsmCongestionPoint>(parameters, congestion_points);
            congestion_point_blocks(parameters, whole, || {
                let mut blocks = congestion_point(Circuit::of::<AsmFeedback>("feedback", &["quantized_feedback"]));
                blocks.insert(1, Circuit::of::<SamplingException>("sampling_exception", &[]));
                blocks
            })
        }
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point(Circuit::of::<AsmCalculator>("calculator", &[])),
            flows => flow_reaction_point(flows, Circuit::of::<AsmStep>("calculator", &[]), FlowLimiter::new),
        },
    },
    other_calculators: &[],
    ports,
    rules: &[],
    family: Family::Ethernet(Models::ASM),
};

fn ports(parameters: &Parameters, part: Part) -> Vec<Port> {
    match part {
        Part::CongestionPoint => {
            let mut ports = Quantiser::new(parameters).ports("quantiser");
            ports.extend(ExceptionParameters::new(parameters).ports("exception"));
            ports
        }
        Part::ReactionPoint => CalculatorParameters::new(parameters).ports(""),
    }
}
