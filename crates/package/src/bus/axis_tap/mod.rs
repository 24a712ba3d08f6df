// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point in the data path of a NetFPGA-SUME, 10G, 1G-CML or PLUS: the path, the congestion point for its output
//! queues, and its register file on AXI4-Lite.

pub mod frame_path;
pub mod level_events;

use self::level_events::LEVEL_BITS;
use super::axis_cp::frame_output;
use super::join::{Join, NATIVE};
use super::output_stage::{Stream, output_stage};
use super::queue_input::QueueInput;
use super::refuse_other_than_ethernet;
use super::register_bus::{self, RegisterBus};
use super::width::Width;
use crate::registers::{self, Owner, Registers};
use anyhow::Result;
use tidegate_circuits::rtl::bus::axis_cp::frame_fields::FrameFields;
use tidegate_circuits::rtl::bus::axis_tap::frame_events::FrameEvents;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::builder::not;
use tidegate_hdl::netlist::{Expression, Netlist, Shape, SignalKind};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::Bounds;
use tidegate_schemes::scheme::parameters::Parameters;

/// Name of the module.
pub const MODULE: &str = "cp";
/// Output queues: one for each of four MAC ports, and one for all ports of the processor.
pub const QUEUES: usize = 5;
/// Queues of the congestion point, the next of its sizes.
const CP_QUEUES: &str = "8";
/// Output queues that are controlled after reset: those of the MAC ports.
const MAC_QUEUES: u32 = 0x0f;
/// Bits of the TUSER.
const TUSER_BITS: usize = 128;
/// Octets of a feedback frame.
const FRAME_OCTETS: u64 = 60;

/// The stage at the output.
const STAGE: Stream = Stream { module: "axis_tap_stage", port: "m_axis", user_bits: TUSER_BITS, tells_taken: true };

const MEANING: &str = "A congestion point for the data path of a NetFPGA-SUME, 10G, 1G-CML or PLUS: stands between \
    output_port_lookup and output_queues, passes every frame unchanged and in order, and sends feedback frames to the sources of \
    frames.\n\nOutput queue i is that of MAC port i, and queue 4 that of all ports of the processor. Queue i has the CPID `cpid` + \
    i. A feedback frame goes to the port at which the sampled frame came in, between two frames.\n\n";

/// What the description of the module says of the output queues.
fn meaning(queues: QueueInput) -> &'static str {
    match queues {
        QueueInput::Events => {
            "The events come from output_queues: its ports have the names of these inputs. Its registers are on AXI4-Lite."
        }
        QueueInput::Level => {
            "`queue_octets_i` is the level of output queue i: a beat must be in it in the 17th cycle after it has gone out, and \
             until it leaves. Its registers are on AXI4-Lite."
        }
    }
}

/// The options of `emit`.
fn option(width: Width, queues: QueueInput) -> &'static str {
    match (width, queues) {
        (Width::W64, QueueInput::Events) => "--bus axis --tuser netfpga --width 64",
        (Width::W128, QueueInput::Events) => "--bus axis --tuser netfpga --width 128",
        (Width::W256, QueueInput::Events) => "--bus axis --tuser netfpga --width 256",
        (Width::W512, QueueInput::Events) => "--bus axis --tuser netfpga --width 512",
        (Width::W64, QueueInput::Level) => "--bus axis --tuser netfpga --queue-input level --width 64",
        (Width::W128, QueueInput::Level) => "--bus axis --tuser netfpga --queue-input level --width 128",
        (Width::W256, QueueInput::Level) => "--bus axis --tuser netfpga --queue-input level --width 256",
        (Width::W512, QueueInput::Level) => "--bus axis --tuser netfpga --queue-input level --width 512",
    }
}

/// What a congestion point on this bus is made of.
pub struct CongestionPoint {
    /// The whole module.
    pub netlist: Netlist,
    /// Its registers.
    pub registers: Registers,
}

/// The parameters of a scheme with these settings, for the output queues.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)]) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    let mut settings = settings.to_vec();
    match settings.iter().find(|(key, _)| key == "cp_queues") {
        Some((_, value)) if value != CP_QUEUES => {
            let reason = format!(
                "`cp_queues` = {value}: a NetFPGA with this TUSER has {QUEUES} output queues, and the congestion point {CP_QUEUES}; \
                 leave it out"
            );
            return Err(Usage(reason).into());
        }
        Some(_) => {}
        None => settings.push(("cp_queues".to_string(), CP_QUEUES.to_string())),
    }
    scheme.parameters(&settings).map_err(|error| Usage(error.to_string()).into())
}

