// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of many flows, exact to the cycle.

use super::flow_calculator::ReadRate;
use crate::scheme::flow_bucket::{FlowBucket, FlowBucketParameters, Visit, waiting_ticks};
use std::collections::VecDeque;
use tidegate_core::units::{Cycles, Rate};

/// From the cycle in which a visit is chosen to the one that says how it goes on: the state of the flow has been read
/// and stored.
const LOAD_LATENCY: Cycles = 3;
/// From the cycle of a choice, or from the end of a visit, to that of the next choice, if the list of the next turn has to be read.
const TURN_CYCLES: Cycles = 2;
/// The same after a visit that has left the flow without a list.
const NEXT_TURN_CYCLES: Cycles = 1;
/// Cycles between two sweeps, if there are at most [`FEW_FLOWS`], and if there are more.
const SWEEP_CYCLES: [Cycles; 2] = [256, 64];
const FEW_FLOWS: usize = 256;
/// Lists for waiting times of one tick, of 16 and of 256 ticks: 16 of each.
const LISTS: usize = 48;

/// What comes in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowLimiterInputs {
    /// A flow has a frame of so many bytes.
    pub announce: Option<(u16, u32)>,
    /// The frame that is granted can be sent, and has so many bytes.
    pub send: Option<u32>,
    /// A feedback for this flow waits.
    pub feedback: Option<u16>,
    /// The calculator takes this feedback.
    pub feedback_taken: bool,
    /// The new rate, and what the calculator stores with it.
    pub change: Option<(Rate, u8)>,
}

/// What goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowLimiterOutputs {
    /// The memories are being cleared.
    pub clearing: bool,
    /// The announcement is taken.
    pub announce_ready: bool,
    /// The last announcement that was taken is refused.
    pub refused: bool,
    /// The flow whose frame may be sent.
    pub grant: Option<u16>,
    /// This frame is sent.
    pub sent: bool,
    /// Rate and mode of the flow of the feedback.
    pub rate: Option<(Rate, u8)>,
    /// The flow that is visited, and its rate before this visit.
    pub visited: Option<(u16, Rate)>,
}

/// Why a flow is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Look { list: usize },
    Send { cost: u32 },
    Announce { cost: u32 },
    Read,
    Change,
    Sweep,
}

/// What is still to do in a visit.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// Read the state.
    Load { task: Task, flow: u16 },
    /// Write the new rate.
    Change { flow: u16 },
    /// Put the flow behind those whose frames may go.
    Release { flow: u16 },
    /// Choose a list for this time.
    Place { flow: u16, ticks: u32 },
    /// Put the flow into this list.
    Push { flow: u16, list: usize },
}

/// The bounds of all rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowRateBounds {
    /// The line rate: the largest, and that of each flow after a reset.
    pub line_rate: Rate,
    /// The smallest, but for flows of BCN that are stopped.
    pub min_rate: Rate,
}

impl FlowRateBounds {
    /// The rate that is stored for one that a visit has found, or for a new one: another one if the bounds have changed.
    fn stored(self, rate: Option<Rate>) -> Option<Rate> {
        rate.filter(|&rate| rate < self.line_rate).map(|rate| if rate.0 > 0 { rate.max(self.min_rate) } else { rate })
    }
}

/// The rate limiter of many flows.
#[derive(Clone)]
pub struct FlowLimiterModel {
    parameters: FlowBucketParameters,
    buckets: Vec<FlowBucket>,
    bounds: FlowRateBounds,
    /// Rate, `None` where it is the line rate, whatever that becomes; and mode.
    rates: Vec<(Option<Rate>, u8)>,
    lists: [Vec<u16>; LISTS],
    /// Of lists of one tick, of 16, of 256 ticks: which is being emptied.
    reached: [u32; 3],
    /// Tick in which the lists of one tick went on the last time.
    went_on: u32,
    ready: VecDeque<u16>,
    turn: u8,
    sweep_due: bool,
    sweep_flow: u16,
    /// Flow of the feedback, its rate and mode, then the new ones.
    reader: u16,
    rate: (Rate, u8),
    /// A frame of it waited when its rate was read.
    reader_waits: bool,
    rate_known: bool,
    changing: bool,
    /// What a turn that is no look would do in this cycle: it was known in the last one.
    asked: Option<(Task, u16)>,
    /// Cycle of the model, cycle 0 being the first after reset.
    at: Cycles,
    /// The first cycle after the memories were cleared.
    cleared: Cycles,
    /// From which cycle on a visit can be chosen.
    free: Cycles,
    /// The next thing to do in the current visit, and when.
    rest: Option<(Cycles, Rest)>,
}

