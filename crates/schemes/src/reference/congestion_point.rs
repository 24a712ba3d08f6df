// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole congestion point, at the ports.

use super::part;
use crate::registry::Scheme;
use crate::scheme::Part;
use tidegate_circuits::rtl::circuit::Circuit;

/// Connections between blocks. All other inputs are ports of the part.
const WIRES: [(&str, &str); 25] = [
    ("sampler.interval_low", "feedback.interval_low"),
    ("sampler.interval_span", "feedback.interval_span"),
    ("sample_queue.q_offset", "queue_monitor.q_offset"),
    ("sample_queue.q_delta", "queue_monitor.q_delta"),
    ("sample_queue.pop", "feedback.pop"),
    ("feedback.sample_valid", "sample_queue.head_valid"),
    ("feedback.controlled", "sample_queue.head_controlled"),
    ("feedback.q_offset", "sample_queue.head_q_offset"),
    ("feedback.q_delta", "sample_queue.head_q_delta"),
    ("feedback.frame_done", "packet_generator.frame_done"),
    ("packet_generator.feedback_valid", "feedback.feedback_valid"),
    ("packet_generator.quantized_feedback", "feedback.quantized_feedback"),
    ("packet_generator.q_offset_units", "feedback.q_offset_units"),
    ("packet_generator.q_delta_units", "feedback.q_delta_units"),
    ("packet_generator.source_mac_high", "sample_queue.head_source_mac_high"),
    ("packet_generator.source_mac_low", "sample_queue.head_source_mac_low"),
    ("packet_generator.destination_mac_high", "sample_queue.head_destination_mac_high"),
    ("packet_generator.destination_mac_low", "sample_queue.head_destination_mac_low"),
    ("packet_generator.has_tag", "sample_queue.head_has_tag"),
    ("packet_generator.vlan_tci", "sample_queue.head_vlan_tci"),
    ("packet_generator.has_cn_tag", "sample_queue.head_has_cn_tag"),
    ("packet_generator.flow_id", "sample_queue.head_flow_id"),
    ("packet_generator.ready", "data_ready"),
    ("ready", "sample_queue.ready"),
    ("lost", "sample_queue.lost"),
];

/// The source of `sample`: the sampler, or the sampling exception.
const CHOOSERS: [&[(&str, &str)]; 2] = [
    &[
        ("queue_monitor.sample", "sampler.sample"),
        ("sample_queue.sample", "sampler.sample"),
        ("sample", "sampler.sample"),
    ],
    &[
        ("sampling_exception.due", "sampler.sample"),
        ("sampling_exception.sent", "packet_generator.frame_done"),
        ("sampling_exception.sent_mac_high", "sample_queue.head_source_mac_high"),
        ("sampling_exception.sent_mac_low", "sample_queue.head_source_mac_low"),
        ("queue_monitor.sample", "sampling_exception.sample"),
        ("sample_queue.sample", "sampling_exception.sample"),
        ("sample", "sampling_exception.sample"),
    ],
];

/// The order in which outputs are computed: the feedback block offers a frame, the packet generator says when it is
/// sent, and the feedback block then pops the sample.
const ORDER: [&str; 5] = ["sample_queue", "feedback", "packet_generator", "feedback", "sampler"];

/// The connected blocks of the congestion point of a scheme; `None` if a block has no reference.
pub fn new(scheme: &Scheme, part: Part, circuit: &Circuit) -> Option<part::Part> {
    let blocks = scheme.blocks(part);
    let exception = blocks.iter().any(|block| block.block == "sampling_exception");
    let wires = [&WIRES[..], CHOOSERS[usize::from(exception)]].concat();
    let behind: &[&str] = if exception { &["sampling_exception", "queue_monitor"] } else { &["queue_monitor"] };
    part::Part::new(scheme, circuit, &blocks, &wires, &[], &[], &[&ORDER[..], behind].concat())
}
