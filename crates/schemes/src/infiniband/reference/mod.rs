// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks and parts of InfiniBand must do at their ports.

pub(crate) mod calculator;
pub(crate) mod inter_packet_delay;
pub(crate) mod marking;
pub(crate) mod source;

use super::rule::MarkingMode;
use crate::reference::Reference;
use tidegate_circuits::rtl::circuit::Circuit;

/// The reference of one of its blocks.
pub fn of(circuit: &Circuit) -> Option<Box<dyn Reference>> {
    let ports = &circuit.ports;
    Some(match circuit.module {
        "marking_2" | "marking_4" | "marking_8" => Box::new(marking::Switch::new(ports, MarkingMode::Counters)),
        "naive_marking_2" | "naive_marking_4" | "naive_marking_8" => {
            Box::new(marking::Switch::new(ports, MarkingMode::Naive))
        }
        "input_buffer_2" | "input_buffer_4" | "input_buffer_8" => Box::new(marking::InputBuffer::new(ports)),
        "output_marker_2" | "output_marker_4" | "output_marker_8" => Box::new(marking::OutputMarker::new(ports)),
        "naive_marker_2" | "naive_marker_4" | "naive_marker_8" => Box::new(marking::NaiveMarker::new(ports)),
        "calculator_infiniband" => Box::new(calculator::InfiniBandCalculator::new(circuit)),
        "inter_packet_delay" => Box::new(inter_packet_delay::InterPacketDelay::new(ports)),
        "source_infiniband" => Box::new(source::InfiniBandSource::new(circuit)),
        _ => return None,
    })
}
