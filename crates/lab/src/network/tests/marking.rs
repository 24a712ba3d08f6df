// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scheme in the manner of DCQCN, out of boxed models: its congestion points mark, its receivers notify, and its
//! notifications are frames of its own. After Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
//! 2015, section 3; the byte counter of its sources is left out.

use super::*;
use tidegate_schemes::model::codec::Frame;
use tidegate_schemes::model::device::{Calculator, CalculatorState};
use tidegate_schemes::model::packet::Packet as Arrival;
use tidegate_schemes::model::random::Random;
use tidegate_schemes::model::receiver::{Notification, ReceiverModel};
use tidegate_schemes::model::wire::{Ignored, Verdict, mac_octets};
use tidegate_schemes::model::{AnyCalculator, AnyFeedback, Fate, FeedbackModel};

/// Bytes in the queue up to which no packet is marked, and from which on each one is.
const K_MIN: u32 = 20_000;
const K_MAX: u32 = 60_000;
/// The largest probability of a mark below K_MAX.
const P_MAX: f64 = 0.2;
/// Cycles of 8 ns: the shortest time between two notifications of a flow, 50 µs.
const APART: Cycles = 6250;
/// From the last byte of a packet to its notification.
const RECEIVER_LATENCY: Cycles = 90;
/// Period of both timers of a source, 55 µs.
const PERIOD: Cycles = 6875;
/// Timer periods of fast recovery.
const FAST_RECOVERY: u32 = 5;

/// For local experiments (IEEE 802).
const ETHER_TYPE: [u8; 2] = [0x88, 0xb5];
/// What a payload begins with.
const NOTIFICATION: u8 = 0x81;
const FRAME: u8 = 0x02;
/// Words of 64 bits of the frames that carry them.
const NOTIFICATION_WORDS: Cycles = 10;
const WORDS_OF_FRAME: Cycles = 12;

/// Addresses, type, number of octets and payload.
const CODEC: Codec = Codec {
    write: |packet, payload, origin| {
        let head = [&mac_octets(packet.source)[..], &mac_octets(origin.mac), &ETHER_TYPE, &[payload.len() as u8]];
        let mut octets = [&head.concat()[..], payload].concat();
        octets.resize(if payload[0] == FRAME { 96 } else { 74 }, 0);
        Frame::new(&octets)
    },
    read: |frame, address| match frame {
        _ if frame[12..14] != ETHER_TYPE => Err(Ignored::Own("other_type")),
        _ if !address.is(frame[..6].try_into().expect("six octets")) => Err(Ignored::Destination),
        _ => Ok(Payload::new(&frame[15..15 + usize::from(frame[14])])),
    },
    verdict: |frame, address, _| (CODEC.read)(frame, address).ok().map(|_| Verdict::Taken),
};

/// Marks as RED does; perhaps it also answers each sample above K_MIN with a frame.
struct Marker {
    random: Random,
    frames: bool,
}

impl FeedbackModel for Marker {
    fn marks(&mut self, _now: Cycles, queue_bytes: u32, packet: &Arrival) -> bool {
        let above = f64::from(queue_bytes.saturating_sub(K_MIN)) / f64::from(K_MAX - K_MIN);
        packet.controlled && (above >= 1.0 || self.random.fraction() < above * P_MAX)
    }

    fn sample(&mut self, q_offset: i32, _q_delta: i32, _controlled: bool) -> Fate {
        let payload = || Payload::new(&[&[FRAME][..], &q_offset.to_be_bytes()].concat());
        Fate { latency: 5, send: (self.frames && q_offset > 0).then(payload), interval: None }
    }
}

/// The number of a notification and the cycle of its packet.
fn notification(number: u32, arrived: Cycles) -> Payload {
    Payload::new(&[&[NOTIFICATION][..], &number.to_be_bytes(), &(arrived as u32).to_be_bytes()].concat())
}

/// Notifies the source of a marked packet, unless the last notification was not long ago. Numbers those of each flow.
#[derive(Default)]
struct Notifier(BTreeMap<u64, (Cycles, u32)>);

impl ReceiverModel for Notifier {
    fn arrival(&mut self, now: Cycles, packet: &Arrival, marked: bool) -> Option<Notification> {
        let (next, number) = self.0.entry(packet.source).or_default();
        if !marked || now < *next {
            return None;
        }
        (*next, *number) = (now + APART, *number + 1);
        let payload = notification(*number, now);
        Some(Notification { latency: RECEIVER_LATENCY, payload })
    }
}