impl FlowLimiterModel {
    /// After a reset, with so many flows.
    pub fn new(flows: usize, bounds: FlowRateBounds, parameters: FlowBucketParameters) -> Self {
        let cleared = flows.max(64) as Cycles;
        FlowLimiterModel {
            parameters,
            buckets: vec![FlowBucket::default(); flows],
            bounds,
            rates: vec![(None, 0); flows],
            lists: std::array::from_fn(|_| Vec::new()),
            reached: [0; 3],
            went_on: 0,
            ready: VecDeque::new(),
            turn: 0,
            sweep_due: false,
            sweep_flow: 0,
            reader: 0,
            rate: (Rate(0), 0),
            reader_waits: false,
            rate_known: false,
            changing: false,
            asked: None,
            at: 0,
            cleared,
            free: cleared + 1,
            rest: None,
        }
    }

    /// The rate of a flow.
    pub fn rate_of(&self, flow: u16) -> Rate {
        self.rates[usize::from(flow)].0.unwrap_or(self.bounds.line_rate)
    }

    /// Other parameters from the next cycle on. What is stored of a flow is changed by its next visit.
    pub fn set_parameters(&mut self, bounds: FlowRateBounds, parameters: FlowBucketParameters) {
        (self.bounds, self.parameters) = (bounds, parameters);
    }

    /// Whether parameters may change: no flow is visited.
    pub(crate) fn rests(&self) -> bool {
        self.rest.is_none() && self.at + 1 >= self.free
    }

    /// The flow whose frame may be sent in the next cycle.
    pub fn granted(&self) -> Option<u16> {
        self.ready.front().copied()
    }

    /// The rate of the flow whose feedback waits, if it has been read.
    pub(crate) fn rate_read(&self) -> Option<ReadRate> {
        self.rate_known.then_some(ReadRate { rate: self.rate.0, waits: self.reader_waits })
    }

    /// The tick that begins with or before this cycle.
    fn tick(&self, cycle: Cycles) -> u32 {
        ((cycle - self.cleared) >> self.parameters.tick_bits) as u32
    }

    /// What goes out in this cycle.
    pub(crate) fn outputs(&self, announce: Option<(u16, u32)>, send: Option<u32>) -> FlowLimiterOutputs {
        self.clone().cycle(&FlowLimiterInputs { announce, send, ..Default::default() })
    }

    /// One cycle.
    pub fn cycle(&mut self, inputs: &FlowLimiterInputs) -> FlowLimiterOutputs {
        let now = self.at;
        let mut outputs = FlowLimiterOutputs {
            clearing: now < self.cleared,
            grant: self.ready.front().copied(),
            rate: self.rate_known.then_some(self.rate),
            ..Default::default()
        };
        if now > self.cleared
            && (now - self.cleared).is_multiple_of(SWEEP_CYCLES[usize::from(self.rates.len() > FEW_FLOWS)])
        {
            self.sweep_due = true;
        }
        let asks = self.asked;
        self.asked = self.asked_next(inputs);
        if let Some((_, rest)) = self.rest.take_if(|(at, _)| *at == now) {
            self.go_on(now, rest, &mut outputs);
        } else if now >= self.free && self.rest.is_none() {
            self.choose(now, asks, inputs, &mut outputs);
        }
        if inputs.feedback_taken {
            self.rate_known = false;
        }
        if let Some(rate) = inputs.change {
            (self.rate, self.changing) = (rate, true);
        }
        self.at += 1;
        outputs
    }

    /// What the turn in the next cycle would do if it is no look.
    fn asked_next(&self, inputs: &FlowLimiterInputs) -> Option<(Task, u16)> {
        match self.turn {
            6 if self.changing => Some((Task::Change, self.reader)),
            6 if !self.rate_known => inputs.feedback.map(|flow| (Task::Read, flow)),
            7 if self.sweep_due => Some((Task::Sweep, self.sweep_flow)),
            _ => None,
        }
    }

    /// The time of the list that is being emptied is over. The lists of one tick may be 16 ticks late.
    fn is_late(&self, scale: usize, tick: u32) -> bool {
        self.reached[scale] != (tick >> (4 * scale)) % 16 || scale == 0 && tick != self.went_on
    }

    /// A turn: what is visited next. `asks` is what was asked for in the last cycle.
    fn choose(
        &mut self,
        now: Cycles,
        asks: Option<(Task, u16)>,
        inputs: &FlowLimiterInputs,
        outputs: &mut FlowLimiterOutputs,
    ) {
        self.free = now + TURN_CYCLES;
        let turn = self.turn;
        let scale = usize::from(turn / 2);
        let list = (turn.is_multiple_of(2) && turn < 6).then(|| 16 * scale + self.reached[scale] as usize);
        if list.is_some_and(|list| self.lists[list].is_empty()) && self.is_late(scale, self.tick(now - 1)) {
            self.reached[scale] = (self.reached[scale] + 1) % 16;
            if scale == 0 {
                self.went_on = self.tick(now);
            }
            return;
        }
        self.turn = (turn + 1) % 8;
        let chosen = if let Some((list, &flow)) = list.and_then(|list| Some((list, self.lists[list].last()?))) {
            Some((Task::Look { list }, flow))
        } else if let Some((task, flow)) = asks {
            if task == Task::Sweep {
                self.sweep_due = false;
                self.sweep_flow = (flow + 1) % self.buckets.len() as u16;
            }
            Some((task, flow))
        } else if let (Some(&flow), Some(bytes)) = (self.ready.front(), inputs.send) {
            outputs.sent = true;
            Some((Task::Send { cost: bytes + self.parameters.overhead_bytes }, flow))
        } else if let Some((flow, bytes)) = inputs.announce {
            outputs.announce_ready = true;
            Some((Task::Announce { cost: bytes + self.parameters.overhead_bytes }, flow))
        } else {
            None
        };
        self.rest = chosen.map(|(task, flow)| (now + LOAD_LATENCY, Rest::Load { task, flow }));
    }

