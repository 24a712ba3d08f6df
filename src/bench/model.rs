//! The models with the latencies of their circuits: exact to the cycle, without stepping through idle ones.

pub mod asm;
pub mod bcn;
pub mod dsm;
pub mod infiniband;
pub mod qcn;
pub mod step;

use super::wire::{read_frame, write_frame, Address, FRAME_WORDS};
use super::{Calculator, CongestionPoint, CongestionPointCycle, Packet, ReactionPoint, ReactionPointCycle};
use crate::registry;
use crate::scheme::parameters::Parameters;
use crate::scheme::queue_monitor::QueueMonitor;
use crate::scheme::sampler::Sampler;
use crate::scheme::sampling_exception::SamplingException;
use crate::scheme::token_bucket::TokenBucket;
use crate::scheme::{to_units, Feedback};
use crate::units::{Cycles, Rate};
use std::collections::VecDeque;

/// From the cycle of a sample until it is at the head of the empty sample queue.
const SAMPLE_QUEUE_LATENCY: Cycles = 3;
/// From the pop of a sample until the next one is at the head.
const POP_LATENCY: Cycles = 2;
/// Samples that can wait.
const SAMPLE_QUEUE_DEPTH: usize = 16;

/// No such cycle.
const NEVER: Cycles = Cycles::MAX;

/// What becomes of a sample that is at the head of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Cycles until the first word of its frame, or where none is sent, until it is dropped.
    pub latency: Cycles,
    /// What the frame carries; `None`: none is sent.
    pub send: Option<Fields>,
    /// The smallest sampling interval from then on, where the scheme changes it.
    pub interval_low: Option<u32>,
}

/// The fields of a frame that the feedback block makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// QntzFb.
    pub quantized_feedback: u8,
    /// cnmQOffset.
    pub q_offset: i16,
    /// cnmQDelta.
    pub q_delta: i16,
}

impl Fields {
    /// Qoff and ΔQ of a sample in 64-octet units.
    pub fn of_sample(quantized_feedback: u8, q_offset: i32, q_delta: i32) -> Self {
        Fields { quantized_feedback, q_offset: to_units(q_offset), q_delta: to_units(q_delta) }
    }
}

/// A feedback block.
pub trait FeedbackModel {
    /// Whether no packet from the source of the last feedback is a sample.
    const SAMPLING_EXCEPTION: bool = false;

    /// Qoff and ΔQ of a sample, in bytes. A frame is sent only if a reaction point governs the flow.
    fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> Fate;
}

/// A congestion point around a feedback block.
pub struct ModelCongestionPoint<F> {
    sampler: Sampler,
    monitor: QueueMonitor,
    q0_bytes: u32,
    cp_mac: u64,
    cpid: u64,
    feedback: F,
    /// A sample is due, and no packet could be it yet.
    due: bool,
    exception: SamplingException,
    /// Source addresses to which feedback has gone from a cycle on.
    sent: VecDeque<(Cycles, u64)>,
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

impl<F: FeedbackModel> ModelCongestionPoint<F> {
    /// At cycle 0, with an empty queue.
    pub fn new(feedback: F, parameters: &Parameters) -> Self {
        let (lows, ratio) = registry::sampling(parameters);
        let bounds = crate::scheme::jitter::JitterParameters { low: lows[0], ratio };
        ModelCongestionPoint {
            sampler: Sampler::new(registry::sample_mode(parameters), bounds, parameters.integer("seed") as u16),
            monitor: QueueMonitor::default(),
            q0_bytes: parameters.integer("q0_bytes") as u32,
            cp_mac: parameters.mac("cp_mac"),
            cpid: parameters.cpid(),
            feedback,
            due: false,
            exception: SamplingException::default(),
            sent: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            last_pop: None,
            waiting: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            intervals: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            frames: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
        }
    }

