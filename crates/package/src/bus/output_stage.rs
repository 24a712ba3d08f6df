// SPDX-License-Identifier: MIT OR Apache-2.0
//! The second half of the output of a stream: `tready` ends in a register.

use super::width::Width;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::netlist::builder::{Builder, and, assign, not, number, or, target, when};

const MEANING: &str = "Stands between the register with the next beat and an AXI4-Stream. The receiver may compute its tready late in \
    a cycle: it ends in one register here, and nothing else depends on it. So whether a beat was taken is known a cycle \
    later; until then it is kept here, while the next one waits in its register. No beat waits for another one: a beat can go out \
    in the cycle in which it comes, and in every cycle.";

/// A stream that leaves a part.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// Name of the module, before its width.
    pub module: &'a str,
    /// Before the names of the ports, such as `m_axis`.
    pub port: &'a str,
    /// Bits of its tuser, or 0 if it has none.
    pub user_bits: usize,
    /// There is the output `taken`.
    pub tells_taken: bool,
}

/// The module for a width. Its inputs `next_tdata`, … are the beat in the register before it; this register may take another
/// one in a cycle in which `next_tready` is high.
pub fn output_stage(width: Width, stream: Stream) -> Netlist {
    let mut builder = Builder::new(&format!("{}_{}", stream.module, width.bits()), MEANING);
    let tready = builder.input(&format!("{}_tready", stream.port), 1, "The beat is taken");
    let next_valid = builder.input("next_tvalid", 1, "There is a next beat; it does not change until `next_tready`");
    let was_ready = builder.delayed("was_ready", tready);
    let shown = builder.register("shown", 1, 0, "There was a beat in the cycle before");
    let moves = builder.wire("moves", or(was_ready.clone(), not(shown.value())));
    let valid = builder.wire("valid", number(1, 1));
    builder.statement("", when(moves.clone(), vec![assign(target(&valid), next_valid)]));
    builder.statement("", shown.takes(valid.clone()));

    let fields = [
        ("tdata", width.bits(), "A beat of a frame; octet 0 in bits 7 to 0"),
        ("tkeep", width.octets(), "The octets that are valid: octet i is bit i"),
        ("tuser", stream.user_bits, "As it came with the beat"),
        ("tlast", 1, "The beat is the last one of a frame"),
    ];
    for (name, bits, meaning) in fields.into_iter().filter(|(_, bits, _)| *bits > 0) {
        let next = builder.input(&format!("next_{name}"), bits, "");
        let kept = builder.register(&format!("kept_{name}"), bits, 0, "");
        let beat = builder.wire(&format!("beat_{name}"), kept.value());
        builder.statement("", when(moves.clone(), vec![assign(target(&beat), next)]));
        builder.statement("", kept.takes(beat.clone()));
        builder.output(&format!("{}_{name}", stream.port), meaning, beat);
    }
    let port = format!("{}_tvalid", stream.port);
    builder.output(&port, "There is a beat; it does not change until it is taken", valid);
    builder.output("next_tready", "The next beat goes out in this cycle, if there is one", moves);
    if stream.tells_taken {
        let taken = and(shown.value(), was_ready);
        builder.output("taken", "The beat that was there in the cycle before was taken", taken);
    }
    builder.finish()
}

const SLOW: &str = "Stands between the register with a beat and an AXI4-Stream. The receiver may compute its tready late in a cycle: it \
    ends in one register here, and nothing else depends on it. So whether a beat was taken is known a cycle later, and in this cycle \
    there is none: a beat can go out in every second cycle.";

/// The same for a stream that need not be fast, with no register for a beat: only its tvalid and tready go through this module.
/// `port` is before the names of the ports; before those of the other side stands `next_`, too.
pub fn slow_output_stage(module: &str, port: &str) -> Netlist {
    let mut builder = Builder::new(module, SLOW);
    let tready = builder.input(&format!("{port}_tready"), 1, "The beat is taken");
    let next_meaning = "There is a beat; it does not change in the cycles up to that with `tready`";
    let next_valid = builder.input(&format!("next_{port}_tvalid"), 1, next_meaning);
    let was_ready = builder.delayed("was_ready", tready);
    let shown = builder.register("shown", 1, 0, "There was a beat in the cycle before");
    let taken = builder.wire("taken", and(shown.value(), was_ready));
    let valid = builder.wire("valid", and(next_valid, not(taken.clone())));
    builder.statement("", shown.takes(valid.clone()));
    builder.output(&format!("{port}_tvalid"), "There is a beat; it does not change until it is taken", valid);
    builder.output(&format!("next_{port}_tready"), "It was taken in the cycle before", taken);
    builder.finish()
}
