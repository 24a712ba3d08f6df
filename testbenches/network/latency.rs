// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback frames whose latency varies, against a list that says of each frame when it leaves, arrives and is taken.

use super::delays::back;
use super::{conserved, parking_lot};
use tidegate::model::Fields;
use tidegate::model::congestion_point::POP_LATENCY;
use tidegate::model::random::Random;
use tidegate::model::wire::FRAME_WORDS;
use tidegate::network::topology::{Latency, Link, Topology};
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::scheme::parameters::Parameters;
use tidegate::schemes::dsm::model::STEP_LATENCY;
use tidegate::units::Cycles;
use tidegate_testing::settings::{parameters, scheme};

const END: Cycles = 12_500_000;

/// A feedback frame that a congestion point makes.
struct Made {
    /// The cycle of its first word.
    at: Cycles,
    output: u32,
    flow: u32,
    fields: Fields,
}

/// What each calculator takes, and when.
type Taken = Vec<Vec<(Cycles, Fields)>>;

/// What an observer sees of feedback.
struct Seen {
    made: Vec<Made>,
    taken: Taken,
}

impl Observer for Seen {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        match (event, place.output) {
            (Event::FeedbackSent(payload), Some(output)) => {
                self.made.push(Made { at: now, output, flow: place.flow, fields: payload.into() });
            }
            (Event::FeedbackReceived(payload), None) => self.taken[place.flow as usize].push((now, payload.into())),
            _ => {}
        }
    }
}

/// What an observer sees of a run.
fn seen(parameters: &Parameters, topology: &Topology) -> Seen {
    let mut network = Network::new(&scheme("dsm").models(), parameters, topology);
    let mut seen = Seen { made: Vec::new(), taken: vec![Vec::new(); topology.flows.len()] };
    network.run(END, &mut seen);
    conserved(&network, topology.flows.len());
    seen
}

/// When each frame leaves its switch: behind the one in front of it of the same output.
fn leaves(topology: &Topology, made: &[Made]) -> Vec<Cycles> {
    let mut draws: Vec<_> =
        topology.outputs.iter().map(|output| output.latency.map(|latency| Random::new(latency.seed))).collect();
    let mut free = vec![0; topology.outputs.len()];
    let leaves = |frame: &Made| {
        let output = frame.output as usize;
        let drawn = match (topology.outputs[output].latency, &mut draws[output]) {
            (Some(Latency { least, most, .. }), Some(random)) => {
                least + (random.fraction() * (most + 1 - least) as f64).floor() as Cycles
            }
            _ => 0,
        };
        let leaves = free[output].max(frame.at + FRAME_WORDS as Cycles - 1 + drawn);
        free[output] = leaves + FRAME_WORDS as Cycles - 1 + POP_LATENCY;
        leaves
    };
    made.iter().map(leaves).collect()
}

/// What the calculators take before the end.
fn expected(topology: &Topology, made: &[Made]) -> Taken {
    let mut arrivals = vec![Vec::new(); topology.flows.len()];
    for (frame, leaves) in made.iter().zip(leaves(topology, made)) {
        let before = topology.flows[frame.flow as usize].path.iter().take_while(|&&output| output != frame.output);
        let links = before.map(|&output| Link::Output(output)).collect::<Vec<_>>();
        let links = links.into_iter().rev().chain([Link::Flow(frame.flow)]);
        let arrives = links.fold(leaves, |enters, link| back(topology, link, enters));
        arrivals[frame.flow as usize].push((arrives, frame.fields));
    }
    let taken = |mut arrivals: Vec<(Cycles, Fields)>| {
        arrivals.sort_by_key(|&(arrives, _)| arrives);
        let (mut free, mut last_taken) = (0, 0);
        let read = |(arrives, fields): (Cycles, Fields)| {
            let first_word = free.max(arrives);
            let last_word = first_word + FRAME_WORDS as Cycles - 1;
            free = last_word + 1;
            // The parser drops it if another one waits when its second word comes.
            (last_taken <= first_word + 1).then(|| {
                // It is judged, shown, and taken.
                last_taken = last_word + 2 + STEP_LATENCY.taken;
                (last_taken, fields)
            })
        };
        arrivals.into_iter().filter_map(read).filter(|&(taken, _)| taken < END).collect()
    };
    arrivals.into_iter().map(taken).collect()
}

