// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point as a module of the NetFPGA-1G user data path: the tap, the congestion point for eight queues,
//! and its register file on the register ring.

use super::join::{Join, NATIVE};
use super::limits;
use super::queue_input::QueueInput;
use super::refuse_other_than_ethernet;
use super::register_bus::{self, RegisterBus};
use crate::registers::{self, Owner, Registers};
use anyhow::Result;
use tidegate_circuits::rtl::bus::netfpga1g::{
    level_events::LevelEvents, out_buffer::OutBuffer, queue_events::QueueEvents, tap::Tap,
};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::{Expression, Netlist, Shape, SignalKind, Width};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::Bounds;
use tidegate_schemes::scheme::parameters::Parameters;

/// Output queues of the NetFPGA-1G: four MAC ports, which are even, and four ports of the processor.
pub(crate) const QUEUES: u64 = 8;
/// Name of the module.
pub(crate) const MODULE: &str = "cp";
/// Bits of the level of an output queue in block RAM.
const LEVEL_BITS: usize = 11;
/// Output queues that are controlled after reset: those of the MAC ports.
const MAC_PORTS: u32 = 0x55;

/// Ports of 64 bits, and their halves inside.
pub(super) const WIDE: [(&str, &str, &str); 2] =
    [("in_data", "in_high", "in_low"), ("out_data", "out_high", "out_low")];

const MEANING: [&str; 2] = [
    "A congestion point for the NetFPGA-1G user data path: stands between output_port_lookup and output_queues, passes \
     every packet unchanged and in order, and sends feedback frames to the sources of packets.\n\n",
    "Output queue i has the CPID `cpid` + i. A frame goes to the port at which the sampled packet came in, between two \
     packets.\n\n\
     Its registers are the block CP_BLOCK_ADDR of the register ring, 4096 octets.",
];

/// The options of `emit`.
pub(super) fn option(queues: QueueInput) -> &'static str {
    match queues {
        QueueInput::Events => "--bus netfpga1g",
        QueueInput::Level => "--bus netfpga1g --queue-input level",
    }
}

/// What the description of the module says of the output queues.
fn meaning(queues: QueueInput) -> &'static str {
    match queues {
        QueueInput::Events => {
            "The events come from the output queues in SRAM (sram_rr_output_queues): its signals have the names of \
             these inputs. "
        }
        QueueInput::Level => {
            "The levels come from the output queues in block RAM (bram_output_queues): connect data_count_oq[i] to \
             bits 11*i + 10 to 11*i of `queue_words`. A word must be in the level 14 cycles after it has gone out. "
        }
    }
}

/// The ports for the output queues.
fn queue_ports(queues: QueueInput) -> &'static [(SignalKind, usize, Named)] {
    use SignalKind::Input;
    match queues {
        QueueInput::Events => &[
            (Input, 1, ("pkt_removed", "")),
            (Input, 3, ("removed_oq", "")),
            (Input, 8, ("removed_pkt_total_word_length", "")),
            (Input, 1, ("pkt_dropped", "")),
            (Input, 3, ("dst_oq", "")),
            (Input, 8, ("stored_pkt_total_word_length", "")),
        ],
        QueueInput::Level => &[(
            Input,
            LEVEL_BITS * QUEUES as usize,
            (LEVELS, "Words in each output queue, modulo 2048; queue 0 in bits 10 to 0"),
        )],
    }
}

/// What makes events of these ports.
fn queue_circuit(queues: QueueInput) -> Circuit {
    match queues {
        QueueInput::Events => Circuit::of::<QueueEvents>("queue_events", &[]),
        QueueInput::Level => Circuit::of::<LevelEvents>("level_events", &[]),
    }
}

/// The port with all levels; inside, each has a number behind this name.
const LEVELS: &str = "queue_words";

/// Name and meaning of a port.
type Named = (&'static str, &'static str);

/// The ports, in the order of a module of the reference pipeline: direction, width, name, meaning. Those without a
/// meaning take that of the port inside.
const PORTS: &[(SignalKind, usize, Named)] = {
    use SignalKind::{Input, Output};
    &[
        (Input, 64, ("in_data", "The first octet in bits 63 to 56")),
        (Input, 8, ("in_ctrl", "0: octets of a packet")),
        (Input, 1, ("in_wr", "A word comes in this cycle")),
        (Output, 1, ("in_rdy", "After it falls, two more words are taken")),
        (Output, 64, ("out_data", "The first octet in bits 63 to 56")),
        (Output, 8, ("out_ctrl", "0: octets of a packet")),
        (Output, 1, ("out_wr", "A word goes in this cycle")),
        (Input, 1, ("out_rdy", "After it falls, one more word goes")),
        (Input, 1, ("reg_req_in", "")),
        (Input, 1, ("reg_ack_in", "")),
        (Input, 1, ("reg_rd_wr_L_in", "")),
        (Input, 23, ("reg_addr_in", "")),
        (Input, 32, ("reg_data_in", "")),
        (Input, 2, ("reg_src_in", "")),
        (Output, 1, ("reg_req_out", "")),
        (Output, 1, ("reg_ack_out", "")),
        (Output, 1, ("reg_rd_wr_L_out", "")),
        (Output, 23, ("reg_addr_out", "")),
        (Output, 32, ("reg_data_out", "")),
        (Output, 2, ("reg_src_out", "")),
    ]
};

/// The last ports, behind those of the output queues.
const CLOCKING: &[(SignalKind, usize, Named)] = &[
    (SignalKind::Input, 1, ("reset", "Synchronous reset, active high")),
    (SignalKind::Clock, 1, ("clk", "Clock, rising edge")),
];

