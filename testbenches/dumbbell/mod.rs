// SPDX-License-Identifier: MIT OR Apache-2.0
//! The closed loop: circuits, models and the network simulator write identical traces, byte for byte.
//!
//! The short runs have random settings; the long ones (3,125,000 cycles, 25 ms at 125 MHz) are one test each, so that
//! they run in parallel. `cargo test --release --test testbenches dumbbell::short` leaves them out, and `scripts/exactness` shows how much they
//! compare.

mod network;

use rayon::prelude::*;
use std::path::Path;
use tidegate::bench::dumbbell::{self, Observation, Summary};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::model::wire::FRAME_WORDS;
use tidegate::output::commit_all;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::to_units;
use tidegate::schemes::dsm::model::FEEDBACK_LATENCY as DSM_LATENCY;
use tidegate_testing::settings::{Settings, first_accepted, lively, parameters, scheme};
use tidegate_testing::stimulus::Random;

/// Runs one engine. Returns its trace.
fn run(scheme: &Scheme, parameters: &Parameters, engine: Engine, cycles: u64, path: &Path) -> Summary {
    let mut trace = Trace::create(Some(path), dumbbell::HEADER).unwrap();
    let observation = Observation { period: cycles / 10 };
    let reports = Reports::trace(&mut trace);
    let summary = dumbbell::run(scheme, parameters, engine, cycles, observation, reports).unwrap();
    commit_all(trace.finish()).unwrap();
    summary
}

/// Runs both engines and, where each source has a reaction point of its own, the network simulator. Returns their common
/// result and trace.
fn agree(name: &str, cycles: u64, parameters: &Parameters, what: &str) -> (Summary, String) {
    let folder = tempfile::tempdir().unwrap();
    let started = std::time::Instant::now();
    let [circuit, model] = [Engine::Rtl, Engine::Model].map(|engine| {
        let path = folder.path().join(format!("{engine:?}.csv"));
        let summary = run(scheme(name), parameters, engine, cycles, &path);
        (std::fs::read_to_string(path).unwrap(), summary)
    });
    same(&circuit.0, &model.0, &format!("{name} {what}: circuit and model"));
    assert_eq!(format!("{:?}", circuit.1), format!("{:?}", model.1), "{name} {what}: summaries");
    let (summary, trace) = (model.1, circuit.0);
    if parameters.rp_flows() == 1 {
        let (of_network, on_links) = network::trace(scheme(name), parameters, cycles);
        same(&trace, &of_network, &format!("{name} {what}: circuit and network"));
        let sent = summary.sent - summary.enqueued - summary.dropped;
        assert!(sent.abs_diff(on_links) <= 1, "{name} {what}: {sent} packets on links, {on_links} of the network");
    }
    let seconds = started.elapsed().as_secs_f64();
    let (events, bytes) = (trace.lines().count() - 1, trace.len());
    println!("{name} {what}: {cycles} cycles, {events} events, {bytes} bytes are the same ({seconds:.1} s)");
    assert_eq!(count(&trace, "feedback_received"), summary.feedback_received);
    // The length that the circuit counts is that of the queue alone, with a FIFO behind it too.
    for row in trace.lines().filter(|row| row.contains(",sample,")) {
        let cells: Vec<_> = row.split(',').collect();
        let offset = cells[4].parse::<i32>().unwrap() - parameters.integer("q0_bytes") as i32;
        assert_eq!(cells[5], to_units(offset).to_string(), "{name} {what}: {row}");
    }
    (summary, trace)
}

/// Fails with the first line in which two traces differ.
fn same(left: &str, right: &str, what: &str) {
    let lines = left.split_inclusive('\n').zip(right.split_inclusive('\n'));
    for (line, (left, right)) in (1..).zip(lines) {
        assert_eq!(left, right, "{what} differ first in line {line}");
    }
    assert_eq!(left.len(), right.len(), "{what}: one trace is longer");
}

