// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sliding mode congestion control (Jiang 2015b, section 4).

use crate::scheme::bounds::{Bounds, Row};
use crate::scheme::gain::Gain;
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::{Feedback, Step, Stepping};
use tidegate_core::units::{OCTETS_PER_UNIT, RATE_MAX, Rate};

/// Its keys.
pub(crate) const KEYS: &[Specification] = &[
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
pub(crate) fn check(keys: &Parameters) -> Result<(), ParameterError> {
    for key in ["ra_mbps", small_key(keys), "rb_mbps"] {
        let gain = gain(keys, key);
        if !gain.fits() {
            let (most, q0) = (gain.most_of_key(), keys.integer("q0_bytes"));
            let reason = format!("expected at most {most} Mb/s at q0 = {q0} bytes");
            return Err(ParameterError::new(key, reason));
        }
    }
    Ok(())
}

/// The row of a gain.
const GAIN: Row = Row::within(Bounds::bits(32)).unit("2^-34 bytes a cycle");

/// The change of the rate for each unit of the offset, if that of a key in Mb/s belongs to an offset of q0: a = R_a / q0.
fn gain(keys: &Parameters, key: &str) -> Gain {
    let q0_units = u128::from(units(keys.integer("q0_bytes")).max(1));
    Gain::of_key(keys, key, 8 * u128::from(keys.decimal("clock_mhz").0) * q0_units, 32)
}

/// The key with the largest change in State A if |ΔQ| is at most T1.
fn small_key(keys: &Parameters) -> &'static str {
    if keys.flag("two_stage") { "ra_small_mbps" } else { "ra_mbps" }
}

/// Bytes in units of 64 octets.
fn units(bytes: u64) -> u64 {
    bytes / OCTETS_PER_UNIT as u64
}

ports! {
    /// The parameter ports of the calculator.
    pub struct CalculatorParameters from keys {
        /// Line rate: the largest rate, and the rate after reset.
        pub line_rate: Rate = rate_levels::LINE_RATE => rate_levels::line_rate,
        /// The smallest rate.
        pub min_rate: Rate = rate_levels::MIN_RATE => rate_levels::min_rate,
        /// Change of the rate for each unit of Qoff in State A if |ΔQ| > T1: 2⁻¹⁸ bytes per cycle, 16 fraction bits.
        pub gain_a: u32 = GAIN => |keys| gain(keys, "ra_mbps").value(),
        /// The same if |ΔQ| ≤ T1.
        pub gain_a_small: u32 = GAIN => |keys| gain(keys, small_key(keys)).value(),
        /// Change of the rate for each unit of ΔQ in State B, in the same unit.
        pub gain_b: u32 = GAIN => |keys| gain(keys, "rb_mbps").value(),
        /// T1 in units of 64 octets.
        pub t1_units: u16 = Row::of(|keys| Bounds::of(0, units(keys.range("t1_bytes").1))).unit("64 octets")
            => |keys| units(keys.integer("t1_bytes")) as u16,
        /// ΔQ = 0 has the sign of Qoff, so that it is State A; otherwise it is positive.
        pub zero_in_state_a: bool = Row::BIT => |keys| keys.choice("zero_sign") == "state_a",
        /// Each decrease stores its congestion point.
        pub store_any: bool = Row::BIT => |keys| keys.choice("cpid_store") == "any",
        /// If not: the first one does, and each with Qoff + `store_weight`·ΔQ > 0.
        pub store_weight: u32 = Row::key("w")
            => |keys| if keys.choice("cpid_store") == "fb" { keys.integer("w") as u32 } else { 0 },
        /// Bits that are cut off the rate after each step.
        pub rate_cut: u32 = Row::MADE => rate_levels::rate_cut,
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
    pub(crate) fn with_known_point(self, known: bool) -> Self {
        ReactionPoint { last_decrease: self.last_decrease.with_known(known), ..self }
    }

    /// Whether a congestion point has been stored.
    pub(crate) fn knows_point(&self) -> bool {
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
