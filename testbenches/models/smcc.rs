// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC: numbers computed by hand (Jiang 2015b, section 4), and properties of every state.

use crate::models::{stored_at_first, stored_of};
use proptest::prelude::*;
use tidegate::scheme::Feedback;
use tidegate::scheme::Stepping;
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::schemes::smcc::rule::{CalculatorParameters, ReactionPoint};
use tidegate::units::RATE_MAX;
use tidegate_testing::settings::{accepted, config, parameters};

/// 1 Gb/s at 125 MHz: one byte per cycle.
const GIGABIT: u32 = 1 << 18;
/// 10 Mb/s: 2621.44 steps.
const MINIMUM: u32 = 2621;

fn reaction_point(pairs: &[(&str, &str)]) -> ReactionPoint {
    let set = parameters("smcc", pairs);
    ReactionPoint::new(CalculatorParameters::new(&set), CpidParameters::new(&set))
}

fn feedback(rp: &mut ReactionPoint, q_offset: i16, q_delta: i16, cpid: u64) -> bool {
    let step = rp.feedback(Feedback { quantized_feedback: 0, q_offset, q_delta, cpid });
    if let Some(step) = step {
        rp.apply(step);
    }
    step.is_some()
}

/// The rate after each of some feedbacks from one congestion point.
fn rates(rp: &mut ReactionPoint, feedbacks: &[(i16, i16)]) -> Vec<u32> {
    feedbacks
        .iter()
        .map(|&(q_offset, q_delta)| {
            feedback(rp, q_offset, q_delta, 7);
            rp.current_rate().0
        })
        .collect()
}

/// q0 = 64 KB is 1024 units. R_a = 256 Mb/s is 67108.864 steps at 1024 units, R_b = 64 Mb/s 16777.216: 65.536 and
/// 16.384 a unit; products are cut.
#[test]
fn the_state_follows_the_signs() {
    // A, both positive: 1024 units of Qoff are 67108
    assert_eq!(rates(&mut reaction_point(&[]), &[(1024, 1)]), [GIGABIT - 67_108]);
    // A, both negative: back up by the same
    assert_eq!(rates(&mut reaction_point(&[]), &[(1024, 1), (-512, -1)]), [195_036, 195_036 + 33_554]);
    // B, queue short but growing: 100 units of ΔQ are 1638.4
    assert_eq!(rates(&mut reaction_point(&[]), &[(-5, 100)]), [GIGABIT - 1638]);
    // B, queue long but shrinking
    assert_eq!(rates(&mut reaction_point(&[]), &[(1024, 1), (5, -100)]), [195_036, 195_036 + 1638]);
}

/// ΔQ = 0 with the sign of Qoff; else as in `zero_counts_as_positive`.
#[test]
fn zero_in_state_a() {
    let new = || reaction_point(&[("zero_sign", "state_a")]);
    assert_eq!(rates(&mut new(), &[(0, 10)]), [GIGABIT]);
    assert_eq!(rates(&mut new(), &[(1024, 1), (0, -10)]), [195_036, 195_036 + 163]);
    assert_eq!(rates(&mut new(), &[(10, 0)]), [GIGABIT - 655]);
    assert_eq!(rates(&mut new(), &[(0, 0)]), [GIGABIT]);
    // (−10, 0): A, up by 655.36
    assert_eq!(rates(&mut new(), &[(1024, 1), (-10, 0)]), [195_036, 195_036 + 655]);
    // ΔQ = 0 is not above T1: R_small, half as much
    let mut two = reaction_point(&[("zero_sign", "state_a"), ("two_stage", "true")]);
    assert_eq!(rates(&mut two, &[(1024, 129), (-10, 0)]), [195_036, 195_036 + 327]);
    // It is an increase, and needs the congestion point of the last decrease.
    let mut rp = new();
    assert!(!feedback(&mut rp, -10, 0, 7), "no decrease yet");
    assert!(feedback(&mut rp, 10, 0, 7) && feedback(&mut rp, -10, 0, 7) && !feedback(&mut rp, -10, 0, 8));
}