    /// The next thing to do in the current visit.
    fn go_on(&mut self, now: Cycles, rest: Rest, outputs: &mut FlowLimiterOutputs) {
        self.free = now + TURN_CYCLES;
        self.rest = match rest {
            Rest::Load { task, flow } => self.load(now, task, flow, outputs),
            Rest::Change { flow } => {
                self.rates[usize::from(flow)] = (self.bounds.stored(Some(self.rate.0)), self.rate.1);
                self.changing = false;
                self.free = now + NEXT_TURN_CYCLES;
                None
            }
            Rest::Release { flow } => {
                self.ready.push_back(flow);
                self.free = now + NEXT_TURN_CYCLES;
                None
            }
            Rest::Place { flow, ticks } => {
                let wake = self.tick(now) + ticks;
                let scale = match ticks {
                    ..16 => 0,
                    16..256 => 1,
                    _ => 2,
                };
                let mut digit = (wake >> (4 * scale)) % 16;
                // A list that comes to its turn before its time, because the lists are late, would be emptied again
                // and again, and so would the one that is being emptied: the last one before it.
                let after = |first: u32| (digit + 16 - first) % 16;
                let distance = after(self.reached[scale]);
                if distance == 0 || distance < after((self.tick(now + 1) >> (4 * scale)) % 16) {
                    digit = (self.reached[scale] + 15) % 16;
                }
                Some((now + 3, Rest::Push { flow, list: 16 * scale + digit as usize }))
            }
            Rest::Push { flow, list } => {
                self.lists[list].push(flow);
                None
            }
        };
    }

    /// Reads the state of the flow, computes the new one, and says what follows and when.
    fn load(&mut self, now: Cycles, task: Task, flow: u16, outputs: &mut FlowLimiterOutputs) -> Option<(Cycles, Rest)> {
        // The time is stored with the state.
        let tick = self.tick(now - 1);
        let known = usize::from(flow) < self.buckets.len();
        let place = usize::from(flow) % self.buckets.len();
        let (stored, mode) = self.rates[place];
        let rate = stored.unwrap_or(self.bounds.line_rate);
        outputs.visited = Some((place as u16, rate));
        let bucket = &mut self.buckets[place];
        let depth = self.parameters.bucket_bytes;
        let mut visit = Visit::Other;
        match task {
            Task::Look { list } => {
                self.lists[list].pop();
            }
            Task::Send { cost } => {
                self.ready.pop_front();
                bucket.waits = false;
                visit = Visit::Send(cost);
            }
            Task::Announce { cost } => {
                if bucket.waits || cost > depth || !known {
                    outputs.refused = true;
                    return None;
                }
            }
            Task::Read => {
                (self.reader, self.rate, self.rate_known) = (flow, (rate, mode), true);
                self.reader_waits = bucket.waits;
                return None;
            }
            Task::Change => visit = Visit::Change,
            Task::Sweep => {
                if bucket.waits {
                    return None;
                }
            }
        }
        // One cycle for each bit of the time, at least one, and two for the level. A frame that is announced or sent takes one
        // more.
        let bits = (32 - bucket.elapsed(tick).leading_zeros()).max(1);
        let one_more = matches!(task, Task::Announce { .. } | Task::Send { .. });
        let write = now + Cycles::from(bits) + 3 + Cycles::from(one_more);
        bucket.visit(tick, rate, &self.parameters, visit);
        self.rates[place].0 = self.bounds.stored(stored);
        match task {
            Task::Announce { cost } => bucket.announce(cost),
            Task::Change => return Some((write, Rest::Change { flow })),
            Task::Look { .. } => {}
            _ => {
                self.free = write + NEXT_TURN_CYCLES;
                return None;
            }
        }
        let Some(missing) = bucket.missing_ticks(rate, &self.parameters) else {
            return Some((write + 1, Rest::Release { flow }));
        };
        // One cycle up and two down for each bit of the quotient and one bit more, and one each that sees the end; one to
        // round.
        let bits = Cycles::from((33 - missing.leading_zeros()).min(12));
        Some((write + 3 * bits + 4, Rest::Place { flow, ticks: waiting_ticks(missing) }))
    }
}
