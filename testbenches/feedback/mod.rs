// SPDX-License-Identifier: MIT OR Apache-2.0
//! The feedback block of QCN, compared with the model: fields, latency, and the next sampling interval. The random stimulus of
//! `testbenches/references` has neither all weights nor intervals of 24 bits.

use std::collections::BTreeMap;
use tidegate::rtl::qcn::feedback::QcnFeedback;
use tidegate::scheme::jitter::JitterParameters;
use tidegate::scheme::ports::Ports;
use tidegate::scheme::to_units;
use tidegate::schemes::qcn::rule::FeedbackParameters;
use tidegate_hdl::module::Module;
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::settings::sets;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing, twos_complement, value};

/// Cycles from a sample at the head to a frame, and to the pop of one with Fb ≥ 0.
const QCN_LATENCY: u64 = 13;
const QCN_DROP_LATENCY: u64 = 6;

/// The head of the sample queue.
#[derive(Clone, Copy, Debug)]
struct Sample {
    q_offset: i32,
    q_delta: i32,
    controlled: bool,
}

/// A sample that is possible in a queue monitor: from the lengths before and after, also at the limits.
fn sample(random: &mut Random, q0: i32) -> Sample {
    let mut length = || match random.below(4) {
        0 => random.pick(&[0, 1, q0 - 1, q0, q0 + 1, (1 << 24) - 1]),
        1 => random.between(0, 2 * q0 as u64) as i32,
        _ => random.bus(24) as i32,
    };
    let (queue, old) = (length().min((1 << 24) - 1), length().min((1 << 24) - 1));
    let old = if random.chance(30) { queue } else { old };
    Sample { q_offset: queue - q0, q_delta: queue - old, controlled: random.chance(80) }
}

fn drive(circuit: &mut impl Module, sample: &Sample) {
    circuit.set("controlled", sample.controlled.into());
    circuit.set("q_offset", twos_complement(sample.q_offset, 25));
    circuit.set("q_delta", twos_complement(sample.q_delta, 25));
}

/// Counts of the results of a run.
#[derive(Default, Debug)]
struct Count {
    sent: u32,
    dropped: u32,
}

/// The circuit tells the smallest value of this interval, and the span of the one of the cycle before.
fn check_interval(circuit: &QcnFeedback, interval: JitterParameters, span: &mut u32) {
    assert_eq!(value(circuit.interval_low.val()), u64::from(interval.low));
    assert_eq!(value(circuit.interval_span.val()), u64::from(std::mem::replace(span, interval.span)));
}

/// Runs QCN's block through some samples, with gaps between them and a slow packet generator.
fn qcn(
    model: &FeedbackParameters,
    q0: i32,
    random: &mut Random,
    samples: &[Sample],
    gaps: Pattern,
    slow: Pattern,
) -> Count {
    let ports: BTreeMap<String, u64> = model.values("").into_iter().collect();
    let mut clocked = Clocked::<QcnFeedback>::new(&|name| ports[name]);
    let (mut gaps, mut slow) = (Willing::new(gaps), Willing::new(slow));
    let mut interval = model.interval(0);
    let mut span = interval.span;
    let mut count = Count::default();
    let check_idle = |clocked: &mut Clocked<QcnFeedback>, interval: JitterParameters, span: &mut u32| {
        clocked.circuit.sample_valid.next = false;
        clocked.circuit.frame_done.next = false;
        clocked.settle();
        assert!(!clocked.circuit.feedback_valid.val() && !clocked.circuit.pop.val(), "something without a sample");
        check_interval(&clocked.circuit, interval, span);
        clocked.edge();
    };
    for sample in samples {
        while !gaps.next(random) {
            drive(&mut clocked.circuit, &self::sample(random, q0));
            check_idle(&mut clocked, interval, &mut span);
        }
        drive(&mut clocked.circuit, sample);
        clocked.circuit.sample_valid.next = true;
        let quantized = model.quantize(model.congestion(sample.q_offset, sample.q_delta));
        let sends = sample.controlled && quantized.is_some_and(|quantized| model.sends(quantized));
        let latency = if quantized.is_some() { QCN_LATENCY } else { QCN_DROP_LATENCY };
        for cycle in 0.. {
            let sending = sends && cycle >= latency;
            // The last word is sent in a cycle in which there is a frame.
            let frame_done = sending && slow.next(random);
            clocked.circuit.frame_done.next = frame_done;
            clocked.settle();
            let circuit = &clocked.circuit;
            assert_eq!(circuit.feedback_valid.val(), sending, "{sample:?} in cycle {cycle}");
            if sending {
                assert_eq!(value(circuit.quantized_feedback.val()), u64::from(quantized.unwrap_or(0)), "{sample:?}");
                assert_eq!(value(circuit.q_offset_units.val()) as i16, to_units(sample.q_offset));
                assert_eq!(value(circuit.q_delta_units.val()) as i16, to_units(sample.q_delta));
            }
            let pop = if sends { frame_done } else { cycle == latency };
            assert_eq!(circuit.pop.val(), pop, "{sample:?} in cycle {cycle}");
            // A quantised value changes the interval one cycle after the division, a dropped sample after its pop.
            let told = if cycle <= latency { interval } else { model.interval(quantized.unwrap_or(0)) };
            check_interval(circuit, told, &mut span);
            clocked.edge();
            if pop {
                break;
            }
            assert!(cycle < 2000, "stuck with {sample:?}");
        }
        interval = model.interval(quantized.unwrap_or(0));
        *(if sends { &mut count.sent } else { &mut count.dropped }) += 1;
    }
    check_idle(&mut clocked, interval, &mut span);
    count
}

#[test]
fn qcn_quantises_as_the_model_does() {
    let mut total = Count::default();
    for (seed, set) in sets("qcn", 150).into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let model = FeedbackParameters::new(&set.parameters);
        let q0 = set.parameters.integer("q0_bytes") as i32;
        let samples: Vec<_> = (0..80).map(|_| sample(&mut random, q0)).collect();
        let (gaps, slow) = (random.pick(&PATTERNS), random.pick(&PATTERNS));
        let count = qcn(&model, q0, &mut random, &samples, gaps, slow);
        total.sent += count.sent;
        total.dropped += count.dropped;
    }
    assert!(total.sent > 2000 && total.dropped > 2000, "{total:?}");
}

/// The extremes of 25 bits, in every combination of signs, with the largest and the smallest weight.
#[test]
fn qcn_at_the_extremes() {
    let ends = [-(1 << 24), -(1 << 24) + 1, -1, 0, 1, (1 << 24) - 1];
    for (weight, full_scale) in [(0, 64), (0, (1 << 26) - 1), (63, 127 * 64), (63, (1 << 26) - 1), (1, 3)] {
        let model = FeedbackParameters {
            weight,
            feedback_full_scale: full_scale,
            send_zero_feedback: true,
            interval_low: [1, 2, 3, 4, 5, 6, 7, 0xff_ffff],
            interval_span: [0xff_ffff, 9, 8, 7, 6, 5, 4, 0],
        };
        let samples: Vec<_> = ends
            .iter()
            .flat_map(|&q_offset| ends.map(|q_delta| Sample { q_offset, q_delta, controlled: true }))
            .collect();
        qcn(&model, 64, &mut Random::new(2), &samples, Pattern::Always, Pattern::Bursts(7));
    }
}
