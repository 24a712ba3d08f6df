//! The circuits, clocked by hand on one thread.

use super::vcd::Scope;
use super::wire::{Frame, FRAME_OCTETS, FRAME_WORDS};
use super::{
    Calculator, CalculatorState, CongestionPoint, CongestionPointCycle, Packet, ReactionPoint, ReactionPointCycle,
};
use crate::rtl::congestion_point::CongestionPointPorts;
use crate::rtl::reaction_point::{CalculatorPorts, ReactionPointPorts};
use crate::rtl::ParameterInputs;
use crate::scheme::Feedback;
use crate::units::{Cycles, Rate};
use rust_hdl::prelude::simulate;
use std::collections::VecDeque;

/// More rounds than any of our circuits needs to settle.
const ROUNDS: usize = 100;

/// A circuit with its clock.
pub struct Clocked<C> {
    /// The circuit: drive its inputs, then [`settle`](Self::settle) to read its outputs.
    pub circuit: C,
    waveform: Option<Scope>,
}

impl<C: ParameterInputs> Clocked<C> {
    /// A circuit before any clock edge, every input low.
    pub fn idle(mut circuit: C) -> Self {
        circuit.connect_all();
        Clocked { circuit, waveform: None }
    }

    /// A circuit after one cycle of reset, its parameter inputs driven.
    pub fn new(value_of: &dyn Fn(&str) -> u64, waveform: Option<Scope>) -> Self {
        Self::reset(C::default(), value_of, waveform)
    }

    /// The same of a circuit that is not the default one of its type.
    pub fn reset(circuit: C, value_of: &dyn Fn(&str) -> u64, waveform: Option<Scope>) -> Self {
        let mut clocked = Clocked { waveform, ..Self::idle(circuit) };
        for parameter in C::PARAMETERS {
            clocked.circuit.set(parameter, value_of(parameter));
        }
        if let Some(scope) = &clocked.waveform {
            scope.declare(&clocked.circuit);
        }
        clocked.circuit.set_reset(true);
        clocked.edge();
        clocked.circuit.set_reset(false);
        clocked
    }

    /// Lets the outputs follow the inputs.
    pub fn settle(&mut self) {
        assert!(simulate(&mut self.circuit, ROUNDS), "{} does not settle: a combinational loop", C::MODULE);
    }

    /// Ends the cycle: registers take what stands at their inputs.
    pub fn edge(&mut self) {
        self.settle();
        self.tick();
    }

    /// A clock pulse, one round wide: it runs down the hierarchy as a wave, one level a round, and the outputs settle behind
    /// it. To let each of the two edges settle alone takes twice as many rounds.
    pub(super) fn tick(&mut self) {
        self.circuit.set_clock(true);
        self.circuit.update_all();
        self.circuit.set_clock(false);
        self.settle();
    }

    /// Ends cycle `now`, which a waveform may want to see.
    pub(super) fn end_cycle(&mut self, now: Cycles) {
        if let Some(scope) = &self.waveform {
            scope.sample(now, &self.circuit);
        }
        self.tick();
    }
}

/// A circuit that benches clock: its ports, and the two halves of a cycle.
pub trait Device {
    /// Access to its ports.
    type Ports;
    /// To read its outputs.
    fn ports(&self) -> &Self::Ports;
    /// To drive its inputs.
    fn ports_mut(&mut self) -> &mut Self::Ports;
    /// Lets the outputs follow the inputs.
    fn settle(&mut self);
    /// Ends cycle `now`, whose outputs have settled.
    fn end_cycle(&mut self, now: Cycles);
}

impl<C: ParameterInputs> Device for Clocked<C> {
    type Ports = C;

    fn ports(&self) -> &C {
        &self.circuit
    }

    fn ports_mut(&mut self) -> &mut C {
        &mut self.circuit
    }

    fn settle(&mut self) {
        Clocked::settle(self);
    }

    fn end_cycle(&mut self, now: Cycles) {
        Clocked::end_cycle(self, now);
    }
}

/// What the ports of circuits say of a feedback.
fn feedback((quantized_feedback, q_offset, q_delta, cpid): (u8, i16, i16, u64)) -> Feedback {
    Feedback { quantized_feedback, q_offset, q_delta, cpid }
}

/// The word of a stream at one cycle.
#[derive(Clone, Copy)]
struct Word {
    high: u32,
    low: u32,
    last: bool,
}

/// A congestion point circuit and the frame that is leaving it.
pub struct CircuitCongestionPoint<D> {
    device: D,
    frame: Frame,
    words: usize,
}

impl<D: Device<Ports: CongestionPointPorts>> CircuitCongestionPoint<D> {
    /// A circuit after reset.
    pub fn new(device: D) -> Self {
        CircuitCongestionPoint { device, frame: [0; FRAME_OCTETS], words: 0 }
    }