    /// A sample is written to the queue in cycle `now`: when will it be at the head, what becomes of it, when does it leave.
    fn schedule(&mut self, now: Cycles, packet: &Packet, q_offset: i32, q_delta: i32) {
        let head = self.last_pop.map_or(0, |pop| pop + POP_LATENCY).max(now + SAMPLE_QUEUE_LATENCY);
        let fate = self.feedback.sample(q_offset, q_delta, packet.controlled);
        let done = head + fate.latency;
        self.intervals.extend(fate.interval_low.map(|low| (done + 1, low)));
        let mut pop = done;
        if let Some(Fields { quantized_feedback, q_offset, q_delta }) = fate.send.filter(|_| packet.controlled) {
            let feedback = Feedback { quantized_feedback, q_offset, q_delta, cpid: self.cpid };
            self.frames.push_back(Outgoing { first_word: done, started: false, feedback, packet: *packet });
            pop = done + FRAME_WORDS as Cycles - 1;
            if F::SAMPLING_EXCEPTION {
                self.sent.push_back((pop + 1, packet.source));
            }
        }
        self.last_pop = Some(pop);
        self.waiting.push_back((now, pop));
    }
}

impl<F: FeedbackModel> CongestionPoint for ModelCongestionPoint<F> {
    fn ready(&mut self, now: Cycles) -> bool {
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
            self.due |= self.sampler.packet(now, packet.bytes);
            while let Some(&(_, source)) = self.sent.front().filter(|&&(from, _)| from <= now) {
                self.exception.sent_to(source);
                self.sent.pop_front();
            }
            if self.due && self.exception.may_be_sampled(packet.source) {
                self.due = false;
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
                outcome.frame = Some(write_frame(&frame.packet, &frame.feedback, self.cp_mac));
                self.frames.pop_front();
            }
        }
        outcome
    }

    fn queue_bytes(&mut self) -> u32 {
        self.monitor.queue_bytes
    }
}

/// A reaction point around a calculator.
pub struct ModelReactionPoint<C> {
    calculator: C,
    bucket: TokenBucket,
    overhead: u32,
    address: Address,
    rate: Rate,
    /// The frame whose length was there in the last cycle: it is granted in this one, and the calculator counts it.
    granted: Option<u32>,
    /// Frames on their way.
    frames: VecDeque<Incoming>,
    /// The parser's output register: from which cycle, what.
    parsed: Option<(Cycles, Feedback)>,
    /// The first cycle in which the parser can take a word.
    parser_free: Cycles,
    /// The cycle of the last word of the frame that the parser is reading.
    last_word: Option<Cycles>,
    ignored: u32,
}

/// A frame on its way to a reaction point.
struct Incoming {
    /// Arrival of its first word.
    arrival: Cycles,
    /// Words of 64 bits.
    words: Cycles,
    /// What is in it, if the parser will take it.
    feedback: Option<Feedback>,
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// At cycle 0, with an empty bucket.
    pub fn new(calculator: C, parameters: &Parameters, address: Address) -> Self {
        ModelReactionPoint {
            calculator,
            bucket: TokenBucket::new(parameters.integer("bucket_bytes") as u32),
            overhead: parameters.overhead(),
            address,
            rate: parameters.rate("line_rate_mbps"),
            granted: None,
            // Of a million reaction points few have a frame on its way.
            frames: VecDeque::new(),
            parsed: None,
            parser_free: 0,
            last_word: None,
            ignored: 0,
        }
    }

    /// Lets the parser begin the next frame, if it can before its output register is empty again.
    fn begin_frame(&mut self) {
        if self.last_word.is_none() && self.parsed.is_none() {
            if let Some(frame) = self.frames.front() {
                self.last_word = Some(frame.arrival.max(self.parser_free) + frame.words - 1);
            }
        }
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        let feedback = read_frame(frame, &self.address).ok();
        self.frames.push_back(Incoming { arrival: at, words: frame.len().div_ceil(8) as Cycles, feedback });
        self.begin_frame();
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        let mut next = self.calculator.next(now);
        if let Some(last_word) = self.last_word {
            next = next.min(last_word.max(now));
        }
        if self.parsed.is_some() || self.granted.is_some() {
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
        let granted = self.granted.take();
        let (taken, state) = self.calculator.cycle(now, offered.as_ref(), granted, false);
        self.rate = state.current_rate;
        match granted {
            Some(bytes) => self.bucket.take(bytes + self.overhead, self.rate),
            None => {
                let goes = |bytes: &u32| self.bucket.ready_at(bytes + self.overhead, self.rate) == Some(now);
                self.granted = request.filter(goes);
            }
        }
        if taken {
            self.parsed = None;
            self.parser_free = now;
            self.begin_frame();
        }
        let frame = if self.last_word == Some(now) { self.frames.pop_front() } else { None };
        if let Some(frame) = &frame {
            self.last_word = None;
            self.parser_free = now + 1;
            match frame.feedback {
                Some(feedback) => self.parsed = Some((now + 1, feedback)),
                None => self.ignored = self.ignored.wrapping_add(1),
            }
            self.begin_frame();
        }
        ReactionPointCycle {
            granted: granted.is_some(),
            frame_read: frame.is_some(),
            feedback: offered.filter(|_| taken),
            rate: state.current_rate,
        }
    }

    fn ignored_frames(&mut self) -> u32 {
        self.ignored
    }
}
