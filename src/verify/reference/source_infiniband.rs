//! An InfiniBand source, at the ports.

use super::calculator_infiniband::Climb;
use super::inter_packet_delay::Pace;
use super::{columns, Reference};
use crate::emit::Port;

columns!(
    reset,
    packet_cycles,
    response,
    persistent,
    request,
    grant,
    outstanding,
    ack,
    ack_marked,
    stray,
    flow_start,
    ipd,
);

/// Both blocks: the calculator gets the ACK that the other one keeps for it.
pub struct InfiniBandSource {
    at: Columns,
    pace: Pace,
    climb: Climb,
}

impl InfiniBandSource {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        InfiniBandSource { at: Columns::of(ports), pace: Pace::default(), climb: Climb::new(0, 0) }
    }
}

impl Reference for InfiniBandSource {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        row[at.ipd] = self.climb.ipd();
        let may_go = self.pace.may_go(row[at.packet_cycles], row[at.ipd], self.climb.is_ready());
        row[at.grant] = u32::from(row[at.request] != 0 && may_go);
        row[at.outstanding] = self.pace.outstanding.into();
        row[at.stray] = u32::from(row[at.ack] != 0 && self.pace.is_stray());
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.pace, self.climb) = (Pace::default(), Climb::new(row[at.response], row[at.persistent]));
            return;
        }
        let (ready, feedback) = (self.climb.is_ready(), self.pace.feedback);
        let ack = (row[at.ack] != 0).then_some(row[at.ack_marked] != 0);
        self.pace.edge(row[at.grant] != 0, ack, ready);
        self.climb.edge(feedback, row[at.flow_start] != 0, row[at.persistent] != 0);
    }
}
