// SPDX-License-Identifier: MIT OR Apache-2.0
//! The flow of each feedback, at the ports.

use super::{Reference, columns};
use tidegate_circuits::rtl::circuit::Port;

columns!(
    reset,
    frame_start,
    frame_flow,
    feedback_valid,
    has_flow_id,
    flow_id,
    flow_mask,
    flow_from_tag,
    valid,
    flow,
    unknown,
    unknown_frames,
);

/// The masked bits of an address number a flow, or a whole flow identifier does. The number of flows is the mask plus
/// one.
pub struct FeedbackFlow {
    at: Columns,
    /// Low bits of the address of the frame that began last, and of the feedback that waits or would wait in the next
    /// cycle.
    reads: u32,
    waits: u32,
    unknown_frames: u16,
}

impl FeedbackFlow {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        FeedbackFlow { at: Columns::of(ports), reads: 0, waits: 0, unknown_frames: 0 }
    }
}

impl Reference for FeedbackFlow {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let tagged = row[at.flow_from_tag] != 0;
        let is_known = !tagged || row[at.has_flow_id] != 0 && row[at.flow_id] <= row[at.flow_mask];
        let waits = row[at.feedback_valid] != 0;
        row[at.flow] = if tagged { row[at.flow_id] } else { self.waits };
        row[at.valid] = u32::from(waits && is_known);
        row[at.unknown] = u32::from(waits && !is_known);
        row[at.unknown_frames] = self.unknown_frames.into();
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.feedback_valid] == 0 {
            self.waits = self.reads;
        }
        if row[at.frame_start] != 0 {
            self.reads = row[at.frame_flow] & row[at.flow_mask];
        }
        let counted = self.unknown_frames.saturating_add(row[at.unknown] as u16);
        self.unknown_frames = if row[at.reset] != 0 { 0 } else { counted };
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        (output == "flow").then_some("valid")
    }
}
