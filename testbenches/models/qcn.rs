// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN: numbers computed by hand (Jiang 2015b, section 2.2; IEEE 802.1Q), and properties of every state.

use proptest::prelude::*;
use tidegate::registry;
use tidegate::scheme::parameters::Parameters;
use tidegate::schemes::qcn::rule::{CalculatorParameters, Ended, FeedbackParameters, ReactionPoint, STAGE_MAX};
use tidegate::units::{Cycles, RATE_MAX, Rate};
use tidegate_testing::settings::{accepted, config, parameters, scheme};

/// 1 Gb/s at 125 MHz: one byte per cycle.
const GIGABIT: u32 = 1 << 18;

/// A cycle after that of every feedback.
const LATER: Cycles = 1;

fn reaction_point(pairs: &[(&str, &str)]) -> ReactionPoint {
    ReactionPoint::new(CalculatorParameters::new(&parameters("qcn", pairs)))
}

/// A feedback, taken and applied at once.
fn feedback(rp: &mut ReactionPoint, quantized_feedback: u8) {
    let moves_target = rp.take_feedback(0);
    rp.decrease(quantized_feedback.into(), moves_target);
}

/// Rate, target, byte stage, time stage.
fn state(rp: &ReactionPoint) -> (u32, u32, u8, u8) {
    let (byte_stage, time_stage) = rp.stages();
    (rp.current_rate().0, rp.target_rate().0, byte_stage, time_stage)
}

#[test]
fn the_first_feedback_cuts_the_line_rate() {
    let mut rp = reaction_point(&[]);
    assert_eq!(state(&rp), (GIGABIT, GIGABIT, 0, 0));
    assert!(!rp.active());
    feedback(&mut rp, 63);
    // 262144 · 63 / 128 = 129024: 507.8125 Mb/s are left
    assert_eq!(state(&rp), (133_120, GIGABIT, 0, 0));
    assert_eq!(rp.current_rate().to_mbps(registry_clock()).to_string(), "507.8125");
    assert!(rp.active());
}

fn registry_clock() -> tidegate::units::Micro {
    parameters("qcn", &[]).decimal("clock_mhz")
}

#[test]
fn cuts_are_rounded_down_bounded_by_half_and_by_the_minimum() {
    let mut rp = reaction_point(&[]);
    feedback(&mut rp, 1);
    assert_eq!(rp.current_rate().0, 262_144 - 2048);
    feedback(&mut rp, 1);
    // 260096 / 128 = 2032
    assert_eq!(rp.current_rate().0, 258_064);
    feedback(&mut rp, 1);
    // 258064 / 128 = 2016.1
    assert_eq!(rp.current_rate().0, 256_048);
    feedback(&mut rp, 0);
    assert_eq!(rp.current_rate().0, 256_048);
    // G_d = 1/2: 63/2 of the rate asked for, half of it cut
    let mut rp = reaction_point(&[("gd_shift", "1")]);
    feedback(&mut rp, 2);
    assert_eq!(rp.current_rate().0, 131_072);
    feedback(&mut rp, 63);
    assert_eq!(rp.current_rate().0, 65_536);
    // 10 Mb/s are 2621.44 steps
    for _ in 0..20 {
        feedback(&mut rp, 63);
    }
    assert_eq!(rp.current_rate().0, 2621);
}

/// Five cycles of fast recovery halve the distance to the target; the sixth raises the target by 1 Mb/s, 262 steps.
#[test]
fn fast_recovery_then_active_increase() {
    let mut rp = reaction_point(&[]);
    feedback(&mut rp, 63);
    for (stage, rate) in [(1, 197_632), (2, 229_888), (3, 246_016), (4, 254_080), (5, 258_112)] {
        rp.increase(Ended::ByteCycle);
        assert_eq!(state(&rp), (rate, GIGABIT, stage, 0));
    }
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp), ((258_112 + 262_406) / 2, 262_406, 6, 0));
    rp.increase(Ended::ByteCycle);
    // (260259 + 262668) / 2 = 261463.5
    assert_eq!(state(&rp), (261_463, 262_668, 7, 0));
    // The target may be above the line rate, the rate not.
    for _ in 0..20 {
        rp.increase(Ended::ByteCycle);
    }
    assert_eq!(state(&rp), (GIGABIT, 262_406 + 21 * 262, 27, 0));
    // The next decrease starts from the rate, not from the target.
    feedback(&mut rp, 10);
    assert_eq!(state(&rp), (GIGABIT - 20_480, GIGABIT, 0, 0));
}

