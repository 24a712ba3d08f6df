// SPDX-License-Identifier: MIT OR Apache-2.0
//! The step that each feedback is, at a rate that is stored outside, at the ports.

use super::{Reference, column, columns, feedback, parameters};
use crate::model::step::Taking;
use crate::scheme::Stepping;
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
    rate,
    changes,
    new_rate,
);

/// A rule with what is stored with a rate, if there is something: the port of its value, and of the new one.
pub trait Rule: Stepping + Clone {
    /// Names of both ports.
    const MODE: Option<(&str, &str)> = None;

    /// With this value.
    fn with_mode(self, _mode: bool) -> Self {
        self
    }

    /// The value.
    fn mode(&self) -> bool {
        false
    }
}

/// The model that `sim` runs, at the rate of the feedback. Feedback, rate and mode are held until the feedback is taken.
pub struct StepRule<P, A: Rule<Parameters = P>> {
    at: Columns,
    mode: Option<(usize, usize)>,
    ports: Vec<Port>,
    algorithm: fn(P, CpidParameters) -> A,
    rule: A,
    taking: Taking,
    now: Cycles,
}

impl<P: Ports, A: Rule<Parameters = P>> StepRule<P, A> {
    /// Before the first reset.
    pub fn new(ports: &[Port], latency: Cycles, algorithm: fn(P, CpidParameters) -> A) -> Self {
        StepRule {
            at: Columns::of(ports),
            mode: A::MODE.map(|(old, new)| (column(ports, old), column(ports, new))),
            ports: ports.to_vec(),
            algorithm,
            rule: algorithm(P::read("", &|_| 0), CpidParameters::WHOLE),
            taking: Taking::new(latency),
            now: 0,
        }
    }

    /// The rate after the step of the feedback at the ports, the mode after it, and whether its congestion point is remembered.
    fn step(&self, row: &[u32]) -> (Option<Rate>, bool, bool) {
        let at = &self.at;
        let mut rule = self.rule.clone().with_mode(self.mode.is_some_and(|(old, _)| row[old] != 0));
        rule.set_parameters(parameters(&self.ports, row));
        rule.set_rate(Rate(row[at.rate]));
        let cpid = rule.last_decrease().example(row[at.same_point] != 0);
        let feedback = feedback(row[at.q_offset_units], row[at.q_delta_units], cpid);
        let remembers = rule.remembers(&feedback);
        let step = rule.feedback(feedback);
        (step.map(|step| rule.stepped(step, Rate(row[at.rate]))), rule.mode(), remembers)
    }
}

impl<P: Ports, A: Rule<Parameters = P>> Reference for StepRule<P, A> {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let taken = self.taking.taken(self.now, row[at.feedback_valid] != 0);
        row[at.feedback_ready] = taken.into();
        (row[at.remember], row[at.changes]) = (0, 0);
        if taken {
            let (rate, mode, remembers) = self.step(row);
            row[at.remember] = remembers.into();
            row[at.changes] = rate.is_some().into();
            row[at.new_rate] = rate.map_or(0, |rate| rate.0);
            if let Some((_, new)) = self.mode {
                row[new] = mode.into();
            }
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            self.rule = (self.algorithm)(parameters(&self.ports, row), CpidParameters::WHOLE);
            self.taking.end();
            self.now = 0;
            return;
        }
        if row[at.feedback_ready] != 0 {
            self.taking.end();
        }
        self.now += 1;
    }

    fn settled(&self) -> bool {
        self.taking.at().is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        let of_mode = A::MODE.is_some_and(|(_, new)| new == output);
        (output == "new_rate" || of_mode).then_some("changes")
    }
}
