// SPDX-License-Identifier: MIT OR Apache-2.0
mod marking;

use super::topology::{DelayChange, FlowSpec, Latency, Link, OnOff, OutputSpec, Pause};
use super::*;
use std::collections::BTreeMap;
use tidegate_schemes::qcn::rule::KEYS;
use tidegate_schemes::scheme::parameters::{BENCH, ETHERNET};

/// What happens at each output, and at the host of each flow.
type Events = BTreeMap<(Option<u32>, u32), Vec<(Cycles, Place, Event)>>;

struct Log<'a, const IN_ORDER: bool>(&'a mut Events);

impl<const IN_ORDER: bool> Observer for Log<'_, IN_ORDER> {
    const IN_ORDER: bool = IN_ORDER;

    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        let host = if place.output.is_none() { place.flow } else { 0 };
        self.0.entry((place.output, host)).or_default().push((now, place, event));
    }
}

/// A network of QCN, perhaps with more outputs and other paths than a dumbbell.
fn network(settings: &[(&str, &str)], change: impl FnOnce(&mut Topology)) -> Network {
    network_of(&Models::QCN, settings, change)
}

/// The same of another scheme, with the keys of QCN.
fn network_of(models: &Models, settings: &[(&str, &str)], change: impl FnOnce(&mut Topology)) -> Network {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let keys = KEYS.iter().chain(ETHERNET).chain(BENCH).copied();
    let parameters = Parameters::new("qcn", keys, &settings).expect("the settings are accepted");
    let mut topology = Topology::dumbbell(&parameters);
    change(&mut topology);
    Network::new(models, &parameters, &topology)
}

/// What is counted.
fn counts(network: &Network) -> Vec<u64> {
    let at_output = |output: &Output| {
        [output.dequeued, output.bytes_out, output.dropped, output.samples, u64::from(output.queue_bytes())]
    };
    let of_flow = |number: usize| {
        let (sent, delivered) = network.packets_of(number);
        [sent, delivered, u64::from(network.rate(number).0)]
    };
    let outputs = network.outputs().iter().flat_map(at_output);
    outputs.chain((0..network.flows.len()).flat_map(of_flow)).chain([network.packets_on_links()]).collect()
}

/// What happens in pieces of 7001 cycles, and what is counted after each of them. `in_order` chooses the observer of
/// each.
fn observed(mut network: Network, in_order: fn(u64) -> bool) -> (Events, Vec<Vec<u64>>) {
    let (mut events, mut all) = (Events::new(), Vec::new());
    for piece in 1..600 {
        if in_order(piece) {
            network.run(piece * 7001, &mut Log::<true>(&mut events));
        } else {
            network.run(piece * 7001, &mut Log::<false>(&mut events));
        }
        all.push(counts(&network));
    }
    (events, all)
}

/// Whatever the order of events is, at each output and at each host the same happens.
fn agree(make: impl Fn() -> Network) -> Events {
    let (events, all) = observed(make(), |_| true);
    let orders: [fn(u64) -> bool; 3] = [|_| false, |piece| piece % 2 == 0, |piece| piece % 7 == 0];
    for order in orders {
        let (others, of_others) = observed(make(), order);
        assert!(events.keys().eq(others.keys()));
        for (place, here) in &events {
            let first = here.iter().zip(&others[place]).find(|(one, other)| one != other);
            assert!(here.len() == others[place].len() && first.is_none(), "{place:?}: {first:?}");
        }
        let first = all.iter().zip(&of_others).position(|(one, other)| one != other);
        assert!(first.is_none(), "piece {}: {all:?} and {of_others:?}", first.unwrap_or_default());
    }
    events
}

fn count(events: &Events, output: Option<u32>, wanted: impl Fn(&Event) -> bool) -> usize {
    let here = events.iter().filter(|((place, _), _)| *place == output);
    here.flat_map(|(_, events)| events).filter(|(.., event)| wanted(event)).count()
}

