// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delay-tolerant sliding mode congestion control: its blocks, and its parts for one queue or flow and for many.

pub mod calculator;
pub mod feedback;
pub mod feedback_array;
pub mod prediction;

use self::calculator::{DsmStep, dsm_parameters};
use self::feedback::{DsmFeedback, dsm_feedback_parameters};
use self::feedback_array::DsmFeedbackArray;
use crate::rtl::congestion_point::array::{congestion_point_array, congestion_points};
use crate::rtl::congestion_point::congestion_point;
use crate::rtl::reaction_point::flows::flow_reaction_point;
use crate::rtl::reaction_point::{rate_scheme, reaction_point};
use tidegate_hdl::prelude::*;

dsm_feedback_parameters!(congestion_point:
    /// DSM's congestion point.
    DsmCongestionPoint, "dsm_congestion_point", DsmFeedback,
    interval: [interval_low, interval_span], by feedback: [], sample from: sampler
);

dsm_feedback_parameters!(congestion_point_array:
    /// DSM's congestion point for many queues.
    DsmCongestionPointArray<N, M>, "dsm_congestion_point_array", DsmFeedbackArray<N, M>,
    interval: [interval_low, interval_span], sample from: sampler, without levels: feedback, state: feedback
);

congestion_points!(
    /// DSM's congestion point for so many queues, with six more address bits for the history of each.
    DsmCongestionPointArray [1, 7] [2, 8] [3, 9] [4, 10] [5, 11] [6, 12]
);

dsm_parameters!(rate_scheme:
    /// DSM's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in cycle t + 1 and
    /// changes `current_rate` in cycle t + 2.
    DsmCalculator, "calculator_dsm", DsmStep;
    /// DSM's reaction point.
    DsmReactionPoint, "dsm_reaction_point";
);

dsm_parameters!(flow_reaction_point:
    /// DSM's reaction point of many flows.
    DsmFlows, "dsm_flows", DsmStep, without_modes, points: flow_points [cpid_any, cpid_digest]
);
