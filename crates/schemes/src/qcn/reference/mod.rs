// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of QCN must do at their ports.

pub(crate) mod calculator;
pub(crate) mod feedback;
pub(crate) mod flow_stages;
pub(crate) mod step;
pub(crate) mod wide;

use crate::reference::Reference;
use tidegate_circuits::rtl::circuit::Circuit;

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "feedback_qcn" => Box::new(feedback::QcnFeedback::new(ports)),
        "calculator_qcn" => Box::new(calculator::QcnCalculator::new(ports)),
        "calculator_qcn_wide" => Box::new(wide::QcnCalculatorWide::new(ports, None)),
        "calculator_qcn_wide_set" => Box::new(wide::QcnCalculatorWide::new(ports, Some(wide::Set::of(ports)))),
        "step_qcn" => Box::new(step::QcnStep::new(ports)),
        "flow_stages" => Box::new(flow_stages::FlowStages::new(circuit)),
        _ => return None,
    })
}
