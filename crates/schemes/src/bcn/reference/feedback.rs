// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's feedback block, at the ports.

use crate::bcn::rule::FeedbackParameters;
use crate::reference::{Reference, columns, signed, twos_complement};
use tidegate_circuits::rtl::circuit::Port;

columns!(
    reset,
    sample_valid,
    controlled,
    q_offset,
    q_delta,
    frame_done,
    severe_offset,
    feedback_valid,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    pop
);

/// The fields of the model, one cycle after a sample is at the head. The sample must be held until `pop`.
pub struct BcnFeedback {
    at: Columns,
    /// Set if the sample was at the head in the cycle before; inside, its fields if it is sent.
    held: Option<Option<(i16, i16)>>,
}

impl BcnFeedback {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        BcnFeedback { at: Columns::of(ports), held: None }
    }
}

impl Reference for BcnFeedback {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let sends = self.held.flatten().filter(|_| row[at.controlled] != 0);
        let (offset, delta) = sends.unwrap_or_default();
        row[at.feedback_valid] = u32::from(sends.is_some());
        row[at.quantized_feedback] = 0;
        row[at.q_offset_units] = twos_complement(offset.into(), 16);
        row[at.q_delta_units] = twos_complement(delta.into(), 16);
        row[at.pop] = u32::from(self.held.is_some() && (sends.is_none() || row[at.frame_done] != 0));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let parameters = FeedbackParameters { severe_offset: row[at.severe_offset] };
        let stays = row[at.reset] == 0 && row[at.sample_valid] != 0 && row[at.pop] == 0;
        self.held = stays.then(|| parameters.fields(signed(row[at.q_offset], 25), signed(row[at.q_delta], 25)));
    }

    fn settled(&self) -> bool {
        self.held.is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        matches!(output, "q_offset_units" | "q_delta_units").then_some("feedback_valid")
    }
}
