// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of BCN.

pub(crate) mod claims;
pub mod flow_stops;
pub mod model;
pub(crate) mod reference;
pub mod rule;
pub(crate) mod theory;

use self::rule::{CalculatorParameters, FeedbackParameters, KEYS, check};
use crate::model::Models;
use crate::registry::{
    Family, Scheme, congestion_point, congestion_point_blocks, congestion_point_of, flow_reaction_point, of_flows,
    reaction_point, reaction_point_circuit,
};
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::{Port, Ports};
use tidegate_circuits::rtl::bcn::calculator::{BcnCalculator, BcnStep};
use tidegate_circuits::rtl::bcn::feedback::BcnFeedback;
use tidegate_circuits::rtl::bcn::flow_stops::FlowStops;
use tidegate_circuits::rtl::bcn::{BcnCongestionPoint, BcnFlows, BcnReactionPoint, congestion_points};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;

pub(crate) const ROW: Scheme = Scheme {
    name: "bcn",
    number: 2,
    title: "Backward congestion notification",
    paper: "Jiang 2015b: Sliding Mode Congestion Control for Data Center Ethernet Networks, section 2.2",
    frame: "QOffset and QDelta, both signs, CPID; both 0 = stop",
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
        Part::CongestionPoint => congestion_point_of::<BcnCongestionPoint>(parameters, congestion_points),
        Part::ReactionPoint => reaction_point_circuit::<BcnReactionPoint, _>(parameters, BcnFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => {
            let whole = || congestion_point_of::<BcnCongestionPoint>(parameters, congestion_points);
            congestion_point_blocks(parameters, whole, || {
                congestion_point(Circuit::of::<BcnFeedback>("feedback", &["quantized_feedback"]))
            })
        }
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point(Circuit::of::<BcnCalculator>("calculator", &[])),
            flows => {
                let mut blocks = flow_reaction_point(
                    flows,
                    Circuit::of::<BcnStep>("calculator", &["idle"]),
                    FlowLimiter::without_modes,
                );
                blocks.push(of_flows("flow_stops", &[], flows, FlowStops::new));
                blocks
            }
        },
    },
    other_calculators: &[],
    ports,
    rules: &[],
    family: Family::Ethernet(Models::BCN),
};

fn ports(parameters: &Parameters, part: Part) -> Vec<Port> {
    match part {
        Part::CongestionPoint => FeedbackParameters::new(parameters).ports(""),
        Part::ReactionPoint => CalculatorParameters::new(parameters).ports(""),
    }
}
