// SPDX-License-Identifier: MIT OR Apache-2.0
//! An InfiniBand source: its pace, and the climb of its rate.

use crate::infiniband::rule::Source;
use crate::model::NEVER;
use tidegate_core::units::Cycles;

/// From the cycle in which an ACK is taken, a flow starts at R_max or a reset ends until the calculator takes the next
/// ACK, where no rate is bought.
pub const ACK_LATENCY: Cycles = 5;
/// How much longer that takes for each rate that the ACK buys; as far apart they show.
pub const RATE_LATENCY: Cycles = 4;

/// A window of one packet, and when the next may go.
#[derive(Clone, Debug)]
pub struct Pace {
    packet_cycles: u32,
    /// The packet times since the last packet.
    since: Option<PacketTimes>,
    /// A packet is out.
    pub outstanding: bool,
    /// Its ACK is here, marked or not.
    pub feedback: Option<bool>,
}

/// Packet times that have passed.
#[derive(Clone, Copy, Debug)]
struct PacketTimes {
    passed: u32,
    /// The first cycle behind them.
    end: Cycles,
}

impl Pace {
    /// After reset, with the cycles of a packet time.
    pub fn new(packet_cycles: u32) -> Self {
        Pace { packet_cycles, since: None, outstanding: false, feedback: None }
    }

    /// Another number of cycles from cycle `now` on: packet times that have passed count, and the one that runs ends at once
    /// if it is that long already.
    pub fn set_packet_cycles(&mut self, now: Cycles, packet_cycles: u32) {
        let before = Cycles::from(std::mem::replace(&mut self.packet_cycles, packet_cycles).max(1));
        let Some(PacketTimes { passed, end }) = &mut self.since else { return };
        let whole = now.saturating_sub(*end) / before;
        *passed += whole as u32;
        *end += whole * before;
        if now + 1 >= *end + Cycles::from(packet_cycles) {
            *passed += 1;
            *end = now + 1;
        }
    }

    /// The first cycle in which the 1 + ipd packet times since the last packet have gone by, or an earlier one than that of
    /// the last change of the packet time.
    pub fn due(&self, ipd: u32) -> Cycles {
        self.since.map_or(0, |PacketTimes { passed, end }| match (ipd + 1).checked_sub(passed) {
            Some(rest) => end + Cycles::from(self.packet_cycles) * Cycles::from(rest),
            None => 0,
        })
    }

    /// Whether a packet may go in cycle `now`.
    pub fn may_go(&self, now: Cycles, ipd: u32, feedback_ready: bool) -> bool {
        now >= self.due(ipd) && !self.outstanding && feedback_ready
    }

    /// Whether an ACK in this cycle belongs to no packet.
    pub fn is_stray(&self) -> bool {
        !self.outstanding || self.feedback.is_some()
    }

    /// Ends cycle `now`.
    pub fn edge(&mut self, now: Cycles, granted: bool, ack: Option<bool>, feedback_ready: bool) {
        let ack = ack.filter(|_| !self.is_stray());
        if self.feedback.is_some() && feedback_ready {
            (self.outstanding, self.feedback) = (false, None);
        }
        self.feedback = self.feedback.or(ack);
        if granted {
            (self.since, self.outstanding) = (Some(PacketTimes { passed: 0, end: now }), true);
        }
    }
}

/// The rate of a source, which shows the rates that an ACK buys one after the other.
#[derive(Clone, Debug)]
pub struct Climb {
    source: Source,
    /// Rates that the last ACK bought.
    bought: u32,
    /// The cycle behind that in which it was taken.
    from: Cycles,
}

impl Climb {
    /// After a reset that ends with cycle 0.
    pub fn new(source: Source) -> Self {
        Climb { source, bought: 0, from: 0 }
    }

    /// Whether each new flow keeps the rate, from now on.
    pub fn set_persistent(&mut self, persistent: bool) {
        self.source.set_persistent(persistent);
    }

    /// Whether an ACK is taken in cycle `now`.
    pub fn is_ready(&self, now: Cycles) -> bool {
        now + 1 >= self.from + ACK_LATENCY + RATE_LATENCY * Cycles::from(self.bought)
    }

    /// The delay that shows in cycle `now`.
    pub fn ipd(&self, now: Cycles) -> u32 {
        let shown = ((now - self.from) / RATE_LATENCY).min(self.bought.into()) as u32;
        u32::from(self.source.ipd()) + self.bought - shown
    }

    /// Ends cycle `now`, in which there was an ACK, marked or not, or none, and a new flow or none.
    pub fn edge(&mut self, now: Cycles, ack: Option<bool>, flow_start: bool) {
        if flow_start && self.source.start_flow() {
            (self.bought, self.from) = (0, now + 1);
        } else if let Some(marked) = ack.filter(|_| self.is_ready(now)) {
            self.bought = self.source.acknowledge(marked);
            self.from = now + 1;
        }
    }
}

/// What a source does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceCycle {
    /// A packet starts.
    pub granted: bool,
    /// The ACK of this cycle belongs to a packet.
    pub acknowledged: bool,
    /// The delay that shows in this cycle.
    pub ipd: u32,
}

/// A source.
#[derive(Clone, Debug)]
pub struct SourceModel {
    pace: Pace,
    climb: Climb,
}

impl SourceModel {
    /// After reset.
    pub fn new(source: Source, packet_cycles: u32) -> Self {
        SourceModel { pace: Pace::new(packet_cycles), climb: Climb::new(source) }
    }

    /// The next cycle, not before `now`, in which it must be called even without an ACK or a new flow. `request`: a packet
    /// waits.
    pub fn next(&self, now: Cycles, request: bool) -> Cycles {
        if !self.climb.is_ready(now) || self.pace.feedback.is_some() {
            now
        } else if self.pace.outstanding || !request {
            NEVER
        } else {
            self.pace.due(self.climb.ipd(now)).max(now)
        }
    }

    /// Cycle `now`: a packet waits or none, an ACK, marked or not, or none, and a new flow or none.
    pub fn cycle(&mut self, now: Cycles, request: bool, ack: Option<bool>, flow_start: bool) -> SourceCycle {
        let (ipd, ready, stray) = (self.climb.ipd(now), self.climb.is_ready(now), self.pace.is_stray());
        let feedback = self.pace.feedback;
        let granted = request && self.pace.may_go(now, ipd, ready);
        self.pace.edge(now, granted, ack, ready);
        self.climb.edge(now, feedback, flow_start);
        SourceCycle { granted, acknowledged: ack.is_some() && !stray, ipd }
    }
}
