// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of a switch: a queue, perhaps with a congestion point, and the link behind it.

use super::Packet;
use super::latency::Latencies;
use super::topology::{OutputSpec, Pause};
use crate::tx_fifo::TxFifo;
use std::collections::VecDeque;
use tidegate_core::units::{Cycles, FineTime, Rate};
use tidegate_schemes::model::codec::Payload;
use tidegate_schemes::model::congestion_point::{Answer, ModelCongestionPoint, Word};
use tidegate_schemes::model::device::CongestionPoint;
use tidegate_schemes::model::packet::Packet as Frame;
use tidegate_schemes::model::receiver::{AnyReceiver, Notification};
use tidegate_schemes::model::{AnyFeedback, Models};
use tidegate_schemes::scheme::parameters::Parameters;

/// An output. It takes as many packets a cycle as arrive: one for which the buffer has no room is dropped at once, in
/// front of the congestion point; the others enter the queue one a cycle. A packet leaves the queue when its last byte
/// is out, or with a [`TxFifo`] when it moves into that.
pub struct Output {
    pub(super) number: u32,
    /// When it works next; `Cycles::MAX` if it need not.
    pub(super) due: Cycles,
    congestion_point: Option<ModelCongestionPoint<AnyFeedback>>,
    latencies: Option<Latencies>,
    /// The host behind it, if it is the last output of a path and answers packets.
    receiver: Option<AnyReceiver>,
    rate: Rate,
    overhead: u32,
    /// Cycles from one end of the link to the other.
    pub(super) delay: Cycles,
    /// When the last packet is at its other end.
    arrives: Cycles,
    buffer_bytes: u32,
    samples_dropped: bool,
    pause: Option<Pause>,
    /// Whether nothing else in the network depends on when its packets leave.
    pub(super) last: bool,
    /// Whether it stops those who send to it.
    stops: bool,
    /// How many outputs stop it.
    stopped: u32,
    /// Packets that have their place in the buffer, and with 0 bytes those that have none but can be a sample.
    pub(super) entering: VecDeque<(Packet, u32)>,
    entering_bytes: u32,
    /// Packets that wait for the link: those in the FIFO, then those in the queue.
    queue: VecDeque<(Packet, u32)>,
    queue_bytes: u32,
    fifo: TxFifo,
    /// When the packet at the head of the queue is out, and the cycle of this; the packet does not leave if that is
    /// `Cycles::MAX`.
    departure: FineTime,
    departs: Cycles,
    /// How long a packet of so many bytes takes to leave: the last one that was asked for.
    packet_time: (u32, FineTime),
    /// Packets that entered the queue.
    pub enqueued: u64,
    /// Packets that left it.
    pub dequeued: u64,
    /// Packets that found no room.
    pub dropped: u64,
    /// Bytes that left it.
    pub bytes_out: u64,
    /// Samples of its congestion point.
    pub samples: u64,
    /// Packets that its congestion point marked.
    pub marked: u64,
    /// Feedback frames that it sent.
    pub feedback_sent: u64,
}

impl Output {
    /// An output at cycle 0. `ends`: it is the last one of a path; `last`: nothing goes on behind it.
    pub(super) fn new(
        models: &Models,
        parameters: &Parameters,
        number: u32,
        output: &OutputSpec,
        (ends, last): (bool, bool),
    ) -> Self {
        let receiver = models.receiver.filter(|_| ends).map(|receiver| receiver(parameters));
        Output {
            number,
            due: Cycles::MAX,
            congestion_point: output.congestion_point.map(|number| {
                ModelCongestionPoint::of_queue((models.feedback)(parameters), models.codec, parameters, number)
            }),
            latencies: output.latency.map(Latencies::new),
            rate: output.rate,
            overhead: parameters.overhead(),
            delay: output.delay,
            arrives: 0,
            buffer_bytes: output.buffer_bytes,
            samples_dropped: output.samples_dropped,
            pause: output.pause,
            last: last && receiver.is_none(),
            receiver,
            stops: false,
            stopped: 0,
            entering: VecDeque::new(),
            entering_bytes: 0,
            queue: VecDeque::new(),
            queue_bytes: 0,
            fifo: TxFifo::new(parameters.integer("tx_fifo_bytes") as u32),
            departure: FineTime::at(0),
            departs: Cycles::MAX,
            packet_time: (0, FineTime::at(0)),
            enqueued: 0,
            dequeued: 0,
            dropped: 0,
            bytes_out: 0,
            samples: 0,
            marked: 0,
            feedback_sent: 0,
        }
    }

