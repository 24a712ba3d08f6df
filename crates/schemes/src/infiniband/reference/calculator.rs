// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand's calculator, at the ports.

use crate::infiniband::model::Climb;
use crate::infiniband::rule::Source;
use crate::reference::{Reference, columns};
use tidegate_circuits::response::{RESPONSES, Response};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::units::Cycles;

columns!(reset, feedback_valid, feedback_ready, feedback_marked, flow_start, persistent, ipd,);

/// The values for which a circuit is generated; they make the model for a reset.
#[derive(Clone, Copy)]
pub struct Generated {
    response: Response,
    decrease_factor: u32,
    rate_steps: u32,
}

impl Generated {
    /// The values of this circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let value = |key: &str| circuit.generated.iter().find(|(name, _)| *name == key).map(|&(_, value)| value as u32);
        let value = |key: &str| value(key).unwrap_or_else(|| panic!("{} does not say its {key}", circuit.module));
        let response = RESPONSES[value("response") as usize];
        Generated { response, decrease_factor: value("decrease_factor"), rate_steps: value("rate_steps") }
    }

    /// The model after a reset; the port `persistent` says in each cycle whether the rate is.
    pub fn reset(self) -> Climb {
        Climb::new(Source::new(self.response, self.decrease_factor, self.rate_steps, false))
    }
}

/// The calculator alone.
pub struct InfiniBandCalculator {
    at: Columns,
    generated: Generated,
    climb: Climb,
    now: Cycles,
}

impl InfiniBandCalculator {
    /// Before the first reset.
    pub fn new(circuit: &Circuit) -> Self {
        let generated = Generated::of(circuit);
        InfiniBandCalculator { at: Columns::of(&circuit.ports), generated, climb: generated.reset(), now: 0 }
    }
}

impl Reference for InfiniBandCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        self.climb.set_persistent(row[self.at.persistent] != 0);
        row[self.at.feedback_ready] = self.climb.is_ready(self.now).into();
        row[self.at.ipd] = self.climb.ipd(self.now);
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.climb, self.now) = (self.generated.reset(), 0);
            return;
        }
        let ack = (row[at.feedback_valid] != 0).then_some(row[at.feedback_marked] != 0);
        self.climb.edge(self.now, ack, row[at.flow_start] != 0);
        self.now += 1;
    }
}
