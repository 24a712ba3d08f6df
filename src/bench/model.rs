//! The models with the latencies of their circuits: exact to the cycle, without stepping through idle ones.

use super::wire::{read_frame, write_frame, Frame, FRAME_WORDS};
use super::{
    Calculator, CalculatorState, CongestionPoint, CongestionPointCycle, Packet, ReactionPoint, ReactionPointCycle,
};
use crate::registry::{self, Algorithm, Scheme};
use crate::scheme::parameters::Parameters;
use crate::scheme::qcn::{self, Ended};
use crate::scheme::queue_monitor::QueueMonitor;
use crate::scheme::sampler::Sampler;
use crate::scheme::token_bucket::TokenBucket;
use crate::scheme::{smcc, to_units, Feedback};
use crate::units::{Cycles, Rate};
use std::collections::VecDeque;

/// From the cycle of a sample until it is at the head of the empty sample queue.
const SAMPLE_QUEUE_LATENCY: Cycles = 3;
/// Samples that can wait.
const SAMPLE_QUEUE_DEPTH: usize = 16;
/// QCN: from the head of the queue until a sample with Fb ≥ 0 is dropped.
const QCN_DROP_LATENCY: Cycles = 2;
/// QCN: from the head of the queue to the first word of the frame.
const QCN_FEEDBACK_LATENCY: Cycles = 8;
/// QCN: from the cycle in which an operation is taken to the one in which its result shows.
const QCN_OPERATION_LATENCY: Cycles = 10;
/// SMCC: from the cycle in which a feedback is taken to the one in which the new rate shows.
const SMCC_STEP_LATENCY: Cycles = 4;

/// No such cycle.
const NEVER: Cycles = Cycles::MAX;

/// The congestion point of a scheme.
pub struct ModelCongestionPoint {
    sampler: Sampler,
    monitor: QueueMonitor,
    q0_bytes: u32,
    /// QCN's; SMCC has none.
    qcn: Option<qcn::FeedbackParameters>,
    /// Cycle in which the sample written last leaves the queue.
    last_pop: Option<Cycles>,
    /// Cycles in which the waiting samples were written and leave.
    waiting: VecDeque<(Cycles, Cycles)>,
    /// Sampling intervals that come into force in a cycle.
    intervals: VecDeque<(Cycles, u32)>,
    /// Frames under way: cycle of the first word, destination, fields, the rest of the frame's fields.
    frames: VecDeque<Outgoing>,
}

struct Outgoing {
    first_word: Cycles,
    started: bool,
    feedback: Feedback,
    packet: Packet,
}

impl ModelCongestionPoint {
    /// At cycle 0, with an empty queue.
    pub fn new(scheme: &Scheme, parameters: &Parameters) -> Self {
        let (lows, ratio) = registry::sampling(parameters);
        let bounds = crate::scheme::jitter::JitterParameters { low: lows[0], ratio };
        ModelCongestionPoint {
            sampler: Sampler::new(registry::sample_mode(parameters), bounds, parameters.integer("seed") as u16),
            monitor: QueueMonitor::default(),
            q0_bytes: parameters.integer("q0_bytes") as u32,
            qcn: (scheme.algorithm == Algorithm::Qcn).then(|| registry::qcn_feedback(parameters)),
            last_pop: None,
            waiting: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            intervals: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            frames: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
        }
    }

    /// A sample is written to the queue in cycle `now`: when will it be at the head, what becomes of it, when does it leave.
    fn schedule(&mut self, now: Cycles, packet: &Packet, q_offset: i32, q_delta: i32) {
        let head = self.last_pop.map_or(0, |pop| pop + 1).max(now + SAMPLE_QUEUE_LATENCY);
        let last_word = FRAME_WORDS as Cycles - 1;
        let mut send_at = None;
        let mut quantized_feedback = 0;
        let pop = match &self.qcn {
            None if packet.controlled => {
                send_at = Some(head);
                head + last_word
            }
            None => head,
            Some(qcn) => match qcn.quantize(qcn.congestion(q_offset, q_delta)) {
                None => {
                    self.intervals.push_back((head + QCN_DROP_LATENCY + 1, qcn.interval_low[0]));
                    head + QCN_DROP_LATENCY
                }
                Some(quantized) => {
                    quantized_feedback = quantized;
                    let done = head + QCN_FEEDBACK_LATENCY;
                    self.intervals.push_back((done + 1, qcn.interval_low[usize::from(quantized >> 3)]));
                    if packet.controlled && qcn.sends(quantized) {
                        send_at = Some(done);
                        done + last_word
                    } else {
                        done
                    }
                }
            },
        };
        if let Some(first_word) = send_at {
            let feedback = Feedback {
                quantized_feedback,
                q_offset: to_units(q_offset),
                q_delta: to_units(q_delta),
                cpid: registry::CPID,
            };
            self.frames.push_back(Outgoing { first_word, started: false, feedback, packet: *packet });
        }
        self.last_pop = Some(pop);
        self.waiting.push_back((now, pop));
    }
}

