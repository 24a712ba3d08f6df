// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's byte cycles and timer periods of many flows, at the ports.

use crate::qcn::flow_stages::{StagesBlock, StagesChange, StagesInputs, Start};
use crate::qcn::rule::{CalculatorParameters, Ended};
use crate::reference::{Reference, columns, parameters_there};
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::{Circuit, Port};
use tidegate_core::units::Rate;

columns!(
    reset,
    sent,
    sent_flow,
    sent_bytes,
    sent_ready,
    feedback_valid,
    feedback_flow,
    feedback_ready,
    rate_wanted,
    flow,
    rate_valid,
    rate_waits,
    rate_taken,
    start_decrease,
    start_byte,
    start_time,
    moves_target,
    target,
    byte_stage,
    time_stage,
    target_changes,
    new_target,
    changes,
    reaches_line_rate,
    new_byte_stage,
    new_time_stage,
);

/// The model that `sim` runs. An operation of the calculator changes the target in the cycle before it ends, or not at
/// all.
pub struct FlowStages {
    at: Columns,
    ports: Vec<Port>,
    flows: usize,
    /// The parameters of the two cycles before.
    before: [CalculatorParameters; 2],
    model: StagesBlock,
}

impl FlowStages {
    /// Before the first reset.
    pub fn new(circuit: &Circuit) -> Self {
        let (at, ports, flows) = (Columns::of(&circuit.ports), circuit.ports.clone(), circuit.flows() as usize);
        let none = CalculatorParameters::read("", &|_| 0);
        FlowStages { at, ports, flows, before: [none; 2], model: StagesBlock::new(flows, none) }
    }
}

impl Reference for FlowStages {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let (model, read, changes) = (&self.model, row[at.rate_valid] != 0, row[at.changes] != 0);
        let start = model.start().filter(|_| read);
        let wanted = model.rate_wanted();
        row[at.sent_ready] = model.sent_ready().into();
        row[at.feedback_ready] = matches!(start, Some(Start::Decrease { .. })).into();
        row[at.rate_wanted] = wanted.is_some().into();
        row[at.rate_taken] = (read && model.rate_taken(changes)).into();
        row[at.start_decrease] = row[at.feedback_ready];
        row[at.start_byte] = (start == Some(Start::Increase(Ended::ByteCycle))).into();
        row[at.start_time] = (start == Some(Start::Increase(Ended::TimerPeriod))).into();
        row[at.moves_target] = (start == Some(Start::Decrease { moves_target: true })).into();
        if let Some(flow) = wanted {
            let rates = model.rates(flow, Rate(0));
            row[at.flow] = flow.into();
            row[at.target] = rates.target.0;
            (row[at.byte_stage], row[at.time_stage]) = (rates.byte_stage.into(), rates.time_stage.into());
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            let parameters = parameters_there(&self.ports, row);
            (self.model, self.before) = (StagesBlock::new(self.flows, parameters), [parameters; 2]);
            return;
        }
        // Bounds of byte cycle and timer come from registers, and what is made of `half_stage` from two in a row.
        let parameters: CalculatorParameters = parameters_there(&self.ports, row);
        let [last, last_but_one] = self.before;
        let half_stage = last_but_one.half_stage;
        let (byte_cycle, timer) = (last.byte_cycle, last.timer);
        let registers = CalculatorParameters { half_stage, byte_cycle, timer, ..parameters };
        self.model.set_registers(registers, parameters.timer.low > 0);
        self.before = [parameters, last];
        self.model.cycle(&StagesInputs {
            feedback: (row[at.feedback_valid] != 0).then_some(row[at.feedback_flow] as u16),
            rate_waits: (row[at.rate_valid] != 0).then_some(row[at.rate_waits] != 0),
            target: (row[at.target_changes] != 0).then_some(Rate(row[at.new_target])),
            change: (row[at.changes] != 0).then_some(StagesChange {
                at_line_rate: row[at.reaches_line_rate] != 0,
                byte_stage: row[at.new_byte_stage] as u8,
                time_stage: row[at.new_time_stage] as u8,
            }),
        });
        if row[at.sent] != 0 {
            self.model.count(row[at.sent_flow] as u16, row[at.sent_bytes]);
        }
    }

    fn settled(&self) -> bool {
        self.model.rests()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "moves_target" => Some("start_decrease"),
            "flow" | "target" | "byte_stage" | "time_stage" => Some("rate_wanted"),
            _ => None,
        }
    }
}
