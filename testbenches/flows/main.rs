//! A reaction point that serves many flows against one calculator model for each flow; and its Verilog against the
//! circuit.

#[path = "../common/stimulus.rs"]
mod stimulus;

use std::collections::VecDeque;
use std::sync::LazyLock;
use stimulus::Random;
use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::bench::vectors::{self, Recording};
use tidegate::model::AnyCalculator;
use tidegate::model::device::Calculator;
use tidegate::model::packet::Packet;
use tidegate::model::wire::{CP_MAC, CPID, write_frame};
use tidegate::registry::{self, Scheme, find};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::{Feedback, Part};
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::units::{Cycles, Rate};
use tidegate::verify::replay::{Replay, Simulator};

/// The schemes that have such a circuit.
const SCHEMES: [&str; 3] = ["smcc", "asm", "dsm"];

fn design(name: &str, settings: &[(&str, &str)]) -> (&'static Scheme, Parameters, Circuit) {
    let scheme = find(name).unwrap();
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let parameters = scheme.parameters(&settings).unwrap();
    let circuit = (scheme.circuit)(Part::ReactionPoint, &parameters);
    (scheme, parameters, circuit)
}

/// Feedback of few congestion points for random flows, as the words of a stream.
struct Stream {
    random: Random,
    rp_mac: u64,
    flows: u64,
    words: VecDeque<(u64, u64, bool)>,
    /// The frames in their order.
    frames: VecDeque<(u64, Feedback)>,
    gap: u64,
    count: u64,
    /// Flow of a frame that was dropped: it gets another one.
    lost: Option<u64>,
}

impl Stream {
    fn new(seed: u64, parameters: &Parameters, gap: u64) -> Self {
        let (random, flows) = (Random::new(seed), parameters.rp_flows());
        let (words, frames) = (VecDeque::new(), VecDeque::new());
        Stream { random, rp_mac: parameters.rp_mac(0), flows, words, frames, gap, count: 0, lost: None }
    }

    fn frame(&mut self) {
        let random = &mut self.random;
        let units = |random: &mut Random| {
            let any = random.bus(16) as u16 as i16;
            random.pick(&[any, any / 64, any / 512, 0])
        };
        let feedback = Feedback {
            quantized_feedback: random.below(64) as u8,
            q_offset: units(random),
            q_delta: units(random),
            cpid: CPID + random.below(2) * 0x1_0000_0001,
        };
        // Every other frame is for the next flow, so that each has its turn.
        self.count += u64::from(self.lost.is_none());
        let flow = match (self.lost.take(), self.count.is_multiple_of(2)) {
            (Some(flow), _) => flow,
            (None, true) => self.count / 2 % self.flows,
            (None, false) => random.below(self.flows),
        };
        let packet = Packet {
            bytes: 1000,
            source: self.rp_mac + flow,
            destination: random.word() >> 16,
            tag: random.chance(50).then(|| random.word() as u16),
            flow_id: random.chance(50).then(|| random.word() as u16),
            controlled: true,
        };
        let frame = write_frame(&packet, &feedback, CP_MAC);
        self.frames.push_back((flow, feedback));
        let words = frame.chunks(8);
        let count = words.len();
        self.words.extend(words.enumerate().map(|(index, word)| {
            let value =
                word.iter().enumerate().fold(0, |value, (at, &octet)| value | u64::from(octet) << (56 - 8 * at));
            (value, word.len() as u64, index + 1 == count)
        }));
    }

    /// The word of this cycle: data, octets, last.
    fn next(&mut self) -> Option<(u64, u64, bool)> {
        if self.words.is_empty() && self.random.below(self.gap) == 0 {
            self.frame();
        }
        self.words.pop_front()
    }
}

/// The rate after a feedback.
fn answer(model: &mut AnyCalculator, now: &mut Cycles, feedback: &Feedback) -> Rate {
    loop {
        *now += 1;
        let (taken, _) = model.cycle(*now, Some(feedback), None, false);
        if taken {
            break;
        }
    }
    *now += 3;
    model.cycle(*now, None, None, false).1.current_rate
}

/// Each feedback that is taken has the effect that it has on a calculator of its own.
fn lockstep(name: &str, settings: &[(&str, &str)], cycles: u64) {
    let (scheme, parameters, circuit) = design(name, settings);
    let probes = [
        "calculator.feedback_ready",
        "calculator.changes",
        "calculator.new_rate",
        "flow_points.flow",
        "parser.frame_taken",
        "parser.frame_dropped",
    ];
    let values = registry::part_ports(scheme, &parameters, Part::ReactionPoint);
    let maker = Native::of(circuit, &probes, None);
    let mut machine = maker.make(name, &|port| values[port]);
    let [ready, changes, new_rate, flow_out, taken, dropped] = probes.map(|probe| machine.output(probe));
    let inputs = ["valid", "data_high", "data_low", "octets", "last"].map(|input| machine.input(input));
    let flows = parameters.rp_flows() as usize;
    let mut stream = Stream::new(flows as u64, &parameters, 300);
    let mut models: Vec<_> = (0..flows)
        .map(|_| ((scheme.models().calculator)(&parameters, 1), 0, parameters.rate("line_rate_mbps")))
        .collect();
    let (mut waiting, mut steps, mut lost) = (None, vec![0; flows], 0);
    for cycle in 0..cycles {
        let word = stream.next();
        machine.set(inputs[0], u64::from(word.is_some()));
        if let Some((data, octets, last)) = word {
            let values = [data >> 32, data & 0xffff_ffff, octets, last.into()];
            inputs[1..].iter().zip(values).for_each(|(&input, value)| machine.set(input, value));
        }
        machine.step();
        if machine.get(taken) != 0 {
            waiting = stream.frames.pop_front();
        }
        if machine.get(dropped) != 0 {
            stream.lost = stream.frames.pop_front().map(|(flow, _)| flow);
            lost += 1;
        }
        if machine.get(ready) != 0 {
            let (flow, feedback) = waiting.take().expect("a feedback waits");
            assert_eq!(machine.get(flow_out), flow, "{name}, cycle {cycle}: flow");
            let (model, now, rate) = &mut models[flow as usize];
            let before = std::mem::replace(rate, answer(model, now, &feedback));
            let seen = match machine.get(changes) {
                0 => before,
                _ => Rate(machine.get(new_rate) as u32),
            };
            assert_eq!(seen, *rate, "{name} of {flows} flows, cycle {cycle}, flow {flow}: {feedback:?} at {before:?}");
            steps[flow as usize] += 1;
        }
    }
    let idle = steps.iter().filter(|&&steps| steps == 0).count();
    assert_eq!(idle, 0, "{name} of {flows} flows: so many had no feedback");
    assert!(lost > 0, "no frame came while another one waited");
}