/// Behind the first of two outputs half of the flows end.
#[test]
fn the_order_of_departures_decides_nothing() {
    for (buffer_bytes, tx_fifo_bytes) in [("40000", "0"), ("300000", "0"), ("40000", "4096")] {
        let events = agree(|| {
            let settings = [("flows", "4"), ("buffer_bytes", buffer_bytes), ("tx_fifo_bytes", tx_fifo_bytes)];
            network(&settings, |topology| {
                let first = topology.outputs[0].clone();
                let slower = Rate(first.rate.0 / 10 * 4);
                topology.outputs.push(OutputSpec { rate: slower, congestion_point: Some(1), ..first });
                topology.flows.iter_mut().step_by(2).for_each(|flow| flow.path = vec![0, 1]);
            })
        });
        for output in [0, 1] {
            let left = count(&events, Some(output), |event| *event == Event::Dequeued);
            assert!(left > 500, "{left} packets left");
        }
    }
}

/// With a FIFO of four packets the length of the queue is what waits behind these, at a sample too, and the buffer is that
/// of the queue.
#[test]
fn a_fifo_behind_the_queue_is_not_counted() {
    let settings = [("flows", "4"), ("buffer_bytes", "20000"), ("q0_bytes", "9024"), ("tx_fifo_bytes", "4096")];
    let (events, _) = observed(network(&settings, |_| ()), |piece| piece % 2 == 0);
    let (mut empty, mut longest, mut samples) = (0, 0, 0);
    for (_, place, event) in &events[&(Some(0), 0)] {
        assert_eq!(place.register_bytes, place.queue_bytes.saturating_sub(4096));
        longest = longest.max(place.queue_bytes);
        empty += u32::from(place.register_bytes == 0 && place.queue_bytes > 0);
        if let Event::Sampled(q_offset, _) = event {
            assert_eq!(*q_offset, place.register_bytes as i32 - 9024);
            samples += 1;
        }
    }
    // 19 packets of 1024 bytes fit the buffer, and 4 the FIFO.
    assert_eq!(longest, 23 * 1024);
    assert!(empty > 5 && samples > 20, "{empty}, {samples}");
}

/// Several packets are on a link at a time, and its source has timers, ON times, an end of its packets, or gets pause
/// frames.
#[test]
fn the_order_of_starts_decides_nothing() {
    let settings = [
        ("flows", "5"),
        ("background_mbps", "200"),
        ("byte_cycle_bytes", "20000"),
        ("timer_us", "300"),
        ("sample_packets", "5"),
        ("q0_bytes", "20000"),
    ];
    for (delay, pause) in [(0, false), (0, true), (200, true), (5000, false), (5000, true)] {
        let delay_cycles = delay.to_string();
        let settings: Vec<_> = settings.into_iter().chain([("propagation_cycles", &delay_cycles[..])]).collect();
        let events = agree(|| {
            network(&settings, |topology| {
                topology.outputs[0].pause = pause.then_some(Pause { at_bytes: 40_000, resume_bytes: 30_000 });
                topology.flows[1].on_off = Some(OnOff { on: 30_000.0, off: 20_000.0, seed: 3 });
                topology.flows[2].packets = 300;
                topology.flows[3].stop = 2_000_000;
                topology.flows[5].on_off = Some(OnOff { on: 50_000.0, off: 9_000.0, seed: 4 });
            })
        });
        let left = count(&events, Some(0), |event| *event == Event::Dequeued);
        let feedback = count(&events, None, |event| matches!(event, Event::FeedbackReceived(_)));
        let rates = count(&events, None, |event| matches!(event, Event::Rate(_)));
        assert!(left > 3000 && feedback > 30 && rates > 200, "{left} packets, {feedback} feedbacks, {rates} rates");
    }
}

