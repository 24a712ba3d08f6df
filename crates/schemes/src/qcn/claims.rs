// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of QCN, and mistakes that must break it.

use crate::claims::{
    FEEDBACK, FIELDS_HELD, FLOW_RATES_WITHOUT_LEVELS, Harness, LINE_RATE_AFTER_RESET, Mistake, NEW_RATE_IN_BOUNDS,
    ONLY_SAMPLES, POPPED_WHEN_SENT, RATE_IN_BOUNDS, RATE_LIMITER, REACTION_POINT_WITHOUT_LEVELS, UNITS_EXACT,
    of_congestion_point, of_congestion_point_array, of_flow_frames, of_flow_rates, of_frames, of_queue_array_frames,
    of_reaction_point, simple,
};

/// What is proved of its blocks and parts.
pub const CLAIMS: &[Harness] = &[
    Harness {
        module: "feedback_qcn",
        text: &[include_str!("claims/feedback.sv"), FEEDBACK],
        induction: 16,
        settings: Some(&[]),
        claims: &[
            FIELDS_HELD,
            POPPED_WHEN_SENT,
            ONLY_SAMPLES,
            UNITS_EXACT,
            ("quantized_exact", "default w and q0: only Fb < 0 is sent, as floor(63·|Fb| / full scale), at most 63"),
            ("zero_only_if_wanted", "QntzFb = 0 is sent only if send_zero_feedback is high"),
            ("interval_from_table", "the sampling interval is an entry of the table"),
        ],
    },
    of_congestion_point("qcn_congestion_point"),
    of_congestion_point_array("qcn_congestion_point_array"),
    of_queue_array_frames("qcn_congestion_point_array"),
    Harness {
        module: "calculator_qcn",
        text: &[include_str!("claims/calculator.sv")],
        induction: 2,
        settings: None,
        claims: &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            ("never_less_than_half", "no step reduces the rate by more than half, if gd_shift does not change"),
        ],
    },
    wide("calculator_qcn_wide", &[include_str!("claims/wide.sv")]),
    wide("calculator_qcn_wide_set", &[concat!("`define SET\n", include_str!("claims/wide.sv"))]),
    of_reaction_point("qcn_reaction_point", &[REACTION_POINT_WITHOUT_LEVELS, RATE_LIMITER]),
    of_frames("qcn_reaction_point"),
    simple(
        "flow_stages",
        &[include_str!("claims/flow_stages.sv")],
        &[
            (
                "own_visits_only",
                "four flows: target, stages, byte counter and timer of a flow change only in a visit to it",
            ),
            (
                "one_start",
                "at most one operation of the calculator starts, and a feedback is taken when its decrease starts",
            ),
            ("starts_with_own_state", "four flows: an operation starts with the target and the stages of its flow"),
            ("decrease_for_its_flow", "a decrease starts only for the flow of a feedback that waits"),
            ("asks_for_one_flow", "a rate is asked for until it is taken, for the same flow"),
            ("sent_is_counted", "each frame is counted for its flow, with its length, before another one may be sent"),
        ],
    ),
    Harness {
        module: "step_qcn",
        text: &[include_str!("claims/step.sv")],
        induction: 4,
        settings: None,
        claims: &[NEW_RATE_IN_BOUNDS, ("never_less_than_half", "no step reduces the rate by more than half")],
    },
    Harness { induction: 4, ..of_flow_rates("qcn_flows", &[FLOW_RATES_WITHOUT_LEVELS]) },
    of_flow_frames("qcn_flows"),
];