/// α, current and target rate, and timers, both of one period.
struct Source {
    line_rate: f64,
    alpha: f64,
    rate: f64,
    target: f64,
    periods: u32,
    timer: Cycles,
}

impl Source {
    const G: f64 = 1.0 / 16.0;

    /// A notification in cycle `now`.
    fn decrease(&mut self, now: Cycles) {
        self.target = self.rate;
        self.rate *= 1.0 - self.alpha / 2.0;
        self.alpha += Self::G * (1.0 - self.alpha);
        (self.periods, self.timer) = (0, now + PERIOD);
    }

    /// A timer period without one.
    fn increase(&mut self) {
        self.alpha *= 1.0 - Self::G;
        self.periods += 1;
        if self.periods > FAST_RECOVERY {
            self.target = (self.target + self.line_rate / 200.0).min(self.line_rate);
        }
        self.rate = f64::midpoint(self.rate, self.target);
        self.timer += PERIOD;
    }
}

impl Calculator for Source {
    fn next(&self, now: Cycles) -> Cycles {
        self.timer.max(now)
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Payload>,
        _sent: Option<u32>,
        _source_empty: bool,
    ) -> (bool, CalculatorState) {
        if self.timer <= now {
            self.increase();
        }
        match feedback.map(|payload| payload[0]) {
            Some(NOTIFICATION) => self.decrease(now),
            Some(FRAME) => self.rate *= 1.0 - 1.0 / 64.0,
            other => assert_eq!(other, None),
        }
        (feedback.is_some(), CalculatorState { current_rate: Rate(self.rate as u32), target: None })
    }

    fn set_rate(&mut self, rate: Rate) {
        self.rate = rate.0.into();
    }
}

fn marker(parameters: &Parameters, frames: bool) -> AnyFeedback {
    AnyFeedback::Other(Box::new(Marker { random: Random::new(parameters.integer("seed")), frames }))
}

/// The scheme.
const MODELS: Models = Models {
    feedback: |parameters| marker(parameters, false),
    calculator: |parameters, _| {
        let line_rate = parameters.rate("line_rate_mbps").0.into();
        let (alpha, rate, target) = (1.0, line_rate, line_rate);
        AnyCalculator::Other(Box::new(Source { line_rate, alpha, rate, target, periods: 0, timer: Cycles::MAX }))
    },
    codec: CODEC,
    receiver: Some(|_| Box::new(Notifier::default())),
    ..Models::QCN
};

/// The same with frames of congestion points.
const WITH_FRAMES: Models = Models { feedback: |parameters| marker(parameters, true), ..MODELS };

const FLOWS: u32 = 4;
/// Delays of the links behind the outputs, and of those of the flows.
const OUTPUT_DELAYS: [Cycles; 2] = [700, 1300];
const FLOW_DELAY: Cycles = 400;

fn path(flow: u32) -> &'static [u32] {
    if flow.is_multiple_of(2) { &[0, 1] } else { &[0] }
}

/// Two outputs in a row, the second one slower; half of the flows end behind the first.
fn in_a_row(models: &Models, settings: &[(&str, &str)]) -> Network {
    let flows = FLOWS.to_string();
    let common =
        [("flows", &flows[..]), ("propagation_cycles", "400"), ("buffer_bytes", "400000"), ("q0_bytes", "20000")];
    network_of(models, &[&common, settings].concat(), |topology| {
        let first = topology.outputs[0].clone();
        topology.outputs.push(OutputSpec { rate: Rate(first.rate.0 / 10 * 4), congestion_point: Some(1), ..first });
        for (output, delay) in topology.outputs.iter_mut().zip(OUTPUT_DELAYS) {
            output.delay = delay;
        }
        for (number, flow) in (0..).zip(&mut topology.flows) {
            flow.path = path(number).to_vec();
            flow.start_rate = Some(Rate(first.rate.0 / 2));
        }
    })
}

/// What the events say of the packets of a flow.
#[derive(Default)]
struct Seen {
    /// At each output of its path, of each packet whether it was marked there.
    marks: Vec<Vec<bool>>,
    /// When each one left the last output.
    left: Vec<Cycles>,
    /// Of notifications: the number of the packet, the cycles in which they leave and return, and what they carry.
    notified: Vec<(usize, Cycles, Cycles, Payload)>,
    /// What its source takes, and when.
    taken: Vec<(Cycles, Payload)>,
}

