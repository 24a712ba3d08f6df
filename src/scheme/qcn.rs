//! Quantized congestion notification (smcc.txt section 2.2, qcn-phase-plane.txt section II, 802.1Q).

use super::jitter::{Jitter, JitterParameters};
use super::parameters::Parameters;
use crate::units::{Cycles, Rate, RATE_MAX};

/// The largest stage that is counted.
pub const STAGE_MAX: u8 = 63;
/// The largest quantised feedback: 6 bits.
pub const FEEDBACK_MAX: u8 = 63;

/// What the congestion point's feedback block takes from its ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackParameters {
    /// w.
    pub weight: u32,
    /// q0·(2w + 1) in bytes: what is quantised to 63.
    pub full_scale: u32,
    /// Send Fb < 0 even where it is quantised to 0.
    pub send_zero: bool,
    /// Smallest sampling interval by quantised feedback / 8.
    pub interval_low: [u32; 8],
}

impl FeedbackParameters {
    /// −Fb = Qoff + w·ΔQ in bytes (equation (1)).
    pub fn congestion(&self, q_offset: i32, q_delta: i32) -> i32 {
        q_offset + self.weight as i32 * q_delta
    }

    /// floor(63·|Fb| / (q0·(2w + 1))), at most 63; `None` where Fb ≥ 0.
    pub fn quantize(&self, congestion: i32) -> Option<u8> {
        (congestion > 0).then(|| {
            let scaled = u64::from(FEEDBACK_MAX) * congestion as u64 / u64::from(self.full_scale);
            scaled.min(u64::from(FEEDBACK_MAX)) as u8
        })
    }

    /// Whether a frame goes out for a quantised value.
    pub fn sends(&self, quantized: u8) -> bool {
        quantized > 0 || self.send_zero
    }
}

/// What the reaction point's calculator takes from its ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalculatorParameters {
    /// Rate at start, and the largest current rate.
    pub line_rate: Rate,
    /// The smallest rate.
    pub min_rate: Rate,
    /// R_AI.
    pub ai_rate: Rate,
    /// R_HAI, 0 = off.
    pub hai_rate: Rate,
    /// G_d = 2^−shift.
    pub gd_shift: u32,
    /// Bytes of a byte cycle.
    pub byte_cycle: JitterParameters,
    /// Cycles of a timer period; `low` = 0: off.
    pub timer: JitterParameters,
    /// Seed of the jitter of both.
    pub seed: u16,
    /// First stage of active increase.
    pub increase_stage: u8,
    /// First stage whose period is halved.
    pub half_stage: u8,
    /// R ← R/8 in the first cycle where R > 10 r.
    pub target_reduction: bool,
    /// A feedback before the first byte cycle ends keeps the old target.
    pub extra_fast_recovery: bool,
}

impl CalculatorParameters {
    /// From checked parameters.
    pub fn new(parameters: &Parameters) -> Self {
        let cycles = parameters.integer("fast_recovery_cycles") as u8;
        let swing = parameters.integer("cycle_jitter_percent") as u32 / 2;
        let period = parameters.cycles("timer_us") as u32;
        CalculatorParameters {
            line_rate: parameters.rate("line_rate_mbps"),
            min_rate: parameters.rate("min_rate_mbps"),
            ai_rate: parameters.rate("ai_rate_mbps"),
            hai_rate: parameters.rate("hai_rate_mbps"),
            gd_shift: parameters.integer("gd_shift") as u32,
            byte_cycle: JitterParameters::around(parameters.integer("byte_cycle_bytes") as u32, swing),
            timer: match period {
                0 => JitterParameters { low: 0, ratio: 0 },
                _ => JitterParameters::around(period, swing),
            },
            seed: parameters.integer("seed") as u16,
            increase_stage: if parameters.choice("stage_rule") == "after" { cycles + 1 } else { cycles },
            half_stage: cycles,
            target_reduction: parameters.flag("target_reduction"),
            extra_fast_recovery: parameters.flag("extra_fast_recovery"),
        }
    }
}

/// What ended: a byte cycle or a timer period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// So many bytes were sent.
    ByteCycle,
    /// So much time has gone.
    TimerPeriod,
}

/// The reaction point's calculator. Counting ([`sent`](Self::sent), [`timer_end`](Self::timer_end)) is apart from acting
/// ([`decrease`](Self::decrease), [`increase`](Self::increase)), because the hardware acts a few cycles later.
#[derive(Clone, Debug)]
pub struct ReactionPoint {
    parameters: CalculatorParameters,
    active: bool,
    rate: Rate,
    target: Rate,
    byte_stage: u8,
    time_stage: u8,
    elapsed_bytes: u32,
    /// Cycle in which a feedback restarted the byte counter.
    restarted_at: Option<Cycles>,
    timer_start: Cycles,
    byte_jitter: Jitter,
    time_jitter: Jitter,
}

