//! The circuits, clocked by hand on one thread.

use super::vcd::Scope;
use super::wire::{Frame, FRAME_OCTETS, FRAME_WORDS};
use super::{
    Calculator, CalculatorState, CongestionPoint, CongestionPointCycle, Packet, ReactionPoint, ReactionPointCycle,
};
use crate::rtl::congestion_point::{QcnCongestionPoint, SmccCongestionPoint};
use crate::rtl::reaction_point::calculator_qcn::QcnCalculator;
use crate::rtl::reaction_point::calculator_smcc::SmccCalculator;
use crate::rtl::reaction_point::{QcnReactionPoint, SmccReactionPoint};
use crate::rtl::ParameterInputs;
use crate::scheme::Feedback;
use crate::units::{Cycles, Rate};
use rust_hdl::prelude::{simulate, Bits};
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
    pub fn idle() -> Self {
        let mut circuit = C::default();
        circuit.connect_all();
        Clocked { circuit, waveform: None }
    }

    /// A circuit after one cycle of reset, its parameter inputs driven.
    pub fn new(value_of: &dyn Fn(&str) -> u64, waveform: Option<Scope>) -> Self {
        let mut clocked = Clocked { waveform, ..Self::idle() };
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
    fn end_cycle(&mut self, now: Cycles) {
        if let Some(scope) = &self.waveform {
            scope.sample(now, &self.circuit);
        }
        self.tick();
    }
}

/// Reads a bus as a signed number.
fn signed<const N: usize>(bits: Bits<N>) -> i32 {
    let unused = 64 - N as u32;
    let value: u64 = bits.into();
    ((value << unused) as i64 >> unused) as i32
}

fn value<const N: usize>(bits: Bits<N>) -> u32 {
    let value: u64 = bits.into();
    value as u32
}

/// The word of a stream at one cycle.
#[derive(Clone, Copy)]
struct Word {
    high: u32,
    low: u32,
    last: bool,
}

/// A congestion point circuit and the frame that is leaving it.
pub struct CircuitCongestionPoint<C> {
    clocked: Clocked<C>,
    frame: Frame,
    words: usize,
}

/// What the benches reach of a congestion point circuit.
pub trait CongestionPointPorts: ParameterInputs {
    /// Drives the packet side.
    fn drive_packet(&mut self, enqueue: Option<&Packet>, dequeued: u32);
    /// `ready`.
    fn is_ready(&self) -> bool;
    /// Whether this packet is a sample.
    fn sampled(&self) -> bool;
    /// Qoff and ΔQ in bytes, in the cycle after a sample.
    fn measured(&self) -> (i32, i32);
    /// The fields of the frame under way.
    fn feedback(&self) -> Feedback;
    /// The word on the stream as high half, low half, last.
    fn word(&self) -> Option<(u32, u32, bool)>;
    /// `queue_bytes`.
    fn queue(&self) -> u32;
}

macro_rules! congestion_point_ports {
    ($name:ident) => {
        impl CongestionPointPorts for $name {
            fn drive_packet(&mut self, enqueue: Option<&Packet>, dequeued: u32) {
                self.data_ready.next = true;
                self.enqueue.next = enqueue.is_some();
                self.dequeue.next = dequeued > 0;
                self.dequeue_bytes.next = u64::from(dequeued).into();
                if let Some(packet) = enqueue {
                    self.enqueue_bytes.next = u64::from(packet.bytes).into();
                    self.source_mac_high.next = (packet.source >> 32).into();
                    self.source_mac_low.next = (packet.source & 0xffff_ffff).into();
                    self.destination_mac_high.next = (packet.destination >> 32).into();
                    self.destination_mac_low.next = (packet.destination & 0xffff_ffff).into();
                    self.has_tag.next = packet.tag.is_some();
                    self.vlan_tci.next = u64::from(packet.tag.unwrap_or(0)).into();
                    self.controlled.next = packet.controlled;
                }
            }

            fn is_ready(&self) -> bool {
                self.ready.val()
            }

            fn sampled(&self) -> bool {
                self.sample.val()
            }

            fn measured(&self) -> (i32, i32) {
                (signed(self.queue_monitor.q_offset.val()), signed(self.queue_monitor.q_delta.val()))
            }

            fn feedback(&self) -> Feedback {
                Feedback {
                    quantized_feedback: value(self.feedback.quantized_feedback.val()) as u8,
                    q_offset: signed(self.feedback.q_offset_units.val()) as i16,
                    q_delta: signed(self.feedback.q_delta_units.val()) as i16,
                    cpid: u64::from(value(self.cpid_high.val())) << 32 | u64::from(value(self.cpid_low.val())),
                }
            }

            fn word(&self) -> Option<(u32, u32, bool)> {
                self.valid.val().then(|| (value(self.data_high.val()), value(self.data_low.val()), self.last.val()))
            }

            fn queue(&self) -> u32 {
                value(self.queue_bytes.val())
            }
        }
    };
}

