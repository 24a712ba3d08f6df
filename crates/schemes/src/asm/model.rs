// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM with the latencies of its circuits.

use crate::asm::rule::{CalculatorParameters, Quantiser, ReactionPoint};
use crate::model::flow_calculator::FlowCalculator;
use crate::model::step::{StepLatency, StepModel};
use crate::model::{AnyCalculator, Fate, FeedbackModel, Fields};
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::parameters::Parameters;
use crate::scheme::sampling_exception::ExceptionParameters;
use tidegate_core::units::Cycles;

/// From the head of the queue to the first word of the frame, or until the sample is dropped.
pub const FEEDBACK_LATENCY: Cycles = 2;
/// Of a feedback: three products share a serial multiplier.
pub(crate) const STEP_LATENCY: StepLatency = StepLatency { taken: 106, shown: 1 };

/// Each feedback is a step of the rate.
pub(crate) type CalculatorBlock = StepModel<ReactionPoint>;

/// Every sample is sent, quantised; the sampling exception keeps two in a row from the same source.
pub struct FeedbackBlock {
    quantiser: Quantiser,
    exception: ExceptionParameters,
}

impl FeedbackModel for FeedbackBlock {
    fn sampling_exception(&self) -> Option<ExceptionParameters> {
        Some(self.exception)
    }

    fn sample(&mut self, q_offset: i32, q_delta: i32, _controlled: bool) -> Fate {
        let [q_offset, q_delta] = [q_offset, q_delta].map(|bytes| self.quantiser.quantise(bytes));
        let fields = Fields { quantized_feedback: 0, q_offset, q_delta };
        Fate { latency: FEEDBACK_LATENCY, send: Some(fields.into()), interval: None }
    }
}

/// The feedback block.
pub(crate) fn feedback(parameters: &Parameters) -> FeedbackBlock {
    FeedbackBlock { quantiser: Quantiser::new(parameters), exception: ExceptionParameters::new(parameters) }
}

/// The calculator; it has no random source.
pub(crate) fn calculator(parameters: &Parameters, _seed: u16) -> CalculatorBlock {
    let calculator = CalculatorParameters::new(parameters);
    StepModel::new(ReactionPoint::new(calculator, CpidParameters::new(parameters)), STEP_LATENCY)
}

/// The calculators of many flows.
pub(crate) fn flows(parameters: &Parameters) -> FlowCalculator {
    FlowCalculator::steps(parameters, || AnyCalculator::Asm(calculator(parameters, 0)))
}
