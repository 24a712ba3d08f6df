// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of SMCC must do at their ports.

use super::model::STEP_LATENCY;
use super::rule::ReactionPoint;
use crate::model::step::StepLatency;
use crate::reference::step_calculator::StepCalculator;
use crate::reference::step_rule::{Rule, StepRule};
use crate::reference::{Reference, columns, signed, twos_complement};
use crate::scheme::to_units;
use tidegate_circuits::rtl::circuit::{Circuit, Port};

/// The calculator that takes a feedback in the cycle in which it is offered.
const AT_ONCE: StepLatency = StepLatency { taken: 0, shown: 1 };

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "feedback_smcc" => Box::new(SmccFeedback::new(ports)),
        "calculator_smcc" => Box::new(StepCalculator::new(ports, STEP_LATENCY, ReactionPoint::new)),
        "calculator_smcc_at_once" => Box::new(StepCalculator::new(ports, AT_ONCE, ReactionPoint::new)),
        "step_smcc" => Box::new(StepRule::new(ports, STEP_LATENCY.taken, ReactionPoint::new)),
        _ => return None,
    })
}

impl Rule for ReactionPoint {
    const MODE: Option<(&str, &str)> = Some(("knows_point", "will_know_point"));

    fn with_mode(self, mode: bool) -> Self {
        self.with_known_point(mode)
    }

    fn mode(&self) -> bool {
        self.knows_point()
    }
}

columns!(
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

/// Offset and change of each sample in units of 64 octets, in the same cycle. It has no state.
pub struct SmccFeedback {
    at: Columns,
}

impl SmccFeedback {
    /// The block; it has no state.
    pub fn new(ports: &[Port]) -> Self {
        SmccFeedback { at: Columns::of(ports) }
    }
}

impl Reference for SmccFeedback {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let (valid, controlled) = (row[at.sample_valid] != 0, row[at.controlled] != 0);
        row[at.feedback_valid] = u32::from(valid && controlled);
        row[at.quantized_feedback] = 0;
        row[at.q_offset_units] = twos_complement(to_units(signed(row[at.q_offset], 25)).into(), 16);
        row[at.q_delta_units] = twos_complement(to_units(signed(row[at.q_delta], 25)).into(), 16);
        row[at.pop] = u32::from(valid && (!controlled || row[at.frame_done] != 0));
    }

    fn edge(&mut self, _row: &[u32]) {}
}
