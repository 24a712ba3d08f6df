// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's calculator, at the ports.

use crate::model::device::Calculator;
use crate::qcn::model::CalculatorBlock;
use crate::qcn::rule::CalculatorParameters;
use crate::reference::{Reference, columns, parameters};
use crate::scheme::Feedback;
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

columns!(
    reset,
    feedback_valid,
    feedback_ready,
    quantized_feedback,
    sent,
    sent_bytes,
    source_empty,
    current_rate,
    target_rate,
    byte_stage,
    time_stage
);

/// The model that `sim` runs: one operation at a time, twelve cycles each. The periods must leave time for the end of a
/// byte cycle, the end of a timer period and a feedback; the validator checks this.
pub struct QcnCalculator {
    at: Columns,
    ports: Vec<Port>,
    /// The parameters of the two cycles before.
    before: [CalculatorParameters; 2],
    model: CalculatorBlock,
    now: Cycles,
}

impl QcnCalculator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let none = CalculatorParameters::read("", &|_| 0);
        let model = CalculatorBlock::new(none);
        QcnCalculator { at: Columns::of(ports), ports: ports.to_vec(), before: [none; 2], model, now: 0 }
    }
}

impl Reference for QcnCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        let (state, ready) = self.model.begin(self.now);
        let (target, byte_stage, time_stage) = state.target.expect("QCN has a target");
        row[self.at.feedback_ready] = u32::from(ready);
        row[self.at.current_rate] = state.current_rate.0;
        row[self.at.target_rate] = target.0;
        row[self.at.byte_stage] = byte_stage.into();
        row[self.at.time_stage] = time_stage.into();
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let parameters: CalculatorParameters = parameters(&self.ports, row);
        if row[at.reset] != 0 {
            (self.model, self.now, self.before) = (CalculatorBlock::new(parameters), 0, [parameters; 2]);
            return;
        }
        // Bounds of byte cycle and timer come from registers, and what is made of `half_stage` from two in a row.
        let [last, last_but_one] = self.before;
        let half_stage = last_but_one.half_stage;
        let (byte_cycle, timer) = (last.byte_cycle, last.timer);
        self.model.set_registers(self.now, CalculatorParameters { half_stage, byte_cycle, timer, ..parameters });
        self.before = [parameters, last];
        let quantized_feedback = row[at.quantized_feedback] as u8;
        let feedback = (row[at.feedback_valid] != 0).then_some(Feedback { quantized_feedback, ..Feedback::default() });
        let sent = (row[at.sent] != 0).then_some(row[at.sent_bytes]);
        self.model.cycle(self.now, feedback.as_ref(), sent, row[at.source_empty] != 0);
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.model.rests(self.now)
    }
}
