// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's calculator with registers of 32 bits, at the ports.

use super::calculator::{Columns, read_inputs, write_outputs};
use crate::model::codec::Payload;
use crate::model::device::Calculator;
use crate::qcn::model::CalculatorBlock;
use crate::qcn::rule::CalculatorParameters;
use crate::reference::{Reference, column, parameters_there};
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

/// An operation shows in the cycle after the one in which it is taken.
const LATENCY: Cycles = 1;

/// The model that `sim` runs, with a latency of one cycle, without what the circuit lacks.
pub struct QcnCalculatorWide {
    at: Columns,
    ports: Vec<Port>,
    set: Option<Set>,
    model: CalculatorBlock,
    now: Cycles,
}

/// Byte cycle and timer period in registers: their columns, and the values.
pub struct Set {
    set_byte_cycle: usize,
    set_timer: usize,
    set_value: usize,
    byte_cycle: u32,
    timer: u32,
}

impl Set {
    /// Before the first reset.
    pub fn of(ports: &[Port]) -> Self {
        let [set_byte_cycle, set_timer, set_value] =
            ["set_byte_cycle", "set_timer", "set_value"].map(|name| column(ports, name));
        Set { set_byte_cycle, set_timer, set_value, byte_cycle: 0, timer: 0 }
    }
}

impl QcnCalculatorWide {
    /// Before the first reset.
    pub fn new(ports: &[Port], set: Option<Set>) -> Self {
        let model = CalculatorBlock::new(CalculatorParameters::read("", &|_| 0), LATENCY);
        QcnCalculatorWide { at: Columns::of(ports), ports: ports.to_vec(), set, model, now: 0 }
    }
}

impl Reference for QcnCalculatorWide {
    fn outputs(&mut self, row: &mut [u32]) {
        write_outputs(&self.at, &mut self.model, self.now, row);
    }

    fn edge(&mut self, row: &[u32]) {
        let mut parameters: CalculatorParameters = parameters_there(&self.ports, row);
        if row[self.at.reset] != 0 {
            (self.model, self.now) = (CalculatorBlock::new(parameters, LATENCY), 0);
            if let Some(set) = &mut self.set {
                (set.byte_cycle, set.timer) = (parameters.byte_cycle.low, parameters.timer.low);
            }
            return;
        }
        if let Some(set) = &mut self.set {
            (parameters.byte_cycle.low, parameters.timer.low) = (set.byte_cycle, set.timer);
            let value = row[set.set_value];
            if row[set.set_byte_cycle] != 0 && value != 0 {
                set.byte_cycle = value;
            }
            if row[set.set_timer] != 0 {
                set.timer = value;
            }
        }
        self.model.set_registers(self.now, parameters);
        let (feedback, sent, source_empty) = read_inputs(&self.at, row);
        self.model.cycle(self.now, feedback.map(Payload::from).as_ref(), sent, source_empty);
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.model.rests(self.now)
    }
}
