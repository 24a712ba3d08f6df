// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of ASM, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{
    FEEDBACK, FIELDS_HELD, FLOW_RATES, FLOW_STEP, Harness, LINE_RATE_AFTER_RESET, Mistake, Mutation, ONLY_SAMPLES,
    POPPED_WHEN_SENT, RATE_IN_BOUNDS, RATE_LIMITER, REACTION_POINT, UNITS_EXACT, WHOLE_LEVELS, mutations,
    of_congestion_point, of_congestion_point_array, of_flow_frames, of_flow_rates, of_flow_step, of_frames,
    of_queue_array_frames, of_reaction_point,
};

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    Harness {
        module: "feedback_asm",
        text: &[include_str!("claims/feedback.sv"), FEEDBACK],
        induction: 2,
        settings: None,
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            (
                "every_sample_is_sent",
                "each sample of a controlled flow gets a frame, two cycles after it is at the head",
            ),
            (
                "popped_at_once_or_when_sent",
                "a sample of a flow that is not controlled leaves the queue two cycles after it is at the head",
            ),
        ],
    },
    of_congestion_point("asm_congestion_point"),
    of_congestion_point_array("asm_congestion_point_array"),
    of_queue_array_frames("asm_congestion_point_array"),
    Harness {
        module: "calculator_asm",
        text: &[include_str!("claims/calculator.sv")],
        induction: 2,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            WHOLE_LEVELS,
            LINE_RATE_AFTER_RESET,
            ("changes_when_taken", "the rate changes only in the cycle after a feedback is taken"),
            ("taken_in_time", "each feedback is taken 106 cycles after it becomes valid"),
        ],
    },
    of_reaction_point("asm_reaction_point", &[REACTION_POINT, RATE_LIMITER]),
    of_frames("asm_reaction_point"),
    of_flow_step("step_asm", &[FLOW_STEP]),
    of_flow_rates("asm_flows", &[FLOW_RATES]),
    of_flow_frames("asm_flows"),
];

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("feedback_asm", 5, "feedback_valid", "real && flip", &["fields_held", "every_sample_is_sent"]),
    ("feedback_asm", 5, "pop", "sample_valid", &["popped_when_sent", "popped_at_once_or_when_sent"]),
    ("feedback_asm", 3, "pop", "1'b1", &["only_samples"]),
    ("feedback_asm", 5, "quantiser_mask", "16'hffff", &["units_exact"]),
    ("calculator_asm", 3, "current_rate", "flip ? real : 25'd0", &["rate_in_bounds", "changes_when_taken"]),
    ("calculator_asm", 3, "current_rate", "real + 25'd1", &["line_rate_after_reset"]),
    ("calculator_asm", 3, "current_rate", "real | 25'd1", &["whole_levels"]),
    ("calculator_asm", 3, "feedback_ready", "1'b1", &["taken_in_time"]),
    ("asm_congestion_point", 8, "valid", "real && flip", &["no_gap_in_a_frame", "held_until_ready"]),
    ("asm_congestion_point", 8, "data_high", "real ^ flip", &["held_until_ready"]),
    ("asm_congestion_point", 6, "last", "1'b1", &["eight_words"]),
    ("asm_congestion_point", 3, "lost", "!real", &["lost_tells"]),
    ("asm_congestion_point", 3, "sample", "1'b1", &["only_packets"]),
    ("asm_congestion_point_array", 4, "counted", "1'b1", &["own_events_only", "none_before_cleared"]),
    ("asm_congestion_point_array", 3, "unknown_queue", "!real", &["unknown_tells"]),
    ("asm_congestion_point_array", 3, "sample", "1'b1", &["only_packets"]),
    // A frame of its own is more than 20 cycles away.
    (
        "asm_congestion_point_array",
        4,
        "valid",
        "flip",
        &["no_gap_in_a_frame", "held_until_ready", "popped_with_its_frame"],
    ),
    ("asm_congestion_point_array", 10, "valid", "1'b1", &["eight_words"]),
    ("asm_reaction_point", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("asm_reaction_point", 3, "grant", "1'b1", &["asked_for", "from_reset"]),
    ("asm_reaction_point", 3, "current_rate", "real ^ flip", &["rate_in_bounds"]),
    ("asm_reaction_point", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("asm_reaction_point", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
    ("step_asm", 3, "changes", "1'b1", &["changes_when_taken"]),
    ("step_asm", 3, "new_rate", "25'd0", &["new_rate_in_bounds"]),
    ("step_asm", 3, "new_rate", "real | 25'd1", &["whole_levels"]),
    ("step_asm", 3, "feedback_ready", "1'b1", &["taken_when_offered"]),
    ("asm_flows", 4, "clearing", "real && flip", &["all_rates_in_bounds"]),
    ("asm_flows", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("asm_flows", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
];

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "feedback_asm" "feedback_asm" "missing condition": "sample_valid && !done" => "sample_valid";
    "feedback_asm" "quantiser" "wrong operand": ": (units & mask);" => ": (units & limit);";
    "calculator_asm" "step_asm" "wrong operator": "if (between && sliding)" => "if (between || sliding)";
    "calculator_asm" "step_asm" "comparison off by one": "(spread >= b_zero_units)" => "(spread > b_zero_units)";
    "calculator_asm" "step_asm" "wrong sign": "increase <= total[27];" => "increase <= !total[27];";
    "asm_congestion_point_array" "asm_congestion_point_array" "wire left out": "cpid_low | {30'd0, sample_owners_head_queue}" => "cpid_low";
    "asm_flows" "asm_flows" "wrong bit": "flow_points_known = flow_limiter_mode[1];" => "flow_points_known = flow_limiter_mode[0];";
    "asm_flows" "asm_flows" "wrong constant": "calculator_will_slide ? 2'd3 : 2'd2;" => "calculator_will_slide ? 2'd3 : 2'd1;";
    "asm_congestion_point" "asm_congestion_point" "wire past the queue": ".sent_mac_low(sample_queue_head_source_mac_low)" => ".sent_mac_low(source_mac_low)";
    "asm_reaction_point" "asm_reaction_point" "wire left out": ".remember(calculator_remember),\n        .quantized_feedback" => ".remember(1'b0),\n        .quantized_feedback";
    "calculator_asm" "calculator_asm" "dropped update": "slides <= rule_will_slide;" => "";
};
