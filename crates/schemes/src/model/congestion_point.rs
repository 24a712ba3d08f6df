// SPDX-License-Identifier: MIT OR Apache-2.0
//! A congestion point of any Ethernet scheme: what stands around its feedback block.

use super::device::{CongestionPoint, CongestionPointCycle};
use super::packet::Packet;
use super::wire::{FRAME_WORDS, Frame, write_frame};
use super::{AnyFeedback, FeedbackModel, Fields, NEVER};
use crate::scheme::Feedback;
use crate::scheme::jitter::JitterParameters;
use crate::scheme::parameters::Parameters;
use crate::scheme::queue_monitor::QueueMonitor;
use crate::scheme::sampler::{Sampler, sample_mode, sampling, seed_of_queue};
use crate::scheme::sampling_exception::SamplingException;
use std::collections::VecDeque;
use tidegate_core::units::Cycles;

/// From the cycle of a sample until it is at the head of the empty sample queue.
pub const SAMPLE_QUEUE_LATENCY: Cycles = 3;
/// From the pop of a sample until the next one is at the head.
pub const POP_LATENCY: Cycles = 2;
/// Samples that can wait.
pub const SAMPLE_QUEUE_DEPTH: usize = 4;

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
    /// Sampling intervals that come into force in a cycle: the span of one comes a cycle after its smallest value.
    intervals: VecDeque<(Cycles, JitterParameters)>,
    /// The span of the last of them.
    span: u32,
    /// Frames under way: cycle of the first word, destination, fields, the rest of the frame's fields.
    frames: VecDeque<Outgoing>,
}

/// What a congestion point writes of a frame in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The first word: to which source, with what.
    First(u64, Fields),
    /// The last word: the frame.
    Last(Frame),
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
        Self::of_queue(feedback, parameters, 0)
    }

    /// The one of a queue of a switch, with a CPID and a seed of its own.
    pub fn of_queue(feedback: F, parameters: &Parameters, queue: u16) -> Self {
        let seed = seed_of_queue(parameters.integer("seed") as u16, queue);
        ModelCongestionPoint {
            sampler: Sampler::new(sample_mode(parameters), sampling(parameters)[0], seed),
            monitor: QueueMonitor::default(),
            q0_bytes: parameters.integer("q0_bytes") as u32,
            cp_mac: parameters.mac("cp_mac"),
            cpid: parameters.cpid() + u64::from(queue),
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
        if let Some(Fields { quantized_feedback, q_offset, q_delta }) = fate.send.filter(|_| packet.controlled) {
            let feedback = Feedback { quantized_feedback, q_offset, q_delta, cpid: self.cpid };
            self.frames.push_back(Outgoing { first_word: done, started: false, feedback, packet: *packet });
            pop = done + FRAME_WORDS as Cycles - 1;
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
            let last_word = if frame.started { FRAME_WORDS as Cycles - 1 } else { 0 };
            (frame.first_word + last_word).max(now)
        })
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        self.count(enqueue.map_or(0, |packet| packet.bytes), dequeued);
        let sample = enqueue.and_then(|packet| self.arrival(now, packet));
        let (feedback_sent, frame) = match self.word(now) {
            None => (None, None),
            Some(Word::First(source, fields)) => (Some((source, fields)), None),
            Some(Word::Last(frame)) => (None, Some(frame)),
        };
        CongestionPointCycle { sample, feedback_sent, frame }
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

    /// A packet arrives in cycle `now`, whose bytes are [counted](Self::count), or that found no room in the queue. If
    /// it is a sample: Qoff and ΔQ in bytes.
    #[inline]
    pub fn arrival(&mut self, now: Cycles, packet: &Packet) -> Option<(i32, i32)> {
        if !self.intervals.is_empty() {
            self.set_intervals(now);
        }
        self.due |= self.sampler.packet(now, packet.bytes);
        if self.due { self.sample(now, packet) } else { None }
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
            return Some(Word::First(frame.packet.source, Fields::of(&frame.feedback)));
        }
        let frame = self.frames.pop_front_if(|frame| frame.first_word + FRAME_WORDS as Cycles - 1 == now)?;
        Some(Word::Last(write_frame(&frame.packet, &frame.feedback, self.cp_mac)))
    }
}