#[test]
fn stage_rule_at_raises_the_target_one_cycle_earlier() {
    let mut rp = reaction_point(&[("stage_rule", "at")]);
    feedback(&mut rp, 63);
    for _ in 0..4 {
        rp.increase(Ended::ByteCycle);
    }
    assert_eq!(state(&rp), (254_080, GIGABIT, 4, 0));
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp), ((254_080 + 262_406) / 2, 262_406, 5, 0));
    let mut rp = reaction_point(&[("fast_recovery_cycles", "1"), ("stage_rule", "at")]);
    feedback(&mut rp, 63);
    rp.increase(Ended::TimerPeriod);
    assert_eq!(state(&rp), ((133_120 + 262_406) / 2, 262_406, 0, 1));
}

/// R_AI = 5 Mb/s = 1310.72, R_HAI = 50 Mb/s = 13107.2 steps.
#[test]
fn hyper_active_increase_counts_the_lesser_stage() {
    let mut rp = reaction_point(&[("profile", "8021q"), ("target_reduction", "false")]);
    feedback(&mut rp, 63);
    for _ in 0..6 {
        rp.increase(Ended::ByteCycle);
    }
    assert_eq!(state(&rp).1, GIGABIT + 1311);
    for stage in 1..=5 {
        rp.increase(Ended::TimerPeriod);
        assert_eq!(state(&rp).1, GIGABIT + 1311 * (1 + stage), "active increase: one stage is past fast recovery");
    }
    let target = GIGABIT + 1311 * 6;
    rp.increase(Ended::TimerPeriod);
    assert_eq!(state(&rp).1, target + 13_107, "min(6, 6) - 5 = 1");
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp).1, target + 13_107 * 2, "min(7, 6) - 5 = 1");
    rp.increase(Ended::TimerPeriod);
    assert_eq!(state(&rp).1, target + 13_107 * 4, "min(7, 7) - 5 = 2");

    let mut rp = reaction_point(&[("profile", "8021q"), ("hai_rate_mbps", "0")]);
    feedback(&mut rp, 63);
    for _ in 0..6 {
        rp.increase(Ended::ByteCycle);
        rp.increase(Ended::TimerPeriod);
    }
    assert_eq!(state(&rp).1, GIGABIT + 2 * 1311, "off: active increase in its place");
}

/// Four cuts by 63/128 from 1 Gb/s: 133120, 67600, 34329, 17433, with the target left at 262144 > 10 · 17433.
#[test]
fn target_reduction_in_the_first_cycle() {
    let deep = |reduction: &str, extra: &[u8]| {
        let mut rp = reaction_point(&[("target_reduction", reduction), ("extra_fast_recovery", "true")]);
        for _ in 0..4 {
            feedback(&mut rp, 63);
        }
        assert_eq!(state(&rp), (17_433, GIGABIT, 0, 0));
        for &quantized in extra {
            feedback(&mut rp, quantized);
        }
        rp
    };
    let mut rp = deep("true", &[]);
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp), ((17_433 + 32_768) / 2, 32_768, 1, 0));
    let mut rp = deep("false", &[]);
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp), ((17_433 + 262_144) / 2, GIGABIT, 1, 0));
    // Not in the second cycle: 7 more cuts to 2621 (minimum), one cycle to 17694, then R = 32768 is not over 10 r.
    let mut rp = deep("true", &[63; 7]);
    assert_eq!(state(&rp).0, 2621);
    rp.increase(Ended::TimerPeriod);
    assert_eq!(state(&rp), ((2621 + 32_768) / 2, 32_768, 0, 1));
    rp.increase(Ended::TimerPeriod);
    assert_eq!(state(&rp), ((17_694 + 32_768) / 2, 32_768, 0, 2));
    // R = 10 r is not over 10 r.
    let mut rp = reaction_point(&[
        ("target_reduction", "true"),
        ("extra_fast_recovery", "true"),
        ("gd_shift", "1"),
        ("line_rate_mbps", "10000"),
        ("min_rate_mbps", "1000"),
    ]);
    for _ in 0..10 {
        feedback(&mut rp, 63);
    }
    assert_eq!(state(&rp), (GIGABIT, 10 * GIGABIT, 0, 0));
    rp.increase(Ended::ByteCycle);
    assert_eq!(state(&rp), (11 * GIGABIT / 2, 10 * GIGABIT, 1, 0));
}