impl CongestionPoint for ModelCongestionPoint {
    fn ready(&self, now: Cycles) -> bool {
        // A write or a pop shows in the pointers one cycle later.
        let waiting = self.waiting.iter().filter(|&&(written, pop)| written < now && pop >= now).count();
        waiting < SAMPLE_QUEUE_DEPTH
    }

    fn next(&self, now: Cycles) -> Cycles {
        self.frames.front().map_or(NEVER, |frame| {
            let last_word = if frame.started { FRAME_WORDS as Cycles - 1 } else { 0 };
            (frame.first_word + last_word).max(now)
        })
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        let mut outcome = CongestionPointCycle::default();
        self.monitor.step(enqueue.map_or(0, |packet| packet.bytes), dequeued);
        if let Some(packet) = enqueue {
            while let Some(&(from, low)) = self.intervals.front().filter(|&&(from, _)| from <= now) {
                self.intervals.pop_front();
                self.sampler.set_interval_low(from, low);
            }
            if self.sampler.packet(now, packet.bytes) {
                let (q_offset, q_delta) = self.monitor.sample(self.q0_bytes);
                outcome.sample = Some((q_offset, q_delta));
                if self.ready(now) {
                    self.schedule(now, packet, q_offset, q_delta);
                }
            }
            while self.waiting.front().is_some_and(|&(_, pop)| pop < now) {
                self.waiting.pop_front();
            }
        }
        if let Some(frame) = self.frames.front_mut() {
            if frame.first_word == now {
                frame.started = true;
                outcome.feedback_sent = Some((frame.packet.source, frame.feedback));
            } else if frame.first_word + FRAME_WORDS as Cycles - 1 == now {
                outcome.frame = Some(write_frame(&frame.packet, &frame.feedback));
                self.frames.pop_front();
            }
        }
        outcome
    }

    fn queue_bytes(&self) -> u32 {
        self.monitor.queue_bytes
    }
}

/// QCN's calculator.
pub struct QcnModel {
    algorithm: qcn::ReactionPoint,
    operation: Option<(Cycles, Operation)>,
    byte_due: bool,
    time_due: bool,
    source_empty: bool,
    /// It became inactive in the last cycle: the registers show it in the next.
    deactivated: bool,
}

#[derive(Clone, Copy)]
enum Operation {
    Decrease { quantized_feedback: u8, moves_target: bool },
    Increase(Ended),
}

impl QcnModel {
    /// Inactive, at line rate.
    pub fn new(parameters: qcn::CalculatorParameters) -> Self {
        QcnModel {
            algorithm: qcn::ReactionPoint::new(parameters),
            operation: None,
            byte_due: false,
            time_due: false,
            source_empty: false,
            deactivated: false,
        }
    }

    /// What stands at the ports in cycle `now` whatever comes in: the registers, with an operation that shows in this cycle, and
    /// whether a feedback would be taken.
    pub fn begin(&mut self, now: Cycles) -> (CalculatorState, bool) {
        if let Some((_, operation)) = self.operation.filter(|&(done, _)| done == now) {
            match operation {
                Operation::Decrease { quantized_feedback, moves_target } => {
                    self.algorithm.decrease(quantized_feedback, moves_target)
                }
                Operation::Increase(ended) => self.algorithm.increase(ended),
            }
            self.operation = None;
        }
        let (byte_stage, time_stage) = self.algorithm.stages();
        let state = CalculatorState {
            current_rate: self.algorithm.current_rate(),
            target: Some((self.algorithm.target_rate(), byte_stage, time_stage)),
        };
        (state, self.operation.is_none() && !self.byte_due && !self.time_due)
    }
}

