//! The circuits as machine code behind the ports that benches know.

use super::circuit::Device;
use super::vectors::POWER_UP;
use crate::emit::Circuit;
use crate::engine::{Input, Output, Program, Simulation};
use crate::rtl::congestion_point::CongestionPointPorts;
use crate::rtl::reaction_point::{CalculatorPorts, ReactionPointPorts};
use crate::units::Cycles;

/// A compiled circuit and its parameters, from which any number of devices start.
pub struct Compiled {
    program: Program,
    parameters: &'static [&'static str],
}

impl Compiled {
    /// Compiles a circuit; `probes` are paths of signals inside that become outputs.
    ///
    /// # Panics
    /// There is no code generator for this processor, or no such signal.
    pub fn new(circuit: &Circuit, probes: &[&str]) -> Self {
        let program = Program::with_probes(&circuit.netlist, probes).unwrap_or_else(|error| panic!("{error}"));
        Compiled { program, parameters: circuit.parameters }
    }

    /// The circuit after one cycle of reset, its parameters driven.
    pub fn start(&self, value_of: &dyn Fn(&str) -> u64) -> Simulation {
        let mut simulation = self.program.start(POWER_UP);
        for parameter in self.parameters {
            simulation.set(self.input(parameter), value_of(parameter));
        }
        let reset = self.input("reset");
        simulation.set(reset, 1);
        simulation.step();
        simulation.set(reset, 0);
        simulation
    }

