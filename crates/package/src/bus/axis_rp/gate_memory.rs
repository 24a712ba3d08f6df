// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats that wait in the gate.

use crate::bus::octets::last_octet;
use crate::bus::width::Width;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::netlist::builder::{Builder, Write, add, and, join, not, number, or, when};

const MEANING: &str = "The beat that comes in, the beats that wait, in block RAM, and the beat that goes out next. What is at \
    `read_address` in cycle t is shown in cycle t + 1.";

/// The module for a width, and 2^`address_bits` beats.
pub fn gate_memory(width: Width, address_bits: usize) -> Netlist {
    let (bits, octets) = (width.bits(), width.octets());
    let mut builder = Builder::new(&format!("axis_gate_memory_{bits}"), MEANING);
    let data = builder.input("s_axis_tx_tdata", bits, "A beat of a frame; octet 0 in bits 7 to 0");
    let keep = builder.input("s_axis_tx_tkeep", octets, "The octets that are valid: octet i is bit i");
    let last = builder.input("s_axis_tx_tlast", 1, "The beat is the last one of a frame");
    let user = builder.input("s_axis_tx_tuser", 1, "Passed with the beat");
    let flow_meaning = "Flow of the frame, its low bits; valid with its last beat";
    let flow = builder.input("s_axis_tx_tdest", 12, flow_meaning);
    let valid = builder.input("s_axis_tx_tvalid", 1, "There is a beat");
    let stores = builder.input("in_ready", 1, "The beat that came in can be stored");
    let write_enable = builder.input("write_enable", 1, "It is stored in this cycle");
    let write_address = builder.input("write_address", address_bits, "Its place");
    let read_address = builder.input("read_address", address_bits, "The place that is shown in the next cycle");
    let fetches = builder.input("fetches", 1, "What is shown goes out next");

    let came = builder.register("came", 1, 0, "There is a beat");
    let came_last = builder.register("came_last", 1, 0, "");
    let came_octet = builder.register("came_octet", width.octet_bits(), 0, "Place of its last octet");
    let came_flow = builder.register("came_flow", 12, 0, "");
    let stored_bits = 2 + octets + bits;
    let came_beat = builder.register("came_beat", stored_bits, 0, "Its tuser, tlast, tkeep and tdata");
    let room = builder.wire("room", or(not(came.value()), stores));
    let octet = last_octet(&mut builder, &keep);
    builder.statement("", when(room.clone(), vec![came.takes(valid.clone())]));
    let taken = vec![
        came_last.takes(last.clone()),
        came_octet.takes(octet),
        came_flow.takes(flow),
        came_beat.takes(join(vec![user, last, keep, data])),
    ];
    builder.statement("A beat comes in", when(and(room.clone(), valid), taken));

    let write = Write { enable: &write_enable, address: &write_address, data: &came_beat.value() };
    let shown = builder.block_ram(["beats", "shown"], 1 << address_bits, &read_address, write);
    let goes = builder.register("goes_beat", stored_bits, 0, "The beat that goes out, as it came");
    builder.statement("The beat that goes out next", when(fetches, vec![goes.takes(shown)]));
    let goes = goes.value();
    let (out_last, out_user) = (goes.clone().slice(bits + octets, 1), goes.clone().slice(bits + octets + 1, 1));
    builder.output("s_axis_tx_tready", "It is taken in this cycle", room);
    builder.output("in_valid", "A beat came in", came.value());
    builder.output("in_last", "It is the last one of its frame", came_last.value());
    builder.output("in_octets", "Its octets", add(came_octet.value().extend(7), number(1, 7)));
    builder.output("in_flow", flow_meaning, came_flow.value());
    builder.output("next_tdata", "A beat of a frame; octet 0 in bits 7 to 0", goes.clone().slice(0, bits));
    builder.output("next_tkeep", "The octets that are valid: octet i is bit i", goes.slice(bits, octets));
    builder.output("next_tlast", "The beat is the last one of a frame", out_last.clone());
    builder.output("next_tuser", "As it came with the beat", out_user);
    builder.output("out_last", "The beat that goes out is the last one of its frame", out_last);
    builder.finish()
}
