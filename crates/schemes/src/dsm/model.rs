// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM with the latencies of its circuits.

use crate::dsm::rule::{self as dsm, CalculatorParameters, FeedbackParameters, ReactionPoint, to_fields};
use crate::model::flow_calculator::FlowCalculator;
use crate::model::step::{StepLatency, StepModel};
use crate::model::{AnyCalculator, Fate, FeedbackModel, Fields};
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::parameters::Parameters;
use tidegate_core::units::Cycles;

/// From the head of the queue to the first word of the frame, or until the sample is dropped: six products.
pub const FEEDBACK_LATENCY: Cycles = 213;
/// Of a feedback: one addition.
pub const STEP_LATENCY: StepLatency = StepLatency { taken: 1, shown: 1 };

/// Each feedback is a step of the rate.
pub(crate) type CalculatorBlock = StepModel<ReactionPoint>;

/// Every sample is answered with a step of the rate.
pub struct FeedbackBlock(pub dsm::FeedbackBlock);

impl FeedbackModel for FeedbackBlock {
    fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> Fate {
        let (high, low) = to_fields(self.0.sample(q_offset, q_delta, controlled));
        let fields = Fields { quantized_feedback: 0, q_offset: high, q_delta: low };
        Fate { latency: FEEDBACK_LATENCY, send: Some(fields.into()), interval: None }
    }
}

/// The feedback block.
pub(crate) fn feedback(parameters: &Parameters) -> FeedbackBlock {
    let parameters = FeedbackParameters::new(parameters);
    FeedbackBlock(dsm::FeedbackBlock::new(parameters))
}

/// The calculator; it has no random source.
pub(crate) fn calculator(parameters: &Parameters, _seed: u16) -> CalculatorBlock {
    let (calculator, cpid) = (CalculatorParameters::new(parameters), CpidParameters::new(parameters));
    StepModel::new(ReactionPoint::new(calculator, cpid), STEP_LATENCY)
}

/// The calculators of many flows.
pub(crate) fn flows(parameters: &Parameters) -> FlowCalculator {
    FlowCalculator::steps(parameters, || AnyCalculator::Dsm(calculator(parameters, 0)))
}
