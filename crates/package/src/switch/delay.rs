// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the beats of a frame wait until its destinations are known.

use tidegate_hdl::netlist::builder::{Builder, Write, add, and, assign, join, not, number, target, when};
use tidegate_hdl::netlist::{Expression, Netlist};

/// Cycles from a first beat to the cycle in which the destinations of its frame are read.
pub const CYCLES: usize = 15;
/// Bits of the place of a beat that waits.
const PLACE_BITS: usize = 4;

const MEANING: &str = "Shows each beat 16 cycles later, to the ports that were the destinations 15 cycles after the first beat of its \
    frame.";

/// The module.
pub fn delay() -> Netlist {
    let mut builder = Builder::new("switch_delay", MEANING);
    let valid = builder.input("beat_valid", 1, "There is a beat");
    let last = builder.input("beat_last", 1, "It is the last one of its frame");
    let data = builder.input("beat_data", 64, "Its octets");
    let keep = builder.input("beat_keep", 8, "Those that are valid");
    let destinations = builder.input("destinations", 5, "The ports to which its frame goes");

    let place = builder.register("place", PLACE_BITS, 0, "Where the next beat goes");
    let after = builder.wire("after", add(place.value(), number(1, PLACE_BITS)));
    builder.statement("", place.takes(after.clone()));
    let stored = builder.wire("stored", join(vec![last, keep, data]));
    let (always, here) = (builder.wire("always", number(1, 1)), builder.wire("here", place.value()));
    let write = Write { enable: &always, address: &here, data: &stored };
    let shown = builder.lut_ram(["beats", "shown"], 1 << PLACE_BITS, &after, write);
    // Whether there is a beat is known after a reset too.
    let valids = builder.register("valids", CYCLES, 0, "Whether there was a beat, newest first");
    builder.statement("", valids.takes(join(vec![valids.value().slice(0, CYCLES - 1), valid])));

    let comes = builder.wire("comes", valids.value().slice(CYCLES - 1, 1));
    let is_last = builder.wire("is_last", shown.clone().slice(72, 1));
    let begun = builder.register("begun", 1, 0, "The first beat of the frame has come");
    builder.statement("", when(comes.clone(), vec![begun.takes(not(is_last.clone()))]));
    let kept = builder.register("kept", 5, 0, "Where the other beats of the frame go");
    let goes = builder.wire("goes", kept.value());
    let first = not(begun.value());
    builder.statement("", when(first, vec![assign(target(&goes), destinations)]));
    builder.statement("", when(comes.clone(), vec![kept.takes(goes.clone())]));

    let out = builder.delayed("out", shown);
    for port in 0..5 {
        let valid = builder.register(&format!("valid_{port}"), 1, 0, "");
        builder.statement("", valid.takes(and(comes.clone(), goes.clone().slice(port, 1))));
        builder.output(&format!("out_valid_{port}"), "There is a beat for this port", valid.value());
    }
    let field = |low, bits| -> Expression { out.clone().slice(low, bits) };
    builder.output("out_data", "Its octets", field(0, 64));
    builder.output("out_keep", "Those that are valid", field(64, 8));
    builder.output("out_last", "It is the last one of its frame", field(72, 1));
    builder.finish()
}
