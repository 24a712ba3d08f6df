// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sampler's circuit against the model, cycle by cycle.

use tidegate::rtl::congestion_point::sampler::Sampler as Circuit;
use tidegate::scheme::jitter::JitterParameters;
use tidegate::scheme::sampler::{SampleMode, Sampler, sample_mode, sampling};
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::settings::{Accepted, scheme, sets, settings};
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing};

const MODES: [SampleMode; 3] = [SampleMode::Packets, SampleMode::Bytes, SampleMode::Time];

struct Bench {
    clocked: Clocked<Circuit>,
    model: Sampler,
    now: u64,
    samples: u64,
    /// At the port of the length in a cycle without a packet.
    no_packet: u32,
}

impl Bench {
    fn new(mode: SampleMode, bounds: JitterParameters, seed: u16) -> Self {
        let mut clocked = Clocked::<Circuit>::new(&|name| match name {
            "sample_mode" => mode as u64,
            "seed" => seed.into(),
            other => panic!("no value for `{other}`"),
        });
        // The interval must be valid before the reset ends, as it is at the output of a feedback block.
        clocked.circuit.interval_low.next = u64::from(bounds.low).into();
        clocked.circuit.interval_span.next = u64::from(bounds.span).into();
        clocked.circuit.reset.next = true;
        clocked.edge();
        clocked.circuit.reset.next = false;
        Bench { clocked, model: Sampler::new(mode, bounds, seed), now: 0, samples: 0, no_packet: 0xff_ffff }
    }

    fn cycle(&mut self, packet: Option<u32>) {
        let expected = packet.is_some_and(|bytes| self.model.packet(self.now, bytes));
        self.expects(packet, expected);
    }

    /// A cycle from which on another mode counts.
    fn changes_to(&mut self, mode: SampleMode, packet: Option<u32>) {
        self.clocked.circuit.sample_mode.next = (mode as u64).into();
        let bytes = packet.unwrap_or(self.no_packet);
        let expected = self.model.set_mode(self.now, mode, packet.is_some(), bytes);
        self.expects(packet, expected);
    }

    fn set_interval(&mut self, bounds: JitterParameters) {
        self.model.set_interval(self.now, bounds);
        self.clocked.circuit.interval_low.next = u64::from(bounds.low).into();
        self.clocked.circuit.interval_span.next = u64::from(bounds.span).into();
    }

    fn expects(&mut self, packet: Option<u32>, expected: bool) {
        let circuit = &mut self.clocked.circuit;
        circuit.enqueue.next = packet.is_some();
        circuit.enqueue_bytes.next = u64::from(packet.unwrap_or(self.no_packet)).into();
        self.clocked.settle();
        assert_eq!(self.clocked.circuit.sample.val(), expected, "cycle {}: packet of {packet:?}", self.now);
        self.samples += u64::from(expected);
        self.clocked.edge();
        self.now += 1;
    }
}

#[test]
fn samples_as_the_model_does() {
    let mut samples = [0; 3];
    let mut random = Random::new(1);
    // By time once more, with periods of few packets: most of those drawn at random are longer than a run.
    let short = [("sample_mode", "time"), ("sample_packets", "2")];
    let by_time = sets("qcn", 300).into_iter().filter_map(|set| {
        let settings = [set.settings, settings(&short)].concat();
        Some(Accepted { parameters: scheme("qcn").parameters(&settings).ok()?, settings })
    });
    for set in sets("qcn", 300).into_iter().chain(by_time) {
        let seed = set.parameters.integer("seed") as u16;
        let mode = sample_mode(&set.parameters);
        let pattern = random.pick(&PATTERNS);
        let mut bench = Bench::new(mode, sampling(&set.parameters)[0], seed);
        let mut arrivals = Willing::new(pattern);
        for _ in 0..5000 {
            let any = random.bus(24) as u32;
            let bytes = random.pick(&[any, 60, 1024]);
            bench.cycle(arrivals.next(&mut random).then_some(bytes));
        }
        samples[mode as usize] += bench.samples;
    }
    assert!(samples.iter().all(|&samples| samples > 1000), "{samples:?} samples by mode");
}

