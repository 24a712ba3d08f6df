// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's operations on rates that are stored outside, at the ports.

use crate::qcn::model::{Operation, StepBlock};
use crate::qcn::rule::{CalculatorParameters, Ended, Rates};
use crate::reference::{Reference, columns, parameters_there};
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::{Cycles, Rate};

columns!(
    reset,
    start_decrease,
    start_byte,
    start_time,
    quantized_feedback,
    moves_target,
    line_rate,
    increase_stage,
    rate,
    target,
    byte_stage,
    time_stage,
    busy,
    target_changes,
    new_target,
    changes,
    new_rate,
    reaches_line_rate,
    new_byte_stage,
    new_time_stage,
);

/// The model that `sim` runs. No operation starts while another one is done; rate, target and stages are held until
/// they change.
pub struct QcnStep {
    at: Columns,
    ports: Vec<Port>,
    /// That of the cycle before.
    increase_stage: u8,
    model: StepBlock,
    now: Cycles,
}

impl QcnStep {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let model = StepBlock::new(CalculatorParameters::read("", &|_| 0));
        QcnStep { at: Columns::of(ports), ports: ports.to_vec(), increase_stage: 0, model, now: 0 }
    }
}

impl Reference for QcnStep {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let (target, change) = (self.model.target(self.now), self.model.change(self.now));
        row[at.busy] = self.model.busy(self.now).into();
        row[at.target_changes] = target.is_some().into();
        row[at.changes] = change.is_some().into();
        if let Some(target) = target {
            row[at.new_target] = target.0;
        }
        if let Some(Rates { rate, byte_stage, time_stage, .. }) = change {
            row[at.new_rate] = rate.0;
            row[at.reaches_line_rate] = u32::from(rate.0 == row[at.line_rate]);
            (row[at.new_byte_stage], row[at.new_time_stage]) = (byte_stage.into(), time_stage.into());
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.model, self.now) = (StepBlock::new(parameters_there(&self.ports, row)), 0);
            self.increase_stage = row[at.increase_stage] as u8;
            return;
        }
        let parameters: CalculatorParameters = parameters_there(&self.ports, row);
        // The stages are compared with what a register has.
        self.model.set_parameters(CalculatorParameters { increase_stage: self.increase_stage, ..parameters });
        self.increase_stage = parameters.increase_stage;
        let operation = if row[at.start_decrease] != 0 {
            let quantized_feedback = row[at.quantized_feedback] as u16;
            Some(Operation::Decrease { quantized_feedback, moves_target: row[at.moves_target] != 0 })
        } else if row[at.start_byte] != 0 {
            Some(Operation::Increase(Ended::ByteCycle))
        } else if row[at.start_time] != 0 {
            Some(Operation::Increase(Ended::TimerPeriod))
        } else {
            None
        };
        if let Some(operation) = operation {
            let (rate, target) = (Rate(row[at.rate]), Rate(row[at.target]));
            let (byte_stage, time_stage) = (row[at.byte_stage] as u8, row[at.time_stage] as u8);
            self.model.start(self.now, operation, Rates { rate, target, byte_stage, time_stage });
        }
        self.now += 1;
    }

    fn settled(&self) -> bool {
        !self.model.busy(self.now)
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "new_target" => Some("target_changes"),
            "new_rate" | "reaches_line_rate" | "new_byte_stage" | "new_time_stage" => Some("changes"),
            _ => None,
        }
    }
}
