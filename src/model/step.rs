//! Calculators whose every feedback is one step of the rate.

use super::NEVER;
use super::device::{Calculator, CalculatorState};
use crate::scheme::{Feedback, Step, Stepping};
use crate::units::Cycles;
use std::collections::VecDeque;

/// How long a calculator takes for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepLatency {
    /// From the cycle in which a feedback is offered to the one in which it is taken: meanwhile no other is.
    pub taken: Cycles,
    /// From the cycle in which it is taken to the one in which the new rate shows.
    pub shown: Cycles,
}

/// A calculator that answers each feedback with a step, some cycles later.
pub struct StepModel<A> {
    algorithm: A,
    latency: StepLatency,
    /// The cycle in which the feedback that is offered will be taken.
    takes: Option<Cycles>,
    steps: VecDeque<(Cycles, Step)>,
}

impl<A: Stepping> StepModel<A> {
    /// At the rate of the algorithm.
    pub fn new(algorithm: A, latency: StepLatency) -> Self {
        StepModel { algorithm, latency, takes: None, steps: VecDeque::new() }
    }

    /// What stands at the ports in cycle `now`: the registers, with every step that shows in it, and whether a feedback
    /// that is offered is taken.
    pub fn begin(&mut self, now: Cycles, offered: bool) -> (CalculatorState, bool) {
        while let Some(&(_, step)) = self.steps.front().filter(|&&(at, _)| at <= now) {
            self.algorithm.apply(step);
            self.steps.pop_front();
        }
        let taken = offered && *self.takes.get_or_insert(now + self.latency.taken) <= now;
        (CalculatorState { current_rate: self.algorithm.current_rate(), target: None }, taken)
    }
}

impl<A: Stepping + Clone> StepModel<A> {
    /// Whether the congestion point of a feedback that is taken now is stored as that of the last decrease. Only for
    /// whole identifiers.
    pub fn remembers(&self, feedback: &Feedback) -> bool {
        let mut tried = self.algorithm.clone();
        let other = tried.last_decrease().example(false);
        tried.feedback(Feedback { cpid: other, ..*feedback });
        tried.last_decrease().is(other)
    }

    /// A congestion point for a feedback: that of the last decrease, or another one.
    pub fn point(&mut self, same: bool) -> u64 {
        self.algorithm.last_decrease().example(same)
    }
}

impl<A: Stepping> Calculator for StepModel<A> {
    fn next(&self, now: Cycles) -> Cycles {
        let shown = self.steps.front().map_or(NEVER, |&(at, _)| at);
        shown.min(self.takes.unwrap_or(NEVER)).max(now)
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        _sent: Option<u32>,
        _source_empty: bool,
    ) -> (bool, CalculatorState) {
        let (state, taken) = self.begin(now, feedback.is_some());
        if let Some(feedback) = feedback.filter(|_| taken) {
            self.takes = None;
            if let Some(step) = self.algorithm.feedback(*feedback) {
                self.steps.push_back((now + self.latency.shown, step));
            }
        }
        (taken, state)
    }
}
