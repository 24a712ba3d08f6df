// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC with the latencies of its circuits.

use crate::model::flow_calculator::FlowCalculator;
use crate::model::step::{StepLatency, StepModel};
use crate::model::{AnyCalculator, Fate, FeedbackModel, Fields};
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::parameters::Parameters;
use crate::smcc::rule::{CalculatorParameters, ReactionPoint};

/// Of a feedback: 16 cycles to multiply, one to limit the step and one to apply it.
pub(crate) const STEP_LATENCY: StepLatency = StepLatency { taken: 18, shown: 1 };

/// Every sample is sent, at once.
pub struct FeedbackBlock;

impl FeedbackModel for FeedbackBlock {
    fn sample(&mut self, q_offset: i32, q_delta: i32, _controlled: bool) -> Fate {
        Fate { latency: 0, send: Some(Fields::of_sample(0, q_offset, q_delta).into()), interval: None }
    }
}

/// Each feedback is a step of the rate.
pub type CalculatorBlock = StepModel<ReactionPoint>;

/// The feedback block.
pub(crate) fn feedback(_parameters: &Parameters) -> FeedbackBlock {
    FeedbackBlock
}

/// The calculator; it has no random source.
pub fn calculator(parameters: &Parameters, _seed: u16) -> CalculatorBlock {
    let calculator = CalculatorParameters::new(parameters);
    StepModel::new(ReactionPoint::new(calculator, CpidParameters::new(parameters)), STEP_LATENCY)
}

/// The calculators of many flows.
pub(crate) fn flows(parameters: &Parameters) -> FlowCalculator {
    FlowCalculator::steps(parameters, || AnyCalculator::Smcc(calculator(parameters, 0)))
}
