//! BCN's stops of many flows, with the calculator, exact to the cycle.

use super::bcn::OPERATION_LATENCY;
use super::flow_calculator::{FlowChange, ReadRate};
use crate::scheme::Feedback;
use crate::scheme::bcn::{CalculatorParameters, Outcome, ReactionPoint};
use crate::scheme::last_decrease::CpidParameters;
use crate::units::Cycles;

/// From the cycle in which a flow is chosen to the one that sees what is to do.
const CHECK_LATENCY: Cycles = 3;

/// What is done next.
#[derive(Clone, Copy, Debug)]
enum Next {
    Choose,
    Check { flow: u16, sweeps: bool },
    Ask { flow: u16, sweeps: bool },
    Apply { flow: u16 },
}

/// Rates and stops of many flows.
pub struct FlowStopsModel {
    flows: Vec<ReactionPoint>,
    /// Last cycle of the stop of each flow.
    ends: Vec<Option<Cycles>>,
    random: u16,
    at: Cycles,
    next: (Cycles, Next),
    sweep_flow: u16,
    swept: bool,
}

impl FlowStopsModel {
    /// After a reset: all flows are at line rate.
    pub fn new(flows: usize, parameters: CalculatorParameters, cpid: CpidParameters) -> Self {
        FlowStopsModel {
            random: parameters.seed,
            flows: vec![ReactionPoint::new(parameters, cpid); flows],
            ends: vec![None; flows],
            at: 0,
            next: (flows as Cycles, Next::Choose),
            sweep_flow: 0,
            swept: false,
        }
    }

    /// The flow whose rate is needed in the next cycle.
    pub fn rate_wanted(&self) -> Option<u16> {
        match self.next {
            (_, Next::Apply { flow }) => Some(flow),
            (from, Next::Ask { flow, .. }) if from <= self.at => Some(flow),
            _ => None,
        }
    }

    /// One cycle, with the feedback that waits, for a flow, and the rate of the flow that
    /// [`rate_wanted`](Self::rate_wanted) names.
    pub fn cycle(&mut self, feedback: Option<(u16, &Feedback)>, rate: Option<ReadRate>) -> FlowChange {
        let now = self.at;
        let mut outputs = FlowChange::default();
        if self.next.0 <= now
            && let Some((after, next)) = self.go_on(now, self.next.1, (feedback, rate), &mut outputs)
        {
            self.next = (now + after, next);
        }
        self.at += 1;
        outputs
    }

    /// What follows, after how many cycles; nothing while the rate is waited for.
    fn go_on(
        &mut self,
        now: Cycles,
        next: Next,
        (feedback, rate): (Option<(u16, &Feedback)>, Option<ReadRate>),
        outputs: &mut FlowChange,
    ) -> Option<(Cycles, Next)> {
        match next {
            Next::Choose => {
                let flow = match feedback {
                    Some((flow, _)) if self.swept => {
                        self.swept = false;
                        flow
                    }
                    _ => {
                        self.swept = true;
                        let flow = self.sweep_flow;
                        self.sweep_flow = (flow + 1) % self.flows.len() as u16;
                        flow
                    }
                };
                Some((CHECK_LATENCY, Next::Check { flow, sweeps: self.swept }))
            }
            Next::Check { flow, sweeps } => {
                let over = self.ends[usize::from(flow)].is_some_and(|end| now > end);
                let next = if sweeps && !over { Next::Choose } else { Next::Ask { flow, sweeps } };
                Some((1, next))
            }
            Next::Ask { flow, sweeps: true } => rate.map(|_| {
                let place = usize::from(flow);
                self.flows[place].restart();
                self.ends[place] = None;
                outputs.rate_taken = true;
                outputs.rate = Some(self.flows[place].current_rate());
                (1, Next::Choose)
            }),
            Next::Ask { flow, sweeps: false } => rate.map(|_| (OPERATION_LATENCY, Next::Apply { flow })),
            Next::Apply { flow } => {
                let (_, &feedback) = feedback.expect("held until it is taken");
                let place = usize::from(flow);
                let outcome = self.flows[place].answer(feedback, &mut self.random);
                self.flows[place].apply(outcome);
                let mut visit = 1;
                if let Outcome::Stop(wait) = outcome {
                    // The stop is stored in the next cycle.
                    self.ends[place] = Some(now + 1 + wait);
                    visit = 2;
                }
                outputs.feedback_taken = true;
                outputs.rate_taken = true;
                outputs.rate = (outcome != Outcome::Nothing).then(|| self.flows[place].current_rate());
                Some((visit, Next::Choose))
            }
        }
    }
}
