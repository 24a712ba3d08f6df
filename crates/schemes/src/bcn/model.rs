// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN with the latencies of its circuits.

use super::flow_stops::FlowStopsModel;
use crate::bcn::rule::{CalculatorParameters, FeedbackParameters, Outcome, ReactionPoint};
use crate::model::codec::Payload;
use crate::model::device::{Calculator, CalculatorState};
use crate::model::flow_calculator::FlowCalculator;
use crate::model::rate_bounds::RateBounds;
use crate::model::step::Taking;
use crate::model::{Fate, FeedbackModel, Fields, NEVER};
use crate::scheme::Feedback;
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::parameters::Parameters;
use tidegate_core::units::{Cycles, Rate};

/// From the head of the queue to the first word of the frame, or until the sample is dropped.
pub const FEEDBACK_LATENCY: Cycles = 1;
/// From the cycle in which a feedback is offered to the one in which it is taken: three products. The rate shows in the
/// next.
pub(crate) const OPERATION_LATENCY: Cycles = 104;

/// BCN's feedback block.
pub struct FeedbackBlock(pub FeedbackParameters);

impl FeedbackModel for FeedbackBlock {
    fn sample(&mut self, q_offset: i32, q_delta: i32, _controlled: bool) -> Fate {
        let fields = self.0.fields(q_offset, q_delta);
        let send = fields.map(|(q_offset, q_delta)| Fields { quantized_feedback: 0, q_offset, q_delta }.into());
        Fate { latency: FEEDBACK_LATENCY, send, interval: None }
    }
}

/// BCN's calculator.
pub struct CalculatorBlock {
    algorithm: ReactionPoint,
    taking: Taking,
    /// What shows in a cycle to come.
    pending: Option<(Cycles, Change)>,
    /// The first cycle in which a wait is over.
    restarts: Option<Cycles>,
    bounds: RateBounds,
}

#[derive(Clone, Copy)]
enum Change {
    Outcome(Outcome),
    Restart,
}

impl CalculatorBlock {
    /// At line rate.
    pub(crate) fn new(algorithm: ReactionPoint) -> Self {
        CalculatorBlock {
            algorithm,
            taking: Taking::new(OPERATION_LATENCY),
            pending: None,
            restarts: None,
            bounds: RateBounds::default(),
        }
    }

    /// [`ReactionPoint::remembers`] at the present rate.
    pub(crate) fn remembers(&self, feedback: &Feedback) -> bool {
        self.algorithm.remembers(feedback)
    }

    /// A congestion point for a feedback: that of the last decrease, or another one.
    pub(crate) fn point(&mut self, same: bool) -> u64 {
        self.algorithm.last_decrease().example(same)
    }

    /// Other parameters, from the next cycle of [`Calculator::cycle`] on. A feedback that is worked on must not be there.
    pub(crate) fn set_parameters(&mut self, parameters: CalculatorParameters) {
        self.algorithm.set_parameters(parameters);
    }

    /// Whether parameters may change: no feedback is worked on.
    pub(crate) fn rests(&self) -> bool {
        self.taking.at().is_none()
    }

    /// What stands at the ports in cycle `now`: the rate, and whether a feedback that is offered is taken.
    pub(crate) fn begin(&mut self, now: Cycles, offered: bool) -> (CalculatorState, bool) {
        if let Some((_, change)) = self.pending.filter(|&(at, _)| at <= now) {
            self.pending = None;
            match change {
                Change::Outcome(outcome) => self.algorithm.apply(outcome),
                Change::Restart => self.algorithm.restart(),
            }
        }
        let taken = self.taking.taken(now, offered);
        (CalculatorState { current_rate: self.algorithm.current_rate(), target: None }, taken)
    }
}

impl Calculator for CalculatorBlock {
    fn set_rate(&mut self, rate: Rate) {
        self.algorithm = self.algorithm.clone().at(rate, false);
        self.bounds = RateBounds::of_any_rate();
    }

    fn next(&self, now: Cycles) -> Cycles {
        let pending = self.pending.map_or(NEVER, |(at, _)| at);
        pending.min(self.taking.at().unwrap_or(NEVER)).min(self.restarts.unwrap_or(NEVER)).max(now)
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
        // A wait ends where no feedback is worked on, or one begins to be.
        if !self.taking.works(now) && self.restarts.is_some_and(|at| at <= now) {
            self.restarts = None;
            self.pending = Some((now + 1, Change::Restart));
        }
        if let Some(feedback) = feedback.filter(|_| taken) {
            self.taking.end();
            let outcome = self.algorithm.feedback(Feedback::from(*feedback));
            if let Outcome::Stop(wait) = outcome {
                self.restarts = Some(now + 1 + wait);
            }
            self.pending = Some((now + 1, Change::Outcome(outcome)));
        }
        let changes = self.pending.is_some_and(|(_, change)| !matches!(change, Change::Outcome(Outcome::Nothing)));
        // A stopped source stays so: if cycles were not told, `bounds` has compared its rate, which is 0.
        let free = changes || self.algorithm.is_stopped();
        let bound = self.bounds.cycle(now, state.current_rate, self.algorithm.bounds(), free);
        if let Some(rate) = bound.filter(|&rate| !free && rate != state.current_rate) {
            self.algorithm = self.algorithm.clone().at(rate, false);
        }
        (taken, state)
    }
}

/// The feedback block.
pub(crate) fn feedback(parameters: &Parameters) -> FeedbackBlock {
    FeedbackBlock(FeedbackParameters::new(parameters))
}

/// The calculator, at line rate.
pub(crate) fn calculator(parameters: &Parameters, seed: u16) -> CalculatorBlock {
    let calculator = CalculatorParameters::new(parameters);
    let calculator = CalculatorParameters { seed, ..calculator };
    CalculatorBlock::new(ReactionPoint::new(calculator, CpidParameters::new(parameters)))
}

/// The calculator of many flows.
pub(crate) fn flows(parameters: &Parameters) -> FlowCalculator {
    let ports = CalculatorParameters::new(parameters);
    FlowCalculator::Stops(FlowStopsModel::new(parameters.rp_flows() as usize, ports, CpidParameters::new(parameters)))
}
