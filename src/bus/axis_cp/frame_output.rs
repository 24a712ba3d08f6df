//! The feedback frames of a part as a stream of the width of the bus.

use crate::bus::width::Width;
use crate::netlist::builder::{Builder, and, assign, join, not, number, or, when};
use crate::netlist::{Binary, Expression, Netlist};

/// Bits of a word of the part.
const WORD_BITS: usize = 64;
/// Octets of the last word of a frame that are not valid: a frame has 60 octets in eight words.
const UNUSED_OCTETS: usize = 4;

const MEANING: &str = "Puts the 64-bit words of feedback frames side by side to beats of an AXI4-Stream. A beat is on the \
    stream from the cycle after its last word on. While it waits for `m_axis_cnm_tready`, one word more is taken, unless the \
    frame ends with it: `data_ready` is a register, because much depends on it.";

/// The module for a width.
pub fn frame_output(width: Width) -> Netlist {
    let mut builder = Builder::new(&format!("axis_cnm_{}", width.bits()), MEANING);
    let high = builder.input("data_high", 32, "Octets 0 to 3 of a word; octet 0 in bits 31 to 24");
    let low = builder.input("data_low", 32, "Octets 4 to 7 of a word; octet 4 in bits 31 to 24");
    let last = builder.input("last", 1, "It is the last word of the frame, with four octets");
    let valid = builder.input("valid", 1, "There is a word");
    let tready = builder.input("m_axis_cnm_tready", 1, "The beat is taken");
    let words = width.bits() / WORD_BITS;
    let place_bits = words.ilog2().max(1) as usize;

    let whole = builder.register("whole", 1, 0, "There is a beat");
    let is_last = builder.register("is_last", 1, 0, "There is a beat, and it is the last one of its frame");
    let place = builder.register("place", place_bits, 0, "Words of the beat so far");
    let spare = builder.register("spare", 1, 0, "A word was taken that is not in the beat yet");
    let spare_word =
        builder.register("spare_word", WORD_BITS + 1, 0, "This word, and above it whether it is the last one");
    let word_ready = builder.register("word_ready", 1, 1, "Neither: the next word is taken");
    let free = builder.wire("free", or(not(whole.value()), tready.clone()));
    let comes = builder.wire("comes", and(valid, word_ready.value()));
    let some = builder.wire("some", or(spare.value(), comes));
    let takes = builder.wire("takes", and(some.clone(), free.clone()));
    let new_word = join(vec![last, high, low]);
    builder.statement("", when(word_ready.value(), vec![spare_word.takes(new_word.clone())]));
    let word = builder.wire("word", new_word);
    let kept = word.as_signal().expect("a wire");
    builder.statement("", when(spare.value(), vec![assign(kept, spare_word.value())]));
    let stays = builder.wire("stays", and(some, not(free.clone())));
    let ends_in_beat = and(takes.clone(), word.clone().slice(WORD_BITS, 1));
    let ends = builder.wire("ends", or(ends_in_beat, and(is_last.value(), not(tready.clone()))));
    builder.statement("", spare.takes(stays.clone()));
    builder.statement("", is_last.takes(ends.clone()));
    builder.statement("", word_ready.takes(not(or(stays, ends))));
    builder.statement("", when(tready, vec![whole.takes(number(0, 1))]));
    let completes = Expression::binary(Binary::Equal, place.value(), number(words as u64 - 1, place_bits));
    let next = Expression::binary(Binary::Add, place.value(), number(1, place_bits));
    let next = if words == 1 { number(0, 1) } else { next };
    let taken = vec![whole.takes(completes), place.takes(next)];
    builder.statement("A word goes into the beat", when(takes, taken));
    // Where no word comes the place stays, and the next word goes there: `valid` comes late and does not enable the lanes.
    let octet = |octet: usize| word.clone().slice(WORD_BITS - 8 * (octet + 1), 8);
    let octets = builder.wire("octets_in_order", join((0..8).rev().map(octet).collect()));
    let mut lanes = Vec::new();
    for word in 0..words {
        let lane = builder.register(&format!("lane_{word}"), WORD_BITS, 0, "");
        let here = Expression::binary(Binary::Equal, place.value(), number(word as u64, place_bits));
        builder.statement("", when(and(free.clone(), here), vec![lane.takes(octets.clone())]));
        lanes.push(lane.value());
    }
    lanes.reverse();
    let unused = (0..UNUSED_OCTETS).map(|_| not(is_last.value()));
    let used = (UNUSED_OCTETS..width.octets()).map(|_| number(1, 1));
    builder.output("data_ready", "The word is taken, if `valid`", word_ready.value());
    builder.output("m_axis_cnm_tdata", "A beat of a feedback frame; octet 0 in bits 7 to 0", join(lanes));
    builder.output("m_axis_cnm_tkeep", "Its octets that are valid", join(unused.chain(used).collect()));
    builder.output("m_axis_cnm_tlast", "It is the last one of its frame", is_last.value());
    builder.output("m_axis_cnm_tvalid", "There is a beat; it does not change until it is taken", whole.value());
    builder.finish()
}
