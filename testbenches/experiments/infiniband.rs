// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand scenarios: metrics against sums over all events, and mistakes with their place.

use tidegate::experiment::Experiment;
use tidegate::experiment::case::Wiring;
use tidegate::experiment::metric::{Metric, Scope, measure};
use tidegate::experiment::scenario::File;
use tidegate::network::infiniband::{Event, Network, Observer, Place};
use tidegate::units::Cycles;

/// Two remote flows, one of them not always there, and three local flows.
const SCENARIO: &str = r#"title = "two switches"
duration_s = 0.004
look_ms = 0.5
seeds = 2

[parameters]
clock_mhz = 250
packet_bytes = 2068
buffer_packets = 1
link_ns = 40

[[output]]
name = "root"
switch = "B"

[[output]]
name = "between"
switch = "A"
to = "B"

[[flow]]
name = "local"
count = 3
path = ["root"]

[[flow]]
name = "steady"
group = "remote"
path = ["between", "root"]
control = "continuous"

[[flow]]
name = "bursts"
group = "remote"
path = ["between", "root"]
on_ms = 0.1
off_ms = 0.1

[[variant]]
name = "FIMD"
scheme = "infiniband"
parameters = { response = "fimd" }
"#;

/// Sums over the events of a window.
struct Sums {
    window: [Cycles; 2],
    waiting: [u64; 2],
    since: [Cycles; 2],
    bytes: [f64; 2],
    left: [f64; 2],
    marked: [f64; 2],
    delivered: [f64; 5],
}

impl Sums {
    fn pass(&mut self, output: usize, now: Cycles) {
        let [from, to] = [self.since[output], now].map(|time| time.clamp(self.window[0], self.window[1]));
        self.bytes[output] += (self.waiting[output] * 2068 * (to - from)) as f64;
        self.since[output] = now;
    }
}

impl Observer for Sums {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        let within = f64::from(u8::from((self.window[0]..self.window[1]).contains(&now)));
        if let Some(output) = place.output.map(|output| output as usize) {
            self.pass(output, now);
            match event {
                Event::Entered => self.waiting[output] += 1,
                Event::Left(marked, _) => {
                    self.waiting[output] -= 1;
                    self.left[output] += within;
                    self.marked[output] += within * f64::from(u8::from(marked));
                }
                _ => {}
            }
        } else if let Event::Delivered(_) = event {
            self.delivered[place.flow as usize] += within;
        }
    }
}

#[test]
fn metrics_are_sums_over_events() {
    let claim = "[[claim]]\nid = \"c\"\nclaim = \"c\"\nmeasure = { metric = \"share_percent\", flow = \"remote\", \
                 window_s = [0.001, 0.003] }\nexpect = [0, 100]\nbound = \"any\"\n";
    let file = File::parse("t", "t", &format!("{SCENARIO}{claim}")).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let results = experiment.run(&|_, _| ()).unwrap();
    assert!(results.judged[0].measured.values[0] != results.judged[0].measured.values[1], "seeds differ");
    for (seed, outcome) in (1..).zip(&results.runs[0].outcomes) {
        let world = experiment.cases[0].world(seed).unwrap();
        let Wiring::InfiniBand(topology) = &world.wiring else { panic!("no InfiniBand network") };
        assert_eq!(topology.switches, [4, 2], "ports: three hosts and a link, two hosts");
        assert_eq!(topology.fabric.link, 10);
        let window = [250_000, 750_000];
        let mut sums = Sums {
            window,
            waiting: [0; 2],
            since: [0; 2],
            bytes: [0.0; 2],
            left: [0.0; 2],
            marked: [0.0; 2],
            delivered: [0.0; 5],
        };
        Network::of_models(&world.parameters, topology).run(1_000_000, &mut sums);
        (0..2).for_each(|output| sums.pass(output, 1_000_000));
        let cycles = (window[1] - window[0]) as f64;
        for output in 0..2 {
            let scope = |flow| Scope { output, flow, from: 2, to: 6, between: [0, 0] };
            let expected = [
                (Metric::QueueMeanKb, 0, sums.bytes[output] / cycles / 1024.0),
                (Metric::UtilisationPercent, 0, 100.0 * sums.left[output] * 2068.0 / (4.0 * cycles)),
                (Metric::FeedbackPerS, 0, sums.marked[output] / 0.002),
                (Metric::DroppedPackets, 0, 0.0),
                (Metric::SharePercent, 0, 25.0 * sums.delivered[..3].iter().sum::<f64>() * 2068.0 / cycles),
                (Metric::SharePercent, 1, 25.0 * sums.delivered[3..].iter().sum::<f64>() * 2068.0 / cycles),
                (Metric::ThroughputMbps, 4, sums.delivered[4] * 8.0 * 2068.0 / 2000.0),
            ];
            for (metric, flow, expected) in expected {
                let found = measure(outcome, metric, scope(flow));
                assert!((found - expected).abs() < 1e-6, "{metric:?} of output {output}: {found}, not {expected}");
            }
        }
        assert!(sums.marked[0] > 10.0, "{} marks", sums.marked[0]);
        assert!(sums.delivered.iter().all(|&packets| packets > 0.0), "{:?}", sums.delivered);
        assert_eq!(outcome.controlled, [0, 1, 2, 3, 4]);
    }
}

#[test]
fn mistakes_are_named() {
    for (was, is, message) in [
        ("switch = \"B\"", "rate_mbps = 1000", "`rate_mbps` is no field of an output of an InfiniBand network"),
        ("switch = \"B\"", "feedback_us = 1", "`feedback_us` is no field of an output of an InfiniBand network"),
        ("switch = \"B\"", "feedback_within_us = [1, 2]", "`feedback_within_us` is no field of an output"),
        ("switch = \"B\"\n", "", "expected the switch of this output"),
        ("to = \"B\"", "to = \"C\"", "no switch `C`: expected one of B, A"),
        ("path = [\"root\"]", "path = [\"between\"]", "its path goes on after `between`"),
        ("path = [\"between\", \"root\"]", "path = [\"root\", \"between\"]", "its path goes on after `root`"),
        ("count = 3", "count = 3\ndelay_us = 1", "`delay_us` is no field of a flow of an InfiniBand network"),
        ("\"continuous\"", "\"fixed\"", "expected `rate_mbps` beside it"),
        ("\"continuous\"", "\"window\"\nrate_mbps = 10", "expected no rate beside this `control`"),
        ("count = 3", "rate_mbps = 8001", "up to the line rate"),
        ("on_ms = 0.1", "on_ms = 0", "expected a mean length above 0"),
        ("link_ns = 40", "link_ns = -1", "link_ns"),
        ("link_ns = 40", "linkns = 40", "infiniband has no such parameter"),
        ("link_ns = 40", "ports = 4", "use [[output]] and [[flow]]"),
        ("scheme = \"infiniband\"\nparameters = { response = \"fimd\" }", "scheme = \"qcn\"", "of an Ethernet network"),
        (
            "\n[[variant]]",
            "\n[[change]]\nat_s = 0.001\nparameters = {}\n[[variant]]",
            "nothing of an InfiniBand network changes",
        ),
    ] {
        assert!(SCENARIO.contains(was), "{was}");
        let text = SCENARIO.replacen(was, is, 1);
        let error = match File::parse("broken.toml", "broken", &text) {
            Ok(file) => format!("{:#}", Experiment::new(&file).err().unwrap_or_else(|| panic!("{is}: it is accepted"))),
            Err(error) => format!("{error:#}"),
        };
        assert!(error.starts_with("broken.toml:") && error.contains(message), "{is}: {error}");
    }
}
