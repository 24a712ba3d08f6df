// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM's model, compared with the rule of the paper (Jiang 2014, section 4).

use super::{stored_at_first, stored_of};
use proptest::prelude::*;
use tidegate::model::congestion_point::ModelCongestionPoint;
use tidegate::model::device::CongestionPoint;
use tidegate::model::packet::Packet;
use tidegate::scheme::last_decrease::CpidParameters;
use tidegate::scheme::{Feedback, Stepping};
use tidegate::schemes::asm::rule::{CalculatorParameters, Quantiser, ReactionPoint};
use tidegate::units::RATE_MAX;
use tidegate_testing::settings::{accepted, parameters, scheme};

fn feedback(q_offset: i16, q_delta: i16, cpid: u64) -> Feedback {
    Feedback { quantized_feedback: 0, q_offset, q_delta, cpid }
}

proptest! {
    /// r − α·Qf − β·ΔQ, with the set and the pair of coefficients that the paper's words name.
    #[test]
    fn the_rule_of_11_and_12(set in accepted("asm"), events in prop::collection::vec((any::<i16>(), -900i16..900, 0u64..2), 1..80)) {
        let p = CalculatorParameters::new(&set.parameters);
        let mut calculator = ReactionPoint::new(p, CpidParameters::new(&set.parameters));
        let (mut rate, mut stored, mut slides) = (i64::from(p.line_rate.0), stored_at_first(&set.parameters), false);
        for (q_offset, q_delta, cpid) in events {
            let q_offset = q_offset / 16;
            let (offset, delta) = (i64::from(q_offset), i64::from(q_delta));
            // −Fb
            let line = offset + i64::from(p.weight) * delta;
            let sliding = if offset.abs() + delta.abs() < p.b_zero_units.into() {
                false
            } else {
                slides || line.abs() < p.b_sigma_units.into()
            };
            let coefficients = if sliding { p.sliding } else { p.approach };
            let opposite = (offset >= 0) != (line >= 0);
            let (alpha, beta) = match opposite {
                true => (coefficients.alpha_between, coefficients.beta_between),
                false => (coefficients.alpha_outside, coefficients.beta_outside),
            };
            let part = |value: i64, coefficient: u32| {
                value.signum() * ((value.abs() * i64::from(coefficient)) >> 12).min(RATE_MAX.into())
            };
            let change = -part(offset, alpha) - part(delta, beta);
            let counts = change <= 0 || stored == Some(stored_of(&set.parameters, cpid));
            if counts {
                rate = (rate + change).clamp(p.min_rate.0.into(), p.line_rate.0.into());
                rate -= rate % i64::from(p.rate_cut + 1);
                slides = sliding;
            }
            if change <= 0 {
                stored = Some(stored_of(&set.parameters, cpid));
            }
            if let Some(step) = calculator.feedback(feedback(q_offset, q_delta, cpid)) {
                calculator.apply(step);
            }
            prop_assert_eq!(i64::from(calculator.current_rate().0), rate);
            prop_assert_eq!(calculator.slides(), slides);
        }
    }

    /// A quantised number is a whole multiple of the unit, at most one unit below the number, or saturated.
    #[test]
    fn quantises(set in accepted("asm"), bytes in -(1i32 << 24)..1 << 24) {
        let quantiser = Quantiser::new(&set.parameters);
        let bits = set.parameters.integer("quantiser_bits") as u32;
        let unit = 64i64 << quantiser.mask.trailing_zeros();
        let (least, most) = (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1);
        let expected = i64::from(bytes).div_euclid(unit).clamp(least, most);
        prop_assert_eq!(i64::from(quantiser.quantise(bytes)) * 64, expected * unit);
    }
}

/// The numbers of the packets that are samples, if each packet is due, comes from one of these sources and leaves before the
/// next one enters, long after the feedback frame of the one before.
fn samples(exception: &str, sources: &[u64]) -> Vec<usize> {
    let set = parameters("asm", &[("exception", exception), ("sample_packets", "1"), ("sample_jitter_percent", "0")]);
    let models = scheme("asm").models();
    let mut point = ModelCongestionPoint::new((models.feedback)(&set), models.codec, &set);
    let mut samples = Vec::new();
    for now in 0..100 * sources.len() as u64 {
        let number = (now / 100) as usize;
        let packet = Packet::of_source(sources[number], 1024, true);
        let enters = Some(&packet).filter(|_| now % 100 == 0);
        if point.cycle(now, enters, if now % 100 == 50 { 1024 } else { 0 }).sample.is_some() {
            samples.push(number);
        }
    }
    samples
}

/// Section 4.5: the source of the last feedback is not sampled. By the letter the sample that is due waits for another
/// source; `skip_once` drops it and forgets the source.
#[test]
fn the_source_of_the_last_feedback_is_not_sampled() {
    let alone = [1; 8];
    assert_eq!(samples("skip_once", &alone), [0, 2, 4, 6], "a flow alone gets each second feedback");
    assert_eq!(samples("wait", &alone), [0], "a flow alone is never sampled again");
    let two = [1, 1, 2, 2, 2, 1, 2, 1];
    assert_eq!(samples("skip_once", &two), [0, 2, 4, 5, 6, 7]);
    assert_eq!(samples("wait", &two), [0, 2, 5, 6, 7]);
}

/// At full scale each coefficient changes the rate by its share of C (section 5.1).
#[test]
fn shares_of_the_line_rate() {
    let set = parameters("asm", &[]);
    let quantiser = Quantiser::new(&set);
    assert_eq!((quantiser.limit, quantiser.mask), (1023, !7), "8 bits span 128 KB: units of 512 bytes");
    let p = CalculatorParameters::new(&set);
    let share = |coefficient: u32| f64::from(coefficient) * 1024.0 / 4096.0 / f64::from(p.line_rate.0);
    for (coefficient, expected) in [
        (p.approach.alpha_outside, 1.0 / 8.0),
        (p.approach.alpha_between, 1.0 / 64.0),
        (p.approach.beta_outside, 1.0 / 16.0),
        (p.approach.beta_between, 1.0 / 2.0),
        (p.sliding.alpha_outside, 1.0 / 16.0),
        (p.sliding.alpha_between, 1.0 / 128.0),
        (p.sliding.beta_outside, 1.0 / 32.0),
        (p.sliding.beta_between, 1.0 / 4.0),
    ] {
        assert!((share(coefficient) - expected).abs() < 1e-6, "{} for {expected}", share(coefficient));
    }
    assert_eq!((p.b_sigma_units, p.b_zero_units), (64 * 8, 16 * 8));
    // With equations (4) and (12) the pairs of coefficients are exchanged.
    let other = CalculatorParameters::new(&parameters("asm", &[("fb_sign", "equation")]));
    assert_eq!(other.approach.alpha_between, p.approach.alpha_outside);
    assert_eq!(other.sliding.beta_outside, p.sliding.beta_between);
}
