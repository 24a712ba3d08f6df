// SPDX-License-Identifier: MIT OR Apache-2.0
//! The length of the output queue, and Qoff and ΔQ of a sample.

/// The largest length that the hardware can count.
pub const QUEUE_MAX: u32 = (1 << tidegate_core::units::BYTES_BITS) - 1;

/// Counts the length of the queue in bytes (Jiang 2015b, section 2.2).
#[derive(Clone, Debug, Default)]
pub struct QueueMonitor {
    /// Current length, bytes.
    pub queue_bytes: u32,
    queue_old: u32,
}

impl QueueMonitor {
    /// Adds and subtracts the bytes of one cycle. The length is clamped to 0 … [`QUEUE_MAX`]; returns `false` if it was
    /// clamped.
    #[inline]
    pub fn step(&mut self, enqueued: u32, dequeued: u32) -> bool {
        let filled = self.queue_bytes + enqueued;
        let possible = dequeued <= filled && filled - dequeued <= QUEUE_MAX;
        self.queue_bytes = filled.saturating_sub(dequeued).min(QUEUE_MAX);
        possible
    }

    /// Returns Qoff = q − q0 and ΔQ = q − q_old in bytes, then sets q_old to q.
    pub fn sample(&mut self, q0_bytes: u32) -> (i32, i32) {
        let queue = self.queue_bytes as i32;
        let sample = (queue - q0_bytes as i32, queue - self.queue_old as i32);
        self.queue_old = self.queue_bytes;
        sample
    }
}