impl Calculator for QcnModel {
    fn next(&self, now: Cycles) -> Cycles {
        let mut next = self.algorithm.timer_end(now).unwrap_or(NEVER);
        if let Some((done, _)) = self.operation {
            next = next.min(done.max(now));
        } else if self.byte_due
            || self.time_due
            || self.deactivated
            || (self.source_empty && self.algorithm.at_line_rate())
        {
            next = now;
        }
        next
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState) {
        self.source_empty = source_empty;
        let (state, _) = self.begin(now);
        let mut taken = false;
        let mut deactivate = false;
        if self.operation.is_none() {
            let operation = if self.byte_due {
                self.byte_due = false;
                Some(Operation::Increase(Ended::ByteCycle))
            } else if self.time_due {
                self.time_due = false;
                Some(Operation::Increase(Ended::TimerPeriod))
            } else if let Some(feedback) = feedback {
                taken = true;
                let moves_target = self.algorithm.take_feedback(now);
                Some(Operation::Decrease { quantized_feedback: feedback.quantized_feedback, moves_target })
            } else {
                deactivate = source_empty && self.algorithm.at_line_rate();
                None
            };
            self.operation = operation.map(|operation| (now + QCN_OPERATION_LATENCY, operation));
        }
        if let Some(bytes) = sent {
            self.byte_due |= self.algorithm.sent(now, bytes);
        }
        if self.algorithm.timer_end(now) == Some(now) {
            self.algorithm.restart_timer(now);
            self.time_due = true;
        }
        self.deactivated = deactivate;
        if deactivate {
            self.algorithm.deactivate();
            self.byte_due = false;
            self.time_due = false;
        }
        (taken, state)
    }
}

/// SMCC's calculator.
pub struct SmccModel {
    algorithm: smcc::ReactionPoint,
    steps: VecDeque<(Cycles, smcc::Step)>,
}

impl SmccModel {
    /// At line rate.
    pub fn new(parameters: smcc::CalculatorParameters) -> Self {
        SmccModel { algorithm: smcc::ReactionPoint::new(parameters), steps: VecDeque::with_capacity(5) }
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

impl Calculator for SmccModel {
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
            self.steps.push_back((now + SMCC_STEP_LATENCY, step));
        }
        (feedback.is_some(), state)
    }
}

/// A reaction point around a calculator.
pub struct ModelReactionPoint<C> {
    calculator: C,
    bucket: TokenBucket,
    overhead: u32,
    mac: u64,
    rate: Rate,
    /// A frame that was granted in the last cycle: the calculator hears of it in this one.
    sent: Option<u32>,
    /// Frames on their way: arrival of the first word, fields if the parser will take it.
    frames: VecDeque<(Cycles, Option<Feedback>)>,
    /// The parser's output register: from which cycle, what.
    parsed: Option<(Cycles, Feedback)>,
    /// The first cycle in which the parser can take a word.
    parser_free: Cycles,
    /// The cycle of the last word of the frame that the parser is reading.
    last_word: Option<Cycles>,
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// At cycle 0, with an empty bucket.
    pub fn new(calculator: C, parameters: &Parameters, mac: u64) -> Self {
        ModelReactionPoint {
            calculator,
            bucket: TokenBucket::new(parameters.integer("bucket_bytes") as u32),
            overhead: parameters.overhead(),
            mac,
            rate: parameters.rate("line_rate_mbps"),
            sent: None,
            frames: VecDeque::with_capacity(16),
            parsed: None,
            parser_free: 0,
            last_word: None,
        }
    }

    /// Lets the parser begin the next frame, if it can before its output register is empty again.
    fn begin_frame(&mut self) {
        if self.last_word.is_none() && self.parsed.is_none() {
            if let Some(&(arrival, _)) = self.frames.front() {
                self.last_word = Some(arrival.max(self.parser_free) + FRAME_WORDS as Cycles - 1);
            }
        }
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &Frame) {
        self.frames.push_back((at, read_frame(frame, self.mac)));
        self.begin_frame();
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        let mut next = self.calculator.next(now);
        if let Some(last_word) = self.last_word {
            next = next.min(last_word.max(now));
        }
        if self.parsed.is_some() || self.sent.is_some() {
            next = next.min(now);
        }
        if let Some(bytes) = request {
            if let Some(ready) = self.bucket.ready_at(bytes + self.overhead, self.rate) {
                next = next.min(ready.max(now));
            }
        }
        next
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        self.bucket.advance(now, self.rate);
        let offered = self.parsed.filter(|&(from, _)| from <= now).map(|(_, feedback)| feedback);
        let (taken, state) = self.calculator.cycle(now, offered.as_ref(), self.sent.take(), false);
        self.rate = state.current_rate;
        let cost = request.map_or(0, |bytes| bytes + self.overhead);
        let granted = request.is_some() && self.bucket.ready_at(cost, self.rate) == Some(now);
        if granted {
            self.bucket.take(cost, self.rate);
            self.sent = request;
        }
        if taken {
            self.parsed = None;
            self.parser_free = now;
            self.begin_frame();
        }
        if self.last_word == Some(now) {
            self.last_word = None;
            self.parser_free = now + 1;
            if let Some((_, Some(feedback))) = self.frames.pop_front() {
                self.parsed = Some((now + 1, feedback));
            }
            self.begin_frame();
        }
        ReactionPointCycle { granted, feedback: offered.filter(|_| taken), rate: state.current_rate }
    }
}
