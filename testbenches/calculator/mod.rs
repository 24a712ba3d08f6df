// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits of the calculators, compared with the models with latencies, cycle by cycle.

use std::sync::LazyLock;
use tidegate::bench::circuit::CircuitCalculator;
use tidegate::bench::machine::{Maker, Native};
use tidegate::engine::Simulation;
use tidegate::model::codec::Payload;
use tidegate::model::device::{Calculator, CalculatorState};
use tidegate::model::wire::CPID;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::scheme::{Feedback, Part};
use tidegate_testing::settings::{Accepted, scheme, sets, settings};
use tidegate_testing::stimulus::{PATTERNS, Random, Willing};

/// A circuit and a model with the same inputs, which must have the same outputs.
struct Pair<C, M> {
    circuit: C,
    model: M,
    now: u64,
    settings: String,
}

impl<C: Calculator, M: Calculator> Pair<C, M> {
    /// One cycle. Returns whether the feedback was taken, and the registers.
    fn cycle(&mut self, feedback: Option<Feedback>, sent: Option<u32>, empty: bool) -> (bool, CalculatorState) {
        let feedback = feedback.map(Payload::from);
        let circuit = self.circuit.cycle(self.now, feedback.as_ref(), sent, empty);
        let model = self.model.cycle(self.now, feedback.as_ref(), sent, empty);
        assert_eq!(circuit, model, "cycle {} with {}", self.now, self.settings);
        self.now += 1;
        circuit
    }
}

/// A calculator that runs as machine code.
type Circuit = CircuitCalculator<Simulation>;

/// The calculator of a scheme, compiled.
fn compiled(scheme: &Scheme) -> Native {
    let mut blocks = scheme.blocks(Part::ReactionPoint).into_iter();
    Native::of(blocks.find(|circuit| circuit.block == "calculator").unwrap(), &[], None)
}

fn circuit(of: &Native, scheme: &Scheme, set: &Accepted) -> Circuit {
    let ports = registry::ports(scheme, &set.parameters);
    CircuitCalculator::new(of.make("calculator", &|name| ports[name]), CpidParameters::new(&set.parameters))
}

fn qcn_pair(set: &Accepted) -> Pair<Circuit, tidegate::schemes::qcn::model::CalculatorBlock> {
    static COMPILED: LazyLock<Native> = LazyLock::new(|| compiled(scheme("qcn")));
    Pair {
        circuit: circuit(&COMPILED, scheme("qcn"), set),
        model: tidegate::schemes::qcn::model::calculator(&set.parameters, set.parameters.integer("seed") as u16),
        now: 0,
        settings: format!("{set:?}"),
    }
}

fn smcc_pair(set: &Accepted) -> Pair<Circuit, tidegate::schemes::smcc::model::CalculatorBlock> {
    static COMPILED: LazyLock<Native> = LazyLock::new(|| compiled(scheme("smcc")));
    Pair {
        circuit: circuit(&COMPILED, scheme("smcc"), set),
        model: tidegate::schemes::smcc::model::calculator(&set.parameters, 1),
        now: 0,
        settings: format!("{set:?}"),
    }
}

fn set(name: &str, pairs: &[(&str, &str)]) -> Accepted {
    let settings = settings(pairs);
    Accepted { parameters: scheme(name).parameters(&settings).unwrap(), settings }
}

/// Counts of the events of a run.
#[derive(Default, Debug)]
struct Reached {
    decreases: u32,
    byte_stages: u32,
    time_stages: u32,
    above_line_rate: u32,
    minimum: u32,
    inactive_again: u32,
}

fn run_qcn(set: &Accepted, seed: u64, cycles: u64, reached: &mut Reached) {
    let mut random = Random::new(seed);
    let mut pair = qcn_pair(set);
    let p = &set.parameters;
    let (least, most) = (p.rate("min_rate_mbps"), p.rate("line_rate_mbps"));
    let cycle_bytes = p.integer("byte_cycle_bytes");
    let empties = random.pick(&PATTERNS);
    let mut empties = Willing::new(empties);
    // With frames in every cycle the timer is never served; with frames at the rate of a link it is.
    let sent_in = random.pick(&[1, 8, 60]);
    // Interval between feedbacks: long enough to recover, or short enough to reach the minimum.
    let feedback_in = random.pick(&[3, 200, 1000, 4000]);
    let mut waiting: Option<Feedback> = None;
    let mut before: Option<CalculatorState> = None;
    for _ in 0..cycles {
        if waiting.is_none() && random.below(feedback_in) == 0 {
            let quantized_feedback = random.bus(6) as u8;
            waiting = Some(Feedback { quantized_feedback, cpid: CPID, ..Feedback::default() });
        }
        let bytes = match random.below(4) {
            0 => random.bus(24),
            1 => cycle_bytes,
            _ => random.between(0, cycle_bytes / 2),
        };
        let sent = (random.below(sent_in) == 0).then_some(bytes as u32);
        let empty = empties.next(&mut random);
        let (taken, state) = pair.cycle(waiting, sent, empty);
        if taken {
            waiting = None;
            reached.decreases += 1;
        }
        let (target, byte_stage, time_stage) = state.target.expect("QCN has a target");
        let (_, byte_before, time_before) = before.and_then(|state| state.target).unwrap_or((target, 0, 0));
        reached.byte_stages += u32::from(byte_stage > byte_before);
        reached.time_stages += u32::from(time_stage > time_before);
        reached.above_line_rate += u32::from(target > most);
        reached.minimum += u32::from(state.current_rate == least && least < most);
        let idle = (byte_stage, time_stage) == (0, 0) && state.current_rate == most;
        reached.inactive_again += u32::from(idle && byte_before + time_before > 0);
        before = Some(state);
    }
}

