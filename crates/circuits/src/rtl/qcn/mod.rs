// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantized congestion notification: its blocks, and its parts for one queue or flow and for many.

pub mod calculator;
pub mod cycle_lengths;
pub mod feedback;
pub mod flow_stages;
pub mod quantisation;
pub mod sampling_levels;
pub mod sampling_table;
pub mod wide;

use self::calculator::{QcnCalculator, QcnStep, qcn_parameters, qcn_step_parameters};
use self::feedback::{QcnFeedback, qcn_feedback_parameters};
use self::flow_stages::FlowStages;
use self::quantisation::{QcnQuantisation, qcn_quantisation_parameters};
use self::sampling_levels::SamplingLevels;
use crate::rtl::congestion_point::array::{congestion_point_array, congestion_points};
use crate::rtl::congestion_point::congestion_point;
use crate::rtl::reaction_point::flows::flow_reaction_point;
use crate::rtl::reaction_point::reaction_point;
use tidegate_hdl::prelude::*;

qcn_feedback_parameters!(congestion_point:
    /// QCN's congestion point.
    QcnCongestionPoint, "qcn_congestion_point", QcnFeedback,
    interval: [], by feedback: [interval_low, interval_span], sample from: sampler
);

qcn_quantisation_parameters!(congestion_point_array:
    /// QCN's congestion point for many queues.
    QcnCongestionPointArray<N>, "qcn_congestion_point_array", QcnQuantisation,
    interval: [], sample from: sampler, levels: sampling_levels: SamplingLevels {
        interval_low_0, interval_low_1, interval_low_2, interval_low_3,
        interval_low_4, interval_low_5, interval_low_6, interval_low_7,
        interval_span_0, interval_span_1, interval_span_2, interval_span_3,
        interval_span_4, interval_span_5, interval_span_6, interval_span_7,
    }
);

congestion_points!(
    /// QCN's congestion point for so many queues.
    QcnCongestionPointArray [1] [2] [3] [4] [5] [6]
);

qcn_parameters!(reaction_point:
    /// QCN's reaction point.
    QcnReactionPoint, "qcn_reaction_point", QcnCalculator,
    from_parser: [quantized_feedback], to_parser: [], cpid: [], no cpid: [remember, cpid_any, cpid_digest],
    sent: [sent_bytes], empty: [source_empty]
);

qcn_step_parameters!(flow_reaction_point:
    /// QCN's reaction point of many flows.
    QcnFlows, "qcn_flows", QcnStep, without_modes, stages: flow_stages: FlowStages {
        byte_cycle_low: Bits<24>,
        byte_cycle_span: Bits<24>,
        timer_low: Bits<24>,
        timer_span: Bits<24>,
        seed: Bits<16>,
        half_stage: Bits<6>,
        extra_fast_recovery: Bit,
    }
);
