// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive sliding mode congestion control (Jiang 2014, section 4).

use crate::scheme::bounds::{Bounds, Row};
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::sampling_exception;
use crate::scheme::{Feedback, Step, Stepping, scaled_product, to_units};
use tidegate_core::units::{OCTETS_PER_UNIT, RATE_MAX, Rate};

/// Its keys.
pub const KEYS: &[Specification] = &[
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
pub fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    CalculatorParameters::new(parameters).map(|_| ())
}

ports! {
    /// The quantiser of the congestion point: it makes Qf and ΔQ multiples of 64·2^shift bytes and saturates them
    /// (section 5.1). Its output is in the 64-octet units of the frame, so a reaction point works with or without it.
    pub struct Quantiser {
        /// The largest value, in units of 64 octets: 2^n − 1.
        pub limit: u16 = Row::between(1, 0x7fff).unit("64 octets"),
        /// The bits of a value that are kept.
        pub mask: u16 = Row::between(0xc000, 0xffff),
    }
}

impl Quantiser {
    /// The finest unit with which `quantiser_bits` bits cover the buffer and which the 16 bits of the frame can hold.
    /// In the paper, 8 bits cover the buffer of 128 KB, for every target length.
    pub fn new(parameters: &Parameters) -> Self {
        let bits = parameters.integer("quantiser_bits") as u32;
        let buffer_units = parameters.integer("buffer_bytes").div_ceil(OCTETS_PER_UNIT as u64);
        let shift = (0..16 - bits).find(|shift| buffer_units <= 1 << (bits + shift)).unwrap_or(16 - bits);
        Quantiser { limit: ((1u32 << (bits - 1 + shift)) - 1) as u16, mask: u16::MAX << shift }
    }

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

ports! {
    /// The parameter ports of the calculator.
    pub struct CalculatorParameters {
        /// Line rate: the largest rate, and the rate after reset.
        pub line_rate: Rate = rate_levels::LINE_RATE,
        /// The smallest rate.
        pub min_rate: Rate = rate_levels::MIN_RATE,
        /// w.
        pub weight: u32 = Row::key("w"),
        /// Approach set.
        pub approach: Coefficients,
        /// Sliding set.
        pub sliding: Coefficients,
        /// B_σ in units of 64 octets.
        pub b_sigma_units: u32 = Row::between(0, B_SIGMA_MAX as u64).unit("64 octets"),
        /// B_0 in units of 64 octets.
        pub b_zero_units: u32 = Row::between(0, B_ZERO_MAX as u64).unit("64 octets"),
        /// Bits that are cut off the rate after each step.
        pub rate_cut: u32 = Row::MADE,
    }
}

impl CalculatorParameters {
    /// Computes the ports from checked parameters. The error names the key whose coefficient does not fit.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        let quantiser = Quantiser::new(parameters);
        let line_rate = parameters.rate("line_rate_mbps");
        let set = |key: &'static str| {
            let [a_plus, a_minus, b_plus, b_minus] = parameters.shares(key).map(|(numerator, denominator)| {
                let change = (u128::from(line_rate.0) * u128::from(numerator)) << COEFFICIENT_FRACTION_BITS;
                let divisor = u128::from(denominator) * u128::from(quantiser.full_scale());
                u32::try_from((change + divisor / 2) / divisor).map_err(|_| {
                    let reason = format!(
                        "{numerator}/{denominator} of the line rate for a full scale of {} octets is too large: expected less \
                         than 4 bytes per cycle for each 64 octets; use more quantiser_bits",
                        quantiser.full_scale() * OCTETS_PER_UNIT as u32
                    );
                    ParameterError::new(key, reason)
                })
            });
            Ok(match parameters.choice("fb_sign") {
                "equation" => Coefficients {
                    alpha_between: a_plus?,
                    beta_between: b_plus?,
                    alpha_outside: a_minus?,
                    beta_outside: b_minus?,
                },
                _ => Coefficients {
                    alpha_between: a_minus?,
                    beta_between: b_minus?,
                    alpha_outside: a_plus?,
                    beta_outside: b_plus?,
                },
            })
        };
        let units =
            |key, most: u32| (parameters.integer(key) << quantiser.mask.trailing_zeros()).min(most.into()) as u32;
        Ok(CalculatorParameters {
            line_rate,
            min_rate: rate_levels::min_rate(parameters),
            weight: parameters.integer("w") as u32,
            approach: set("approach")?,
            sliding: set("sliding")?,
            b_sigma_units: units("b_sigma", B_SIGMA_MAX),
            b_zero_units: units("b_zero", B_ZERO_MAX),
            rate_cut: rate_levels::rate_cut(parameters),
        })
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
    pub fn with_sliding(self, slides: bool) -> Self {
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
