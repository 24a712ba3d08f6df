//! QCN's byte cycles and timer periods of many flows, with the calculator, exact to the cycle.

use super::flow_calculator::{FlowChange, ReadRate};
use crate::scheme::Feedback;
use crate::scheme::jitter::Jitter;
use crate::scheme::qcn::{CalculatorParameters, Ended, Rates};
use crate::units::Cycles;

/// From the cycle in which a flow is chosen to the one that sees what is to do.
const CHECK_LATENCY: Cycles = 3;
/// From the cycle in which an operation starts to the last one in which the old rate shows.
const OPERATION_CYCLES: Cycles = 11;
/// Cycles between two looks at flows whose rate is the line rate.
const LOOK_CYCLES: Cycles = 1024;

/// What a flow has besides its rate.
#[derive(Clone, Copy, Debug)]
struct Flow {
    active: bool,
    rates: Rates,
    bytes_left: u32,
    /// It had no frame to send at the last look, and has sent none since.
    quiet: bool,
    /// Last cycle of the timer period.
    timer_end: Cycles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Count(u32),
    Decrease,
    Sweep,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Decrease { quantized_feedback: u8, moves_target: bool },
    Increase(Ended),
}

/// What is done next, and in which cycle.
#[derive(Clone, Copy, Debug)]
enum Next {
    Choose,
    Check { flow: u16, task: Task },
    StoreBytes { flow: u16, bytes: u32 },
    RestartBytes { flow: u16, task: Task, bytes: u32, moves_target: bool },
    RestartTimer { flow: u16, cycles: u32, after_feedback: Option<bool> },
    AskForFeedback { flow: u16, moves_target: bool },
    AskForIncrease { flow: u16, ended: Ended },
    Look { flow: u16 },
    Apply { flow: u16, operation: Operation },
}

/// Stages and timers of many flows.
pub struct FlowStagesModel {
    parameters: CalculatorParameters,
    jitter: Jitter,
    flows: Vec<Flow>,
    at: Cycles,
    next: (Cycles, Next),
    sweep_flow: u16,
    swept: bool,
    look_due: bool,
    /// A frame that was sent and is not counted yet.
    sent: Option<(u16, u32)>,
}

impl FlowStagesModel {
    /// After a reset: all flows are inactive.
    pub fn new(flows: usize, parameters: CalculatorParameters) -> Self {
        let flow = Flow {
            active: false,
            rates: Rates::inactive(parameters.line_rate),
            bytes_left: 0,
            quiet: false,
            timer_end: 0,
        };
        FlowStagesModel {
            jitter: parameters.jitter(),
            parameters,
            flows: vec![flow; flows],
            at: 0,
            next: (flows as Cycles, Next::Choose),
            sweep_flow: 0,
            swept: false,
            look_due: false,
            sent: None,
        }
    }

    /// Whether a frame may be sent in the next cycle.
    pub fn sent_ready(&self) -> bool {
        self.sent.is_none()
    }

    /// The flow whose rate is needed in the next cycle.
    pub fn rate_wanted(&self) -> Option<u16> {
        match self.next {
            (_, Next::Apply { flow, .. }) => Some(flow),
            (from, Next::AskForFeedback { flow, .. } | Next::AskForIncrease { flow, .. } | Next::Look { flow })
                if from <= self.at =>
            {
                Some(flow)
            }
            _ => None,
        }
    }

    /// Whether a flow has had feedback and not become inactive since.
    pub fn active(&self, flow: u16) -> bool {
        self.flows[usize::from(flow)].active
    }

    /// One cycle, with the feedback that waits, for a flow, and the rate of the flow that
    /// [`rate_wanted`](Self::rate_wanted) names.
    pub fn cycle(&mut self, feedback: Option<(u16, &Feedback)>, rate: Option<ReadRate>) -> FlowChange {
        let now = self.at;
        let mut outputs = FlowChange::default();
        let look_due = self.look_due;
        self.look_due |= now % LOOK_CYCLES == LOOK_CYCLES - 1;
        if self.next.0 <= now
            && let Some((after, next)) = self.go_on(now, self.next.1, look_due, (feedback, rate), &mut outputs)
        {
            self.next = (now + after, next);
        }
        self.at += 1;
        outputs
    }

    /// A frame of so many bytes is sent in the cycle that was the last one.
    pub fn count(&mut self, flow: u16, bytes: u32) {
        self.sent = Some((flow, bytes));
    }

