// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's feedback block, at the ports.

use crate::qcn::model::{DROP_LATENCY, FEEDBACK_LATENCY};
use crate::qcn::rule::FeedbackParameters;
use crate::reference::{Reference, columns, parameters, signed, twos_complement};
use crate::scheme::ports::Ports;
use crate::scheme::to_units;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

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
    pop,
    interval_low,
    interval_span
);

/// Sum and quantiser of the model. The sample must be held until `pop`. The next sampling interval changes one cycle
/// after the first cycle in which the fields can be valid, or after the pop; its span one more cycle later.
pub struct QcnFeedback {
    at: Columns,
    ports: Vec<Port>,
    parameters: FeedbackParameters,
    /// The current sample: the cycle in which it came to the head, and its QntzFb; `None` if Fb ≥ 0.
    sample: Option<(Cycles, Option<u8>)>,
    row_of_table: usize,
    /// The span of the row of the cycle before.
    span: u32,
    now: Cycles,
}

impl QcnFeedback {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        // No zero: `feedback_full_scale` is a divisor.
        let parameters = FeedbackParameters::read("", &|_| 1);
        let ports = ports.to_vec();
        QcnFeedback { at: Columns::of(&ports), ports, parameters, sample: None, row_of_table: 0, span: 0, now: 0 }
    }

    /// QntzFb, in the cycles in which it is valid.
    fn quantized(&self) -> Option<u8> {
        self.sample.and_then(|(since, quantized)| quantized.filter(|_| self.now >= since + FEEDBACK_LATENCY))
    }

    /// Whether the sample has Fb ≥ 0 and is popped in this cycle.
    fn drops(&self) -> bool {
        self.sample.is_some_and(|(since, quantized)| quantized.is_none() && self.now == since + DROP_LATENCY)
    }
}

impl Reference for QcnFeedback {
    fn outputs(&mut self, row: &mut [u32]) {
        let read: FeedbackParameters = parameters(&self.ports, row);
        // A divisor.
        self.parameters = FeedbackParameters { feedback_full_scale: read.feedback_full_scale.max(1), ..read };
        let (at, parameters) = (&self.at, &self.parameters);
        let quantized = self.quantized();
        let sends = row[at.controlled] != 0 && quantized.is_some_and(|quantized| parameters.sends(quantized));
        let done = quantized.is_some() && (row[at.frame_done] != 0 || !sends);
        row[at.feedback_valid] = u32::from(sends);
        row[at.quantized_feedback] = quantized.map_or(0, u32::from);
        row[at.q_offset_units] = twos_complement(to_units(signed(row[at.q_offset], 25)).into(), 16);
        row[at.q_delta_units] = twos_complement(to_units(signed(row[at.q_delta], 25)).into(), 16);
        row[at.pop] = u32::from(done || self.drops());
        row[at.interval_low] = parameters.interval_low[self.row_of_table];
        row[at.interval_span] = self.span;
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.sample, self.row_of_table, self.span) = (None, 0, self.parameters.interval_span[0]);
            return;
        }
        self.span = self.parameters.interval_span[self.row_of_table];
        if let Some(quantized) = self.quantized() {
            self.row_of_table = usize::from(quantized >> 3);
        } else if self.drops() {
            self.row_of_table = 0;
        }
        if row[self.at.pop] != 0 {
            self.sample = None;
        } else if self.sample.is_none() && row[self.at.sample_valid] != 0 {
            let congestion =
                self.parameters.congestion(signed(row[self.at.q_offset], 25), signed(row[self.at.q_delta], 25));
            self.sample = Some((self.now, self.parameters.quantize(congestion)));
        }
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.sample.is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        matches!(output, "quantized_feedback" | "q_offset_units" | "q_delta_units").then_some("feedback_valid")
    }
}
