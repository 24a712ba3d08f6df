// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's byte cycles and timer periods of many flows, exact to the cycle, alone and with the calculator.

use crate::model::flow_calculator::{FlowChange, ReadRate};
use crate::qcn::model::{Operation, StepBlock};
use crate::qcn::rule::{CalculatorParameters, Ended, Rates};
use crate::scheme::Feedback;
use crate::scheme::jitter::Jitter;
use tidegate_core::units::{Cycles, Rate};

/// From the cycle in which a flow is chosen to the one that sees what is to do.
const CHECK_LATENCY: Cycles = 3;
/// Cycles between two looks at flows whose rate is the line rate.
const LOOK_CYCLES: Cycles = 1024;

/// Bits of a timer period; an end has one more.
const PERIOD_BITS: u32 = 24;

/// Whether a period with this last cycle is over: cycles are counted modulo 2^25.
fn is_over(last: Cycles, now: Cycles) -> bool {
    last.wrapping_sub(now) >> PERIOD_BITS & 1 == 1
}

/// What a flow has besides its rate.
#[derive(Clone, Copy, Debug)]
struct Flow {
    active: bool,
    target: Rate,
    byte_stage: u8,
    time_stage: u8,
    at_line_rate: bool,
    bytes_left: u32,
    /// It had no frame to send at the last look, and has sent none since.
    quiet: bool,
    /// Last cycle of the timer period.
    timer_end: Cycles,
}

impl Flow {
    /// Without a limit but the line rate.
    fn deactivate(&mut self, line_rate: Rate) {
        (self.active, self.target, self.at_line_rate) = (false, line_rate, false);
        (self.byte_stage, self.time_stage) = (0, 0);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Count(u32),
    Decrease,
    Sweep,
}

/// What the calculator starts in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The decrease of the feedback that waits, which is taken.
    Decrease {
        /// The target becomes the rate before the decrease.
        moves_target: bool,
    },
    /// The increase at the end of a byte cycle or timer period.
    Increase(Ended),
}

/// What the calculator says at the end of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StagesChange {
    /// The new rate is the line rate.
    pub at_line_rate: bool,
    /// New byte stage.
    pub byte_stage: u8,
    /// New time stage.
    pub time_stage: u8,
}

/// What comes in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StagesInputs {
    /// A feedback for this flow waits.
    pub feedback: Option<u16>,
    /// The rate of the flow that is wanted is there, and whether a frame of it waits.
    pub rate_waits: Option<bool>,
    /// The new target.
    pub target: Option<Rate>,
    /// The end of an operation.
    pub change: Option<StagesChange>,
}

/// What is done next, and in which cycle.
#[derive(Clone, Copy, Debug)]
enum Next {
    Choose,
    Check { flow: u16, task: Task },
    StoreBytes { flow: u16, bytes: u32 },
    RestartBytes { flow: u16, task: Task, moves_target: bool },
    RestartTimer { flow: u16, after_feedback: Option<bool> },
    Ask { flow: u16, start: Start },
    Look { flow: u16 },
    Work { flow: u16 },
}

/// Stages and timers of many flows.
pub(crate) struct StagesBlock {
    parameters: CalculatorParameters,
    /// Timer periods end. The circuit does not take this from a register, as it does the bounds of a period.
    has_timer: bool,
    jitter: Jitter,
    flows: Vec<Flow>,
    at: Cycles,
    next: (Cycles, Next),
    sweep_flow: u16,
    swept: bool,
    look_due: bool,
    /// A frame that was sent and is not counted yet.
    sent: Option<(u16, u32)>,
    /// The new target of the operation that is done; in force when it ends.
    new_target: Option<Rate>,
}

impl StagesBlock {
    /// After a reset: all flows are inactive.
    pub(crate) fn new(flows: usize, parameters: CalculatorParameters) -> Self {
        let flow = Flow {
            active: false,
            target: parameters.line_rate,
            byte_stage: 0,
            time_stage: 0,
            at_line_rate: false,
            bytes_left: 0,
            quiet: false,
            timer_end: 0,
        };
        StagesBlock {
            jitter: parameters.jitter(),
            has_timer: parameters.timer.low > 0,
            parameters,
            flows: vec![flow; flows],
            at: 0,
            next: (flows as Cycles, Next::Choose),
            sweep_flow: 0,
            swept: false,
            look_due: false,
            sent: None,
            new_target: None,
        }
    }

