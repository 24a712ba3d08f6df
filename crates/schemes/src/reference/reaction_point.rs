// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole reaction point, at the ports.

use super::part;
use crate::registry::Scheme;
use crate::scheme::Part;
use tidegate_circuits::rtl::circuit::Circuit;

/// Connections between blocks, as far as both ports exist. All other inputs are ports of the part.
const WIRES: [(&str, &str); 17] = [
    ("parser.feedback_ready", "calculator.feedback_ready"),
    ("calculator.feedback_valid", "parser.feedback_valid"),
    ("calculator.quantized_feedback", "parser.quantized_feedback"),
    ("calculator.q_offset_units", "parser.q_offset_units"),
    ("calculator.q_delta_units", "parser.q_delta_units"),
    ("calculator.same_point", "parser.same_point"),
    ("parser.remember", "calculator.remember"),
    ("frame_counters.frame_taken", "parser.frame_taken"),
    ("frame_counters.frame_malformed", "parser.frame_malformed"),
    ("frame_counters.frame_refused", "parser.frame_refused"),
    ("frame_counters.frame_elsewhere", "parser.frame_elsewhere"),
    ("frame_counters.frame_dropped", "parser.frame_dropped"),
    ("calculator.sent", "rate_limiter.grant"),
    ("calculator.sent_bytes", "request_bytes"),
    ("rate_limiter.rate", "calculator.current_rate"),
    ("grant", "rate_limiter.grant"),
    ("oversize", "rate_limiter.oversize"),
];

/// Inputs that are low in a reaction point of one flow, or where the calculator does not compare congestion points.
const IDLE: [&str; 4] = ["parser.flow_mask", "parser.remember", "parser.cpid_any", "parser.cpid_digest"];

/// The order in which outputs are computed.
const ORDER: [&str; 4] = ["parser", "frame_counters", "calculator", "rate_limiter"];

/// The connected blocks of the reaction point of a scheme; `None` if a block has no reference.
pub fn new(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<part::Part> {
    part::Part::new(scheme, circuit, &scheme.blocks(part), &WIRES, &[], &IDLE, &ORDER)
}
