// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantized congestion notification (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clauses 30 to
//! 33).

use crate::scheme::bounds::{Bounds, Row, Rule, Term, fits};
use crate::scheme::jitter::{Jitter, JitterParameters};
use crate::scheme::parameters::{INTERVAL_MAX, Kind, MEGA, ParameterError, Parameters, Specification, key};
use crate::scheme::ports::ports;
use crate::scheme::sampler::{SampleMode, sample_mode, sampling};
use tidegate_core::units::{Cycles, Micro, RATE_FRACTION_BITS, RATE_MAX, Rate};

/// The largest stage that is counted.
pub const STAGE_MAX: u8 = 63;
/// Bits of the quantised feedback in a frame.
pub(crate) const FEEDBACK_BITS: u32 = 6;
/// The largest quantised feedback in a frame.
pub const FEEDBACK_MAX: u8 = 63;

/// Its keys.
pub const KEYS: &[Specification] = &[
    key(
        "profile",
        Kind::Choice(&["paper", "8021q", "pseudo_code"]),
        "paper",
        "where the defaults come from; pseudo_code: the keys of QCN as in 8021q, the shared ones as in paper",
    )
    .in_8021q("8021q"),
    key("byte_cycle_bytes", Kind::Integer(64, INTERVAL_MAX), "150000", "T: bytes of a byte cycle (rpgByteReset)")
        .lively(&["100", "500", "1100", "6200", "9000", "20000"]),
    key("timer_us", Kind::Decimal(0, MEGA * MEGA), "0", "timer period (rpgTimeReset), 0 = off")
        .in_8021q("15000")
        .lively(&["0", "0.39", "0.5", "0.8", "1", "5"])
        .lively_of_flows(&["0", "8.3", "8.3", "9", "17"]),
    key("fast_recovery_cycles", Kind::Integer(1, 31), "5", "cycles of fast recovery (rpgThreshold)")
        .lively(&["1", "1", "2", "3", "5", "31"]),
    key(
        "stage_rule",
        Kind::Choice(&["after", "at"]),
        "after",
        "active increase begins after stage fast_recovery_cycles, or at it",
    )
    .lively(&["after", "at"]),
    key("ai_rate_mbps", Kind::Decimal(0, 100_000 * MEGA), "1", "R_AI (rpgAiRate)")
        .in_8021q("5")
        .lively(&["0", "1", "100", "5000"]),
    key("hai_rate_mbps", Kind::Decimal(0, 100_000 * MEGA), "0", "R_HAI (rpgHaiRate), 0 = off")
        .in_8021q("50")
        .lively(&["0", "1", "5", "50", "2000", "100000"]),
    key("gd_shift", Kind::Integer(1, 15), "7", "G_d = 2^-gd_shift (rpgGd)").lively(&["1", "4", "7", "8", "15"]),
    key(
        "fb_full_scale_bytes",
        Kind::Integer(0, (1 << FULL_SCALE_BITS) - 1),
        "0",
        "the |Fb| that is quantised to the largest number; 0: q0·(2w + 1)",
    ),
    key(
        "fb_bits",
        Kind::Integer(FEEDBACK_BITS as u64, 16),
        "6",
        "bits of the quantised |Fb|: 6 stand in the frame; with more, the reaction point quantises Qoff + w·ΔQ of the frame \
         itself, in experiments only (Jiang 2015b, section 5.1: \"as many bit as possible\")",
    ),
    key("target_reduction", Kind::Flag, "false", "in the first cycle, reduce R to R / 8 if R > 10 r")
        .in_8021q("true")
        .lively(&["true", "false"]),
    key("extra_fast_recovery", Kind::Flag, "false", "feedback before the end of the first byte cycle keeps the target")
        .in_8021q("true")
        .lively(&["true", "false"]),
    key(
        "cycle_jitter_percent",
        Kind::Integer(0, 100),
        "0",
        "byte cycle and timer are random: so much between the smallest and the largest",
    )
    .in_8021q("30")
    .lively(&["0", "30", "100"]),
];

/// Cycles that the calculator needs for the end of a byte cycle and of a timer period, twelve each, and to take a
/// feedback.
pub(crate) const OPERATIONS_CYCLES: u64 = 26;

/// Cycles that a reaction point of many flows needs for the end of a timer period of each flow. A flow has its turn after
/// 4 cycles × flows, and an increase takes 40 to 200, as the rate limiter is read and written between its own visits.
const FLOW_OPERATION_CYCLES: u64 = 128;

