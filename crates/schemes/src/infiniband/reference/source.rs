// SPDX-License-Identifier: MIT OR Apache-2.0
//! An InfiniBand source, at the ports.

use super::calculator::Generated;
use crate::infiniband::model::{Climb, Pace};
use crate::reference::{Reference, columns};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::units::Cycles;

columns!(reset, packet_cycles, persistent, request, grant, outstanding, ack, ack_marked, stray, flow_start, ipd,);

/// Both blocks: the inter-packet delay passes each ACK to the calculator.
pub struct InfiniBandSource {
    at: Columns,
    generated: Generated,
    pace: Pace,
    climb: Climb,
    now: Cycles,
}

impl InfiniBandSource {
    /// Before the first reset.
    pub fn new(circuit: &Circuit) -> Self {
        let (at, generated) = (Columns::of(&circuit.ports), Generated::of(circuit));
        InfiniBandSource { at, generated, pace: Pace::new(0), climb: generated.reset(), now: 0 }
    }
}

impl Reference for InfiniBandSource {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        self.pace.set_packet_cycles(self.now, row[at.packet_cycles]);
        self.climb.set_persistent(row[at.persistent] != 0);
        row[at.ipd] = self.climb.ipd(self.now);
        let may_go = self.pace.may_go(self.now, row[at.ipd], self.climb.is_ready(self.now));
        row[at.grant] = u32::from(row[at.request] != 0 && may_go);
        row[at.outstanding] = self.pace.outstanding.into();
        row[at.stray] = u32::from(row[at.ack] != 0 && self.pace.is_stray());
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.climb = self.generated.reset();
            (self.pace, self.now) = (Pace::new(row[at.packet_cycles]), 0);
            return;
        }
        let (ready, feedback) = (self.climb.is_ready(self.now), self.pace.feedback);
        let ack = (row[at.ack] != 0).then_some(row[at.ack_marked] != 0);
        self.pace.edge(self.now, row[at.grant] != 0, ack, ready);
        self.climb.edge(self.now, feedback, row[at.flow_start] != 0);
        self.now += 1;
    }
}