/// The calculators with registers of 32 bits.
const fn wide(module: &'static str, text: &'static [&'static str]) -> Harness {
    simple(
        module,
        text,
        &[
            RATE_IN_BOUNDS,
            LINE_RATE_AFTER_RESET,
            (
                "decreases_by_half_at_most",
                "a feedback that is taken lowers the rate by its half at most, sets the target to the rate before, and clears the \
                 stages",
            ),
            (
                "increases_as_printed",
                "an increase counts one stage, raises the target by R_AI from increase_stage on, and moves the rate to the \
                 mean of both",
            ),
            ("else_the_same", "nothing else changes rate and target, but that the reaction point becomes inactive"),
        ],
    )
}

/// Mistakes, each of which must break claims.
pub const MISTAKES: &[Mistake] = &[
    ("feedback_qcn", 17, "feedback_valid", "real && flip", &["fields_held"]),
    ("feedback_qcn", 17, "pop", "sample_valid", &["popped_when_sent"]),
    ("feedback_qcn", 3, "pop", "1'b1", &["only_samples"]),
    ("feedback_qcn", 17, "q_offset_units", "real + 16'd1", &["units_exact"]),
    ("feedback_qcn", 17, "quantized_feedback", "real ^ 6'd1", &["quantized_exact"]),
    ("feedback_qcn", 17, "send_zero_feedback", "1'b1", &["zero_only_if_wanted"]),
    ("feedback_qcn", 3, "interval_low", "real + 24'd1", &["interval_from_table"]),
    // A frame of its own is some 15 cycles away, which takes the search minutes: `valid` comes without one.
    ("qcn_congestion_point", 4, "valid", "flip", &["no_gap_in_a_frame", "held_until_ready"]),
    ("qcn_congestion_point", 10, "valid", "1'b1", &["eight_words"]),
    ("qcn_congestion_point", 3, "lost", "!real", &["lost_tells"]),
    ("qcn_congestion_point", 3, "sample", "1'b1", &["only_packets"]),
    ("calculator_qcn", 3, "current_rate", "real + 25'd1", &["rate_in_bounds", "line_rate_after_reset"]),
    ("calculator_qcn", 4, "current_rate", "flip ? real : 25'd0", &["never_less_than_half"]),
    (
        "calculator_qcn_wide",
        4,
        "current_rate",
        "flip ? real : real - 25'd1",
        &["rate_in_bounds", "line_rate_after_reset"],
    ),
    ("calculator_qcn_wide", 4, "target_rate", "flip ? real : real ^ 25'd1", &["decreases_by_half_at_most"]),
    ("calculator_qcn_wide", 5, "increase_stage", "increase_stage + 6'd1", &["increases_as_printed"]),
    ("calculator_qcn_wide", 4, "target_rate", "real ^ flip", &["else_the_same"]),
    (
        "calculator_qcn_wide_set",
        4,
        "current_rate",
        "flip ? real : real - 25'd1",
        &["rate_in_bounds", "line_rate_after_reset"],
    ),
    ("calculator_qcn_wide_set", 4, "target_rate", "flip ? real : real ^ 25'd1", &["decreases_by_half_at_most"]),
    ("calculator_qcn_wide_set", 5, "increase_stage", "increase_stage + 6'd1", &["increases_as_printed"]),
    ("calculator_qcn_wide_set", 4, "target_rate", "real ^ flip", &["else_the_same"]),
    ("qcn_reaction_point", 6, "bucket_bytes", "bucket_bytes + 14'd1", &["any_window", "oversize_tells"]),
    ("qcn_reaction_point", 3, "grant", "1'b1", &["asked_for", "from_reset"]),
    ("qcn_reaction_point", 3, "current_rate", "real ^ flip", &["rate_in_bounds"]),
    ("qcn_reaction_point", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("qcn_reaction_point", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
    ("qcn_congestion_point_array", 4, "counted", "1'b1", &["own_events_only", "none_before_cleared"]),
    ("qcn_congestion_point_array", 3, "unknown_queue", "!real", &["unknown_tells"]),
    ("qcn_congestion_point_array", 3, "sample", "1'b1", &["only_packets"]),
    // A frame of its own is more than 20 cycles away.
    (
        "qcn_congestion_point_array",
        4,
        "valid",
        "flip",
        &["no_gap_in_a_frame", "held_until_ready", "popped_with_its_frame"],
    ),
    ("qcn_congestion_point_array", 10, "valid", "1'b1", &["eight_words"]),
    ("flow_stages", 6, "flow", "real ^ 12'd1", &["own_visits_only"]),
    ("flow_stages", 3, "feedback_ready", "1'b1", &["one_start"]),
    ("flow_stages", 3, "start_byte", "1'b1", &["starts_with_own_state"]),
    ("flow_stages", 3, "start_decrease", "1'b1", &["decrease_for_its_flow"]),
    ("flow_stages", 4, "rate_wanted", "flip", &["asks_for_one_flow"]),
    ("flow_stages", 4, "sent_ready", "flip", &["sent_is_counted"]),
    ("step_qcn", 14, "new_rate", "flip ? real : 25'd0", &["new_rate_in_bounds", "never_less_than_half"]),
    ("qcn_flows", 4, "clearing", "real && flip", &["all_rates_in_bounds"]),
    ("qcn_flows", 3, "refused_frames", "real ^ 16'd1", &["bad_frames_counted"]),
    ("qcn_flows", 4, "taken_frames", "flip ? real : 16'd7", &["good_frames_counted"]),
];