#[test]
fn each_flow_is_that_of_a_calculator_of_its_own() {
    for name in SCHEMES {
        lockstep(name, &[("rp_flows", "4")], 300_000);
        lockstep(name, &[("rp_flows", "16"), ("cpid_bits", "16")], 300_000);
        lockstep(name, &[("rp_flows", "256")], 1_000_000);
        lockstep(name, &[("rp_flows", "4096"), ("cpid_bits", "0"), ("line_rate_mbps", "10000")], 10_000_000);
    }
}

/// Records the circuit with frames, announcements and a link that is sometimes busy.
fn record(circuit: &Circuit, parameters: &Parameters, cycles: u64) -> Recording {
    let column = |name: &str| circuit.ports.iter().position(|port| port.name == name).expect(name);
    let stream = ["valid", "data_high", "data_low", "octets", "last", "bad_frame"].map(column);
    let [announce, announce_flow, announce_bytes, announce_ready] =
        ["announce", "announce_flow", "announce_bytes", "announce_ready"].map(column);
    let [send_ready, send_bytes, reset] = ["send_ready", "send_bytes", "reset"].map(column);
    let scheme = circuit.module.split('_').next().expect("a name");
    let values = registry::part_ports(find(scheme).unwrap(), parameters, Part::ReactionPoint);
    let mut source = Stream::new(1, parameters, 100);
    let mut random = Random::new(2);
    Recording::make(circuit, cycles, &mut |cycle, row| {
        for (at, port) in circuit.ports.iter().enumerate() {
            if let Some(&value) = values.get(&port.name) {
                row[at] = value as u32;
            }
        }
        row[reset] = u32::from(cycle == 0 || cycle == cycles / 2);
        let word = source.next();
        row[stream[0]] = u32::from(word.is_some());
        if let Some((data, octets, last)) = word {
            let bad = u32::from(random.chance(5));
            let values = [(data >> 32) as u32, data as u32, octets as u32, last.into(), bad];
            stream[1..].iter().zip(values).for_each(|(&at, value)| row[at] = value);
        }
        if row[announce] == 0 || row[announce_ready] != 0 {
            row[announce] = random.chance(20).into();
            row[announce_flow] = random.below(parameters.rp_flows() + 1) as u32;
            row[announce_bytes] = random.between(60, 1600) as u32;
        }
        row[send_ready] = random.chance(30).into();
        row[send_bytes] = 1000;
    })
    .unwrap()
}

static VERILATOR: LazyLock<Simulator> =
    LazyLock::new(|| Simulator::Verilator(Verilator::find().expect("scripts/setup-tools installs Verilator")));

#[test]
fn the_verilog_is_the_circuit() {
    for (name, flows) in [("smcc", "4"), ("asm", "16"), ("dsm", "256")] {
        let (_, parameters, circuit) = design(name, &[("rp_flows", flows)]);
        let recording = record(&circuit, &parameters, 200_000);
        let replay = Replay::new(&VERILATOR, &circuit, Effort::Quick).unwrap();
        if let Some(mismatch) = replay.compare(&recording, recording.cycles(), &[]).unwrap() {
            panic!("{name} of {flows} flows in Verilator: {mismatch}");
        }
    }
}

/// The same inputs in the simulation of `rust-hdl`.
#[test]
fn the_engine_is_rust_hdl() {
    for name in SCHEMES {
        let (_, parameters, circuit) = design(name, &[("rp_flows", "4")]);
        let cycles = 15_000;
        let recording = record(&circuit, &parameters, cycles);
        let rows = recording.rows(0..cycles).unwrap();
        vectors::run_reference(
            &circuit,
            &mut |cycle, row| {
                for (at, _) in circuit.ports.iter().enumerate().filter(|(_, port)| port.input) {
                    row[at] = rows[cycle as usize][at];
                }
            },
            &mut |cycle, row| {
                for (at, port) in circuit.ports.iter().enumerate().filter(|(_, port)| !port.input) {
                    assert_eq!(row[at], rows[cycle as usize][at], "{name}, cycle {cycle}: {}", port.name);
                }
                cycle + 1 < cycles
            },
        );
    }
}
