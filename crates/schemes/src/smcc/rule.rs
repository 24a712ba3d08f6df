// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sliding mode congestion control (Jiang 2015b, section 4).

use crate::scheme::bounds::{Bounds, Row};
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::{Feedback, Step, Stepping};
use tidegate_core::units::{OCTETS_PER_UNIT, RATE_FRACTION_BITS, RATE_MAX, Rate};

/// Its keys.
pub const KEYS: &[Specification] = &[
    key("profile", Kind::Choice(&["paper"]), "paper", "where the defaults come from"),
    key("ra_mbps", Kind::Decimal(0, 400_000 * MEGA), "256", "R_a: largest change in State A; R_large with two stages")
        .lively(&["0", "64", "256", "4000"]),
    key("rb_mbps", Kind::Decimal(0, 400_000 * MEGA), "64", "R_b: largest change in State B")
        .lively(&["0", "64", "249", "4000"]),
    key("two_stage", Kind::Flag, "false", "in State A, use R_small if |ΔQ| is at most T1").lively(&["true", "false"]),
    key("t1_bytes", Kind::Integer(0, 2_000_000), "8192", "T1: largest |ΔQ| for R_small")
        .lively(&["0", "64", "8192", "2000000"]),
    key("ra_small_mbps", Kind::Decimal(0, 400_000 * MEGA), "128", "R_small: largest change in State A if |ΔQ| ≤ T1")
        .lively(&["0", "1", "128"]),
    key("zero_sign", Kind::Choice(&["positive", "state_a"]), "positive", "sign of ΔQ = 0; state_a: that of Qoff")
        .lively(&["positive", "state_a"]),
    key(
        "cpid_store",
        Kind::Choice(&["congested", "fb", "any"]),
        "congested",
        "which decrease stores its CPID, besides the first one: of a queue above q0, of one with Fb < 0 (Qoff + w·ΔQ > 0), or \
         any; a choice, because section 4.2 says only: as BCN",
    )
    .lively(&["congested", "fb", "any"]),
    rate_levels::KEY,
];

/// Checks that concern more than one key.
pub fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    CalculatorParameters::new(parameters).map(|_| ())
}

ports! {
    /// The parameter ports of the calculator.
    pub struct CalculatorParameters {
        /// Line rate: the largest rate, and the rate after reset.
        pub line_rate: Rate = rate_levels::LINE_RATE,
        /// The smallest rate.
        pub min_rate: Rate = rate_levels::MIN_RATE,
        /// Change of the rate for each unit of Qoff in State A if |ΔQ| > T1: 2⁻¹⁸ bytes per cycle, 16 fraction bits.
        pub gain_a: u32 = Row::within(Bounds::bits(32)).unit("2^-34 bytes a cycle"),
        /// The same if |ΔQ| ≤ T1.
        pub gain_a_small: u32 = Row::within(Bounds::bits(32)).unit("2^-34 bytes a cycle"),
        /// Change of the rate for each unit of ΔQ in State B, in the same unit.
        pub gain_b: u32 = Row::within(Bounds::bits(32)).unit("2^-34 bytes a cycle"),
        /// T1 in units of 64 octets.
        pub t1_units: u16 = Row::of(|keys| Bounds::of(0, keys.range("t1_bytes").1 / OCTETS_PER_UNIT as u64)).unit("64 octets"),
        /// ΔQ = 0 has the sign of Qoff, so that it is State A; otherwise it is positive.
        pub zero_in_state_a: bool = Row::FLAG,
        /// Each decrease stores its congestion point.
        pub store_any: bool = Row::FLAG,
        /// If not: the first one does, and each with Qoff + `store_weight`·ΔQ > 0.
        pub store_weight: u32 = Row::key("w"),
        /// Bits that are cut off the rate after each step.
        pub rate_cut: u32 = Row::MADE,
    }
}

