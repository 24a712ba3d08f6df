// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point for many queues: each queue does what a congestion point of its own does, in the same order.
//! The cycles in which it does it are compared with `tidegate verify`, which has a reference for them.

use std::collections::{BTreeMap, VecDeque};
use tidegate::bench::vectors;
use tidegate::model::congestion_point::ModelCongestionPoint;
use tidegate::model::device::CongestionPoint;
use tidegate::model::packet::Packet;
use tidegate::model::{AnyFeedback, Fate, FeedbackModel};
use tidegate::registry;
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::sampler::seed_of_queue;
use tidegate::scheme::sampling_exception::ExceptionParameters;
use tidegate_testing::settings::{first_accepted, lively, parameters, scheme, settings};
use tidegate_testing::stimulus::Random;

/// Cycles between two events of a model: more than it needs for a sample and its frame.
const GAP: u64 = 2000;
/// After so many cycles at the head of the sample queue a sample that gets no frame has left it.
const DROPPED: u64 = 300;

/// A feedback block that takes so long that the random number of the sampler fits before the interval changes.
struct Late(AnyFeedback);

impl FeedbackModel for Late {
    fn sampling_exception(&self) -> Option<ExceptionParameters> {
        self.0.sampling_exception()
    }

    fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> Fate {
        let fate = self.0.sample(q_offset, q_delta, controlled);
        Fate { latency: fate.latency + GAP / 2, ..fate }
    }
}

/// A model of a congestion point that gets its events one after the other.
struct Single {
    model: ModelCongestionPoint<Late>,
    now: u64,
    length: u32,
    /// Frames that the circuit must send too.
    frames: VecDeque<Vec<u8>>,
    packets: u64,
    samples: u64,
    sent: u64,
}

impl Single {
    fn new(name: &str, settings: &[(&str, &str)], queues: u64, queue: u64) -> Self {
        let many = with_queues(name, settings, queues);
        let seed = seed_of_queue(many.integer("seed") as u16, queue as u16).to_string();
        let cpid = format!("{:#x}", many.cpid() + queue);
        let own = [settings, &[("seed", &seed), ("cpid", &cpid)]].concat();
        let parameters = parameters(name, &own);
        let models = scheme(name).models();
        let feedback = Late((models.feedback)(&parameters));
        let model = ModelCongestionPoint::new(feedback, models.codec, &parameters);
        Single { model, now: GAP, length: 0, frames: VecDeque::new(), packets: 0, samples: 0, sent: 0 }
    }

    /// A packet enters or bytes leave, or both. Returns whether the packet is a sample, and whether it gets a frame.
    fn event(&mut self, packet: Option<&Packet>, leaving: u32) -> (bool, bool) {
        assert!(self.model.ready(self.now));
        let outcome = self.model.cycle(self.now, packet, leaving);
        self.length = self.model.queue_bytes();
        let end = self.now + GAP;
        let mut answered = false;
        let mut next = self.now + 1;
        loop {
            next = self.model.next(next);
            if next >= end {
                break;
            }
            let frame = self.model.cycle(next, None, 0).frame;
            answered |= frame.is_some();
            self.frames.extend(frame.map(|frame| frame.to_vec()));
            next += 1;
        }
        self.now = end;
        self.packets += u64::from(packet.is_some());
        self.samples += u64::from(outcome.sample.is_some());
        (outcome.sample.is_some(), answered)
    }
}

fn with_queues(name: &str, settings: &[(&str, &str)], queues: u64) -> Parameters {
    let queues = queues.to_string();
    parameters(name, &[settings, &[("cp_queues", queues.as_str())]].concat())
}

/// A sample that waits for its feedback.
struct Outstanding {
    queue: usize,
    answered: bool,
    at_head: Option<u64>,
}

