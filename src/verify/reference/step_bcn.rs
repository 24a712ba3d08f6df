//! BCN's answer to a feedback at a rate that is stored outside, at the ports.

use super::{Reference, columns, parameters};
use crate::model::bcn::{CalculatorBlock, StepBlock};
use crate::rtl::circuit::Port;
use crate::scheme::Feedback;
use crate::scheme::bcn::{CalculatorParameters, Outcome, ReactionPoint};
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::ports::Ports;
use crate::units::{Cycles, Rate};

columns!(
    reset,
    feedback_valid,
    feedback_ready,
    q_offset_units,
    q_delta_units,
    same_point,
    remember,
    seed,
    rate,
    stopped,
    idle,
    changes,
    new_rate,
    stops,
    wait_cycles,
);

/// The model that `sim` runs, at the rate of the feedback. The rate is between minimum and line rate, or 0 if the
/// source is stopped.
pub struct BcnStep {
    at: Columns,
    ports: Vec<Port>,
    calculator: ReactionPoint,
    random: u16,
    step: StepBlock,
    /// The last feedback stopped its source for so long; until the next feedback comes.
    stop: Option<Cycles>,
    now: Cycles,
}

impl BcnStep {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        BcnStep {
            at: Columns::of(ports),
            ports: ports.to_vec(),
            calculator: calculator(CalculatorParameters::read("", &|_| 0)),
            random: 0,
            step: StepBlock::default(),
            stop: None,
            now: 0,
        }
    }

    /// The calculator with the feedback at the ports.
    fn offered(&self, row: &[u32]) -> (ReactionPoint, Feedback) {
        let at = &self.at;
        let mut calculator = self.calculator.clone().at(Rate(row[at.rate]), row[at.stopped] != 0);
        let feedback = Feedback {
            quantized_feedback: 0,
            q_offset: row[at.q_offset_units] as u16 as i16,
            q_delta: row[at.q_delta_units] as u16 as i16,
            cpid: calculator.last_decrease().example(row[at.same_point] != 0),
        };
        (calculator, feedback)
    }

    /// The effect of the feedback that is taken, and the next random number.
    fn answer(&self, row: &[u32]) -> (Outcome, u16) {
        let (mut calculator, feedback) = self.offered(row);
        let mut random = self.random;
        (calculator.answer(feedback, &mut random), random)
    }
}

fn calculator(parameters: CalculatorParameters) -> ReactionPoint {
    ReactionPoint::new(parameters, CpidParameters::WHOLE)
}

impl Reference for BcnStep {
    fn outputs(&mut self, row: &mut [u32]) {
        let taken = self.step.taken(self.now, row[self.at.feedback_valid] != 0);
        let at = &self.at;
        row[at.feedback_ready] = taken.into();
        row[at.idle] = (!self.step.works(self.now)).into();
        (row[at.remember], row[at.changes]) = (0, 0);
        let mut stop = self.stop;
        if taken {
            let (calculator, feedback) = self.offered(row);
            let (outcome, _) = self.answer(row);
            row[at.remember] = CalculatorBlock::new(calculator).remembers(&feedback).into();
            row[at.changes] = (outcome != Outcome::Nothing).into();
            row[at.new_rate] = if let Outcome::Rate(rate) = outcome { rate.0 } else { 0 };
            stop = outcome.stop();
        }
        row[at.stops] = stop.is_some().into();
        row[at.wait_cycles] = stop.map_or(0, |wait| wait as u32);
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.calculator = calculator(parameters(&self.ports, row));
            (self.random, self.step, self.stop, self.now) = (row[at.seed] as u16, StepBlock::default(), None, 0);
            return;
        }
        if row[at.feedback_ready] != 0 {
            let (outcome, random) = self.answer(row);
            (self.random, self.step, self.stop) = (random, StepBlock::default(), outcome.stop());
        } else if row[at.feedback_valid] != 0 {
            self.stop = None;
        }
        self.now += 1;
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "new_rate" | "stops" => Some("changes"),
            // Also after the stop, until the next feedback: `stops` of this reference is high so long.
            "wait_cycles" => Some("stops"),
            _ => None,
        }
    }
}
