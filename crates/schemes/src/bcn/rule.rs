// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backward congestion notification (Jiang 2015b, section 2.2, equation (2)).

use crate::qcn::rule::{FEEDBACK_MAX, check_full_scale, full_scale};
use crate::scheme::bounds::{Bounds, LONGEST, RATE, Row};
use crate::scheme::gain::Gain;
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::{Feedback, scaled_product, to_units};
use tidegate_core::units::{Cycles, OCTETS_PER_UNIT, RATE_BITS, RATE_MAX, Rate};

/// Its keys.
pub(crate) const KEYS: &[Specification] = &[
    key("profile", Kind::Choice(&["paper"]), "paper", "where the defaults come from"),
    key("gd_shift", Kind::Integer(7, 15), "7", "G_d = 2^-gd_shift; |Fb| is at most 63, so a cut is less than half")
        .lively(&["7", "7", "8", "15"]),
    key("gi", Kind::Decimal(0, 1000 * MEGA), "4", "G_i: factor of the increase").lively(&["0", "1", "4", "100"]),
    key("ru_mbps", Kind::Decimal(0, 100_000 * MEGA), "8", "R_u: unit of the increase").lively(&["0.1", "8", "50"]),
    key("q_severe_bytes", Kind::Integer(0, 1 << 23), "0", "Q_sc: a longer queue stops the source, 0 = never")
        .lively(&["0", "600000", "1100", "70000", "30000"]),
    key("t_max_us", Kind::Decimal(0, 250_000 * MEGA), "100", "T_max: longest wait of a stopped source")
        .lively(&["0", "0.1", "1", "5"]),
    rate_levels::KEY,
];

/// Fraction bits of the feedback gain.
const GAIN_FRACTION_BITS: u32 = 24;

/// Checks that concern more than one key.
pub(crate) fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    check_full_scale(parameters)?;
    let (severe, q0) = (parameters.integer("q_severe_bytes"), parameters.integer("q0_bytes"));
    if severe != 0 && severe <= q0 {
        let reason = format!("expected 0 (never) or more than q0, {q0} bytes");
        return Err(ParameterError::new("q_severe_bytes", reason));
    }
    if parameters.cycles("t_max_us") > u64::from(RATE_MAX) {
        let clock = parameters.decimal("clock_mhz");
        let most = u128::from(RATE_MAX) * 1_000_000 / u128::from(clock.0);
        return Err(ParameterError::new("t_max_us", format!("expected at most {most} µs: 2^25 cycles at {clock} MHz")));
    }
    parameters.fitting_rate("ru_mbps")?;
    if !increase_unit(parameters).fits() {
        let reason = format!("expected G_i·R_u below 128 bytes per cycle ({RATE_BITS} bits)");
        return Err(ParameterError::new("gi", reason));
    }
    Ok(())
}

/// Q_sc − q0, both in bytes.
fn severe_offset(keys: &Parameters) -> u32 {
    match keys.integer("q_severe_bytes") {
        // The queue is never longer than this.
        0 => LONGEST as u32,
        severe => severe.saturating_sub(keys.integer("q0_bytes")) as u32,
    }
}

/// G_i·R_u.
fn increase_unit(keys: &Parameters) -> Gain {
    let numerator = u128::from(keys.rate("ru_mbps").0) * u128::from(keys.decimal("gi").0);
    Gain { numerator, denominator: MEGA.into(), bits: RATE_BITS }
}

ports! {
    /// The parameter port of the feedback block in the congestion point.
    pub struct FeedbackParameters from keys {
        /// Q_sc − q0 in bytes: a larger offset is severe congestion.
        pub severe_offset: u32 = Row::between(1, LONGEST).unit("bytes") => severe_offset,
    }
}