/// Runs circuit and models with random traffic, and compares each sample, length and frame.
fn lockstep(name: &str, settings: &[(&str, &str)], queues: u64, cycles: u64) {
    let parameters = with_queues(name, settings, queues);
    let circuit = (scheme(name).circuit)(Part::CongestionPoint, &parameters);
    let values = registry::part_ports(scheme(name), &parameters, Part::CongestionPoint);
    let at = |port: &str| column(&circuit, port);
    let mut random = Random::new(queues);
    let mut singles: Vec<Single> = (0..queues).map(|queue| Single::new(name, settings, queues, queue)).collect();
    let mut packet: Option<(usize, Packet)> = None;
    let mut leave: Option<(usize, u32)> = None;
    let mut decided: Option<(usize, bool)> = None;
    let mut outstanding: VecDeque<Outstanding> = VecDeque::new();
    let mut frame: Vec<u8> = Vec::new();
    let mut offered: Option<(usize, Packet)> = None;
    let mut offered_leave: Option<(usize, u32)> = None;
    let (mut busy, mut willing) = (50, 100);
    let (mut unknown, mut told) = (false, 0);
    let mut drive = |cycle: u64, row: &mut [u32]| {
        let context = |what: &str| format!("{name} {settings:?}, {queues} queues, cycle {cycle}: {what}");
        if cycle == 0 {
            set_parameters(&circuit, &values, row);
            row[at("reset")] = 1;
            return;
        }
        if cycle > 1 {
            // What the cycle before did.
            assert_eq!(row[at("unknown_queue")] != 0, unknown, "{}", context("an unknown queue is told"));
            told += u64::from(unknown);
            unknown = false;
            if let Some((queue, sample)) = decided.take() {
                assert_eq!(row[at("sample")] != 0, sample, "{}", context(&format!("sample of queue {queue}")));
            } else {
                assert_eq!(row[at("sample")], 0, "{}", context("a sample without a packet"));
            }
            if row[at("counted")] != 0 {
                let queue = row[at("visited_queue")] as usize;
                let single = &mut singles[queue];
                let entering = packet.filter(|(of, _)| *of == queue).map(|(_, packet)| packet);
                let leaving = leave.filter(|(of, _)| *of == queue).map(|(_, bytes)| bytes);
                let (length, found) = (single.length, row[at("queue_bytes")]);
                // Events that wait for the same queue may be counted together.
                let counts =
                    [(entering, leaving), (entering, None), (None, leaving)].into_iter().find(|(enter, leave)| {
                        let sum = length + enter.map_or(0, |packet| packet.bytes);
                        (enter.is_some() || leave.is_some())
                            && found == sum.saturating_sub(leave.unwrap_or(0))
                            && (row[at("clamped")] != 0) == (leave.unwrap_or(0) > sum)
                    });
                let (entering, leaving) =
                    counts.unwrap_or_else(|| panic!("{}", context(&format!("queue {queue} from {length} to {found}"))));
                let (sample, answered) = single.event(entering.as_ref(), leaving.unwrap_or(0));
                assert_eq!(single.length, found, "{}", context("length"));
                if leaving.is_some() {
                    leave = None;
                }
                if entering.is_some() {
                    packet = None;
                    decided = Some((queue, sample));
                    if sample {
                        outstanding.push_back(Outstanding { queue, answered, at_head: None });
                    }
                }
            }
            if row[at("valid")] != 0 && row[at("data_ready")] != 0 {
                let octets = row[at("octets")] as usize;
                let word = u64::from(row[at("data_high")]) << 32 | u64::from(row[at("data_low")]);
                frame.extend(&word.to_be_bytes()[..octets]);
                if row[at("last")] != 0 {
                    while outstanding.front().is_some_and(|sample| !sample.answered) {
                        outstanding.pop_front();
                    }
                    let sample =
                        outstanding.pop_front().unwrap_or_else(|| panic!("{}", context("a frame of no sample")));
                    let single = &mut singles[sample.queue];
                    assert_eq!(
                        Some(&frame),
                        single.frames.front(),
                        "{}",
                        context(&format!("frame of queue {}", sample.queue))
                    );
                    single.frames.pop_front();
                    single.sent += 1;
                    frame.clear();
                }
            }
            let dropped = outstanding
                .front_mut()
                .is_some_and(|sample| !sample.answered && cycle > *sample.at_head.get_or_insert(cycle) + DROPPED);
            if dropped {
                outstanding.pop_front();
            }
            // An event that was offered was taken if there was room.
            if row[at("enqueue")] != 0 && row[at("ready")] != 0 {
                match offered.take() {
                    Some(taken) => packet = Some(taken),
                    None => unknown = true,
                }
            }
            if row[at("dequeue")] != 0 && row[at("dequeue_ready")] != 0 {
                match offered_leave.take() {
                    Some(taken) => leave = Some(taken),
                    None => unknown = true,
                }
            }
        }
        if cycle % 4096 == 1 {
            busy = random.pick(&[3, 20, 100]);
            willing = random.pick(&[10, 70, 100, 100]);
        }
        row[at("reset")] = 0;
        row[at("data_ready")] = u32::from(random.chance(willing));
        if offered.is_none() {
            row[at("enqueue")] = 0;
            let queue = random.below(queues) as usize;
            // The model sees the feedback of a sample before the next packet of its queue: so it is here.
            let waits = outstanding.iter().any(|sample| sample.queue == queue)
                || packet.is_some_and(|(other, _)| other == queue)
                || decided.is_some()
                || [leave, offered_leave].iter().flatten().any(|&(other, bytes)| {
                    // Of a dequeue that is clamped it does not show whether it was counted with a packet.
                    other == queue && bytes > singles[queue].length
                });
            if random.chance(busy) && !waits {
                let new = Packet {
                    bytes: random.between(60, 1518) as u32,
                    source: 0x0200_0000_3000 + random.below(3),
                    destination: 0x0200_0000_4000 + random.below(50),
                    tag: random.chance(50).then(|| random.word() as u16),
                    flow_id: random.chance(50).then(|| random.word() as u16),
                    controlled: random.chance(80),
                };
                offered = Some((queue, new));
                row[at("enqueue")] = 1;
                row[at("enqueue_queue")] = queue as u32;
                row[at("enqueue_bytes")] = new.bytes;
                row[at("source_mac_high")] = (new.source >> 32) as u32;
                row[at("source_mac_low")] = new.source as u32;
                row[at("destination_mac_high")] = (new.destination >> 32) as u32;
                row[at("destination_mac_low")] = new.destination as u32;
                row[at("has_tag")] = u32::from(new.tag.is_some());
                row[at("vlan_tci")] = u32::from(new.tag.unwrap_or(0));
                row[at("has_cn_tag")] = u32::from(new.flow_id.is_some());
                row[at("flow_id")] = u32::from(new.flow_id.unwrap_or(0));
                row[at("controlled")] = u32::from(new.controlled);
            } else if queues < 64 && random.chance(2) {
                row[at("enqueue")] = 1;
                row[at("enqueue_queue")] = random.between(queues, 63) as u32;
            }
        }
        if offered_leave.is_none() {
            row[at("dequeue")] = 0;
            let queue = random.below(queues) as usize;
            let idle = [packet.map(|(queue, _)| queue), offered.map(|(queue, _)| queue)]
                .iter()
                .all(|other| *other != Some(queue));
            let most = u64::from(singles[queue].length) + if idle && random.chance(5) { 500 } else { 0 };
            if random.chance(busy) && most > 0 && leave.is_none_or(|(other, _)| other != queue) {
                let bytes = random.between(1, most.min(3000)) as u32;
                offered_leave = Some((queue, bytes));
                row[at("dequeue")] = 1;
                row[at("dequeue_queue")] = queue as u32;
                row[at("dequeue_bytes")] = bytes;
            } else if queues < 64 && random.chance(2) {
                row[at("dequeue")] = 1;
                row[at("dequeue_queue")] = random.between(queues, 63) as u32;
            }
        }
    };
    vectors::run(&circuit, &mut drive, &mut |cycle, _| cycle < cycles);
    let touched = singles.iter().all(|single| single.packets > 0 && single.samples > 0);
    assert!(touched, "{name}, {queues} queues: each has packets and samples");
    assert!(queues == 64 || told > 0, "{name}, {queues} queues: some events were of no queue");
    let sent: u64 = singles.iter().map(|single| single.sent).sum();
    assert!(sent > cycles / 5000, "{name}, {queues} queues: {sent} frames");
}

