// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backward congestion notification: its blocks, and its parts for one queue or flow and for many.

pub mod calculator;
pub mod feedback;
pub mod flow_stops;

use self::calculator::{BcnCalculator, BcnStep, bcn_parameters};
use self::feedback::{BcnFeedback, bcn_feedback_parameters};
use self::flow_stops::FlowStops;
use crate::rtl::congestion_point::array::{congestion_point_array, congestion_points};
use crate::rtl::congestion_point::congestion_point;
use crate::rtl::reaction_point::flows::flow_reaction_point;
use crate::rtl::reaction_point::reaction_point;
use tidegate_hdl::prelude::*;

bcn_feedback_parameters!(congestion_point:
    /// BCN's congestion point.
    BcnCongestionPoint, "bcn_congestion_point", BcnFeedback,
    interval: [interval_low, interval_span], by feedback: [], sample from: sampler
);

bcn_feedback_parameters!(congestion_point_array:
    /// BCN's congestion point for many queues.
    BcnCongestionPointArray<N>, "bcn_congestion_point_array", BcnFeedback,
    interval: [interval_low, interval_span], sample from: sampler, without levels: feedback
);

congestion_points!(
    /// BCN's congestion point for so many queues.
    BcnCongestionPointArray [1] [2] [3] [4] [5] [6]
);

bcn_parameters!(reaction_point:
    /// BCN's reaction point.
    BcnReactionPoint, "bcn_reaction_point", BcnCalculator,
    from_parser: [q_offset_units, q_delta_units, same_point], to_parser: [remember],
    cpid: [cpid_any, cpid_digest], no cpid: [], sent: [], empty: []
);

bcn_parameters!(flow_reaction_point:
    /// BCN's reaction point of many flows.
    BcnFlows, "bcn_flows", BcnStep, without_modes, points: flow_points [cpid_any, cpid_digest], stops: flow_stops: FlowStops
);