/// How often a trace has an event.
fn count(trace: &str, event: &str) -> u64 {
    let rows = trace.lines().skip(1).filter(|row| row.split(',').nth(1) == Some(event));
    rows.count() as u64
}

/// Settings with few or many flows, slow or fast links, short or long ones, and with lively values of the scheme's own keys,
/// that the scheme accepts.
fn random_world(random: &mut Random, scheme: &'static Scheme) -> Settings {
    first_accepted(scheme, || any_world(random, scheme))
}

/// The same; the combination may be refused.
fn any_world(random: &mut Random, scheme: &'static Scheme) -> Settings {
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
    pairs.push(("tx_fifo_bytes", random.pick(&[0, 0, 4096, 100, 30_000]).to_string()));
    pairs.push(("q0_bytes", random.pick(&[3000, 10_000, 65_536]).to_string()));
    pairs.push(("w", random.between(0, 8).to_string()));
    let mode = random.pick(&["packets", "packets", "bytes", "time"]);
    pairs.push(("sample_mode", mode.to_string()));
    // A period of sampling by time has at least 16 cycles.
    let least = if mode == "time" { 10 } else { 1 };
    pairs.push(("sample_packets", random.pick(&[1, 1, 2, 10, 100]).max(least).to_string()));
    pairs.push(("sample_bytes", random.pick(&[64, 15_000]).to_string()));
    pairs.push(("sample_jitter_percent", random.pick(&[0, 15, 50]).to_string()));
    pairs.push(("include_overhead", random.chance(50).to_string()));
    pairs.push(("bucket_bytes", random.pick(&["1542", "16224"]).to_string()));
    pairs.push(("min_rate_mbps", random.pick(&["1", "10", "100"]).to_string()));
    pairs.push(("seed", random.between(1, 65_535).to_string()));
    pairs.push(("cpid_bits", random.pick(&["0", "16", "64"]).to_string()));
    let own = lively(scheme, random).into_iter().map(|(key, value)| (key, value.to_string()));
    // The profile is among its own: the settings after it have priority.
    own.chain(pairs).map(|(key, value)| (key.to_string(), value)).collect()
}

/// Twenty random worlds of each scheme.
#[test]
fn short_runs() {
    for scheme in registry::ethernet() {
        let summaries: Vec<_> = (1..=20).into_par_iter().map(|seed| short_run(scheme, seed)).collect();
        let all = |count: fn(&Summary) -> u64| summaries.iter().map(count).sum::<u64>();
        let (dropped, samples) = (all(|summary| summary.dropped), all(|summary| summary.samples));
        let received = all(|summary| summary.feedback_received);
        // The runs are not idle.
        let busy = dropped > 200 && samples > 1000 && received > 1000;
        assert!(busy, "{}: {dropped} dropped, {samples} samples, {received} feedbacks", scheme.name);
    }
}

fn short_run(scheme: &'static Scheme, seed: u64) -> Summary {
    let pairs = random_world(&mut Random::new(seed), scheme);
    let set = scheme.parameters(&pairs).unwrap();
    // The same number of cycles of circuits with all settings.
    let cycles = 400_000 / (1 + set.integer("flows"));
    let (summary, _) = agree(scheme.name, cycles.clamp(50_000, 200_000), &set, &format!("seed {seed}: {pairs:?}"));
    summary
}

