// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of ASM must do at their ports.

use super::model::STEP_LATENCY;
use super::rule::ReactionPoint;
use crate::asm::rule::Quantiser;
use crate::reference::step_calculator::StepCalculator;
use crate::reference::step_rule::{Rule, StepRule};
use crate::reference::{Reference, columns, signed, twos_complement};
use tidegate_circuits::rtl::circuit::{Circuit, Port};

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "feedback_asm" => Box::new(AsmFeedback::new(ports)),
        "calculator_asm" => Box::new(StepCalculator::new(ports, STEP_LATENCY, ReactionPoint::new)),
        "step_asm" => Box::new(StepRule::new(ports, STEP_LATENCY.taken, ReactionPoint::new)),
        _ => return None,
    })
}

impl Rule for ReactionPoint {
    const MODE: Option<(&str, &str)> = Some(("slides", "will_slide"));

    fn with_mode(self, mode: bool) -> Self {
        self.with_sliding(mode)
    }

    fn mode(&self) -> bool {
        self.slides()
    }
}

columns!(
    reset,
    sample_valid,
    controlled,
    q_offset,
    q_delta,
    frame_done,
    quantiser_limit,
    quantiser_mask,
    feedback_valid,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    pop
);

/// The quantiser of the model, two cycles after a sample is at the head. The sample must be held until `pop`.
pub struct AsmFeedback {
    at: Columns,
    /// The sample was at the head in the cycle before.
    there: bool,
    /// Quantised offset and change of the sample, if it was at the head in the two cycles before.
    held: Option<(i16, i16)>,
}

impl AsmFeedback {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        AsmFeedback { at: Columns::of(ports), there: false, held: None }
    }
}

impl Reference for AsmFeedback {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let (offset, delta) = self.held.unwrap_or_default();
        let controlled = row[at.controlled] != 0;
        row[at.feedback_valid] = u32::from(self.held.is_some() && controlled);
        row[at.quantized_feedback] = 0;
        row[at.q_offset_units] = twos_complement(offset.into(), 16);
        row[at.q_delta_units] = twos_complement(delta.into(), 16);
        row[at.pop] = u32::from(self.held.is_some() && (!controlled || row[at.frame_done] != 0));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let quantiser = Quantiser { limit: row[at.quantiser_limit] as u16, mask: row[at.quantiser_mask] as u16 };
        let quantise = |bytes: usize| quantiser.quantise(signed(row[bytes], 25));
        let stays = row[at.reset] == 0 && row[at.sample_valid] != 0 && row[at.pop] == 0;
        self.held = (stays && self.there).then(|| (quantise(at.q_offset), quantise(at.q_delta)));
        self.there = stays;
    }

    fn settled(&self) -> bool {
        !self.there
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        matches!(output, "q_offset_units" | "q_delta_units").then_some("feedback_valid")
    }
}
