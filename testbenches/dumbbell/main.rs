//! The closed loop: circuits and models write identical traces, byte for byte.
//!
//! The short runs use random networks. Each long run (2,500,000 cycles, 20 ms at 125 MHz) is a test of its own, so that
//! they run in parallel. They take most of the time of `cargo test`; `cargo test --test dumbbell short` leaves them
//! out.

#[path = "../common/settings.rs"]
mod settings;
#[path = "../common/stimulus.rs"]
mod stimulus;

use settings::{parameters, scheme, settings};
use std::path::Path;
use stimulus::Random;
use tidegate::bench::dumbbell::{self, Observation, Summary};
use tidegate::bench::trace::Trace;
use tidegate::bench::Engine;
use tidegate::registry::Scheme;
use tidegate::scheme::parameters::Parameters;

/// Runs one engine, into a trace.
fn run(scheme: &Scheme, parameters: &Parameters, engine: Engine, cycles: u64, path: &Path) -> Summary {
    let trace = Trace::create(Some(path), dumbbell::HEADER).unwrap();
    let observation = Observation { period: cycles / 10 };
    dumbbell::run(scheme, parameters, engine, cycles, observation, trace, None, &|_| {}).unwrap()
}

/// Runs both engines and returns what they agree on.
fn agree(name: &str, cycles: u64, parameters: &Parameters, what: &str) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let [circuit, model] = [Engine::Rtl, Engine::Model].map(|engine| {
        let path = folder.path().join(format!("{engine:?}.csv"));
        let started = std::time::Instant::now();
        let summary = run(scheme(name), parameters, engine, cycles, &path);
        println!("{name} {what}: {engine:?} {:.2} s", started.elapsed().as_secs_f64());
        (std::fs::read_to_string(path).unwrap(), summary)
    });
    for (line, (left, right)) in circuit.0.lines().zip(model.0.lines()).enumerate() {
        assert_eq!(left, right, "{name} {what}: circuit and model differ first in line {}", line + 1);
    }
    assert_eq!(circuit.0.len(), model.0.len(), "{name} {what}: one trace is longer");
    assert_eq!(format!("{:?}", circuit.1), format!("{:?}", model.1), "{name} {what}: summaries");
    let summary = model.1;
    assert_eq!(
        circuit.0.lines().filter(|line| line.contains(",feedback_received,")).count() as u64,
        summary.feedback_received
    );
    summary
}

/// A network with few or many flows, slow or fast links, short or long delays.
fn random_world(random: &mut Random, name: &str) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    let (clock, line_rate) =
        random.pick(&[("125", 1000), ("125", 1000), ("200", 10_000), ("125", 10_000), ("156.25", 2500)]);
    let packet = random.pick(&[60, 64, 65, 512, 1024, 1500]);
    pairs.push(("clock_mhz", clock.to_string()));
    pairs.push(("line_rate_mbps", line_rate.to_string()));
    pairs.push(("packet_bytes", packet.to_string()));
    pairs.push(("flows", random.between(1, 8).to_string()));
    let background = random.between(1, line_rate / 2);
    pairs.push(("background_mbps", random.pick(&[0, 0, background, line_rate]).to_string()));
    let far = random.between(0, 5000);
    pairs.push(("propagation_cycles", random.pick(&[0, 1, far]).to_string()));
    pairs.push(("buffer_bytes", random.pick(&[4096, 20_000, 131_072]).to_string()));
    pairs.push(("q0_bytes", random.pick(&[3000, 10_000, 65_536]).to_string()));
    pairs.push(("w", random.between(0, 8).to_string()));
    let mode = random.pick(&["packets", "packets", "bytes", "time"]);
    pairs.push(("sample_mode", mode.to_string()));
    // In the mode `time` a period has at least 16 cycles.
    let least = if mode == "time" { 10 } else { 1 };
    pairs.push(("sample_packets", random.pick(&[1, 1, 2, 10, 100]).max(least).to_string()));
    pairs.push(("sample_bytes", random.pick(&[64, 15_000]).to_string()));
    pairs.push(("sample_jitter_percent", random.pick(&[0, 15, 50]).to_string()));
    pairs.push(("include_overhead", random.chance(50).to_string()));
    pairs.push(("bucket_bytes", random.pick(&["1542", "16255"]).to_string()));
    pairs.push(("min_rate_mbps", random.pick(&["1", "10", "100"]).to_string()));
    pairs.push(("seed", random.between(1, 65_535).to_string()));
    if name == "qcn" {
        // First, so that later settings override it.
        pairs.insert(0, ("profile", random.pick(&["paper", "8021q"]).to_string()));
        pairs.push(("byte_cycle_bytes", random.pick(&[1000, 5000, 150_000]).to_string()));
        pairs.push(("timer_us", random.pick(&["0", "3", "50"]).to_string()));
        pairs.push(("stage_rule", random.pick(&["at", "after"]).to_string()));
        pairs.push(("hai_rate_mbps", random.pick(&["0", "50"]).to_string()));
        pairs.push(("extra_fast_recovery", random.chance(50).to_string()));
        pairs.push(("target_reduction", random.chance(50).to_string()));
    } else {
        pairs.push(("cpid_bits", random.pick(&["0", "16", "64"]).to_string()));
    }
    match name {
        "smcc" => {
            pairs.push(("two_stage", random.chance(50).to_string()));
            pairs.push(("t1_bytes", random.pick(&["0", "640", "8192"]).to_string()));
        }
        "bcn" => {
            pairs.push(("q_severe_bytes", random.pick(&["0", "70000", "100000"]).to_string()));
            pairs.push(("t_max_us", random.pick(&["0", "2", "50"]).to_string()));
        }
        "asm" => {
            pairs.push(("quantiser_bits", random.pick(&["6", "8", "12"]).to_string()));
            pairs.push(("fb_sign", random.pick(&["regions", "equation"]).to_string()));
        }
        "dsm" => {
            pairs.push(("m", random.pick(&["1", "4", "9"]).to_string()));
            pairs.push(("u_max_percent", random.pick(&["0", "2"]).to_string()));
        }
        _ => {}
    }
    pairs
}