congestion_point_ports!(QcnCongestionPoint);
congestion_point_ports!(SmccCongestionPoint);

impl<C: CongestionPointPorts> CircuitCongestionPoint<C> {
    /// After reset.
    pub fn new(value_of: &dyn Fn(&str) -> u64, waveform: Option<Scope>) -> Self {
        let mut clocked = Clocked::<C>::new(value_of, waveform);
        clocked.settle();
        CircuitCongestionPoint { clocked, frame: [0; FRAME_OCTETS], words: 0 }
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

impl<C: CongestionPointPorts> CongestionPoint for CircuitCongestionPoint<C> {
    fn ready(&self, _now: Cycles) -> bool {
        self.clocked.circuit.is_ready()
    }

    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, enqueue: Option<&Packet>, dequeued: u32) -> CongestionPointCycle {
        self.clocked.circuit.drive_packet(enqueue, dequeued);
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        let mut outcome = CongestionPointCycle::default();
        let sampled = circuit.sampled();
        if let Some((high, low, last)) = circuit.word() {
            let feedback = circuit.feedback();
            let first = self.words == 0;
            outcome.frame = self.collect(Word { high, low, last });
            if first {
                let destination = u64::from(high) << 16 | u64::from(low >> 16);
                outcome.feedback_sent = Some((destination, feedback));
            }
        }
        self.clocked.end_cycle(now);
        outcome.sample = sampled.then(|| self.clocked.circuit.measured());
        outcome
    }

    fn queue_bytes(&self) -> u32 {
        self.clocked.circuit.queue()
    }
}

/// What the benches reach of a reaction point circuit.
pub trait ReactionPointPorts: ParameterInputs {
    /// Drives the stream: high half, low half, valid octets, last.
    fn drive_word(&mut self, word: Option<(u32, u32, u32, bool)>);
    /// Drives the request.
    fn drive_request(&mut self, request: Option<u32>);
    /// Whether the parser takes the word.
    fn takes_word(&self) -> bool;
    /// `grant`.
    fn is_granted(&self) -> bool;
    /// The feedback that the calculator takes in this cycle.
    fn feedback_taken(&self) -> Option<Feedback>;
    /// `current_rate`.
    fn rate(&self) -> Rate;
}

macro_rules! reaction_point_ports {
    ($name:ident, { $($busy:ident),* }) => {
        impl ReactionPointPorts for $name {
            fn drive_word(&mut self, word: Option<(u32, u32, u32, bool)>) {
                self.valid.next = word.is_some();
                if let Some((high, low, octets, last)) = word {
                    self.data_high.next = u64::from(high).into();
                    self.data_low.next = u64::from(low).into();
                    self.octets.next = u64::from(octets).into();
                    self.last.next = last;
                }
            }

            fn drive_request(&mut self, request: Option<u32>) {
                $(self.$busy.next = false;)*
                self.request.next = request.is_some();
                if let Some(bytes) = request {
                    self.request_bytes.next = u64::from(bytes).into();
                }
            }

            fn takes_word(&self) -> bool {
                self.ready.val()
            }

            fn is_granted(&self) -> bool {
                self.grant.val()
            }

            fn feedback_taken(&self) -> Option<Feedback> {
                let parser = &self.parser;
                (parser.feedback_valid.val() && parser.feedback_ready.val()).then(|| Feedback {
                    quantized_feedback: value(parser.quantized_feedback.val()) as u8,
                    q_offset: signed(parser.q_offset_units.val()) as i16,
                    q_delta: signed(parser.q_delta_units.val()) as i16,
                    cpid: u64::from(value(parser.cpid_high.val())) << 32 | u64::from(value(parser.cpid_low.val())),
                })
            }

            fn rate(&self) -> Rate {
                Rate(value(self.current_rate.val()))
            }
        }
    };
}

reaction_point_ports!(QcnReactionPoint, { source_empty });
reaction_point_ports!(SmccReactionPoint, {});

/// A reaction point circuit and the frames on their way to it.
pub struct CircuitReactionPoint<C> {
    clocked: Clocked<C>,
    frames: VecDeque<(Cycles, Frame)>,
    words: usize,
}

impl<C: ReactionPointPorts> CircuitReactionPoint<C> {
    /// After reset.
    pub fn new(value_of: &dyn Fn(&str) -> u64, waveform: Option<Scope>) -> Self {
        CircuitReactionPoint {
            clocked: Clocked::new(value_of, waveform),
            frames: VecDeque::with_capacity(16),
            words: 0,
        }
    }
}

impl<C: ReactionPointPorts> ReactionPoint for CircuitReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &Frame) {
        self.frames.push_back((at, *frame));
    }

    fn next(&self, now: Cycles, _request: Option<u32>) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        let word = self.frames.front().filter(|&&(at, _)| at + self.words as Cycles <= now).map(|(_, frame)| {
            let at = 8 * self.words;
            let end = (at + 8).min(FRAME_OCTETS);
            let mut octets = [0; 8];
            octets[..end - at].copy_from_slice(&frame[at..end]);
            let [high, low] = [0, 4].map(|half| u32::from_be_bytes(std::array::from_fn(|octet| octets[half + octet])));
            (high, low, (end - at) as u32, end == FRAME_OCTETS)
        });
        self.clocked.circuit.drive_word(word);
        self.clocked.circuit.drive_request(request);
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        let outcome = ReactionPointCycle {
            granted: circuit.is_granted(),
            feedback: circuit.feedback_taken(),
            rate: circuit.rate(),
        };
        if word.is_some() && circuit.takes_word() {
            self.words += 1;
            if self.words == FRAME_WORDS {
                self.words = 0;
                self.frames.pop_front();
            }
        }
        self.clocked.end_cycle(now);
        outcome
    }
}

