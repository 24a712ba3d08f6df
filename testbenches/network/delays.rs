// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delays that change, against lists of all packets and all feedback frames.

use super::latency::{compare, microseconds};
use super::{LINE_RATE, conserved, parking_lot};
use tidegate::network::flow::Traffic;
use tidegate::network::topology::{DelayChange, Link, OnOff, Topology};
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::scheme::parameters::Parameters;
use tidegate::units::{Cycles, Rate};
use tidegate_testing::settings::{parameters, scheme};

/// The delay of a link in a cycle.
fn delay(topology: &Topology, link: Link, cycle: Cycles) -> Cycles {
    let first = match link {
        Link::Output(number) => topology.outputs[number as usize].delay,
        Link::Flow(number) => topology.flows[number as usize].delay,
    };
    let before = topology.delay_changes.iter().filter(|change| change.link == link && change.at <= cycle);
    // Of two in the same cycle the last one.
    before.max_by_key(|change| change.at).map_or(first, |change| change.delay)
}

/// When a feedback frame that comes to a link in a cycle is at its other end: not before any that came earlier.
pub fn back(topology: &Topology, link: Link, enters: Cycles) -> Cycles {
    let changes = topology.delay_changes.iter().filter(|change| change.link == link);
    let last_before = changes.filter(|change| 0 < change.at && change.at <= enters).map(|change| change.at - 1);
    let all = last_before.chain([enters]).map(|cycle| cycle + 1 + delay(topology, link, cycle));
    all.max().expect("there is one at least")
}

/// When packets leave output 0, and when they enter each queue.
#[derive(Default)]
struct Packets {
    left: Vec<Cycles>,
    entered: [Vec<Cycles>; 2],
}

impl Observer for Packets {
    const IN_ORDER: bool = false;

    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        match (event, place.output) {
            (Event::Dequeued, Some(0)) => self.left.push(now),
            (Event::Enqueued, Some(output @ (0 | 1))) => self.entered[output as usize].push(now),
            _ => {}
        }
    }
}

/// What happens to packets without feedback.
fn packets(parameters: &Parameters, topology: &Topology) -> Packets {
    let mut topology = topology.clone();
    topology.outputs.iter_mut().for_each(|output| output.congestion_point = None);
    let mut network = Network::new(&scheme("smcc").models(), parameters, &topology);
    let mut packets = Packets::default();
    for end in (0..=5_000_000).step_by(70_001) {
        network.run(end, &mut packets);
        conserved(&network, topology.flows.len());
    }
    packets
}

/// Changes of a link: longer, much shorter, shorter while packets still come behind those of before, to nothing, two in
/// one cycle.
fn changes(link: Link) -> Vec<DelayChange> {
    let all =
        [(500_000, 90_000), (1_000_000, 40_000), (1_030_000, 7_000), (2_000_000, 0), (3_000_000, 1), (3_000_000, 600)];
    all.map(|(at, delay)| DelayChange { at, link, delay }).to_vec()
}

/// Arrivals in the order in which packets go into a link, each with its delay, but behind the one in front of it.
fn in_order(topology: &Topology, link: Link, into: impl Iterator<Item = Cycles>, takes: Cycles) -> (Vec<Cycles>, u32) {
    let (mut last, mut pushed) = (0, 0);
    let arrives = into.map(|into| {
        let own = into + delay(topology, link, into);
        pushed += u32::from(own < last + takes);
        last = own.max(last + takes);
        last
    });
    (arrives.collect(), pushed)
}

#[test]
fn packets_on_a_link_between_switches_keep_their_order() {
    let parameters = parameters("smcc", &[]);
    let mut topology = parking_lot(&parameters);
    topology.flows.remove(3);
    // 80 % of the first link.
    topology.flows.iter_mut().for_each(|flow| flow.traffic = Traffic::Fixed(Rate(LINE_RATE.0 / 15 * 4)));
    topology.flows[2].stop = Cycles::MAX;
    topology.flows[2].path = vec![0, 1];
    topology.delay_changes = changes(Link::Output(0));
    let Packets { left, entered: [_, entered] } = packets(&parameters, &topology);
    // A packet leaves in the cycle before it is on the link. The line rate is a byte a cycle.
    let bytes = parameters.integer("packet_bytes") + u64::from(parameters.overhead());
    let (expected, pushed) = in_order(&topology, Link::Output(0), left.iter().copied(), bytes);
    let expected: Vec<_> = expected.into_iter().map(|arrives| arrives + 1).collect();
    assert!(entered.len() > 2500 && pushed > 100, "{} packets, {pushed} behind others", entered.len());
    assert_eq!(entered, expected[..entered.len()]);
}

#[test]
fn packets_on_the_link_of_a_source_keep_their_order() {
    let parameters = parameters("smcc", &[("flows", "1")]);
    let on_off = Some(OnOff { on: 60_000.0, off: 9_000.0, seed: 8 });
    let rate = Rate(LINE_RATE.0 / 2);
    for (traffic, on_off) in [
        (Traffic::Controlled, None),
        (Traffic::Controlled, on_off),
        (Traffic::Fixed(rate), None),
        (Traffic::Fixed(rate), on_off),
    ] {
        let mut topology = Topology::dumbbell(&parameters);
        let flow = &mut topology.flows[0];
        (flow.traffic, flow.on_off, flow.start_rate, flow.delay) = (traffic, on_off, Some(rate), 300);
        let Packets { entered: [constant, _], .. } = packets(&parameters, &topology);
        topology.delay_changes = changes(Link::Flow(0));
        let Packets { entered: [entered, _], .. } = packets(&parameters, &topology);
        // When a packet starts; one of a fixed rate is complete then.
        let bytes = parameters.integer("packet_bytes") + u64::from(parameters.overhead());
        let from_start = if traffic == Traffic::Controlled { bytes } else { 1 };
        let starts = constant.iter().map(|arrived| arrived - 300 - from_start);
        let (expected, pushed) = in_order(&topology, Link::Flow(0), starts, bytes);
        let expected: Vec<_> = expected.into_iter().map(|arrives| arrives + from_start).collect();
        assert!(entered.len() > 1500 && pushed > 40, "{} packets, {pushed} behind others", entered.len());
        assert_eq!(entered, expected[..entered.len()], "{traffic:?}, {on_off:?}");
    }
}

#[test]
fn feedback_goes_back_over_the_delays_of_its_time() {
    let parameters = parameters("dsm", &[("sample_mode", "packets"), ("sample_packets", "10")]);
    for latencies in [[None; 2], [microseconds(0, 30, 4), microseconds(20, 200, 5)]] {
        let mut topology = parking_lot(&parameters);
        topology.outputs.iter_mut().zip(latencies).for_each(|(output, latency)| output.latency = latency);
        topology.flows[3].start = 0;
        topology.delay_changes = [Link::Output(0), Link::Flow(0)].into_iter().flat_map(changes).collect();
        let taken = compare(&parameters, &topology);
        assert!(taken > 200, "{latencies:?}: {taken} frames are taken");
    }
}
