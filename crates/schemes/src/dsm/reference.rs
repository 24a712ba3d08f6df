// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of DSM must do at their ports.

use super::model::STEP_LATENCY;
use super::rule::ReactionPoint;
use crate::dsm::model::FEEDBACK_LATENCY;
use crate::dsm::rule::{FeedbackBlock, FeedbackParameters, to_fields};
use crate::reference::step_calculator::StepCalculator;
use crate::reference::step_rule::{Rule, StepRule};
use crate::reference::{Reference, columns, parameters, signed, twos_complement};
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::{Circuit, Port};
use tidegate_core::units::Cycles;

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "feedback_dsm" => Box::new(DsmFeedback::new(ports)),
        "calculator_dsm" => Box::new(StepCalculator::new(ports, STEP_LATENCY, ReactionPoint::new)),
        "step_dsm" => Box::new(StepRule::new(ports, STEP_LATENCY.taken, ReactionPoint::new)),
        _ => return None,
    })
}

impl Rule for ReactionPoint {}

columns!(
    reset,
    sample_valid,
    controlled,
    q_offset,
    q_delta,
    frame_done,
    feedback_valid,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    pop
);

/// The rule and the history of the model. The sample must be held until `pop`.
pub struct DsmFeedback {
    at: Columns,
    ports: Vec<Port>,
    block: FeedbackBlock,
    /// The current sample: the cycle in which it came to the head, and its F.
    sample: Option<(Cycles, i32)>,
    now: Cycles,
}

impl DsmFeedback {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let block = FeedbackBlock::new(FeedbackParameters::read("", &|_| 0));
        DsmFeedback { at: Columns::of(ports), ports: ports.to_vec(), block, sample: None, now: 0 }
    }

    fn step(&self) -> Option<i32> {
        self.sample.filter(|(since, _)| self.now >= since + FEEDBACK_LATENCY).map(|(_, step)| step)
    }
}

impl Reference for DsmFeedback {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let (ready, controlled) = (self.step().is_some(), row[at.controlled] != 0);
        let (high, low) = to_fields(self.step().unwrap_or_default());
        row[at.feedback_valid] = u32::from(ready && controlled);
        row[at.quantized_feedback] = 0;
        row[at.q_offset_units] = twos_complement(high.into(), 16);
        row[at.q_delta_units] = twos_complement(low.into(), 16);
        row[at.pop] = u32::from(ready && (!controlled || row[at.frame_done] != 0));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.block, self.sample) = (FeedbackBlock::new(parameters(&self.ports, row)), None);
            return;
        }
        if self.sample.is_none() {
            self.block.set_parameters(parameters(&self.ports, row));
        }
        if row[at.pop] != 0 {
            self.sample = None;
        } else if self.sample.is_none() && row[at.sample_valid] != 0 {
            let (offset, delta) = (signed(row[at.q_offset], 25), signed(row[at.q_delta], 25));
            self.sample = Some((self.now, self.block.sample(offset, delta, row[at.controlled] != 0)));
        }
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.sample.is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        matches!(output, "q_offset_units" | "q_delta_units").then_some("feedback_valid")
    }
}