/// The sources are the flows of one reaction point.
#[test]
fn short_flows_of_one_reaction_point() {
    let mut random = Random::new(8);
    let mut lost = 0;
    for scheme in registry::ethernet() {
        let name = scheme.name;
        let mut total = Summary::default();
        for flows in ["2", "4", "4", "16", "16", "64", "256"] {
            let bottleneck = random.pick(&[0, 2, 10]);
            let pairs = first_accepted(scheme, || {
                let mut pairs = any_world(&mut random, scheme);
                pairs.retain(|(key, _)| key != "flows");
                let line_rate =
                    pairs.iter().find(|(key, _)| key == "line_rate_mbps").unwrap().1.parse::<u64>().unwrap();
                let mut set = |key: &str, value: String| pairs.push((key.into(), value));
                set("rp_flows", flows.into());
                // Many samples, so that feedback is frequent with every scheme.
                set("sample_mode", "packets".into());
                set("sample_packets", random.pick(&["1", "1", "2"]).into());
                set("bottleneck_mbps", line_rate.checked_div(bottleneck).unwrap_or(0).to_string());
                if let Some((_, timer)) = pairs.iter_mut().find(|(key, timer)| key == "timer_us" && timer != "0") {
                    // As short as the number of flows allows, or nearly.
                    *timer = (8 * flows.parse::<u64>().unwrap()).to_string();
                }
                pairs
            });
            let (summary, _) = agree(name, 250_000, &scheme.parameters(&pairs).unwrap(), &format!("{pairs:?}"));
            assert_eq!(summary.rates[0].len().to_string(), flows);
            total.sent += summary.sent;
            total.feedback_sent += summary.feedback_sent;
            total.feedback_received += summary.feedback_received;
        }
        assert!(total.sent > 2000 && total.feedback_received > 200, "{name}: {total:?}");
        lost += total.feedback_sent - total.feedback_received;
    }
    // At most ten are on their way at the end of a world.
    assert!(lost > 10 * 7 * registry::ethernet().count() as u64, "no feedback came while another one waited: {lost}");
}

/// Each packet a sample, in the shortest frames, from eight flows at 10 Gb/s that never fall below half of it: the
/// queue of samples fills, packets do not wait for it, and both engines lose the same samples.
#[test]
fn short_samples_are_lost() {
    for name in registry::ethernet().map(|scheme| scheme.name) {
        let pairs = [
            ("flows", "8"),
            ("packet_bytes", "64"),
            ("clock_mhz", "200"),
            ("line_rate_mbps", "10000"),
            ("min_rate_mbps", "5000"),
            ("sample_mode", "packets"),
            ("sample_packets", "1"),
            ("sample_jitter_percent", "0"),
            ("q0_bytes", "2000"),
            ("buffer_bytes", "8192"),
        ];
        let (summary, _) = agree(name, 100_000, &parameters(name, &pairs), "every packet");
        // ASM never samples a source twice in a row.
        assert!(summary.samples == summary.enqueued || name == "asm", "{name}");
        // A packet takes 10 cycles on the link. QCN's feedback takes 23 for each; the others but DSM lose samples of the
        // first burst. DSM's block is never idle: it computes, sends a frame and turns to the next sample.
        let expected = if name == "dsm" { 100_000 / (DSM_LATENCY + FRAME_WORDS as u64 + 4) } else { 1000 };
        assert!(summary.feedback_received > expected, "{name}: {summary:?}");
        assert!(summary.samples > summary.feedback_sent + 40, "{name}: none lost? {summary:?}");
    }
}

/// The columns of a trace that the tests below need.
struct Row {
    cycle: u64,
    event: String,
    flow: usize,
    rate_mbps: Option<f64>,
}

fn rows(trace: &str) -> Vec<Row> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Row {
            cycle: fields[0].parse().unwrap(),
            event: fields[1].to_string(),
            flow: fields[2].parse().unwrap(),
            rate_mbps: fields[7].parse().ok(),
        }
    };
    trace.lines().skip(1).map(row).collect()
}