    /// Puts a word behind those before it; the frame, once it is whole.
    fn collect(&mut self, word: Word) -> Option<Frame> {
        let octets = (u64::from(word.high) << 32 | u64::from(word.low)).to_be_bytes();
        let at = 8 * self.words;
        let end = (at + 8).min(FRAME_OCTETS);
        self.frame[at..end].copy_from_slice(&octets[..end - at]);
        self.words += 1;
        if !word.last {
            return None;
        }
        assert_eq!(self.words, FRAME_WORDS, "a frame of the packet generator has {FRAME_WORDS} words");
        self.words = 0;
        Some(self.frame)
    }
}

impl<D: Device<Ports: CongestionPointPorts>> CongestionPoint for CircuitCongestionPoint<D> {
    fn ready(&mut self, _now: Cycles) -> bool {
        self.device.settle();
        self.device.ports().is_ready()
    }

    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        let circuit = self.device.ports_mut();
        circuit.drive_packet(
            enqueue.map(|packet| (packet.bytes, packet.source, packet.destination, packet.tag, packet.controlled)),
        );
        circuit.drive_dequeue(dequeued);
        self.device.settle();
        let circuit = self.device.ports();
        let mut outcome = CongestionPointCycle::default();
        let sampled = circuit.sampled();
        if let Some((high, low, last)) = circuit.word() {
            let feedback = feedback(circuit.feedback());
            let first = self.words == 0;
            outcome.frame = self.collect(Word { high, low, last });
            if first {
                let destination = u64::from(high) << 16 | u64::from(low >> 16);
                outcome.feedback_sent = Some((destination, feedback));
            }
        }
        self.device.end_cycle(now);
        if sampled {
            self.device.settle();
            outcome.sample = Some(self.device.ports().measured());
        }
        outcome
    }

    fn queue_bytes(&mut self) -> u32 {
        self.device.settle();
        self.device.ports().queue()
    }
}

/// A reaction point circuit and the frames on their way to it.
pub struct CircuitReactionPoint<D> {
    device: D,
    /// Frames on their way: arrival of the first word, length in octets.
    frames: VecDeque<(Cycles, usize)>,
    /// The octets of all of them, but for the words of the first that were taken.
    octets: VecDeque<u8>,
    /// Words of the first frame that were taken.
    words: usize,
}

impl<D: Device<Ports: ReactionPointPorts>> CircuitReactionPoint<D> {
    /// A circuit after reset.
    pub fn new(device: D) -> Self {
        CircuitReactionPoint { device, frames: VecDeque::new(), octets: VecDeque::new(), words: 0 }
    }
}

impl<D: Device<Ports: ReactionPointPorts>> ReactionPoint for CircuitReactionPoint<D> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.frames.push_back((at, frame.len()));
        self.octets.extend(frame);
    }

    fn next(&self, now: Cycles, _request: Option<u32>) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        let arrived = self.frames.front().filter(|&&(at, _)| at + self.words as Cycles <= now);
        let word = arrived.map(|&(_, length)| {
            let left = length - 8 * self.words;
            let word = (0..left.min(8)).fold(0, |word, octet| word | u64::from(self.octets[octet]) << (56 - 8 * octet));
            ((word >> 32) as u32, word as u32, left.min(8) as u32, left <= 8)
        });
        self.device.ports_mut().drive_word(word);
        self.device.ports_mut().drive_request(request);
        self.device.settle();
        let circuit = self.device.ports();
        let mut outcome = ReactionPointCycle {
            frame_read: false,
            granted: circuit.is_granted(),
            feedback: circuit.feedback_taken().map(feedback),
            rate: Rate(circuit.rate()),
        };
        if let Some((_, _, octets, last)) = word.filter(|_| circuit.takes_word()) {
            self.octets.drain(..octets as usize);
            self.words += 1;
            if last {
                outcome.frame_read = true;
                self.words = 0;
                self.frames.pop_front();
            }
        }
        self.device.end_cycle(now);
        outcome
    }

    fn ignored_frames(&mut self) -> u32 {
        self.device.settle();
        self.device.ports().ignored()
    }
}

impl<D: Device<Ports: CalculatorPorts>> Calculator for D {
    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState) {
        let fields = |offered: &Feedback| (offered.quantized_feedback, offered.q_offset, offered.q_delta, offered.cpid);
        self.ports_mut().drive_feedback(feedback.map(fields));
        self.ports_mut().drive_sent(sent, source_empty);
        self.settle();
        let circuit = self.ports();
        let target = circuit.target().map(|(rate, byte_stage, time_stage)| (Rate(rate), byte_stage, time_stage));
        let state = CalculatorState { current_rate: Rate(circuit.rate()), target };
        let taken = circuit.takes_feedback();
        self.end_cycle(now);
        (taken, state)
    }
}
