// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM's model, compared with the plain sums, and with the rule of Cheng, section IV, in floating point.

use super::{stored_at_first, stored_of};
use proptest::prelude::*;
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::scheme::{Feedback, Stepping};
use tidegate::schemes::dsm::rule::{
    CalculatorParameters, FeedbackBlock, FeedbackParameters, ReactionPoint, of_fields, to_fields,
};
use tidegate::units::Rate;
use tidegate_testing::settings::{accepted, parameters};

/// A small random source of its own.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The recurrences of section IV.D give the sums of (25): a million samples, for any m.
#[test]
fn s1_and_s2_are_the_plain_sums() {
    for m in [1usize, 2, 4, 9, 40, 63] {
        let pairs = [("m", m.to_string()), ("u_max_percent", "1".into())];
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let mut block = FeedbackBlock::new(FeedbackParameters::new(&parameters("dsm", &pairs)));
        let mut sent: Vec<i64> = Vec::new();
        let mut state = 88_172_645_463_325_252;
        for k in 0..1_000_000 / 6 {
            let random = next(&mut state);
            let (offset, delta) = (random as i32 >> 9, (random >> 32) as i32 >> 12);
            sent.push(block.sample(offset, delta, !random.is_multiple_of(7)).into());
            let last = |i: usize| (k + 1usize).checked_sub(i).map_or(0, |at| sent[at]);
            let plain_1: i64 = (1..=m).map(last).sum();
            let plain_2: i64 = (1..=m).map(|i| i as i64 * last(i)).sum();
            assert_eq!(block.sums(), (plain_1, plain_2), "m = {m}, sample {k}");
        }
        assert!(sent.iter().any(|step| *step > 0) && sent.iter().any(|step| *step < 0) && sent.contains(&0));
    }
}

/// Any step, and often 0.
fn step() -> impl Strategy<Value = i32> {
    prop_oneof![4 => any::<i32>(), 1 => Just(0)]
}

proptest! {
    /// F is the rule of (24) in floating point, up to the rounding of gains and products.
    #[test]
    fn f_is_the_rule(
        set in accepted("dsm"),
        samples in prop::collection::vec((-200_000i32..200_000, -100_000i32..100_000), 1..40),
    ) {
        let p = FeedbackParameters::new(&set.parameters);
        let mut block = FeedbackBlock::new(p);
        let mut sent: Vec<f64> = Vec::new();
        for (offset, delta) in samples {
            let (m, period) = (p.loop_delay as usize, f64::from(p.period_cycles) / f64::from(1 << 18));
            let last = |i: usize| sent.len().checked_sub(i).map_or(0.0, |at| sent[at]);
            let s1: f64 = (1..=m).map(last).sum();
            let s2: f64 = (1..=m).map(|i| i as f64 * last(i)).sum();
            let predicted_offset = f64::from(offset) + m as f64 * f64::from(delta) + (period * s2).trunc();
            let predicted_change = f64::from(delta) + (period * s1).trunc();
            let line = predicted_offset + f64::from(p.omega) * predicted_change;
            // On a boundary the integers decide.
            let step = f64::from(block.sample(offset, delta, true));
            if predicted_offset != 0.0 && predicted_change != 0.0 && line != 0.0 {
                let gain = |gain: u32| f64::from(gain) / 65_536.0;
                let wanted = if predicted_offset * predicted_change > 0.0 {
                    -gain(p.gain_c) * predicted_offset
                } else if predicted_change * line < 0.0 {
                    -gain(p.gain_a) * predicted_offset
                } else {
                    -gain(p.gain_b) * predicted_change
                };
                let wanted = wanted.clamp(-f64::from(p.step_max), f64::from(p.step_max));
                prop_assert!((step - wanted).abs() <= 1.0, "{step} for {wanted}");
            }
            sent.push(step);
        }
    }

    #[test]
    fn f_travels_in_two_fields(step in any::<i32>()) {
        let (high, low) = to_fields(step);
        prop_assert_eq!(of_fields(high, low), step);
    }

    /// r + F within its bounds; an increase only from the congestion point of the last decrease.
    #[test]
    fn adds_what_it_is_told(set in accepted("dsm"), steps in prop::collection::vec((step(), 0u64..3), 1..60)) {
        let p = CalculatorParameters::new(&set.parameters);
        let mut calculator = ReactionPoint::new(p, CpidParameters::new(&set.parameters));
        let (mut rate, mut stored) = (i64::from(p.line_rate.0), stored_at_first(&set.parameters));
        for (step, cpid) in steps {
            let step = step >> 6;
            let (q_offset, q_delta) = to_fields(step);
            let feedback = Feedback { quantized_feedback: 0, q_offset, q_delta, cpid };
            if let Some(step) = calculator.feedback(feedback) {
                calculator.apply(step);
            }
            let cpid = Some(stored_of(&set.parameters, cpid));
            if step <= 0 || cpid == stored {
                rate = (rate + i64::from(step)).clamp(p.min_rate.0.into(), p.line_rate.0.into());
                rate -= rate % i64::from(p.rate_cut + 1);
            }
            // A step of 0 is no decrease.
            if step < 0 {
                stored = cpid;
            }
            prop_assert_eq!(calculator.current_rate(), Rate(rate as u32));
        }
    }
}

/// Gains of the paper's network: 1/s and steps of the rate at 125 MHz.
#[test]
fn gains_are_the_papers() {
    let p = FeedbackParameters::new(&parameters("dsm", &[]));
    let hertz = |gain: u32| f64::from(gain) / 65_536.0 / 262_144.0 * 125e6;
    assert!((hertz(p.gain_a) - 20e3 / 34.0).abs() < 0.01, "{}", hertz(p.gain_a));
    assert!((hertz(p.gain_b) - 20e3 / 11.0).abs() < 0.01);
    assert!((hertz(p.gain_c) - 10e3).abs() < 0.01);
    assert_eq!(p.period_cycles, 10_240);
}
