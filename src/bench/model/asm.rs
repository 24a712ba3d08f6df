//! ASM's feedback block with the latency of its circuit.

use super::{Fate, FeedbackModel, Fields};
use crate::scheme::asm::Quantiser;
use crate::units::Cycles;

/// From the head of the queue to the first word of the frame, or until the sample is dropped.
const ASM_FEEDBACK_LATENCY: Cycles = 1;

/// Every sample is sent, quantised; none goes to the source of the one before.
pub struct AsmFeedbackModel(pub Quantiser);

impl FeedbackModel for AsmFeedbackModel {
    const SAMPLING_EXCEPTION: bool = true;

    fn sample(&mut self, q_offset: i32, q_delta: i32, _controlled: bool) -> Fate {
        let fields =
            Fields { quantized_feedback: 0, q_offset: self.0.quantise(q_offset), q_delta: self.0.quantise(q_delta) };
        Fate { latency: ASM_FEEDBACK_LATENCY, send: Some(fields), interval_low: None }
    }
}
