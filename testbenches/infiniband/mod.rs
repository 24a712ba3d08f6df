// SPDX-License-Identifier: MIT OR Apache-2.0
//! The InfiniBand network: with circuits as devices it does what it does with models, event for event. And what a network
//! must do whatever the devices are: no packet lost, no credit lost, times that one can compute by hand.

mod circuits;

use circuits::{Source, Switch};
use tidegate::network::infiniband::topology::{Fabric, FlowSpec, KEYS, OutputSpec, Topology, Traffic};
use tidegate::network::infiniband::{Event, Network, Observer, Place};
use tidegate::network::topology::OnOff;
use tidegate::registry::find;
use tidegate::scheme::parameters::Parameters;
use tidegate::schemes::infiniband::rule::Counters;
use tidegate::units::Cycles;

/// Cycles of a millisecond at 250 MHz.
const MS: Cycles = 250_000;

/// 250 MHz, so that the times of the paper are whole cycles.
fn parameters(settings: &[(&str, &str)]) -> Parameters {
    let given = [("clock_mhz", "250"), ("packet_bytes", "2068"), ("ports", "8")];
    let all: Vec<_> = given.iter().chain(settings).map(|(key, value)| (key.to_string(), value.to_string())).collect();
    find("infiniband").unwrap().parameters(&all).unwrap()
}

fn fabric(parameters: &Parameters, settings: &[(&str, &str)]) -> Fabric {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Fabric::new(parameters, &Parameters::new("infiniband", KEYS.iter().copied(), &settings).unwrap())
}

/// Figure 1 of the paper: remote flows and the victim at the inputs of switch A, whose output 0 leads to input 0 of switch
/// B; local flows at the other inputs of B. Output 0 of B is the root, output 1 leads to the receiver of the victim.
fn figure_1(fabric: Fabric, local: u32, remote: u32, ports: usize, mut flow: impl FnMut(u32) -> Traffic) -> Topology {
    let mut next = 0;
    let mut of = |at: (u32, u32), path: &[u32]| {
        next += 1;
        let start = 1 + 137 * Cycles::from(next);
        let traffic = flow(next - 1);
        FlowSpec { traffic, at, path: path.to_vec(), start, stop: Cycles::MAX, on_off: None }
    };
    let mut flows: Vec<_> = (0..local).map(|number| of((1, number + 1), &[1])).collect();
    flows.extend((0..remote).map(|number| of((0, number), &[0, 1])));
    flows.push(of((0, remote), &[0, 2]));
    let output = |switch, port, to| OutputSpec { switch, port, to };
    let outputs = vec![output(0, 0, Some((1, 0))), output(1, 0, None), output(1, 1, None)];
    Topology { fabric, switches: vec![ports; 2], outputs, flows }
}

/// All events; the counters only where circuits show them.
#[derive(Default)]
struct Log {
    events: Vec<(Cycles, Place, Event)>,
    without_counters: bool,
}

impl Observer for Log {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        let event = match event {
            Event::Left(marked, _) if self.without_counters => Event::Left(marked, Counters::default()),
            event => event,
        };
        self.events.push((now, place, event));
    }
}

/// The events of a network with models and of one with circuits, until the end.
fn both(parameters: &Parameters, topology: &Topology, end: Cycles) -> [Vec<(Cycles, Place, Event)>; 2] {
    let without_counters = parameters.choice("marking") == "naive";
    let [mut of_models, mut of_circuits] = [(); 2].map(|()| Log { without_counters, ..Log::default() });
    let mut models = Network::of_models(parameters, topology);
    models.run(end, &mut of_models);
    models.check();
    let mut circuits = Network::new(parameters, topology, Switch::maker(parameters), Source::maker(parameters));
    circuits.run(end, &mut of_circuits);
    circuits.check();
    [of_models.events, of_circuits.events]
}

