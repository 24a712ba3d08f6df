// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point as a module on AXI4-Stream: the receive path, a gate before a transmit queue, the reaction point, and its
//! register file on AXI4-Lite.
//!
//! What depends on the width of the stream is built here signal by signal, as in `axis_cp`, and what decides and counts is
//! written in `rust-hdl` (`rtl/bus/axis_rp`), as is the receive path of 64 bits, where a beat is a word of the parser.

pub(crate) mod cut_memory;
pub(crate) mod gate_memory;
pub(crate) mod receive_path;

use super::join::{Join, NATIVE};
use super::output_stage::{Stream, output_stage};
use super::register_bus::{self, RegisterBus};
use super::width::Width;
use super::{refuse_other_than_ethernet, rp};
use crate::registers::{Owner, Registers};
use anyhow::Result;
use tidegate_circuits::rtl::bus::axis_rp::frame_cutter::FrameCutter;
use tidegate_circuits::rtl::bus::axis_rp::frame_finder::FrameFinder;
use tidegate_circuits::rtl::bus::axis_rp::frame_gate::frame_gate;
use tidegate_circuits::rtl::bus::axis_rp::receive_filter::AxisReceiveFilter;
use tidegate_circuits::rtl::bus::netfpga1g::gate_turns::GateTurns;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::{Expression, Netlist, Shape, SignalKind, Unary};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::Bounds;
use tidegate_schemes::scheme::parameters::Parameters;

/// Octets that the memory of a gate holds, in full beats.
pub(crate) const GATE_OCTETS: usize = 16_384;

/// What the module does.
fn meaning(width: Width) -> String {
    format!(
        "A reaction point on AXI4-Stream of {} bits. Its receive path (*_axis_rx_*) takes the feedback frames for it out of the \
         stream, and passes every other frame unchanged and in order. Its gate (*_axis_tx_*) stores frames and holds each one \
         until the rate of its flow allows it.\n\nIts registers are on AXI4-Lite (s_axi_*), 4096 octets.",
        width.bits()
    )
}

/// The ports of the streams; those of AXI4-Lite follow. Those without a meaning take that of the port inside.
fn ports(width: Width) -> Vec<(SignalKind, usize, &'static str, &'static str)> {
    use SignalKind::{Clock, Input, Output};
    let (bits, octets) = (width.bits(), width.octets());
    let data = "The first octet in bits 7 to 0";
    vec![
        (Clock, 1, "aclk", "Clock, rising edge"),
        (Input, 1, "aresetn", "Synchronous reset, active low"),
        (Input, bits, "s_axis_rx_tdata", data),
        (Input, octets, "s_axis_rx_tkeep", ""),
        (Input, 1, "s_axis_rx_tlast", ""),
        (Input, 1, "s_axis_rx_tuser", ""),
        (Input, 1, "s_axis_rx_tvalid", ""),
        (Output, 1, "s_axis_rx_tready", ""),
        (Output, bits, "m_axis_rx_tdata", data),
        (Output, octets, "m_axis_rx_tkeep", ""),
        (Output, 1, "m_axis_rx_tlast", ""),
        (Output, 1, "m_axis_rx_tuser", ""),
        (Output, 1, "m_axis_rx_tvalid", ""),
        (Input, 1, "m_axis_rx_tready", ""),
        (Input, bits, "s_axis_tx_tdata", data),
        (Input, octets, "s_axis_tx_tkeep", ""),
        (Input, 1, "s_axis_tx_tlast", ""),
        (Input, 1, "s_axis_tx_tuser", ""),
        (Input, 12, "s_axis_tx_tdest", ""),
        (Input, 1, "s_axis_tx_tvalid", ""),
        (Output, 1, "s_axis_tx_tready", ""),
        (Output, bits, "m_axis_tx_tdata", data),
        (Output, octets, "m_axis_tx_tkeep", ""),
        (Output, 1, "m_axis_tx_tlast", ""),
        (Output, 1, "m_axis_tx_tuser", ""),
        (Output, 1, "m_axis_tx_tvalid", ""),
        (Input, 1, "m_axis_tx_tready", ""),
    ]
}