    /// Other parameters from this cycle on; see [`rests`](Self::rests). The bounds of byte cycle and timer are those of
    /// the registers; whether there is a timer is told by the port.
    pub(crate) fn set_registers(&mut self, parameters: CalculatorParameters, has_timer: bool) {
        self.has_timer = has_timer;
        let before = std::mem::replace(&mut self.parameters, parameters);
        if before.byte_cycle != parameters.byte_cycle {
            self.jitter.set_bounds(self.at, parameters.byte_cycle);
        }
        if before.timer != parameters.timer {
            self.jitter.set_second_bounds(self.at, parameters.timer);
        }
    }

    /// Whether parameters may change: no work is done for a flow.
    pub(crate) fn rests(&self) -> bool {
        matches!(self.next.1, Next::Choose | Next::Check { .. })
    }

    /// Whether a frame may be sent in the next cycle.
    pub(crate) fn sent_ready(&self) -> bool {
        self.sent.is_none()
    }

    /// The flow whose rate is needed in the next cycle.
    pub(crate) fn rate_wanted(&self) -> Option<u16> {
        match self.next {
            (_, Next::Work { flow }) => Some(flow),
            (from, Next::Ask { flow, .. } | Next::Look { flow }) if from <= self.at => Some(flow),
            _ => None,
        }
    }

    /// What starts in the next cycle if the rate of the flow that is wanted is there.
    pub(crate) fn start(&self) -> Option<Start> {
        match self.next {
            (from, Next::Ask { start, .. }) if from <= self.at => Some(start),
            _ => None,
        }
    }

    /// Whether the rate is not needed any more after the next cycle, if it is there.
    pub(crate) fn rate_taken(&self, changes: bool) -> bool {
        match self.next {
            (from, Next::Look { .. }) => from <= self.at,
            (_, Next::Work { .. }) => changes,
            _ => false,
        }
    }

    /// This rate of a flow with its target and stages.
    pub(crate) fn rates(&self, flow: u16, rate: Rate) -> Rates {
        let Flow { target, byte_stage, time_stage, .. } = self.flows[usize::from(flow)];
        Rates { rate, target, byte_stage, time_stage }
    }

    /// One cycle.
    pub(crate) fn cycle(&mut self, inputs: &StagesInputs) {
        let now = self.at;
        let look_due = self.look_due;
        self.look_due |= now % LOOK_CYCLES == LOOK_CYCLES - 1;
        if inputs.target.is_some() {
            self.new_target = inputs.target;
        }
        if self.next.0 <= now
            && let Some((after, next)) = self.go_on(now, self.next.1, look_due, inputs)
        {
            self.next = (now + after, next);
        }
        self.at += 1;
    }

    /// A frame of so many bytes is sent in the cycle that was the last one.
    pub(crate) fn count(&mut self, flow: u16, bytes: u32) {
        self.sent = Some((flow, bytes));
    }