    /// An input that the circuit has.
    pub fn input(&self, name: &str) -> Input {
        self.program.input(name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An output that the circuit has.
    pub fn output(&self, name: &str) -> Output {
        self.program.output(name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An input that not every circuit of its kind has.
    fn maybe_input(&self, name: &str) -> Option<Input> {
        self.program.input(name).ok()
    }

    fn maybe_output(&self, name: &str) -> Option<Output> {
        self.program.output(name).ok()
    }
}

/// Ports that hold their simulation.
pub trait Simulated {
    /// The simulation.
    fn simulation(&mut self) -> &mut Simulation;
}

/// A device of compiled ports.
pub struct Native<P>(pub P);

impl<P: Simulated> Device for Native<P> {
    type Ports = P;

    fn ports(&self) -> &P {
        &self.0
    }

    fn ports_mut(&mut self) -> &mut P {
        &mut self.0
    }

    fn settle(&mut self) {
        self.0.simulation().settle();
    }

    fn end_cycle(&mut self, _now: Cycles) {
        self.0.simulation().step();
    }
}

/// The fields of a feedback at ports or inside.
#[derive(Clone, Copy)]
struct FeedbackOutputs {
    quantized_feedback: Output,
    q_offset: Output,
    q_delta: Output,
}

impl FeedbackOutputs {
    fn of(compiled: &Compiled, block: &str) -> Self {
        let output = |name: &str| compiled.output(&format!("{block}.{name}"));
        FeedbackOutputs {
            quantized_feedback: output("quantized_feedback"),
            q_offset: output("q_offset_units"),
            q_delta: output("q_delta_units"),
        }
    }

    fn read(&self, simulation: &Simulation, cpid: u64) -> (u8, i16, i16, u64) {
        let units = |output| simulation.get(output) as u16 as i16;
        (simulation.get(self.quantized_feedback) as u8, units(self.q_offset), units(self.q_delta), cpid)
    }
}

/// 25 bits of two's complement.
fn signed_25(value: u64) -> i32 {
    (value as i32) << 7 >> 7
}

/// The ports of a congestion point.
pub struct NativeCongestionPoint {
    simulation: Simulation,
    cpid: u64,
    enqueue: Input,
    enqueue_bytes: Input,
    source: [Input; 2],
    destination: [Input; 2],
    has_tag: Input,
    vlan_tci: Input,
    controlled: Input,
    dequeue: Input,
    dequeue_bytes: Input,
    data_ready: Input,
    ready: Output,
    sample: Output,
    valid: Output,
    data_high: Output,
    data_low: Output,
    last: Output,
    queue_bytes: Output,
    q_offset: Output,
    q_delta: Output,
    feedback: FeedbackOutputs,
}

impl NativeCongestionPoint {
    /// Signals inside that it reads.
    pub const PROBES: &'static [&'static str] = &[
        "queue_monitor.q_offset",
        "queue_monitor.q_delta",
        "feedback.quantized_feedback",
        "feedback.q_offset_units",
        "feedback.q_delta_units",
    ];

    /// A congestion point after reset, compiled with [`PROBES`](Self::PROBES).
    pub fn new(compiled: &Compiled, value_of: &dyn Fn(&str) -> u64) -> Self {
        let (input, output) = (|name| compiled.input(name), |name| compiled.output(name));
        NativeCongestionPoint {
            simulation: compiled.start(value_of),
            cpid: value_of("cpid_high") << 32 | value_of("cpid_low"),
            enqueue: input("enqueue"),
            enqueue_bytes: input("enqueue_bytes"),
            source: [input("source_mac_high"), input("source_mac_low")],
            destination: [input("destination_mac_high"), input("destination_mac_low")],
            has_tag: input("has_tag"),
            vlan_tci: input("vlan_tci"),
            controlled: input("controlled"),
            dequeue: input("dequeue"),
            dequeue_bytes: input("dequeue_bytes"),
            data_ready: input("data_ready"),
            ready: output("ready"),
            sample: output("sample"),
            valid: output("valid"),
            data_high: output("data_high"),
            data_low: output("data_low"),
            last: output("last"),
            queue_bytes: output("queue_bytes"),
            q_offset: output("queue_monitor.q_offset"),
            q_delta: output("queue_monitor.q_delta"),
            feedback: FeedbackOutputs::of(compiled, "feedback"),
        }
    }
}

impl Simulated for NativeCongestionPoint {
    fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl CongestionPointPorts for NativeCongestionPoint {
    fn drive_packet(&mut self, packet: Option<(u32, u64, u64, Option<u16>, bool)>) {
        let to = &mut self.simulation;
        to.set(self.enqueue, u64::from(packet.is_some()));
        if let Some((bytes, source, destination, tag, controlled)) = packet {
            to.set(self.enqueue_bytes, bytes.into());
            for (pins, address) in [(self.source, source), (self.destination, destination)] {
                to.set(pins[0], address >> 32);
                to.set(pins[1], address & 0xffff_ffff);
            }
            to.set(self.has_tag, u64::from(tag.is_some()));
            to.set(self.vlan_tci, tag.unwrap_or(0).into());
            to.set(self.controlled, controlled.into());
        }
    }

    fn drive_dequeue(&mut self, bytes: u32) {
        self.simulation.set(self.data_ready, 1);
        self.simulation.set(self.dequeue, u64::from(bytes > 0));
        self.simulation.set(self.dequeue_bytes, bytes.into());
    }

    fn is_ready(&self) -> bool {
        self.simulation.get(self.ready) != 0
    }

    fn sampled(&self) -> bool {
        self.simulation.get(self.sample) != 0
    }

    fn measured(&self) -> (i32, i32) {
        (signed_25(self.simulation.get(self.q_offset)), signed_25(self.simulation.get(self.q_delta)))
    }

    fn feedback(&self) -> (u8, i16, i16, u64) {
        self.feedback.read(&self.simulation, self.cpid)
    }

    fn word(&self) -> Option<(u32, u32, bool)> {
        let from = &self.simulation;
        (from.get(self.valid) != 0)
            .then(|| (from.get(self.data_high) as u32, from.get(self.data_low) as u32, from.get(self.last) != 0))
    }

    fn queue(&self) -> u32 {
        self.simulation.get(self.queue_bytes) as u32
    }
}

/// The ports of a reaction point.
pub struct NativeReactionPoint {
    simulation: Simulation,
    data_high: Input,
    data_low: Input,
    octets: Input,
    last: Input,
    valid: Input,
    request: Input,
    request_bytes: Input,
    source_empty: Option<Input>,
    ready: Output,
    grant: Output,
    ignored_frames: Output,
    current_rate: Output,
    feedback_valid: Output,
    feedback_ready: Output,
    cpid: [Output; 2],
    feedback: FeedbackOutputs,
}

impl NativeReactionPoint {
    /// Signals inside that it reads.
    pub const PROBES: &'static [&'static str] = &[
        "parser.feedback_valid",
        "parser.feedback_ready",
        "parser.quantized_feedback",
        "parser.q_offset_units",
        "parser.q_delta_units",
        "parser.cpid_high",
        "parser.cpid_low",
    ];

    /// A reaction point after reset, compiled with [`PROBES`](Self::PROBES).
    pub fn new(compiled: &Compiled, value_of: &dyn Fn(&str) -> u64) -> Self {
        let (input, output) = (|name| compiled.input(name), |name| compiled.output(name));
        NativeReactionPoint {
            simulation: compiled.start(value_of),
            data_high: input("data_high"),
            data_low: input("data_low"),
            octets: input("octets"),
            last: input("last"),
            valid: input("valid"),
            request: input("request"),
            request_bytes: input("request_bytes"),
            source_empty: compiled.maybe_input("source_empty"),
            ready: output("ready"),
            grant: output("grant"),
            ignored_frames: output("ignored_frames"),
            current_rate: output("current_rate"),
            feedback_valid: output("parser.feedback_valid"),
            feedback_ready: output("parser.feedback_ready"),
            cpid: [output("parser.cpid_high"), output("parser.cpid_low")],
            feedback: FeedbackOutputs::of(compiled, "parser"),
        }
    }
}

impl Simulated for NativeReactionPoint {
    fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl ReactionPointPorts for NativeReactionPoint {
    fn drive_word(&mut self, word: Option<(u32, u32, u32, bool)>) {
        let to = &mut self.simulation;
        to.set(self.valid, u64::from(word.is_some()));
        if let Some((high, low, octets, last)) = word {
            to.set(self.data_high, high.into());
            to.set(self.data_low, low.into());
            to.set(self.octets, octets.into());
            to.set(self.last, last.into());
        }
    }

    fn drive_request(&mut self, request: Option<u32>) {
        self.source_empty.iter().for_each(|&input| self.simulation.set(input, 0));
        self.simulation.set(self.request, u64::from(request.is_some()));
        if let Some(bytes) = request {
            self.simulation.set(self.request_bytes, bytes.into());
        }
    }

    fn takes_word(&self) -> bool {
        self.simulation.get(self.ready) != 0
    }

    fn is_granted(&self) -> bool {
        self.simulation.get(self.grant) != 0
    }

    fn ignored(&self) -> u32 {
        self.simulation.get(self.ignored_frames) as u32
    }

    fn feedback_taken(&self) -> Option<(u8, i16, i16, u64)> {
        let from = &self.simulation;
        let taken = from.get(self.feedback_valid) != 0 && from.get(self.feedback_ready) != 0;
        taken.then(|| self.feedback.read(from, from.get(self.cpid[0]) << 32 | from.get(self.cpid[1])))
    }

    fn rate(&self) -> u32 {
        self.simulation.get(self.current_rate) as u32
    }
}

/// The ports of a calculator. What a calculator has no port for, it does not need.
pub struct NativeCalculator {
    simulation: Simulation,
    feedback_valid: Input,
    quantized_feedback: Option<Input>,
    q_offset: Option<Input>,
    q_delta: Option<Input>,
    cpid: [Option<Input>; 2],
    sent: Option<Input>,
    sent_bytes: Option<Input>,
    source_empty: Option<Input>,
    feedback_ready: Output,
    current_rate: Output,
    target: Option<[Output; 3]>,
    offered: bool,
}

impl NativeCalculator {
    /// A calculator after reset.
    pub fn new(compiled: &Compiled, value_of: &dyn Fn(&str) -> u64) -> Self {
        let input = |name| compiled.maybe_input(name);
        let target = ["target_rate", "byte_stage", "time_stage"].map(|name| compiled.maybe_output(name));
        NativeCalculator {
            simulation: compiled.start(value_of),
            feedback_valid: compiled.input("feedback_valid"),
            quantized_feedback: input("quantized_feedback"),
            q_offset: input("q_offset_units"),
            q_delta: input("q_delta_units"),
            cpid: [input("cpid_high"), input("cpid_low")],
            sent: input("sent"),
            sent_bytes: input("sent_bytes"),
            source_empty: input("source_empty"),
            feedback_ready: compiled.output("feedback_ready"),
            current_rate: compiled.output("current_rate"),
            target: match target {
                [Some(rate), Some(byte_stage), Some(time_stage)] => Some([rate, byte_stage, time_stage]),
                _ => None,
            },
            offered: false,
        }
    }

    fn set(&mut self, input: Option<Input>, value: u64) {
        if let Some(input) = input {
            self.simulation.set(input, value);
        }
    }
}

impl Simulated for NativeCalculator {
    fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl CalculatorPorts for NativeCalculator {
    fn drive_feedback(&mut self, feedback: Option<(u8, i16, i16, u64)>) {
        self.offered = feedback.is_some();
        self.set(Some(self.feedback_valid), u64::from(self.offered));
        if let Some((quantized_feedback, q_offset, q_delta, cpid)) = feedback {
            self.set(self.quantized_feedback, quantized_feedback.into());
            self.set(self.q_offset, u64::from(q_offset as u16));
            self.set(self.q_delta, u64::from(q_delta as u16));
            self.set(self.cpid[0], cpid >> 32);
            self.set(self.cpid[1], cpid & 0xffff_ffff);
        }
    }

    fn drive_sent(&mut self, bytes: Option<u32>, source_empty: bool) {
        self.set(self.sent, u64::from(bytes.is_some()));
        self.set(self.sent_bytes, bytes.unwrap_or(0).into());
        self.set(self.source_empty, source_empty.into());
    }

    fn takes_feedback(&self) -> bool {
        self.offered && self.simulation.get(self.feedback_ready) != 0
    }

    fn rate(&self) -> u32 {
        self.simulation.get(self.current_rate) as u32
    }

    fn target(&self) -> Option<(u32, u8, u8)> {
        let from = &self.simulation;
        self.target.map(|[rate, byte_stage, time_stage]| {
            (from.get(rate) as u32, from.get(byte_stage) as u8, from.get(time_stage) as u8)
        })
    }
}
