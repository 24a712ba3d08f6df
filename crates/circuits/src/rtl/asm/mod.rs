// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive sliding mode congestion control: its blocks, and its parts for one queue or flow and for many.

pub mod calculator;
pub mod feedback;

use self::calculator::{AsmStep, asm_parameters};
use self::feedback::{AsmFeedback, asm_feedback_parameters};
use crate::rtl::congestion_point::array::{congestion_point_array, congestion_points};
use crate::rtl::congestion_point::congestion_point;
use crate::rtl::reaction_point::flows::flow_reaction_point;
use crate::rtl::reaction_point::{rate_scheme, reaction_point};
use tidegate_hdl::prelude::*;

asm_feedback_parameters!(congestion_point:
    /// ASM's congestion point.
    AsmCongestionPoint, "asm_congestion_point", AsmFeedback,
    interval: [interval_low, interval_span], by feedback: [], sample from: sampling_exception, exception: sampling_exception { exception_waits }
);

asm_feedback_parameters!(congestion_point_array:
    /// ASM's congestion point for many queues.
    AsmCongestionPointArray<N>, "asm_congestion_point_array", AsmFeedback,
    interval: [interval_low, interval_span], sample from: sampling_exception,
    exception: sampling_exception { exception_waits }, without levels: feedback
);

congestion_points!(
    /// ASM's congestion point for so many queues.
    AsmCongestionPointArray [1] [2] [3] [4] [5] [6]
);

asm_parameters!(rate_scheme:
    /// ASM's rate and set of coefficients. Reset sets the rate to the line rate, and the set to that of approach. Feedback
    /// that is valid from cycle t is taken in cycle t + 106 and changes `current_rate` in cycle t + 107.
    AsmCalculator, "calculator_asm", AsmStep;
    /// ASM's reaction point.
    AsmReactionPoint, "asm_reaction_point";
    mode:
    /// The sliding set is in use.
    slides => will_slide
);

asm_parameters!(flow_reaction_point:
    /// ASM's reaction point of many flows.
    AsmFlows, "asm_flows", AsmStep, new, points: flow_points [cpid_any, cpid_digest], mode: mode from 2 { slides => will_slide }
);