/// C/64 is 4,096 steps of the rate: 15.625 Mb/s.
#[test]
fn the_rate_counts_in_levels() {
    let levels = |feedbacks: &[(i16, i16)]| {
        let rates = rates(&mut reaction_point(&[("rate_levels", "64")]), feedbacks);
        assert!(rates.iter().all(|rate| rate % 4096 == 0), "{rates:?}");
        rates.into_iter().map(|rate| rate / 4096).collect::<Vec<_>>()
    };
    // 67,108 are 16.4 levels: 47.6 are left.
    assert_eq!(levels(&[(1024, 1)]), [47]);
    // A decrease by 65 steps costs a whole level, an increase by less than a level is lost.
    assert_eq!(levels(&[(1, 1), (-62, -1), (-63, -1)]), [63, 63, 64]);
    // 10 Mb/s are 0.64 levels: the least is one.
    assert_eq!(levels(&[(32_767, 0)]), [1]);
}

#[test]
fn zero_counts_as_positive() {
    // (0, 10): A, a change by 0 of Qoff
    assert_eq!(rates(&mut reaction_point(&[]), &[(0, 10)]), [GIGABIT]);
    // (0, −10): B, up by 163.84
    assert_eq!(rates(&mut reaction_point(&[]), &[(1024, 1), (0, -10)]), [195_036, 195_036 + 163]);
    // (10, 0): A, down by 655.36
    assert_eq!(rates(&mut reaction_point(&[]), &[(10, 0)]), [GIGABIT - 655]);
    // (−10, 0): B, a change by 0 of ΔQ, though the queue is short
    assert_eq!(rates(&mut reaction_point(&[]), &[(1024, 1), (-10, 0)]), [195_036, 195_036]);
}

/// T1 = 8192 bytes is 128 units; R_small = 128 Mb/s is 33554.432 steps at 1024 units.
#[test]
fn two_stages() {
    let two = [("two_stage", "true")];
    for (delta, step) in [(128, 33_554), (129, 67_108), (0, 33_554), (32_767, 67_108)] {
        assert_eq!(rates(&mut reaction_point(&two), &[(1024, delta)]), [GIGABIT - step], "ΔQ = {delta}");
        assert_eq!(rates(&mut reaction_point(&[]), &[(1024, delta)]), [GIGABIT - 67_108], "one stage, ΔQ = {delta}");
    }
    for (delta, step) in [(-128, 33_554), (-129, 67_108), (-32_768, 67_108)] {
        let rates = rates(&mut reaction_point(&two), &[(1024, 129), (1024, 129), (-1024, delta)]);
        assert_eq!(rates[2] - rates[1], step, "ΔQ = {delta}");
    }
    // State B has one stage.
    assert_eq!(rates(&mut reaction_point(&two), &[(-1, 1024)]), [GIGABIT - 16_777]);
}

#[test]
fn an_increase_counts_only_from_the_point_of_the_last_decrease() {
    let mut rp = reaction_point(&[]);
    assert!(!feedback(&mut rp, -1024, -1, 7), "no decrease yet");
    assert!(feedback(&mut rp, 1024, 1, 7));
    assert!(!feedback(&mut rp, -100, -1, 8));
    assert!(!feedback(&mut rp, 100, -100, 7 | 1 << 63), "all 64 bits are compared");
    assert_eq!(rp.current_rate().0, 195_036);
    assert!(feedback(&mut rp, -100, -1, 7));
    assert!(feedback(&mut rp, 0, 0, 8) && feedback(&mut rp, -1024, 0, 8), "a step of 0 is taken");
    assert!(!feedback(&mut rp, -100, -1, 8), "it is no decrease: its CPID is not stored");
    assert!(feedback(&mut rp, -100, -1, 7));
    assert!(feedback(&mut rp, 1, 0, 8), "a decrease above q0");
    assert!(feedback(&mut rp, -100, -1, 8) && !feedback(&mut rp, -100, -1, 7));
}

