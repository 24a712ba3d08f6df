//! The window of one packet and the idle packet times between two, at the ports.

use super::{columns, Reference};
use crate::emit::Port;
use crate::units::Cycles;

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

/// When the last packet was granted, and whether its ACK is here.
#[derive(Default)]
pub struct Pace {
    now: Cycles,
    granted: Option<Cycles>,
    /// A packet is out.
    pub outstanding: bool,
    /// Its ACK is here, marked or not.
    pub feedback: Option<bool>,
}

impl Pace {
    /// Whether a packet may go in this cycle.
    pub fn may_go(&self, packet_cycles: u32, ipd: u32, feedback_ready: bool) -> bool {
        let interval = Cycles::from(packet_cycles) * Cycles::from(ipd + 1);
        let due = self.granted.is_none_or(|granted| self.now - granted >= interval);
        due && !self.outstanding && feedback_ready
    }

    /// Whether an ACK in this cycle belongs to no packet.
    pub fn is_stray(&self) -> bool {
        !self.outstanding || self.feedback.is_some()
    }

    /// Ends a cycle.
    pub fn edge(&mut self, granted: bool, ack: Option<bool>, feedback_ready: bool) {
        let ack = ack.filter(|_| !self.is_stray());
        if self.feedback.is_some() && feedback_ready {
            (self.outstanding, self.feedback) = (false, None);
        }
        self.feedback = self.feedback.or(ack);
        if granted {
            (self.granted, self.outstanding) = (Some(self.now), true);
        }
        self.now += 1;
    }
}

/// The block alone.
pub struct InterPacketDelay {
    at: Columns,
    pace: Pace,
}

impl InterPacketDelay {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        InterPacketDelay { at: Columns::of(ports), pace: Pace::default() }
    }
}

impl Reference for InterPacketDelay {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let may_go = self.pace.may_go(row[at.packet_cycles], row[at.ipd], row[at.feedback_ready] != 0);
        row[at.grant] = u32::from(row[at.request] != 0 && may_go);
        row[at.outstanding] = self.pace.outstanding.into();
        row[at.stray] = u32::from(row[at.ack] != 0 && self.pace.is_stray());
        row[at.feedback_valid] = self.pace.feedback.is_some().into();
        row[at.feedback_marked] = u32::from(self.pace.feedback == Some(true));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.pace = Pace::default();
            return;
        }
        let ack = (row[at.ack] != 0).then_some(row[at.ack_marked] != 0);
        self.pace.edge(row[at.grant] != 0, ack, row[at.feedback_ready] != 0);
    }
}