#[test]
fn extra_fast_recovery_keeps_the_target_and_the_byte_counter() {
    let mut rp = reaction_point(&[("extra_fast_recovery", "true")]);
    feedback(&mut rp, 63);
    assert!(!rp.sent(LATER, 149_999));
    feedback(&mut rp, 63);
    assert_eq!(state(&rp), (67_600, GIGABIT, 0, 0));
    assert!(rp.sent(LATER, 1), "the byte counter went on");
    rp.increase(Ended::ByteCycle);
    feedback(&mut rp, 63);
    assert_eq!(state(&rp).1, (67_600 + 262_144) / 2, "after a byte cycle the target moves");
    // A timer period that ended is no byte cycle.
    let target = state(&rp).1;
    rp.increase(Ended::TimerPeriod);
    feedback(&mut rp, 63);
    assert_eq!(state(&rp).1, target);

    let mut rp = reaction_point(&[("extra_fast_recovery", "false")]);
    feedback(&mut rp, 63);
    assert!(!rp.sent(LATER, 149_999));
    feedback(&mut rp, 63);
    assert_eq!(state(&rp), (67_600, 133_120, 0, 0));
    assert!(!rp.sent(LATER, 149_999), "the byte counter began again");
    assert!(rp.sent(LATER, 1));
}

/// 150000 bytes in frames of 1500 are 100 frames; from stage 5 on half of it.
#[test]
fn byte_cycles_halve_at_stage_five() {
    let mut rp = reaction_point(&[]);
    assert!((0..1000).all(|_| !rp.sent(LATER, 1500)), "nothing counts before the first feedback");
    feedback(&mut rp, 63);
    for stage in 0..70 {
        let frames = if stage < 5 { 100 } else { 50 };
        for frame in 1..=frames {
            assert_eq!(rp.sent(LATER, 1500), frame == frames, "frame {frame} in stage {stage}");
        }
        rp.increase(Ended::ByteCycle);
    }
    // Bytes that are sent in the cycle of a restart do not count.
    let mut rp = reaction_point(&[]);
    feedback(&mut rp, 63);
    assert!(!rp.sent(0, 200_000));
    assert!(!rp.sent(LATER, 149_999));
    assert!(rp.sent(LATER, 1));
    // Bytes beyond the end of a byte cycle do not count in the next one.
    let mut rp = reaction_point(&[]);
    feedback(&mut rp, 63);
    assert!(rp.sent(LATER, 299_999));
    assert!(!rp.sent(LATER, 149_999));
    assert!(rp.sent(LATER, 1));
}

/// 15 ms at 125 MHz are 1875000 cycles.
#[test]
fn the_timer_restarts_with_a_feedback_and_halves_at_stage_five() {
    let mut rp = reaction_point(&[("profile", "8021q"), ("cycle_jitter_percent", "0")]);
    assert_eq!(rp.timer_end(77), None, "no timer before the first feedback");
    rp.take_feedback(1000);
    assert_eq!(rp.timer_end(1001), Some(1_876_000), "1875000 cycles after the feedback");
    rp.take_feedback(500_000);
    assert_eq!(rp.timer_end(500_001), Some(2_375_000));
    rp.restart_timer(2_375_000);
    assert_eq!(rp.timer_end(2_375_001), Some(4_250_000));
    rp.decrease(63, true);
    let mut now = 4_250_000;
    // The period that begins with a stage of five or more is half as long.
    for stage in 0..70 {
        rp.restart_timer(now);
        rp.increase(Ended::TimerPeriod);
        now += if stage < 4 { 1_875_000 } else { 937_500 };
        assert_eq!(rp.timer_end(now - 10), Some(now), "after stage {stage}");
    }
    assert_eq!(reaction_point(&[]).timer_end(0), None);
    let mut off = reaction_point(&[]);
    feedback(&mut off, 63);
    assert_eq!(off.timer_end(0), None, "the papers' profile has no timer");
}