impl Calculator for Clocked<QcnCalculator> {
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
        let circuit = &mut self.circuit;
        circuit.feedback_valid.next = feedback.is_some();
        if let Some(feedback) = feedback {
            circuit.quantized_feedback.next = u64::from(feedback.quantized_feedback).into();
        }
        circuit.sent.next = sent.is_some();
        circuit.sent_bytes.next = u64::from(sent.unwrap_or(0)).into();
        circuit.source_empty.next = source_empty;
        self.settle();
        let circuit = &self.circuit;
        let state = CalculatorState {
            current_rate: Rate(value(circuit.current_rate.val())),
            target: Some((
                Rate(value(circuit.target_rate.val())),
                value(circuit.byte_stage.val()) as u8,
                value(circuit.time_stage.val()) as u8,
            )),
        };
        let taken = feedback.is_some() && circuit.feedback_ready.val();
        self.end_cycle(now);
        (taken, state)
    }
}

impl Calculator for Clocked<SmccCalculator> {
    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Feedback>,
        _sent: Option<u32>,
        _source_empty: bool,
    ) -> (bool, CalculatorState) {
        let circuit = &mut self.circuit;
        circuit.feedback_valid.next = feedback.is_some();
        if let Some(feedback) = feedback {
            circuit.q_offset_units.next = u64::from(feedback.q_offset as u16).into();
            circuit.q_delta_units.next = u64::from(feedback.q_delta as u16).into();
            circuit.cpid_high.next = (feedback.cpid >> 32).into();
            circuit.cpid_low.next = (feedback.cpid & 0xffff_ffff).into();
        }
        self.settle();
        let state = CalculatorState { current_rate: Rate(value(self.circuit.current_rate.val())), target: None };
        let taken = feedback.is_some() && self.circuit.feedback_ready.val();
        self.end_cycle(now);
        (taken, state)
    }
}
