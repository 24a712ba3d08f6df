//! The algorithms in exact integer arithmetic: no I/O, no hardware, no time but what is passed in.
//!
//! `sampler`, `queue_monitor` and `token_bucket` are what the Ethernet schemes share; the others are the schemes.
//! Every model has the bit widths, the rounding and the saturation of its circuit in [`crate::rtl`]; the cycle in which a
//! result shows is the business of [`crate::bench`].

pub mod asm;
pub mod bcn;
pub mod dsm;
pub mod infiniband;
pub mod jitter;
pub mod parameters;
pub mod qcn;
pub mod queue_monitor;
pub mod sampler;
pub mod sampling_exception;
pub mod smcc;
pub mod token_bucket;

use crate::units::Rate;

/// Which end of the loop.
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
}

/// What a feedback frame carries. Offsets in units of 64 octets, positive where there is congestion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    /// QntzFb, 6 bits; 0 where the scheme has none.
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
    /// Size in steps of the rate.
    pub size: u32,
    /// Up or down.
    pub increase: bool,
}

impl Step {
    /// The rate after it, within two bounds.
    pub fn apply(self, rate: Rate, min_rate: Rate, line_rate: Rate) -> Rate {
        Rate(if self.increase {
            (rate.0 + self.size).min(line_rate.0)
        } else {
            rate.0.saturating_sub(self.size).max(min_rate.0)
        })
    }
}

/// A calculator whose every feedback is one step of the rate, whatever the rate is.
pub trait Stepping {
    /// The rate now.
    fn current_rate(&self) -> Rate;
    /// The step that a feedback asks for; `None` where it does not count.
    fn feedback(&mut self, feedback: Feedback) -> Option<Step>;
    /// Takes a step: the rate stays within its bounds.
    fn apply(&mut self, step: Step);
}

/// Bytes to 64-octet units: rounded towards minus infinity, saturated to 16 bits (SCHEMES, Frames).
pub fn to_units(bytes: i32) -> i16 {
    (bytes >> 6).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

/// operand · factor / 2¹⁶, cut; saturated at 2³¹ − 1.
pub fn scaled_product(operand: u32, factor: u32) -> u32 {
    ((u64::from(operand) * u64::from(factor)) >> 16).min((1 << 31) - 1) as u32
}
