// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of received frames, at the ports.

use super::{Reference, column};
use tidegate_circuits::rtl::circuit::Port;

/// Each event with its count.
const COUNTS: [(&str, &str); 5] = [
    ("frame_taken", "taken_frames"),
    ("frame_malformed", "malformed_frames"),
    ("frame_refused", "refused_frames"),
    ("frame_elsewhere", "elsewhere_frames"),
    ("frame_dropped", "dropped_frames"),
];

/// Counts that stop at their largest value.
pub struct FrameCounters {
    reset: usize,
    /// Columns of the event and of its count; the count.
    counts: [(usize, usize, u16); 5],
}

impl FrameCounters {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let counts = COUNTS.map(|(event, count)| (column(ports, event), column(ports, count), 0));
        FrameCounters { reset: column(ports, "reset"), counts }
    }
}

impl Reference for FrameCounters {
    fn outputs(&mut self, row: &mut [u32]) {
        self.counts.iter().for_each(|&(_, output, count)| row[output] = count.into());
    }

    fn edge(&mut self, row: &[u32]) {
        for (event, _, count) in &mut self.counts {
            let more = count.saturating_add(u16::from(row[*event] != 0));
            *count = if row[self.reset] != 0 { 0 } else { more };
        }
    }
}
