// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's calculator, at the ports.

use crate::model::codec::Payload;
use crate::model::device::Calculator;
use crate::qcn::model::{CalculatorBlock, OPERATION_LATENCY};
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
        let model = CalculatorBlock::new(none, OPERATION_LATENCY);
        QcnCalculator { at: Columns::of(ports), ports: ports.to_vec(), before: [none; 2], model, now: 0 }
    }
}

/// What stands at the outputs in cycle `now`.
pub(super) fn write_outputs(at: &Columns, model: &mut CalculatorBlock, now: Cycles, row: &mut [u32]) {
    let (state, ready) = model.begin(now);
    let (target, byte_stage, time_stage) = state.target.expect("QCN has a target");
    row[at.feedback_ready] = u32::from(ready);
    row[at.current_rate] = state.current_rate.0;
    row[at.target_rate] = target.0;
    row[at.byte_stage] = byte_stage.into();
    row[at.time_stage] = time_stage.into();
}

/// The inputs but for parameters: the feedback that is offered, the length of the frame that is sent, whether the source
/// has none to send.
pub(super) fn read_inputs(at: &Columns, row: &[u32]) -> (Option<Feedback>, Option<u32>, bool) {
    let quantized_feedback = row[at.quantized_feedback] as u8;
    let feedback = (row[at.feedback_valid] != 0).then_some(Feedback { quantized_feedback, ..Feedback::default() });
    (feedback, (row[at.sent] != 0).then_some(row[at.sent_bytes]), row[at.source_empty] != 0)
}

impl Reference for QcnCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        write_outputs(&self.at, &mut self.model, self.now, row);
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let parameters: CalculatorParameters = parameters(&self.ports, row);
        if row[at.reset] != 0 {
            (self.model, self.now, self.before) =
                (CalculatorBlock::new(parameters, OPERATION_LATENCY), 0, [parameters; 2]);
            return;
        }
        // Bounds of byte cycle and timer come from registers, and what is made of `half_stage` from two in a row.
        let [last, last_but_one] = self.before;
        let half_stage = last_but_one.half_stage;
        let (byte_cycle, timer) = (last.byte_cycle, last.timer);
        self.model.set_registers(self.now, CalculatorParameters { half_stage, byte_cycle, timer, ..parameters });
        self.before = [parameters, last];
        let (feedback, sent, source_empty) = read_inputs(at, row);
        self.model.cycle(self.now, feedback.map(Payload::from).as_ref(), sent, source_empty);
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.model.rests(self.now)
    }
}