/// Bits of q0·(2w + 1) in bytes.
pub(crate) const FULL_SCALE_BITS: u32 = 26;

/// Cycles that half of the shortest timer period must leave for the calculator.
pub(crate) fn half_period_cycles(flows: u64) -> u64 {
    match flows {
        1 => OPERATIONS_CYCLES,
        flows => flows * FLOW_OPERATION_CYCLES,
    }
}

/// Checks that concern more than one key.
pub(crate) fn check(parameters: &Parameters) -> Result<(), ParameterError> {
    parameters.fitting_rate("ai_rate_mbps")?;
    parameters.fitting_rate("hai_rate_mbps")?;
    check_full_scale(parameters)?;
    let (full_scale, least) = (parameters.integer("fb_full_scale_bytes"), parameters.range("q0_bytes").0);
    if full_scale != 0 && full_scale < least {
        return Err(ParameterError::new("fb_full_scale_bytes", format!("expected 0 or at least {least} bytes")));
    }
    let clock = parameters.decimal("clock_mhz");
    if parameters.cycles("timer_us") > INTERVAL_MAX {
        let most = INTERVAL_MAX as u128 * 1_000_000 / u128::from(clock.0);
        let reason = format!("expected at most {most} µs: 2^23 cycles at {clock} MHz");
        return Err(ParameterError::new("timer_us", reason));
    }
    check_periods(parameters)
}

/// q0·(2w + 1) must fit the port.
pub(crate) fn check_full_scale(parameters: &Parameters) -> Result<(), ParameterError> {
    let full_scale = parameters.feedback_full_scale();
    if full_scale >= 1 << FULL_SCALE_BITS {
        let most = 1 << FULL_SCALE_BITS;
        let reason = format!("q0·(2w + 1) is {full_scale}: expected less than {most} ({FULL_SCALE_BITS} bits)");
        return Err(ParameterError::new("q0_bytes", reason));
    }
    Ok(())
}

/// Checks that the periods are long enough. The calculator serves the end of a byte cycle or timer period before a
/// feedback. If the periods left no time for both ends and a feedback, it would never take a feedback, and the stream
/// of frames would stop.
fn check_periods(parameters: &Parameters) -> Result<(), ParameterError> {
    let (clock, line_rate) = (parameters.decimal("clock_mhz"), parameters.rate("line_rate_mbps"));
    let swing = parameters.integer("cycle_jitter_percent") / 2;
    // The shortest period is the lower end of the jitter, halved; 2·shortest ≤ nominal − nominal·swing/100.
    let nominal = |shortest: u64| (2 * shortest - 1) * 100 / (100 - swing) + 1;
    let needed = half_period_cycles(parameters.rp_flows());
    let timer = nominal(needed);
    if parameters.decimal("timer_us").0 > 0 && parameters.cycles("timer_us") < timer {
        let least = (u128::from(timer) * 1_000_000_000_000).div_ceil(u128::from(clock.0));
        let reason = format!(
            "expected 0 (off) or at least {} µs: half of the shortest period must leave {needed} cycles for the calculator",
            Micro(least as u64)
        );
        return Err(ParameterError::new("timer_us", reason));
    }
    let bytes = nominal((OPERATIONS_CYCLES * u64::from(line_rate.0)).div_ceil(1 << RATE_FRACTION_BITS));
    if parameters.integer("byte_cycle_bytes") < bytes {
        let reason = format!(
            "expected at least {bytes} bytes: half of the shortest byte cycle must take {OPERATIONS_CYCLES} cycles at line \
             rate"
        );
        return Err(ParameterError::new("byte_cycle_bytes", reason));
    }
    Ok(())
}

/// The values of q0·(2w + 1) that the circuits hold, bytes.
pub(crate) fn full_scale(parameters: &Parameters) -> Bounds {
    Bounds::of(parameters.range("q0_bytes").0, (1 << FULL_SCALE_BITS) - 1)
}

/// The |Fb| that is quantised to the largest number, as the keys say it.
fn stated_full_scale(keys: &Parameters) -> u32 {
    match keys.integer("fb_full_scale_bytes") {
        0 => keys.feedback_full_scale() as u32,
        stated => stated as u32,
    }
}