    /// Bytes that wait for the link, in the queue and in the FIFO behind it.
    pub fn queue_bytes(&self) -> u32 {
        self.queue_bytes
    }

    /// Bytes in the queue alone, which a congestion point counts.
    #[inline]
    pub fn register_bytes(&self) -> u32 {
        self.queue_bytes - self.fifo.bytes()
    }

    /// Packets that wait for the link, and those that have their place in the queue.
    pub fn waiting(&self) -> u64 {
        let entering = self.entering.iter().filter(|&&(_, bytes)| bytes > 0).count();
        (self.queue.len() + entering) as u64
    }

    /// The packet that is out, with its bytes, and the bytes that leave the queue.
    #[inline(always)]
    pub(super) fn dequeue(&mut self) -> (Packet, u32, u32) {
        let (packet, bytes) = self.queue.pop_front().expect("a packet departs from a queue that has one");
        self.queue_bytes -= bytes;
        self.dequeued += 1;
        self.bytes_out += u64::from(bytes);
        self.departs = Cycles::MAX;
        if let Some(&(_, next)) = self.queue.front()
            && self.stopped == 0
        {
            self.transmit(self.departure, next);
        }
        let left = self.fifo.sent(bytes, &self.queue, |&(_, bytes)| bytes);
        (packet, bytes, left)
    }

    /// The cycle in which a packet of so many bytes that leaves in cycle `now` is at the other end of the link: if its delay
    /// has become shorter, behind the one in front of it.
    #[inline]
    pub(super) fn arrives(&mut self, now: Cycles, bytes: u32) -> Cycles {
        let behind = self.arrives + self.time_of(bytes).whole();
        self.arrives = behind.max(now + 1 + self.delay);
        self.arrives
    }

    /// A packet arrives. Whether there is room for it. If it may enter the queue and no other `enters` it in this
    /// cycle, it is that packet.
    #[inline(always)]
    pub(super) fn place(&mut self, packet: Packet, bytes: u32, enters: &mut Option<(Packet, u32)>) -> bool {
        let fits = self.register_bytes() + self.entering_bytes + bytes <= self.buffer_bytes;
        self.entering_bytes += if fits { bytes } else { 0 };
        self.dropped += u64::from(!fits);
        if fits || self.samples_dropped {
            let packet = (packet, if fits { bytes } else { 0 });
            match enters {
                None => *enters = Some(packet),
                Some(_) => self.entering.push_back(packet),
            }
        }
        fits
    }

    /// A packet enters the queue in cycle `now`, with its bytes; 0 for one that has no room there. Returns the bytes that
    /// leave the queue.
    #[inline(always)]
    pub(super) fn enqueue(&mut self, now: Cycles, packet: Packet, bytes: u32) -> u32 {
        if bytes == 0 {
            return 0;
        }
        self.entering_bytes -= bytes;
        if self.queue.is_empty() && self.stopped == 0 {
            self.transmit(FineTime::at(now), bytes);
        }
        self.queue.push_back((packet, bytes));
        self.queue_bytes += bytes;
        self.enqueued += 1;
        self.fifo.entered(&self.queue, |&(_, bytes)| bytes)
    }

    /// A pause frame arrives: one more output stops it, or one less.
    pub(super) fn stop(&mut self, now: Cycles, stops: bool) {
        self.stopped = if stops { self.stopped + 1 } else { self.stopped - 1 };
        if let Some(&(_, next)) = self.queue.front()
            && self.stopped == 0
            && self.departs == Cycles::MAX
        {
            self.transmit(FineTime::at(now), next);
        }
    }

