// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of DSM, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{
    FEEDBACK_WITHOUT_UNITS, FIELDS_HELD, FLOW_RATES, FLOW_STEP, Harness, LINE_RATE_AFTER_RESET, Mistake, Mutation,
    ONLY_SAMPLES, POPPED_WHEN_SENT, RATE_IN_BOUNDS, RATE_LIMITER, REACTION_POINT, REMEMBERS_DECREASES, WHOLE_LEVELS,
    mutations, of_congestion_point, of_congestion_point_array, of_flow_frames, of_flow_rates, of_flow_step, of_frames,
    of_queue_array_frames, of_reaction_point, simple,
};

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    Harness {
        module: "feedback_dsm",
        text: &[include_str!("claims/feedback.sv"), FEEDBACK_WITHOUT_UNITS],
        induction: 2,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            ("answered_in_time", "each sample of a controlled flow gets a frame, 213 cycles after it is at the head"),
            (
                "dropped_in_time",
                "a sample of a flow that is not controlled leaves the queue 213 cycles after it is at the head",
            ),
            ("step_within_limit", "no step that is sent is larger than step_max"),
        ],
    },
    of_congestion_point("dsm_congestion_point"),
    of_congestion_point_array("dsm_congestion_point_array"),
    of_queue_array_frames("dsm_congestion_point_array"),
    simple(
        "calculator_dsm",
        &[include_str!("claims/calculator.sv")],
        &[
            RATE_IN_BOUNDS,
            WHOLE_LEVELS,
            LINE_RATE_AFTER_RESET,
            ("adds_the_step", "each step that is not ignored is added, and nothing else changes the rate"),
            ("taken_in_time", "each feedback is taken one cycle after it becomes valid"),
            REMEMBERS_DECREASES,
        ],
    ),
    of_reaction_point("dsm_reaction_point", &[REACTION_POINT, RATE_LIMITER]),
    of_frames("dsm_reaction_point"),
    of_flow_step("step_dsm", &[FLOW_STEP]),
    of_flow_rates("dsm_flows", &[FLOW_RATES]),
    of_flow_frames("dsm_flows"),
];

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("feedback_dsm", 4, "feedback_valid", "sample_valid && flip", &["fields_held", "answered_in_time"]),
    ("feedback_dsm", 3, "feedback_valid", "1'b1", &["only_samples", "popped_when_sent", "step_within_limit"]),
    ("feedback_dsm", 3, "pop", "sample_valid", &["dropped_in_time"]),
    (
        "calculator_dsm",
        4,
        "current_rate",
        "real + 25'd1",
        &["rate_in_bounds", "line_rate_after_reset", "adds_the_step"],
    ),
    ("calculator_dsm", 3, "current_rate", "real | 25'd1", &["whole_levels"]),
    ("calculator_dsm", 3, "feedback_ready", "1'b1", &["taken_in_time"]),
    ("calculator_dsm", 3, "remember", "1'b1", &["remembers_decreases"]),
    // A frame of its own is more than 50 cycles away.
    ("dsm_congestion_point", 4, "valid", "flip", &["no_gap_in_a_frame", "held_until_ready"]),
    ("dsm_congestion_point", 10, "valid", "1'b1", &["eight_words"]),
    ("dsm_congestion_point", 3, "lost", "!real", &["lost_tells"]),
    ("dsm_congestion_point", 3, "sample", "1'b1", &["only_packets"]),
    ("dsm_congestion_point_array", 4, "counted", "1'b1", &["own_events_only", "none_before_cleared"]),
    ("dsm_congestion_point_array", 3, "unknown_queue", "!real", &["unknown_tells"]),
    ("dsm_congestion_point_array", 3, "sample", "1'b1", &["only_packets"]),
    // A frame of its own is more than 20 cycles away.
    (
        "dsm_congestion_point_array",
        4,
        "valid",
        "flip",
        &["no_gap_in_a_frame", "held_until_ready", "popped_with_its_frame"],
    ),
    ("dsm_congestion_point_array", 10, "valid", "1'b1", &["eight_words"]),
    ("dsm_reaction_point", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("dsm_reaction_point", 3, "grant", "1'b1", &["asked_for", "from_reset"]),
    ("dsm_reaction_point", 3, "current_rate", "real ^ flip", &["rate_in_bounds"]),
    ("dsm_reaction_point", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("dsm_reaction_point", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
    ("step_dsm", 3, "changes", "1'b1", &["changes_when_taken"]),
    ("step_dsm", 4, "new_rate", "25'd0", &["new_rate_in_bounds"]),
    ("step_dsm", 3, "new_rate", "real | 25'd1", &["whole_levels"]),
    ("step_dsm", 3, "feedback_ready", "1'b1", &["taken_when_offered"]),
    ("dsm_flows", 4, "clearing", "real && flip", &["all_rates_in_bounds"]),
    ("dsm_flows", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("dsm_flows", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
];

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "feedback_dsm" "prediction_dsm" "missing carry": "offset_total = {offset, 1'd1} + addend;" => "offset_total = {offset, 1'd0} + addend;";
    "feedback_dsm" "prediction_dsm" "wrong comparison": "(change[31] == delta_negative)" => "(change[31] != delta_negative)";
    "feedback_dsm" "feedback_dsm" "missing reset": "s1 <= 32'd0;" => "";
    "feedback_dsm" "prediction_dsm" "wrong limit": "too_large ? {1'd0, step_max} :" => "too_large ? {2'd0, step_max[23:0]} :";
    "calculator_dsm" "step_dsm" "dropped sign": "(sum[26] || (sum_unsigned" => "((sum_unsigned";
    "calculator_dsm" "step_dsm" "no saturation": "step = 27'h1ffffff;" => "";
    "dsm_congestion_point_array" "feedback_dsm_array" "dropped update": "writes = prediction_decided || !cleared;" => "writes = !cleared;";
    "dsm_congestion_point_array" "dsm_congestion_point_array" "wire left out": "cpid_low | {30'd0, sample_owners_head_queue}" => "cpid_low";
    "dsm_flows" "dsm_flows" "swapped wires": ".q_offset_units(parser_q_offset_units),\n        .q_delta_units(parser_q_delta_units),\n        .same_point" => ".q_offset_units(parser_q_delta_units),\n        .q_delta_units(parser_q_offset_units),\n        .same_point";
    "dsm_congestion_point" "dsm_congestion_point" "wire left out": ".controlled(controlled),\n        .source_mac_high" => ".controlled(1'b1),\n        .source_mac_high";
    "dsm_reaction_point" "dsm_reaction_point" "wire left out": ".remember(calculator_remember),\n        .quantized_feedback" => ".remember(1'b0),\n        .quantized_feedback";
    "calculator_dsm" "calculator_dsm" "wrong reset value": "rate <= line_rate;" => "rate <= min_rate;";
};
