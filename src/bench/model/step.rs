//! Calculators whose every feedback is one step of the rate, and the feedback block that sends every sample.

use super::{Fate, FeedbackModel, NEVER};
use crate::bench::{Calculator, CalculatorState};
use crate::scheme::{Feedback, Step, Stepping};
use crate::units::Cycles;
use std::collections::VecDeque;

/// SMCC: from the cycle in which a feedback is taken to the one in which the new rate shows.
pub const SMCC_STEP_LATENCY: Cycles = 4;

/// Every sample is sent, at once.
pub struct EverySample;

impl FeedbackModel for EverySample {
    fn sample(&mut self, _q_offset: i32, _q_delta: i32) -> Fate {
        Fate { latency: 0, send: Some(0), interval_low: None }
    }
}

/// A calculator that takes a feedback each cycle and shows its step a few cycles later.
pub struct StepModel<A> {
    algorithm: A,
    latency: Cycles,
    steps: VecDeque<(Cycles, Step)>,
}

impl<A: Stepping> StepModel<A> {
    /// `latency`: from the cycle in which a feedback is taken to the one in which the new rate shows.
    pub fn new(algorithm: A, latency: Cycles) -> Self {
        StepModel { algorithm, latency, steps: VecDeque::with_capacity(latency as usize + 1) }
    }

    /// The registers in cycle `now`, with every step that shows in it.
    pub fn begin(&mut self, now: Cycles) -> CalculatorState {
        while let Some(&(_, step)) = self.steps.front().filter(|&&(at, _)| at <= now) {
            self.algorithm.apply(step);
            self.steps.pop_front();
        }
        CalculatorState { current_rate: self.algorithm.current_rate(), target: None }
    }
}

impl<A: Stepping> Calculator for StepModel<A> {
    fn next(&self, now: Cycles) -> Cycles {
        self.steps.front().map_or(NEVER, |&(at, _)| at.max(now))
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        _sent: Option<u32>,
        _source_empty: bool,
    ) -> (bool, CalculatorState) {
        let state = self.begin(now);
        if let Some(step) = feedback.and_then(|feedback| self.algorithm.feedback(*feedback)) {
            self.steps.push_back((now + self.latency, step));
        }
        (feedback.is_some(), state)
    }
}