fn seen(events: &Events, flow: u32) -> Seen {
    let mut seen = Seen::default();
    let last = *path(flow).last().expect("a path has an output");
    for &output in path(flow) {
        let mut marks = Vec::new();
        for &(now, _, event) in events[&(Some(output), 0)].iter().filter(|(_, place, _)| place.flow == flow) {
            match event {
                Event::Enqueued => marks.push(false),
                Event::Marked => *marks.last_mut().expect("it has entered") = true,
                Event::Dequeued if output == last => seen.left.push(now),
                Event::Notified { leaves, returns, payload } => {
                    assert_eq!(
                        (output, Some(&now)),
                        (last, seen.left.last()),
                        "at the last output, as a packet leaves"
                    );
                    seen.notified.push((seen.left.len() - 1, leaves, returns, payload));
                }
                Event::Dropped => panic!("a packet of flow {flow} is dropped"),
                _ => {}
            }
        }
        seen.marks.push(marks);
    }
    for &(now, _, event) in &events[&(None, flow)] {
        if let Event::FeedbackReceived(payload) = event {
            seen.taken.push((now, payload));
        }
    }
    seen
}

/// Marks come of the queue alone, and where it says so.
#[test]
fn a_packet_is_marked_by_the_queue_that_it_enters() {
    let events = agree(|| in_a_row(&MODELS, &[]));
    let (mut marked, mut passed) = (0, 0);
    for output in [0, 1] {
        let here = &events[&(Some(output), 0)];
        let entered = here.iter().enumerate().filter(|(_, (.., event))| *event == Event::Enqueued);
        for (number, (now, place, _)) in entered {
            let mark =
                here[number + 1..].iter().take_while(|(at, ..)| at == now).any(|(.., event)| *event == Event::Marked);
            match place.register_bytes {
                ..=K_MIN => assert!(!mark, "marked with {} bytes", place.register_bytes),
                K_MAX.. => assert!(mark, "not marked with {} bytes", place.register_bytes),
                _ if mark => marked += 1,
                _ => passed += 1,
            }
        }
    }
    assert!(marked > 50 && passed > 5 * marked, "{marked} marked and {passed} passed between K_min and K_max");
    let mut network = in_a_row(&MODELS, &[]);
    network.run(599 * 7001, &mut ());
    for output in [0, 1] {
        let marks = count(&events, Some(output), |event| *event == Event::Marked);
        assert_eq!(network.outputs()[output as usize].marked, marks as u64);
    }
}

/// A receiver answers just the marked packets that come a time after the last one that it answered, whichever output marked
/// them; and its frame comes to the source as it was sent, after the delays of the way.
#[test]
fn a_notification_is_of_a_marked_packet_and_returns_after_the_delays() {
    let events = agree(|| in_a_row(&MODELS, &[]));
    let (mut by_first, mut by_second) = (0, 0);
    for flow in 0..FLOWS {
        let Seen { marks, left, notified, taken } = seen(&events, flow);
        let links: Vec<_> = path(flow).iter().map(|&output| OUTPUT_DELAYS[output as usize] + 1).collect();
        let (last_link, way) = (links[links.len() - 1], links.iter().sum::<Cycles>());
        let (mut expected, mut next) = (Vec::new(), 0);
        for (number, left) in left.into_iter().enumerate() {
            let arrives = left + last_link;
            if marks.iter().any(|at_output| at_output[number]) && arrives >= next {
                next = arrives + APART;
                let leaves = arrives + RECEIVER_LATENCY;
                let payload = notification(expected.len() as u32 + 1, arrives);
                expected.push((number, leaves, leaves + way, payload));
                by_first += u32::from(marks.len() > 1 && marks[0][number] && !marks[1][number]);
                by_second += u32::from(marks.len() > 1 && marks[1][number] && !marks[0][number]);
            }
        }
        let differ = notified.iter().zip(&expected).find(|(seen, expected)| seen != expected);
        assert!(differ.is_none(), "flow {flow}, first notification, seen and expected: {differ:?}");
        assert_eq!(notified.len(), expected.len(), "flow {flow}: notifications");
        // The parser judges a frame in the cycle after its last word, and shows it in the next one.
        let read = FLOW_DELAY + 1 + NOTIFICATION_WORDS - 1 + 2;
        let arrived: Vec<_> = notified.iter().map(|&(.., returns, payload)| (returns + read, payload)).collect();
        assert!(taken.len() > 20 && arrived.len() <= taken.len() + 1, "{} of {}", taken.len(), arrived.len());
        assert_eq!(taken, arrived[..taken.len()], "flow {flow}");
    }
    assert!(by_first > 5 && by_second > 5, "{by_first} and {by_second} notifications of a mark at one output only");
}

