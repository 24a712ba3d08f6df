// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive sliding mode congestion control (Jiang 2014, section 4).

use crate::scheme::bounds::{Bounds, Row};
use crate::scheme::gain::Gain;
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::sampling_exception;
use crate::scheme::{Feedback, Step, Stepping, scaled_product, to_units};
use tidegate_core::units::{OCTETS_PER_UNIT, RATE_MAX, Rate};

/// Its keys.
pub(crate) const KEYS: &[Specification] = &[
    key("profile", Kind::Choice(&["paper"]), "paper", "where the defaults come from"),
    key(
        "approach",
        Kind::Shares,
        "1/8,1/64,1/16,1/2",
        "approach set: largest change of the rate by each coefficient, as a share of C: a+, a−, b+, b−",
    ),
    key("sliding", Kind::Shares, "1/16,1/128,1/32,1/4", "sliding set, in the same form"),
    key("b_sigma", Kind::Integer(0, 65535), "64", "B_σ: sliding begins if |Fb| is below this, in quantised units")
        .lively(&["0", "1", "64", "1000", "65535"]),
    key("b_zero", Kind::Integer(0, 65535), "16", "B_0: sliding ends if |Qf| + |ΔQ| is below this, in quantised units")
        .lively(&["0", "1", "16", "300"]),
    key("quantiser_bits", Kind::Integer(2, 16), "8", "bits of Qf and ΔQ, which cover the buffer")
        .lively(&["3", "8", "8", "16"]),
    key(
        "fb_sign",
        Kind::Choice(&["regions", "equation"]),
        "regions",
        "coefficients between Fb = 0 and q = q0: a−, b− (section 4.2, equation (15)) or a+, b+ (equations (4), (12))",
    )
    .lively(&["regions", "equation"]),
    sampling_exception::KEY,
    rate_levels::KEY,
];

/// Checks that concern more than one key.
pub(crate) fn check(keys: &Parameters) -> Result<(), ParameterError> {
    let full_scale = Quantiser::new(keys).full_scale() * OCTETS_PER_UNIT as u32;
    for key in ["approach", "sliding"] {
        for ((numerator, denominator), gain) in keys.shares(key).into_iter().zip(gains(keys, key)) {
            if !gain.fits() {
                let reason = format!(
                    "{numerator}/{denominator} of the line rate for a full scale of {full_scale} octets is too large: expected \
                     less than 4 bytes per cycle for each 64 octets; use more quantiser_bits"
                );
                return Err(ParameterError::new(key, reason));
            }
        }
    }
    Ok(())
}

ports! {
    /// The quantiser of the congestion point: it makes Qf and ΔQ multiples of 64·2^shift bytes and saturates them
    /// (section 5.1). Its output is in the 64-octet units of the frame, so a reaction point works with or without it.
    pub struct Quantiser from keys {
        /// The largest value, in units of 64 octets: 2^n − 1.
        pub limit: u16 = Row::between(1, 0x7fff).unit("64 octets")
            => |keys| ((1u32 << (keys.integer("quantiser_bits") as u32 - 1 + quantiser_shift(keys))) - 1) as u16,
        /// The bits of a value that are kept.
        pub mask: u16 = Row::between(0xc000, 0xffff) => |keys| u16::MAX << quantiser_shift(keys),
    }
}

/// The finest unit with which `quantiser_bits` bits cover the buffer and which the 16 bits of the frame can hold: 64 octets times two
/// to the power of this. In the paper, 8 bits cover the buffer of 128 KB, for every target length.
fn quantiser_shift(keys: &Parameters) -> u32 {
    let bits = keys.integer("quantiser_bits") as u32;
    let buffer_units = keys.integer("buffer_bytes").div_ceil(OCTETS_PER_UNIT as u64);
    (0..16 - bits).find(|shift| buffer_units <= 1 << (bits + shift)).unwrap_or(16 - bits)
}

impl Quantiser {
    /// Converts bytes to quantised units of 64 octets, rounded towards minus infinity.
    pub fn quantise(&self, bytes: i32) -> i16 {
        let limit = self.limit as i16;
        to_units(bytes).clamp(!limit, limit) & self.mask as i16
    }

    /// Full scale in units of 64 octets.
    fn full_scale(&self) -> u32 {
        u32::from(self.limit) + 1
    }
}

ports! {
    /// One set of coefficients: change of the rate for each 64 octets, in 2⁻¹⁸ bytes per cycle with 12 fraction bits.
    pub struct Coefficients {
        /// α between the lines Fb = 0 and q = q0.
        pub alpha_between: u32 = Row::within(Bounds::bits(32)).unit("2^-30 bytes a cycle"),
        /// β between the lines.
        pub beta_between: u32 = Row::within(Bounds::bits(32)).unit("2^-30 bytes a cycle"),
        /// α outside the lines.
        pub alpha_outside: u32 = Row::within(Bounds::bits(32)).unit("2^-30 bytes a cycle"),
        /// β outside the lines.
        pub beta_outside: u32 = Row::within(Bounds::bits(32)).unit("2^-30 bytes a cycle"),
    }
}

/// Fraction bits of a coefficient.
const COEFFICIENT_FRACTION_BITS: u32 = 12;
/// The largest values of |Fb|, compared with B_σ, and of |Qf| + |ΔQ|, compared with B_0, that the circuit holds.
const B_SIGMA_MAX: u32 = (1 << 22) - 1;
const B_ZERO_MAX: u32 = (1 << 17) - 1;