#[test]
fn qcn_over_all_that_is_accepted() {
    let mut reached = Reached::default();
    for (seed, set) in sets("qcn", 120).iter().enumerate() {
        run_qcn(set, seed as u64, 2500, &mut reached);
    }
    // Most timers are much longer than these runs; the next test has short ones.
    let Reached { decreases, byte_stages, above_line_rate, minimum, .. } = reached;
    assert!([decreases, byte_stages, above_line_rate, minimum].iter().all(|&count| count > 500), "{reached:?}");
}

/// Short cycles and timers, so that both often end in the same cycle, and during an operation.
#[test]
fn qcn_with_everything_at_once() {
    let mut reached = Reached::default();
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let number = |random: &mut Random, most| random.between(0, most).to_string();
        let pairs = [
            ("byte_cycle_bytes", (103 + random.bus(10)).to_string()),
            ("timer_us", format!("0.{:03}", 824 + random.below(176))),
            ("ai_rate_mbps", number(&mut random, 100)),
            ("hai_rate_mbps", number(&mut random, 2000)),
            ("fast_recovery_cycles", random.between(1, 6).to_string()),
            ("gd_shift", random.between(1, 8).to_string()),
            ("min_rate_mbps", random.pick(&["0.004", "10", "990"]).to_string()),
            ("stage_rule", random.pick(&["at", "after"]).to_string()),
            ("target_reduction", random.pick(&["true", "false"]).to_string()),
            ("extra_fast_recovery", random.pick(&["true", "false"]).to_string()),
            ("cycle_jitter_percent", random.pick(&["0", "30", "100"]).to_string()),
            ("seed", random.between(1, 65535).to_string()),
        ];
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        run_qcn(&set("qcn", &pairs), seed, 6000, &mut reached);
    }
    assert!(reached.inactive_again > 100 && reached.minimum > 100 && reached.time_stages > 500, "{reached:?}");
}

/// The largest rates and products: 127.999 bytes per cycle, R_HAI of 100 Gb/s times its count, G_d = 1/2.
#[test]
fn qcn_at_the_largest_rates() {
    let set = set(
        "qcn",
        &[
            ("line_rate_mbps", "127999"),
            ("min_rate_mbps", "0.004"),
            ("ai_rate_mbps", "100000"),
            ("hai_rate_mbps", "100000"),
            ("gd_shift", "1"),
            ("timer_us", "0.416"),
            ("byte_cycle_bytes", "6656"),
            ("fast_recovery_cycles", "1"),
            ("target_reduction", "true"),
        ],
    );
    let mut reached = Reached::default();
    (0..10).for_each(|seed| run_qcn(&set, seed, 4000, &mut reached));
    // stages up to 63, with the target saturated
    let mut pair = qcn_pair(&set);
    pair.cycle(Some(Feedback { quantized_feedback: 63, ..Feedback::default() }), None, false);
    let mut last = None;
    for cycle in 0..4000 {
        last = Some(pair.cycle(None, (cycle % 40 == 0).then_some(6656), false).1);
    }
    let (target, byte_stage, time_stage) = last.and_then(|state| state.target).unwrap();
    assert_eq!((target.0, byte_stage, time_stage), (tidegate::units::RATE_MAX, 63, 63));
}

/// The shortest periods that the validator accepts, at line rate: a feedback is still taken.
#[test]
fn qcn_is_never_deaf() {
    for jitter in ["0", "100"] {
        let (timer, bytes) = if jitter == "0" { ("0.416", "6656") } else { ("0.824", "13311") };
        let set = set(
            "qcn",
            &[
                ("line_rate_mbps", "127999"),
                ("timer_us", timer),
                ("byte_cycle_bytes", bytes),
                ("cycle_jitter_percent", jitter),
                ("fast_recovery_cycles", "1"),
            ],
        );
        let mut pair = qcn_pair(&set);
        let feedback = Some(Feedback { quantized_feedback: 0, ..Feedback::default() });
        let mut waited = 0;
        let mut taken = 0;
        for cycle in 0..20_000u32 {
            // Not often, so that stages are above 1 and periods are halved; 128 bytes a cycle leave, a frame each 12th.
            let offered = feedback.filter(|_| cycle % 1000 > 500);
            waited = match pair.cycle(offered, (cycle % 12 == 0).then_some(12 * 128), false).0 {
                true => 0,
                false => waited + u32::from(offered.is_some()),
            };
            taken += u32::from(offered.is_some() && waited == 0);
            assert!(waited < 60, "a feedback waits for {waited} cycles");
        }
        assert!(taken > 100);
    }
}