/// How far a random byte cycle or timer period is from its mean, in percent.
fn swing(keys: &Parameters) -> u32 {
    keys.integer("cycle_jitter_percent") as u32 / 2
}

fn timer(keys: &Parameters) -> JitterParameters {
    match keys.cycles("timer_us") as u32 {
        0 => JitterParameters { low: 0, span: 0 },
        period => JitterParameters::around(period, swing(keys)),
    }
}

/// Conditions between its parameters, besides those of all Ethernet schemes.
pub(crate) const RULES: &[Rule] = &[
    // Half of the shortest byte cycle, low >> 1, takes as long as the operations that it must leave time for.
    Rule {
        left: &[Term { factor: OPERATIONS_CYCLES, port: "line_rate", even: false }],
        right: &[Term { factor: 1 << (RATE_FRACTION_BITS - 1), port: "byte_cycle_low", even: true }],
        more: 0,
        meaning: "half of byte_cycle_low, rounded down, takes 26 cycles or more at line_rate",
    },
    fits!("byte_cycle_low", "byte_cycle_span"),
    fits!("timer_low", "timer_span"),
    fits!("interval_low_0", "interval_span_0"),
    fits!("interval_low_1", "interval_span_1"),
    fits!("interval_low_2", "interval_span_2"),
    fits!("interval_low_3", "interval_span_3"),
    fits!("interval_low_4", "interval_span_4"),
    fits!("interval_low_5", "interval_span_5"),
    fits!("interval_low_6", "interval_span_6"),
    fits!("interval_low_7", "interval_span_7"),
];

ports! {
    /// The parameter ports of the feedback block in the congestion point.
    pub struct FeedbackParameters from keys {
        /// w, weight of the queue change.
        pub weight: u32 = Row::key("w"),
        /// q0·(2w + 1) in bytes: the |Fb| that is quantised to 63.
        pub feedback_full_scale: u32 = Row::of(full_scale).unit("bytes") => stated_full_scale,
        /// Send a frame for Fb < 0 even if QntzFb is 0: not by bytes, as in 802.1Q.
        pub send_zero_feedback: bool = Row::BIT => |keys| sample_mode(keys) != SampleMode::Bytes,
        /// Smallest sampling interval for each QntzFb / 8.
        pub interval_low: [u32; 8] = Row::between(1, INTERVAL_MAX).unit("packets, bytes or cycles")
            => |keys| sampling(keys).map(|interval| interval.low),
        /// Largest minus smallest sampling interval for each QntzFb / 8.
        pub interval_span: [u32; 8] = Row::between(0, INTERVAL_MAX).unit("packets, bytes or cycles")
            => |keys| sampling(keys).map(|interval| interval.span),
    }
}

impl FeedbackParameters {
    /// −Fb = Qoff + w·ΔQ in bytes (equation (1)).
    pub fn congestion(&self, q_offset: i32, q_delta: i32) -> i32 {
        q_offset + self.weight as i32 * q_delta
    }

    /// QntzFb = floor(63·|Fb| / full scale), at most 63; `None` if Fb ≥ 0. The full scale is q0·(2w + 1) by default.
    pub fn quantize(&self, congestion: i32) -> Option<u8> {
        (congestion > 0).then(|| self.quantize_to(FEEDBACK_BITS, congestion) as u8)
    }

    /// The same in so many bits; 0 if Fb ≥ 0.
    pub(crate) fn quantize_to(&self, bits: u32, congestion: i32) -> u16 {
        let most = u64::from(u16::MAX >> (16 - bits));
        (most * congestion.max(0) as u64 / u64::from(self.feedback_full_scale)).min(most) as u16
    }

    /// The sampling interval after this QntzFb.
    pub fn interval(&self, quantized: u8) -> JitterParameters {
        let row = usize::from(quantized >> 3);
        JitterParameters { low: self.interval_low[row], span: self.interval_span[row] }
    }

    /// Whether a frame is sent for this QntzFb.
    pub fn sends(&self, quantized: u8) -> bool {
        quantized > 0 || self.send_zero_feedback
    }
}

