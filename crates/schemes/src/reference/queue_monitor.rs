// SPDX-License-Identifier: MIT OR Apache-2.0
//! The length of the queue, at the ports.

use super::{Reference, columns, twos_complement};
use crate::scheme::queue_monitor;
use tidegate_circuits::rtl::circuit::Port;

columns!(
    reset,
    enqueue,
    enqueue_bytes,
    dequeue,
    dequeue_bytes,
    sample,
    q0_bytes,
    queue_bytes,
    q_offset,
    q_delta,
    clamped
);

/// The queue monitor of the model. The length, the fields of a sample and `clamped` change one cycle later.
pub struct QueueMonitor {
    at: Columns,
    model: queue_monitor::QueueMonitor,
    /// The packet of the cycle before is a sample.
    sampled: bool,
    /// The events of the cycle before led out of the bounds.
    clamped: bool,
}

impl QueueMonitor {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        QueueMonitor { at: Columns::of(ports), model: Default::default(), sampled: false, clamped: false }
    }

    /// The bytes that enter and that leave in the cycle of a row.
    fn moved(&self, row: &[u32]) -> (u32, u32) {
        let at = &self.at;
        let bytes = |event: usize, bytes: usize| if row[event] != 0 { row[bytes] } else { 0 };
        (bytes(at.enqueue, at.enqueue_bytes), bytes(at.dequeue, at.dequeue_bytes))
    }
}

impl Reference for QueueMonitor {
    fn outputs(&mut self, row: &mut [u32]) {
        let (q_offset, q_delta) = self.model.clone().sample(row[self.at.q0_bytes]);
        row[self.at.queue_bytes] = self.model.queue_bytes;
        row[self.at.q_offset] = twos_complement(q_offset, 25);
        row[self.at.q_delta] = twos_complement(q_delta, 25);
        row[self.at.clamped] = u32::from(self.clamped);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.model, self.sampled, self.clamped) = (Default::default(), false, false);
            return;
        }
        if self.sampled {
            self.model.sample(row[self.at.q0_bytes]);
        }
        let (entering, leaving) = self.moved(row);
        self.clamped = !self.model.step(entering, leaving);
        self.sampled = row[self.at.sample] != 0;
    }
}