/// A switch whose queue is 100 units below q0 and grows: State B, a decrease. With w = 2, Qoff + w·ΔQ > 0 from ΔQ = 51 on.
#[test]
fn which_decrease_stores_its_congestion_point() {
    const CONGESTED: u64 = 7;
    const OTHER: u64 = 8;
    for (store, delta, stores) in [
        ("congested", 1, false),
        ("congested", 50, false),
        ("congested", 51, false),
        ("congested", i16::MAX, false),
        ("fb", 1, false),
        ("fb", 50, false),
        ("fb", 51, true),
        ("fb", i16::MAX, true),
        ("any", 1, true),
        ("any", 51, true),
    ] {
        let mut rp = reaction_point(&[("cpid_store", store)]);
        assert!(feedback(&mut rp, 1024, 1, CONGESTED));
        let before = rp.current_rate();
        assert!(feedback(&mut rp, -100, delta, OTHER));
        assert!(rp.current_rate() < before, "each decrease lowers the rate");
        assert_eq!(feedback(&mut rp, -1, -1, OTHER), stores, "{store}, ΔQ = {delta}");
        assert_eq!(feedback(&mut rp, -1, -1, CONGESTED), !stores, "{store}, ΔQ = {delta}");
        // A queue above q0 always does.
        assert!(
            feedback(&mut rp, 1, 0, OTHER) && feedback(&mut rp, -1, -1, OTHER) && !feedback(&mut rp, -1, -1, CONGESTED)
        );
    }
    // Another w; with 0 only the queue length counts.
    for (w, delta, stores) in
        [("63", 1, false), ("63", 2, true), ("1", 100, false), ("1", 101, true), ("0", i16::MAX, false)]
    {
        let mut rp = reaction_point(&[("cpid_store", "fb"), ("w", w)]);
        assert!(feedback(&mut rp, 1024, 1, CONGESTED) && feedback(&mut rp, -100, delta, OTHER));
        assert_eq!(feedback(&mut rp, -1, -1, OTHER), stores, "w = {w}, ΔQ = {delta}");
    }
}

/// A flow that only switches below q0 have slowed is raised by the first of them.
#[test]
fn the_first_decrease_always_stores_its_congestion_point() {
    for store in ["congested", "fb", "any"] {
        let mut rp = reaction_point(&[("cpid_store", store)]);
        assert!(feedback(&mut rp, -1024, 100, 7));
        assert_eq!(rp.current_rate().0, GIGABIT - 1638);
        assert!(!feedback(&mut rp, -1024, -1, 8));
        assert!(feedback(&mut rp, -1024, -1, 7));
        assert_eq!(rp.current_rate().0, GIGABIT, "{store}");
    }
}

#[test]
fn as_much_of_the_cpid_as_is_stored() {
    let mut rp = reaction_point(&[("cpid_bits", "16")]);
    assert!(!feedback(&mut rp, -1, -1, 0), "no decrease yet");
    assert!(feedback(&mut rp, 1024, 1, 0x1_0007));
    assert!(!feedback(&mut rp, -1, -1, 0x2_0007));
    assert!(!feedback(&mut rp, -1, -1, 0x1_0006));
    assert!(feedback(&mut rp, -1, -1, 0x1_0000_0007), "the same digest");
    let mut rp = reaction_point(&[("cpid_bits", "0")]);
    assert!(feedback(&mut rp, -1, -1, 1), "nothing to compare");
    assert!(feedback(&mut rp, 1024, 1, 2));
    assert!(feedback(&mut rp, -1, -1, u64::MAX));
}

#[test]
fn rates_saturate_at_minimum_and_line_rate() {
    let mut rp = reaction_point(&[]);
    assert_eq!(rates(&mut rp, &[(32_767, 0), (32_767, 32_767)]), [MINIMUM; 2]);
    assert_eq!(rates(&mut rp, &[(-32_768, -32_768), (-32_768, -1)]), [GIGABIT; 2]);
    assert_eq!(rates(&mut rp, &[(-32_768, 32_767)]), [MINIMUM], "32767 · 16.384 = 536854");
    // The largest gain, nearly 2^16 steps a unit: steps saturate at a rate.
    // The line rate is 127.999 · 2^18 = 33554169.9.
    let mut rp =
        reaction_point(&[("q0_bytes", "64"), ("ra_mbps", "249"), ("rb_mbps", "249"), ("line_rate_mbps", "127999")]);
    assert_eq!(rates(&mut rp, &[(32_767, 32_767), (-32_768, -32_768)]), [MINIMUM, 33_554_170]);
}

