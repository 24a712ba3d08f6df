//! A whole reaction point, at the ports.

use super::part;
use crate::registry::Scheme;
use crate::rtl::circuit::Circuit;
use crate::scheme::Part;

/// Connections between blocks, as far as both ports exist. All other inputs are ports of the part.
const WIRES: [(&str, &str); 13] = [
    ("parser.feedback_ready", "calculator.feedback_ready"),
    ("calculator.feedback_valid", "parser.feedback_valid"),
    ("calculator.quantized_feedback", "parser.quantized_feedback"),
    ("calculator.q_offset_units", "parser.q_offset_units"),
    ("calculator.q_delta_units", "parser.q_delta_units"),
    ("calculator.cpid_high", "parser.cpid_high"),
    ("calculator.cpid_low", "parser.cpid_low"),
    ("calculator.sent", "rate_limiter.grant"),
    ("calculator.sent_bytes", "request_bytes"),
    ("rate_limiter.rate", "calculator.current_rate"),
    ("ready", "parser.ready"),
    ("grant", "rate_limiter.grant"),
    ("oversize", "rate_limiter.oversize"),
];

/// The order in which outputs are computed: the parser offers feedback, the calculator says whether it takes it, and
/// the parser then says whether it takes a word.
const ORDER: [&str; 4] = ["parser", "calculator", "parser", "rate_limiter"];

/// The connected blocks of the reaction point of a scheme; `None` if a block has no reference.
pub fn new(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<part::Part> {
    part::Part::new(circuit, &scheme.blocks(part), &WIRES, &ORDER)
}
