// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole reaction point of many flows, at the ports.

use super::part::{self, Glue};
use crate::registry::Scheme;
use crate::scheme::Part;
use tidegate_circuits::rtl::circuit::Circuit;

/// Connections between blocks, as far as both ports exist; of several for one input, the first. All other inputs are
/// ports of the part.
const WIRES: [(&str, &str); 71] = [
    ("parser.feedback_ready", "calculator.feedback_ready"),
    ("frame_counters.frame_taken", "parser.frame_taken"),
    ("frame_counters.frame_malformed", "parser.frame_malformed"),
    ("frame_counters.frame_refused", "parser.frame_refused"),
    ("frame_counters.frame_elsewhere", "parser.frame_elsewhere"),
    ("frame_counters.frame_dropped", "parser.frame_dropped"),
    ("feedback_flow.frame_start", "parser.frame_start"),
    ("feedback_flow.frame_flow", "parser.frame_flow"),
    ("feedback_flow.feedback_valid", "parser.feedback_valid"),
    ("feedback_flow.has_flow_id", "parser.has_flow_id"),
    ("feedback_flow.flow_id", "parser.flow_id"),
    ("flow_points.frame_cpid_high", "parser.frame_cpid_high"),
    ("flow_points.frame_cpid_low", "parser.frame_cpid_low"),
    ("flow_points.frame_cpid_high_valid", "parser.frame_cpid_high_valid"),
    ("flow_points.frame_cpid_low_valid", "parser.frame_cpid_low_valid"),
    ("flow_points.frame_taken", "parser.frame_taken"),
    ("flow_points.flow", "feedback_flow.flow"),
    ("flow_points.remember", "calculator.remember"),
    ("flow_stops.feedback_valid", "feedback_flow.valid"),
    ("flow_stops.feedback_flow", "feedback_flow.flow"),
    ("flow_stops.rate_valid", "flow_limiter.rate_valid"),
    ("flow_stops.feedback_ready", "calculator.feedback_ready"),
    ("flow_stops.changes", "calculator.changes"),
    ("flow_stops.new_rate", "calculator.new_rate"),
    ("flow_stops.stops", "calculator.stops"),
    ("flow_stops.wait_cycles", "calculator.wait_cycles"),
    ("flow_stages.sent", "flow_limiter.sent"),
    ("flow_stages.sent_flow", "flow_limiter.grant_flow"),
    ("flow_stages.sent_bytes", "send_bytes"),
    ("flow_stages.feedback_valid", "feedback_flow.valid"),
    ("flow_stages.feedback_flow", "feedback_flow.flow"),
    ("flow_stages.rate_valid", "flow_limiter.rate_valid"),
    ("flow_stages.rate_waits", "flow_limiter.rate_waits"),
    ("flow_stages.target_changes", "calculator.target_changes"),
    ("flow_stages.new_target", "calculator.new_target"),
    ("flow_stages.changes", "calculator.changes"),
    ("flow_stages.reaches_line_rate", "calculator.reaches_line_rate"),
    ("flow_stages.new_byte_stage", "calculator.new_byte_stage"),
    ("flow_stages.new_time_stage", "calculator.new_time_stage"),
    ("calculator.feedback_valid", "flow_stops.works"),
    ("calculator.feedback_valid", "flow_limiter.rate_valid"),
    ("calculator.quantized_feedback", "parser.quantized_feedback"),
    ("calculator.q_offset_units", "parser.q_offset_units"),
    ("calculator.q_delta_units", "parser.q_delta_units"),
    ("calculator.same_point", "flow_points.same_point"),
    ("calculator.rate", "flow_limiter.rate"),
    ("calculator.stopped", "flow_stops.stopped"),
    ("calculator.start_decrease", "flow_stages.start_decrease"),
    ("calculator.start_byte", "flow_stages.start_byte"),
    ("calculator.start_time", "flow_stages.start_time"),
    ("calculator.moves_target", "flow_stages.moves_target"),
    ("calculator.target", "flow_stages.target"),
    ("calculator.byte_stage", "flow_stages.byte_stage"),
    ("calculator.time_stage", "flow_stages.time_stage"),
    ("flow_limiter.feedback_valid", "flow_stops.rate_wanted"),
    ("flow_limiter.feedback_valid", "flow_stages.rate_wanted"),
    ("flow_limiter.feedback_valid", "feedback_flow.valid"),
    ("flow_limiter.feedback_flow", "flow_stops.flow"),
    ("flow_limiter.feedback_flow", "flow_stages.flow"),
    ("flow_limiter.feedback_flow", "feedback_flow.flow"),
    ("flow_limiter.feedback_taken", "flow_stops.rate_taken"),
    ("flow_limiter.feedback_taken", "flow_stages.rate_taken"),
    ("flow_limiter.feedback_taken", "calculator.feedback_ready"),
    ("flow_limiter.change", "flow_stops.change"),
    ("flow_limiter.change", "calculator.changes"),
    ("flow_limiter.new_rate", "flow_stops.change_rate"),
    ("flow_limiter.new_rate", "calculator.new_rate"),
    ("grant", "flow_limiter.grant"),
    ("grant_flow", "flow_limiter.grant_flow"),
    ("sent", "flow_limiter.sent"),
    ("refused", "flow_limiter.refused"),
];