/// A sample of many flows in a link that they overload. Whatever their number: what was sent is in the queue, through,
/// dropped or on a link, and as much as the rates allow; a source that is limited to a small rate meets nothing in
/// front of the switch; a feedback is with its source within a few hundred cycles.
#[test]
fn short_many_flows_never_wait_in_front_of_the_switch() {
    const CYCLES: u64 = 20_000_000;
    const BACKGROUND_MBPS: u64 = 8;
    // 1024 bytes at 1000 Mb/s and 125 MHz.
    const PACKET_CYCLES: u64 = 1024;
    for (name, flows) in [("qcn", 64), ("qcn", 256), ("smcc", 64), ("smcc", 256)] {
        let (count, background) = (flows.to_string(), BACKGROUND_MBPS.to_string());
        let pairs = [("flows", &count[..]), ("background_mbps", &background), ("propagation_cycles", "700")];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.csv");
        let parameters = parameters(name, &pairs);
        let summary = run(scheme(name), &parameters, Engine::Model, CYCLES, &path);
        let what = format!("{name}, {flows} flows");
        assert!(summary.dropped > 1000, "{what}: no overload");

        // A packet of each source on its link, and the packets in propagation.
        let on_links = summary.sent - summary.enqueued - summary.dropped;
        assert!(on_links <= 2 * (flows + 1), "{what}: {on_links} packets between sources and queue");

        let rows = rows(&std::fs::read_to_string(path).unwrap());
        // Bytes that the rates allow: 1 Mb/s is 1/1000 byte a cycle.
        let mut allowed = (BACKGROUND_MBPS * CYCLES) as f64 / 1000.0;
        let mut rates = vec![(0, 1000.0); flows as usize];
        for row in rows.iter().filter(|row| row.event == "rate") {
            let (since, rate) = std::mem::replace(&mut rates[row.flow], (row.cycle, row.rate_mbps.unwrap()));
            allowed += (row.cycle - since) as f64 * rate / 1000.0;
        }
        allowed += rates.iter().map(|&(since, rate)| (CYCLES - since) as f64 * rate / 1000.0).sum::<f64>();
        let sent = (summary.sent * 1024) as f64;
        assert!(sent <= allowed && sent > 0.99 * allowed, "{what}: {sent} bytes sent, {allowed} allowed");

        // The uncontrolled source: its packets arrive at its rate, plus those of all others in the same cycle.
        let period = PACKET_CYCLES * 1000 / BACKGROUND_MBPS;
        let own: Vec<_> = rows
            .iter()
            .filter(|row| row.flow as u64 == flows && ["enqueue", "drop"].contains(&row.event.as_str()))
            .map(|row| row.cycle)
            .collect();
        assert!(own.len() as u64 >= CYCLES / period - 1, "{what}: {} packets", own.len());
        for pair in own.windows(2) {
            let gap = pair[1] - pair[0];
            assert!(gap.abs_diff(period) <= flows, "{what}: {gap} cycles between two packets, {period} expected");
        }

        // Feedback: sampled, sent, received, in this order for each source.
        let mut waiting = vec![std::collections::VecDeque::new(); flows as usize + 1];
        let mut longest = 0;
        for row in &rows {
            match row.event.as_str() {
                "feedback_sent" => waiting[row.flow].push_back(row.cycle),
                "feedback_received" => longest = longest.max(row.cycle - waiting[row.flow].pop_front().unwrap()),
                _ => {}
            }
        }
        assert!(summary.feedback_received > 100 && longest < 700 + 100, "{what}: {longest} cycles for a feedback");
    }
}

