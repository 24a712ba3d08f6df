//! A whole reaction point, at the ports.

use super::part;
use crate::emit::Circuit;
use crate::registry::Scheme;
use crate::scheme::Part;

/// What goes from block to block, where both ends are there; every other input is a port of the part.
const WIRES: [(&str, &str); 13] = [
    ("parser.feedback_ready", "calculator.feedback_ready"),
    ("calculator.feedback_valid", "parser.feedback_valid"),
    ("calculator.quantized_feedback", "parser.quantized_feedback"),
    ("calculator.q_offset_units", "parser.q_offset_units"),
    ("calculator.q_delta_units", "parser.q_delta_units"),
    ("calculator.cpid_high", "parser.cpid_high"),
    ("calculator.cpid_low", "parser.cpid_low"),
    ("calculator.sent", "rate_limiter.grant"),
    ("calculator.sent_bytes", "rate_limiter.grant_bytes"),
    ("rate_limiter.rate", "calculator.current_rate"),
    ("ready", "parser.ready"),
    ("grant", "rate_limiter.grant"),
    ("oversize", "rate_limiter.oversize"),
];

/// The parser offers, the calculator says whether it takes, and only then the parser whether it has room.
const ORDER: [&str; 4] = ["parser", "calculator", "parser", "rate_limiter"];

/// The blocks of a scheme's reaction point, wired; `None` where one has no reference.
pub fn new(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<part::Part> {
    part::Part::new(circuit, &scheme.blocks(part), &WIRES, &ORDER)
}
