// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's stops of many flows, at the ports.

use crate::bcn::flow_stops::StopsBlock;
use crate::reference::{Reference, columns};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::units::Cycles;

columns!(
    reset,
    min_rate,
    feedback_valid,
    feedback_flow,
    rate_wanted,
    flow,
    rate_valid,
    rate_taken,
    change,
    change_rate,
    works,
    stopped,
    feedback_ready,
    changes,
    new_rate,
    stops,
    wait_cycles,
);

/// The model that `sim` runs.
pub struct FlowStops {
    at: Columns,
    flows: usize,
    model: StopsBlock,
}

impl FlowStops {
    /// Before the first reset.
    pub fn new(circuit: &Circuit) -> Self {
        let flows = circuit.flows() as usize;
        FlowStops { at: Columns::of(&circuit.ports), flows, model: StopsBlock::new(flows) }
    }
}

impl Reference for FlowStops {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let read = row[at.rate_valid] != 0;
        let wanted = self.model.rate_wanted();
        let works = self.model.works().filter(|_| read);
        let restarts = self.model.restarts().is_some() && read;
        row[at.rate_wanted] = wanted.is_some().into();
        row[at.flow] = wanted.map_or(0, u32::from);
        row[at.works] = works.is_some().into();
        row[at.stopped] = works.is_some_and(|flow| self.model.stopped(flow)).into();
        row[at.rate_taken] = u32::from(restarts) | row[at.feedback_ready];
        row[at.change] = u32::from(restarts) | row[at.changes];
        row[at.change_rate] = row[if restarts { at.min_rate } else { at.new_rate }];
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.model = StopsBlock::new(self.flows);
            return;
        }
        let feedback = (row[at.feedback_valid] != 0).then_some(row[at.feedback_flow] as u16);
        let stops = row[at.changes] != 0 && row[at.stops] != 0;
        let wait = stops.then_some(Cycles::from(row[at.wait_cycles]));
        let taken = (row[at.feedback_ready] != 0).then_some(wait);
        self.model.cycle(feedback, row[at.rate_valid] != 0, taken);
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "flow" => Some("rate_wanted"),
            "stopped" => Some("works"),
            "change_rate" => Some("change"),
            _ => None,
        }
    }
}
