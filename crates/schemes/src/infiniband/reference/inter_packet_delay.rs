// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of one packet and the idle packet times between two packets, at the ports.

use crate::infiniband::model::Pace;
use crate::reference::{Reference, columns};
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

columns!(
    reset,
    packet_cycles,
    ipd,
    request,
    grant,
    outstanding,
    ack,
    ack_marked,
    stray,
    feedback_valid,
    feedback_marked,
    feedback_ready,
);

/// The block alone.
pub struct InterPacketDelay {
    at: Columns,
    pace: Pace,
    now: Cycles,
    /// `ipd` in the cycle before.
    ipd: u32,
}

impl InterPacketDelay {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        InterPacketDelay { at: Columns::of(ports), pace: Pace::new(0), now: 0, ipd: 0 }
    }
}

impl Reference for InterPacketDelay {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        self.pace.set_packet_cycles(self.now, row[at.packet_cycles]);
        let may_go = self.pace.may_go(self.now, self.ipd, row[at.feedback_ready] != 0);
        row[at.grant] = u32::from(row[at.request] != 0 && may_go);
        row[at.outstanding] = self.pace.outstanding.into();
        row[at.stray] = u32::from(row[at.ack] != 0 && self.pace.is_stray());
        row[at.feedback_valid] = self.pace.feedback.is_some().into();
        row[at.feedback_marked] = u32::from(self.pace.feedback == Some(true));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        self.ipd = row[at.ipd];
        if row[at.reset] != 0 {
            (self.pace, self.now) = (Pace::new(row[at.packet_cycles]), 0);
            return;
        }
        let ack = (row[at.ack] != 0).then_some(row[at.ack_marked] != 0);
        self.pace.edge(self.now, row[at.grant] != 0, ack, row[at.feedback_ready] != 0);
        self.now += 1;
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        (output == "feedback_marked").then_some("feedback_valid")
    }
}
