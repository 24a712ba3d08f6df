// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calculators whose every feedback is one step of the rate.

use super::NEVER;
use super::codec::Payload;
use super::device::{Calculator, CalculatorState};
use super::rate_bounds::RateBounds;
use crate::scheme::{Feedback, Step, Stepping};
use std::collections::VecDeque;
use tidegate_core::units::{Cycles, Rate};

/// How long a calculator takes for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepLatency {
    /// From the cycle in which a feedback is offered to the one in which it is taken: meanwhile no other is.
    pub taken: Cycles,
    /// From the cycle in which it is taken to the one in which the new rate shows.
    pub shown: Cycles,
}

/// When the feedback that is offered is taken: some cycles after it was offered first.
#[derive(Clone, Copy, Debug)]
pub struct Taking {
    latency: Cycles,
    at: Option<Cycles>,
}

impl Taking {
    /// Without a feedback.
    pub fn new(latency: Cycles) -> Self {
        Taking { latency, at: None }
    }

    /// The cycle in which the feedback will be taken.
    pub fn at(&self) -> Option<Cycles> {
        self.at
    }

    /// Whether there is a feedback that was offered before cycle `now`.
    pub fn works(&self, now: Cycles) -> bool {
        self.at.is_some_and(|at| now + self.latency > at)
    }

    /// Whether the feedback that may be offered in cycle `now` is taken. If so, [`end`](Self::end) it.
    pub fn taken(&mut self, now: Cycles, offered: bool) -> bool {
        offered && *self.at.get_or_insert(now + self.latency) <= now
    }

    /// The feedback was taken: the next one is another.
    pub fn end(&mut self) {
        self.at = None;
    }
}

/// A calculator that answers each feedback with a step, some cycles later.
pub struct StepModel<A> {
    algorithm: A,
    latency: StepLatency,
    taking: Taking,
    steps: VecDeque<(Cycles, Step)>,
    bounds: RateBounds,
}

impl<A: Stepping> StepModel<A> {
    /// At the rate of the algorithm.
    pub fn new(algorithm: A, latency: StepLatency) -> Self {
        StepModel {
            algorithm,
            latency,
            taking: Taking::new(latency.taken),
            steps: VecDeque::new(),
            bounds: RateBounds::default(),
        }
    }

    /// What stands at the ports in cycle `now`: the registers, with every step that shows in it, and whether a feedback
    /// that is offered is taken.
    pub fn begin(&mut self, now: Cycles, offered: bool) -> (CalculatorState, bool) {
        while let Some(&(_, step)) = self.steps.front().filter(|&&(at, _)| at <= now) {
            self.algorithm.apply(step);
            self.steps.pop_front();
        }
        let taken = self.taking.taken(now, offered);
        (CalculatorState { current_rate: self.algorithm.current_rate(), target: None }, taken)
    }
}

impl<A: Stepping> StepModel<A> {
    /// Other parameters, from the next cycle of [`Calculator::cycle`] on. A feedback that is worked on must not be there.
    pub fn set_parameters(&mut self, parameters: A::Parameters) {
        self.algorithm.set_parameters(parameters);
    }

    /// Whether parameters may change: no feedback is worked on.
    pub fn rests(&self) -> bool {
        self.taking.at().is_none()
    }
}

impl<A: Stepping + Clone> StepModel<A> {
    /// [`Stepping::remembers`] at the present rate.
    pub fn remembers(&self, feedback: &Feedback) -> bool {
        self.algorithm.remembers(feedback)
    }

    /// A congestion point for a feedback: that of the last decrease, or another one.
    pub fn point(&mut self, same: bool) -> u64 {
        self.algorithm.last_decrease().example(same)
    }
}

impl<A: Stepping> Calculator for StepModel<A> {
    fn set_rate(&mut self, rate: Rate) {
        self.algorithm.set_rate(rate);
        self.bounds = RateBounds::of_any_rate();
    }

    fn next(&self, now: Cycles) -> Cycles {
        let shown = self.steps.front().map_or(NEVER, |&(at, _)| at);
        shown.min(self.taking.at().unwrap_or(NEVER)).max(now)
    }

    fn uneventful(&self, _bytes: u32) -> u64 {
        u64::MAX
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Payload>,
        _sent: Option<u32>,
        _source_empty: bool,
    ) -> (bool, CalculatorState) {
        let (state, taken) = self.begin(now, feedback.is_some());
        let mut step = None;
        if let Some(feedback) = feedback.filter(|_| taken) {
            self.taking.end();
            step = self.algorithm.feedback(Feedback::from(*feedback));
            self.steps.extend(step.map(|step| (now + self.latency.shown, step)));
        }
        let bound = self.bounds.cycle(now, state.current_rate, self.algorithm.bounds(), step.is_some());
        if let Some(rate) = bound.filter(|_| step.is_none()) {
            self.algorithm.set_rate(rate);
        }
        (taken, state)
    }
}