#[test]
fn stages_saturate() {
    let mut rp = reaction_point(&[("profile", "8021q")]);
    feedback(&mut rp, 1);
    for _ in 0..100 {
        rp.increase(Ended::ByteCycle);
        rp.increase(Ended::TimerPeriod);
    }
    assert_eq!(rp.stages(), (63, 63));
    assert_eq!(STAGE_MAX, 63);
}

/// R_HAI = 100 Gb/s, many times: the target stays below 128 bytes per cycle.
#[test]
fn the_target_saturates() {
    let mut rp = reaction_point(&[("hai_rate_mbps", "100000"), ("ai_rate_mbps", "100000"), ("timer_us", "1")]);
    feedback(&mut rp, 1);
    for _ in 0..70 {
        rp.increase(Ended::ByteCycle);
        rp.increase(Ended::TimerPeriod);
    }
    assert_eq!(rp.target_rate(), Rate(RATE_MAX));
    assert_eq!(rp.current_rate().0, GIGABIT);
}

#[test]
fn back_at_line_rate_it_becomes_inactive() {
    let mut rp = reaction_point(&[]);
    feedback(&mut rp, 1);
    assert!(!rp.at_line_rate());
    while !rp.at_line_rate() {
        rp.increase(Ended::ByteCycle);
    }
    assert!(!rp.sent(LATER, 1000));
    rp.deactivate();
    assert!(!rp.active());
    assert_eq!(state(&rp), (GIGABIT, GIGABIT, 0, 0));
    feedback(&mut rp, 1);
    assert!(!rp.sent(LATER, 149_999), "the counter begins at 0");
}

/// q0·(2w + 1) = 65536 · 5 = 327680 is 63; 1 is from 327680 / 63 = 5201.3 bytes on.
#[test]
fn feedback_is_quantised_to_six_bits() {
    let paper = FeedbackParameters::new(&parameters("qcn", &[]));
    for (congestion, quantized) in [
        (i32::MIN, None),
        (-1, None),
        (0, None),
        (1, Some(0)),
        (5201, Some(0)),
        (5202, Some(1)),
        (327_679, Some(62)),
        (327_680, Some(63)),
        (1 << 30, Some(63)),
    ] {
        assert_eq!(paper.quantize(congestion), quantized, "{congestion}");
    }
    // Qoff = 1000, ΔQ = −400: 1000 − 800 = 200
    assert_eq!(paper.congestion(1000, -400), 200);
    assert!(paper.sends(0), "the papers send all of Fb < 0");
    let standard = FeedbackParameters::new(&parameters("qcn", &[("profile", "8021q")]));
    assert_eq!(standard.feedback_full_scale, 130_000);
    assert!(!standard.sends(0), "802.1Q sends only QntzFb > 0");
    assert!(standard.sends(1));
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Feedback(u8),
    Sent(u32),
    Wait(u32),
    Empty,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        2 => prop_oneof![Just(0u8), Just(63), 0u8..=63].prop_map(Event::Feedback),
        4 => (0u32..1 << 24, 0u32..24).prop_map(|(bytes, shift)| Event::Sent(bytes >> shift)),
        3 => (any::<u32>(), 0u32..32).prop_map(|(cycles, shift)| Event::Wait(cycles >> shift)),
        1 => Just(Event::Empty),
    ];
    prop::collection::vec(event, 1..150)
}

/// Properties of every state.
fn check_state(rp: &ReactionPoint, p: &Parameters) -> Result<(), TestCaseError> {
    let (rate, target, byte_stage, time_stage) = state(rp);
    prop_assert!(rate >= p.rate("min_rate_mbps").0, "rate {rate} below the minimum");
    prop_assert!(rate <= p.rate("line_rate_mbps").0, "rate {rate} above the line rate");
    // The target may pass the line rate and saturates; it never falls below the rate.
    prop_assert!(target >= rate, "target {target} below the rate {rate}");
    prop_assert!(target <= RATE_MAX);
    prop_assert!(byte_stage <= STAGE_MAX && time_stage <= STAGE_MAX);
    Ok(())
}

