// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats of the receive path, from where they come in to where they go out.

use crate::bus::octets::{above, last_octet, malformed};
use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{Builder, Stored, add, and, assign, join, not, number, or, target, when};
use tidegate_hdl::netlist::{Binary, Expression, Netlist, Statement};

const MEANING: &str = "Passes frames of an AXI4-Stream unchanged and in order, without the beats for which `removes` is high. A \
    beat goes on in cycle t + 1 and out in cycle t + 2 if it came in cycle t; nothing stops it but `next_tready`, on which \
    `s_axis_rx_tready` depends in the same cycle.";

/// What is different if a beat has only 16 octets.
const WAITS: &str = "\n\nThe first beat of a frame goes on when the second one is there, because the header ends in it: so all \
    beats take one cycle more.";

/// The octets up to here tell what a frame is.
const HEADER_OCTETS: usize = 24;

/// A beat that is held, and what is known of it.
struct Held {
    valid: Stored,
    data: Stored,
    keep: Stored,
    last: Stored,
    user: Stored,
    /// Place of its last octet, and whether it makes its frame a bad one; not of the beat that goes out.
    known: Option<(Stored, Stored)>,
}

impl Held {
    fn new(builder: &mut Builder, width: Width, name: &str, is_known: bool) -> Held {
        let mut register = |part: &str, bits, meaning| builder.register(&format!("{name}_{part}"), bits, 0, meaning);
        Held {
            valid: register("valid", 1, "There is a beat"),
            data: register("data", width.bits(), ""),
            keep: register("keep", width.octets(), ""),
            last: register("last", 1, ""),
            user: register("user", 1, ""),
            known: is_known.then(|| {
                let octet = register("octet", width.octet_bits(), "Place of its last octet");
                (octet, register("faulty", 1, "It makes its frame a bad one"))
            }),
        }
    }

    /// All but whether there is a beat: the same of another one.
    fn takes(&self, other: &Held) -> Vec<Statement> {
        let parts =
            [(self.data, other.data), (self.keep, other.keep), (self.last, other.last), (self.user, other.user)];
        let known = self.known.iter().zip(&other.known).flat_map(|(to, from)| [(to.0, from.0), (to.1, from.1)]);
        parts.into_iter().chain(known).map(|(to, from)| to.takes(from.value())).collect()
    }

    fn octet(&self) -> Expression {
        self.known.as_ref().expect("known of a beat that waits").0.value()
    }

    fn faulty(&self) -> Expression {
        self.known.as_ref().expect("known of a beat that waits").1.value()
    }

    /// The frame has octet `place` of this beat.
    fn has(&self, place: usize) -> Expression {
        let octet = self.octet();
        let bits = octet.shape.bits;
        Expression::binary(Binary::GreaterOrEqual, octet, number(place as u64, bits))
    }
}