ports! {
    /// The parameter ports of the calculator in the reaction point.
    pub struct CalculatorParameters from keys {
        /// Line rate: the largest current rate, and the rate after reset.
        pub line_rate: Rate = Row::rate("line_rate_mbps", 1).named(&["rpgMaxRate"]),
        /// The smallest rate.
        pub min_rate: Rate = Row::rate("min_rate_mbps", 1).named(&["rpgMinRate"]),
        /// R_AI.
        pub ai_rate: Rate = Row::rate("ai_rate_mbps", 0).named(&["rpgAiRate"]),
        /// R_HAI, 0 = off.
        pub hai_rate: Rate = Row::rate("hai_rate_mbps", 0).named(&["rpgHaiRate"]),
        /// G_d = 2^−shift.
        pub gd_shift: u32 = Row::key("gd_shift").named(&["rpgGd"]),
        /// Bytes of a byte cycle.
        pub byte_cycle: JitterParameters = Row::of(|keys| Bounds::of(keys.range("byte_cycle_bytes").0.div_ceil(2), INTERVAL_MAX))
            .unit("bytes")
            .named(&["rpgByteResetLow", "rpgByteResetSpan"])
            => |keys| JitterParameters::around(keys.integer("byte_cycle_bytes") as u32, swing(keys)),
        /// Cycles of a timer period; `low` = 0: off.
        pub timer: JitterParameters = Row::of(|keys| Bounds::of(2 * half_period_cycles(keys.rp_flows()), INTERVAL_MAX).or_zero())
            .unit("cycles")
            .named(&["rpgTimeResetLow", "rpgTimeResetSpan"])
            .timer(|_| 1)
            => timer,
        /// Seed of the random source of both.
        pub seed: u16 = Row::key("seed"),
        /// First stage of active increase.
        pub increase_stage: u8 = Row::of(|keys| {
            let (least, most) = keys.range("fast_recovery_cycles");
            Bounds::of(least, most + 1)
        }) => |keys| keys.integer("fast_recovery_cycles") as u8 + u8::from(keys.choice("stage_rule") == "after"),
        /// First stage whose period is halved.
        pub half_stage: u8 = Row::key("fast_recovery_cycles").named(&["rpgThreshold"]),
        /// In the first cycle, R ← R/8 if R > 10 r.
        pub target_reduction: bool = Row::flag("target_reduction"),
        /// A feedback before the end of the first byte cycle keeps the target.
        pub extra_fast_recovery: bool = Row::flag("extra_fast_recovery"),
    }
}

/// The kind of cycle that ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A byte cycle: a number of bytes was sent.
    ByteCycle,
    /// A timer period: a number of cycles has passed.
    TimerPeriod,
}

/// The rates and stages of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rates {
    /// The current rate r.
    pub rate: Rate,
    /// The target rate R.
    pub target: Rate,
    /// Byte cycles since the last feedback.
    pub byte_stage: u8,
    /// Timer periods since the last feedback.
    pub time_stage: u8,
}

impl Rates {
    /// Of an inactive calculator: both rates are the line rate.
    pub(crate) fn inactive(line_rate: Rate) -> Self {
        Rates { rate: line_rate, target: line_rate, byte_stage: 0, time_stage: 0 }
    }

    /// r ← r − r·QntzFb·G_d: the product is rounded down, the cut is at most half of r, and r stays at or above the
    /// minimum. If `moves_target`, R ← r before the cut.
    pub(crate) fn decrease(&mut self, p: &CalculatorParameters, quantized_feedback: u16, moves_target: bool) {
        let cut = (u64::from(self.rate.0) * u64::from(quantized_feedback)) >> p.gd_shift;
        let cut = cut.min(u64::from(self.rate.0 >> 1)) as u32;
        if moves_target {
            self.target = self.rate;
        }
        self.rate = Rate((self.rate.0 - cut).clamp(p.min_rate.0, p.line_rate.0));
        self.byte_stage = 0;
        self.time_stage = 0;
    }

