// SPDX-License-Identifier: MIT OR Apache-2.0
//! The feedback frames of a part as a stream of the width of the bus.

use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{Builder, Stored, and, assign, equal, join, not, number, or, target, when};
use tidegate_hdl::netlist::{Binary, Expression, Netlist};

/// Bits of a word of the part.
const WORD_BITS: usize = 64;
/// Octets of the last word of a frame that are not valid: a frame has 60 octets in eight words.
const UNUSED_OCTETS: usize = 4;

const MEANING: &str = "Puts the 64-bit words of feedback frames side by side to beats of an AXI4-Stream. Up to two words wait; \
    a beat of one word is the oldest of them, any other is on the stream from the second cycle after its last word on. \
    `data_ready` is a register, because much depends on it: it is low from the last word of a frame on, until its last beat \
    was taken.";

/// The module for a width.
pub fn frame_output(width: Width) -> Netlist {
    let mut builder = Builder::new(&format!("axis_cnm_{}", width.bits()), MEANING);
    let high = builder.input("data_high", 32, "Octets 0 to 3 of a word; octet 0 in bits 31 to 24");
    let low = builder.input("data_low", 32, "Octets 4 to 7 of a word; octet 4 in bits 31 to 24");
    let last = builder.input("last", 1, "It is the last word of the frame, with four octets");
    let valid = builder.input("valid", 1, "There is a word");
    let tready = builder.input("m_axis_cnm_tready", 1, "The beat is taken");
    let words = width.bits() / WORD_BITS;

    // No multiplexer is before their registers: the word comes late.
    let waits = builder.register("waits", 1, 0, "A word waits");
    let two_wait = builder.register("two_wait", 1, 0, "Two words wait");
    let ended = builder.register("ended", 1, 0, "The newest of them is the last one of its frame");
    let is_end = builder.register("is_end", 1, 0, "The oldest of them is");
    let word_ready = builder.register("word_ready", 1, 1, "The next word is taken");
    let write = builder.register("write", 1, 0, "Where the next word goes");
    let read = builder.register("read", 1, 0, "Where the oldest word is");
    let word = builder.wire("word", join(vec![high, low]));
    let octet = |octet: usize| word.clone().slice(WORD_BITS - 8 * (octet + 1), 8);
    let octets = builder.wire("octets", join((0..8).rev().map(octet).collect()));
    let slots = [(0, not(write.value())), (1, write.value())].map(|(number, here)| {
        let slot = builder.register(&format!("slot_{number}"), WORD_BITS, 0, "");
        builder.statement("", when(and(word_ready.value(), here), vec![slot.takes(octets.clone())]));
        slot.value()
    });
    let [first, second] = slots;
    let oldest = builder.wire("oldest", first);
    builder.statement("", when(read.value(), vec![assign(target(&oldest), second)]));

    let beat = if words == 1 { None } else { Some(Beat::new(&mut builder, words, &tready)) };
    let free = beat.as_ref().map_or(tready.clone(), |beat| beat.free.clone());
    let comes = builder.wire("comes", and(valid, word_ready.value()));
    let goes = builder.wire("goes", and(waits.value(), free.clone()));
    let stays = and(waits.value(), not(free.clone()));
    let two = builder.wire("two", or(and(stays.clone(), comes.clone()), and(two_wait.value(), not(free.clone()))));
    let end =
        builder.wire("end_waits", or(and(comes.clone(), last), and(ended.value(), or(two_wait.value(), not(free)))));
    builder.statement("", two_wait.takes(two.clone()));
    builder.statement("", waits.takes(or(comes.clone(), or(two_wait.value(), stays))));
    builder.statement("", ended.takes(end.clone()));
    builder.statement("", is_end.takes(and(end.clone(), not(two.clone()))));
    builder.statement("", when(comes, vec![write.takes(not(write.value()))]));
    builder.statement("", when(goes.clone(), vec![read.takes(not(read.value()))]));
    let (holds, is_last, data, ends) = match beat {
        None => (waits.value(), is_end.value(), oldest, end),
        Some(beat) => {
            let ends = beat.takes(&mut builder, &goes, &oldest, &is_end.value(), &tready);
            (beat.whole.value(), beat.is_last.value(), beat.data(), or(end, ends))
        }
    };
    builder.statement("", word_ready.takes(not(or(two, ends))));
    let unused = (0..UNUSED_OCTETS).map(|_| not(is_last.clone()));
    let used = (UNUSED_OCTETS..width.octets()).map(|_| number(1, 1));
    builder.output("data_ready", "The word is taken, if `valid`", word_ready.value());
    builder.output("m_axis_cnm_tdata", "A beat of a feedback frame; octet 0 in bits 7 to 0", data);
    builder.output("m_axis_cnm_tkeep", "Its octets that are valid", join(unused.chain(used).collect()));
    builder.output("m_axis_cnm_tlast", "It is the last one of its frame", is_last);
    builder.output("m_axis_cnm_tvalid", "There is a beat; it does not change until it is taken", holds);
    builder.finish()
}

/// A beat of more than one word.
struct Beat {
    whole: Stored,
    is_last: Stored,
    place: Stored,
    lanes: Vec<Stored>,
    /// A word can go into it.
    free: Expression,
}

impl Beat {
    fn new(builder: &mut Builder, words: usize, tready: &Expression) -> Beat {
        let whole = builder.register("whole", 1, 0, "There is a beat");
        let is_last = builder.register("is_last", 1, 0, "There is a beat, and it is the last one of its frame");
        let place = builder.register("place", words.ilog2() as usize, 0, "Words of the beat so far");
        let lanes = (0..words).map(|word| builder.register(&format!("lane_{word}"), WORD_BITS, 0, "")).collect();
        let free = builder.wire("free", or(not(whole.value()), tready.clone()));
        Beat { whole, is_last, place, lanes, free }
    }

    /// The oldest word `goes` into it. Returns whether it is the last beat of its frame in the next cycle.
    fn takes(
        &self,
        builder: &mut Builder,
        goes: &Expression,
        oldest: &Expression,
        is_end: &Expression,
        tready: &Expression,
    ) -> Expression {
        let here = |number: usize| equal(self.place.value(), number as u64);
        for (number, lane) in self.lanes.iter().enumerate() {
            // Where no word goes the place stays, and the next word goes there.
            builder.statement("", when(and(self.free.clone(), here(number)), vec![lane.takes(oldest.clone())]));
        }
        builder.statement("", when(tready.clone(), vec![self.whole.takes(number(0, 1))]));
        let next = Expression::binary(Binary::Add, self.place.value(), number(1, self.place.value().shape.bits));
        let taken = vec![self.whole.takes(here(self.lanes.len() - 1)), self.place.takes(next)];
        builder.statement("A word goes into the beat", when(goes.clone(), taken));
        let stays = and(self.is_last.value(), not(tready.clone()));
        let ends = builder.wire("ends", or(and(goes.clone(), is_end.clone()), stays));
        builder.statement("", self.is_last.takes(ends.clone()));
        ends
    }

    /// Its words, the first one lowest.
    fn data(&self) -> Expression {
        join(self.lanes.iter().rev().map(|lane| lane.value()).collect())
    }
}