fn check_increase(rp: &mut ReactionPoint, p: &Parameters, ended: Ended) -> Result<(), TestCaseError> {
    let (rate, target, ..) = state(rp);
    rp.increase(ended);
    let after = state(rp);
    prop_assert!(after.0 >= rate, "an increase from {rate} to {}", after.0);
    let reduced = p.flag("target_reduction") && target > 10 * rate && after.1 == target / 8;
    prop_assert!(after.1 >= target || reduced, "the target fell from {target} to {}", after.1);
    check_state(rp, p)
}

proptest! {
    #![proptest_config(config(2000))]

    /// Tests run with overflow checks: any overflow is a failure.
    #[test]
    fn whatever_happens(set in accepted("qcn"), events in events()) {
        let p = &set.parameters;
        let mut rp = ReactionPoint::new(CalculatorParameters::new(p));
        let mut now: Cycles = 0;
        check_state(&rp, p)?;
        for event in events {
            now += 1;
            match event {
                Event::Feedback(quantized) => {
                    let (rate, target, byte_stage, _) = state(&rp);
                    let active = rp.active();
                    let moves_target = rp.take_feedback(now);
                    prop_assert_eq!(moves_target, !active || byte_stage > 0 || !p.flag("extra_fast_recovery"));
                    rp.decrease(quantized.into(), moves_target);
                    let after = state(&rp);
                    // Never more than half, exactly r·QntzFb·G_d where neither half nor minimum bounds it.
                    prop_assert!(after.0 <= rate && 2 * after.0 >= rate, "cut from {rate} to {}", after.0);
                    let cut = u128::from(rate) * u128::from(quantized) / (1u128 << p.integer("gd_shift"));
                    let least = (rate - rate / 2).max(p.rate("min_rate_mbps").0);
                    let expected = u128::from(rate).saturating_sub(cut).max(least.into());
                    prop_assert_eq!(u128::from(after.0), expected);
                    prop_assert_eq!(after.1, if moves_target { rate } else { target });
                    prop_assert_eq!((after.2, after.3), (0, 0));
                    check_state(&rp, p)?;
                }
                Event::Sent(bytes) => {
                    if rp.sent(now, bytes) {
                        prop_assert!(rp.active());
                        check_increase(&mut rp, p, Ended::ByteCycle)?;
                    }
                }
                Event::Wait(cycles) => {
                    let until = now + Cycles::from(cycles);
                    for _ in 0..200 {
                        let Some(end) = rp.timer_end(now).filter(|&end| end <= until) else { break };
                        prop_assert!(end >= now);
                        rp.restart_timer(end);
                        check_increase(&mut rp, p, Ended::TimerPeriod)?;
                        now = end + 1;
                    }
                    now = now.max(until);
                }
                Event::Empty => {
                    if rp.at_line_rate() {
                        rp.deactivate();
                        prop_assert_eq!(rp.timer_end(now), None);
                        check_state(&rp, p)?;
                    }
                }
            }
        }
    }

    /// floor(63·|Fb| / full scale), at most 63, without any limit of width.
    #[test]
    fn quantised_feedback_is_the_plain_formula(
        set in accepted("qcn"),
        queue in (0i32..1 << 24, 0u32..24).prop_map(|(queue, shift)| queue >> shift),
        old in 0i32..1 << 24,
    ) {
        let p = &set.parameters;
        let (q0, w) = (i128::from(p.integer("q0_bytes")), i128::from(p.integer("w")));
        let feedback = FeedbackParameters::new(p);
        let (offset, delta) = (queue - q0 as i32, queue - old);
        let congestion = (i128::from(queue) - q0) + w * i128::from(delta);
        prop_assert_eq!(i128::from(feedback.congestion(offset, delta)), congestion);
        let full_scale = match i128::from(p.integer("fb_full_scale_bytes")) {
            0 => q0 * (2 * w + 1),
            stated => stated,
        };
        let expected = (congestion > 0).then(|| (63 * congestion as u128 / full_scale as u128).min(63) as u8);
        prop_assert_eq!(feedback.quantize(feedback.congestion(offset, delta)), expected);
        prop_assert_eq!(feedback.sends(0), p.choice("sample_mode") != "bytes");
        prop_assert!(feedback.sends(1));
        prop_assert_eq!(registry::ports(scheme("qcn"), p)["feedback_full_scale"] as i128, full_scale);
    }
}