fn column(circuit: &Circuit, name: &str) -> usize {
    circuit.ports.iter().position(|port| port.name == name).unwrap_or_else(|| panic!("no port {name}"))
}

/// Sets the ports of a circuit to the values that they have by its parameters.
fn set_parameters(circuit: &Circuit, values: &BTreeMap<String, u64>, row: &mut [u32]) {
    for (port, &value) in values {
        if let Some(place) = circuit.ports.iter().position(|known| known.name == *port) {
            row[place] = value as u32;
        }
    }
}

/// Every scheme, with settings with which samples are frequent, and lively values of its own keys.
fn all(cycles: u64) {
    const MODES: [&[(&str, &str)]; 2] = [
        &[("sample_mode", "packets"), ("sample_packets", "4"), ("q0_bytes", "1000")],
        &[("sample_mode", "bytes"), ("sample_bytes", "4000"), ("q0_bytes", "2000"), ("sample_jitter_percent", "50")],
    ];
    let mut random = Random::new(1);
    for scheme in registry::ethernet() {
        for queues in [4, 16, 64] {
            for mode in MODES {
                let pairs = first_accepted(scheme, || settings(&[&lively(scheme, &mut random), mode].concat()));
                let pairs: Vec<_> = pairs.iter().map(|(key, value)| (&key[..], &value[..])).collect();
                lockstep(scheme.name, &pairs, queues, cycles * queues.ilog2() as u64);
            }
        }
    }
}

