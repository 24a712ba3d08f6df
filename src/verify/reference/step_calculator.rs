//! Calculators that turn each feedback into one step of the rate, at the ports.

use super::{column, columns, Reference};
use crate::model::device::Calculator;
use crate::model::step::{StepLatency, StepModel};
use crate::model::{asm as asm_model, dsm as dsm_model, smcc as smcc_model};
use crate::rtl::circuit::Port;
use crate::scheme::{asm, dsm, smcc, Feedback, Stepping};
use crate::units::{Cycles, Rate};

columns!(reset, feedback_valid, feedback_ready, q_offset_units, q_delta_units, cpid_high, cpid_low, current_rate);

/// The value of a parameter port.
type Values<'a> = &'a dyn Fn(&str) -> u32;

/// The model that `sim` runs. The minimum rate must not be above the line rate. Feedback must be held until it is
/// taken.
pub struct StepCalculator<A> {
    at: Columns,
    ports: Vec<Port>,
    algorithm: fn(Values) -> A,
    latency: StepLatency,
    model: StepModel<A>,
    now: Cycles,
}

impl<A: Stepping> StepCalculator<A> {
    fn new(ports: &[Port], algorithm: fn(Values) -> A, latency: StepLatency) -> Self {
        let model = StepModel::new(algorithm(&|_| 0), latency);
        StepCalculator { at: Columns::of(ports), ports: ports.to_vec(), algorithm, latency, model, now: 0 }
    }
}

fn cpid_mask(value: Values) -> u64 {
    u64::from(value("cpid_mask_high")) << 32 | u64::from(value("cpid_mask_low"))
}

/// The reference of SMCC's calculator.
pub fn smcc(ports: &[Port]) -> Box<dyn Reference> {
    let algorithm = |value: Values| {
        smcc::ReactionPoint::new(smcc::CalculatorParameters {
            line_rate: Rate(value("line_rate")),
            min_rate: Rate(value("min_rate")),
            gain_a: value("gain_a"),
            gain_a_small: value("gain_a_small"),
            gain_b: value("gain_b"),
            t1_units: value("t1_units") as u16,
            cpid_mask: cpid_mask(value),
        })
    };
    Box::new(StepCalculator::new(ports, algorithm, smcc_model::STEP_LATENCY))
}

/// The reference of ASM's calculator.
pub fn asm(ports: &[Port]) -> Box<dyn Reference> {
    let algorithm = |value: Values| {
        let coefficients = |set: &str| asm::Coefficients {
            alpha_between: value(&format!("{set}_alpha_between")),
            beta_between: value(&format!("{set}_beta_between")),
            alpha_outside: value(&format!("{set}_alpha_outside")),
            beta_outside: value(&format!("{set}_beta_outside")),
        };
        asm::ReactionPoint::new(asm::CalculatorParameters {
            line_rate: Rate(value("line_rate")),
            min_rate: Rate(value("min_rate")),
            weight: value("weight"),
            approach: coefficients("approach"),
            sliding: coefficients("sliding"),
            b_sigma_units: value("b_sigma_units"),
            b_zero_units: value("b_zero_units"),
            cpid_mask: cpid_mask(value),
        })
    };
    Box::new(StepCalculator::new(ports, algorithm, asm_model::STEP_LATENCY))
}

/// The reference of DSM's calculator.
pub fn dsm(ports: &[Port]) -> Box<dyn Reference> {
    let algorithm = |value: Values| {
        dsm::ReactionPoint::new(dsm::CalculatorParameters {
            line_rate: Rate(value("line_rate")),
            min_rate: Rate(value("min_rate")),
            cpid_mask: cpid_mask(value),
        })
    };
    Box::new(StepCalculator::new(ports, algorithm, dsm_model::STEP_LATENCY))
}

impl<A: Stepping> Reference for StepCalculator<A> {
    fn outputs(&mut self, row: &mut [u32]) {
        let (state, taken) = self.model.begin(self.now, row[self.at.feedback_valid] != 0);
        row[self.at.feedback_ready] = u32::from(taken || self.latency.taken == 0);
        row[self.at.current_rate] = state.current_rate.0;
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            let algorithm = (self.algorithm)(&|name| row[column(&self.ports, name)]);
            (self.model, self.now) = (StepModel::new(algorithm, self.latency), 0);
            return;
        }
        let feedback = (row[at.feedback_valid] != 0).then(|| Feedback {
            quantized_feedback: 0,
            q_offset: row[at.q_offset_units] as u16 as i16,
            q_delta: row[at.q_delta_units] as u16 as i16,
            cpid: u64::from(row[at.cpid_high]) << 32 | u64::from(row[at.cpid_low]),
        });
        self.model.cycle(self.now, feedback.as_ref(), None, false);
        self.now += 1;
    }
}