/// Compares a run with the list. Returns how many frames are taken.
pub fn compare(parameters: &Parameters, topology: &Topology) -> usize {
    let seen = seen(parameters, topology);
    let expected = expected(topology, &seen.made);
    for (flow, (found, wanted)) in seen.taken.iter().zip(&expected).enumerate() {
        let first = found.iter().zip(wanted).find(|(found, wanted)| found != wanted);
        assert!(first.is_none(), "flow {flow}: found and expected {first:?}");
        assert_eq!(found.len(), wanted.len(), "flow {flow}");
    }
    expected.iter().map(Vec::len).sum()
}

/// Latencies in µs.
pub fn microseconds(from: u64, to: u64, seed: u64) -> Option<Latency> {
    Some(Latency { least: from * 125, most: to * 125, seed })
}

const SETTINGS: [(&str, &str); 4] =
    [("flows", "5"), ("propagation_cycles", "2500"), ("sample_mode", "packets"), ("sample_packets", "10")];

#[test]
fn each_frame_is_taken_when_the_list_says() {
    let parameters = parameters("dsm", &SETTINGS);
    for latency in [None, microseconds(0, 0, 1), microseconds(40, 40, 1), microseconds(100, 500, 2)] {
        let mut topology = Topology::dumbbell(&parameters);
        topology.flows.iter_mut().zip(0..).for_each(|(flow, number)| flow.delay += 700 * number);
        topology.outputs[0].latency = latency;
        let taken = compare(&parameters, &topology);
        assert!(taken > 500, "{latency:?}: {taken} frames are taken");
    }
}

/// Frames of the far congestion point are made before those of the near one that arrive before them.
#[test]
fn frames_of_two_congestion_points_arrive_in_the_order_of_their_arrivals() {
    let parameters = parameters("dsm", &[("sample_mode", "packets"), ("sample_packets", "10")]);
    for latencies in [[None; 2], [microseconds(0, 30, 4), microseconds(20, 200, 5)]] {
        let mut topology = parking_lot(&parameters);
        topology.outputs.iter_mut().zip(latencies).for_each(|(output, latency)| output.latency = latency);
        topology.outputs[0].delay = 12_500;
        // The first link is full with the two flows, and a background flow shares the second one.
        topology.flows[3].start = 0;
        let taken = compare(&parameters, &topology);
        assert!(taken > 200, "{latencies:?}: {taken} frames are taken");
    }
}

#[test]
fn latencies_are_in_their_range_and_keep_the_order() {
    let parameters = parameters("dsm", &SETTINGS);
    let mut topology = Topology::dumbbell(&parameters);
    let run = |topology: &Topology| {
        let Seen { made, taken } = seen(&parameters, topology);
        let mut next = vec![0; taken.len()];
        let latency = |frame: &Made| {
            let flow = frame.flow as usize;
            let (cycle, fields) = *taken[flow].get(next[flow])?;
            next[flow] += 1;
            assert_eq!(fields, frame.fields);
            let without = FRAME_WORDS as Cycles + 2500 + FRAME_WORDS as Cycles - 1 + 2 + STEP_LATENCY.taken;
            Some((frame.at, cycle - frame.at - without))
        };
        made.iter().map_while(latency).collect::<Vec<_>>()
    };
    topology.outputs[0].latency = microseconds(100, 500, 2);
    let latencies = run(&topology);
    assert!(latencies.len() > 500, "{} frames", latencies.len());
    // A frame that follows others at once is a few cycles later.
    let most = 500 * 125 + 100;
    assert!(latencies.iter().all(|(_, latency)| (100 * 125..=most).contains(latency)), "{latencies:?}");
    let short = latencies.iter().filter(|(_, latency)| *latency < 300 * 125).count();
    let long = latencies.len() - short;
    assert!(short > 50 && long > 100, "{short} short ones, {long} long ones");
    for pair in latencies.windows(2) {
        let [before, after] = [pair[0], pair[1]].map(|(made, latency)| made + latency);
        assert!(before < after, "{pair:?}");
    }
    assert_eq!(run(&topology), latencies, "the same seed");
    topology.outputs[0].latency = microseconds(100, 500, 3);
    assert_ne!(run(&topology), latencies, "another seed");
}
