// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's model, compared with equation (2) of Jiang 2015b.

use super::{stored_at_first, stored_of};
use proptest::prelude::*;
use tidegate::scheme::Feedback;
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::schemes::bcn::rule::{CalculatorParameters, FeedbackParameters, Outcome, ReactionPoint};
use tidegate::units::{RATE_MAX, Rate};
use tidegate_testing::settings::{accepted, parameters};

fn feedback(q_offset: i16, q_delta: i16, cpid: u64) -> Feedback {
    Feedback { quantized_feedback: 0, q_offset, q_delta, cpid }
}

proptest! {
    /// Both lines of (2), with |Fb| in six bits, never a cut of more than half, an increase only for the stored CPID.
    #[test]
    fn both_lines_of_2(set in accepted("bcn"), events in prop::collection::vec((any::<i16>(), any::<i16>(), 0u64..2), 1..80)) {
        let p = CalculatorParameters::new(&set.parameters);
        let full_scale = set.parameters.feedback_full_scale() as f64;
        let mut calculator = ReactionPoint::new(p, CpidParameters::new(&set.parameters));
        let mut stored = stored_at_first(&set.parameters);
        for (q_offset, q_delta, cpid) in events {
            let before = i64::from(calculator.current_rate().0);
            let line = i64::from(q_offset) + i64::from(p.weight) * i64::from(q_delta);
            let exact = 63.0 * 64.0 * line.abs() as f64 / full_scale;
            let outcome = calculator.feedback(feedback(q_offset, q_delta, cpid));
            calculator.apply(outcome);
            let (after, cpid) = (i64::from(calculator.current_rate().0), Some(stored_of(&set.parameters, cpid)));
            if (q_offset, q_delta) == (0, 0) {
                prop_assert!(matches!(outcome, Outcome::Stop(_)) && after == 0);
                calculator.restart();
                stored = cpid;
                continue;
            }
            if line == 0 || (line < 0 && cpid != stored) {
                prop_assert_eq!((outcome, after), (Outcome::Nothing, before));
                continue;
            }
            // The gain is rounded: |Fb| is that of the exact number, or of a number close to it.
            let least = ((exact * 0.999).floor() as i64).min(63);
            let most = ((exact * 1.001 + 1e-6).floor() as i64).min(63);
            let level = i64::from(p.rate_cut + 1);
            let rate_for = |fb: i64| {
                let rate = if line > 0 {
                    (before - ((before * fb) >> p.gd_shift)).max(p.min_rate.0.into())
                } else {
                    (before + (i64::from(p.increase_unit.0) * fb).min(RATE_MAX.into())).min(p.line_rate.0.into())
                };
                rate - rate % level
            };
            let (one, other) = (rate_for(least), rate_for(most));
            prop_assert!((one.min(other)..=one.max(other)).contains(&after), "{after} is not from {one} to {other}");
            prop_assert!(after >= before / 2 - before / 2 % level);
            if line > 0 {
                stored = cpid;
            }
        }
    }
}

#[test]
fn a_stop_waits_and_starts_at_the_least_rate() {
    let set = parameters("bcn", &[("t_max_us", "8")]);
    let mut calculator = ReactionPoint::new(CalculatorParameters::new(&set), CpidParameters::new(&set));
    let mut waits = Vec::new();
    for _ in 0..200 {
        let outcome = calculator.feedback(feedback(0, 0, 1));
        let Outcome::Stop(wait) = outcome else { panic!("{outcome:?}") };
        calculator.apply(outcome);
        assert!(calculator.is_stopped() && calculator.current_rate() == Rate(0));
        assert_eq!(calculator.feedback(feedback(100, 100, 1)), Outcome::Nothing, "a stopped source ignores feedback");
        calculator.restart();
        assert_eq!(calculator.current_rate(), set.rate("min_rate_mbps"));
        waits.push(wait);
    }
    // T_max is 1000 cycles.
    assert!(waits.iter().all(|wait| *wait < 1000));
    let mean = waits.iter().sum::<u64>() / 200;
    assert!((400..600).contains(&mean), "{mean}");
}

#[test]
fn two_zeros_mean_severe_congestion_only() {
    let off = FeedbackParameters::new(&parameters("bcn", &[]));
    assert_eq!(off.fields((1 << 24) - 65_537, 0), Some((i16::MAX, 0)), "0 is off");
    assert_eq!(off.fields(63, 0), None, "less than 64 bytes is not sent");
    assert_eq!(off.fields(-1, 0), Some((-1, 0)));
    let on = FeedbackParameters::new(&parameters("bcn", &[("q_severe_bytes", "100000")]));
    assert_eq!(on.fields(100_000 - 65_536, 5), Some((538, 0)));
    assert_eq!(on.fields(100_001 - 65_536, 5), Some((0, 0)));
}
