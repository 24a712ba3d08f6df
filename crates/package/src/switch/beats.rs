// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats of the stream whose turn it is.

use super::STREAMS;
use tidegate_hdl::netlist::builder::{Builder, and, any, assign, join, number, or, target, when};
use tidegate_hdl::netlist::{Expression, Netlist};

const MEANING: &str = "Shows the beats of nine streams, each of which is taken in the cycle in which its stream offers it and takes it, a \
    cycle later as beats of one stream.";

/// The module.
pub fn beats() -> Netlist {
    let mut builder = Builder::new("switch_beats", MEANING);
    let takes = builder.input("takes", STREAMS, "The stream whose beats are taken, or none");
    let mut sums: [Option<Expression>; 3] = [None, None, None];
    let (mut valids, mut lasts) = (Vec::new(), Vec::new());
    for stream in 0..STREAMS {
        let valid = builder.input(&format!("stream_{stream}_tvalid"), 1, "There is a beat");
        let last = builder.input(&format!("stream_{stream}_tlast"), 1, "It is the last one of its frame");
        let chosen = takes.clone().slice(stream, 1);
        let fields = [("tdata", 64), ("tkeep", 8), ("tlast", 1)];
        for (sum, (name, bits)) in sums.iter_mut().zip(fields) {
            let value = match name {
                "tlast" => last.clone(),
                _ => builder.input(&format!("stream_{stream}_{name}"), bits, ""),
            };
            let gated = builder.wire(&format!("gated_{name}_{stream}"), number(0, bits));

            builder.statement("", when(chosen.clone(), vec![assign(target(&gated), value)]));
            *sum = Some(match sum.take() {
                None => gated,
                Some(others) => or(others, gated),
            });
        }
        valids.push(valid);
        lasts.push(last);
    }
    let of_all = |mut bits: Vec<Expression>| {
        bits.reverse();
        join(bits)
    };
    let offers = builder.wire("offered", of_all(valids));
    builder.output("offers", "The streams that have a beat", offers.clone());
    builder.output("ends", "The streams whose beat is the last one of its frame", of_all(lasts));
    let comes = any(and(offers, takes.clone()));
    let valid = builder.register("valid", 1, 0, "");
    builder.statement("", valid.takes(comes));
    let [data, keep, last] = sums.map(|sum| sum.expect("there are streams"));
    let data = builder.delayed("data", data);
    let keep = builder.delayed("keep", keep);
    let last = builder.delayed("last", last);
    let stream = builder.delayed("stream", takes);
    let word = |first: usize| join((0..4).map(|octet| data.clone().slice(8 * (first + octet), 8)).collect());
    builder.output("beat_high", "Octets 0 to 3 of the beat; octet 0 in bits 31 to 24", word(0));
    builder.output("beat_low", "Octets 4 to 7", word(4));
    builder.output("beat_has_four", "It has at least four octets", keep.clone().slice(3, 1));
    builder.output("beat_valid", "There is a beat", valid.value());
    builder.output("beat_last", "It is the last one of its frame", last);
    builder.output("beat_data", "Its octets; octet 0 in bits 7 to 0", data.clone());
    builder.output("beat_keep", "Those that are valid: octet i is bit i", keep);
    builder.output("beat_stream", "The stream from which it comes", stream);
    builder.finish()
}