/// Inputs that are made of more than one value, where all of them exist. The second bit of the mode of a flow says that
/// a congestion point is remembered for it, the first one is that of the calculator of ASM or SMCC.
const GLUE: [Glue; 12] = [
    ("parser.feedback_ready", &["flow_stages.feedback_ready", "feedback_flow.unknown"], |of| of[0] | of[1]),
    ("parser.feedback_ready", &["calculator.feedback_ready", "feedback_flow.unknown"], |of| of[0] | of[1]),
    ("parser.flow_mask", &["flow_mask", "flow_from_tag"], |of| if of[1] == 0 { of[0] } else { 0 }),
    ("parser.cpid_any", &[], |_| 1),
    ("flow_points.known", &["flow_limiter.mode", "calculator.will_slide"], |of| of[0] >> 1),
    ("flow_points.known", &["flow_limiter.mode", "calculator.will_know_point"], |of| of[0] >> 1),
    ("flow_points.known", &[], |_| 1),
    ("calculator.slides", &["flow_limiter.mode"], |of| of[0] & 1),
    ("calculator.knows_point", &["flow_limiter.mode"], |of| of[0] & 1),
    ("flow_limiter.new_mode", &["calculator.will_slide"], |of| 2 | of[0]),
    ("flow_limiter.new_mode", &["calculator.will_know_point"], |of| 3 * of[0]),
    ("flow_limiter.send_ready", &["send_ready", "flow_stages.sent_ready"], |of| of[0] & of[1]),
];

/// Inputs that are low.
const IDLE: [&str; 3] = ["parser.remember", "parser.cpid_digest", "flow_limiter.new_mode"];

/// The order in which outputs are computed. What the calculator of QCN answers does not depend on what starts in the
/// same cycle; that of the others needs to know what it works on.
const OF_STAGES: [&str; 7] =
    ["parser", "frame_counters", "feedback_flow", "calculator", "flow_stages", "flow_limiter", "flow_stages"];
const OF_STOPS: [&str; 9] = [
    "parser",
    "frame_counters",
    "feedback_flow",
    "flow_stops",
    "flow_limiter",
    "flow_points",
    "flow_stops",
    "calculator",
    "flow_stops",
];
const OF_RULES: [&str; 6] = ["parser", "frame_counters", "feedback_flow", "flow_limiter", "flow_points", "calculator"];

/// The connected blocks of the reaction point of a scheme; `None` if a block has no reference.
pub fn new(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<part::Part> {
    let flows = circuit.flows().to_string();
    let (blocks, _) = scheme.circuits_of(part, &[("rp_flows", &flows)]);
    let has = |name: &str| blocks.iter().any(|block| block.block == name);
    let order = match (has("flow_stages"), has("flow_stops")) {
        (true, _) => &OF_STAGES[..],
        (_, true) => &OF_STOPS,
        _ => &OF_RULES,
    };
    part::Part::new(scheme, circuit, &blocks, &WIRES, &GLUE, &IDLE, order)
}
