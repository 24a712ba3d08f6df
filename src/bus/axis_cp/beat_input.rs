//! The beats of a stream as they come in.

use super::{Width, circuit};
use crate::netlist::builder::{Builder, and, any, join, not, number, or, when};
use crate::netlist::{Binary, Expression, Netlist, Shape};

/// First octets of a frame that are read: the longest header ends with octet 21.
const HEADER_OCTETS: usize = 22;
/// Words of 32 bits of these.
const HEADER_WORDS: usize = HEADER_OCTETS.div_ceil(4);

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

    let above = builder.wire("keep_above", keep.clone().slice(1, octets - 1).extend(octets));
    let below = builder.wire("keep_last", and(keep.clone(), not(above.clone())));
    let holes = any(and(above, not(keep.clone())));
    let partial = and(not(last.clone()), not(keep.clone().slice(octets - 1, 1)));
    let malformed = or(or(holes, not(keep.slice(0, 1))), partial);
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

    let needed = HEADER_OCTETS.div_ceil(octets) as u64;
    let place = builder.register("place", 2, 0, "Beats of the frame so far, at most those of the header");
    let next = Expression::binary(Binary::Add, place.value(), number(1, 2));
    let counts = when(Expression::binary(Binary::NotEqual, place.value(), number(needed, 2)), vec![place.takes(next)]);
    let ends = when(is_last.value(), vec![place.takes(number(0, 2))]);
    builder.statement("Where the beat is in its frame", when(valid.value(), vec![counts, ends]));
    for word in 0..HEADER_WORDS {
        let (at, first) = ((4 * word / octets) as u64, 4 * word % octets);
        let header = builder.register(&format!("word_{word}"), 32, 0, "");
        let here = Expression::binary(Binary::Equal, place.value(), number(at, 2));
        let octet = |place: usize| beat.value().slice(8 * (first + place), 8);
        let takes = header.takes(join((0..4).map(octet).collect()));
        builder.statement("", when(and(valid.value(), here), vec![takes]));
        let meaning = format!("Octets {} to {} of the frame, the first one in bits 31 to 24", 4 * word, 4 * word + 3);
        builder.output(&format!("header_{word}"), &meaning, header.value());
    }
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
    circuit(builder)
}

/// The bits of a value whose place has a 1 in bit `bit`.
fn places_with(value: &Expression, bit: usize, places: usize) -> Expression {
    let mask = (0..places).filter(|place| place >> bit & 1 == 1).fold(0, |mask, place| mask | 1u128 << place);
    and(value.clone(), Expression::constant(mask, Shape::unsigned(places)))
}
