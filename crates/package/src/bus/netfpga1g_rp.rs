// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point as a module of the NetFPGA-1G user data path: the receive path, the reaction point, and its register
//! file on the register ring.

use super::join::{Join, NATIVE};
use super::limits;
use super::netfpga1g;
use super::queue_input::QueueInput;
use super::register_bus::{self, RegisterBus};
use super::{refuse_other_than_ethernet, rp};
use crate::registers::{Owner, Registers};
use anyhow::Result;
use tidegate_circuits::rtl::bus::netfpga1g::{
    receive_filter::ReceiveFilter, token_increments::TokenIncrements, transmit_gates::TransmitGates,
};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::{Netlist, SignalKind, Width};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::Bounds;
use tidegate_schemes::scheme::parameters::Parameters;

/// Flows, if nothing else is said: one for each MAC port.
const FLOWS: &str = "4";

/// Gates before transmit queues.
const GATES: usize = 4;
/// Gates that are controlled after reset: all.
const ALL_GATES: u32 = 0xf;

const MEANING: &str = "A reaction point for the NetFPGA-1G: stands between input_arbiter and output_port_lookup (in_*, \
    out_*), takes the feedback frames for it out of the stream, and passes every other packet unchanged and in order. Gate \
    i (tx_in_*_i, tx_out_*_i) stands before the transmit queue of MAC port 2 i, and holds each packet until the rate of \
    its flow allows it.\n\n\
    Its registers are the block RP_BLOCK_ADDR of the register ring, 4096 octets.";

const CONTROLLED_GATES: &str = "The gates whose packets wait for the rate limiter: bit i is that of MAC port 2 i";
const FLOW_SOURCE: &str = "What numbers the flow of a packet before a gate: 0 the port, 1 the flow identifier of its CN-TAG, \
    2 the low bits of its source address, 3 those of its destination address";

const INSERT_CN_TAG: &str = "1: a gate puts a CN-TAG with the number of its flow into each packet that waits for the rate \
    limiter and has none; 0: packets are not changed";

/// The cycles in which a port of 1 Gb/s sends 250 bytes: fewer than 256 can be said.
const INTERVAL: u32 = 250;
const TOKEN_INTERVAL: &str = "Cycles of the packet generator's TOKEN_INTERVAL, to which token_inc_* belong";

/// The ports, in the order of a module of the reference pipeline, before those of the gates.
const PORTS: &[(SignalKind, usize, &str, &str)] = {
    use SignalKind::{Clock, Input, Output};
    &[
        (Input, 64, "in_data", "The first octet in bits 63 to 56"),
        (Input, 8, "in_ctrl", "0: octets of a packet"),
        (Input, 1, "in_wr", "A word comes in this cycle"),
        (Output, 1, "in_rdy", "After it falls, two more words are taken"),
        (Output, 64, "out_data", "The first octet in bits 63 to 56"),
        (Output, 8, "out_ctrl", "0: octets of a packet"),
        (Output, 1, "out_wr", "A word goes in this cycle"),
        (Input, 1, "out_rdy", "After it falls, one more word goes"),
        (Input, 1, "reg_req_in", ""),
        (Input, 1, "reg_ack_in", ""),
        (Input, 1, "reg_rd_wr_L_in", ""),
        (Input, 23, "reg_addr_in", ""),
        (Input, 32, "reg_data_in", ""),
        (Input, 2, "reg_src_in", ""),
        (Output, 1, "reg_req_out", ""),
        (Output, 1, "reg_ack_out", ""),
        (Output, 1, "reg_rd_wr_L_out", ""),
        (Output, 23, "reg_addr_out", ""),
        (Output, 32, "reg_data_out", ""),
        (Output, 2, "reg_src_out", ""),
        (Output, 16, "token_interval", "TOKEN_INTERVAL of the packet generator, cycles"),
        (Input, 1, "reset", "Synchronous reset, active high"),
        (Clock, 1, "clk", "Clock, rising edge"),
    ]
};

/// How many of them stand before those of the gates.
const DATA_PORTS: usize = 8;

/// The ports of a gate.
const GATE_PORTS: &[(SignalKind, usize, &str, &str)] = {
    use SignalKind::{Input, Output};
    &[
        (Input, 64, "tx_in_data", "The first octet in bits 63 to 56"),
        (Input, 8, "tx_in_ctrl", ""),
        (Input, 1, "tx_in_wr", ""),
        (Output, 1, "tx_in_rdy", ""),
        (Output, 64, "tx_out_data", "The first octet in bits 63 to 56"),
        (Output, 8, "tx_out_ctrl", ""),
        (Output, 1, "tx_out_wr", ""),
        (Input, 1, "tx_out_rdy", ""),
        (Output, 8, "token_inc", "TOKEN_INC of the packet generator, bytes in each token_interval cycles"),
    ]
};

