// SPDX-License-Identifier: MIT OR Apache-2.0
//! Avoids two feedback frames in a row to the same source (Jiang 2014, section 4.5).

/// Stores the source of the last feedback frame.
#[derive(Clone, Debug, Default)]
pub struct SamplingException {
    last: Option<u64>,
}

impl SamplingException {
    /// Whether a packet from this source address may be sampled. If not, the next packet from another source is
    /// sampled.
    pub fn may_be_sampled(&self, source: u64) -> bool {
        self.last != Some(source)
    }

    /// Records that a feedback frame was sent to this address.
    pub fn sent_to(&mut self, source: u64) {
        self.last = Some(source);
    }
}