fn short_runs(name: &str, seed: u64) {
    let mut random = Random::new(seed);
    let mut total = Summary::default();
    for _ in 0..10 {
        let pairs = random_world(&mut random, name);
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let set = scheme(name).parameters(&settings(&pairs)).unwrap_or_else(|error| panic!("{error} with {pairs:?}"));
        // The same number of circuit cycles in each network.
        let cycles = 400_000 / (1 + set.integer("flows"));
        let summary = agree(name, cycles.clamp(50_000, 200_000), &set, &format!("{pairs:?}"));
        total.dropped += summary.dropped;
        total.samples += summary.samples;
        total.feedback_received += summary.feedback_received;
    }
    // The networks are not idle.
    assert!(total.dropped > 100 && total.samples > 500 && total.feedback_received > 500, "{total:?}");
}

macro_rules! short {
    ($($test:ident: $name:literal, $seed:literal;)*) => {$(
        #[test]
        fn $test() {
            short_runs($name, $seed);
        }
    )*};
}

short! {
    short_qcn_1: "qcn", 1;
    short_qcn_2: "qcn", 2;
    short_smcc_1: "smcc", 3;
    short_smcc_2: "smcc", 4;
    short_bcn: "bcn", 5;
    short_asm: "asm", 6;
    short_dsm: "dsm", 7;
}

/// Every packet is a sample, in the shortest frames, from eight flows at 10 Gb/s: the sample queue fills and makes
/// packets wait.
#[test]
fn short_every_packet_a_sample() {
    for name in ["qcn", "bcn", "smcc", "dsm"] {
        let pairs = [
            ("flows", "8"),
            ("packet_bytes", "64"),
            ("clock_mhz", "200"),
            ("line_rate_mbps", "10000"),
            ("sample_mode", "packets"),
            ("sample_packets", "1"),
            ("sample_jitter_percent", "0"),
            ("q0_bytes", "2000"),
            ("buffer_bytes", "8192"),
        ];
        // DSM takes some 60 cycles for each.
        let summary = agree(name, 100_000, &parameters(name, &pairs), "every packet");
        assert_eq!(summary.samples, summary.enqueued, "{name}");
        assert!(summary.feedback_received > 1000, "{name}: {summary:?}");
    }
}

const LONG: u64 = 2_500_000;

macro_rules! long {
    ($($test:ident: $name:literal, $($key:literal = $value:literal),*;)*) => {$(
        #[test]
        fn $test() {
            let summary = agree($name, LONG, &parameters($name, &[$(($key, $value)),*]), stringify!($test));
            assert_eq!(summary.cycles, LONG);
            assert!(summary.feedback_received > 20, "{summary:?}");
        }
    )*};
}

long! {
    long_qcn: "qcn",;
    long_qcn_seed_2: "qcn", "seed" = "2";
    long_qcn_seed_40503: "qcn", "seed" = "40503";
    long_qcn_other_parameters: "qcn", "q0_bytes" = "32768", "w" = "4", "byte_cycle_bytes" = "75000";
    long_smcc: "smcc",;
    long_smcc_seed_2: "smcc", "seed" = "2";
    long_smcc_seed_40503: "smcc", "seed" = "40503";
    long_bcn: "bcn",;
    long_bcn_stops: "bcn", "q_severe_bytes" = "90000", "t_max_us" = "500", "sample_packets" = "10", "min_rate_mbps" = "100";
    long_asm: "asm",;
    long_dsm: "dsm", "flows" = "5", "propagation_cycles" = "18750";
    long_smcc_other_parameters: "smcc", "q0_bytes" = "32768", "w" = "4", "two_stage" = "true", "t1_bytes" = "4096";
}