impl ReactionPoint {
    /// Inactive, at line rate.
    pub fn new(parameters: CalculatorParameters) -> Self {
        ReactionPoint {
            active: false,
            rate: parameters.line_rate,
            target: parameters.line_rate,
            byte_stage: 0,
            time_stage: 0,
            elapsed_bytes: 0,
            restarted_at: None,
            timer_start: 0,
            byte_jitter: Jitter::new(parameters.byte_cycle, parameters.seed),
            time_jitter: Jitter::new(parameters.timer, parameters.seed.rotate_left(8)),
            parameters,
        }
    }

    /// r.
    pub fn current_rate(&self) -> Rate {
        self.rate
    }

    /// R.
    pub fn target_rate(&self) -> Rate {
        self.target
    }

    /// Byte stage and time stage.
    pub fn stages(&self) -> (u8, u8) {
        (self.byte_stage, self.time_stage)
    }

    /// Whether a limit is in force.
    pub fn active(&self) -> bool {
        self.active
    }

    /// A feedback is taken in cycle `now`: the timer restarts, and the byte counter where the target will move. Returns
    /// whether it will.
    pub fn take_feedback(&mut self, now: Cycles) -> bool {
        let moves_target = !self.active || self.byte_stage != 0 || !self.parameters.extra_fast_recovery;
        if moves_target {
            self.elapsed_bytes = 0;
            self.restarted_at = Some(now);
        }
        self.active = true;
        self.timer_start = now + 1;
        moves_target
    }

    /// r ← r − r·QntzFb·G_d, cut, at most by half and not below the minimum; R ← the old r where `moves_target`.
    pub fn decrease(&mut self, quantized_feedback: u8, moves_target: bool) {
        let p = &self.parameters;
        let cut = (u64::from(self.rate.0) * u64::from(quantized_feedback)) >> p.gd_shift;
        let cut = cut.min(u64::from(self.rate.0 >> 1)) as u32;
        if moves_target {
            self.target = self.rate;
        }
        self.rate = Rate((self.rate.0 - cut).max(p.min_rate.0));
        self.byte_stage = 0;
        self.time_stage = 0;
    }

    /// A frame of `bytes` left in cycle `now`: whether it ends the byte cycle. What is over does not count in the next
    /// one; what leaves in the cycle of a restart counts but ends nothing.
    pub fn sent(&mut self, now: Cycles, bytes: u32) -> bool {
        if !self.active {
            return false;
        }
        if self.restarted_at == Some(now) {
            self.elapsed_bytes = bytes;
            return false;
        }
        let period = halved(self.byte_jitter.interval(now), self.byte_stage >= self.parameters.half_stage);
        let total = self.elapsed_bytes + bytes;
        let full = total >= period;
        self.elapsed_bytes = if full { 0 } else { total };
        if full {
            self.byte_jitter.draw(now);
        }
        full
    }

    /// The cycle in which the timer period under way ends, not before `now`; `None` where no timer runs. A period is far
    /// longer than the pipeline of the jitter.
    pub fn timer_end(&self, now: Cycles) -> Option<Cycles> {
        let p = &self.parameters;
        (self.active && p.timer.low > 0).then(|| {
            let period = halved(self.time_jitter.settled(), self.time_stage >= p.half_stage);
            (self.timer_start + Cycles::from(period).saturating_sub(1)).max(now)
        })
    }

    /// The timer period ends in cycle `now`.
    pub fn restart_timer(&mut self, now: Cycles) {
        self.timer_start = now + 1;
        self.time_jitter.draw(now);
    }

    /// The increase at the end of a byte cycle or a timer period: the stage counts, then hyper-active increase where both
    /// stages are past fast recovery, active increase where one is, fast recovery else; r ← (r + R)/2, cut.
    pub fn increase(&mut self, ended: Ended) {
        let p = &self.parameters;
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

    /// Back at line rate with nothing to send: no limit any more.
    pub fn deactivate(&mut self) {
        self.active = false;
        self.rate = self.parameters.line_rate;
        self.target = self.parameters.line_rate;
        self.byte_stage = 0;
        self.time_stage = 0;
        self.elapsed_bytes = 0;
    }

    /// Whether [`deactivate`](Self::deactivate) is due once nothing waits.
    pub fn at_line_rate(&self) -> bool {
        self.active && self.rate == self.parameters.line_rate
    }
}

fn halved(period: u32, half: bool) -> u32 {
    if half {
        period >> 1
    } else {
        period
    }
}