/// The flows of one reaction point never send more than their rates allow, and the link carries one packet after the
/// other.
#[test]
fn short_flows_of_one_reaction_point_keep_to_rates_and_link() {
    const CYCLES: u64 = 20_000_000;
    const BYTES: f64 = 1024.0;
    const DEPTH: f64 = 1618.0;
    // 1024 bytes at 1000 Mb/s and 125 MHz.
    const PACKET_CYCLES: u64 = 1024;
    struct Flow {
        /// The cycle until which `allowed` counts, and the rate from then on, bytes per cycle.
        at: u64,
        rate: f64,
        /// Bytes that the rates have allowed, and bytes sent.
        allowed: f64,
        sent: f64,
    }
    impl Flow {
        fn advance(&mut self, now: u64) {
            self.allowed += (now - self.at) as f64 * self.rate;
            self.at = now;
        }
    }
    for (name, flows) in [("smcc", "16"), ("smcc", "64"), ("asm", "16")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.csv");
        let pairs = [
            ("rp_flows", flows),
            ("buffer_bytes", "8388608"),
            ("bottleneck_mbps", "500"),
            ("sample_packets", "10"),
            ("min_rate_mbps", "1"),
        ];
        let summary = run(scheme(name), &parameters(name, &pairs), Engine::Model, CYCLES, &path);
        let what = format!("{name}, {flows} flows");
        assert!(summary.sent - summary.enqueued <= 1 && summary.dropped == 0, "{what}: {summary:?}");
        let start = |_| Flow { at: 0, rate: 1.0, allowed: 0.0, sent: 0.0 };
        let mut all: Vec<Flow> = (0..flows.parse().unwrap()).map(start).collect();
        let mut arrival = 0;
        for row in rows(&std::fs::read_to_string(path).unwrap()) {
            let flow = &mut all[row.flow];
            match row.event.as_str() {
                "rate" => {
                    flow.advance(row.cycle);
                    flow.rate = row.rate_mbps.unwrap() / 1000.0;
                }
                "enqueue" => {
                    assert!(row.cycle >= arrival + PACKET_CYCLES, "{what}: two packets at once, {}", row.cycle);
                    arrival = row.cycle;
                    flow.advance(row.cycle);
                    flow.sent += BYTES;
                    let place = format!("{what}: flow {} in cycle {}", row.flow, row.cycle);
                    assert!(flow.sent <= flow.allowed + DEPTH, "{place}: {} of {}", flow.sent, flow.allowed);
                }
                _ => {}
            }
        }
        assert!(all.iter().all(|flow| flow.sent > 10.0 * BYTES), "{what}: a flow hardly sends");
    }
}

/// The simulation of `rust-hdl` is slow: it runs only long enough for some feedback.
#[test]
fn short_in_rust_hdl() {
    let alone = registry::ethernet().map(|scheme| (scheme.name, "1"));
    for (name, flows) in alone.chain([("smcc", "4")]) {
        let folder = tempfile::tempdir().unwrap();
        let set = parameters(name, &[("sample_packets", "1"), ("q0_bytes", "3000"), ("rp_flows", flows)]);
        let [native, reference] = [Engine::Rtl, Engine::RustHdl].map(|engine| {
            let path = folder.path().join(format!("{engine:?}.csv"));
            let summary = run(scheme(name), &set, engine, 8_000, &path);
            (std::fs::read_to_string(path).unwrap(), format!("{summary:?}"))
        });
        assert!(native.0.contains(",feedback_received,"), "{name}");
        assert!(native == reference, "{name}: traces or summaries differ");
    }
}

