//! The reaction point as a module on AXI4-Stream of 64 bits: the receive path, a gate before a transmit queue, the reaction
//! point, and its register file on AXI4-Lite.

use super::join::{Join, NATIVE};
use super::register_bus::{self, RegisterBus};
use super::{refuse_other_than_ethernet, rp};
use crate::error::Usage;
use crate::netlist::{Expression, Netlist, Shape, SignalKind, Unary};
use crate::registers::Registers;
use crate::registers::bounds::Bounds;
use crate::registry::Scheme;
use crate::rtl::bus::axis64::axis_receive_filter::AxisReceiveFilter;
use crate::rtl::bus::axis64::axis_transmit_gate::AxisTransmitGate;
use crate::rtl::bus::netfpga1g::gate_turns::GateTurns;
use crate::rtl::circuit::Circuit;
use crate::scheme::Part;
use crate::scheme::parameters::Parameters;
use anyhow::Result;

/// The option of `emit`.
pub const OPTION: &str = "--bus axis --width 64";

const MEANING: &str = "A reaction point on AXI4-Stream of 64 bits. Its receive path (*_axis_rx_*) takes the feedback frames \
    for it out of the stream, and passes every other frame unchanged and in order. Its gate (*_axis_tx_*) stores frames and \
    holds each one until the rate of its flow allows it.\n\n\
    Its registers are on AXI4-Lite (s_axi_*), 4096 octets.";

/// The ports of the streams; those of AXI4-Lite follow. Those without a meaning take that of the port inside.
const PORTS: &[(SignalKind, usize, &str, &str)] = {
    use SignalKind::{Clock, Input, Output};
    &[
        (Clock, 1, "aclk", "Clock, rising edge"),
        (Input, 1, "aresetn", "Synchronous reset, active low"),
        (Input, 64, "s_axis_rx_tdata", "The first octet in bits 7 to 0"),
        (Input, 8, "s_axis_rx_tkeep", ""),
        (Input, 1, "s_axis_rx_tlast", ""),
        (Input, 1, "s_axis_rx_tuser", ""),
        (Input, 1, "s_axis_rx_tvalid", ""),
        (Output, 1, "s_axis_rx_tready", ""),
        (Output, 64, "m_axis_rx_tdata", "The first octet in bits 7 to 0"),
        (Output, 8, "m_axis_rx_tkeep", ""),
        (Output, 1, "m_axis_rx_tlast", ""),
        (Output, 1, "m_axis_rx_tuser", ""),
        (Output, 1, "m_axis_rx_tvalid", ""),
        (Input, 1, "m_axis_rx_tready", ""),
        (Input, 64, "s_axis_tx_tdata", "The first octet in bits 7 to 0"),
        (Input, 8, "s_axis_tx_tkeep", ""),
        (Input, 1, "s_axis_tx_tlast", ""),
        (Input, 1, "s_axis_tx_tuser", ""),
        (Input, 12, "s_axis_tx_tdest", ""),
        (Input, 1, "s_axis_tx_tvalid", ""),
        (Output, 1, "s_axis_tx_tready", ""),
        (Output, 64, "m_axis_tx_tdata", "The first octet in bits 7 to 0"),
        (Output, 8, "m_axis_tx_tkeep", ""),
        (Output, 1, "m_axis_tx_tlast", ""),
        (Output, 1, "m_axis_tx_tuser", ""),
        (Output, 1, "m_axis_tx_tvalid", ""),
        (Input, 1, "m_axis_tx_tready", ""),
    ]
};

/// Ports of 64 bits, and their halves inside.
const WIDE: [(&str, &str, &str); 4] = [
    ("s_axis_rx_tdata", "rx_in_high", "rx_in_low"),
    ("m_axis_rx_tdata", "rx_out_high", "rx_out_low"),
    ("s_axis_tx_tdata", "tx_in_high", "tx_in_low"),
    ("m_axis_tx_tdata", "tx_out_high", "tx_out_low"),
];

/// The parameters of a scheme with these settings.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)]) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    scheme.parameters(settings).map_err(|error| Usage(error.to_string()).into())
}

fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    [filter, gate, part]: [&Netlist; 3],
) -> Registers {
    let registers = Registers::of(scheme, Part::ReactionPoint, parameters, settings);
    let registers = RegisterBus::Axi4Lite.registers(registers);
    let registers = Registers { module: rp::REGISTERS.to_string(), option: OPTION, ..registers };
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
    match parameters.rp_flows() {
        1 => registers.with_counter(
            "oversize_frames",
            register_bus::input(part, "oversize", "Frames that passed the gate at once: longer than the bucket"),
        ),
        _ => registers,
    }
}

/// The reaction point of an Ethernet scheme, with parameters of [`parameters()`].
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn reaction_point(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
) -> rp::ReactionPoint {
    let part = (scheme.circuit)(Part::ReactionPoint, parameters);
    let filter = Circuit::of::<AxisReceiveFilter>("receive_filter", &[]);
    let gate = Circuit::of::<AxisTransmitGate>("transmit_gate", &[]);
    let registers = registers(scheme, parameters, settings, [&filter.netlist, &gate.netlist, &part.netlist]);
    let file = crate::registers::circuit::circuit(&registers);
    let mut join = Join::new(rp::MODULE, MEANING);
    for &(kind, bits, name, meaning) in PORTS {
        join.signal(kind, bits, name, meaning);
    }
    let bus = RegisterBus::Axi4Lite.adapter();
    for (_, port) in bus.netlist.top().ports().filter(|(_, port)| port.name.starts_with("s_axi_")) {
        join.whole.add(port.clone());
    }
    join.part("receive_filter", &filter.netlist, "");
    join.part("transmit_gate", &gate.netlist, "");
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
    RegisterBus::Axi4Lite.add_to(&mut join, Part::ReactionPoint);
    join.part("registers", &file, NATIVE);
    WIDE.iter().for_each(|(port, high, low)| join.lanes(port, high, low));
    let aresetn = join.whole.find("aresetn").expect("it was added");
    let reset = join.whole.find("reset").expect("modules have it");
    join.assign(reset, Expression::unary(Unary::Not, Expression::signal(aresetn, Shape::unsigned(1))));
    rp::ReactionPoint { netlist: join.finish(), registers }
}
