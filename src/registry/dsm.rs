//! The row of DSM.

use super::{Family, Scheme, congestion_point, flow_reaction_point, reaction_point, reaction_point_circuit};
use crate::analysis;
use crate::model::Models;
use crate::rtl::circuit::Circuit;
use crate::rtl::congestion_point::DsmCongestionPoint;
use crate::rtl::congestion_point::feedback_dsm::DsmFeedback;
use crate::rtl::reaction_point::DsmReactionPoint;
use crate::rtl::reaction_point::calculator_dsm::{DsmCalculator, DsmStep};
use crate::rtl::reaction_point::flows::DsmFlows;
use crate::scheme::Part;
use crate::scheme::dsm::{CalculatorParameters, FeedbackParameters, KEYS, check};
use crate::scheme::parameters::Parameters;
use crate::scheme::ports::Ports;

pub const ROW: Scheme = Scheme {
    name: "dsm",
    title: "Delay-tolerant sliding mode congestion control",
    paper: "Cheng: Congestion Control in Converged Ethernet with Heterogeneous and Time-Varying Delays, \
            sections III and IV",
    frame: "F, a step of the rate: QOffset bits 31 to 16, QDelta 15 to 0; CPID",
    sends_quantized_feedback: false,
    parameters: KEYS,
    defaults: &[("line_rate_mbps", "10000"), ("sample_mode", "time")],
    profiles: &["paper"],
    check,
    analyze: analysis::dsm::analyze,
    circuit: |part, parameters| match part {
        Part::CongestionPoint => Circuit::of::<DsmCongestionPoint>("congestion_point", &[]),
        Part::ReactionPoint => reaction_point_circuit::<DsmReactionPoint, _>(parameters, DsmFlows::new),
    },
    blocks: |part, parameters| match part {
        Part::CongestionPoint => congestion_point(Circuit::of::<DsmFeedback>("feedback", &["quantized_feedback"])),
        Part::ReactionPoint => match parameters.rp_flows() {
            1 => reaction_point(Circuit::of::<DsmCalculator>("calculator", &[])),
            flows => flow_reaction_point(flows, Circuit::of::<DsmStep>("calculator", &[])),
        },
    },
    ports,
    family: Family::Ethernet(Models::DSM),
};

fn ports(parameters: &Parameters, part: Part) -> Vec<(String, u64)> {
    match part {
        Part::CongestionPoint => {
            FeedbackParameters::new(parameters).expect("checked when the parameters were made").values("")
        }
        Part::ReactionPoint => CalculatorParameters::new(parameters).values(""),
    }
}
