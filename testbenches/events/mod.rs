// SPDX-License-Identifier: MIT OR Apache-2.0
//! Event files through both engines: the traces agree byte for byte. Also the messages for wrong files.

mod files;
mod infiniband;

use tidegate::bench::trace::{Event, Trace};
use tidegate::bench::{Engine, Reports, cp, rp};
use tidegate::model::wire::CPID;
use tidegate::output::commit_all;
use tidegate::registry::Scheme;
use tidegate::scheme::Feedback;
use tidegate::scheme::parameters::Parameters;
use tidegate_testing::settings::{Settings, scheme, sets, settings};
use tidegate_testing::stimulus::Random;

/// Spreads events over time: several in a cycle, cycle after cycle, or far apart.
fn next_cycle(random: &mut Random, density: u64) -> u64 {
    match random.below(100) {
        0..30 => 0,
        30..60 => 1,
        60..98 => random.between(1, density),
        _ => random.between(1, 40 * density),
    }
}

/// The longest run in the simulation of `rust-hdl`, which is slow.
const REFERENCE_CYCLES: u64 = 4_000;

/// Runs circuit and model, with `reference` also the simulation of `rust-hdl`; returns the trace they agree on.
fn agree<S: PartialEq + std::fmt::Debug>(
    what: &str,
    header: &str,
    reference: bool,
    run: impl Fn(Engine, &mut Trace) -> anyhow::Result<S>,
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let outcome = |engine: Engine| {
        let path = folder.path().join(format!("{engine:?}.csv"));
        let mut trace = Trace::create(Some(&path), header).unwrap();
        let summary = run(engine, &mut trace).unwrap();
        commit_all(trace.finish()).unwrap();
        (std::fs::read_to_string(path).unwrap(), summary)
    };
    let (circuit, model) = (outcome(Engine::Rtl), outcome(Engine::Model));
    for (line, (left, right)) in circuit.0.lines().zip(model.0.lines()).enumerate() {
        assert_eq!(left, right, "{what}: circuit and model differ first in line {}", line + 1);
    }
    assert_eq!(circuit, model, "{what}");
    if reference {
        assert_eq!(circuit, outcome(Engine::RustHdl), "{what}");
    }
    assert!(circuit.0.starts_with(header));
    circuit.0
}

fn rp_agrees(scheme: &Scheme, set: &Parameters, events: &[Event<rp::Stimulus>], what: &str) -> String {
    let cycles = events.last().map_or(0, |event| event.cycle) + 3000;
    agree(what, rp::HEADER, cycles <= REFERENCE_CYCLES, |engine, trace| {
        rp::run(scheme, set, engine, events, cycles, Reports::trace(trace))
    })
}

fn cp_agrees(scheme: &Scheme, set: &Parameters, events: &[Event<cp::Stimulus>], what: &str) -> String {
    let cycles = events.last().map_or(0, |event| event.cycle) + 3000;
    agree(what, cp::HEADER, cycles <= REFERENCE_CYCLES, |engine, trace| {
        cp::run(scheme, set, engine, events, cycles, Reports::trace(trace))
    })
}

fn rp_events(random: &mut Random, scheme: &Scheme, set: &Parameters, count: usize) -> Vec<Event<rp::Stimulus>> {
    let density = random.pick(&[2, 15, 300]);
    let feedback_share = random.pick(&[5, 40, 90]);
    let mut cycle = 0;
    (0..count)
        .map(|index| {
            cycle += next_cycle(random, density);
            let kind = if random.chance(feedback_share) {
                let mut feedback = Feedback { cpid: CPID, ..Feedback::default() };
                if scheme.sends_quantized_feedback {
                    feedback.quantized_feedback = random.bus(6) as u8;
                } else {
                    // Sometimes the two zeros that stop a source.
                    let zero = random.chance(10);
                    feedback.q_offset = if zero { 0 } else { random.bus(16) as u16 as i16 };
                    feedback.q_delta = if zero { 0 } else { random.bus(16) as u16 as i16 };
                }
                rp::Stimulus::Feedback(feedback)
            } else {
                let full = if set.has("byte_cycle_bytes") { set.integer("byte_cycle_bytes") as u32 } else { 1500 };
                rp::Stimulus::Sent(random.pick(&[60, 1024, full.div_ceil(2), full, (1 << 24) - 1]))
            };
            Event { line: index + 2, cycle, kind }
        })
        .collect()
}

/// A queue that grows, shrinks, and is sometimes empty.
fn cp_events(random: &mut Random, set: &Parameters, count: usize) -> Vec<Event<cp::Stimulus>> {
    let density = random.pick(&[2, 15, 300]);
    let q0 = set.integer("q0_bytes");
    let mut cycle = 0;
    let mut queue = 0u64;
    let mut grows = true;
    (0..count)
        .map(|index| {
            cycle += next_cycle(random, density);
            if random.chance(3) || queue > 3 * q0 {
                grows = queue < q0;
            }
            let room = (1 << 24) - 1 - queue;
            let enters = queue == 0 || (room > 0 && random.chance(if grows { 70 } else { 30 }));
            let any = random.bus(24).max(1);
            let bytes = random.pick(&[60, 1024, 1500, 9000, any]);
            let kind = if enters {
                let bytes = bytes.min(room);
                queue += bytes;
                cp::Stimulus::Enqueue { bytes: bytes as u32, flow: random.below(5) as u32 }
            } else {
                let bytes = random.pick(&[bytes, bytes, queue]).min(queue);
                queue -= bytes;
                cp::Stimulus::Dequeue(bytes as u32)
            };
            Event { line: index + 2, cycle, kind }
        })
        .collect()
}

