// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delay-tolerant sliding mode congestion control (Cheng, sections III and IV).

use crate::scheme::bounds::{Bounds, LONGEST, RATE, Row};
use crate::scheme::gain::Gain;
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use crate::scheme::parameters::{Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::rate_levels;
use crate::scheme::{Feedback, Step, Stepping, scaled_product};
use tidegate_core::units::{RATE_FRACTION_BITS, RATE_MAX, Rate};

/// Its keys.
pub(crate) const KEYS: &[Specification] = &[
    key("profile", Kind::Choice(&["paper"]), "paper", "where the defaults come from"),
    key("m", Kind::Integer(1, 63), "4", "largest delay of the feedback loop, in sampling periods")
        .lively(&["1", "2", "4", "4", "9"]),
    key("h_a_khz", Kind::Decimal(0, 1000 * MEGA), "20", "H_a = (m² + 4m + 2)·a, less than 2/T")
        .lively(&["0", "20", "200"]),
    key("h_b_khz", Kind::Decimal(0, 1000 * MEGA), "20", "H_b = (2m + 3)·b, less than 2/T").lively(&["0", "20", "200"]),
    key("h_c_khz", Kind::Decimal(0, 1000 * MEGA), "20", "H_c = 2·c, less than 2/T").lively(&["0", "20", "200"]),
    key("omega", Kind::Integer(0, 63), "5", "ω: weight of the queue change in the sliding line")
        .lively(&["0", "1", "5", "63"]),
    key(
        "u_max_percent",
        Kind::Decimal(0, 100 * MEGA),
        "2",
        "largest step of one feedback as share of C; 0 = C, no other limit, as in the paper",
    )
    .lively(&["0", "1", "2", "100"]),
    rate_levels::KEY,
];

/// Width of a gain.
const GAIN_BITS: u32 = 28;
/// Bits at which Qf and Qv saturate, with sign: ± 2 MiB.
const OFFSET_BITS: u32 = 22;
/// Bounds of T·S1 and T·S2, in bytes: below them, all sums fit 32 bits.
const S1_BYTES_MAX: u64 = 1 << 24;
const S2_BYTES_MAX: u64 = 1 << 29;

/// The row of a gain.
const GAIN: Row = Row::within(Bounds::bits(GAIN_BITS as usize)).unit("2^-34 bytes a cycle");

ports! {
    /// The parameter ports of the feedback block.
    pub struct FeedbackParameters from keys {
        /// m, delay of the loop in sampling periods.
        pub loop_delay: u32 = Row::key("m").unit("periods"),
        /// ω, weight of the queue change in the sliding line.
        pub omega: u32 = Row::key("omega"),
        /// T, sampling period in cycles.
        pub period_cycles: u32 = Row::between(0, LONGEST).unit("cycles") => |keys| keys.sample_period() as u32,
        /// a: change of the rate for each byte, in 2⁻¹⁸ bytes per cycle with 16 fraction bits.
        pub gain_a: u32 = GAIN => |keys| gain_a(keys).value(),
        /// b, in the same unit.
        pub gain_b: u32 = GAIN => |keys| gain_b(keys).value(),
        /// c, in the same unit.
        pub gain_c: u32 = GAIN => |keys| gain_c(keys).value(),
        /// The largest |F|, in 2⁻¹⁸ bytes per cycle.
        pub step_max: u32 = Row::between(1, RATE_MAX as u64).unit(RATE) => step_max,
    }
}

/// Checks that concern more than one key.
pub(crate) fn check(keys: &Parameters) -> Result<(), ParameterError> {
    let (m, period, largest) = (keys.integer("m") as u32, keys.sample_period(), step_max(keys));
    if !history_fits(m, largest.into(), period) {
        let reason = format!(
            "the history of {m} steps of up to {} Mb/s in a period of {period} cycles does not fit: expected less; use a \
             smaller u_max_percent, m or sample_packets",
            Rate(largest).to_mbps(keys.decimal("clock_mhz"))
        );
        return Err(ParameterError::new("m", reason));
    }
    for (key, gain) in [("h_a_khz", gain_a(keys)), ("h_b_khz", gain_b(keys)), ("h_c_khz", gain_c(keys))] {
        if !gain.fits() {
            let most = gain.most_of_key();
            return Err(ParameterError::new(key, format!("expected at most {most} kHz at this clock and m")));
        }
    }
    Ok(())
}

/// The change of the rate for each byte of a key in kHz, divided: kHz by MHz are bytes per cycle for each byte, in
/// thousandths.
fn gain(keys: &Parameters, key: &str, divisor: u64) -> Gain {
    Gain::of_key(keys, key, 1000 * u128::from(keys.decimal("clock_mhz").0) * u128::from(divisor), GAIN_BITS)
}

fn gain_a(keys: &Parameters) -> Gain {
    let m = keys.integer("m");
    gain(keys, "h_a_khz", m * m + 4 * m + 2)
}

fn gain_b(keys: &Parameters) -> Gain {
    gain(keys, "h_b_khz", 2 * keys.integer("m") + 3)
}

fn gain_c(keys: &Parameters) -> Gain {
    gain(keys, "h_c_khz", 2)
}

/// The largest |F|: a share of the line rate.
fn step_max(keys: &Parameters) -> u32 {
    let line_rate = u64::from(keys.rate("line_rate_mbps").0);
    match keys.decimal("u_max_percent").0 {
        0 => line_rate as u32,
        share => (line_rate * share).div_ceil(100 * MEGA) as u32,
    }
}

/// Whether the sums of m steps of at most `step_max`, and what they are in bytes in periods of so many cycles, fit.
pub fn history_fits(m: u32, step_max: u64, period_cycles: u64) -> bool {
    let bytes =
        |steps: u64| (u128::from(steps) * u128::from(step_max) * u128::from(period_cycles)) >> RATE_FRACTION_BITS;
    let (s1, s2) = (u64::from(m), u64::from(m * (m + 1) / 2));
    period_cycles < 1 << 24
        && bytes(s1) < S1_BYTES_MAX.into()
        && bytes(s2) < S2_BYTES_MAX.into()
        && s2 * step_max < 1 << 31
}

/// Places in the history, for the feedback of the last 63 periods.
const HISTORY: usize = 64;

/// The feedback block: it stores the feedback of the last m periods and predicts the queue from it.
///
/// The paper leaves some points open. Here: zero counts as positive. Qf and Qv saturate at 2 MiB. Products are rounded
/// towards zero. A sample of a flow that no reaction point controls gets no feedback; the history stores 0 for it. The
/// history stores F as it is sent, limited to `step_max`.
#[derive(Clone, Debug)]
pub struct FeedbackBlock {
    parameters: FeedbackParameters,
    history: [i32; HISTORY],
    /// Number of feedbacks so far; modulo [`HISTORY`], it is the place of the next one.
    count: usize,
    s1: i64,
    s2: i64,
}

impl FeedbackBlock {
    /// A block with an empty history.
    pub fn new(parameters: FeedbackParameters) -> Self {
        FeedbackBlock { parameters, history: [0; HISTORY], count: 0, s1: 0, s2: 0 }
    }

    /// Other parameters. The sums are those of m feedbacks: another m empties the history.
    pub(crate) fn set_parameters(&mut self, parameters: FeedbackParameters) {
        if parameters.loop_delay != self.parameters.loop_delay {
            (self.count, self.s1, self.s2) = (0, 0, 0);
        }
        self.parameters = parameters;
    }

    /// S1 = ΣF(k−i) and S2 = Σi·F(k−i) over the last m feedbacks.
    pub fn sums(&self) -> (i64, i64) {
        (self.s1, self.s2)
    }

    /// F(k) of a sample, in 2⁻¹⁸ bytes per cycle; Qoff and ΔQ are in bytes (equations (24) and (25)).
    pub fn sample(&mut self, q_offset: i32, q_delta: i32, controlled: bool) -> i32 {
        let p = &self.parameters;
        let saturated = |bytes: i32| i64::from(bytes.clamp(-(1 << (OFFSET_BITS - 1)), (1 << (OFFSET_BITS - 1)) - 1));
        let bytes = |sum: i64| {
            let magnitude =
                i64::from(scaled_product(sum.unsigned_abs() as u32, p.period_cycles) >> (RATE_FRACTION_BITS - 16));
            if sum < 0 { -magnitude } else { magnitude }
        };
        let (offset, change) = (saturated(q_offset), saturated(q_delta));
        let predicted_offset = offset + i64::from(p.loop_delay) * change + bytes(self.s2);
        let predicted_change = change + bytes(self.s1);
        let delta = predicted_offset + i64::from(p.omega) * predicted_change;
        let (chosen, gain) = if (predicted_offset < 0) == (predicted_change < 0) {
            (predicted_offset, p.gain_c)
        } else if (predicted_change < 0) != (delta < 0) {
            (predicted_offset, p.gain_a)
        } else {
            (predicted_change, p.gain_b)
        };
        let size = scaled_product(chosen.unsigned_abs() as u32, gain).min(p.step_max) as i32;
        let step = match (controlled, chosen < 0) {
            (false, _) => 0,
            (true, true) => size,
            (true, false) => -size,
        };
        self.remember(step);
        step
    }

    /// Updates S1 and S2 by the recurrences of section IV.D, in constant time.
    fn remember(&mut self, step: i32) {
        let m = self.parameters.loop_delay as usize;
        let oldest = if self.count >= m { i64::from(self.history[(self.count - m) % HISTORY]) } else { 0 };
        self.history[self.count % HISTORY] = step;
        self.count += 1;
        self.s1 += i64::from(step) - oldest;
        self.s2 += self.s1 - m as i64 * oldest;
    }
}

/// F as two fields of the frame: QOffset holds bits 31 to 16, QDelta bits 15 to 0.
pub fn to_fields(step: i32) -> (i16, i16) {
    ((step >> 16) as i16, step as i16)
}

/// F from QOffset and QDelta of the frame.
pub fn of_fields(q_offset: i16, q_delta: i16) -> i32 {
    i32::from(q_offset) << 16 | i32::from(q_delta as u16)
}

ports! {
    /// The parameter ports of the calculator.
    pub struct CalculatorParameters from keys {
        /// Line rate: the largest rate, and the rate after reset.
        pub line_rate: Rate = rate_levels::LINE_RATE => rate_levels::line_rate,
        /// The smallest rate.
        pub min_rate: Rate = rate_levels::MIN_RATE => rate_levels::min_rate,
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

    /// The step of r ← r + F (equation (26)). `None` for an increase whose CPID is not that of the last decrease. A
    /// decrease stores its CPID; F = 0 is none, and comes from switches without congestion all the time.
    fn feedback(&mut self, feedback: Feedback) -> Option<Step> {
        let step = of_fields(feedback.q_offset, feedback.q_delta);
        let step = Step { size: step.unsigned_abs().min(RATE_MAX), increase: step > 0 };
        if step.increase {
            return self.last_decrease.is(feedback.cpid).then_some(step);
        }
        if step.size != 0 {
            self.last_decrease.set(feedback.cpid);
        }
        Some(step)
    }
}
