// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network simulator with more than one switch. `testbenches/dumbbell` compares it with circuits.

mod delays;
mod latency;

use tidegate::network::flow::Traffic;
use tidegate::network::topology::{FlowSpec, OnOff, OutputSpec, Pause, Topology};
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::scheme::parameters::Parameters;
use tidegate::units::{Cycles, Rate};
use tidegate_testing::settings::{parameters, scheme};

/// 1 Gb/s at 125 MHz.
const LINE_RATE: Rate = Rate(1 << 18);
/// Two seconds.
const PHASE: Cycles = 250_000_000;

/// Three switches in a row, as in Jiang 2015b, section 5.4: two controlled flows pass both links between them. A background
/// flow of 500 Mb/s loads the first link in the first phase, and another one the second link in the second phase.
fn parking_lot(parameters: &Parameters) -> Topology {
    let background = Rate(LINE_RATE.0 / 2);
    let packet_bytes = parameters.integer("packet_bytes") as u32;
    let flow = |traffic, start, stop, path: &[u32]| FlowSpec {
        traffic,
        packet_bytes,
        start,
        stop,
        packets: u64::MAX,
        on_off: None,
        start_rate: None,
        delay: 25,
        path: path.to_vec(),
    };
    let bottleneck = |number| OutputSpec {
        rate: LINE_RATE,
        delay: 25,
        buffer_bytes: parameters.integer("buffer_bytes") as u32,
        samples_dropped: false,
        pause: None,
        congestion_point: Some(number),
        latency: None,
    };
    let to_receiver = || OutputSpec { congestion_point: None, ..bottleneck(0) };
    Topology {
        outputs: vec![bottleneck(0), bottleneck(1), to_receiver(), to_receiver()],
        flows: vec![
            flow(Traffic::Controlled, 1100, Cycles::MAX, &[0, 1, 2]),
            flow(Traffic::Controlled, 1400, Cycles::MAX, &[0, 1, 3]),
            flow(Traffic::Fixed(background), 0, PHASE, &[0]),
            flow(Traffic::Fixed(background), PHASE, 2 * PHASE, &[1]),
        ],
        delay_changes: Vec::new(),
    }
}

/// Sums of the lengths of two queues over time, in bytes × cycles.
#[derive(Default, PartialEq, Debug)]
struct Lengths {
    since: [Cycles; 4],
    bytes: [u32; 4],
    sums: [u64; 4],
    events: u64,
    last: Cycles,
}

impl Lengths {
    /// Mean lengths of the queues from the last call to `now`.
    fn means(&mut self, now: Cycles, from: Cycles) -> [u64; 4] {
        (0..4).for_each(|output| self.advance(output, now));
        std::mem::take(&mut self.sums).map(|sum| sum / (now - from))
    }

    fn advance(&mut self, output: usize, now: Cycles) {
        self.sums[output] += (now - self.since[output]) * u64::from(self.bytes[output]);
        self.since[output] = now;
    }
}

impl Observer for Lengths {
    fn event(&mut self, now: Cycles, place: Place, _event: Event) {
        assert!(now >= self.last, "an event of cycle {now} after one of {}", self.last);
        self.last = now;
        self.events += 1;
        if let Some(output) = place.output {
            self.advance(output as usize, now);
            self.bytes[output as usize] = place.queue_bytes;
        }
    }
}

fn conserved(network: &Network, flows: usize) {
    let (sent, delivered) =
        (0..flows).map(|flow| network.packets_of(flow)).fold((0, 0), |sum, flow| (sum.0 + flow.0, sum.1 + flow.1));
    let dropped: u64 = network.outputs().iter().map(|output| output.dropped).sum();
    let waiting: u64 = network.outputs().iter().map(|output| output.waiting()).sum();
    assert_eq!(sent, delivered + dropped + waiting + network.packets_on_links(), "packets are lost or made");
}

