// SPDX-License-Identifier: MIT OR Apache-2.0
//! The algorithms in exact integer arithmetic. They use no I/O and no hardware; time is passed in as a number of
//! cycles.
//!
//! The Ethernet schemes share `sampler`, `queue_monitor` and `token_bucket`; the other modules are the schemes. Each
//! model has the bit widths, the rounding and the saturation of its circuit in [`tidegate_circuits::rtl`]. [`tidegate_lab::bench`] adds
//! the latencies.

pub mod bounds;
pub(crate) mod ethernet;
pub mod flow_bucket;
pub(crate) mod gain;
pub mod jitter;
pub mod last_decrease;
pub mod parameters;
pub mod ports;
pub mod queue_monitor;
pub mod rate_levels;
pub mod sampler;
pub mod sampling_exception;
pub mod token_bucket;

use self::last_decrease::LastDecrease;
use tidegate_core::units::Rate;

/// A part of the control loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Part {
    /// The congestion point, in the switch.
    CongestionPoint,
    /// The reaction point, in the source.
    ReactionPoint,
}

impl Part {
    /// The name on the command line and in reports: `cp` or `rp`.
    pub fn name(self) -> &'static str {
        match self {
            Part::CongestionPoint => "cp",
            Part::ReactionPoint => "rp",
        }
    }

    /// The name in full.
    pub fn title(self) -> &'static str {
        match self {
            Part::CongestionPoint => "congestion point",
            Part::ReactionPoint => "reaction point",
        }
    }

    /// The key that says how many one part serves: output queues or flows.
    pub fn count_key(self) -> &'static str {
        match self {
            Part::CongestionPoint => "cp_queues",
            Part::ReactionPoint => "rp_flows",
        }
    }

    /// What one part serves many of: `queues` or `flows`.
    pub fn serves(self) -> &'static str {
        match self {
            Part::CongestionPoint => "queues",
            Part::ReactionPoint => "flows",
        }
    }
}

/// The feedback fields of a frame. Offsets are in units of 64 octets; positive means congestion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    /// QntzFb, 6 bits; 0 if the scheme does not use it.
    pub quantized_feedback: u8,
    /// cnmQOffset.
    pub q_offset: i16,
    /// cnmQDelta.
    pub q_delta: i16,
    /// Congestion point identifier.
    pub cpid: u64,
}

/// A step of the rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Size, in units of [`Rate`]: 2⁻¹⁸ bytes per cycle.
    pub size: u32,
    /// Whether the rate increases.
    pub increase: bool,
}

impl Step {
    /// The rate after the step: an increase is at most to `line_rate`, a decrease at least to `min_rate`.
    pub(crate) fn apply(self, rate: Rate, min_rate: Rate, line_rate: Rate) -> Rate {
        Rate(if self.increase {
            (rate.0 + self.size).min(line_rate.0)
        } else {
            rate.0.saturating_sub(self.size).max(min_rate.0)
        })
    }
}

/// A calculator that turns each feedback into one step of the rate. The size of the step does not depend on the rate.
pub trait Stepping {
    /// Its parameter ports.
    type Parameters;
    /// Other parameters; rate and what else is stored stay.
    fn set_parameters(&mut self, parameters: Self::Parameters);
    /// Minimum rate and line rate.
    fn bounds(&self) -> (Rate, Rate);
    /// The bits that are cut off a rate after each step.
    fn rate_cut(&self) -> u32;
    /// The current rate.
    fn current_rate(&self) -> Rate;
    /// Sets the current rate.
    fn set_rate(&mut self, rate: Rate);
    /// The congestion point of the last decrease.
    fn last_decrease(&mut self) -> &mut LastDecrease;
    /// The step for a feedback; `None` if the feedback is ignored.
    fn feedback(&mut self, feedback: Feedback) -> Option<Step>;
    /// The rate after a step from this rate, which may be outside of bounds that have just changed.
    fn stepped(&self, step: Step, rate: Rate) -> Rate {
        let (min_rate, line_rate) = self.bounds();
        Rate(step.apply(rate, min_rate, line_rate).clamp(min_rate, line_rate).0 & !self.rate_cut())
    }
    /// Applies a step. The rate stays between minimum rate and line rate.
    fn apply(&mut self, step: Step) {
        self.set_rate(self.stepped(step, self.current_rate()));
    }

    /// Whether the congestion point of a feedback would be stored as that of the last decrease. Only for whole
    /// identifiers.
    fn remembers(&self, feedback: &Feedback) -> bool
    where
        Self: Clone,
    {
        let mut tried = self.clone();
        let other = tried.last_decrease().example(false);
        tried.feedback(Feedback { cpid: other, ..*feedback });
        tried.last_decrease().is(other)
    }
}

/// Converts bytes to units of 64 octets, rounded towards minus infinity, saturated to 16 bits.
pub fn to_units(bytes: i32) -> i16 {
    (bytes >> 6).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

/// operand · factor / 2¹⁶, rounded down, saturated at 2³¹ − 1.
pub(crate) fn scaled_product(operand: u32, factor: u32) -> u32 {
    ((u64::from(operand) * u64::from(factor)) >> 16).min((1 << 31) - 1) as u32
}