/// Delays of links change while packets and feedback are on them, and feedback has a latency.
#[test]
fn the_order_of_events_decides_nothing_while_delays_change() {
    let settings =
        [("flows", "4"), ("background_mbps", "200"), ("sample_packets", "5"), ("propagation_cycles", "2000")];
    let events = agree(|| {
        network(&settings, |topology| {
            let first = topology.outputs[0].clone();
            topology.outputs.push(OutputSpec { rate: Rate(first.rate.0 / 2), congestion_point: Some(1), ..first });
            topology.outputs[0].latency = Some(Latency { least: 0, most: 30_000, seed: 5 });
            topology.flows.iter_mut().step_by(2).for_each(|flow| flow.path = vec![0, 1]);
            topology.flows[1].on_off = Some(OnOff { on: 30_000.0, off: 20_000.0, seed: 3 });
            for (number, at) in (0..).zip((0..4_000_000).step_by(99_991)) {
                let link = if number % 6 == 5 { Link::Output(0) } else { Link::Flow(number % 6) };
                topology.delay_changes.push(DelayChange { at, link, delay: at / 7 % 25_000 });
            }
        })
    });
    let left = count(&events, Some(1), |event| *event == Event::Dequeued);
    let feedback = count(&events, None, |event| matches!(event, Event::FeedbackReceived(_)));
    assert!(left > 1500 && feedback > 100, "{left} packets, {feedback} feedbacks");
}

/// A piece of a run that ends in the cycle before a packet leaves, in this cycle, or in the one after.
#[test]
fn a_run_is_cut_at_a_departure() {
    const END: Cycles = 2_000_000;
    let cut = |at: &[Cycles]| {
        let (mut network, mut events) = (network(&[("flows", "4")], |_| ()), Events::new());
        at.iter().chain([&END]).for_each(|&end| network.run(end, &mut Log::<false>(&mut events)));
        (events, counts(&network))
    };
    let whole = cut(&[]);
    let events = whole.0[&(Some(0), 0)].iter();
    let left: Vec<_> = events.filter(|(.., event)| *event == Event::Dequeued).map(|&(at, ..)| at).collect();
    assert!(left.len() > 1000 && left.last().is_some_and(|&at| at + 2 < END), "{} packets left", left.len());
    for &at in [left[0], left[left.len() / 2]].iter().chain(&left[left.len() - 3..]) {
        for cuts in [&[at][..], &[at + 1], &[at + 2], &[at, at + 1, at + 2]] {
            assert!(cut(cuts) == whole, "{cuts:?}");
        }
    }
    // Before the end of the cycle the packet is in the queue, and then it has left.
    let left_by = |end| {
        let mut network = network(&[("flows", "4")], |_| ());
        network.run(end, &mut ());
        network.outputs()[0].dequeued
    };
    let at = left[left.len() - 1];
    assert_eq!([at, at + 1].map(left_by), [left.len() as u64 - 1, left.len() as u64]);
    // A packet is sent in the cycle in which it starts, 1024 cycles before it enters the queue.
    let sent_by = |end| {
        let mut network = network(&[("flows", "4")], |_| ());
        network.run(end, &mut ());
        network.packets_of(0).0
    };
    let mut of_first = whole.0[&(Some(0), 0)].iter().filter(|(_, place, _)| place.flow == 0);
    let entered = of_first.find(|(.., event)| *event == Event::Enqueued).expect("a packet enters the queue").0;
    let started = entered - 1024;
    assert_eq!([started, started + 1].map(sent_by), [0, 1]);
}