impl FeedbackParameters {
    /// The fields of the frame: Qoff and ΔQ in units of 64 octets. Two zeros are BCN(0,0), which stops the source: they
    /// are sent in severe congestion only. `None`: another sample with two zeros; it is not sent.
    pub fn fields(&self, q_offset: i32, q_delta: i32) -> Option<(i16, i16)> {
        let severe = q_offset > self.severe_offset as i32;
        let fields = if severe { (0, 0) } else { (to_units(q_offset), to_units(q_delta)) };
        (severe || fields != (0, 0)).then_some(fields)
    }
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
        /// |Fb| for each 64 octets of |Qoff + w·ΔQ|, with 24 fraction bits: |Fb| is 63 at q0·(2w + 1).
        pub feedback_gain: u32 = Row::of(|keys| {
            let full_scale = full_scale(keys);
            Bounds::of(feedback_gain(full_scale.most), feedback_gain(full_scale.least))
        })
        .unit("2^-24")
            => |keys| feedback_gain(keys.feedback_full_scale()) as u32,
        /// G_d = 2^−`gd_shift`.
        pub gd_shift: u32 = Row::key("gd_shift"),
        /// G_i·R_u, the increase for Fb = 1.
        pub increase_unit: Rate = Row::between(0, RATE_MAX as u64).unit(RATE) => |keys| Rate(increase_unit(keys).value()),
        /// T_max in cycles.
        pub stop_cycles: u32 = Row::cycles("t_max_us", RATE_MAX as u64).timer(|_| 1),
        /// Value of the random source after reset, not 0.
        pub seed: u16 = Row::key("seed"),
        /// Bits that are cut off the rate after each step.
        pub rate_cut: u32 = Row::MADE => rate_levels::rate_cut,
    }
}

impl CalculatorParameters {
    /// A rate within its bounds, with whole levels.
    fn bounded(&self, rate: u32) -> Rate {
        Rate(rate.clamp(self.min_rate.0, self.line_rate.0) & !self.rate_cut)
    }
}

/// |Fb| for each 64 octets, with 24 fraction bits, rounded: |Fb| is 63 at `full_scale` bytes, which are not 0.
pub(crate) fn feedback_gain(full_scale: u64) -> u64 {
    let scaled = (u64::from(FEEDBACK_MAX) * OCTETS_PER_UNIT as u64) << GAIN_FRACTION_BITS;
    scaled.saturating_add(full_scale / 2) / full_scale
}

/// The effect of a feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: Fb = 0, an increase from another congestion point, or the source is stopped.
    Nothing,
    /// The new rate.
    Rate(Rate),
    /// The source stops for this number of cycles: the rate is 0.
    Stop(Cycles),
}

impl Outcome {
    /// The cycles of a stop.
    pub(crate) fn stop(self) -> Option<Cycles> {
        match self {
            Outcome::Stop(wait) => Some(wait),
            Outcome::Nothing | Outcome::Rate(_) => None,
        }
    }
}

/// The calculator of the reaction point.
///
/// The paper leaves some points open. Here: the reaction point computes Fb from Qoff and ΔQ of the frame, and limits it
/// to 6 bits. Fb = 0 changes nothing, not even the stored CPID. A stopped source ignores feedback. A stop counts as a
/// decrease and stores the CPID. The waiting time is T_max times a random fraction of 16 bits.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    parameters: CalculatorParameters,
    rate: Rate,
    last_decrease: LastDecrease,
    stopped: bool,
    random: u16,
}

impl ReactionPoint {
    /// A calculator at line rate before the first decrease.
    pub fn new(parameters: CalculatorParameters, cpid: CpidParameters) -> Self {
        ReactionPoint {
            rate: parameters.line_rate,
            random: parameters.seed,
            parameters,
            last_decrease: LastDecrease::new(cpid),
            stopped: false,
        }
    }

    /// The same calculator at another rate, or stopped.
    pub(crate) fn at(self, rate: Rate, stopped: bool) -> Self {
        ReactionPoint { rate, stopped, ..self }
    }

