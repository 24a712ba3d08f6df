//! The row of DSM.

use super::{congestion_point, Family, Scheme};
use crate::analysis;
use crate::model::Models;
use crate::rtl::circuit::Circuit;
use crate::rtl::congestion_point::feedback_dsm::DsmFeedback;
use crate::rtl::congestion_point::DsmCongestionPoint;
use crate::rtl::reaction_point::calculator_dsm::DsmCalculator;
use crate::rtl::reaction_point::parser::Parser;
use crate::rtl::reaction_point::rate_limiter::RateLimiter;
use crate::rtl::reaction_point::DsmReactionPoint;
use crate::scheme::dsm::{check, FeedbackParameters, KEYS};
use crate::scheme::parameters::Parameters;
use crate::scheme::Part;

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
    circuit: |part, _| match part {
        Part::CongestionPoint => Circuit::of::<DsmCongestionPoint>("congestion_point", &[]),
        Part::ReactionPoint => Circuit::of::<DsmReactionPoint>("reaction_point", &[]),
    },
    blocks: |part, _| match part {
        Part::CongestionPoint => {
            congestion_point(Circuit::of::<DsmFeedback>("feedback", &["quantized_feedback", "interval_low"]))
        }
        Part::ReactionPoint => vec![
            Circuit::of::<Parser>("parser", &["quantized_feedback"]),
            Circuit::of::<DsmCalculator>("calculator", &[]),
            Circuit::of::<RateLimiter>("rate_limiter", &["grant_bytes"]),
        ],
    },
    ports,
    family: Family::Ethernet(Models::DSM),
};

fn feedback(parameters: &Parameters) -> FeedbackParameters {
    FeedbackParameters::new(parameters).expect("checked when the parameters were made")
}

fn ports(parameters: &Parameters, part: Part) -> Vec<(&'static str, u64)> {
    if part == Part::ReactionPoint {
        return Vec::new();
    }
    let feedback = feedback(parameters);
    vec![
        ("loop_delay", feedback.m.into()),
        ("omega", feedback.omega.into()),
        ("period_cycles", feedback.period.into()),
        ("gain_a", feedback.gain_a.into()),
        ("gain_b", feedback.gain_b.into()),
        ("gain_c", feedback.gain_c.into()),
        ("step_max", feedback.step_max.into()),
    ]
}