/// The registers of the congestion point, and those of what stands around it.
fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    option: &'static str,
    events: &Netlist,
) -> Registers {
    let of_events = |port: &str, meaning: &str| register_bus::input(events, port, meaning);
    let registers = Registers::of(scheme, Part::CongestionPoint, parameters, settings);
    let registers = RegisterBus::Axi4Lite.registers(registers);
    let registers = Registers { module: format!("{MODULE}_registers"), option, ..registers };
    let controlled = "The output queues that are controlled, a bit each; write it while no frame is stored: the lengths count \
                      from 0";
    let rejected = "Frames without feedback: shorter than 22 octets, or without exactly one source port";
    let unsampled =
        "Frames that came faster than the congestion point takes them: they are in the lengths, but were not sampled";
    registers
        .with_parameter(of_events("controlled_queues", controlled), MAC_QUEUES, Bounds::bits(QUEUES))
        .with_counter("rejected_frames", of_events("rejected", rejected))
        .with_counter("unsampled_frames", of_events("unsampled", unsampled))
}

/// The ports of the whole, in their order; those without a meaning take that of the port inside.
fn ports(width: Width, queues: QueueInput) -> Vec<(SignalKind, usize, String, &'static str)> {
    use SignalKind::{Clock, Input, Output};
    let (bits, octets) = (width.bits(), width.octets());
    let mut ports = vec![
        (Clock, 1, "aclk".to_string(), "Clock, rising edge: that of the streams and of the registers"),
        (Input, 1, "aresetn".to_string(), "Synchronous reset, active low"),
    ];
    for (stream, kind, other) in [("s_axis", Input, Output), ("m_axis", Output, Input)] {
        let signals = [
            (kind, bits, "tdata"),
            (kind, octets, "tkeep"),
            (kind, TUSER_BITS, "tuser"),
            (kind, 1, "tlast"),
            (kind, 1, "tvalid"),
            (other, 1, "tready"),
        ];
        ports.extend(signals.map(|(kind, bits, name)| (kind, bits, format!("{stream}_{name}"), "")));
    }
    if queues == QueueInput::Level {
        let level = |queue| (Input, LEVEL_BITS, format!("queue_octets_{queue}"), "");
        ports.extend((0..QUEUES).map(level));
        return ports;
    }
    for queue in 0..QUEUES {
        ports.push((Input, 1, format!("pkt_removed_{queue}"), ""));
        ports.push((Input, 32, format!("bytes_removed_{queue}"), ""));
    }
    ports.push((Input, QUEUES, "pkt_dropped".to_string(), ""));
    ports.push((Input, 32, "bytes_dropped".to_string(), ""));
    ports
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
    queues: QueueInput,
) -> CongestionPoint {
    let part = (scheme.circuit)(Part::CongestionPoint, parameters);
    let events = Circuit::of::<FrameEvents>("frame_events", &[]).netlist;
    let fields = Circuit::of::<FrameFields>("frame_fields", &[]).netlist;
    let registers = registers(scheme, parameters, settings, option(width, queues), &events);
    let mut join = Join::new(MODULE, &[MEANING, meaning(queues)].concat());
    for (kind, bits, name, meaning) in ports(width, queues) {
        join.signal(kind, bits, &name, meaning);
    }
    let adapter = RegisterBus::Axi4Lite.adapter().netlist;
    let of_bus = adapter.top().ports().map(|(_, port)| port).filter(|port| port.name.starts_with("s_axi_"));
    join.whole.signals.extend(of_bus.cloned());
    let reset = join.signal(SignalKind::Local, 1, "reset", "");
    let aresetn = join.whole.find("aresetn").expect("it was added");
    join.assign(reset, not(Expression::signal(aresetn, Shape::unsigned(1))));
    join.part("axis_path", &frame_path::frame_path(width), "");
    join.part("axis_stage", &output_stage(width, STAGE), "");
    if queues == QueueInput::Level {
        join.part("level_events", &level_events::level_events(width), "");
    }
    join.part("frame_events", &events, "");
    join.part("frame_fields", &fields, "frame_");
    join.part("congestion_point", &part.netlist, "");
    join.part("axis_cnm", &frame_output::frame_output(width), "");
    RegisterBus::Axi4Lite.add_to(&mut join, Owner::Part(Part::CongestionPoint));
    join.part("registers", &registers::circuit::circuit(&registers), NATIVE);
    CongestionPoint { netlist: join.finish(), registers }
}