/// The queues are held between K_min and K_max; without notifications they overflow.
#[test]
fn marks_and_notifications_hold_the_queue() {
    let mut control = in_a_row(&MODELS, &[]);
    let mut events = Events::new();
    control.run(20_000_000, &mut Log::<false>(&mut events));
    for output in [0, 1] {
        let lengths = events[&(Some(output), 0)].iter().filter(|&&(now, ..)| now > 5_000_000);
        let (bytes, number) =
            lengths.fold((0, 0), |(bytes, number), (_, place, _)| (bytes + u64::from(place.queue_bytes), number + 1));
        let mean = bytes / number;
        assert!((u64::from(K_MIN) / 2..u64::from(K_MAX)).contains(&mean), "output {output}: {mean} bytes");
        assert_eq!(control.outputs()[output as usize].dropped, 0);
    }
    let used = control.outputs()[0].bytes_out;
    assert!(used > 12_000_000, "{used} bytes in 20 million cycles");
    let mut without = in_a_row(&Models { receiver: None, ..MODELS }, &[]);
    without.run(20_000_000, &mut ());
    let dropped = without.outputs().iter().map(|output| output.dropped).sum::<u64>();
    assert!(dropped > 5000, "{dropped} packets dropped");
}

/// A scheme that answers with frames and with marks, also the same packet with both.
#[test]
fn a_congestion_point_answers_with_frames_and_marks() {
    let events = agree(|| in_a_row(&WITH_FRAMES, &[("sample_packets", "5")]));
    let (mut both, mut frames, mut notifications) = (0, 0, 0);
    for output in [0, 1] {
        let here = &events[&(Some(output), 0)];
        let mut sent = None;
        for (number, &(now, place, event)) in here.iter().enumerate() {
            match event {
                Event::Sampled(..) => both += u32::from(here[number - 1].2 == Event::Marked),
                Event::FeedbackSent(payload) => sent = Some((now, place.flow, payload)),
                Event::FeedbackReturns(returns) => {
                    let (first_word, flow, payload) = sent.take().expect("its first word comes before");
                    let way = if output == 1 { OUTPUT_DELAYS[0] + 1 } else { 0 };
                    assert_eq!((flow, returns), (place.flow, first_word + WORDS_OF_FRAME - 1 + way));
                    let read = FLOW_DELAY + 1 + WORDS_OF_FRAME - 1 + 2;
                    let taken = &events[&(None, flow)];
                    // The last ones are still on their way; and one that comes behind another waits for it.
                    let at = taken
                        .iter()
                        .find(|&&(at, _, event)| at >= returns + read && event == Event::FeedbackReceived(payload));
                    match at {
                        Some(&(at, ..)) => assert!(at <= returns + read + NOTIFICATION_WORDS + 2, "{at} and {returns}"),
                        None => assert!(returns > 4_150_000, "{payload:?} of cycle {first_word} is lost"),
                    }
                    frames += 1;
                }
                Event::Notified { .. } => notifications += 1,
                _ => {}
            }
        }
    }
    assert!(frames > 50 && notifications > 50 && both > 10, "{frames} frames, {notifications}, {both} both");
}

/// Boxed, a scheme does what it does otherwise.
#[test]
fn boxed_models_are_the_same() {
    const BOXED: Models = Models {
        feedback: |parameters| AnyFeedback::Other(Box::new((Models::QCN.feedback)(parameters))),
        calculator: |parameters, seed| AnyCalculator::Other(Box::new((Models::QCN.calculator)(parameters, seed))),
        ..Models::QCN
    };
    let run = |models| {
        let settings = [("timer_us", "300"), ("byte_cycle_bytes", "20000"), ("sample_packets", "5"), ("fb_bits", "9")];
        observed(in_a_row(models, &settings), |piece| piece % 2 == 0)
    };
    assert!(run(&BOXED) == run(&Models::QCN));
}