fn agree(settings: &[(&str, &str)], ms: Cycles) {
    let parameters = parameters(settings);
    let fabric = fabric(&parameters, &[]);
    let mut topology = figure_1(fabric, 3, 3, 8, |_| Traffic::Controlled);
    // One local and one remote flow come and go.
    for flow in [0, 3] {
        topology.flows[flow].on_off = Some(OnOff { on: 20_000.0, off: 20_000.0, seed: flow as u64 });
    }
    let [models, circuits] = both(&parameters, &topology, ms * MS);
    if let Some(at) = models.iter().zip(&circuits).position(|(model, circuit)| model != circuit) {
        panic!("{settings:?}, event {at}:\nmodel   {:?}\ncircuit {:?}", models[at], circuits[at]);
    }
    assert_eq!(models.len(), circuits.len(), "{settings:?}");
    let count = |wanted: &dyn Fn(&Event) -> bool| models.iter().filter(|(.., event)| wanted(event)).count() as u64;
    let marks = count(&|event| matches!(event, Event::Left(true, _)));
    let delays = count(&|event| matches!(event, Event::Delay(_)));
    println!("infiniband {settings:?}: {} cycles, {} events are the same", ms * MS, models.len());
    println!("  {marks} packets marked, {delays} new delays");
    assert!(models.len() as u64 > 2_000 * ms && marks > 10 * ms && delays > 10 * ms, "{marks} marks, {delays} delays");
}

#[test]
fn circuits_do_what_models_do_with_lipd() {
    agree(&[("response", "lipd")], 2);
}

#[test]
fn circuits_do_what_models_do_with_fimd() {
    agree(&[("response", "fimd")], 2);
}

#[test]
fn circuits_do_what_models_do_with_aimd_and_persistent_state() {
    // With 32 rates it recovers fast enough to be marked often.
    agree(&[("response", "aimd"), ("rate_steps", "32"), ("persistent", "true")], 2);
}

#[test]
fn circuits_do_what_models_do_with_naive_marking() {
    agree(&[("marking", "naive")], 2);
}

#[test]
fn circuits_do_what_models_do_where_headers_make_a_buffer_full() {
    agree(&[("full_when", "header")], 1);
    agree(&[("full_when", "header"), ("marking", "naive")], 1);
}

#[test]
#[ignore = "long: 25 ms of each response"]
fn circuits_do_what_models_do_for_long() {
    agree(&[("response", "lipd")], 25);
    agree(&[("response", "fimd")], 25);
    agree(&[("response", "aimd"), ("rate_steps", "32"), ("persistent", "true")], 25);
    // With LIPD most of the marks come in the first milliseconds.
    agree(&[("marking", "naive"), ("response", "aimd"), ("rate_steps", "32")], 25);
}

/// The only flow of a network that ends with a first packet.
fn events_of_one(traffic: Traffic, end: Cycles) -> (Fabric, Vec<(Cycles, Place, Event)>) {
    let parameters = parameters(&[]);
    let fabric = fabric(&parameters, &[]);
    let mut topology = figure_1(fabric, 0, 1, 8, |_| traffic);
    topology.flows.truncate(1);
    let mut log = Log::default();
    let mut network = Network::of_models(&parameters, &topology);
    network.run(end, &mut log);
    network.check();
    (fabric, log.events)
}

#[test]
fn the_times_of_one_packet_are_those_of_the_paper() {
    let (fabric, events) = events_of_one(Traffic::Controlled, 3000);
    // 2.068 µs, 20 ns, 40 ns, 20 ns at 250 MHz.
    assert_eq!((fabric.packet, fabric.header, fabric.forwarding, fabric.link, fabric.ack), (517, 5, 10, 5, 5));
    let times = |wanted: &dyn Fn(&Event) -> bool| -> Vec<Cycles> {
        events.iter().filter(|(.., event)| wanted(event)).map(|&(now, ..)| now).collect()
    };
    let sent = times(&|event| *event == Event::Sent)[0];
    let left = times(&|event| matches!(event, Event::Left(..)));
    // Cut-through: two links and two switches later the first byte leaves B, and a packet time later the last one.
    assert_eq!(left[..2], [sent + 5 + 10, sent + 2 * (5 + 10)]);
    assert_eq!(times(&|event| matches!(event, Event::Delivered(_)))[0], sent + 2 * 15 + 5 + 517);
    let acknowledged = times(&|event| matches!(event, Event::Acknowledged(_)))[0];
    assert_eq!(acknowledged, sent + 2 * 15 + 5 + 517 + 5 + 3 * 5 + 2 * 10);
    // The circuit needs six cycles from the ACK to the next packet.
    assert_eq!(times(&|event| *event == Event::Sent)[1], acknowledged + 6);
}

