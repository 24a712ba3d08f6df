// SPDX-License-Identifier: MIT OR Apache-2.0
//! What output queues tell a congestion point.

/// How the congestion point knows what leaves the output queues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueInput {
    /// They tell of each packet that they have removed or dropped.
    Events,
    /// From their levels.
    Level,
}
