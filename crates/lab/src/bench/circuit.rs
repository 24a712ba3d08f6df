// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits as devices of a bench, on any machine.

use super::machine::Machine;
use super::received_frames::ReceivedFrames;
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::Fields;
use tidegate_schemes::model::codec::{Frame, Payload};
use tidegate_schemes::model::device::{
    Calculator, CalculatorState, CongestionPoint, CongestionPointCycle, ReactionPoint, ReactionPointCycle,
};
use tidegate_schemes::model::packet::Packet;
use tidegate_schemes::model::wire::{FRAME_OCTETS, FRAME_WORDS, Verdict};
use tidegate_schemes::scheme::Feedback;
use tidegate_schemes::scheme::last_decrease::{CpidParameters, LastDecrease};

/// 25 bits of two's complement.
fn signed_25(value: u64) -> i32 {
    (value as i32) << 7 >> 7
}

/// The fields of a feedback at ports or inside.
#[derive(Clone, Copy)]
pub(super) struct FieldOutputs<O> {
    quantized_feedback: O,
    q_offset: O,
    q_delta: O,
}

impl<O: Copy> FieldOutputs<O> {
    pub(super) fn of<M: Machine<Output = O>>(machine: &M, block: &str) -> Self {
        let output = |name: &str| machine.output(&format!("{block}.{name}"));
        FieldOutputs {
            quantized_feedback: output("quantized_feedback"),
            q_offset: output("q_offset_units"),
            q_delta: output("q_delta_units"),
        }
    }

    pub(super) fn read<M: Machine<Output = O>>(&self, machine: &M) -> Fields {
        let units = |output| machine.get(output) as u16 as i16;
        Fields {
            quantized_feedback: machine.get(self.quantized_feedback) as u8,
            q_offset: units(self.q_offset),
            q_delta: units(self.q_delta),
        }
    }
}

/// A congestion point circuit and the frame that is leaving it.
pub(crate) struct CircuitCongestionPoint<M: Machine> {
    machine: M,
    frame: [u8; FRAME_OCTETS],
    words: usize,
    enqueue: M::Input,
    enqueue_bytes: M::Input,
    source: [M::Input; 2],
    destination: [M::Input; 2],
    has_tag: M::Input,
    vlan_tci: M::Input,
    has_cn_tag: M::Input,
    flow_id: M::Input,
    controlled: M::Input,
    dequeue: M::Input,
    dequeue_bytes: M::Input,
    ready: M::Output,
    sample: M::Output,
    valid: M::Output,
    data_high: M::Output,
    data_low: M::Output,
    last: M::Output,
    queue_bytes: M::Output,
    q_offset: M::Output,
    q_delta: M::Output,
    feedback: FieldOutputs<M::Output>,
}

/// Signals inside that a [`CircuitCongestionPoint`] reads.
pub(crate) const CONGESTION_POINT_PROBES: &[&str] = &[
    "queue_monitor.q_offset",
    "queue_monitor.q_delta",
    "feedback.quantized_feedback",
    "feedback.q_offset_units",
    "feedback.q_delta_units",
];

impl<M: Machine> CircuitCongestionPoint<M> {
    /// A circuit after reset, made with [`CONGESTION_POINT_PROBES`], whose frames carry this CPID.
    pub(crate) fn new(mut machine: M) -> Self {
        let data_ready = machine.input("data_ready");
        machine.set(data_ready, 1);
        CircuitCongestionPoint {
            frame: [0; FRAME_OCTETS],
            words: 0,
            enqueue: machine.input("enqueue"),
            enqueue_bytes: machine.input("enqueue_bytes"),
            source: ["source_mac_high", "source_mac_low"].map(|name| machine.input(name)),
            destination: ["destination_mac_high", "destination_mac_low"].map(|name| machine.input(name)),
            has_tag: machine.input("has_tag"),
            vlan_tci: machine.input("vlan_tci"),
            has_cn_tag: machine.input("has_cn_tag"),
            flow_id: machine.input("flow_id"),
            controlled: machine.input("controlled"),
            dequeue: machine.input("dequeue"),
            dequeue_bytes: machine.input("dequeue_bytes"),
            ready: machine.output("ready"),
            sample: machine.output("sample"),
            valid: machine.output("valid"),
            data_high: machine.output("data_high"),
            data_low: machine.output("data_low"),
            last: machine.output("last"),
            queue_bytes: machine.output("queue_bytes"),
            q_offset: machine.output("queue_monitor.q_offset"),
            q_delta: machine.output("queue_monitor.q_delta"),
            feedback: FieldOutputs::of(&machine, "feedback"),
            machine,
        }
    }