#[test]
fn a_window_of_two_fills_the_link_and_one_of_one_does_not() {
    for (window, least, most) in [(1, 0.85, 0.92), (2, 0.999, 1.0), (u32::MAX, 0.999, 1.0)] {
        let (fabric, events) = events_of_one(Traffic::Window(window), 4 * MS);
        let delivered = events.iter().filter(|(.., event)| matches!(event, Event::Delivered(_))).count();
        let share = (delivered as Cycles * fabric.packet) as f64 / (4 * MS) as f64;
        assert!((least..=most).contains(&share), "window {window}: {share}");
    }
}

#[test]
fn fixed_rates_are_exact() {
    let (_, events) = events_of_one(Traffic::Fixed(10.0), 4 * MS);
    let sent: Vec<_> = events.iter().filter(|(.., event)| *event == Event::Sent).map(|&(now, ..)| now).collect();
    assert!(sent.len() > 190 && sent.windows(2).all(|pair| pair[1] - pair[0] == 5170), "{sent:?}");
}

/// Without control, buffers are full nearly always, and no packet and no credit is lost; `check` looks at the sums.
#[test]
fn nothing_is_lost_however_small_buffers_are() {
    for buffer in ["1", "2", "4", "15"] {
        for (queue_of, limit) in [("input", "4"), ("switch", "4"), ("input", "0"), ("switch", "1000000")] {
            for window in [1, 2, u32::MAX] {
                let parameters = parameters(&[("buffer_packets", buffer)]);
                let fabric = fabric(&parameters, &[("queue_of", queue_of), ("bypass_limit", limit)]);
                let topology = figure_1(fabric, 5, 3, 8, |flow| match flow % 3 {
                    0 => Traffic::Window(window),
                    1 => Traffic::Controlled,
                    _ => Traffic::Continuous,
                });
                let mut network = Network::of_models(&parameters, &topology);
                for end in 1..40 {
                    network.run(end * 25_013, &mut ());
                    network.check();
                }
                let delivered: u64 = (0..9).map(|flow| network.packets_of(flow).1).sum();
                let most = 39 * 25_013 / fabric.packet;
                assert!(
                    delivered > most / 2,
                    "{delivered} of {most} packets: {buffer} slots, {queue_of}, {limit}, {window}"
                );
                assert!((0..9).all(|flow| network.packets_of(flow).1 > 0), "a flow starves");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_on_times_have_their_mean() {
    let parameters = parameters(&[("response", "fimd")]);
    let run = |seed: u64| {
        let mut topology = figure_1(fabric(&parameters, &[]), 3, 3, 8, |_| Traffic::Controlled);
        for (number, flow) in (0..).zip(&mut topology.flows) {
            flow.on_off = Some(OnOff { on: 10_000.0, off: 10_000.0, seed: seed + number });
        }
        let mut log = Log::default();
        Network::of_models(&parameters, &topology).run(2 * MS, &mut log);
        log.events
    };
    assert!(run(1) == run(1) && run(1) != run(100));
    // A single flow that comes and goes is ON half the time.
    let mut topology = figure_1(fabric(&parameters, &[]), 1, 0, 8, |_| Traffic::Window(u32::MAX));
    topology.flows.truncate(1);
    topology.flows[0].on_off = Some(OnOff { on: 50_000.0, off: 50_000.0, seed: 7 });
    let mut network = Network::of_models(&parameters, &topology);
    let end = 400 * MS;
    network.run(end, &mut ());
    let share = (network.packets_of(0).0 * 517) as f64 / end as f64;
    assert!((share - 0.5).abs() < 0.05, "{share}");
}