#[test]
fn each_queue_is_a_congestion_point_of_its_own() {
    all(100_000);
}

#[test]
#[ignore = "long: millions of cycles of each circuit"]
fn each_queue_is_a_congestion_point_of_its_own_for_millions_of_cycles() {
    all(1_000_000);
}

/// F in the frames of DSM for one queue of so many, which grows by 10 octets from sample to sample; another m after the twentieth
/// if `changes`.
fn steps_of_dsm(queues: u64, changes: bool) -> Vec<u32> {
    const PERIOD: u64 = 1_000;
    let parameters =
        with_queues("dsm", &[("sample_packets", "1"), ("sample_jitter_percent", "0"), ("q0_bytes", "1600")], queues);
    let circuit = (scheme("dsm").circuit)(Part::CongestionPoint, &parameters);
    let values = registry::part_ports(scheme("dsm"), &parameters, Part::CongestionPoint);
    let at = |port: &str| column(&circuit, port);
    let mut words = Vec::new();
    let mut drive = |cycle: u64, row: &mut [u32]| {
        if cycle == 0 {
            set_parameters(&circuit, &values, row);
            row[at("controlled")] = 1;
            row[at("data_ready")] = 1;
            row[at("enqueue_bytes")] = 1500;
            row[at("dequeue_bytes")] = 1490;
        } else if row[at("valid")] != 0 {
            words.push(row[at("data_high")]);
        }
        if changes && cycle == 20 * PERIOD {
            row[at("loop_delay")] += 2;
        }
        row[at("reset")] = u32::from(cycle == 0);
        row[at("enqueue")] = u32::from(cycle % PERIOD == 100);
        row[at("dequeue")] = u32::from(cycle > PERIOD && cycle % PERIOD == 50);
    };
    vectors::run(&circuit, &mut drive, &mut |cycle, _| cycle < 40 * PERIOD);
    // A frame has eight words; F is in octets 24 to 27.
    words.chunks(8).map(|frame| frame[3]).collect()
}

/// The sums of a history are those of its m: another m forgets them, in a circuit for many queues as in that for one.
#[test]
fn another_delay_of_dsm_forgets_the_history_of_a_queue() {
    let (of_one, of_two, unchanged) = (steps_of_dsm(1, true), steps_of_dsm(2, true), steps_of_dsm(2, false));
    // The first samples are not the same, and with them what is forgotten.
    let last = |steps: &[u32]| steps[steps.len() - 19..].to_vec();
    assert_eq!(last(&of_one), last(&of_two));
    assert_eq!(of_two[..20], unchanged[..20]);
    assert_ne!(last(&of_two), last(&unchanged));
}