    fn drive(&mut self, enqueue: Option<&Packet>, dequeued: u32) {
        let to = &mut self.machine;
        to.set(self.enqueue, u64::from(enqueue.is_some()));
        if let Some(packet) = enqueue {
            to.set(self.enqueue_bytes, packet.bytes.into());
            for (pins, address) in [(self.source, packet.source), (self.destination, packet.destination)] {
                to.set(pins[0], address >> 32);
                to.set(pins[1], address & 0xffff_ffff);
            }
            to.set(self.has_tag, u64::from(packet.tag.is_some()));
            to.set(self.vlan_tci, packet.tag.unwrap_or(0).into());
            to.set(self.has_cn_tag, u64::from(packet.flow_id.is_some()));
            to.set(self.flow_id, packet.flow_id.unwrap_or(0).into());
            to.set(self.controlled, packet.controlled.into());
        }
        to.set(self.dequeue, u64::from(dequeued > 0));
        to.set(self.dequeue_bytes, dequeued.into());
    }

    /// Appends a word to those before it; the frame, once it is whole.
    fn collect(&mut self, word: u64, last: bool) -> Option<Frame> {
        let octets = word.to_be_bytes();
        let at = 8 * self.words;
        let end = (at + 8).min(FRAME_OCTETS);
        self.frame[at..end].copy_from_slice(&octets[..end - at]);
        self.words += 1;
        if !last {
            return None;
        }
        assert_eq!(self.words, FRAME_WORDS, "a frame of the packet generator has {FRAME_WORDS} words");
        self.words = 0;
        Some(Frame::new(&self.frame))
    }
}

impl<M: Machine> CongestionPoint for CircuitCongestionPoint<M> {
    fn ready(&mut self, _now: Cycles) -> bool {
        self.machine.settle();
        self.machine.get(self.ready) != 0
    }

    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        self.drive(enqueue, dequeued);
        self.machine.step(now);
        let mut outcome = CongestionPointCycle::default();
        let from = &self.machine;
        let sampled = from.get(self.sample) != 0;
        if from.get(self.valid) != 0 {
            let feedback = self.feedback.read(from);
            let word = from.get(self.data_high) << 32 | from.get(self.data_low);
            if self.words == 0 {
                outcome.feedback_sent = Some((word >> 16, feedback.into()));
            }
            outcome.frame = self.collect(word, from.get(self.last) != 0);
        }
        if sampled {
            self.machine.settle();
            let measured = |output| signed_25(self.machine.get(output));
            outcome.sample = Some((measured(self.q_offset), measured(self.q_delta)));
        }
        outcome
    }

    fn queue_bytes(&mut self) -> u32 {
        self.machine.settle();
        self.machine.get(self.queue_bytes) as u32
    }
}

/// A reaction point circuit and the frames on their way to it.
pub(crate) struct CircuitReactionPoint<M: Machine> {
    machine: M,
    frames: ReceivedFrames<M::Input>,
    /// The last word of a frame was read in the last cycle.
    ended: bool,
    request: M::Input,
    request_bytes: M::Input,
    grant: M::Output,
    verdicts: [(M::Output, Verdict); 5],
    current_rate: M::Output,
    feedback_valid: M::Output,
    feedback_ready: M::Output,
    feedback: FieldOutputs<M::Output>,
}

/// Signals inside that a [`CircuitReactionPoint`] reads.
pub(crate) const REACTION_POINT_PROBES: &[&str] = &[
    "parser.feedback_valid",
    "parser.feedback_ready",
    "parser.quantized_feedback",
    "parser.q_offset_units",
    "parser.q_delta_units",
    "parser.frame_elsewhere",
    "parser.frame_malformed",
    "parser.frame_refused",
    "parser.frame_dropped",
    "parser.frame_taken",
];

impl<M: Machine> CircuitReactionPoint<M> {
    /// A circuit after reset, made with [`REACTION_POINT_PROBES`].
    pub(crate) fn new(machine: M) -> Self {
        CircuitReactionPoint {
            frames: ReceivedFrames::new(&machine),
            ended: false,
            request: machine.input("request"),
            request_bytes: machine.input("request_bytes"),
            grant: machine.output("grant"),
            verdicts: [
                ("parser.frame_elsewhere", Verdict::Elsewhere),
                ("parser.frame_malformed", Verdict::Malformed),
                ("parser.frame_refused", Verdict::Refused),
                ("parser.frame_dropped", Verdict::Dropped),
                ("parser.frame_taken", Verdict::Taken),
            ]
            .map(|(name, verdict)| (machine.output(name), verdict)),
            current_rate: machine.output("current_rate"),
            feedback_valid: machine.output("parser.feedback_valid"),
            feedback_ready: machine.output("parser.feedback_ready"),
            feedback: FieldOutputs::of(&machine, "parser"),
            machine,
        }
    }
}

