// SPDX-License-Identifier: MIT OR Apache-2.0
//! Avoids two feedback frames in a row to the same source (Jiang 2014, section 4.5).

use super::bounds::Row;
use super::parameters::{Kind, Specification, key};
use super::ports::ports;

/// Its key.
pub(crate) const KEY: Specification = key(
    "exception",
    Kind::Choice(&["skip_once", "wait"]),
    "skip_once",
    "a sample that is due at the source of the last feedback: skip_once drops it, and the next one may hit that source (a choice, \
     for the purpose of section 4.5); wait takes the next packet of another source (its letter)",
)
.lively(&["skip_once", "wait"]);

ports! {
    /// The parameter port.
    ///
    /// The paper says that a packet whose source address is the recorded one "will not be sampled", so that a sender
    /// does not get two feedback packets in a row: the first would still be under way. By the letter (`wait`) the sample
    /// stays due until another source sends, and a flow alone is never sampled again. `skip_once` keeps the purpose, not
    /// the letter: it drops the sample that is due and forgets the source, so that the next sample may hit it.
    pub struct ExceptionParameters from keys {
        /// A sample that is due waits for a packet from another source.
        pub waits: bool = Row::BIT => |keys| keys.choice(KEY.key) == "wait",
    }
}

/// Stores the source of the last feedback frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct SamplingException {
    last: Option<u64>,
}

impl SamplingException {
    /// Whether a packet from this source address may be sampled.
    pub(crate) fn may_be_sampled(&self, source: u64) -> bool {
        self.last != Some(source)
    }

    /// A sample was dropped because of the source of its packet: the next one may hit this source.
    pub(crate) fn forget(&mut self) {
        self.last = None;
    }

    /// Records that a feedback frame was sent to this address.
    pub(crate) fn sent_to(&mut self, source: u64) {
        self.last = Some(source);
    }
}
