// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sliding mode congestion control: its blocks, and its parts for one queue or flow and for many.

pub mod at_once;
pub mod calculator;
pub mod feedback;

use self::calculator::{SmccStep, smcc_parameters};
use self::feedback::SmccFeedback;
use crate::rtl::congestion_point::array::{congestion_point_array, congestion_points};
use crate::rtl::congestion_point::congestion_point;
use crate::rtl::reaction_point::flows::flow_reaction_point;
use crate::rtl::reaction_point::{rate_scheme, reaction_point};
use tidegate_hdl::prelude::*;

congestion_point!(
    {}
    /// SMCC's congestion point.
    SmccCongestionPoint, "smcc_congestion_point", SmccFeedback,
    interval: [interval_low, interval_span], by feedback: [], sample from: sampler
);

congestion_point_array!(
    {}
    /// SMCC's congestion point for many queues.
    SmccCongestionPointArray<N>, "smcc_congestion_point_array", SmccFeedback,
    interval: [interval_low, interval_span], sample from: sampler, without levels: feedback
);

congestion_points!(
    /// SMCC's congestion point for so many queues.
    SmccCongestionPointArray [1] [2] [3] [4] [5] [6]
);

smcc_parameters!(rate_scheme:
    /// SMCC's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in cycle t + 18 and
    /// changes `current_rate` in cycle t + 19.
    SmccCalculator, "calculator_smcc", SmccStep;
    /// SMCC's reaction point.
    SmccReactionPoint, "smcc_reaction_point";
    mode:
    /// A congestion point is remembered.
    knows_point => will_know_point
);

smcc_parameters!(flow_reaction_point:
    /// SMCC's reaction point of many flows.
    SmccFlows, "smcc_flows", SmccStep, new, points: flow_points [cpid_any, cpid_digest], mode: mode from 0 { knows_point => will_know_point }
);