    /// The increase at the end of a byte cycle or timer period. The stage counts up. Then there is hyper-active
    /// increase if both stages are past fast recovery, active increase if one is, and fast recovery otherwise. r ← (r +
    /// R)/2, rounded down.
    pub(crate) fn increase(&mut self, p: &CalculatorParameters, ended: Ended) {
        let stage = match ended {
            Ended::ByteCycle => &mut self.byte_stage,
            Ended::TimerPeriod => &mut self.time_stage,
        };
        *stage = (*stage + 1).min(STAGE_MAX);
        let least = self.byte_stage.min(self.time_stage);
        let most = self.byte_stage.max(self.time_stage);
        let first_cycle = self.byte_stage == 1 || self.time_stage == 1;
        let target = if p.target_reduction && first_cycle && self.target.0 > 10 * self.rate.0 {
            self.target.0 >> 3
        } else if least >= p.increase_stage && p.hai_rate.0 > 0 {
            let count = u32::from(least - p.increase_stage + 1);
            (u64::from(self.target.0) + u64::from(p.hai_rate.0) * u64::from(count)).min(u64::from(RATE_MAX)) as u32
        } else if most >= p.increase_stage {
            (self.target.0 + p.ai_rate.0).min(RATE_MAX)
        } else {
            self.target.0
        };
        self.target = Rate(target);
        self.rate = Rate(((self.rate.0 + target) >> 1).clamp(p.min_rate.0, p.line_rate.0));
    }
}

impl CalculatorParameters {
    /// The jitter of byte cycle and timer period.
    pub(crate) fn jitter(&self) -> Jitter {
        Jitter::new(self.byte_cycle, self.timer, self.seed)
    }

    /// Bytes of the byte cycle after one that ends in cycle `now`, in this stage.
    pub(crate) fn next_byte_cycle(&self, jitter: &Jitter, now: Cycles, byte_stage: u8) -> u32 {
        halved(jitter.first(now), byte_stage + 1 >= self.half_stage)
    }

    /// Cycles of the timer period after one that ends in cycle `now`, in this stage.
    pub(crate) fn next_timer_period(&self, jitter: &Jitter, now: Cycles, time_stage: u8) -> u32 {
        halved(jitter.second(now), time_stage + 1 >= self.half_stage)
    }
}

/// The calculator of the reaction point. Counting ([`sent`](Self::sent), [`timer_end`](Self::timer_end)) is separate
/// from the change of the rate ([`decrease`](Self::decrease), [`increase`](Self::increase)), because in the circuit the
/// rate changes some cycles later.
#[derive(Clone, Copy, Debug)]
pub struct ReactionPoint {
    parameters: CalculatorParameters,
    active: bool,
    rates: Rates,
    bytes_left: u32,
    /// Cycle in which a feedback restarted the byte counter.
    restarted_at: Option<Cycles>,
    /// Cycle in which the current timer period ends.
    timer_end: Cycles,
    jitter: Jitter,
}

impl ReactionPoint {
    /// An inactive calculator at line rate.
    pub fn new(parameters: CalculatorParameters) -> Self {
        ReactionPoint {
            active: false,
            rates: Rates::inactive(parameters.line_rate),
            bytes_left: 0,
            restarted_at: None,
            timer_end: 0,
            jitter: parameters.jitter(),
            parameters,
        }
    }

    /// The current rate r.
    pub fn current_rate(&self) -> Rate {
        self.rates.rate
    }

    /// The target rate R.
    pub fn target_rate(&self) -> Rate {
        self.rates.target
    }

    /// Byte stage and time stage.
    pub fn stages(&self) -> (u8, u8) {
        (self.rates.byte_stage, self.rates.time_stage)
    }

    /// Starts at another rate than line rate: active, with this rate as target, as at the end of a byte cycle before the
    /// first stage.
    pub(crate) fn start_at(&mut self, rate: Rate) {
        self.active = true;
        (self.rates.rate, self.rates.target) = (rate, rate);
        self.bytes_left = self.jitter.first(0);
        self.timer_end = Cycles::from(self.jitter.second(0));
    }

    /// Other parameters from cycle `now` on; other bounds of the byte cycle from the next one on. A byte cycle or timer
    /// period that runs keeps its length.
    pub(crate) fn set_parameters(&mut self, now: Cycles, parameters: CalculatorParameters) {
        self.jitter.set_bounds(now + 1, parameters.byte_cycle);
        self.parameters = parameters;
    }

    /// The same for a circuit whose registers have these values of the bounds in cycle `now`. A timer that was off begins a
    /// period.
    pub(crate) fn set_registers(&mut self, now: Cycles, parameters: CalculatorParameters) {
        let before = std::mem::replace(&mut self.parameters, parameters);
        if before.byte_cycle != parameters.byte_cycle {
            self.jitter.set_bounds(now, parameters.byte_cycle);
        }
        if before.timer != parameters.timer {
            self.jitter.set_second_bounds(now, parameters.timer);
            if before.timer.low == 0 {
                self.timer_end = now + Cycles::from(self.next_timer_period(now));
            }
        }
    }

