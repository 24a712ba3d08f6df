//! InfiniBand's calculator, at the ports.

use super::{columns, Reference};
use crate::emit::Port;
use crate::response::RESPONSES;
use crate::scheme::infiniband::Source;
use crate::units::Cycles;

columns!(reset, feedback_valid, feedback_ready, feedback_marked, flow_start, response, persistent, ipd,);

/// Cycles from an ACK, a new flow or a reset until the next ACK is taken, where no rate is bought; each rate takes as many as a
/// look at the table.
const LATENCY: Cycles = 5;
const LOOK: Cycles = 4;

/// The model's source, which shows the rates that an ACK buys one after the other.
pub struct Climb {
    source: Source,
    /// Rates that the last ACK bought.
    bought: u32,
    /// Cycles since it was taken.
    since: Cycles,
}

impl Climb {
    /// After a reset, with the values of `response` and `persistent`.
    pub fn new(response: u32, persistent: u32) -> Self {
        let source = Source::new(RESPONSES[response as usize % 3], 2, 256, persistent != 0);
        Climb { source, bought: 0, since: 1 }
    }

    /// Whether an ACK is taken in this cycle.
    pub fn is_ready(&self) -> bool {
        self.since >= LATENCY + LOOK * Cycles::from(self.bought)
    }

    /// The delay that shows in this cycle.
    pub fn ipd(&self) -> u32 {
        let shown = (self.since.saturating_sub(1) / LOOK).min(self.bought.into()) as u32;
        u32::from(self.source.ipd()) + self.bought - shown
    }

    /// Ends a cycle in which there was an ACK, marked or not, or none, and a new flow or none.
    pub fn edge(&mut self, ack: Option<bool>, flow_start: bool, persistent: bool) {
        self.since += 1;
        if flow_start && !persistent {
            self.source.start_flow();
            (self.bought, self.since) = (0, 1);
        } else if let Some(marked) = ack.filter(|_| self.since > LATENCY + LOOK * Cycles::from(self.bought)) {
            self.bought = self.source.acknowledge(marked);
            self.since = 1;
        }
    }
}

/// The calculator alone.
pub struct InfiniBandCalculator {
    at: Columns,
    climb: Climb,
}

impl InfiniBandCalculator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        InfiniBandCalculator { at: Columns::of(ports), climb: Climb::new(0, 0) }
    }
}

impl Reference for InfiniBandCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        row[self.at.feedback_ready] = self.climb.is_ready().into();
        row[self.at.ipd] = self.climb.ipd();
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.climb = Climb::new(row[at.response], row[at.persistent]);
            return;
        }
        let ack = (row[at.feedback_valid] != 0).then_some(row[at.feedback_marked] != 0);
        self.climb.edge(ack, row[at.flow_start] != 0, row[at.persistent] != 0);
    }
}
