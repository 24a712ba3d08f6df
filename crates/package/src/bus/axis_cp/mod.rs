// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point on AXI4-Stream, with an output queue of its own: the queue, the congestion point, and its register
//! file on AXI4-Lite.
//!
//! What depends on the width of the stream is built here signal by signal: `rust-hdl` simulates signals above 32 bits as
//! arrays of bool, and 512 bits in its lanes of 32 would be sixteen memories, registers and ports of each kind. The rest, which
//! decides and counts, is written in `rust-hdl` (`rtl/bus/axis_cp`).

pub mod beat_input;
pub(crate) mod beat_memory;
pub mod frame_output;
pub(crate) mod header;
pub mod output_queue;

use super::join::{Join, NATIVE};
use super::limits;
use super::output_stage::{Stream, output_stage, slow_output_stage};
use super::refuse_other_than_ethernet;
use super::register_bus::{self, RegisterBus};
use super::width::Width;
use crate::registers::{self, Owner, Registers};
use anyhow::Result;
use tidegate_circuits::rtl::bus::axis_cp::frame_fields::FrameFields;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::builder::{not, number};
use tidegate_hdl::netlist::{Expression, Netlist, Shape, SignalKind};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// Name of the module.
pub const MODULE: &str = "cp";

const MEANING: &str = "A congestion point with its own output queue, for AXI4-Stream: stands where frames wait for a link. \
    Whole frames go through the queue, unchanged and in order. Feedback frames for the sources of sampled frames leave on a \
    stream of their own.\n\nA frame that is bad (`s_axis_tuser` is high with its last beat, or a tkeep is malformed), or for \
    which there is no room, is dropped as a whole and counted. So a beat is taken in every cycle.\n\nIts registers are on \
    AXI4-Lite.";

/// What a congestion point on this bus is made of.
pub struct CongestionPoint {
    /// The whole module.
    pub netlist: Netlist,
    /// Its registers.
    pub registers: Registers,
}

/// The parameters of a scheme with these settings, for one queue.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)]) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    if let Some((_, value)) = settings.iter().find(|(key, value)| key == "cp_queues" && value != "1") {
        let reason =
            format!("`cp_queues` = {value}: the congestion point on AXI4-Stream has one output queue; leave it out");
        return Err(Usage(reason).into());
    }
    let parameters = scheme.parameters(settings).map_err(|error| Usage(error.to_string()))?;
    limits::check_set_point(&parameters, parameters.integer("buffer_bytes"), "with its buffer_bytes it holds")?;
    Ok(parameters)
}

/// Bits of the place of a beat in the queue: so many beats that `buffer_bytes` fit.
pub fn address_bits(width: Width, parameters: &Parameters) -> usize {
    let beats = parameters.integer("buffer_bytes").div_ceil(width.octets() as u64);
    beats.next_power_of_two().ilog2() as usize
}

/// The registers of the congestion point, and those of what stands around it.
fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    width: Width,
    [queue, fields]: [&Netlist; 2],
) -> Registers {
    let registers = Registers::of(scheme, Part::CongestionPoint, parameters, settings);
    let registers = RegisterBus::Axi4Lite.registers(registers);
    let registers = Registers { module: format!("{MODULE}_registers"), option: width.option(), ..registers };
    let bad = "Frames that were dropped, because they were bad";
    let dropped = "Good frames that were dropped, because there was no room";
    let rejected = "Frames of fewer than 22 octets, which went through but get no feedback";
    registers
        .with_counter("bad_frames", register_bus::input(queue, "bad_frame", bad))
        .with_counter("dropped_frames", register_bus::input(queue, "dropped_frame", dropped))
        .with_counter("rejected_frames", register_bus::input(fields, "rejected", rejected))
}

/// The ports of the whole, in their order; those without a meaning take that of the port inside.
fn ports(width: Width) -> Vec<(SignalKind, usize, &'static str, &'static str)> {
    use SignalKind::{Clock, Input, Output};
    let (bits, octets) = (width.bits(), width.octets());
    vec![
        (Clock, 1, "aclk", "Clock, rising edge: that of all streams and of the registers"),
        (Input, 1, "aresetn", "Synchronous reset, active low"),
        (Input, bits, "s_axis_tdata", ""),
        (Input, octets, "s_axis_tkeep", ""),
        (Input, 1, "s_axis_tlast", ""),
        (Input, 1, "s_axis_tuser", ""),
        (Input, 1, "s_axis_tvalid", ""),
        (Output, 1, "s_axis_tready", "Always 1"),
        (Output, bits, "m_axis_tdata", ""),
        (Output, octets, "m_axis_tkeep", ""),
        (Output, 1, "m_axis_tlast", ""),
        (Output, 1, "m_axis_tvalid", ""),
        (Input, 1, "m_axis_tready", ""),
        (Output, bits, "m_axis_cnm_tdata", ""),
        (Output, octets, "m_axis_cnm_tkeep", ""),
        (Output, 1, "m_axis_cnm_tlast", ""),
        (Output, 1, "m_axis_cnm_tvalid", ""),
        (Input, 1, "m_axis_cnm_tready", ""),
    ]
}

/// The congestion point of an Ethernet scheme, with parameters of [`parameters()`].
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn congestion_point(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    width: Width,
) -> CongestionPoint {
    let part = (scheme.circuit)(Part::CongestionPoint, parameters);
    let address_bits = address_bits(width, parameters);
    let queue = output_queue::output_queue(width, address_bits);
    let fields = Circuit::of::<FrameFields>("frame_fields", &[]).netlist;
    let registers = registers(scheme, parameters, settings, width, [&queue, &fields]);
    let mut join = Join::new(MODULE, MEANING);
    for (kind, bits, name, meaning) in ports(width) {
        join.signal(kind, bits, name, meaning);
    }
    let adapter = RegisterBus::Axi4Lite.adapter().netlist;
    let of_bus = adapter.top().ports().map(|(_, port)| port).filter(|port| port.name.starts_with("s_axi_"));
    join.whole.signals.extend(of_bus.cloned());
    let reset = join.signal(SignalKind::Local, 1, "reset", "");
    let id = |join: &Join, name: &str| join.whole.find(name).expect("it was added");
    let (aresetn, tready) = (id(&join, "aresetn"), id(&join, "s_axis_tready"));
    join.assign(reset, not(Expression::signal(aresetn, Shape::unsigned(1))));
    join.assign(tready, number(1, 1));
    join.part("axis_input", &beat_input::beat_input(width), "");
    join.part("output_queue", &queue, "");
    let stream = Stream { module: "axis_stage", port: "m_axis", user_bits: 0, tells_taken: true };
    join.part("output_stage", &output_stage(width, stream), "");
    join.part("frame_fields", &fields, "");
    join.part("congestion_point", &part.netlist, "");
    for name in ["tvalid", "tready"] {
        join.signal(SignalKind::Local, 1, &format!("next_m_axis_cnm_{name}"), "");
    }
    join.part("axis_cnm", &frame_output::frame_output(width), "next_");
    join.part("cnm_stage", &slow_output_stage("axis_cnm_stage", "m_axis_cnm"), "");
    RegisterBus::Axi4Lite.add_to(&mut join, Owner::Part(Part::CongestionPoint));
    join.part("registers", &registers::circuit::circuit(&registers), NATIVE);
    CongestionPoint { netlist: join.finish(), registers }
}
