// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats of a stream as they come in.

use super::header::header;
use crate::bus::octets::{above, malformed};
use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{Builder, and, any, join, not, number, or, when};
use tidegate_hdl::netlist::{Binary, Expression, Netlist, Shape};

const MEANING: &str = "Takes a beat of an AXI4-Stream in every cycle, and reads its tkeep and the first octets of a \
    frame.\n\nA beat of cycle t is at the outputs in cycle t + 1; the header words of its frame are valid in cycle t + 2. A \
    beat is bad if its tkeep has a hole, does not begin with octet 0, or is not full although the beat is not the last one; \
    and if it is the last one and tuser is high.";

/// The module for a width.
pub fn beat_input(width: Width) -> Netlist {
    let octets = width.octets();
    let mut builder = Builder::new(&format!("axis_input_{}", width.bits()), MEANING);
    let data = builder.input("s_axis_tdata", width.bits(), "A beat of a frame; octet 0 in bits 7 to 0");
    let keep = builder.input("s_axis_tkeep", octets, "Its octets that are valid");
    let last = builder.input("s_axis_tlast", 1, "It is the last one of its frame");
    let user = builder.input("s_axis_tuser", 1, "The frame is bad; valid with the last beat");
    let arrives = builder.input("s_axis_tvalid", 1, "There is a beat; it is taken in this cycle");

    let above = above(&mut builder, &keep);
    let below = builder.wire("keep_last", and(keep.clone(), not(above.clone())));
    let malformed = malformed(&keep, above, &last);
    let bad = builder.wire("is_bad", or(malformed, and(last.clone(), user)));
    let bits: Vec<Expression> =
        (0..width.octet_bits()).rev().map(|bit| any(places_with(&below, bit, octets))).collect();
    let last_octet = builder.wire("last_octet", join(bits));

    let valid = builder.register("valid", 1, 0, "");
    let is_last = builder.register("last", 1, 0, "");
    let bad_before = builder.register("bad", 1, 0, "");
    let last_octet_before =
        builder.register("octet", width.octet_bits(), 0, "Place of the last valid octet of the beat");
    let beat = builder.register("data", width.bits(), 0, "");
    builder.statement("", valid.takes(arrives.clone()));
    let taken = vec![is_last.takes(last), bad_before.takes(bad), last_octet_before.takes(last_octet), beat.takes(data)];
    builder.statement("A beat is taken", when(arrives, taken));

    header(&mut builder, width, &valid.value(), &is_last.value(), &beat.value());
    builder.output("in_valid", "There is a beat", valid.value());
    builder.output("in_last", "It is the last one of its frame", is_last.value());
    builder.output("in_bad", "It makes its frame a bad one", bad_before.value());
    let count = Expression::binary(Binary::Add, last_octet_before.value().extend(7), number(1, 7));
    builder.output("in_octets", "Its octets", count);
    let stored = join(vec![is_last.value(), last_octet_before.value(), beat.value()]);
    builder.output(
        "in_beat",
        "What is stored of it: whether it is the last one, place of its last octet, data",
        stored,
    );
    builder.finish()
}

/// The bits of a value whose place has a 1 in bit `bit`.
fn places_with(value: &Expression, bit: usize, places: usize) -> Expression {
    let mask = (0..places).filter(|place| place >> bit & 1 == 1).fold(0, |mask, place| mask | 1u128 << place);
    and(value.clone(), Expression::constant(mask, Shape::unsigned(places)))
}