/// The parameters of a scheme with these settings, for the flows of four ports.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)]) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    let mut settings = limits::of_netfpga1g(scheme, settings);
    match settings.iter().find(|(key, _)| key == "rp_flows") {
        Some((_, value)) if matches!(value.as_str(), "1" | "2") => {
            let reason =
                format!("`rp_flows` = {value}: the NetFPGA-1G has four MAC ports, with a flow each; leave it out");
            return Err(Usage(reason).into());
        }
        Some(_) => {}
        None => settings.push(("rp_flows".to_string(), FLOWS.to_string())),
    }
    scheme.parameters(&settings).map_err(|error| Usage(error.to_string()).into())
}

fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    [filter, gates, tokens]: [&Netlist; 3],
) -> Registers {
    let of_gates = |port: &str, meaning: &str| register_bus::input(gates, port, meaning);
    let of_filter = |port: &str, meaning: &str| register_bus::input(filter, port, meaning);
    let registers = Registers::of(scheme, Part::ReactionPoint, parameters, settings);
    let registers = RegisterBus::Ring.registers(registers);
    let registers =
        Registers { module: rp::REGISTERS.to_string(), option: netfpga1g::option(QueueInput::Events), ..registers };
    let pass = of_filter("pass_feedback", rp::PASS_FEEDBACK);
    registers
        .with_parameter(pass, 0, Bounds::bits(1))
        .with_counter("removed_frames", of_filter("removed_frame", rp::REMOVED_FRAMES))
        .with_parameter(of_gates("controlled_gates", CONTROLLED_GATES), ALL_GATES, Bounds::bits(GATES))
        .with_parameter(of_gates("flow_source", FLOW_SOURCE), 0, Bounds::bits(2))
        .with_parameter(of_gates("insert_cn_tag", INSERT_CN_TAG), 0, Bounds::bits(1))
        .with_parameter(
            register_bus::input(tokens, "token_interval", TOKEN_INTERVAL),
            INTERVAL,
            Bounds::of(1, (1 << 16) - 1),
        )
        .with_counter(
            "lost_words",
            of_filter("lost_word", "Words of the receive path that were lost, because the sender did not wait"),
        )
        .with_counter(
            "lost_gate_words",
            of_gates("lost_words", "Words before a gate that were lost, because the sender did not wait"),
        )
        .with_counter(
            "rejected_packets",
            of_gates("rejected", "Packets that passed a gate at once: too short, or no module header"),
        )
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
    let filter = Circuit::of::<ReceiveFilter>("receive_filter", &[]);
    let gates = Circuit::of::<TransmitGates>("transmit_gates", &[]);
    let tokens = Circuit::of::<TokenIncrements>("token_increments", &[]);
    let registers = registers(scheme, parameters, settings, [&filter.netlist, &gates.netlist, &tokens.netlist]);
    let file = crate::registers::circuit::circuit(&registers);
    let mut join = Join::new(rp::MODULE, MEANING);
    let (before, after) = PORTS.split_at(DATA_PORTS);
    for &(kind, bits, name, meaning) in before {
        join.signal(kind, bits, name, meaning);
    }
    for gate in 0..GATES {
        for &(kind, bits, name, meaning) in GATE_PORTS {
            join.signal(kind, bits, &format!("{name}_{gate}"), meaning);
        }
    }
    for &(kind, bits, name, meaning) in after {
        join.signal(kind, bits, name, meaning);
    }
    for (name, ports) in netfpga1g::WIDTHS {
        let of_gates = |port: &&str| (0..GATES).map(move |gate| format!("tx_{port}_{gate}")).collect::<Vec<_>>();
        let of_gates = ports.iter().filter(|_| name != "UDP_REG_SRC_WIDTH").flat_map(of_gates);
        let ports = ports.iter().map(|port| port.to_string()).chain(of_gates);
        let ports: Vec<_> = ports.map(|port| join.whole.find(&port).expect("it was added")).collect();
        let bits = join.whole.signals[ports[0]].shape.bits;
        join.whole.widths.push(Width { name: name.to_string(), bits, ports });
    }
    join.part("receive_filter", &filter.netlist, "");
    join.part("transmit_gates", &gates.netlist, "");
    join.part("reaction_point", &part.netlist, "");
    join.part("token_increments", &tokens.netlist, "");
    RegisterBus::Ring.add_to(&mut join, Owner::Part(Part::ReactionPoint));
    join.part("registers", &file, NATIVE);
    netfpga1g::WIDE.iter().for_each(|(port, high, low)| join.halves(port, high, low));
    for gate in 0..GATES {
        let halves = |way: &str| ["data", "high", "low"].map(|part| format!("tx_{way}_{part}_{gate}"));
        let [port, high, low] = halves("in");
        join.halves(&port, &high, &low);
        let [port, high, low] = halves("out");
        join.halves(&port, &high, &low);
    }
    rp::ReactionPoint { netlist: join.finish(), registers }
}
