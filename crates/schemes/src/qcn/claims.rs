// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is proved of the circuits of QCN, mistakes that must break it, and mutations of their Verilog.

use crate::claims::{
    FEEDBACK, FIELDS_HELD, FLOW_RATES_WITHOUT_LEVELS, Harness, LINE_RATE_AFTER_RESET, Mistake, Mutation,
    NEW_RATE_IN_BOUNDS, ONLY_SAMPLES, POPPED_WHEN_SENT, RATE_IN_BOUNDS, RATE_LIMITER, REACTION_POINT_WITHOUT_LEVELS,
    UNITS_EXACT, mutations, of_congestion_point, of_congestion_point_array, of_flow_frames, of_flow_rates, of_frames,
    of_queue_array_frames, of_reaction_point, simple,
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

/// Mistakes in the Verilog; each module of its own has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "feedback_qcn" "quantisation_qcn" "wrong constant": "saturated ? 6'd63 :" => "saturated ? 6'd62 :";
    "feedback_qcn" "quantisation_qcn" "missing shift": "augend = product << 2;" => "augend = product << 1;";
    "feedback_qcn" "quantisation_qcn" "missing step": "wide && ((phase == QUANTISATION_PHASE_MULTIPLY_MIDDLE) || (phase == QUANTISATION_PHASE_ADD_MIDDLE))" => "wide && (phase == QUANTISATION_PHASE_MULTIPLY_MIDDLE)";
    "feedback_qcn" "quantisation_qcn" "missing condition": "(phase == QUANTISATION_PHASE_DIVIDE1) && controlled" => "(phase == QUANTISATION_PHASE_DIVIDE1)";
    "feedback_qcn" "quantisation_qcn" "lost sign": "q_delta[24] ? {7'h7f, q_delta} :" => "1'b0 ? {7'h7f, q_delta} :";
    "feedback_qcn" "quantisation_qcn" "wrong sign": "subtracts = !remainder[27];" => "subtracts = 1'd1;";
    "feedback_qcn" "sampling_table" "wrong row": "low_45 = interval_low_5;" => "low_45 = interval_low_4;";
    "feedback_qcn" "feedback_qcn" "missing register": "assign interval_span = span;" => "assign interval_span = sampling_table_interval_span;";
    "feedback_qcn" "feedback_qcn" "dropped update": "level <= quantisation_level;" => "";
    "calculator_qcn" "step_qcn" "wrong condition": "end else if (changed < min_rate) begin" => "end else if (changed > min_rate) begin";
    "calculator_qcn" "step_qcn" "missing step": "{6'd1 - increase_stage, 1'd1};" => "{6'd0 - increase_stage, 1'd1};";
    "calculator_qcn" "step_qcn" "wrong shift": "half_rate = {6'd0, rate} >> 1;" => "half_rate = {6'd0, rate} >> 2;";
    "calculator_qcn" "step_qcn" "missing saturation": "product <= 31'h1ffffff;" => "";
    "calculator_qcn" "step_qcn" "missing increment": "decrease ? {rate, 1'd1} :" => "decrease ? {rate, 1'd0} :";
    "calculator_qcn" "step_qcn" "missing shift": "(product << 1) ^ 31'h7fffffff" => "product ^ 31'h7fffffff";
    "calculator_qcn" "cycle_lengths" "comparison off by one": "time_stage >= before_half" => "time_stage > before_half";
    "calculator_qcn" "calculator_qcn" "late stage": "cycle_lengths_byte_stage = rule_new_byte_stage;" => "";
    "calculator_qcn" "step_qcn" "wrong condition": "if (hyper_active) begin\n            increment <= hai_rate;" => "if (byte_increases) begin\n            increment <= hai_rate;";
    "calculator_qcn" "calculator_qcn" "dropped update": "bytes_left <= bytes_counted;" => "";
    "qcn_reaction_point" "qcn_reaction_point" "wire left out": ".sent(grant),\n        .sent_bytes(calculator_sent_bytes)" => ".sent(1'b0),\n        .sent_bytes(calculator_sent_bytes)";
    "qcn_reaction_point" "qcn_reaction_point" "wire cut short": "{10'd0, request_bytes}" => "{12'd0, request_bytes[11:0]}";
    "qcn_congestion_point" "qcn_congestion_point" "swapped wires": ".q_delta(queue_monitor_q_delta),\n        .controlled" => ".q_delta(queue_monitor_q_offset),\n        .controlled";
    "qcn_congestion_point" "qcn_congestion_point" "wire past the queue": ".flow_id(sample_queue_head_flow_id)" => ".flow_id(flow_id)";
    "qcn_congestion_point" "qcn_congestion_point" "swapped parameters": ".send_zero_feedback(send_zero_feedback),\n        .interval_low_0(interval_low_0)" => ".send_zero_feedback(send_zero_feedback),\n        .interval_low_0(interval_low_1)";
    "calculator_qcn" "step_qcn" "comparison off by one": "byte_past <= byte_stage > before_increase;" => "byte_past <= byte_stage > before_increase + 6'd1;";
    "qcn_congestion_point_array" "sampling_levels" "wrong operand": "visited_level <= waiting_level;" => "visited_level <= levels_read_data;";
    "qcn_congestion_point_array" "qcn_congestion_point_array" "wire left out": "cpid_low | {30'd0, sample_owners_head_queue}" => "cpid_low";
    "flow_stages" "flow_stages" "comparison off by one": "bytes_after = bytes_left - {11'd0, count_bytes};" => "bytes_after = bytes_left - {11'd0, count_bytes} - 25'd1;";
    "flow_stages" "flow_stages" "wrong operand": "{time_, 1'd0} : {old_expiry, 1'd1};" => "{time_, 1'd0} : {time_, 1'd0};";
    "flow_stages" "flow_stages" "wrong operand": "for_feedback ? {time_, 1'd0} :" => "for_feedback ? {old_expiry, 1'd0} :";
    "flow_stages" "flow_stages" "missing condition": "looks = active && at_line_rate && look_due;" => "looks = active && look_due;";
    "flow_stages" "flow_stages" "missing condition": "inactivates <= seen && !rate_waits && !count_due && quiet;" => "inactivates <= seen && !rate_waits && !count_due;";
    "flow_stages" "flow_stages" "missing condition": "(for_frame && restarts) || (for_feedback && retarget)" => "(for_frame && restarts) || for_feedback";
    "flow_stages" "flow_stages" "wrong operator": "!active || |old_stages[11:6] || !extra_fast_recovery" => "!active || (|old_stages[11:6] && !extra_fast_recovery)";
    "flow_stages" "flow_stages" "swapped fields": "1'd1, new_byte_stage, new_time_stage}" => "1'd1, new_time_stage, new_byte_stage}";
    "flow_stages" "flow_stages" "dropped update": "new_at_line_rate <= reaches_line_rate;" => "";
    "flow_stages" "flow_stages" "a cycle too early": "stages_write_enable = stores_stages || inactivates" => "stages_write_enable = changes || inactivates";
    "flow_stages" "flow_stages" "missing branch": "(phase == STAGES_PHASE_WORK) ? new_target : " => "";
    "flow_stages" "cycle_lengths" "comparison off by one": "half_bytes <= byte_stage >= before_half" => "half_bytes <= byte_stage > before_half";
    "qcn_flows" "qcn_flows" "wire left out": ".sent(sent),\n        .sent_flow" => ".sent(1'b0),\n        .sent_flow";
    "qcn_flows" "qcn_flows" "missing condition": "send_ready && flow_stages_sent_ready" => "send_ready";
    "qcn_flows" "qcn_flows" "address and CN-TAG": "flow_from_tag ? 12'd0 : " => "";
};