/// Ports of the receive path of 64 bits, and their halves inside.
const WIDE: [(&str, &str, &str); 2] =
    [("s_axis_rx_tdata", "rx_in_high", "rx_in_low"), ("rx_next_tdata", "next_high", "next_low")];

/// The parameters of a scheme with these settings.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)]) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    scheme.parameters(settings).map_err(|error| Usage(error.to_string()).into())
}

const FILTER: &str = "Stands in a receive path on AXI4-Stream, shows the feedback frames in it to the parser of a reaction point, and \
    removes those for this reaction point. Every other frame passes unchanged and in order.\n\nA feedback frame that comes while \
    four others wait is not shown to the parser. As long as `next_tready` is high, `s_axis_rx_tready` is high: nothing here \
    stops the receive path. The stage at the output follows.";

const WORDS: &str = "Stores feedback frames of a wide stream, and gives them to the parser as words of 64 bits. A frame that comes \
    while four others are stored is left out.";

const GATE: &str = "Stores frames of AXI4-Stream, and holds each one until the rate limiter has granted it. Then it goes out unchanged. A \
    beat of cycle t can go out in cycle t + 4 at the earliest. The stage at the output follows.";

/// What stands in the receive path.
///
/// # Panics
/// If its modules do not fit together: a mistake in this room.
pub fn receive_filter(width: Width) -> Netlist {
    if width == Width::W64 {
        return Circuit::of::<AxisReceiveFilter>("receive_filter", &[]).netlist;
    }
    let finder = Circuit::of::<FrameFinder>("frame_finder", &[]).netlist;
    let (path, words) = (receive_path::receive_path(width), feedback_words(width));
    let mut join = Join::new(&format!("axis_receive_filter_{}", width.bits()), FILTER);
    join.ports_around(&[&path, &finder, &words]);
    join.part("receive_path", &path, "");
    join.part("frame_finder", &finder, "");
    join.part("feedback_words", &words, "");
    join.finish()
}

/// What gives feedback frames to the parser, at more than 64 bits.
///
/// # Panics
/// If its modules do not fit together: a mistake in this room.
pub fn feedback_words(width: Width) -> Netlist {
    let cutter = Circuit::of::<FrameCutter>("frame_cutter", &[]).netlist;
    let memory = cut_memory::cut_memory(width);
    let mut join = Join::new(&format!("axis_feedback_words_{}", width.bits()), WORDS);
    join.ports_around(&[&cutter, &memory]);
    join.part("frame_cutter", &cutter, "");
    join.part("cut_memory", &memory, "");
    join.finish()
}

/// The gate before a transmit queue, with a memory of 2^`address_bits` beats.
///
/// # Panics
/// If no gate has so many, or its modules do not fit together: a mistake in this room.
pub fn gate_of(width: Width, address_bits: usize) -> Netlist {
    let gate = frame_gate(address_bits);
    let memory = gate_memory::gate_memory(width, address_bits);
    let mut join = Join::new(&format!("axis_transmit_gate_{}", width.bits()), GATE);
    join.ports_around(&[&memory, &gate.netlist]);
    join.part("gate_memory", &memory, "");
    join.part("frame_gate", &gate.netlist, "");
    join.finish()
}

/// The gate before a transmit queue.
pub fn transmit_gate(width: Width) -> Netlist {
    gate_of(width, (GATE_OCTETS / width.octets()).ilog2() as usize)
}

fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    width: Width,
    [filter, gate, part]: [&Netlist; 3],
) -> Registers {
    let registers = Registers::of(scheme, Part::ReactionPoint, parameters, settings);
    let registers = RegisterBus::Axi4Lite.registers(registers);
    let registers = Registers { module: rp::REGISTERS.to_string(), option: width.option(), ..registers };
    let pass = register_bus::input(filter, "pass_feedback", rp::PASS_FEEDBACK);
    let controlled =
        register_bus::input(gate, "controlled", "1: frames wait for the rate limiter; 0: they pass at once");
    let registers = registers
        .with_parameter(pass, 0, Bounds::bits(1))
        .with_parameter(controlled, 1, Bounds::bits(1))
        .with_counter("removed_frames", register_bus::input(filter, "removed_frame", rp::REMOVED_FRAMES))
        .with_counter(
            "rejected_frames",
            register_bus::input(gate, "rejected", "Frames that passed the gate at once: longer than its memory"),
        );
    let registers = match parameters.rp_flows() {
        1 => registers.with_counter(
            "oversize_frames",
            register_bus::input(part, "oversize", "Frames that passed the gate at once: longer than the bucket"),
        ),
        _ => registers,
    };
    if width == Width::W64 {
        return registers;
    }
    let overrun = "Feedback frames that came while four others waited for the parser: they change no rate, and no other \
                   counter but removed_frames";
    registers.with_counter("overrun_frames", register_bus::input(filter, "overrun_frame", overrun))
}

/// The reaction point of an Ethernet scheme, with parameters of [`parameters()`].
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn reaction_point(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    width: Width,
) -> rp::ReactionPoint {
    let part = (scheme.circuit)(Part::ReactionPoint, parameters);
    let (filter, gate) = (receive_filter(width), transmit_gate(width));
    let registers = registers(scheme, parameters, settings, width, [&filter, &gate, &part.netlist]);
    let file = crate::registers::circuit::circuit(&registers);
    let mut join = Join::new(rp::MODULE, &meaning(width));
    for (kind, bits, name, meaning) in ports(width) {
        join.signal(kind, bits, name, meaning);
    }
    let bus = RegisterBus::Axi4Lite.adapter();
    for (_, port) in bus.netlist.top().ports().filter(|(_, port)| port.name.starts_with("s_axi_")) {
        join.whole.add(port.clone());
    }
    for (path, module, filled) in [
        ("rx", "axis_receive_stage", (&filter, "receive_filter")),
        ("tx", "axis_transmit_stage", (&gate, "transmit_gate")),
    ] {
        let port = format!("m_axis_{path}");
        let stage = output_stage(width, Stream { module, port: &port, user_bits: 1, tells_taken: path == "tx" });
        for (_, port) in stage.top().ports().filter(|(_, port)| port.name.starts_with("next_")) {
            join.signal(SignalKind::Local, port.shape.bits, &format!("{path}_{}", port.name), "");
        }
        let (inner, instance) = filled;
        join.part(instance, inner, &format!("{path}_"));
        join.part(&format!("{path}_stage"), &stage, &format!("{path}_"));
    }
    join.part("reaction_point", &part.netlist, "");
    match parameters.rp_flows() {
        1 => {
            join.constant("flow_mask", 0);
            join.constant("flow_from_tag", 0);
            join.same("paid", "grant");
            join.same("refuse", "oversize");
        }
        // The turns of four gates, of which one is there.
        _ => {
            join.part("gate_turns", &Circuit::of::<GateTurns>("gate_turns", &[]).netlist, "");
            for (inside, outside) in [
                ("request_0", "request"),
                ("request_flow_0", "request_flow"),
                ("request_bytes_0", "request_bytes"),
                ("paid", "paid_0"),
                ("refuse", "refuse_0"),
            ] {
                join.same(inside, outside);
            }
            for gate in 1..4 {
                for name in ["request", "request_flow", "request_bytes"] {
                    join.constant(&format!("{name}_{gate}"), 0);
                }
            }
        }
    }
    RegisterBus::Axi4Lite.add_to(&mut join, Owner::Part(Part::ReactionPoint));
    join.part("registers", &file, NATIVE);
    if width == Width::W64 {
        WIDE.iter().for_each(|(port, high, low)| join.lanes(port, high, low));
    }
    let aresetn = join.whole.find("aresetn").expect("it was added");
    let reset = join.whole.find("reset").expect("modules have it");
    join.assign(reset, Expression::unary(Unary::Not, Expression::signal(aresetn, Shape::unsigned(1))));
    rp::ReactionPoint { netlist: join.finish(), registers }
}
