// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of BCN must do at their ports.

pub(crate) mod calculator;
pub(crate) mod feedback;
pub(crate) mod flow_stops;
pub(crate) mod step;

use crate::reference::Reference;
use tidegate_circuits::rtl::circuit::Circuit;

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "feedback_bcn" => Box::new(feedback::BcnFeedback::new(ports)),
        "calculator_bcn" => Box::new(calculator::BcnCalculator::new(ports)),
        "step_bcn" => Box::new(step::BcnStep::new(ports)),
        "flow_stops" => Box::new(flow_stops::FlowStops::new(circuit)),
        _ => return None,
    })
}
