// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of BCN, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{
    ANY_WINDOW, ASKED_FOR, CHANGES_WHEN_TAKEN, FEEDBACK, FIELDS_HELD, FLOW_RATES_THAT_STOP, FLOW_STEP_THAT_STOPS,
    FROM_RESET, Harness, LINE_RATE_AFTER_RESET, Mistake, Mutation, NEW_RATE_IN_BOUNDS_OR_STOPPED, ONLY_SAMPLES,
    OVERSIZE_TELLS, POPPED_WHEN_SENT, RATE_IN_BOUNDS_OR_STOPPED, RATE_LIMITER, REACTION_POINT_THAT_STOPS,
    TAKEN_WHEN_OFFERED, UNITS_EXACT, WHOLE_LEVELS, mutations, of_congestion_point, of_congestion_point_array,
    of_flow_frames, of_frames, of_queue_array_frames, simple,
};

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    Harness {
        module: "feedback_bcn",
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
                "each sample of a controlled flow gets a frame, one cycle after it is at the head, unless both fields \
                 are 0 and the queue is not longer than Q_sc",
            ),
            (
                "popped_at_once_or_when_sent",
                "a sample that is not sent leaves the queue one cycle after it is at the head",
            ),
            ("zeros_only_to_stop", "two zeros, which stop a source, are sent only if the queue is longer than Q_sc"),
        ],
    },
    of_congestion_point("bcn_congestion_point"),
    of_congestion_point_array("bcn_congestion_point_array"),
    of_queue_array_frames("bcn_congestion_point_array"),
    Harness {
        module: "calculator_bcn",
        text: &[include_str!("claims/calculator.sv")],
        induction: 2,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS_OR_STOPPED,
            WHOLE_LEVELS,
            LINE_RATE_AFTER_RESET,
            (
                "changes_when_taken_or_restarted",
                "the rate changes only in the cycle after a feedback is taken, or from 0 to min_rate",
            ),
            ("taken_in_time", "each feedback is taken 104 cycles after it becomes valid"),
        ],
    },
    simple(
        "bcn_reaction_point",
        &[REACTION_POINT_THAT_STOPS, RATE_LIMITER],
        &[RATE_IN_BOUNDS_OR_STOPPED, ANY_WINDOW, FROM_RESET, ASKED_FOR, OVERSIZE_TELLS],
    ),
    of_frames("bcn_reaction_point"),
    simple(
        "flow_stops",
        &[include_str!("claims/flow_stops.sv")],
        &[
            (
                "stopped_by_own_events",
                "four flows: a feedback finds its flow stopped exactly if its last stop has not been ended by a start of it",
            ),
            ("restarts_at_minimum", "a change without feedback sets the rate to min_rate"),
            (
                "restarts_when_over",
                "four flows: a flow starts again only if it is stopped, and its time was over when it was looked at",
            ),
            ("asks_for_one_flow", "a rate is asked for until it is taken, for the same flow"),
            ("feedback_has_its_flow", "the calculator works on a feedback with the state of its flow"),
        ],
    ),
    simple(
        "step_bcn",
        &[FLOW_STEP_THAT_STOPS],
        &[NEW_RATE_IN_BOUNDS_OR_STOPPED, WHOLE_LEVELS, CHANGES_WHEN_TAKEN, TAKEN_WHEN_OFFERED],
    ),
    simple(
        "bcn_flows",
        &[FLOW_RATES_THAT_STOP],
        &[(
            "all_rates_in_bounds_or_stopped",
            "four flows: after the memories have been cleared each rate is 0 (flow stopped) or never below min_rate, and \
             never above line_rate",
        )],
    ),
    of_flow_frames("bcn_flows"),
];

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("feedback_bcn", 4, "feedback_valid", "real && flip", &["fields_held", "every_sample_is_sent"]),
    ("feedback_bcn", 4, "pop", "sample_valid", &["popped_when_sent", "popped_at_once_or_when_sent"]),
    ("feedback_bcn", 3, "pop", "1'b1", &["only_samples"]),
    ("feedback_bcn", 4, "q_delta_units", "real + 16'd1", &["units_exact"]),
    ("feedback_bcn", 4, "severe_offset", "24'd0", &["zeros_only_to_stop"]),
    (
        "calculator_bcn",
        3,
        "current_rate",
        "flip ? real : 25'd1",
        &["rate_in_bounds_or_stopped", "changes_when_taken_or_restarted", "line_rate_after_reset"],
    ),
    ("calculator_bcn", 3, "current_rate", "real | 25'd1", &["whole_levels"]),
    ("calculator_bcn", 3, "feedback_ready", "1'b1", &["taken_in_time"]),
    ("bcn_congestion_point", 8, "valid", "real && flip", &["no_gap_in_a_frame", "held_until_ready"]),
    ("bcn_congestion_point", 8, "data_high", "real ^ flip", &["held_until_ready"]),
    ("bcn_congestion_point", 6, "last", "1'b1", &["eight_words"]),
    ("bcn_congestion_point", 3, "lost", "!real", &["lost_tells"]),
    ("bcn_congestion_point", 3, "sample", "1'b1", &["only_packets"]),
    ("bcn_congestion_point_array", 4, "counted", "1'b1", &["own_events_only", "none_before_cleared"]),
    ("bcn_congestion_point_array", 3, "unknown_queue", "!real", &["unknown_tells"]),
    ("bcn_congestion_point_array", 3, "sample", "1'b1", &["only_packets"]),
    // A frame of its own is more than 20 cycles away.
    (
        "bcn_congestion_point_array",
        4,
        "valid",
        "flip",
        &["no_gap_in_a_frame", "held_until_ready", "popped_with_its_frame"],
    ),
    ("bcn_congestion_point_array", 10, "valid", "1'b1", &["eight_words"]),
    ("bcn_reaction_point", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("bcn_reaction_point", 3, "grant", "1'b1", &["asked_for", "from_reset"]),
    ("bcn_reaction_point", 3, "current_rate", "real ^ flip", &["rate_in_bounds_or_stopped"]),
    ("bcn_reaction_point", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("bcn_reaction_point", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
    ("flow_stops", 14, "stopped", "!real", &["stopped_by_own_events"]),
    ("flow_stops", 4, "change", "1'b1", &["restarts_at_minimum", "restarts_when_over"]),
    ("flow_stops", 4, "rate_wanted", "flip", &["asks_for_one_flow"]),
    ("flow_stops", 4, "works", "1'b1", &["feedback_has_its_flow"]),
    ("step_bcn", 3, "changes", "1'b1", &["changes_when_taken"]),
    ("step_bcn", 3, "new_rate", "25'd0", &["new_rate_in_bounds_or_stopped"]),
    ("step_bcn", 3, "new_rate", "real | 25'd1", &["whole_levels"]),
    ("step_bcn", 3, "feedback_ready", "1'b1", &["taken_when_offered"]),
    ("bcn_flows", 4, "clearing", "real && flip", &["all_rates_in_bounds_or_stopped"]),
    ("bcn_flows", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("bcn_flows", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
];

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "feedback_bcn" "feedback_bcn" "comparison off by one": "(q_offset > {1'd0, severe_offset})" => "(q_offset >= {1'd0, severe_offset})";
    "feedback_bcn" "feedback_bcn" "wrong operand": "delta_nonzero <= |delta_units;" => "delta_nonzero <= |offset_units;";
    "calculator_bcn" "step_bcn" "missing update": "random <= next_random;" => "";
    "calculator_bcn" "step_bcn" "wrong constant": "feedback <= 6'd63;" => "feedback <= 6'd62;";
    "calculator_bcn" "step_bcn" "inverted condition": "negative = !increase;" => "negative = increase;";
    "bcn_congestion_point_array" "bcn_congestion_point_array" "wire left out": "cpid_low | {30'd0, sample_owners_head_queue}" => "cpid_low";
    "flow_stops" "flow_stops" "comparison off by one": "cycles_left = old_end[25:0] - time_;" => "cycles_left = old_end[25:0] - time_ - 26'd1;";
    "flow_stops" "flow_stops" "missing condition": "over = old_end[26] && cycles_left[25];" => "over = cycles_left[25];";
    "flow_stops" "flow_stops" "missing update": "ends_write_enable = restarts;" => ";";
    "flow_stops" "flow_stops" "wrong condition": "sweeps ? min_rate :" => "!sweeps ? min_rate :";
    "flow_stops" "flow_stops" "missing condition": "if (feedback_valid && sweeps) begin" => "if (feedback_valid) begin";
    "flow_stops" "flow_stops" "wrong bit": "{1'd1, last_cycle}" => "{1'd0, last_cycle}";
    "bcn_flows" "bcn_flows" "wire left out": ".change(flow_limiter_change)" => ".change(1'b0)";
    "bcn_congestion_point" "bcn_congestion_point" "wire left out": ".controlled(controlled),\n        .source_mac_high" => ".controlled(1'b1),\n        .source_mac_high";
    "bcn_reaction_point" "bcn_reaction_point" "wire left out": ".remember(calculator_remember),\n        .quantized_feedback" => ".remember(1'b0),\n        .quantized_feedback";
    "calculator_bcn" "calculator_bcn" "missing condition": "rule_idle && stopped && !(|wait_left)" => "rule_idle && stopped";
};
