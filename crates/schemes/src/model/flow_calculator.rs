// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calculator of a reaction point that serves many flows, with what it stores for each.

use super::codec::Payload;
use super::device::Calculator;
use super::{AnyCalculator, NEVER};
use crate::bcn::flow_stops::FlowStopsModel;
use crate::qcn::flow_stages::FlowStagesModel;
use crate::scheme::Feedback;
use crate::scheme::parameters::Parameters;
use tidegate_core::units::{Cycles, Rate};

/// What a calculator does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowChange {
    /// The feedback is taken.
    pub feedback_taken: bool,
    /// The rate that was wanted is not needed any more.
    pub rate_taken: bool,
    /// The new rate of this flow.
    pub rate: Option<Rate>,
}

/// A rate that was read for a calculator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadRate {
    /// The rate of the flow.
    pub rate: Rate,
    /// A frame of the flow waits.
    pub waits: bool,
}

/// The calculator of a reaction point of many flows.
#[allow(clippy::large_enum_variant, reason = "a run has one")]
pub enum FlowCalculator {
    /// Each feedback is one step of the rate, and nothing else changes it: a calculator for each flow.
    Steps(Vec<AnyCalculator>),
    /// BCN's.
    Stops(FlowStopsModel),
    /// QCN's.
    Stages(FlowStagesModel),
}

impl FlowCalculator {
    /// A calculator for each flow, which `calculator` makes.
    pub(crate) fn steps(parameters: &Parameters, calculator: impl Fn() -> AnyCalculator) -> Self {
        FlowCalculator::Steps((0..parameters.rp_flows()).map(|_| calculator()).collect())
    }

    /// The flow whose rate is needed in the next cycle, in which a feedback for a flow waits.
    pub(crate) fn rate_wanted(&self, feedback: Option<u16>) -> Option<u16> {
        match self {
            FlowCalculator::Steps(_) => feedback,
            FlowCalculator::Stops(stops) => stops.rate_wanted(),
            FlowCalculator::Stages(stages) => stages.rate_wanted(),
        }
    }

    /// Whether a frame may be sent in the next cycle.
    pub(crate) fn sent_ready(&self) -> bool {
        match self {
            FlowCalculator::Steps(_) | FlowCalculator::Stops(_) => true,
            FlowCalculator::Stages(stages) => stages.sent_ready(),
        }
    }

    /// Cycle `now`, with the feedback for a flow that waits, and the rate of the flow that was wanted.
    pub(crate) fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<(u16, &Payload)>,
        rate: Option<ReadRate>,
    ) -> FlowChange {
        let of_cnm = || feedback.map(|(flow, &payload)| (flow, Feedback::from(payload)));
        match self {
            FlowCalculator::Steps(calculators) => match feedback.filter(|_| rate.is_some()) {
                Some((flow, feedback)) => step(&mut calculators[usize::from(flow)], now, feedback),
                None => FlowChange::default(),
            },
            FlowCalculator::Stops(stops) => {
                stops.cycle(of_cnm().as_ref().map(|(flow, feedback)| (*flow, feedback)), rate)
            }
            FlowCalculator::Stages(stages) => {
                stages.cycle(of_cnm().as_ref().map(|(flow, feedback)| (*flow, feedback)), rate)
            }
        }
    }

    /// A frame of so many bytes is sent in the cycle that was the last one.
    pub(crate) fn count(&mut self, flow: u16, bytes: u32) {
        if let FlowCalculator::Stages(stages) = self {
            stages.count(flow, bytes);
        }
    }
}

/// A cycle of a calculator that has a feedback and its rate.
fn step(calculator: &mut AnyCalculator, now: Cycles, feedback: &Payload) -> FlowChange {
    let (taken, _) = calculator.cycle(now, Some(feedback), None, false);
    // A feedback that is ignored has no step that shows later.
    let shows = if taken { calculator.next(now + 1) } else { NEVER };
    let rate = (shows != NEVER).then(|| calculator.cycle(shows, None, None, false).1.current_rate);
    FlowChange { feedback_taken: taken, rate_taken: taken, rate }
}