impl CalculatorParameters {
    /// Computes the ports from checked parameters. The error names the key whose gain does not fit.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        let q0_units = u128::from(parameters.integer("q0_bytes")) / OCTETS_PER_UNIT as u128;
        let clock = parameters.decimal("clock_mhz");
        // a = R_a / q0: the largest change R_a belongs to an offset of q0.
        let gain = |key: &'static str| {
            let numerator = u128::from(parameters.decimal(key).0) << (RATE_FRACTION_BITS + 16);
            let denominator = 8 * u128::from(clock.0) * q0_units.max(1);
            u32::try_from((numerator + denominator / 2) / denominator).map_err(|_| {
                let most = (u128::from(u32::MAX) * denominator) >> (RATE_FRACTION_BITS + 16);
                let (most, q0) = (most / 1_000_000, parameters.integer("q0_bytes"));
                ParameterError::new(key, format!("expected at most {most} Mb/s at q0 = {q0} bytes"))
            })
        };
        let gain_a = gain("ra_mbps")?;
        let two_stage = parameters.flag("two_stage");
        Ok(CalculatorParameters {
            line_rate: parameters.rate("line_rate_mbps"),
            min_rate: rate_levels::min_rate(parameters),
            gain_a,
            gain_a_small: if two_stage { gain("ra_small_mbps")? } else { gain_a },
            gain_b: gain("rb_mbps")?,
            t1_units: (parameters.integer("t1_bytes") / OCTETS_PER_UNIT as u64) as u16,
            zero_in_state_a: parameters.choice("zero_sign") == "state_a",
            store_any: parameters.choice("cpid_store") == "any",
            store_weight: if parameters.choice("cpid_store") == "fb" { parameters.integer("w") as u32 } else { 0 },
            rate_cut: rate_levels::rate_cut(parameters),
        })
    }
}

/// The calculator of the reaction point.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    parameters: CalculatorParameters,
    rate: Rate,
    last_decrease: LastDecrease,
}

impl ReactionPoint {
    /// A calculator at line rate before the first decrease.
    pub fn new(parameters: CalculatorParameters, cpid: CpidParameters) -> Self {
        ReactionPoint { rate: parameters.line_rate, parameters, last_decrease: LastDecrease::new(cpid) }
    }

    /// The same, where a congestion point has been stored, or has not.
    pub fn with_known_point(self, known: bool) -> Self {
        ReactionPoint { last_decrease: self.last_decrease.with_known(known), ..self }
    }

    /// Whether a congestion point has been stored.
    pub fn knows_point(&self) -> bool {
        self.last_decrease.is_known()
    }
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

    /// The step of equation (25). `None` for an increase whose CPID is not that of the last decrease.
    ///
    /// The paper gives 0 no sign; its circuit tells the states by the XOR of the signs (section 5.1), and the sign bit of
    /// 0 says positive. The key `zero_sign` chooses for ΔQ. It matters while the queue is short: as positive, ΔQ = 0 is a
    /// step of 0 in State B; in State A, Qoff raises the rate. Qoff = 0 is positive.
    ///
    /// Which decrease stores its CPID is left open: the paper only says that the congestion point is identified as in BCN
    /// (section 4.2). The key `cpid_store` chooses. A switch below q0 whose queue grows for a moment (State B) also lowers
    /// the rate; with `any` it takes the source away from the congested switch, whose increases are ignored from then on.
    /// With `congested` only a queue above q0 does so, and with `fb` one with Fb < 0, where BCN decreases (equation (2)).
    /// The first decrease always stores its CPID: otherwise a flow that only switches below q0 have slowed would be raised
    /// by none. A step of 0 is no decrease. A switch without congestion sends ΔQ = 0 all the time: if that counted as a
    /// decrease, increases from there would be accepted.
    fn feedback(&mut self, feedback: Feedback) -> Option<Step> {
        let p = &self.parameters;
        let zero_in_state_a = p.zero_in_state_a && feedback.q_delta == 0;
        let state_b = !zero_in_state_a && (feedback.q_offset < 0) != (feedback.q_delta < 0);
        let (change, gain) = if state_b {
            (feedback.q_delta, p.gain_b)
        } else if feedback.q_delta.unsigned_abs() > p.t1_units {
            (feedback.q_offset, p.gain_a)
        } else {
            (feedback.q_offset, p.gain_a_small)
        };
        let size = (u64::from(change.unsigned_abs()) * u64::from(gain)) >> 16;
        let step = Step { size: size.min(u64::from(RATE_MAX)) as u32, increase: change < 0 };
        if step.increase {
            return self.last_decrease.is(feedback.cpid).then_some(step);
        }
        let line = i32::from(feedback.q_offset) + p.store_weight as i32 * i32::from(feedback.q_delta);
        if change != 0 && (p.store_any || line > 0 || !self.last_decrease.is_known()) {
            self.last_decrease.set(feedback.cpid);
        }
        Some(step)
    }

    /// Only the bound in the direction of the step is compared.
    fn stepped(&self, step: Step, rate: Rate) -> Rate {
        Rate(step.apply(rate, self.parameters.min_rate, self.parameters.line_rate).0 & !self.parameters.rate_cut)
    }
}