/// One flow after the other sends three packets beside four that fill the queue. A flow that starts while its link is stopped
/// waits, as one does that has got all pause frames. The work of a pause does not grow with the flows that are over or have
/// not started: there is no more to be done at a time with 600 than with 20.
#[test]
fn a_pause_concerns_the_flows_that_are_there() {
    const DELAY: Cycles = 3000;
    let make = |many: u64| {
        let settings = [("flows", "4"), ("q0_bytes", "20000"), ("propagation_cycles", "3000")];
        network(&settings, |topology| {
            topology.outputs[0].pause = Some(Pause { at_bytes: 40_000, resume_bytes: 30_000 });
            topology.outputs[0].buffer_bytes = 1 << 20;
            let short = topology.flows[0].clone();
            let one = |number| FlowSpec { start: 100_000 + 7001 * number, packets: 3, ..short.clone() };
            topology.flows.extend((0..many).map(one));
        })
    };
    let (mut few, mut many) = (make(20), make(600));
    let mut events = Events::new();
    few.run(4_800_000, &mut Log::<true>(&mut Events::new()));
    many.run(4_800_000, &mut Log::<true>(&mut events));
    let (in_few, in_many) = (few.agenda.most(), many.agenda.most());
    assert!(in_many < in_few + 2 * 600 + 50, "{in_few} and {in_many} items at a time");
    assert_eq!(many.outputs()[0].dropped, 0);
    assert!((0..604).all(|flow| flow < 4 || many.packets_of(flow) == (3, 3)), "all are sent");
    // When each link is stopped, from the queue alone: from a cycle and the delay behind a queue that is long until a cycle
    // and the delay behind one that is short again.
    let (mut stops, mut since) = (Vec::new(), None);
    for &(now, place, event) in &events[&(Some(0), 0)] {
        if !matches!(event, Event::Enqueued | Event::Dequeued) {
            continue;
        }
        match (since, place.queue_bytes) {
            (None, 40_000..) => since = Some(now),
            (Some(from), ..=30_000) => {
                stops.push(from + 1 + DELAY..now + 1 + DELAY);
                since = None;
            }
            _ => {}
        }
    }
    // Its packets arrive a packet time and the delay after they start; each other one as the link allows.
    let mut first = BTreeMap::new();
    for (now, place, _) in events[&(Some(0), 0)].iter().filter(|(.., event)| *event == Event::Enqueued) {
        first.entry(place.flow).or_insert(*now);
    }
    let mut waited = 0;
    for number in 0..600u32 {
        let start = 100_000 + 7001 * Cycles::from(number);
        let started = first[&(4 + number)] - DELAY - 1024;
        assert!(stops.iter().all(|stop| !stop.contains(&started)), "flow {number} starts in cycle {started}");
        match stops.iter().find(|stop| stop.contains(&start)) {
            Some(stop) => {
                assert!(
                    (stop.end..stop.end + 12).contains(&started),
                    "flow {number}: {started}, but free from {}",
                    stop.end
                );
                waited += 1;
            }
            None => assert!((start..start + 12).contains(&started), "flow {number} starts in {started}, not {start}"),
        }
    }
    assert!((100..500).contains(&waited), "{waited} flows wait");
}

/// A packet that is being sent when a pause frame arrives is sent to its end, but none begins in the cycle in which it
/// arrives.
#[test]
fn no_packet_begins_with_a_pause_frame() {
    const AT_BYTES: u32 = 10_000;
    const RESUME_BYTES: u32 = 5_000;
    let (mut pauses, mut with_departure) = (0, 0);
    // A pause frame arrives 2 delays and 2 cycles after the departure that causes it, and packets leave every 1024
    // cycles.
    for delay in 505..518 {
        let mut network = network(&[("flows", "1")], |topology| {
            topology.outputs[0].congestion_point = None;
            let first = topology.outputs[0].clone();
            let pause = Some(Pause { at_bytes: AT_BYTES, resume_bytes: RESUME_BYTES });
            topology.outputs.push(OutputSpec { rate: Rate(first.rate.0 / 2), pause, ..first });
            topology.outputs[0].delay = delay;
            topology.flows[0].path = vec![0, 1];
        });
        let mut events = Events::new();
        network.run(2_000_000, &mut Log::<true>(&mut events));
        let queue: BTreeMap<_, _> =
            events[&(Some(1), 0)].iter().map(|(at, place, _)| (at, place.queue_bytes)).collect();
        let (mut stops, mut frames) = (false, Vec::new());
        for (at, bytes) in queue {
            let now = if stops { bytes > RESUME_BYTES } else { bytes >= AT_BYTES };
            if std::mem::replace(&mut stops, now) != now {
                frames.push(at + 1 + delay);
            }
        }
        let left = events[&(Some(0), 0)].iter().filter(|(.., event)| *event == Event::Dequeued);
        let left: Vec<_> = left.map(|&(at, ..)| at).collect();
        for frame in frames.chunks_exact(2) {
            let departs = left.contains(&frame[0]);
            let after = left.iter().filter(|&&at| frame[0] < at && at <= frame[1]).count();
            assert!(
                after <= usize::from(!departs),
                "delay {delay}, pause in cycle {}: {after} packets leave",
                frame[0]
            );
            pauses += 1;
            with_departure += u32::from(departs);
        }
    }
    assert!(
        pauses > 500 && with_departure > 50,
        "{pauses} pauses, {with_departure} in a cycle in which a packet leaves"
    );
}