#[test]
fn more_circuits_than_memory_are_refused_before_the_run() {
    let run = |engine, pairs: &[(&str, &str)]| {
        let trace = &mut Trace::create(None, dumbbell::HEADER).unwrap();
        let observation = Observation::every(1, 1, &parameters("qcn", pairs));
        dumbbell::run(scheme("qcn"), &parameters("qcn", pairs), engine, 1, observation, Reports::trace(trace))
    };
    let refused = |engine, pairs: &[(&str, &str)]| {
        let error = run(engine, pairs).unwrap_err();
        assert!(error.is::<tidegate::error::Usage>(), "{error}");
        error.to_string()
    };
    let said = refused(Engine::RustHdl, &[("flows", "1000000")]);
    assert!(said.contains("`flows`: 1000000 flows need about"), "{said}");
    // As many as fit 8 GiB, each with the memory that the message names.
    let number = |before: &str| -> u64 {
        let (_, rest) = said.split_once(before).unwrap_or_else(|| panic!("no {before:?}: {said}"));
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(number("expected at most "), (8 << 30) / number("GiB of memory, "), "{said}");
    let said = refused(Engine::Model, &[("flows", "1000000"), ("propagation_cycles", "10000000")]);
    assert!(said.contains("expected at most 27") && !said.contains("  "), "{said}");
    assert_eq!(run(Engine::Model, &[("flows", "70000")]).unwrap().rates[0].len(), 70_000);
}

#[test]
fn looks_at_many_flows_are_few() {
    for (flows, period) in [("1", 61_036), ("16", 61_036), ("1000", 61_036), ("100000", 250_000_000 / 167 + 1)] {
        let observation = Observation::every(61_036, 250_000_000, &parameters("qcn", &[("flows", flows)]));
        assert_eq!(observation.period, period, "{flows} flows");
    }
}

/// 25 ms at 125 MHz.
const LONG: u64 = 3_125_000;

fn long_run(name: &str, pairs: &[(&str, &str)], what: &str) {
    let parameters = parameters(name, pairs);
    let (summary, trace) = agree(name, LONG, &parameters, what);
    assert_eq!(summary.cycles, LONG);
    // Something happens in this time: the loop is closed, and rates move.
    let rates = count(&trace, "rate");
    println!(
        "  {} packets, {} dropped, {} samples, {} feedback frames received, {rates} new rates",
        summary.sent, summary.dropped, summary.samples, summary.feedback_received
    );
    assert!(summary.feedback_received > 20 && rates > 20, "{rates} new rates, {summary:?}");
    assert!(summary.samples >= summary.feedback_sent && summary.dequeued > 1000, "{summary:?}");
    if pairs.iter().any(|(key, _)| *key == "buffer_bytes") {
        assert!(summary.dropped > 0, "nothing is dropped with a small buffer: {summary:?}");
    }
}

macro_rules! long {
    ($($test:ident: $name:literal, $($key:literal = $value:literal),*;)*) => {$(
        #[test]
        fn $test() {
            long_run($name, &[$(($key, $value)),*], stringify!($test));
        }
    )*};
}

/// The defaults, and a buffer of 20 packets, samples often, links of 100 cycles, and a source that no feedback controls.
#[test]
fn long_runs_of_all_schemes() {
    const SMALL: &[(&str, &str)] = &[
        ("buffer_bytes", "20480"),
        ("q0_bytes", "8192"),
        ("sample_packets", "10"),
        ("propagation_cycles", "100"),
        ("background_mbps", "200"),
    ];
    let cases: Vec<_> =
        registry::ethernet().flat_map(|scheme| [(scheme, SMALL, "small"), (scheme, &[], "defaults")]).collect();
    cases.into_par_iter().for_each(|(scheme, pairs, what)| long_run(scheme.name, pairs, what));
}

long! {
    long_qcn_seed_2: "qcn", "seed" = "2";
    long_qcn_seed_40503: "qcn", "seed" = "40503";
    long_qcn_other_parameters: "qcn", "q0_bytes" = "32768", "w" = "4", "byte_cycle_bytes" = "75000";
    long_smcc_seed_2: "smcc", "seed" = "2";
    long_smcc_seed_40503: "smcc", "seed" = "40503";
    long_bcn_stops: "bcn", "q_severe_bytes" = "90000", "t_max_us" = "500", "sample_packets" = "10", "min_rate_mbps" = "100";
    long_qcn_tx_fifo: "qcn", "tx_fifo_bytes" = "4096";
    long_smcc_tx_fifo: "smcc", "tx_fifo_bytes" = "4096";
    long_smcc_levels: "smcc", "rate_levels" = "64", "zero_sign" = "state_a", "sample_packets" = "10";
    long_dsm_slow: "dsm", "flows" = "5", "propagation_cycles" = "18750";
    long_smcc_other_parameters: "smcc", "q0_bytes" = "32768", "w" = "4", "two_stage" = "true", "t1_bytes" = "4096";
}
