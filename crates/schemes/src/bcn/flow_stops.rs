// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's stops of many flows, exact to the cycle, alone and with the calculator.

use crate::bcn::model::OPERATION_LATENCY;
use crate::bcn::rule::{CalculatorParameters, Outcome, ReactionPoint};
use crate::model::flow_calculator::{FlowChange, ReadRate};
use crate::model::step::Taking;
use crate::scheme::Feedback;
use crate::scheme::last_decrease::CpidParameters;
use tidegate_core::units::Cycles;

/// From the cycle in which a flow is chosen to the one that sees what is to do.
const CHECK_LATENCY: Cycles = 3;

/// What is done next.
#[derive(Clone, Copy, Debug)]
enum Next {
    Choose,
    Check { flow: u16, sweeps: bool },
    Work { flow: u16, sweeps: bool },
}

/// Which flows are stopped.
pub(crate) struct StopsBlock {
    /// Last cycle of the stop of each flow.
    ends: Vec<Option<Cycles>>,
    at: Cycles,
    next: (Cycles, Next),
    sweep_flow: u16,
    swept: bool,
}

impl StopsBlock {
    /// After a reset: no flow is stopped.
    pub(crate) fn new(flows: usize) -> Self {
        StopsBlock {
            ends: vec![None; flows],
            at: 0,
            next: (flows as Cycles, Next::Choose),
            sweep_flow: 0,
            swept: false,
        }
    }

    /// In the next cycle: the flow whose rate is needed, and whether it is one whose stop is over.
    fn works_on(&self) -> Option<(u16, bool)> {
        match self.next {
            (from, Next::Work { flow, sweeps }) if from <= self.at => Some((flow, sweeps)),
            _ => None,
        }
    }

    /// The flow whose rate is needed in the next cycle.
    pub(crate) fn rate_wanted(&self) -> Option<u16> {
        self.works_on().map(|(flow, _)| flow)
    }

    /// The flow of the feedback on which the calculator works in the next cycle, if its rate is there.
    pub(crate) fn works(&self) -> Option<u16> {
        self.works_on().filter(|(_, sweeps)| !sweeps).map(|(flow, _)| flow)
    }

    /// The flow that starts again in the next cycle, if its rate is there.
    pub(crate) fn restarts(&self) -> Option<u16> {
        self.works_on().filter(|(_, sweeps)| *sweeps).map(|(flow, _)| flow)
    }

    /// Whether a flow is stopped.
    pub(crate) fn stopped(&self, flow: u16) -> bool {
        self.ends[usize::from(flow)].is_some()
    }

    /// One cycle, with the flow of the feedback that waits. `rate`: the rate of the flow that is wanted is there.
    /// `taken`: the calculator takes the feedback, with the cycles of the stop if the flow stops.
    pub(crate) fn cycle(&mut self, feedback: Option<u16>, rate: bool, taken: Option<Option<Cycles>>) {
        let now = self.at;
        if self.next.0 <= now
            && let Some((after, next)) = self.go_on(now, self.next.1, feedback, rate, taken)
        {
            self.next = (now + after, next);
        }
        self.at += 1;
    }

    /// What follows, after how many cycles; nothing while the rate or the calculator is waited for.
    fn go_on(
        &mut self,
        now: Cycles,
        next: Next,
        feedback: Option<u16>,
        rate: bool,
        taken: Option<Option<Cycles>>,
    ) -> Option<(Cycles, Next)> {
        match next {
            Next::Choose => {
                let flow = match feedback {
                    Some(flow) if self.swept => {
                        self.swept = false;
                        flow
                    }
                    _ => {
                        self.swept = true;
                        let flow = self.sweep_flow;
                        self.sweep_flow = (flow + 1) % self.ends.len() as u16;
                        flow
                    }
                };
                Some((CHECK_LATENCY, Next::Check { flow, sweeps: self.swept }))
            }
            Next::Check { flow, sweeps } => {
                let over = self.ends[usize::from(flow)].is_some_and(|end| now > end);
                let next = if sweeps && !over { Next::Choose } else { Next::Work { flow, sweeps } };
                Some((1, next))
            }
            Next::Work { flow, sweeps: true } => rate.then(|| {
                self.ends[usize::from(flow)] = None;
                (1, Next::Choose)
            }),
            Next::Work { flow, sweeps: false } => taken.map(|stop| match stop {
                Some(wait) => {
                    // The stop is stored in the next cycle.
                    self.ends[usize::from(flow)] = Some(now + 1 + wait);
                    (2, Next::Choose)
                }
                None => (1, Next::Choose),
            }),
        }
    }
}

/// Rates and stops of many flows.
pub struct FlowStopsModel {
    stops: StopsBlock,
    taking: Taking,
    flows: Vec<ReactionPoint>,
    random: u16,
}

impl FlowStopsModel {
    /// After a reset: all flows are at line rate.
    pub fn new(flows: usize, parameters: CalculatorParameters, cpid: CpidParameters) -> Self {
        FlowStopsModel {
            stops: StopsBlock::new(flows),
            taking: Taking::new(OPERATION_LATENCY),
            random: parameters.seed,
            flows: vec![ReactionPoint::new(parameters, cpid); flows],
        }
    }

    /// The flow whose rate is needed in the next cycle.
    pub fn rate_wanted(&self) -> Option<u16> {
        self.stops.rate_wanted()
    }

    /// One cycle, with the feedback that waits, for a flow, and the rate of the flow that
    /// [`rate_wanted`](Self::rate_wanted) names.
    pub fn cycle(&mut self, feedback: Option<(u16, &Feedback)>, rate: Option<ReadRate>) -> FlowChange {
        let now = self.stops.at;
        let mut outputs = FlowChange::default();
        let mut taken = None;
        if let Some(flow) = self.stops.restarts().filter(|_| rate.is_some()) {
            let flow = &mut self.flows[usize::from(flow)];
            flow.restart();
            outputs.rate_taken = true;
            outputs.rate = Some(flow.current_rate());
        }
        let works = self.stops.works().filter(|_| rate.is_some());
        if self.taking.taken(now, works.is_some())
            && let Some(flow) = works
        {
            self.taking.end();
            let (_, &feedback) = feedback.expect("held until it is taken");
            let flow = &mut self.flows[usize::from(flow)];
            let outcome = flow.answer(feedback, &mut self.random);
            flow.apply(outcome);
            taken = Some(outcome.stop());
            (outputs.feedback_taken, outputs.rate_taken) = (true, true);
            outputs.rate = (outcome != Outcome::Nothing).then(|| flow.current_rate());
        }
        self.stops.cycle(feedback.map(|(flow, _)| flow), rate.is_some(), taken);
        outputs
    }
}