/// The rate changes twelve cycles after the feedback was taken, not earlier.
#[test]
fn qcn_takes_twelve_cycles() {
    let mut pair = qcn_pair(&set("qcn", &[]));
    let feedback = Some(Feedback { quantized_feedback: 63, ..Feedback::default() });
    assert!(pair.cycle(feedback, None, false).0);
    for _ in 0..11 {
        let (taken, state) = pair.cycle(feedback, None, false);
        assert!(!taken);
        assert_eq!(state.current_rate.0, 262_144);
    }
    let (taken, state) = pair.cycle(feedback, None, false);
    assert!(taken);
    assert_eq!(state.current_rate.0, 133_120);
}

fn run_smcc(set: &Accepted, seed: u64, cycles: u64) -> (u32, u32) {
    let mut random = Random::new(seed);
    let mut pair = smcc_pair(set);
    let pattern = random.pick(&PATTERNS);
    let mut arrivals = Willing::new(pattern);
    let cpids = [CPID, CPID ^ 1, CPID ^ 1 << 63, 0, u64::MAX];
    let (mut ups, mut downs) = (0, 0);
    let mut before = set.parameters.rate("line_rate_mbps");
    let spread = random.pick(&[1, 5]);
    let mut waiting = None;
    for _ in 0..cycles {
        let feedback = arrivals.next(&mut random).then(|| Feedback {
            quantized_feedback: random.bus(6) as u8,
            q_offset: random.bus(16) as u16 as i16,
            q_delta: random.bus(16) as u16 as i16,
            cpid: cpids[random.below(spread) as usize],
        });
        let feedback = feedback.map(|feedback| {
            let mut signs = |value: i16| if random.chance(50) { value.wrapping_neg() } else { value };
            Feedback { q_offset: signs(feedback.q_offset), q_delta: signs(feedback.q_delta), ..feedback }
        });
        // A feedback is held until it is taken.
        waiting = waiting.or(feedback);
        let (taken, state) = pair.cycle(waiting, None, false);
        waiting = waiting.filter(|_| !taken);
        ups += u32::from(state.current_rate > before);
        downs += u32::from(state.current_rate < before);
        before = state.current_rate;
    }
    (ups, downs)
}

#[test]
fn smcc_over_all_that_is_accepted() {
    let (mut ups, mut downs) = (0, 0);
    for (seed, set) in sets("smcc", 150).iter().enumerate() {
        let (up, down) = run_smcc(set, seed as u64, 20_000);
        (ups, downs) = (ups + up, downs + down);
    }
    assert!(ups > 5000 && downs > 5000, "{ups} ups, {downs} downs");
}

/// All pairs of corner values of both offsets, from the line rate and from the middle, with every gain.
#[test]
fn smcc_at_the_corners() {
    const CORNERS: [i16; 9] = [i16::MIN, i16::MIN + 1, -129, -1, 0, 1, 128, 129, i16::MAX];
    for pairs in [
        vec![],
        vec![("two_stage", "true")],
        vec![("zero_sign", "state_a")],
        vec![("zero_sign", "state_a"), ("two_stage", "true")],
        vec![("cpid_store", "fb")],
        vec![("cpid_store", "fb"), ("w", "63")],
        vec![("cpid_store", "any")],
        vec![("q0_bytes", "64"), ("ra_mbps", "249"), ("rb_mbps", "249"), ("line_rate_mbps", "127999")],
        vec![("ra_mbps", "0"), ("rb_mbps", "0")],
        vec![("cpid_bits", "0"), ("min_rate_mbps", "1000")],
    ] {
        let mut pair = smcc_pair(&set("smcc", &pairs));
        let mut take = |q_offset, q_delta| {
            let feedback = Some(Feedback { quantized_feedback: 0, q_offset, q_delta, cpid: CPID });
            let cycles = (0..100).find(|_| pair.cycle(feedback, None, false).0);
            assert_eq!(cycles, Some(18), "the cycle in which it is taken");
        };
        for q_offset in CORNERS {
            for q_delta in CORNERS {
                for first in [(1024, 1), (i16::MIN, i16::MIN), (i16::MAX, 0)] {
                    take(first.0, first.1);
                    take(q_offset, q_delta);
                }
            }
        }
    }
}
