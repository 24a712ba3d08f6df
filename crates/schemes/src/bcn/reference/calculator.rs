// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's calculator, at the ports.

use crate::bcn::model::CalculatorBlock;
use crate::bcn::rule::{CalculatorParameters, ReactionPoint};
use crate::model::codec::Payload;
use crate::model::device::Calculator;
use crate::reference::{Reference, columns, feedback, parameters};
use crate::scheme::Feedback;
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

columns!(reset, feedback_valid, feedback_ready, q_offset_units, q_delta_units, same_point, remember, current_rate);

/// The model that `sim` runs. The minimum rate must not be above the line rate, and G_d·63 not above 1. Feedback must
/// be held until it is taken.
pub struct BcnCalculator {
    at: Columns,
    ports: Vec<Port>,
    model: CalculatorBlock,
    now: Cycles,
}

impl BcnCalculator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let model = model(CalculatorParameters::read("", &|_| 0));
        BcnCalculator { at: Columns::of(ports), ports: ports.to_vec(), model, now: 0 }
    }

    /// The feedback at the ports. Of its congestion point only is known whether it is that of the last decrease.
    fn feedback(&mut self, row: &[u32]) -> Option<Feedback> {
        let at = &self.at;
        (row[at.feedback_valid] != 0).then(|| {
            let cpid = self.model.point(row[at.same_point] != 0);
            feedback(row[at.q_offset_units], row[at.q_delta_units], cpid)
        })
    }
}

fn model(parameters: CalculatorParameters) -> CalculatorBlock {
    CalculatorBlock::new(ReactionPoint::new(parameters, CpidParameters::WHOLE))
}

impl Reference for BcnCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        let (state, taken) = self.model.begin(self.now, row[self.at.feedback_valid] != 0);
        row[self.at.feedback_ready] = u32::from(taken);
        let remembers = taken && self.feedback(row).is_some_and(|feedback| self.model.remembers(&feedback));
        row[self.at.remember] = u32::from(remembers);
        row[self.at.current_rate] = state.current_rate.0;
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.model, self.now) = (model(parameters(&self.ports, row)), 0);
            return;
        }
        self.model.set_parameters(parameters(&self.ports, row));
        let feedback = self.feedback(row);
        self.model.cycle(self.now, feedback.map(Payload::from).as_ref(), None, false);
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.model.rests()
    }
}