#[test]
fn the_bottleneck_moves_and_no_packet_is_lost_unseen() {
    for (name, settings) in [("smcc", &[][..]), ("qcn", &[("byte_cycle_bytes", "30000")][..])] {
        let parameters = parameters(name, settings);
        let topology = parking_lot(&parameters);
        let mut network = Network::new(&scheme(name).models(), &parameters, &topology);
        let mut lengths = Lengths::default();
        // The second half of each phase.
        let mut phases = Vec::new();
        for phase in 0..2 {
            let (middle, end) = (phase * PHASE + PHASE / 2, (phase + 1) * PHASE);
            network.run(middle, &mut lengths);
            lengths.means(middle, 0);
            conserved(&network, 4);
            let out: Vec<u64> = network.outputs().iter().map(|output| output.bytes_out).collect();
            network.run(end, &mut lengths);
            conserved(&network, 4);
            let used = |output: usize| network.outputs()[output].bytes_out - out[output];
            phases.push((lengths.means(end, middle), [used(0), used(1)]));
        }
        println!("{name}: {phases:?}");
        for (phase, (means, used)) in phases.into_iter().enumerate() {
            let (bottleneck, other) = (phase, 1 - phase);
            assert!(means[bottleneck] > 10 * means[other], "{name}, phase {phase}: {means:?}");
            // Both carry the controlled flows, and the bottleneck half of its capacity of background traffic.
            let background = PHASE / 2 / 2;
            let more = used[bottleneck] - used[other];
            assert!(more.abs_diff(background) < background / 50, "{name}, phase {phase}: {used:?}");
        }
        let samples: Vec<u64> = network.outputs().iter().map(|output| output.samples).collect();
        assert!(samples[0] > 50 && samples[1] > 50 && samples[2..] == [0, 0], "{samples:?}");
    }
}

#[test]
fn a_run_in_pieces_is_the_same_run() {
    let parameters = parameters("smcc", &[("flows", "5"), ("background_mbps", "100")]);
    let run = |piece: Cycles| {
        let mut topology = Topology::dumbbell(&parameters);
        topology.flows[1].on_off = Some(OnOff { on: 30_000.0, off: 20_000.0, seed: 3 });
        topology.flows[5].on_off = Some(OnOff { on: 50_000.0, off: 2_000.0, seed: 4 });
        let mut network = Network::new(&scheme("smcc").models(), &parameters, &topology);
        let mut lengths = Lengths { sums: [0; 4], ..Lengths::default() };
        let end = 3_000_000;
        for from in (0..end).step_by(piece as usize) {
            network.run((from + piece).min(end), &mut lengths);
        }
        (lengths.means(end, 0), lengths.events, (0..6).map(|flow| network.packets_of(flow)).collect::<Vec<_>>())
    };
    let whole = run(3_000_000);
    assert!(whole.1 > 5_000, "{} events", whole.1);
    assert_eq!(run(777), whole);
    assert_eq!(run(40_000), whole);
}

/// The cycles in which packets of a flow arrive.
#[derive(Default)]
struct Arrivals(Vec<Cycles>);

impl Observer for Arrivals {
    fn event(&mut self, now: Cycles, _place: Place, event: Event) {
        if event == Event::Enqueued {
            self.0.push(now);
        }
    }
}

#[test]
fn a_flow_has_packets_in_its_on_times_only() {
    let parameters = parameters("qcn", &[("flows", "1")]);
    let (on, off, end) = (125_000.0, 375_000.0, 500_000_000);
    for traffic in [Traffic::Fixed(Rate(LINE_RATE.0 / 4)), Traffic::Controlled] {
        let mut topology = Topology::dumbbell(&parameters);
        topology.flows[0].traffic = traffic;
        topology.flows[0].on_off = Some(OnOff { on, off, seed: 5 });
        let mut network = Network::new(&scheme("qcn").models(), &parameters, &topology);
        let mut arrivals = Arrivals::default();
        network.run(end, &mut arrivals);
        // At a byte a cycle.
        let bytes = parameters.integer("packet_bytes") + u64::from(parameters.overhead());
        let period = if traffic == Traffic::Controlled { bytes } else { 4 * bytes };
        let gaps: Vec<Cycles> = arrivals.0.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // Within an ON time, packets follow each other at the rate of the flow.
        assert!(gaps.iter().all(|&gap| gap >= period - 1), "{traffic:?}");
        let pauses: Vec<Cycles> = gaps.into_iter().filter(|&gap| gap > 2 * period).collect();
        let all: u64 = pauses.iter().sum();
        let (count, mean) = (pauses.len() as f64, all as f64 / pauses.len() as f64);
        let cycle = on + off;
        assert!((count / (end as f64 / cycle) - 1.0).abs() < 0.1, "{traffic:?}: {count} OFF times");
        assert!((mean / off - 1.0).abs() < 0.1, "{traffic:?}: OFF times of {mean} cycles");
        let share = arrivals.0.len() as f64 * period as f64 / end as f64;
        assert!((share / (on / cycle) - 1.0).abs() < 0.1, "{traffic:?}: it sends {share} of the time");
    }
}