/// The module for a width of more than 64 bits.
pub fn receive_path(width: Width) -> Netlist {
    let (bits, octets) = (width.bits(), width.octets());
    let two_beats = octets < HEADER_OCTETS;
    let meaning = format!("{MEANING}{}", if two_beats { WAITS } else { "" });
    let mut builder = Builder::new(&format!("axis_receive_path_{bits}"), &meaning);
    let data = builder.input("s_axis_rx_tdata", bits, "A beat of a frame; octet 0 in bits 7 to 0");
    let keep = builder.input("s_axis_rx_tkeep", octets, "The octets that are valid: octet i is bit i");
    let last = builder.input("s_axis_rx_tlast", 1, "The beat is the last one of a frame");
    let user_meaning = "The frame was received with an error; valid with `s_axis_rx_tlast`";
    let user = builder.input("s_axis_rx_tuser", 1, user_meaning);
    let valid = builder.input("s_axis_rx_tvalid", 1, "There is a beat");
    let ready = builder.input("next_tready", 1, "The beat goes out that is next");
    let removes = builder.input("removes", 1, "The beat that goes on is not sent");

    let out = Held::new(&mut builder, width, "out", false);
    let room = builder.wire("room", or(not(out.valid.value()), ready));
    let came = Held::new(&mut builder, width, "came", true);
    let above = above(&mut builder, &keep);
    let is_faulty = malformed(&keep, above, &last);
    let is_faulty = builder.wire("is_faulty", or(is_faulty, and(last.clone(), user.clone())));
    let octet = last_octet(&mut builder, &keep);
    let octet = builder.wire("last_octet", octet);
    let whole = assign(target(&octet), number(octets as u64 - 1, width.octet_bits()));
    builder.statement("", when(not(last.clone()), vec![whole]));
    builder.statement("", when(room.clone(), vec![came.valid.takes(valid.clone())]));
    let (came_octet, came_faulty) = came.known.expect("it was asked for");
    let taken = vec![
        came.data.takes(data),
        came.keep.takes(keep),
        came.last.takes(last),
        came.user.takes(user),
        came_octet.takes(octet),
        came_faulty.takes(is_faulty),
    ];
    builder.statement("A beat comes in", when(and(room.clone(), valid), taken));

    let begun = builder.register("begun", 1, 0, "A frame has begun to go on");
    let first = not(begun.value());
    let held = two_beats.then(|| Held::new(&mut builder, width, "held", true));
    // The beat that goes on next.
    let beat = held.as_ref().unwrap_or(&came);
    let mut there = beat.valid.value();
    if two_beats {
        let alone = and(beat.valid.value(), not(came.valid.value()));
        let waits = builder.wire("waits", and(alone, and(first.clone(), not(beat.last.value()))));
        let follows = and(room.clone(), not(waits.clone()));
        builder.statement("", when(follows.clone(), vec![beat.valid.takes(came.valid.value())]));
        builder.statement("The beat behind it", when(and(follows, came.valid.value()), beat.takes(&came)));
        there = builder.wire("there", and(there, not(waits)));
    }
    let moves = builder.wire("moves", and(room.clone(), there.clone()));
    builder.statement("", when(moves.clone(), vec![begun.takes(not(beat.last.value()))]));
    builder.statement("", when(room.clone(), vec![out.valid.takes(and(there, not(removes)))]));
    builder.statement("The beat that goes out", when(moves.clone(), out.takes(beat)));

    let octets_of = |first: usize, count: usize| {
        let octet = |place: usize| match place < octets {
            true => beat.data.value().slice(8 * place, 8),
            false => came.data.value().slice(8 * (place - octets), 8),
        };
        join((first..first + count).map(octet).collect())
    };
    let beyond = |place: usize| match place < octets {
        true => or(not(beat.last.value()), beat.has(place)),
        false if place == octets => not(beat.last.value()),
        false => and(not(beat.last.value()), or(not(came.last.value()), came.has(place - octets))),
    };
    let words = add(beat.octet().slice(3, width.octet_bits() - 3).extend(4), number(1, 4));
    let of_last_word = add(beat.octet().slice(0, 3).extend(4), number(1, 4));
    builder.output("s_axis_rx_tready", "It is taken in this cycle", room);
    builder.output("next_tdata", "A beat of a frame; octet 0 in bits 7 to 0", out.data.value());
    builder.output("next_tkeep", "The octets that are valid: octet i is bit i", out.keep.value());
    builder.output("next_tlast", "The beat is the last one of a frame", out.last.value());
    builder.output("next_tuser", "As it came with the beat", out.user.value());
    builder.output("next_tvalid", "There is a beat; it does not change until `next_tready`", out.valid.value());
    builder.output("beat_moves", "A beat goes on in this cycle", moves);
    builder.output("beat_first", "It is the first one of its frame", first);
    builder.output("beat_last", "It is the last one of its frame", beat.last.value());
    builder.output("beat_words", "Its words, 1 to 8", words);
    builder.output("beat_octets", "Octets of its last word, 1 to 8", of_last_word);
    builder.output("beat_faulty", "It makes its frame a bad one", beat.faulty());
    builder.output("beat_data", "Its octets; octet 0 in bits 7 to 0", beat.data.value());
    builder.output("destination_high", "Octets 0 and 1 of the frame; valid with `beat_first`", octets_of(0, 2));
    builder.output("destination_low", "Octets 2 to 5", octets_of(2, 4));
    builder.output("first_type", "Octets 12 and 13", octets_of(12, 2));
    builder.output("second_type", "Octets 16 and 17", octets_of(16, 2));
    builder.output("third_type", "Octets 20 and 21", octets_of(20, 2));
    builder.output("beyond_16", "The frame has more than 16 octets", beyond(16));
    builder.output("beyond_24", "The frame has more than 24 octets", beyond(24));
    builder.finish()
}