/// Names of widths, as the reference pipeline sets them, and the ports that have them.
pub(super) const WIDTHS: [(&str, [&str; 2]); 3] = [
    ("DATA_WIDTH", ["in_data", "out_data"]),
    ("CTRL_WIDTH", ["in_ctrl", "out_ctrl"]),
    ("UDP_REG_SRC_WIDTH", ["reg_src_in", "reg_src_out"]),
];

/// What a congestion point on this bus is made of.
pub struct CongestionPoint {
    /// The whole module.
    pub netlist: Netlist,
    /// Its registers.
    pub registers: Registers,
}

/// Octets of an output queue in block RAM: 2048 words.
const BLOCK_RAM_OCTETS: u64 = 2048 * 8;
/// The set point of such a queue, unless another one is set: half of it.
const BLOCK_RAM_SET_POINT: u64 = BLOCK_RAM_OCTETS / 2;

/// The parameters of a scheme with these settings, for eight queues. With queues in block RAM, the set point is half of a queue
/// unless it is set.
///
/// # Errors
/// The scheme cannot be on this bus, or a setting is refused.
pub fn parameters(scheme: &Scheme, settings: &[(String, String)], queues: QueueInput) -> Result<Parameters> {
    refuse_other_than_ethernet(scheme)?;
    let mut settings = limits::of_netfpga1g(scheme, settings);
    match settings.iter().find(|(key, _)| key == "cp_queues") {
        Some((_, value)) if *value != QUEUES.to_string() => {
            let reason = format!("`cp_queues` = {value}: the NetFPGA-1G has {QUEUES} output queues; leave it out");
            return Err(Usage(reason).into());
        }
        Some(_) => {}
        None => settings.push(("cp_queues".to_string(), QUEUES.to_string())),
    }
    let in_block_ram = queues == QueueInput::Level;
    if in_block_ram && settings.iter().all(|(key, _)| key != "q0_bytes") {
        settings.push(("q0_bytes".to_string(), BLOCK_RAM_SET_POINT.to_string()));
    }
    let parameters = scheme.parameters(&settings).map_err(|error| Usage(error.to_string()))?;
    if in_block_ram {
        limits::check_set_point(&parameters, BLOCK_RAM_OCTETS, "an output queue in block RAM holds")?;
    }
    Ok(parameters)
}

/// The registers of the congestion point, and those of the tap.
fn registers(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    tap: &Netlist,
    queues: (QueueInput, &Netlist),
) -> Registers {
    let of_tap = |port: &str, meaning: &str| register_bus::input(tap, port, meaning);
    let registers = Registers::of(scheme, Part::CongestionPoint, parameters, settings);
    let registers = RegisterBus::Ring.registers(registers);
    let registers = Registers { module: format!("{MODULE}_registers"), option: option(queues.0), ..registers };
    let controlled = of_tap(
        "controlled_ports",
        "The output queues that are controlled, a bit each; write it while no packet is stored: the lengths count from 0",
    );
    let once = of_tap(
        "multicast_once",
        "1: the output queues store a packet with several destinations once, in queue 0; 0: in each of them",
    );
    // Output queues in block RAM store it in each of them.
    let stored_once = u32::from(queues.0 == QueueInput::Events);
    let registers = registers
        .with_parameter(controlled, MAC_PORTS, Bounds::bits(QUEUES as usize))
        .with_parameter(once, stored_once, Bounds::bits(1))
        .with_counter(
            "rejected_packets",
            of_tap("rejected", "Packets without an event: too short, or no module header"),
        )
        .with_counter("lost_words", of_tap("lost_word", "Words that were lost, because the sender did not wait"));
    if queues.0 == QueueInput::Level {
        return registers;
    }
    let meaning = "Events of output queues that were lost; lengths are wrong then";
    registers.with_counter("lost_events", register_bus::input(queues.1, "lost_event", meaning))
}

/// The congestion point of an Ethernet scheme, with parameters of [`parameters()`].
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn congestion_point(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    queue_input: QueueInput,
) -> CongestionPoint {
    let part = (scheme.circuit)(Part::CongestionPoint, parameters);
    let tap = Circuit::of::<Tap>("tap", &[]);
    let queues = queue_circuit(queue_input);
    let registers = registers(scheme, parameters, settings, &tap.netlist, (queue_input, &queues.netlist));
    let file = registers::circuit::circuit(&registers);
    let mut join = Join::new(MODULE, &MEANING.join(meaning(queue_input)));
    for &(kind, bits, (name, meaning)) in [PORTS, queue_ports(queue_input), CLOCKING].into_iter().flatten() {
        join.signal(kind, bits, name, meaning);
    }
    for (name, ports) in WIDTHS {
        let ports = ports.map(|port| join.whole.find(port).expect("it was added")).to_vec();
        let bits = join.whole.signals[ports[0]].shape.bits;
        join.whole.widths.push(Width { name: name.to_string(), bits, ports });
    }
    join.part("tap", &tap.netlist, "");
    join.part("out_buffer", &Circuit::of::<OutBuffer>("out_buffer", &[]).netlist, "");
    join.part(queues.block, &queues.netlist, "");
    join.part("congestion_point", &part.netlist, "");
    RegisterBus::Ring.add_to(&mut join, Owner::Part(Part::CongestionPoint));
    join.part("registers", &file, NATIVE);
    WIDE.iter().for_each(|(port, high, low)| join.halves(port, high, low));
    if let Some(levels) = join.whole.find(LEVELS) {
        for queue in 0..QUEUES as usize {
            let level = join.whole.find(&format!("{LEVELS}_{queue}")).expect("a port of the module inside");
            let all = Expression::signal(levels, Shape::unsigned(LEVEL_BITS * QUEUES as usize));
            join.assign(level, all.slice(LEVEL_BITS * queue, LEVEL_BITS));
        }
    }
    CongestionPoint { netlist: join.finish(), registers }
}