impl<M: Machine> ReactionPoint for CircuitReactionPoint<M> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.frames.deliver(at, frame);
    }

    fn next(&self, now: Cycles, _request: Option<u32>) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        let frame_ends = self.frames.drive(&mut self.machine, now);
        self.machine.set(self.request, u64::from(request.is_some()));
        if let Some(bytes) = request {
            self.machine.set(self.request_bytes, bytes.into());
        }
        self.machine.step(now);
        let from = &self.machine;
        let taken = from.get(self.feedback_valid) != 0 && from.get(self.feedback_ready) != 0;
        ReactionPointCycle {
            frame_judged: std::mem::replace(&mut self.ended, frame_ends),
            granted: from.get(self.grant) != 0,
            feedback: taken.then(|| self.feedback.read(from).into()),
            rate: Rate(from.get(self.current_rate) as u32),
        }
    }

    fn verdict(&mut self) -> Option<Verdict> {
        self.machine.settle();
        let told = |&&(output, _): &&(M::Output, Verdict)| self.machine.get(output) != 0;
        self.verdicts.iter().find(told).map(|&(_, verdict)| verdict)
    }
}

/// A calculator circuit. What it has no port for, it does not need.
pub struct CircuitCalculator<M: Machine> {
    machine: M,
    feedback_valid: M::Input,
    quantized_feedback: Option<M::Input>,
    q_offset: Option<M::Input>,
    q_delta: Option<M::Input>,
    same_point: Option<M::Input>,
    remember: Option<M::Output>,
    last_decrease: LastDecrease,
    sent: Option<M::Input>,
    sent_bytes: Option<M::Input>,
    source_empty: Option<M::Input>,
    feedback_ready: M::Output,
    current_rate: M::Output,
    target: Option<[M::Output; 3]>,
}

impl<M: Machine> CircuitCalculator<M> {
    /// A circuit after reset. The congestion point of the last decrease is stored outside of it, as in a parser.
    pub fn new(machine: M, cpid: CpidParameters) -> Self {
        let target = ["target_rate", "byte_stage", "time_stage"].map(|name| machine.find_output(name));
        CircuitCalculator {
            feedback_valid: machine.input("feedback_valid"),
            quantized_feedback: machine.find_input("quantized_feedback"),
            q_offset: machine.find_input("q_offset_units"),
            q_delta: machine.find_input("q_delta_units"),
            same_point: machine.find_input("same_point"),
            remember: machine.find_output("remember"),
            last_decrease: LastDecrease::new(cpid),
            sent: machine.find_input("sent"),
            sent_bytes: machine.find_input("sent_bytes"),
            source_empty: machine.find_input("source_empty"),
            feedback_ready: machine.output("feedback_ready"),
            current_rate: machine.output("current_rate"),
            target: match target {
                [Some(rate), Some(byte_stage), Some(time_stage)] => Some([rate, byte_stage, time_stage]),
                _ => None,
            },
            machine,
        }
    }

    fn set(&mut self, input: Option<M::Input>, value: u64) {
        if let Some(input) = input {
            self.machine.set(input, value);
        }
    }
}

impl<M: Machine> Calculator for CircuitCalculator<M> {
    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Payload>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState) {
        let feedback = feedback.map(|&payload| Feedback::from(payload));
        self.machine.set(self.feedback_valid, u64::from(feedback.is_some()));
        if let Some(feedback) = feedback {
            self.set(self.quantized_feedback, feedback.quantized_feedback.into());
            self.set(self.q_offset, u64::from(feedback.q_offset as u16));
            self.set(self.q_delta, u64::from(feedback.q_delta as u16));
            self.set(self.same_point, self.last_decrease.is(feedback.cpid).into());
        }
        self.set(self.sent, u64::from(sent.is_some()));
        self.set(self.sent_bytes, sent.unwrap_or(0).into());
        self.set(self.source_empty, source_empty.into());
        self.machine.step(now);
        let from = &self.machine;
        let target = self.target.map(|[rate, byte_stage, time_stage]| {
            (Rate(from.get(rate) as u32), from.get(byte_stage) as u8, from.get(time_stage) as u8)
        });
        let state = CalculatorState { current_rate: Rate(from.get(self.current_rate) as u32), target };
        let taken = feedback.filter(|_| from.get(self.feedback_ready) != 0);
        if let (Some(feedback), Some(remember)) = (taken, self.remember)
            && from.get(remember) != 0
        {
            self.last_decrease.set(feedback.cpid);
        }
        (taken.is_some(), state)
    }
}