    /// Other parameters; the rate and what else is stored stay, the random source too.
    pub(crate) fn set_parameters(&mut self, parameters: CalculatorParameters) {
        self.parameters = parameters;
    }

    /// Minimum rate and line rate.
    pub(crate) fn bounds(&self) -> (Rate, Rate) {
        (self.parameters.min_rate, self.parameters.line_rate)
    }

    /// The current rate; 0 while the source is stopped.
    pub fn current_rate(&self) -> Rate {
        self.rate
    }

    /// The congestion point of the last decrease.
    pub(crate) fn last_decrease(&mut self) -> &mut LastDecrease {
        &mut self.last_decrease
    }

    /// Whether the congestion point of a feedback would be stored as that of the last decrease. Only for whole
    /// identifiers.
    pub(crate) fn remembers(&self, feedback: &Feedback) -> bool {
        let mut tried = self.clone();
        let other = tried.last_decrease().example(false);
        tried.feedback(Feedback { cpid: other, ..*feedback });
        tried.last_decrease().is(other)
    }

    /// Whether the source is stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// |Fb| in 6 bits, and whether Fb is positive, which increases the rate; `None` for Fb = 0.
    fn feedback_of(&self, q_offset: i16, q_delta: i16) -> Option<(u32, bool)> {
        let p = &self.parameters;
        let sum = i32::from(q_offset) + p.weight as i32 * i32::from(q_delta);
        let quantised = scaled_product(sum.unsigned_abs(), p.feedback_gain) >> (GAIN_FRACTION_BITS - 16);
        (sum != 0).then_some((quantised.min(FEEDBACK_MAX.into()), sum < 0))
    }

    /// The effect of a feedback; [`apply`](Self::apply) changes the rate.
    pub fn feedback(&mut self, feedback: Feedback) -> Outcome {
        let mut random = self.random;
        let outcome = self.answer(feedback, &mut random);
        self.random = random;
        outcome
    }

    /// The same with another random source.
    pub(crate) fn answer(&mut self, feedback: Feedback, random: &mut u16) -> Outcome {
        let p = &self.parameters;
        if self.stopped {
            return Outcome::Nothing;
        }
        if (feedback.q_offset, feedback.q_delta) == (0, 0) {
            let wait = scaled_product(p.stop_cycles, (*random).into());
            *random = next_random(*random);
            self.last_decrease.set(feedback.cpid);
            return Outcome::Stop(wait.into());
        }
        match self.feedback_of(feedback.q_offset, feedback.q_delta) {
            None => Outcome::Nothing,
            Some((_, true)) if !self.last_decrease.is(feedback.cpid) => Outcome::Nothing,
            Some((fb, true)) => {
                let step = scaled_product(p.increase_unit.0, fb << 16).min(RATE_MAX);
                Outcome::Rate(p.bounded(self.rate.0 + step))
            }
            Some((fb, false)) => {
                self.last_decrease.set(feedback.cpid);
                let cut = (u64::from(self.rate.0) * u64::from(fb)) >> p.gd_shift;
                Outcome::Rate(p.bounded(self.rate.0 - cut as u32))
            }
        }
    }

    /// Applies the effect of a feedback.
    pub fn apply(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Nothing => {}
            Outcome::Rate(rate) => self.rate = rate,
            Outcome::Stop(_) => (self.rate, self.stopped) = (Rate(0), true),
        }
    }

    /// Ends a stop: the source starts again at the minimum rate.
    pub fn restart(&mut self) {
        (self.rate, self.stopped) = (self.parameters.min_rate, false);
    }
}

/// The next number of a 16-bit random source: linear-feedback shift register, x¹⁶ + x¹⁴ + x¹³ + x¹¹ + 1, eight steps
/// for each draw.
fn next_random(s: u16) -> u16 {
    (s << 8) | ((s >> 8) ^ ((s >> 6) & 0xff) ^ ((s >> 5) & 0xff) ^ ((s >> 3) & 0xff))
}
