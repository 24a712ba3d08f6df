// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reaction point that serves many flows against one calculator model for each flow; and its Verilog against the
//! circuit.

use std::collections::VecDeque;
use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::bench::vectors::{self, Recording};
use tidegate::model::AnyCalculator;
use tidegate::model::device::Calculator;
use tidegate::model::flow_calculator::ReadRate;
use tidegate::model::packet::Packet;
use tidegate::model::wire::{CP_MAC, CPID, write_frame};
use tidegate::registry::{self, Scheme, find};
use tidegate::rtl::circuit::{Circuit, Port};
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::{Feedback, Part};
use tidegate::schemes::bcn::flow_stops::FlowStopsModel;
use tidegate::schemes::qcn::flow_stages::FlowStagesModel;
use tidegate::schemes::qcn::rule::CalculatorParameters;
use tidegate::toolchain::verilator::Effort;
use tidegate::units::{Cycles, Rate};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate_testing::simulators::VERILATOR;
use tidegate_testing::stimulus::Random;

/// The schemes whose calculator only has a rate and at most a mode with each flow.
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
    /// The CN-TAG numbers the flow.
    from_tag: bool,
    words: VecDeque<(u64, u64, bool)>,
    /// The frames in their order, with the flow that each names.
    frames: VecDeque<(Option<u64>, Feedback)>,
    gap: u64,
    count: u64,
    /// Flow of a frame that was dropped: it gets another one.
    lost: Option<u64>,
}

