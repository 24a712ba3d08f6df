// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats that wait in the output queue.

use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{Builder, Write, join, number, when};
use tidegate_hdl::netlist::{Binary, Expression, Netlist};

const MEANING: &str = "The beats of the output queue, in block RAM, and the register behind it with the beat that goes out next. \
    A beat of cycle t is in the memory from cycle t + 2 on. What is at `read_address` in cycle t is shown in cycle t + 1, and in \
    the register from cycle t + 2 on if `load` is high in cycle t + 1.";

/// Bits that are stored of a beat: whether it is the last one, place of its last octet, data.
fn stored_bits(width: Width) -> usize {
    1 + width.octet_bits() + width.bits()
}

/// Bits of a block RAM of 2^`address_bits` words. A memory that is as wide has no multiplexer behind it, which would be in
/// the slowest path: the output of a block RAM comes late. Block RAMs of 18 Kb have 16,384 words of 1 bit, or 8,192 of 2, or
/// 4,096 of 4, or 2,048 of 9, or 1,024 of 18, or 512 of 36.
fn slice_bits(address_bits: usize) -> usize {
    match address_bits {
        ..=9 => 36,
        10 => 18,
        11 => 9,
        12 => 4,
        13 => 2,
        _ => 1,
    }
}

/// The module for a width, and 2^`address_bits` beats.
pub fn beat_memory(width: Width, address_bits: usize) -> Netlist {
    let mut builder = Builder::new(&format!("axis_memory_{}", width.bits()), MEANING);
    let bits = stored_bits(width);
    let write_enable = builder.input("write_enable", 1, "The beat is written");
    let write_address = builder.input("write_address", address_bits, "Its place");
    let beat = builder.input("in_beat", bits, "Whether it is the last one, place of its last octet, data");
    let read_address = builder.input("read_address", address_bits, "The place that is shown in the next cycle");
    let load = builder.input("load", 1, "The register takes what is shown");
    let writes = builder.register("writes", 1, 0, "The beat of the cycle before is written in this one");
    builder.statement("", writes.takes(write_enable));
    let place = builder.delayed("place", write_address);
    let stored = builder.delayed("stored", beat);
    let writes = writes.value();
    let slice_width = slice_bits(address_bits);
    let mut slices = Vec::new();
    for (slice, low) in (0..bits).step_by(slice_width).enumerate() {
        let data = builder.wire(&format!("beat_{slice}"), stored.clone().slice(low, slice_width.min(bits - low)));
        let write = Write { enable: &writes, address: &place, data: &data };
        let (beats, shown) = (format!("beats_{slice}"), format!("shown_{slice}"));
        slices.push(builder.large_block_ram([&beats, &shown], 1 << address_bits, &read_address, write));
    }
    // The most significant slice comes first.
    slices.reverse();
    let shown = join(slices);
    let out = builder.register("out", bits, 0, "The beat that goes out");
    builder.statement("", when(load, vec![out.takes(shown)]));
    let last_octet = builder.wire("last_octet", out.value().slice(width.bits(), width.octet_bits()));
    let kept = |octet: usize| {
        Expression::binary(Binary::GreaterOrEqual, last_octet.clone(), number(octet as u64, width.octet_bits()))
    };
    let kept = (1..width.octets()).rev().map(kept).chain([number(1, 1)]).collect();
    builder.output("next_tdata", "A beat of a frame; octet 0 in bits 7 to 0", out.value().slice(0, width.bits()));
    builder.output("next_tkeep", "Its octets that are valid", join(kept));
    let last = out.value().slice(bits - 1, 1);
    builder.output("next_tlast", "It is the last one of its frame", last);
    let count = Expression::binary(Binary::Add, last_octet.extend(7), number(1, 7));
    builder.output("out_octets", "Its octets", count);
    builder.finish()
}