/// The settings of interest, each with a few more of its own.
fn of_interest() -> Vec<(&'static str, Settings)> {
    let mut all = Vec::new();
    for jitter in ["0", "15", "50"] {
        for mode in [
            &[("sample_mode", "packets"), ("sample_packets", "1")][..],
            &[("sample_mode", "packets"), ("sample_packets", "7")],
            &[("sample_mode", "bytes"), ("sample_bytes", "64")],
            &[("sample_mode", "bytes"), ("sample_bytes", "20000")],
            &[("sample_mode", "time"), ("sample_packets", "1"), ("packet_bytes", "60")],
            &[("sample_mode", "time"), ("sample_packets", "3")],
        ] {
            for (name, more) in [
                ("qcn", &[("profile", "paper")][..]),
                ("qcn", &[("profile", "8021q"), ("timer_us", "4"), ("byte_cycle_bytes", "3000")]),
                ("smcc", &[("two_stage", "false")]),
                ("smcc", &[("two_stage", "true"), ("t1_bytes", "512")]),
                ("smcc", &[("zero_sign", "state_a")]),
            ] {
                let pairs: Vec<_> = [&[("sample_jitter_percent", jitter)], mode, more].concat();
                all.push((name, settings(&pairs)));
            }
        }
    }
    all
}

/// Rows of a trace without its header.
fn rows(trace: &str) -> usize {
    trace.lines().count() - 1
}

#[test]
fn congestion_points_agree() {
    let mut random = Random::new(1);
    let mut feedbacks = 0;
    for (name, chosen) in of_interest() {
        let set = scheme(name).parameters(&chosen).unwrap();
        let events = cp_events(&mut random, &set, 300);
        feedbacks += rows(&cp_agrees(scheme(name), &set, &events, &format!("{name} {chosen:?}")));
    }
    assert!(feedbacks > 2000, "only {feedbacks} feedbacks");
}

#[test]
fn reaction_points_agree() {
    let mut random = Random::new(2);
    let mut changes = 0;
    for (name, chosen) in of_interest() {
        let set = scheme(name).parameters(&chosen).unwrap();
        for _ in 0..2 {
            let events = rp_events(&mut random, scheme(name), &set, 200);
            changes += rows(&rp_agrees(scheme(name), &set, &events, &format!("{name} {chosen:?}")));
        }
    }
    assert!(changes > 5000, "only {changes} changes");
}

#[test]
fn whatever_is_accepted_agrees() {
    let mut random = Random::new(3);
    for name in ["qcn", "smcc"] {
        for set in sets(name, 25) {
            let what = format!("{name} {set:?}");
            let events = rp_events(&mut random, scheme(name), &set.parameters, 100);
            rp_agrees(scheme(name), &set.parameters, &events, &what);
            let events = cp_events(&mut random, &set.parameters, 100);
            cp_agrees(scheme(name), &set.parameters, &events, &what);
        }
    }
}

/// A rate that comes back to the line rate: the reaction point becomes inactive, and both engines show it in the same
/// cycle, though nothing happens after that.
#[test]
fn back_at_line_rate() {
    let set = scheme("qcn").parameters(&settings(&[("ai_rate_mbps", "200"), ("fast_recovery_cycles", "1")])).unwrap();
    let feedback = Feedback { quantized_feedback: 5, cpid: CPID, ..Feedback::default() };
    let mut events = vec![Event { line: 2, cycle: 5, kind: rp::Stimulus::Feedback(feedback) }];
    events.extend((0..20).map(|index| Event {
        line: 3 + index,
        cycle: 1000 * (1 + index as u64),
        kind: rp::Stimulus::Sent(150_000),
    }));
    let trace = rp_agrees(scheme("qcn"), &set, &events, "back at line rate");
    assert!(trace.trim_end().ends_with("1000.000000,1000.000000,0,0"), "{trace}");
}

/// Samples in consecutive cycles: the queue of samples fills, packets wait, none is lost.
#[test]
fn a_burst_of_samples_waits() {
    for name in ["qcn", "smcc"] {
        let set = [("sample_packets", "1"), ("sample_jitter_percent", "0"), ("q0_bytes", "64")];
        let set = [&set[..], if name == "smcc" { &[("ra_mbps", "1"), ("rb_mbps", "1")] } else { &[] }].concat();
        let set = scheme(name).parameters(&settings(&set)).unwrap();
        let events: Vec<_> = (0..60)
            .map(|index| Event { line: index + 2, cycle: 10, kind: cp::Stimulus::Enqueue { bytes: 1000, flow: 0 } })
            .collect();
        let trace = cp_agrees(scheme(name), &set, &events, name);
        assert_eq!(rows(&trace), 60, "{name}: each packet is a sample, each sample congestion\n{trace}");
    }
}