    /// Whether it stops those who send to it.
    pub(super) fn stops(&self) -> bool {
        self.stops
    }

    /// Whether those who send to it must be stopped from now on, or need not be any more.
    #[inline]
    pub(super) fn pauses(&mut self) -> Option<bool> {
        let Pause { at_bytes, resume_bytes } = self.pause?;
        let bytes = self.register_bytes() + self.entering_bytes;
        let stops = if self.stops { bytes > resume_bytes } else { bytes >= at_bytes };
        (std::mem::replace(&mut self.stops, stops) != stops).then_some(stops)
    }

    /// Other parameters of its congestion point from cycle `now` on.
    pub(super) fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        if let Some(congestion_point) = &mut self.congestion_point {
            congestion_point.set_parameters(now, parameters);
        }
    }

    /// Its congestion point counts the bytes that enter the queue in a cycle and those that leave it.
    #[inline]
    pub(super) fn count(&mut self, enqueued: u32, dequeued: u32) {
        if let Some(congestion_point) = &mut self.congestion_point {
            congestion_point.count(enqueued, dequeued);
        }
    }

    /// A packet arrives at its congestion point in cycle `now`; see [`ModelCongestionPoint::arrival`].
    #[inline(always)]
    pub(super) fn arrival(&mut self, now: Cycles, arrived: &Frame, enters: bool) -> Answer {
        let Some(congestion_point) = &mut self.congestion_point else { return Answer::default() };
        let answer = congestion_point.arrival(now, arrived, enters);
        self.samples += u64::from(answer.sample.is_some());
        answer
    }

    /// The packet that has just entered the queue is marked from now on.
    #[cold]
    pub(super) fn mark(&mut self) {
        let (packet, _) = self.queue.back_mut().expect("a packet has entered the queue");
        packet.marked = true;
        self.marked += 1;
    }

    /// A packet of so many bytes leaves for its receiver in cycle `now`. If the receiver answers: the cycle in which the
    /// notification leaves it.
    #[inline]
    pub(super) fn receive(
        &mut self,
        now: Cycles,
        bytes: u32,
        packet: &Frame,
        marked: bool,
    ) -> Option<(Cycles, Payload)> {
        self.receiver.as_ref()?;
        let arrives = self.arrives(now, bytes);
        let Notification { latency, payload } = self.receiver.as_mut()?.arrival(arrives, packet, marked)?;
        Some((arrives + latency, payload))
    }

    /// What its congestion point writes of a feedback frame in cycle `now`.
    #[inline]
    pub(super) fn word(&mut self, now: Cycles) -> Option<Word> {
        let word = self.congestion_point.as_mut()?.word(now)?;
        self.feedback_sent += u64::from(matches!(word, Word::First(..)));
        Some(word)
    }

    /// The cycle in which the feedback frame of so many words leaves of which its congestion point writes the last one in
    /// cycle `now`.
    pub(super) fn feedback_leaves(&mut self, now: Cycles, words: Cycles) -> Cycles {
        self.latencies.as_mut().map_or(now, |latencies| latencies.leaves(now, words))
    }

    /// The cycle in which the next packet leaves.
    #[inline]
    pub(super) fn departs(&self) -> Cycles {
        self.departs
    }

    /// The next cycle, not before `now`, in which something happens by itself, except that a packet leaves.
    #[inline]
    pub(super) fn next(&self, now: Cycles) -> Cycles {
        if !self.entering.is_empty() {
            return now;
        }
        self.congestion_point.as_ref().map_or(Cycles::MAX, |point| point.next(now)).max(now)
    }

    /// The packet at the head of the queue, of so many bytes, is being sent from a time on.
    #[inline]
    fn transmit(&mut self, from: FineTime, bytes: u32) {
        self.departure = from + self.time_of(bytes);
        self.departs = self.departure.reached();
    }

    #[inline]
    fn time_of(&mut self, bytes: u32) -> FineTime {
        if self.packet_time.0 != bytes {
            self.packet_time = (bytes, FineTime::of_bytes(bytes + self.overhead, self.rate));
        }
        self.packet_time.1
    }
}
