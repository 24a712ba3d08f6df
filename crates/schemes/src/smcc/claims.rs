// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of SMCC, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{
    FEEDBACK, FIELDS_HELD, FLOW_RATES_OF_SMCC, FLOW_STEP_OF_SMCC, Harness, LINE_RATE_AFTER_RESET, Mistake, Mutation,
    ONLY_SAMPLES, POPPED_WHEN_SENT, RATE_IN_BOUNDS, RATE_LIMITER, REACTION_POINT_OF_SMCC, UNITS_EXACT, WHOLE_LEVELS,
    mutations, of_congestion_point, of_congestion_point_array, of_flow_frames, of_flow_rates, of_flow_step, of_frames,
    of_queue_array_frames, of_reaction_point, simple,
};

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    simple(
        "feedback_smcc",
        &[include_str!("claims/feedback.sv"), FEEDBACK],
        &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("every_sample_is_sent", "each sample of a controlled flow gets a frame"),
            (
                "popped_at_once_or_when_sent",
                "a sample of a flow that is not controlled leaves the queue in the same cycle",
            ),
        ],
    ),
    of_congestion_point("smcc_congestion_point"),
    of_congestion_point_array("smcc_congestion_point_array"),
    of_queue_array_frames("smcc_congestion_point_array"),
    Harness {
        module: "calculator_smcc",
        text: &[include_str!("claims/calculator.sv")],
        induction: 2,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            WHOLE_LEVELS,
            LINE_RATE_AFTER_RESET,
            (
                "rises_by_raises_only",
                "the rate rises only in the cycle after an increase from the congestion point of the last decrease is taken",
            ),
            ("falls_by_lowers_only", "the rate falls only in the cycle after a decrease is taken"),
            ("taken_in_time", "each feedback is taken 18 cycles after it becomes valid"),
            (
                "remembers_decreases",
                "nothing but a decrease by more than 0 is remembered, and without store_any and store_weight only the first \
                 one since reset and those in State A",
            ),
            ("remembers_of_congestion", "these are remembered, and with store_any each"),
        ],
    },
    simple(
        "calculator_smcc_at_once",
        &[include_str!("claims/at_once.sv")],
        &[
            (
                "moves_by_the_signs",
                "each feedback is the step of equation (25), to the last bit, one cycle later, and nothing else changes the \
                 rate",
            ),
            ("taken_at_once", "each feedback is taken in the cycle in which it becomes valid"),
            (
                "remembers_as_chosen",
                "a decrease by more than 0 is remembered exactly if store_any is high, none has been since reset, or \
                 QOffset + store_weight * QDelta > 0",
            ),
        ],
    ),
    of_reaction_point("smcc_reaction_point", &[REACTION_POINT_OF_SMCC, RATE_LIMITER]),
    of_frames("smcc_reaction_point"),
    of_flow_step("step_smcc", &[FLOW_STEP_OF_SMCC]),
    Harness {
        module: "step_smcc",
        text: &[include_str!("claims/step.sv")],
        induction: 2,
        settings: None,
        claims: &[
            (
                "moves_by_the_signs",
                "with QDelta other than 0, each feedback is the step of equation (25), to the last bit: by QOffset if the \
                 signs are equal, else by QDelta",
            ),
            (
                "zero_as_positive",
                "without zero_in_state_a, a feedback with QDelta = 0 lowers the rate by QOffset, and changes nothing if \
                 QOffset is below 0",
            ),
            (
                "zero_as_state_a",
                "with zero_in_state_a, a feedback with QDelta = 0 moves the rate by QOffset with gain_a_small: down, or up \
                 if QOffset is below 0",
            ),
            (
                "remembers_as_chosen",
                "a decrease by more than 0 is remembered exactly if store_any is high, no congestion point is remembered \
                 for the rate, or QOffset + store_weight * QDelta > 0",
            ),
        ],
    },
    of_flow_rates("smcc_flows", &[FLOW_RATES_OF_SMCC]),
    of_flow_frames("smcc_flows"),
];

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("feedback_smcc", 4, "feedback_valid", "real && flip", &["fields_held", "every_sample_is_sent"]),
    ("feedback_smcc", 3, "pop", "sample_valid", &["popped_when_sent", "popped_at_once_or_when_sent"]),
    ("feedback_smcc", 3, "pop", "1'b1", &["only_samples"]),
    ("feedback_smcc", 3, "q_delta_units", "real + 16'd1", &["units_exact"]),
    ("smcc_congestion_point", 8, "valid", "real && flip", &["no_gap_in_a_frame", "held_until_ready"]),
    ("smcc_congestion_point", 8, "data_high", "real ^ flip", &["held_until_ready"]),
    ("smcc_congestion_point", 6, "last", "1'b1", &["eight_words"]),
    ("smcc_congestion_point", 3, "lost", "!real", &["lost_tells"]),
    ("smcc_congestion_point", 3, "sample", "1'b1", &["only_packets"]),
    (
        "calculator_smcc",
        4,
        "current_rate",
        "flip ? real : real - 25'd1",
        &["rate_in_bounds", "line_rate_after_reset", "rises_by_raises_only", "falls_by_lowers_only"],
    ),
    ("calculator_smcc", 3, "current_rate", "real | 25'd1", &["whole_levels"]),
    ("calculator_smcc", 2, "feedback_ready", "flip", &["taken_in_time"]),
    ("calculator_smcc", 3, "remember", "1'b1", &["remembers_decreases"]),
    ("calculator_smcc", 21, "remember", "1'b0", &["remembers_of_congestion"]),
    ("calculator_smcc_at_once", 4, "q_delta_units", "q_delta_units + 16'd1", &["moves_by_the_signs"]),
    ("calculator_smcc_at_once", 4, "feedback_ready", "1'b1", &["taken_at_once"]),
    ("calculator_smcc_at_once", 4, "store_weight", "store_weight + 6'd1", &["remembers_as_chosen"]),
    ("smcc_reaction_point", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("smcc_reaction_point", 3, "grant", "1'b1", &["asked_for", "from_reset"]),
    ("smcc_reaction_point", 3, "current_rate", "real ^ flip", &["rate_in_bounds"]),
    ("smcc_reaction_point", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("smcc_reaction_point", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
    ("smcc_congestion_point_array", 4, "counted", "1'b1", &["own_events_only", "none_before_cleared"]),
    ("smcc_congestion_point_array", 3, "unknown_queue", "!real", &["unknown_tells"]),
    ("smcc_congestion_point_array", 3, "sample", "1'b1", &["only_packets"]),
    // A frame of its own is more than 20 cycles away.
    (
        "smcc_congestion_point_array",
        4,
        "valid",
        "flip",
        &["no_gap_in_a_frame", "held_until_ready", "popped_with_its_frame"],
    ),
    ("smcc_congestion_point_array", 10, "valid", "1'b1", &["eight_words"]),
    ("step_smcc", 3, "changes", "1'b1", &["changes_when_taken"]),
    ("step_smcc", 3, "new_rate", "flip ? real : 25'd0", &["new_rate_in_bounds"]),
    ("step_smcc", 3, "new_rate", "real | 25'd1", &["whole_levels"]),
    ("step_smcc", 3, "feedback_ready", "1'b1", &["taken_when_offered"]),
    ("step_smcc", 21, "q_delta_units", "zero_in_state_a ? 16'd0 : q_delta_units", &["moves_by_the_signs"]),
    ("step_smcc", 21, "zero_in_state_a", "1'b1", &["zero_as_positive"]),
    ("step_smcc", 21, "zero_in_state_a", "1'b0", &["zero_as_state_a"]),
    ("step_smcc", 21, "store_weight", "store_weight + 6'd1", &["remembers_as_chosen"]),
    ("smcc_flows", 4, "clearing", "real && flip", &["all_rates_in_bounds"]),
    ("smcc_flows", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("smcc_flows", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
];

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "feedback_smcc" "feedback_smcc" "and for or": "(frame_done || !controlled)" => "(frame_done && !controlled)";
    "calculator_smcc" "calculator_smcc" "wrong reset value": "rate <= line_rate;" => "rate <= min_rate;";
    "calculator_smcc" "step_smcc" "no saturation": "(|product[31:25]) ? 25'h1ffffff : " => "";
    "calculator_smcc" "step_smcc" "comparison off by one": "delta_large <= delta_doubled > " => "delta_large <= delta_doubled >= ";
    "calculator_smcc" "step_smcc" "inverted condition": "!increase || same_point" => "increase || same_point";
    "calculator_smcc" "step_smcc" "inverted condition": "remembers = !increase && nonzero && stores;" => "remembers = increase && nonzero && stores;";
    "calculator_smcc" "step_smcc" "a step of 0 counts": "remembers = !increase && nonzero && stores;" => "remembers = !increase && stores;";
    "calculator_smcc" "step_smcc" "missing condition": "store_any || !knows_point || " => "store_any || ";
    "calculator_smcc" "step_smcc" "missing condition": "|| !state_b || " => "|| ";
    "calculator_smcc" "step_smcc" "wrong operand": "{1'd0, line_addend, offset_bit}" => "{1'd0, line_addend, 1'd0}";
    "calculator_smcc" "step_smcc" "wrong shift": "line <= line_sum[7:2];" => "line <= line_sum[6:1];";
    "calculator_smcc" "calculator_smcc" "dropped update": "knows_point <= rule_will_know_point;" => "";
    "calculator_smcc" "step_smcc" "missing condition": "signs_differ && !(zero_in_state_a && !(|q_delta_units))" => "signs_differ";
    "calculator_smcc" "step_smcc" "missing condition": "state_b <= by_delta;" => "state_b <= signs_differ;";
    "calculator_smcc" "step_smcc" "wrong condition": "zero_in_state_a && !(|q_delta_units)" => "!(|q_delta_units)";
    "calculator_smcc" "step_smcc" "wrong condition": "less_bound <= -{2'd0, min_rate};" => "less_bound <= -{2'd0, line_rate};";
    "calculator_smcc" "step_smcc" "wrong sign": "(rate_less_bound[26] ^ increase)" => "(rate_less_bound[26] ^ !increase)";
    "smcc_congestion_point" "smcc_congestion_point" "wire left out": ".controlled(controlled)" => ".controlled(1'b1)";
    "smcc_reaction_point" "smcc_reaction_point" "wire left out": ".remember(calculator_remember),\n        .quantized_feedback" => ".remember(1'b0),\n        .quantized_feedback";
    "smcc_congestion_point_array" "smcc_congestion_point_array" "wire left out": "cpid_low | {30'd0, sample_owners_head_queue}" => "cpid_low";
    "smcc_flows" "smcc_flows" "unknown feedback stays": "calculator_feedback_ready || feedback_flow_unknown" => "calculator_feedback_ready";
    "smcc_flows" "smcc_flows" "wire left out": ".remember(calculator_remember),\n        .cpid_any" => ".remember(1'b0),\n        .cpid_any";
    "smcc_flows" "smcc_flows" "wrong constant": "calculator_will_know_point ? 2'd3 :" => "calculator_will_know_point ? 2'd1 :";
    "smcc_flows" "smcc_flows" "wire left out": ".knows_point(calculator_knows_point)" => ".knows_point(1'b1)";
};