    /// Whether there is a timer.
    pub(crate) fn has_timer(&self) -> bool {
        self.parameters.timer.low > 0
    }

    /// Minimum rate and line rate.
    pub(crate) fn bounds(&self) -> (Rate, Rate) {
        (self.parameters.min_rate, self.parameters.line_rate)
    }

    /// Sets the current rate, because its bounds have changed.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.rates.rate = rate;
    }

    /// Of a calculator that was inactive in the cycle before: both rates are the line rate.
    pub(crate) fn follow_line_rate(&mut self) {
        self.rates = Rates::inactive(self.parameters.line_rate);
    }

    /// Whether the rate is limited: there was feedback, and the calculator has not become inactive since.
    pub fn active(&self) -> bool {
        self.active
    }

    /// A feedback is taken in cycle `now`. The timer restarts, and also the byte counter if the feedback moves the
    /// target. Returns whether it moves the target.
    pub fn take_feedback(&mut self, now: Cycles) -> bool {
        let moves_target = !self.active || self.rates.byte_stage != 0 || !self.parameters.extra_fast_recovery;
        if moves_target {
            self.bytes_left = self.jitter.first(now);
            self.restarted_at = Some(now);
        }
        self.active = true;
        self.timer_end = now + Cycles::from(self.jitter.second(now));
        self.jitter.draw(now);
        moves_target
    }

    /// A decrease; see [`Rates::decrease`].
    pub fn decrease(&mut self, quantized_feedback: u16, moves_target: bool) {
        self.rates.decrease(&self.parameters, quantized_feedback, moves_target);
    }

    /// A frame of `bytes` is sent in cycle `now`. Returns whether it ends the byte cycle. Bytes beyond the end do not
    /// count in the next byte cycle, and neither do bytes that are sent in the cycle of a restart.
    #[inline]
    pub fn sent(&mut self, now: Cycles, bytes: u32) -> bool {
        if !self.active || self.restarted_at == Some(now) {
            return false;
        }
        if bytes < self.bytes_left {
            self.bytes_left -= bytes;
            return false;
        }
        self.bytes_left = self.parameters.next_byte_cycle(&self.jitter, now, self.rates.byte_stage);
        self.jitter.draw(now);
        true
    }

    /// How many frames of `bytes` can be sent, in cycles behind that of a restart, before one ends the byte cycle.
    pub(crate) fn frames_in_byte_cycle(&self, bytes: u32) -> u64 {
        if self.active { u64::from(self.bytes_left.saturating_sub(1) / bytes.max(1)) } else { u64::MAX }
    }

    /// So many frames of `bytes` were sent, none of which ends the byte cycle.
    pub(crate) fn sent_in_byte_cycle(&mut self, frames: u64, bytes: u32) {
        if self.active {
            self.bytes_left -= frames as u32 * bytes;
        }
    }

    /// The cycle in which the current timer period ends, `now` at the earliest; `None` if no timer runs.
    pub fn timer_end(&self, now: Cycles) -> Option<Cycles> {
        (self.active && self.parameters.timer.low > 0).then_some(self.timer_end.max(now))
    }

    /// Ends the timer period in cycle `now` and starts the next one.
    pub fn restart_timer(&mut self, now: Cycles) {
        self.timer_end = now + Cycles::from(self.next_timer_period(now));
        self.jitter.draw(now);
    }

    fn next_timer_period(&self, now: Cycles) -> u32 {
        self.parameters.next_timer_period(&self.jitter, now, self.rates.time_stage)
    }

    /// The increase at the end of a byte cycle or timer period; see [`Rates::increase`].
    pub fn increase(&mut self, ended: Ended) {
        self.rates.increase(&self.parameters, ended);
    }

    /// Makes the calculator inactive: at line rate and with nothing to send, there is no limit any more.
    pub fn deactivate(&mut self) {
        self.active = false;
        self.rates = Rates::inactive(self.parameters.line_rate);
    }

    /// Whether the calculator is active and at line rate: call [`deactivate`](Self::deactivate) when there is nothing
    /// to send, a cycle later in the circuit.
    pub fn at_line_rate(&self) -> bool {
        self.active && self.rates.rate == self.parameters.line_rate
    }
}

fn halved(period: u32, half: bool) -> u32 {
    if half { period.div_ceil(2) } else { period }
}