impl Stream {
    fn new(seed: u64, parameters: &Parameters, gap: u64) -> Self {
        let (random, flows) = (Random::new(seed), parameters.rp_flows());
        let (words, frames) = (VecDeque::new(), VecDeque::new());
        let (rp_mac, from_tag) = (parameters.rp_mac(0), parameters.flow_from_tag());
        Stream { random, rp_mac, flows, from_tag, words, frames, gap, count: 0, lost: None }
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
        let known = !self.from_tag || random.chance(80);
        let flow_id = match (self.from_tag, known) {
            (false, _) => random.chance(50).then(|| random.word() as u16),
            (true, true) => Some(flow as u16),
            (true, false) => random.chance(50).then(|| random.between(self.flows, 0xffff) as u16),
        };
        let packet = Packet {
            bytes: 1000,
            source: self.rp_mac + if self.from_tag { 0 } else { flow },
            destination: random.word() >> 16,
            tag: random.chance(50).then(|| random.word() as u16),
            flow_id,
            controlled: true,
        };
        let frame = write_frame(&packet, &feedback, CP_MAC);
        self.frames.push_back((known.then_some(flow), feedback));
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
        let (taken, _) = model.cycle(*now, Some(&(*feedback).into()), None, false);
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
        "feedback_flow.flow",
        "parser.frame_taken",
        "parser.frame_dropped",
    ];
    let values = registry::part_ports(scheme, &parameters, Part::ReactionPoint);
    let maker = Native::of(circuit, &probes, None);
    let mut machine = maker.make(name, &|port| values[port]);
    let [ready, changes, new_rate, flow_out, taken, dropped] = probes.map(|probe| machine.output(probe));
    let frames = StreamInputs::of(&machine);
    let flows = parameters.rp_flows() as usize;
    let mut stream = Stream::new(flows as u64, &parameters, 300);
    let mut models: Vec<_> = (0..flows)
        .map(|_| ((scheme.models().calculator)(&parameters, 1), 0, parameters.rate("line_rate_mbps")))
        .collect();
    let (mut waiting, mut steps, mut lost, mut unknown) = (None, vec![0; flows], 0, 0);
    let unknown_frames = machine.output("unknown_frames");
    for cycle in 0..cycles {
        frames.set(&mut machine, stream.next());
        machine.step();
        if machine.get(taken) != 0 {
            waiting = stream.frames.pop_front().and_then(|(flow, feedback)| Some((flow?, feedback)));
            unknown += u64::from(waiting.is_none());
        }
        if machine.get(dropped) != 0 {
            stream.lost = stream.frames.pop_front().and_then(|(flow, _)| flow);
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
    assert_eq!(machine.get(unknown_frames), unknown, "{name} of {flows} flows: frames that name no flow");
    assert_eq!(unknown > 0, stream.from_tag, "frames that name no flow");
}

#[test]
fn each_flow_is_that_of_a_calculator_of_its_own() {
    for name in SCHEMES {
        lockstep(name, &[("rp_flows", "4")], 1_000_000);
        lockstep(name, &[("rp_flows", "16"), ("cpid_bits", "16")], 1_000_000);
        lockstep(name, &[("rp_flows", "16"), ("flow_from", "tag"), ("rp_mac", "02:00:00:00:10:01")], 1_000_000);
        lockstep(name, &[("rp_flows", "256")], 1_000_000);
        lockstep(name, &[("rp_flows", "4096"), ("cpid_bits", "0"), ("line_rate_mbps", "10000")], 10_000_000);
    }
}

/// Drives the stream of frames.
struct StreamInputs<I>([I; 5]);

impl<I: Copy> StreamInputs<I> {
    fn of<M: Machine<Input = I>>(machine: &M) -> Self {
        StreamInputs(["valid", "data_high", "data_low", "octets", "last"].map(|input| machine.input(input)))
    }

    fn set<M: Machine<Input = I>>(&self, machine: &mut M, word: Option<(u64, u64, bool)>) {
        machine.set(self.0[0], u64::from(word.is_some()));
        if let Some((data, octets, last)) = word {
            let values = [data >> 32, data & 0xffff_ffff, octets, last.into()];
            self.0[1..].iter().zip(values).for_each(|(&input, value)| machine.set(input, value));
        }
    }
}

/// Flows that have frames and flows that stop for a while. A frame of a flow always has the same length.
struct Announcer {
    random: Random,
    flows: u64,
    current: Option<u64>,
}

impl Announcer {
    fn bytes(flow: u64) -> u64 {
        64 + flow * 397 % 1400
    }

    /// The flow whose frame is announced in this cycle; `taken`: that of the last cycle was taken. For a quarter of the
    /// time, three of four flows have no frame.
    fn next(&mut self, cycle: u64, taken: bool) -> Option<u64> {
        if taken || self.current.is_none() {
            let flow = self.random.below(self.flows);
            let stops = cycle >> 17 & 3 == 3 && flow % 4 != 1;
            self.current = (self.random.chance(20) && !stops).then_some(flow);
        }
        self.current
    }
}

/// QCN's stages and timers: in each cycle what they ask, take and change is what the model says, with the same feedback,
/// frames and rates. `gap`: cycles between two frames of feedback, on average.
fn stages_in_lockstep(settings: &[(&str, &str)], gap: u64, cycles: u64) {
    let (scheme, parameters, circuit) = design("qcn", settings);
    let seen = [
        "feedback_flow.valid",
        "feedback_flow.flow",
        "parser.quantized_feedback",
        "parser.frame_taken",
        "parser.frame_dropped",
        "flow_limiter.rate_valid",
        "flow_limiter.rate",
        "flow_limiter.rate_waits",
        "flow_stages.flow",
        "calculator.new_rate",
        "grant_flow",
        "announce_ready",
        "sent",
        "unknown_frames",
    ];
    let compared = [
        "flow_stages.sent_ready",
        "flow_stages.rate_wanted",
        "flow_stages.feedback_ready",
        "flow_stages.rate_taken",
        "calculator.changes",
    ];
    let probes: Vec<_> = seen[..10].iter().chain(&compared).copied().collect();
    let values = registry::part_ports(scheme, &parameters, Part::ReactionPoint);
    let mut machine = Native::of(circuit, &probes, None).make("qcn", &|port| values[port]);
    let [valid, flow, quantized, frame_taken, frame_dropped, rate_valid, rate, waits, visited, ports @ ..] =
        seen.map(|path| machine.output(path));
    let [new_rate, grant_flow, announce_ready, sent, unknown_frames] = ports;
    let outputs = compared.map(|path| machine.output(path));
    let frames = StreamInputs::of(&machine);
    let [announce, announce_flow, announce_bytes, send_ready, send_bytes] =
        ["announce", "announce_flow", "announce_bytes", "send_ready", "send_bytes"].map(|input| machine.input(input));

    let flows = parameters.rp_flows();
    let (mut stream, mut random) = (Stream::new(flows, &parameters, gap), Random::new(3));
    let mut announcer = Announcer { random: Random::new(4), flows, current: None };
    let mut model = FlowStagesModel::new(flows as usize, CalculatorParameters::new(&parameters));
    let line_rate = parameters.rate("line_rate_mbps");
    let mut rates = vec![line_rate; flows as usize];
    let (mut decreases, mut increases, mut ends) = (vec![0; flows as usize], vec![0; flows as usize], 0);
    let (mut taken, mut unknown) = (false, 0);
    for cycle in 0..cycles {
        // Rates recover for three quarters of the time.
        let word = if cycle >> 17 & 3 == 0 || !stream.words.is_empty() { stream.next() } else { None };
        frames.set(&mut machine, word);
        let announced = announcer.next(cycle, taken);
        machine.set(announce, announced.is_some().into());
        if let Some(flow) = announced {
            machine.set(announce_flow, flow);
            machine.set(announce_bytes, Announcer::bytes(flow));
        }
        machine.set(send_ready, random.chance(50).into());
        machine.settle();
        machine.set(send_bytes, Announcer::bytes(machine.get(grant_flow)));
        machine.step();
        taken = machine.get(announce_ready) != 0 && announced.is_some();

        if machine.get(frame_taken) != 0 || machine.get(frame_dropped) != 0 {
            let (named, _) = stream.frames.pop_front().expect("a frame came");
            unknown += u64::from(named.is_none() && machine.get(frame_taken) != 0);
        }
        let feedback = Feedback { quantized_feedback: machine.get(quantized) as u8, ..Default::default() };
        let feedback = (machine.get(valid) != 0).then_some((machine.get(flow) as u16, &feedback));
        let read = ReadRate { rate: Rate(machine.get(rate) as u32), waits: machine.get(waits) != 0 };
        let read = (machine.get(rate_valid) != 0).then_some(read);
        let (ready, wanted) = (model.sent_ready(), model.rate_wanted());
        let place = wanted.map_or(0, usize::from);
        let was_active = model.active(place as u16);
        let expected = model.cycle(feedback, read);
        let values = [ready, wanted.is_some(), expected.feedback_taken, expected.rate_taken, expected.rate.is_some()];
        assert_eq!(outputs.map(|output| machine.get(output) != 0), values, "{settings:?}, cycle {cycle}: {compared:?}");
        if wanted.is_some() {
            assert_eq!(machine.get(visited), place as u64, "{settings:?}, cycle {cycle}: flow");
            if let Some(ReadRate { rate, .. }) = read {
                assert_eq!(rate, rates[place], "{settings:?}, cycle {cycle}, flow {place}: rate");
            }
        }
        if let Some(rate) = expected.rate {
            assert_eq!(machine.get(new_rate), u64::from(rate.0), "{settings:?}, cycle {cycle}, flow {place}: new rate");
            increases[place] += usize::from(rate > rates[place]);
            rates[place] = rate;
        }
        decreases[place] += usize::from(expected.feedback_taken);
        ends += usize::from(was_active && !model.active(place as u16));
        if machine.get(sent) != 0 {
            let flow = machine.get(grant_flow);
            model.count(flow as u16, Announcer::bytes(flow) as u32);
        }
    }
    assert_eq!(machine.get(unknown_frames), unknown, "{settings:?}: frames that name no flow");
    assert_eq!(unknown > 0, stream.from_tag, "{settings:?}: frames that name no flow");
    let touched = |counts: &[usize]| counts.iter().all(|&count| count > 0);
    assert!(
        touched(&decreases) && touched(&increases),
        "{settings:?}: {decreases:?} decreases, {increases:?} increases"
    );
    // Among many flows it takes two looks, 1,024 cycles × flows apart or more, without a frame and without feedback.
    assert!(ends > 0 || flows > 16, "{settings:?}: no flow became inactive");
}

/// BCN's stops: in each cycle what they ask, take and change is what the model says, with the same feedback.
fn stops_in_lockstep(settings: &[(&str, &str)], gap: u64, cycles: u64) {
    let (scheme, parameters, circuit) = design("bcn", settings);
    let probes = [
        "flow_limiter.rate_valid",
        "flow_limiter.rate",
        "flow_stops.flow",
        "flow_stops.change_rate",
        "parser.frame_taken",
        "parser.frame_dropped",
        "flow_stops.rate_wanted",
        "flow_stops.feedback_ready",
        "flow_stops.rate_taken",
        "flow_stops.change",
    ];
    let values = registry::part_ports(scheme, &parameters, Part::ReactionPoint);
    let mut machine = Native::of(circuit, &probes, None).make("bcn", &|port| values[port]);
    let [rate_valid, rate, visited, change_rate, frame_taken, dropped, outputs @ ..] =
        probes.map(|path| machine.output(path));
    let frames = StreamInputs::of(&machine);

    let flows = parameters.rp_flows();
    let mut stream = Stream::new(flows, &parameters, gap);
    let calculator = tidegate::schemes::bcn::rule::CalculatorParameters::new(&parameters);
    let mut model = FlowStopsModel::new(flows as usize, calculator, CpidParameters::new(&parameters));
    let mut rates = vec![parameters.rate("line_rate_mbps"); flows as usize];
    let (mut waiting, mut taken, mut stops, mut starts, mut unknown) = (None, vec![0; flows as usize], 0, 0, 0);
    let unknown_frames = machine.output("unknown_frames");
    for cycle in 0..cycles {
        frames.set(&mut machine, stream.next());
        machine.step();
        if machine.get(frame_taken) != 0 {
            waiting = stream.frames.pop_front().and_then(|(flow, feedback)| Some((flow?, feedback)));
            unknown += u64::from(waiting.is_none());
        }
        if machine.get(dropped) != 0 {
            stream.lost = stream.frames.pop_front().and_then(|(flow, _)| flow);
        }
        let feedback = waiting.as_ref().map(|(flow, feedback): &(u64, _)| (*flow as u16, feedback));
        let read = ReadRate { rate: Rate(machine.get(rate) as u32), waits: false };
        let read = (machine.get(rate_valid) != 0).then_some(read);
        let wanted = model.rate_wanted();
        let place = wanted.map_or(0, usize::from);
        let expected = model.cycle(feedback, read);
        let values = [wanted.is_some(), expected.feedback_taken, expected.rate_taken, expected.rate.is_some()];
        assert_eq!(outputs.map(|output| machine.get(output) != 0), values, "{settings:?}, cycle {cycle}: {probes:?}");
        if wanted.is_some() {
            assert_eq!(machine.get(visited), place as u64, "{settings:?}, cycle {cycle}: flow");
            if let Some(ReadRate { rate, .. }) = read {
                assert_eq!(rate, rates[place], "{settings:?}, cycle {cycle}, flow {place}: rate");
            }
        }
        if let Some(rate) = expected.rate {
            let seen = Rate(machine.get(change_rate) as u32);
            assert_eq!(seen, rate, "{settings:?}, cycle {cycle}, flow {place}: new rate");
            stops += usize::from(rate == Rate(0));
            starts += usize::from(rates[place] == Rate(0));
            rates[place] = rate;
        }
        if expected.feedback_taken {
            taken[place] += 1;
            waiting = None;
        }
    }
    assert!(taken.iter().all(|&count| count > 0), "{settings:?}: {taken:?} feedbacks");
    assert!(stops > 10 && starts > 10, "{settings:?}: {stops} stops, {starts} starts");
    assert_eq!(machine.get(unknown_frames), unknown, "{settings:?}: frames that name no flow");
    assert_eq!(unknown > 0, stream.from_tag, "{settings:?}: frames that name no flow");
}

#[test]
fn stops_of_each_flow_are_those_of_the_model() {
    stops_in_lockstep(&[("t_max_us", "100"), ("rp_flows", "4")], 600, 1_000_000);
    stops_in_lockstep(&[("t_max_us", "1000"), ("rp_flows", "16"), ("cpid_bits", "16")], 600, 1_000_000);
    let from_tag = [("t_max_us", "1000"), ("rp_flows", "4"), ("flow_from", "tag"), ("rp_mac", "02:00:00:00:10:01")];
    stops_in_lockstep(&from_tag, 600, 1_000_000);
    stops_in_lockstep(&[("t_max_us", "10000"), ("rp_flows", "256")], 600, 4_000_000);
}

#[test]
fn stages_and_timers_of_each_flow_are_those_of_the_model() {
    let paper = [("byte_cycle_bytes", "3000"), ("ai_rate_mbps", "500")];
    let standard = |timer| {
        [
            ("profile", "8021q"),
            ("byte_cycle_bytes", "3000"),
            ("timer_us", timer),
            ("ai_rate_mbps", "100"),
            ("hai_rate_mbps", "200"),
        ]
    };
    let with = |settings: &[(&'static str, &'static str)], flows| [settings, &[("rp_flows", flows)]].concat();
    stages_in_lockstep(&with(&paper, "4"), 3000, 1_000_000);
    stages_in_lockstep(&with(&standard("200"), "4"), 3000, 1_000_000);
    let from_tag = [with(&paper, "4"), vec![("flow_from", "tag"), ("rp_mac", "02:00:00:00:10:01")]].concat();
    stages_in_lockstep(&from_tag, 3000, 1_000_000);
    stages_in_lockstep(&with(&standard("200"), "16"), 3000, 2_000_000);
    stages_in_lockstep(&with(&standard("700"), "256"), 1000, 6_000_000);
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

/// The emitted Verilog in Verilator against the circuit.
fn verilog_is_circuit(name: &str, settings: &[(&str, &str)], cycles: u64) {
    let (_, parameters, circuit) = design(name, settings);
    let recording = record(&circuit, &parameters, cycles);
    let replay = Replay::new(&Simulator::Verilator(VERILATOR.clone()), &circuit, Effort::Quick).unwrap();
    if let Some(mismatch) = replay.compare(&recording, recording.cycles(), &[]).unwrap() {
        panic!("{name}, {settings:?}, in Verilator: {mismatch}");
    }
}

#[test]
fn the_verilog_is_the_circuit() {
    for (name, flows) in [("qcn", "4"), ("dsm", "256")] {
        verilog_is_circuit(name, &[("rp_flows", flows)], 100_000);
    }
}

#[test]
#[ignore = "long: two minutes; `scripts/test --long` runs it"]
fn the_verilog_of_each_scheme_and_size_is_the_circuit() {
    for flows in ["4", "16", "256"] {
        for name in tidegate::registry::ethernet().map(|scheme| scheme.name) {
            verilog_is_circuit(name, &[("rp_flows", flows)], 1_000_000);
        }
        verilog_is_circuit("qcn", &[("profile", "8021q"), ("rp_flows", flows)], 1_000_000);
    }
}

/// The same inputs in the simulation of `rust-hdl`.
#[test]
fn the_engine_is_rust_hdl() {
    for name in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let (_, parameters, circuit) = design(name, &[("rp_flows", "4")]);
        let cycles = 4_000;
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
                let known = |port: &Port| !port.input && cycle >= circuit.settled();
                for (at, port) in circuit.ports.iter().enumerate().filter(|(_, port)| known(port)) {
                    assert_eq!(row[at], rows[cycle as usize][at], "{name}, cycle {cycle}: {}", port.name);
                }
                cycle + 1 < cycles
            },
        );
    }
}
