//! DSM's feedback block with the latency of its circuit.

use super::{Fate, FeedbackModel, Fields};
use crate::scheme::dsm::{to_fields, FeedbackBlock};
use crate::units::Cycles;

/// From the head of the queue to the first word of the frame, or until the sample is dropped: six products.
const DSM_FEEDBACK_LATENCY: Cycles = 51;

/// Every sample is answered with a step of the rate.
pub struct DsmFeedbackModel(pub FeedbackBlock);

impl FeedbackModel for DsmFeedbackModel {
    fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> Fate {
        let (high, low) = to_fields(self.0.sample(q_offset, q_delta, controlled));
        let fields = Fields { quantized_feedback: 0, q_offset: high, q_delta: low };
        Fate { latency: DSM_FEEDBACK_LATENCY, send: Some(fields), interval_low: None }
    }
}
