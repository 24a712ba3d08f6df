// SPDX-License-Identifier: MIT OR Apache-2.0
//! A congestion point of any Ethernet scheme: what stands around its feedback block.

use super::codec::{Codec, Frame, Origin, Payload};
use super::device::{CongestionPoint, CongestionPointCycle};
use super::packet::Packet;
use super::{AnyFeedback, FeedbackModel, NEVER};
use crate::scheme::jitter::JitterParameters;
use crate::scheme::parameters::Parameters;
use crate::scheme::queue_monitor::QueueMonitor;
use crate::scheme::sampler::{Sampler, sample_mode, sampling, seed_of_queue};
use crate::scheme::sampling_exception::SamplingException;
use std::collections::VecDeque;
use tidegate_core::units::Cycles;

/// From the cycle of a sample until it is at the head of the empty sample queue.
pub(crate) const SAMPLE_QUEUE_LATENCY: Cycles = 3;
/// From the pop of a sample until the next one is at the head.
pub const POP_LATENCY: Cycles = 2;
/// Samples that can wait.
pub(crate) const SAMPLE_QUEUE_DEPTH: usize = 4;

/// A congestion point around a feedback block.
pub struct ModelCongestionPoint<F> {
    sampler: Sampler,
    monitor: QueueMonitor,
    q0_bytes: u32,
    origin: Origin,
    codec: Codec,
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
    /// Sampling intervals that come into force in a cycle: the span of one comes a cycle after its smallest value.
    intervals: VecDeque<(Cycles, JitterParameters)>,
    /// The span of the last of them.
    span: u32,
    /// Frames under way.
    frames: VecDeque<Outgoing>,
}

/// How a congestion point answers a packet. If neither is there, the packet passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// It marks the packet.
    pub marked: bool,
    /// The packet is a sample, with Qoff and ΔQ in bytes: a frame follows if the scheme sends one.
    pub sample: Option<(i32, i32)>,
}

/// What a congestion point writes of a frame in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "it lives for a cycle")]
pub enum Word {
    /// The first word: to which source, with what.
    First(u64, Payload),
    /// The last word: the frame.
    Last(Frame),
}

struct Outgoing {
    first_word: Cycles,
    last_word: Cycles,
    started: bool,
    source: u64,
    payload: Payload,
    frame: Frame,
}

impl<F: FeedbackModel> ModelCongestionPoint<F> {
    /// At cycle 0, with an empty queue.
    pub fn new(feedback: F, codec: Codec, parameters: &Parameters) -> Self {
        Self::of_queue(feedback, codec, parameters, 0)
    }

    /// The one of a queue of a switch, with a CPID and a seed of its own.
    pub fn of_queue(feedback: F, codec: Codec, parameters: &Parameters, queue: u16) -> Self {
        let seed = seed_of_queue(parameters.integer("seed") as u16, queue);
        ModelCongestionPoint {
            sampler: Sampler::new(sample_mode(parameters), sampling(parameters)[0], seed),
            monitor: QueueMonitor::default(),
            q0_bytes: parameters.integer("q0_bytes") as u32,
            origin: Origin { mac: parameters.mac("cp_mac"), cpid: parameters.cpid() + u64::from(queue) },
            codec,
            feedback,
            due: false,
            exception: SamplingException::default(),
            sent: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            last_pop: None,
            waiting: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
            intervals: VecDeque::with_capacity(2 * SAMPLE_QUEUE_DEPTH),
            span: sampling(parameters)[0].span,
            frames: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH),
        }
    }

    /// A sample is written to the queue in cycle `now`: when will it be at the head, what becomes of it, when does it
    /// leave.
    fn schedule(&mut self, now: Cycles, packet: &Packet, q_offset: i32, q_delta: i32) {
        let head = self.last_pop.map_or(0, |pop| pop + POP_LATENCY).max(now + SAMPLE_QUEUE_LATENCY);
        let fate = self.feedback.sample(q_offset, q_delta, packet.controlled);
        let done = head + fate.latency;
        if let Some(interval) = fate.interval {
            let span = std::mem::replace(&mut self.span, interval.span);
            self.intervals.push_back((done + 1, JitterParameters { span, ..interval }));
            self.intervals.push_back((done + 2, interval));
        }
        let mut pop = done;
        if let Some(payload) = fate.send.filter(|_| packet.controlled) {
            let frame = (self.codec.write)(packet, &payload, &self.origin);
            pop = done + frame.words() - 1;
            let source = packet.source;
            self.frames.push_back(Outgoing {
                first_word: done,
                last_word: pop,
                started: false,
                source,
                payload,
                frame,
            });
            if self.feedback.sampling_exception().is_some() {
                self.sent.push_back((pop + 1, packet.source));
            }
        }
        self.last_pop = Some(pop);
        while self.waiting.front().is_some_and(|&(_, pop)| pop < now) {
            self.waiting.pop_front();
        }
        self.waiting.push_back((now, pop));
    }
}