    /// What follows, after how many cycles; nothing while the rate is waited for.
    fn go_on(
        &mut self,
        now: Cycles,
        next: Next,
        look_due: bool,
        (feedback, rate): (Option<(u16, &Feedback)>, Option<ReadRate>),
        outputs: &mut FlowChange,
    ) -> Option<(Cycles, Next)> {
        match next {
            Next::Choose => {
                let (flow, task) = match (self.sent, feedback) {
                    (Some((flow, bytes)), _) => (flow, Task::Count(bytes)),
                    (None, Some((flow, _))) if self.swept => (flow, Task::Decrease),
                    _ => {
                        let flow = self.sweep_flow;
                        self.sweep_flow = (flow + 1) % self.flows.len() as u16;
                        (flow, Task::Sweep)
                    }
                };
                match task {
                    Task::Decrease => self.swept = false,
                    Task::Sweep => self.swept = true,
                    Task::Count(_) => {}
                }
                Some((CHECK_LATENCY, Next::Check { flow, task }))
            }
            Next::Check { flow, task } => Some((1, self.check(now, flow, task, look_due))),
            Next::StoreBytes { flow, bytes } => {
                let state = &mut self.flows[usize::from(flow)];
                (state.bytes_left, state.quiet) = (bytes, false);
                Some((1, Next::Choose))
            }
            Next::RestartBytes { flow, task, bytes, moves_target } => {
                if moves_target {
                    let state = &mut self.flows[usize::from(flow)];
                    (state.bytes_left, state.quiet) = (bytes, false);
                }
                let next = match task {
                    Task::Decrease => {
                        let cycles = self.jitter.second(now);
                        Next::RestartTimer { flow, cycles, after_feedback: Some(moves_target) }
                    }
                    _ => {
                        self.jitter.draw(now);
                        Next::AskForIncrease { flow, ended: Ended::ByteCycle }
                    }
                };
                Some((1, next))
            }
            Next::RestartTimer { flow, cycles, after_feedback } => {
                let state = &mut self.flows[usize::from(flow)];
                let next = match after_feedback {
                    Some(moves_target) => {
                        state.timer_end = now + Cycles::from(cycles) - 1;
                        Next::AskForFeedback { flow, moves_target }
                    }
                    None => {
                        state.timer_end += Cycles::from(cycles);
                        Next::AskForIncrease { flow, ended: Ended::TimerPeriod }
                    }
                };
                self.jitter.draw(now);
                Some((2, next))
            }
            Next::AskForFeedback { flow, moves_target } => rate.map(|ReadRate { rate, .. }| {
                let (_, &Feedback { quantized_feedback, .. }) = feedback.expect("held until it is taken");
                outputs.feedback_taken = true;
                self.flows[usize::from(flow)].rates.rate = rate;
                let operation = Operation::Decrease { quantized_feedback, moves_target };
                (OPERATION_CYCLES, Next::Apply { flow, operation })
            }),
            Next::AskForIncrease { flow, ended } => rate.map(|ReadRate { rate, .. }| {
                self.flows[usize::from(flow)].rates.rate = rate;
                (OPERATION_CYCLES, Next::Apply { flow, operation: Operation::Increase(ended) })
            }),
            Next::Look { flow } => rate.map(|ReadRate { waits, .. }| {
                outputs.rate_taken = true;
                let empty = !waits && self.sent.is_none();
                let state = &mut self.flows[usize::from(flow)];
                if empty && state.quiet {
                    state.active = false;
                    state.rates = Rates::inactive(self.parameters.line_rate);
                }
                state.quiet = empty;
                (2, Next::Choose)
            }),
            Next::Apply { flow, operation } => {
                let state = &mut self.flows[usize::from(flow)];
                match operation {
                    Operation::Decrease { quantized_feedback, moves_target } => {
                        state.rates.decrease(&self.parameters, quantized_feedback, moves_target);
                    }
                    Operation::Increase(ended) => state.rates.increase(&self.parameters, ended),
                }
                state.active = true;
                outputs.rate_taken = true;
                outputs.rate = Some(state.rates.rate);
                Some((1, Next::Choose))
            }
        }
    }

    /// The state of the flow has been read.
    fn check(&mut self, now: Cycles, flow: u16, task: Task, look_due: bool) -> Next {
        let p = self.parameters;
        let state = &mut self.flows[usize::from(flow)];
        match task {
            Task::Count(bytes) => {
                self.sent = None;
                if !state.active {
                    return Next::Choose;
                }
                if bytes < state.bytes_left {
                    return Next::StoreBytes { flow, bytes: state.bytes_left - bytes };
                }
                let bytes = p.next_byte_cycle(&self.jitter, now, state.rates.byte_stage);
                Next::RestartBytes { flow, task, bytes, moves_target: true }
            }
            Task::Decrease => {
                let moves_target = !state.active || state.rates.byte_stage != 0 || !p.extra_fast_recovery;
                Next::RestartBytes { flow, task, bytes: self.jitter.first(now), moves_target }
            }
            Task::Sweep if !state.active => Next::Choose,
            Task::Sweep if p.timer.low > 0 && now > state.timer_end => {
                let cycles = p.next_timer_period(&self.jitter, now, state.rates.time_stage);
                Next::RestartTimer { flow, cycles, after_feedback: None }
            }
            Task::Sweep if look_due && state.rates.rate == p.line_rate => {
                self.look_due = false;
                Next::Look { flow }
            }
            Task::Sweep => Next::Choose,
        }
    }
}
