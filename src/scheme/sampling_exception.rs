//! Two feedback frames in a row to one source are avoided (asm.txt section 4.5).

/// Remembers to which source the last feedback went.
#[derive(Clone, Debug, Default)]
pub struct SamplingException {
    last: Option<u64>,
}

impl SamplingException {
    /// Whether a packet from this source address may be the sample that is due. If not, the sample stays due.
    pub fn may_be_sampled(&self, source: u64) -> bool {
        self.last != Some(source)
    }

    /// A feedback frame went to this address.
    pub fn sent_to(&mut self, source: u64) {
        self.last = Some(source);
    }
}