/// Intervals short enough that many end, at every jitter and in every pattern of arrivals.
#[test]
fn short_intervals() {
    let mut random = Random::new(2);
    for mode in MODES {
        for percent in [0, 1, 15, 50] {
            for pattern in PATTERNS {
                // By time no shorter period is accepted.
                let shortest = if mode == SampleMode::Time { 16 } else { 1 };
                let nominal = random.pick(&[1, 2, 3, 7, 100, 255, 256]).max(shortest);
                let bounds = JitterParameters::around(nominal, percent);
                let mut bench = Bench::new(mode, bounds, random.between(1, 65535) as u16);
                let mut arrivals = Willing::new(pattern);
                for _ in 0..4000 {
                    let bytes = 1 + random.below(u64::from(nominal)) as u32;
                    bench.cycle(arrivals.next(&mut random).then_some(bytes));
                }
                assert!(bench.samples > 0, "{mode:?} {nominal} ± {percent} % {pattern:?}: no sample");
            }
        }
    }
}

/// 802.1Q changes the interval with each feedback, in the middle of an interval too.
#[test]
fn intervals_that_change_under_way() {
    let mut random = Random::new(3);
    let lengths = [150_000, 75_000, 18_500, 64, 1 << 23];
    for (mode, percent, lengths) in [
        (SampleMode::Bytes, 0, lengths),
        (SampleMode::Bytes, 15, lengths),
        (SampleMode::Bytes, 50, lengths),
        (SampleMode::Packets, 50, [1, 2, 30, 99, 4]),
        (SampleMode::Time, 50, [16, 33, 64, 20, 1000]),
    ] {
        let rows = lengths.map(|row| JitterParameters::around(row, percent));
        let mut bench = Bench::new(mode, rows[0], 77);
        for _ in 0..20_000 {
            if random.chance(3) {
                bench.set_interval(random.pick(&rows));
            }
            let bytes = random.pick(&[60, 1024, 16_255, 0xff_ffff]);
            bench.cycle(random.chance(70).then_some(bytes));
        }
        assert!(bench.samples > 100);
    }
}

/// Software changes the mode, also while nearly as much was counted as fits 24 bits, while the interval, which has become
/// shorter, is less than what was counted, and while it is one more.
#[test]
fn modes_that_change_under_way() {
    let mut random = Random::new(5);
    let long = JitterParameters { low: 0xff_fff0, span: 0 };
    let [usual, short] = [(1000, 50), (8, 0)].map(|(nominal, percent)| JitterParameters::around(nominal, percent));
    for (intervals, lengths) in [
        ([usual, usual], [0, 1, 60, 1024, 1024, 0xff_ffff]),
        ([long, long], [0, 60, 1024, 0x7f_ffff, 0x7f_ffff, 0xff_ffff]),
        ([long, short], [0, 1, 1, 1, 1, 60]),
    ] {
        let mut bench = Bench::new(SampleMode::Bytes, intervals[0], 77);
        // Bytes that were counted can become cycles.
        bench.now = 1 << 25;
        bench.model = bench.model.later(bench.now);
        for _ in 0..20_000 {
            if random.chance(3) {
                bench.set_interval(random.pick(&intervals));
            }
            let packet = random.chance(70).then_some(random.pick(&lengths));
            bench.no_packet = random.pick(&[0, 60, 0xff_ffff]);
            let mode = random.pick(&MODES);
            if random.chance(10) && mode != bench.model.mode() {
                bench.changes_to(mode, packet);
            } else {
                bench.cycle(packet);
            }
        }
        assert!(bench.samples > 100, "{} samples", bench.samples);
    }
}

/// No jitter: exactly each hundredth packet.
#[test]
fn without_jitter_each_hundredth() {
    let mut bench = Bench::new(SampleMode::Packets, JitterParameters::around(100, 0), 1);
    let mut arrivals = Willing::new(Pattern::Bursts(9));
    let mut random = Random::new(4);
    let mut packets = 0;
    while packets < 10_000 {
        let packet = arrivals.next(&mut random).then_some(60);
        packets += u64::from(packet.is_some());
        bench.cycle(packet);
        assert_eq!(bench.samples, packets / 100);
    }
}
