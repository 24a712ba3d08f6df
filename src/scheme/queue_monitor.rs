//! The length of the output queue, and what a sample says of it.

/// The largest length that the hardware can count.
pub const QUEUE_MAX: u32 = (1 << crate::units::BYTES_BITS) - 1;

/// Follows the queue in bytes (smcc.txt section 2.2).
#[derive(Clone, Debug, Default)]
pub struct QueueMonitor {
    /// Length now.
    pub queue_bytes: u32,
    queue_old: u32,
}

impl QueueMonitor {
    /// Bytes enter and leave in one cycle. Clamped to what the hardware can count; `false` where it had to be.
    pub fn step(&mut self, enqueued: u32, dequeued: u32) -> bool {
        let filled = self.queue_bytes + enqueued;
        let possible = dequeued <= filled && filled - dequeued <= QUEUE_MAX;
        self.queue_bytes = filled.saturating_sub(dequeued).min(QUEUE_MAX);
        possible
    }

    /// Qoff = q − q0 and ΔQ = q − q_old in bytes; q_old is overwritten after that.
    pub fn sample(&mut self, q0_bytes: u32) -> (i32, i32) {
        let queue = self.queue_bytes as i32;
        let sample = (queue - q0_bytes as i32, queue - self.queue_old as i32);
        self.queue_old = self.queue_bytes;
        sample
    }
}
