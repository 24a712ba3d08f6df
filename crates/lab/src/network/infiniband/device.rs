// SPDX-License-Identifier: MIT OR Apache-2.0
//! The devices that are models or circuits: the marking of a switch, and the reaction point of a source.

use tidegate_core::units::Cycles;
use tidegate_schemes::infiniband::model::{SourceCycle, SourceModel};
use tidegate_schemes::infiniband::rule::{Counters, Events, Marking};

/// The marking of a switch.
pub trait Marker {
    /// Cycle `now`, in which something happens: for each packet that leaves, whether it is marked, is added to `marks`.
    fn cycle(&mut self, now: Cycles, events: &Events, marks: &mut Vec<bool>);
    /// The counters of an output after the last cycle.
    fn counters(&mut self, output: usize) -> Counters;
}

impl Marker for Marking {
    #[inline]
    fn cycle(&mut self, _now: Cycles, events: &Events, marks: &mut Vec<bool>) {
        self.apply(events, marks).expect("a sender has a credit, and a packet leaves that has entered");
    }

    #[inline]
    fn counters(&mut self, output: usize) -> Counters {
        Marking::counters(self, output)
    }
}

/// The reaction point of a source: a window of one packet, and a rate.
pub trait ReactionPoint {
    /// The next cycle, not before `now`, in which it must be called even without an ACK or a new flow. `request`: a packet
    /// waits.
    fn next(&self, now: Cycles, request: bool) -> Cycles;
    /// Cycle `now`: a packet waits or none, an ACK, marked or not, or none, and a new flow or none.
    fn cycle(&mut self, now: Cycles, request: bool, ack: Option<bool>, flow_start: bool) -> SourceCycle;
}

impl ReactionPoint for SourceModel {
    #[inline]
    fn next(&self, now: Cycles, request: bool) -> Cycles {
        SourceModel::next(self, now, request)
    }

    #[inline]
    fn cycle(&mut self, now: Cycles, request: bool, ack: Option<bool>, flow_start: bool) -> SourceCycle {
        SourceModel::cycle(self, now, request, ack, flow_start)
    }
}
