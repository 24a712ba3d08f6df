// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's answer to a feedback at a rate that is stored outside, at the ports.

use crate::bcn::model::OPERATION_LATENCY;
use crate::bcn::rule::{CalculatorParameters, Outcome, ReactionPoint};
use crate::model::step::Taking;
use crate::reference::{Reference, columns, feedback, parameters};
use crate::scheme::Feedback;
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::ports::Ports;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::{Cycles, Rate};

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
    taking: Taking,
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
            taking: Taking::new(OPERATION_LATENCY),
            stop: None,
            now: 0,
        }
    }

    /// The calculator with the feedback at the ports.
    fn offered(&self, row: &[u32]) -> (ReactionPoint, Feedback) {
        let at = &self.at;
        let mut calculator = self.calculator.clone().at(Rate(row[at.rate]), row[at.stopped] != 0);
        calculator.set_parameters(parameters(&self.ports, row));
        let cpid = calculator.last_decrease().example(row[at.same_point] != 0);
        let feedback = feedback(row[at.q_offset_units], row[at.q_delta_units], cpid);
        (calculator, feedback)
    }
}

fn calculator(parameters: CalculatorParameters) -> ReactionPoint {
    ReactionPoint::new(parameters, CpidParameters::WHOLE)
}

impl Reference for BcnStep {
    fn outputs(&mut self, row: &mut [u32]) {
        let taken = self.taking.taken(self.now, row[self.at.feedback_valid] != 0);
        let at = &self.at;
        row[at.feedback_ready] = taken.into();
        row[at.idle] = (!self.taking.works(self.now)).into();
        (row[at.remember], row[at.changes]) = (0, 0);
        let mut stop = self.stop;
        if taken {
            let (mut calculator, feedback) = self.offered(row);
            row[at.remember] = calculator.remembers(&feedback).into();
            let outcome = calculator.answer(feedback, &mut self.random.clone());
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
            (self.random, self.stop, self.now) = (row[at.seed] as u16, None, 0);
            self.taking.end();
            return;
        }
        if row[at.feedback_ready] != 0 {
            let (mut calculator, feedback) = self.offered(row);
            self.stop = calculator.answer(feedback, &mut self.random).stop();
            self.taking.end();
        } else if row[at.feedback_valid] != 0 {
            self.stop = None;
        }
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.taking.at().is_none()
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