    /// What follows, after how many cycles; nothing while the rate or the end of the operation is waited for.
    fn go_on(&mut self, now: Cycles, next: Next, look_due: bool, inputs: &StagesInputs) -> Option<(Cycles, Next)> {
        match next {
            Next::Choose => {
                let (flow, task) = match (self.sent, inputs.feedback) {
                    (Some((flow, bytes)), _) => (flow, Task::Count(bytes)),
                    (None, Some(flow)) if self.swept => (flow, Task::Decrease),
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
            Next::RestartBytes { flow, task, moves_target } => {
                let state = &mut self.flows[usize::from(flow)];
                if moves_target {
                    state.bytes_left = match task {
                        Task::Decrease => self.jitter.first(now),
                        _ => self.parameters.next_byte_cycle(&self.jitter, now, state.byte_stage),
                    };
                    state.quiet = false;
                }
                let next = match task {
                    Task::Decrease => Next::RestartTimer { flow, after_feedback: Some(moves_target) },
                    _ => {
                        self.jitter.draw(now);
                        Next::Ask { flow, start: Start::Increase(Ended::ByteCycle) }
                    }
                };
                Some((1, next))
            }
            Next::RestartTimer { flow, after_feedback } => {
                let state = &mut self.flows[usize::from(flow)];
                let start = match after_feedback {
                    Some(moves_target) => {
                        // Without a timer, the longest period of 24 bits.
                        let cycles = Cycles::from(self.jitter.second(now));
                        state.timer_end = now + if cycles == 0 { 1 << PERIOD_BITS } else { cycles };
                        Start::Decrease { moves_target }
                    }
                    None => {
                        let cycles = self.parameters.next_timer_period(&self.jitter, now, state.time_stage);
                        state.timer_end += Cycles::from(cycles);
                        Start::Increase(Ended::TimerPeriod)
                    }
                };
                self.jitter.draw(now);
                Some((2, Next::Ask { flow, start }))
            }
            Next::Ask { flow, .. } => inputs.rate_waits.map(|_| (1, Next::Work { flow })),
            Next::Look { flow } => inputs.rate_waits.map(|waits| {
                let empty = !waits && self.sent.is_none();
                let state = &mut self.flows[usize::from(flow)];
                if empty && state.quiet {
                    state.deactivate(self.parameters.line_rate);
                }
                state.quiet = empty;
                (2, Next::Choose)
            }),
            Next::Work { flow } => inputs.change.map(|change| {
                let state = &mut self.flows[usize::from(flow)];
                state.target = self.new_target.take().unwrap_or(state.target);
                (state.active, state.at_line_rate) = (true, change.at_line_rate);
                (state.byte_stage, state.time_stage) = (change.byte_stage, change.time_stage);
                (1, Next::Choose)
            }),
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
                Next::RestartBytes { flow, task, moves_target: true }
            }
            Task::Decrease => {
                let moves_target = !state.active || state.byte_stage != 0 || !p.extra_fast_recovery;
                Next::RestartBytes { flow, task, moves_target }
            }
            Task::Sweep if !state.active => Next::Choose,
            Task::Sweep if self.has_timer && is_over(state.timer_end, now) => {
                Next::RestartTimer { flow, after_feedback: None }
            }
            Task::Sweep if look_due && state.at_line_rate => {
                self.look_due = false;
                Next::Look { flow }
            }
            Task::Sweep => Next::Choose,
        }
    }
}

/// Stages and timers of many flows with the calculator.
pub struct FlowStagesModel {
    stages: StagesBlock,
    step: StepBlock,
    line_rate: Rate,
}

impl FlowStagesModel {
    /// After a reset: all flows are inactive.
    pub fn new(flows: usize, parameters: CalculatorParameters) -> Self {
        FlowStagesModel {
            stages: StagesBlock::new(flows, parameters),
            step: StepBlock::new(parameters),
            line_rate: parameters.line_rate,
        }
    }

    /// Whether a frame may be sent in the next cycle.
    pub fn sent_ready(&self) -> bool {
        self.stages.sent_ready()
    }

    /// The flow whose rate is needed in the next cycle.
    pub fn rate_wanted(&self) -> Option<u16> {
        self.stages.rate_wanted()
    }

    /// Whether a flow has had feedback and not become inactive since.
    pub fn active(&self, flow: u16) -> bool {
        self.stages.flows[usize::from(flow)].active
    }

    /// One cycle, with the feedback that waits, for a flow, and the rate of the flow that
    /// [`rate_wanted`](Self::rate_wanted) names.
    pub fn cycle(&mut self, feedback: Option<(u16, &Feedback)>, rate: Option<ReadRate>) -> FlowChange {
        let now = self.stages.at;
        let (target, change) = (self.step.target(now), self.step.change(now));
        let wanted = self.stages.rate_wanted();
        let mut outputs = FlowChange { rate: change.map(|rates| rates.rate), ..FlowChange::default() };
        outputs.rate_taken = rate.is_some() && self.stages.rate_taken(change.is_some());
        if let (Some(flow), Some(start), Some(read)) = (wanted, self.stages.start(), rate) {
            let operation = match start {
                Start::Decrease { moves_target } => {
                    let (_, &Feedback { quantized_feedback, .. }) = feedback.expect("held until it is taken");
                    outputs.feedback_taken = true;
                    Operation::Decrease { quantized_feedback: quantized_feedback.into(), moves_target }
                }
                Start::Increase(ended) => Operation::Increase(ended),
            };
            self.step.start(now, operation, self.stages.rates(flow, read.rate));
        }
        let line_rate = self.line_rate;
        self.stages.cycle(&StagesInputs {
            feedback: feedback.map(|(flow, _)| flow),
            rate_waits: rate.map(|read| read.waits),
            target,
            change: change.map(|Rates { rate, byte_stage, time_stage, .. }| StagesChange {
                at_line_rate: rate == line_rate,
                byte_stage,
                time_stage,
            }),
        });
        outputs
    }

    /// A frame of so many bytes is sent in the cycle that was the last one.
    pub fn count(&mut self, flow: u16, bytes: u32) {
        self.stages.count(flow, bytes);
    }
}
