// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion points of the last decreases of all flows, at the ports.

use super::{Reference, columns};
use crate::scheme::last_decrease::digest;
use tidegate_circuits::rtl::circuit::Circuit;

columns!(
    reset,
    frame_cpid_high,
    frame_cpid_low,
    frame_cpid_high_valid,
    frame_cpid_low_valid,
    frame_taken,
    flow,
    known,
    remember,
    cpid_any,
    cpid_digest,
    same_point,
);

/// What is stored of a congestion point, and compared: both halves of its identifier, or 0 and a digest.
type Stored = (u32, u32);

/// Compares what was remembered for the flow of three cycles ago with the frame that waited in the cycle before. Flows
/// are remembered over a reset; a read in the cycle of a write to the same flow gets what was there before.
pub struct FlowPoints {
    at: Columns,
    flows: Vec<Stored>,
    /// High half of the identifier of the frame that is read.
    high: u32,
    /// Of the feedback that waits and of the frame that is read.
    frames: [Stored; 2],
    /// The place of the first.
    place: usize,
    /// What was remembered for the flow of one and two cycles ago.
    before: [Stored; 2],
    same: bool,
}

impl FlowPoints {
    /// Before the first reset.
    pub fn new(circuit: &Circuit) -> Self {
        FlowPoints {
            at: Columns::of(&circuit.ports),
            flows: vec![Stored::default(); circuit.flows() as usize],
            high: 0,
            frames: [Stored::default(); 2],
            place: 0,
            before: [Stored::default(); 2],
            same: false,
        }
    }
}

impl Reference for FlowPoints {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        row[at.same_point] = u32::from(row[at.cpid_any] != 0 || row[at.known] != 0 && self.same);
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let digests = row[at.cpid_digest] != 0;
        let flow = row[at.flow] as usize % self.flows.len();
        let waits = self.frames[self.place];
        self.same = self.before[1] == waits;
        self.before = [self.flows[flow], self.before[0]];
        if row[at.remember] != 0 {
            self.flows[flow] = waits;
        }
        let reads = &mut self.frames[1 - self.place];
        if row[at.frame_cpid_high_valid] != 0 {
            self.high = row[at.frame_cpid_high];
            reads.0 = if digests { 0 } else { self.high };
        }
        if row[at.frame_cpid_low_valid] != 0 {
            let low = row[at.frame_cpid_low];
            let cpid = u64::from(self.high) << 32 | u64::from(low);
            reads.1 = if digests { digest(cpid).into() } else { low };
        }
        if row[at.reset] != 0 {
            self.place = 0;
        } else if row[at.frame_taken] != 0 {
            self.place = 1 - self.place;
        }
    }
}