fn corner() -> impl Strategy<Value = i16> {
    prop_oneof![
        1 => prop::sample::select(vec![i16::MIN, -1, 0, 1, i16::MAX]),
        3 => (any::<i16>(), 0u32..15).prop_map(|(any, shift)| any >> shift),
    ]
}

fn cpid() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![0, 1, 2, 1 << 16, u64::MAX])
}

proptest! {
    #![proptest_config(config(2000))]

    /// SMCC has no bound for a single cut: equation (25) is additive, so that one feedback may take the rate from line
    /// rate to the minimum. QCN's "never more than half" is not asserted here.
    #[test]
    fn whatever_happens(
        set in accepted("smcc"),
        feedbacks in prop::collection::vec((corner(), corner(), cpid()), 1..150)
    ) {
        let p = &set.parameters;
        let calculator = CalculatorParameters::new(p);
        let (least, most) = (calculator.min_rate.0, p.rate("line_rate_mbps").0);
        let level = if p.choice("rate_levels") == "0" { 1 } else { most / p.choice("rate_levels").parse::<u32>().unwrap() };
        prop_assert!(least >= p.rate("min_rate_mbps").0 && least < p.rate("min_rate_mbps").0 + level);
        let mut rp = ReactionPoint::new(calculator, CpidParameters::new(p));
        let (mut stored, mut first) = (stored_at_first(p), true);
        prop_assert_eq!(rp.current_rate().0, most);
        for (offset, delta, cpid) in feedbacks {
            let before = i128::from(rp.current_rate().0);
            feedback(&mut rp, offset, delta, cpid);
            let after = rp.current_rate().0;
            prop_assert!((least..=most).contains(&after), "rate {after}");
            let delta_below = if delta == 0 && p.choice("zero_sign") == "state_a" { offset < 0 } else { delta < 0 };
            let (change, gain) = match (offset < 0, delta_below) {
                (true, false) | (false, true) => (delta, calculator.gain_b),
                _ if p.flag("two_stage") && i64::from(delta).abs() <= p.integer("t1_bytes") as i64 / 64 => {
                    (offset, calculator.gain_a_small)
                }
                _ => (offset, calculator.gain_a),
            };
            let size = i128::from(change).abs() * i128::from(gain) / (1 << 16);
            let size = size.min(i128::from(RATE_MAX));
            let weight = if p.choice("cpid_store") == "fb" { p.integer("w") as i64 } else { 0 };
            let line = i64::from(offset) + weight * i64::from(delta);
            if change > 0 && (line > 0 || first || p.choice("cpid_store") == "any") {
                stored = Some(stored_of(p, cpid));
                first = false;
            }
            let expected = if change >= 0 {
                before - size
            } else if stored == Some(stored_of(p, cpid)) {
                before + size
            } else {
                before
            };
            let expected = expected.clamp(least.into(), most.into());
            prop_assert_eq!(i128::from(after), expected - expected % i128::from(level));
        }
    }

    /// The largest change belongs to an offset of q0: within one step in 2^16 per unit of the exact value.
    #[test]
    fn gains_are_the_largest_change_over_q0(set in accepted("smcc")) {
        let p = &set.parameters;
        let calculator = CalculatorParameters::new(p);
        let units = (p.integer("q0_bytes") / 64) as f64;
        for (key, gain) in [("ra_mbps", calculator.gain_a), ("rb_mbps", calculator.gain_b)] {
            let steps = p.decimal(key).to_f64() / (8.0 * p.decimal("clock_mhz").to_f64()) * f64::from(1 << 18);
            let exact = steps / units * 65536.0;
            prop_assert!((f64::from(gain) - exact).abs() <= 0.5 + exact * 1e-9, "{key}: {gain} for {exact}");
        }
    }
}