impl ModelCongestionPoint<AnyFeedback> {
    /// Other values of the [`CHANGEABLE`](super::CHANGEABLE) keys from cycle `now` on.
    pub fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        if !self.feedback.change_parameters(parameters) {
            self.sampler.set_interval(now, sampling(parameters)[0]);
        }
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
            let word = if frame.started { frame.last_word } else { frame.first_word };
            word.max(now)
        })
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        self.count(enqueue.map_or(0, |packet| packet.bytes), dequeued);
        let Answer { marked, sample } = enqueue.map_or_else(Answer::default, |packet| self.arrival(now, packet, true));
        let (feedback_sent, frame) = match self.word(now) {
            None => (None, None),
            Some(Word::First(source, payload)) => (Some((source, payload)), None),
            Some(Word::Last(frame)) => (None, Some(frame)),
        };
        CongestionPointCycle { marked, sample, feedback_sent, frame }
    }

    fn queue_bytes(&mut self) -> u32 {
        self.monitor.queue_bytes
    }
}

impl<F: FeedbackModel> ModelCongestionPoint<F> {
    /// So many bytes enter the queue in a cycle, and so many leave it.
    #[inline]
    pub fn count(&mut self, enqueued: u32, dequeued: u32) {
        self.monitor.step(enqueued, dequeued);
    }

    /// A packet arrives in cycle `now`: it enters the queue and its bytes are [counted](Self::count), or it found no room
    /// there.
    #[inline]
    pub fn arrival(&mut self, now: Cycles, packet: &Packet, enters: bool) -> Answer {
        let marked = enters && self.feedback.marks(now, self.monitor.queue_bytes, packet);
        if !self.intervals.is_empty() {
            self.set_intervals(now);
        }
        self.due |= self.sampler.packet(now, packet.bytes);
        Answer { marked, sample: if self.due { self.sample(now, packet) } else { None } }
    }

    /// What is written of the first frame in cycle `now`, behind what arrives in it.
    #[inline]
    pub fn word(&mut self, now: Cycles) -> Option<Word> {
        if self.frames.is_empty() { None } else { self.word_of_frame(now) }
    }

    /// Sets the sampling intervals that have come into force.
    fn set_intervals(&mut self, now: Cycles) {
        while let Some(&(from, interval)) = self.intervals.front().filter(|&&(from, _)| from <= now) {
            self.intervals.pop_front();
            self.sampler.set_interval(from, interval);
        }
    }

    /// A sample is due: takes the packet, if it may be one.
    fn sample(&mut self, now: Cycles, packet: &Packet) -> Option<(i32, i32)> {
        while let Some(&(_, source)) = self.sent.front().filter(|&&(from, _)| from <= now) {
            self.exception.sent_to(source);
            self.sent.pop_front();
        }
        if !self.exception.may_be_sampled(packet.source) {
            if self.feedback.sampling_exception().is_some_and(|exception| !exception.waits) {
                self.exception.forget();
                self.due = false;
            }
            return None;
        }
        self.due = false;
        let (q_offset, q_delta) = self.monitor.sample(self.q0_bytes);
        if CongestionPoint::ready(self, now) {
            self.schedule(now, packet, q_offset, q_delta);
        }
        Some((q_offset, q_delta))
    }

    fn word_of_frame(&mut self, now: Cycles) -> Option<Word> {
        let frame = self.frames.front_mut()?;
        if frame.first_word == now {
            frame.started = true;
            return Some(Word::First(frame.source, frame.payload));
        }
        let frame = self.frames.pop_front_if(|frame| frame.last_word == now)?;
        Some(Word::Last(frame.frame))
    }
}