/// a+, a−, b+, b− of a key: shares of the line rate for the full scale of the quantiser, for each 64 octets.
fn gains(keys: &Parameters, key: &str) -> [Gain; 4] {
    let (line_rate, full_scale) = (keys.rate("line_rate_mbps"), Quantiser::new(keys).full_scale());
    keys.shares(key).map(|(numerator, denominator)| Gain {
        numerator: (u128::from(line_rate.0) * u128::from(numerator)) << COEFFICIENT_FRACTION_BITS,
        denominator: u128::from(denominator) * u128::from(full_scale),
        bits: 32,
    })
}

/// The set of a key.
fn set(keys: &Parameters, key: &str) -> Coefficients {
    let [a_plus, a_minus, b_plus, b_minus] = gains(keys, key).map(Gain::value);
    let (plus, minus) = ((a_plus, b_plus), (a_minus, b_minus));
    let [(alpha_between, beta_between), (alpha_outside, beta_outside)] =
        if keys.choice("fb_sign") == "equation" { [plus, minus] } else { [minus, plus] };
    Coefficients { alpha_between, beta_between, alpha_outside, beta_outside }
}

/// A key in quantised units, in units of 64 octets.
fn quantised(keys: &Parameters, key: &str) -> u64 {
    keys.integer(key) << quantiser_shift(keys)
}

ports! {
    /// The parameter ports of the calculator.
    pub struct CalculatorParameters from keys {
        /// Line rate: the largest rate, and the rate after reset.
        pub line_rate: Rate = rate_levels::LINE_RATE => rate_levels::line_rate,
        /// The smallest rate.
        pub min_rate: Rate = rate_levels::MIN_RATE => rate_levels::min_rate,
        /// w.
        pub weight: u32 = Row::key("w"),
        /// Approach set.
        pub approach: Coefficients => |keys| set(keys, "approach"),
        /// Sliding set.
        pub sliding: Coefficients => |keys| set(keys, "sliding"),
        /// B_σ in units of 64 octets.
        pub b_sigma_units: u32 = Row::between(0, B_SIGMA_MAX as u64).unit("64 octets")
            => |keys| quantised(keys, "b_sigma").min(B_SIGMA_MAX.into()) as u32,
        /// B_0 in units of 64 octets.
        pub b_zero_units: u32 = Row::between(0, B_ZERO_MAX as u64).unit("64 octets")
            => |keys| quantised(keys, "b_zero").min(B_ZERO_MAX.into()) as u32,
        /// Bits that are cut off the rate after each step.
        pub rate_cut: u32 = Row::MADE => rate_levels::rate_cut,
    }
}

/// The calculator of the reaction point.
///
/// The paper leaves some points open. Here: zero counts as positive, both for Qf and for Qf + w·ΔQ. The set is chosen
/// before each adjustment, and |Qf| + |ΔQ| < B_0 has priority over |Fb| < B_σ. A feedback that is ignored does not
/// change the set.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    parameters: CalculatorParameters,
    rate: Rate,
    last_decrease: LastDecrease,
    slides: bool,
}

impl ReactionPoint {
    /// A calculator at line rate with the approach set, before the first decrease.
    pub fn new(parameters: CalculatorParameters, cpid: CpidParameters) -> Self {
        ReactionPoint { rate: parameters.line_rate, parameters, last_decrease: LastDecrease::new(cpid), slides: false }
    }

    /// The same calculator with the sliding set in use, or the approach set.
    pub(crate) fn with_sliding(self, slides: bool) -> Self {
        ReactionPoint { slides, ..self }
    }

    /// Whether the sliding set is in use (section 4.3).
    pub fn slides(&self) -> bool {
        self.slides
    }
}

/// The change of the rate: magnitude of the offset times the coefficient, saturated, with the sign of the offset.
fn change(offset: i16, coefficient: u32) -> i64 {
    let operand = u32::from(offset.unsigned_abs()) << (16 - COEFFICIENT_FRACTION_BITS);
    let size = i64::from(scaled_product(operand, coefficient).min(RATE_MAX));
    if offset < 0 { -size } else { size }
}

impl Stepping for ReactionPoint {
    type Parameters = CalculatorParameters;

    fn set_parameters(&mut self, parameters: CalculatorParameters) {
        self.parameters = parameters;
    }

    fn bounds(&self) -> (Rate, Rate) {
        (self.parameters.min_rate, self.parameters.line_rate)
    }

    fn rate_cut(&self) -> u32 {
        self.parameters.rate_cut
    }

    fn current_rate(&self) -> Rate {
        self.rate
    }

    fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
    }

    fn last_decrease(&mut self) -> &mut LastDecrease {
        &mut self.last_decrease
    }

    /// The step of r ← r − α·Qf − β·ΔQ (equation (11)). `None` for an increase whose CPID is not that of the last
    /// decrease. A decrease stores its CPID.
    fn feedback(&mut self, feedback: Feedback) -> Option<Step> {
        let p = &self.parameters;
        let (offset, delta) = (feedback.q_offset, feedback.q_delta);
        let sum = i32::from(offset) + p.weight as i32 * i32::from(delta);
        let near = u32::from(offset.unsigned_abs()) + u32::from(delta.unsigned_abs()) < p.b_zero_units;
        let slides = !near && (self.slides || sum.unsigned_abs() < p.b_sigma_units);
        let set = if slides { &p.sliding } else { &p.approach };
        let (alpha, beta) = if (offset < 0) != (sum < 0) {
            (set.alpha_between, set.beta_between)
        } else {
            (set.alpha_outside, set.beta_outside)
        };
        let total = change(offset, alpha) + change(delta, beta);
        let step = Step { size: total.unsigned_abs() as u32, increase: total < 0 };
        if step.increase {
            if !self.last_decrease.is(feedback.cpid) {
                return None;
            }
        } else {
            self.last_decrease.set(feedback.cpid);
        }
        self.slides = slides;
        Some(step)
    }
}
