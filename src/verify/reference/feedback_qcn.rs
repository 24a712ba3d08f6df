//! QCN's feedback block, at the ports.

use super::{columns, signed, twos_complement, Reference};
use crate::model::qcn::{DROP_LATENCY, FEEDBACK_LATENCY};
use crate::rtl::circuit::Port;
use crate::scheme::qcn::FeedbackParameters;
use crate::scheme::to_units;
use crate::units::Cycles;

columns!(
    reset,
    sample_valid,
    controlled,
    q_offset,
    q_delta,
    frame_done,
    weight,
    feedback_full_scale,
    send_zero_feedback,
    interval_low_0,
    interval_low_1,
    interval_low_2,
    interval_low_3,
    interval_low_4,
    interval_low_5,
    interval_low_6,
    interval_low_7,
    feedback_valid,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    pop,
    interval_low
);

/// Sum and quantiser of the model. The sample must be held until `pop`. The next sampling interval changes one cycle
/// after the first cycle in which the fields can be valid, or after the pop.
pub struct QcnFeedback {
    at: Columns,
    /// The current sample: the cycle in which it came to the head, and its QntzFb; `None` if Fb ≥ 0.
    sample: Option<(Cycles, Option<u8>)>,
    row_of_table: usize,
    now: Cycles,
}

impl QcnFeedback {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        QcnFeedback { at: Columns::of(ports), sample: None, row_of_table: 0, now: 0 }
    }

    fn parameters(&self, row: &[u32]) -> FeedbackParameters {
        let at = &self.at;
        FeedbackParameters {
            weight: row[at.weight],
            full_scale: row[at.feedback_full_scale].max(1),
            send_zero: row[at.send_zero_feedback] != 0,
            interval_low: [
                row[at.interval_low_0],
                row[at.interval_low_1],
                row[at.interval_low_2],
                row[at.interval_low_3],
                row[at.interval_low_4],
                row[at.interval_low_5],
                row[at.interval_low_6],
                row[at.interval_low_7],
            ],
        }
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
        let parameters = self.parameters(row);
        let at = &self.at;
        let quantized = self.quantized();
        let sends = row[at.controlled] != 0 && quantized.is_some_and(|quantized| parameters.sends(quantized));
        let done = quantized.is_some() && (row[at.frame_done] != 0 || !sends);
        row[at.feedback_valid] = u32::from(sends);
        row[at.quantized_feedback] = quantized.map_or(0, u32::from);
        row[at.q_offset_units] = twos_complement(to_units(signed(row[at.q_offset], 25)).into(), 16);
        row[at.q_delta_units] = twos_complement(to_units(signed(row[at.q_delta], 25)).into(), 16);
        row[at.pop] = u32::from(done || self.drops());
        row[at.interval_low] = parameters.interval_low[self.row_of_table];
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.sample, self.row_of_table) = (None, 0);
            return;
        }
        if let Some(quantized) = self.quantized() {
            self.row_of_table = usize::from(quantized >> 3);
        } else if self.drops() {
            self.row_of_table = 0;
        }
        if row[self.at.pop] != 0 {
            self.sample = None;
        } else if self.sample.is_none() && row[self.at.sample_valid] != 0 {
            let parameters = self.parameters(row);
            let congestion = parameters.congestion(signed(row[self.at.q_offset], 25), signed(row[self.at.q_delta], 25));
            self.sample = Some((self.now, parameters.quantize(congestion)));
        }
        self.now += 1;
    }
}
