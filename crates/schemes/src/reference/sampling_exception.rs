// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM's sampling exception, at the ports.

use super::{Reference, columns};
use crate::scheme::sampling_exception;
use tidegate_circuits::rtl::circuit::Port;

columns!(
    reset,
    enqueue,
    due,
    source_mac_high,
    source_mac_low,
    sent,
    sent_mac_high,
    sent_mac_low,
    exception_waits,
    sample
);

/// The sampling exception of the model; `due` comes only with a packet.
pub struct SamplingException {
    at: Columns,
    model: sampling_exception::SamplingException,
    waiting: bool,
}

impl SamplingException {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        SamplingException { at: Columns::of(ports), model: Default::default(), waiting: false }
    }
}

fn address(row: &[u32], high: usize, low: usize) -> u64 {
    u64::from(row[high]) << 32 | u64::from(row[low])
}

impl Reference for SamplingException {
    fn outputs(&mut self, row: &mut [u32]) {
        let wanted = row[self.at.due] != 0 || self.waiting;
        let source = address(row, self.at.source_mac_high, self.at.source_mac_low);
        let sample = row[self.at.enqueue] != 0 && wanted && self.model.may_be_sampled(source);
        row[self.at.sample] = u32::from(sample);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.model, self.waiting) = (Default::default(), false);
            return;
        }
        let (enters, waits) = (row[self.at.enqueue] != 0, row[self.at.exception_waits] != 0);
        let misses = (self.waiting || row[self.at.due] != 0) && row[self.at.sample] == 0;
        self.waiting = misses && (waits || !enters);
        if misses && enters && !waits {
            self.model.forget();
        }
        if row[self.at.sent] != 0 {
            self.model.sent_to(address(row, self.at.sent_mac_high, self.at.sent_mac_low));
        }
    }
}