/// Of ASM, for one queue, with each packet due. Two sources get a frame each; the last word of the second one leaves in
/// cycle 500, and around it comes another packet of the first source, then one of the second. Returns whether these two are
/// samples.
fn samples_around_a_last_word(comes: u64) -> [bool; 2] {
    const LAST_WORD: u64 = 500;
    let settings = [("sample_packets", "1"), ("sample_jitter_percent", "0")];
    let parameters = with_queues("asm", &settings, 2);
    let circuit = (scheme("asm").circuit)(Part::CongestionPoint, &parameters);
    let values = registry::part_ports(scheme("asm"), &parameters, Part::CongestionPoint);
    let at = |port: &str| column(&circuit, port);
    let packets = [(200, 1), (230, 2), (comes, 1), (700, 2)];
    let (mut words, mut samples) = (0, [0; 4]);
    let mut drive = |cycle: u64, row: &mut [u32]| {
        if cycle == 0 {
            set_parameters(&circuit, &values, row);
            row[at("controlled")] = 1;
            row[at("enqueue_bytes")] = 1000;
        } else {
            words += u64::from(row[at("valid")] != 0 && row[at("data_ready")] != 0);
            if let Some(packet) = packets.iter().rposition(|&(start, _)| start < cycle) {
                samples[packet] += row[at("sample")];
            }
            assert!(row[at("enqueue")] == 0 || row[at("ready")] != 0, "cycle {cycle}: a packet waits");
        }
        let enters = packets.iter().find(|&&(start, _)| start == cycle);
        row[at("reset")] = u32::from(cycle == 0);
        row[at("enqueue")] = u32::from(enters.is_some());
        row[at("source_mac_low")] = enters.map_or(0, |&(_, source)| source);
        // The fifteenth word is the last but one of the second frame.
        row[at("data_ready")] = u32::from(words != 15 || cycle >= LAST_WORD);
    };
    vectors::run(&circuit, &mut drive, &mut |cycle, _| cycle < 800);
    assert_eq!(samples[..2], [1, 1]);
    [samples[2] == 1, samples[3] == 1]
}

/// A packet of the source of the last frame drops its sample, and the source is forgotten; but a frame to another source
/// that leaves while this packet is worked on is newer.
#[test]
fn a_frame_that_leaves_during_a_visit_is_not_forgotten() {
    let mut seen = [false; 2];
    for comes in 490..510 {
        let [first, second] = samples_around_a_last_word(comes);
        // Before the last word, the first source is the last one: its sample is dropped, and then that of the second. Behind
        // it, the first source gets a frame and is the last one again.
        assert_eq!(first, second, "packet in cycle {comes}");
        seen[usize::from(first)] = true;
    }
    assert_eq!(seen, [true; 2]);
}

/// With a packet and a dequeue in each eight cycles, in any order and for any queue, none waits.
#[test]
fn takes_a_packet_and_a_dequeue_in_each_eight_cycles() {
    for queues in [4, 16, 64] {
        for phase in 0..8 {
            let parameters = with_queues("smcc", &[("sample_packets", "1000000")], queues);
            let circuit = (scheme("smcc").circuit)(Part::CongestionPoint, &parameters);
            let values = registry::part_ports(scheme("smcc"), &parameters, Part::CongestionPoint);
            let at = |port: &str| column(&circuit, port);
            let mut random = Random::new(phase);
            let mut begins = None;
            let (mut taken, mut left) = (0, 0);
            let mut drive = |cycle: u64, row: &mut [u32]| {
                if cycle == 0 {
                    set_parameters(&circuit, &values, row);
                }
                if begins.is_none() && row[at("cleared")] != 0 {
                    begins = Some(cycle + 20);
                }
                let started = begins.is_some_and(|begins| cycle > begins);
                if started {
                    assert!(row[at("enqueue")] == 0 || row[at("ready")] != 0, "phase {phase}, cycle {cycle}");
                    assert!(row[at("dequeue")] == 0 || row[at("dequeue_ready")] != 0, "phase {phase}, cycle {cycle}");
                    taken += row[at("enqueue")];
                    left += row[at("dequeue")];
                }
                row[at("reset")] = u32::from(cycle == 0);
                let active = begins.is_some_and(|begins| cycle >= begins);
                row[at("enqueue")] = u32::from(active && cycle.is_multiple_of(8));
                row[at("dequeue")] = u32::from(active && cycle % 8 == phase);
                // Often the same queue.
                row[at("enqueue_queue")] = random.below(queues.min(4)) as u32;
                row[at("dequeue_queue")] = random.below(queues.min(4)) as u32;
                row[at("enqueue_bytes")] = 60;
                row[at("dequeue_bytes")] = 60;
            };
            vectors::run(&circuit, &mut drive, &mut |cycle, _| cycle < 20_000);
            assert!(taken > 2000 && left > 2000, "{taken} packets and {left} dequeues");
        }
    }
}