/// A queue that stops links at 64 KB, with room for what is on its way then.
const PAUSE: Pause = Pause { at_bytes: 65_536, resume_bytes: 32_768 };

#[test]
fn with_pause_frames_no_packet_is_dropped() {
    let settings = [("flows", "8"), ("background_mbps", "300"), ("propagation_cycles", "200")];
    for name in ["qcn", "smcc", "dsm"] {
        let parameters = parameters(name, &settings);
        let run = |pause| {
            let mut topology = Topology::dumbbell(&parameters);
            topology.outputs[0].pause = pause;
            let mut network = Network::new(&scheme(name).models(), &parameters, &topology);
            let mut lengths = Lengths::default();
            let mut means = Vec::new();
            for step in 1..=20 {
                network.run(step * 250_000, &mut lengths);
                conserved(&network, 9);
                means.push(lengths.means(step * 250_000, (step - 1) * 250_000)[0]);
            }
            let out = &network.outputs()[0];
            (out.dropped, out.bytes_out, means[0])
        };
        let (dropped, bytes_out, _) = run(None);
        assert!(dropped > 100, "{name}: {dropped} packets dropped without pause frames");
        let (with_pause, bytes_with_pause, mean) = run(Some(PAUSE));
        assert_eq!(with_pause, 0, "{name}");
        // Nothing is wasted, and at the start the queue stays where links are stopped.
        assert!(bytes_with_pause + bytes_out / 20 > bytes_out, "{name}: {bytes_with_pause} of {bytes_out} bytes");
        assert!((32_768..75_000).contains(&mean), "{name}: a mean of {mean} bytes at the start");
    }
}

#[test]
fn a_stopped_link_carries_nothing_and_the_next_switch_is_stopped_too() {
    let parameters = parameters("qcn", &[]);
    let mut topology = parking_lot(&parameters);
    // Without control: two flows at line rate that pass both links, the second of which has half the rate.
    topology.outputs.iter_mut().for_each(|output| (output.congestion_point, output.pause) = (None, Some(PAUSE)));
    topology.outputs[1].rate = Rate(LINE_RATE.0 / 2);
    topology.flows.truncate(2);
    // A victim shares the first link only.
    topology.flows.push(FlowSpec { path: vec![0, 3], ..topology.flows[0].clone() });
    let mut network = Network::new(&scheme("qcn").models(), &parameters, &topology);
    let (half, end) = (6_250_000, 12_500_000);
    network.run(half, &mut ());
    let before: Vec<u64> = (0..3).map(|flow| network.packets_of(flow).1).collect();
    network.run(end, &mut ());
    conserved(&network, 3);
    assert!(network.outputs().iter().all(|output| output.dropped == 0));
    let bytes = parameters.integer("packet_bytes");
    let rates: Vec<f64> =
        (0..3).map(|flow| ((network.packets_of(flow).1 - before[flow]) * bytes) as f64 / (end - half) as f64).collect();
    // The slow link is full, and the victim gets no more than each of the others: the first link stands still for it, too.
    assert!((rates[0] + rates[1] - 0.5).abs() < 0.02, "{rates:?}");
    assert!(rates[2] < 0.3, "{rates:?}");
}
