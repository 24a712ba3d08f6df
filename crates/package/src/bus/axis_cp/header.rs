// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first octets of a frame, as words.

use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{Builder, Stored, equal, join, number, when};
use tidegate_hdl::netlist::{Binary, Expression};

/// First octets of a frame that are read: the longest header ends with octet 21.
pub const HEADER_OCTETS: usize = 22;
/// Words of 32 bits of these.
const HEADER_WORDS: usize = HEADER_OCTETS.div_ceil(4);

/// Beats with first octets.
pub fn header_beats(width: Width) -> u64 {
    HEADER_OCTETS.div_ceil(width.octets()) as u64
}

/// Adds registers and outputs with the first octets of the frame whose beats come, valid from the cycle after the beat with
/// them to the cycle after the last beat of the frame. A word is loaded in each cycle in which its beat is expected, whether
/// it comes or not: that a beat is taken is known too late to enable so many registers. Returns a register that counts the
/// beats of the frame so far, at most [`header_beats`].
pub fn header(builder: &mut Builder, width: Width, comes: &Expression, last: &Expression, beat: &Expression) -> Stored {
    let octets = width.octets();
    let needed = header_beats(width);
    let place = builder.register("place", 2, 0, "Beats of the frame so far, at most those of the header");
    let next = Expression::binary(Binary::Add, place.value(), number(1, 2));
    let counts = when(Expression::binary(Binary::NotEqual, place.value(), number(needed, 2)), vec![place.takes(next)]);
    let ends = when(last.clone(), vec![place.takes(number(0, 2))]);
    builder.statement("Where the beat is in its frame", when(comes.clone(), vec![counts, ends]));
    for word in 0..HEADER_WORDS {
        let (at, first) = ((4 * word / octets) as u64, 4 * word % octets);
        let header = builder.register(&format!("word_{word}"), 32, 0, "");
        let here = equal(place.value(), at);
        let octet = |place: usize| beat.clone().slice(8 * (first + place), 8);
        let takes = header.takes(join((0..4).map(octet).collect()));
        builder.statement("", when(here, vec![takes]));
        let meaning = format!("Octets {} to {} of the frame, the first one in bits 31 to 24", 4 * word, 4 * word + 3);
        builder.output(&format!("header_{word}"), &meaning, header.value());
    }
    place
}
