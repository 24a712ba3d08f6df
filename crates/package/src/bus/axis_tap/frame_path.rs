// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data path: what goes out next, a beat that comes or one of a feedback frame, and what the congestion point must know
//! of it.

use super::super::axis_cp::header::{HEADER_OCTETS, header, header_beats};
use super::{FRAME_OCTETS, QUEUES, TUSER_BITS};
use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{
    Builder, Stored, and, any, assign, equal, join, not, number, or, subtract, target, when,
};
use tidegate_hdl::netlist::{Expression, Netlist, Statement, Unary};

/// Ports in a TUSER.
const PORTS: usize = 8;

const MEANING: &str = "Passes frames of an AXI4-Stream unchanged and in order, and inserts feedback frames between them. \
    A beat of cycle t is at the output from cycle t + 1 on. After a feedback frame, a frame that waits goes first.\n\n\
    The destination ports of a frame are those in its TUSER in the first cycle in which it is offered, as the lookups of these \
    cards show them in no other cycle. Behind a module that is not ready in the first cycle of a frame, a frame of one beat is \
    not taken in its first cycle either.\n\n\
    `frame_enqueue` is high in the cycle after the beat with octet 21 of a frame was taken, or its last one if that came before; \
    the fields of the frame and the header words are valid then. `inserted` is high in the cycle after the first beat of a \
    feedback frame was taken.";

/// All bits are 1.
fn all(value: Expression) -> Expression {
    not(any(not(value)))
}

/// The module for a width.
pub fn frame_path(width: Width) -> Netlist {
    let (bits, octets) = (width.bits(), width.octets());
    let mut builder = Builder::new(&format!("axis_path_{bits}"), MEANING);
    let data = builder.input("s_axis_tdata", bits, "A beat of a frame; octet 0 in bits 7 to 0");
    let keep = builder.input("s_axis_tkeep", octets, "Its octets that are valid");
    let user_meaning = "Octets of the frame in bits 15 to 0, its source port in 23 to 16, its destination ports in 31 to 24, a \
                        bit each; valid with the first beat";
    let offered_meaning = "Octets of the frame in bits 15 to 0, its source port in 23 to 16, valid with the first beat; its \
                           destination ports in 31 to 24, a bit each, valid in the first cycle of the first beat";
    let offered_user = builder.input("s_axis_tuser", TUSER_BITS, offered_meaning);
    let last = builder.input("s_axis_tlast", 1, "It is the last one of its frame");
    let comes = builder.input("s_axis_tvalid", 1, "There is a beat");
    let frame_data = builder.input("m_axis_cnm_tdata", bits, "A beat of a feedback frame");
    let frame_keep = builder.input("m_axis_cnm_tkeep", octets, "Its octets that are valid");
    let frame_last = builder.input("m_axis_cnm_tlast", 1, "It is the last one of its frame");
    let frame_comes = builder.input("m_axis_cnm_tvalid", 1, "There is a beat of a feedback frame");
    let word_comes = builder.input("valid", 1, "There is a word of a feedback frame");
    let word_taken = builder.input("data_ready", 1, "It is taken");
    let word_port = builder.input("frame_port", 3, "Number of the port of its frame");
    let ready = builder.input("next_tready", 1, "The beat that goes out is shown in this cycle");
    let taken = builder.input("taken", 1, "The beat that was shown in the cycle before was taken");

    let started = builder.register("started", 1, 0, "A frame has begun and not ended");
    let framing = builder.register("framing", 1, 0, "A feedback frame has begun and not ended");
    let frame_before = builder.register("frame_before", 1, 0, "What went out last was a feedback frame");
    let holds = builder.register("holds", 1, 0, "There is a beat before the stage at the output");
    let room = builder.wire("room", or(not(holds.value()), ready.clone()));
    let between = builder.wire("between", not(or(started.value(), framing.value())));
    let first = and(between.clone(), or(not(frame_before.value()), not(comes.clone())));
    let frame_turn = builder.wire("frame_turn", or(framing.value(), and(frame_comes.clone(), first)));
    let takes_frame = builder.wire("takes_frame", and(and(room.clone(), frame_turn.clone()), frame_comes));
    // A frame of one beat, in its first cycle: the lookup must leave its header state before the beat is taken.
    let waited = builder.register("waited", 1, 0, "The first beat of a frame was offered and not taken");
    let pauses = builder.register(
        "pauses",
        1,
        1,
        "The first beat before was not taken in the first cycle in which it was shown",
    );
    let is_first = not(started.value());
    let too_early = and(and(is_first.clone(), last.clone()), and(pauses.value(), not(waited.value())));
    let turn = builder.wire("turn", not(or(frame_turn.clone(), too_early)));
    let takes = builder.wire("takes", and(and(room.clone(), turn.clone()), comes.clone()));
    let of_frame = vec![framing.takes(not(frame_last.clone())), frame_before.takes(number(1, 1))];
    builder.statement("A beat of a feedback frame", when(takes_frame.clone(), of_frame));
    let of_stream = vec![started.takes(not(last.clone())), frame_before.takes(number(0, 1))];
    builder.statement("A beat of a frame", when(takes.clone(), of_stream));
    let waits = and(and(comes, is_first.clone()), not(takes.clone()));
    builder.statement("", waited.takes(waits));

    let [octets_and_source, ports, others] =
        [(0, 24), (24, PORTS), (32, TUSER_BITS - 32)].map(|(low, bits)| offered_user.clone().slice(low, bits));
    let first_ports =
        builder.register("first_ports", PORTS, 0, "Destination ports when the first beat was offered first");
    builder.statement("", when(not(waited.value()), vec![first_ports.takes(ports.clone())]));
    let destinations = builder.wire("destinations", ports);
    builder.statement("", when(waited.value(), vec![assign(target(&destinations), first_ports.value())]));
    let user = builder.wire("user", join(vec![others, destinations.clone(), octets_and_source]));

    // The port is that of the word that was taken last: no word of the next frame is taken before the last beat.
    let port = builder.register("port", 3, 0, "Port of the feedback frame");
    builder.statement("", when(and(word_comes, word_taken), vec![port.takes(word_port)]));
    let is_port = |number: usize| equal(port.value(), number as u64);
    let destination = join((0..PORTS).rev().map(is_port).collect());
    let zeros = TUSER_BITS - 32;
    let frame_user =
        join(vec![number(0, 64), number(0, zeros - 64), destination, number(0, 8), number(FRAME_OCTETS, 16)]);

    let out_data = builder.register("out_data", bits, 0, "");
    let out_keep = builder.register("out_keep", octets, 0, "");
    let out_user = builder.register("out_user", TUSER_BITS, 0, "");
    let out_last = builder.register("out_last", 1, 0, "");
    let loads = |stored: [Expression; 4]| {
        let registers: [Stored; 4] = [out_data, out_keep, out_user, out_last];
        registers.into_iter().zip(stored).map(|(register, value)| register.takes(value)).collect::<Vec<Statement>>()
    };
    let of_frame = loads([frame_data, frame_keep, frame_user, frame_last]);
    let of_stream = loads([data.clone(), keep.clone(), user.clone(), last.clone()]);
    let choice = Statement::If { test: frame_turn.clone(), then: of_frame, otherwise: of_stream };
    let fills = holds.takes(or(takes.clone(), takes_frame.clone()));
    builder.statement("The beat that goes out", when(room.clone(), vec![fills, choice]));

    let place = header(&mut builder, width, &takes, &last, &data);
    let needed = header_beats(width);
    let begins = equal(place.value(), 0);
    let completes = builder.wire("completes", equal(place.value(), needed - 1));
    let intact = builder.register("intact", 1, 1, "All octets of the header came so far");
    let last_octet = (HEADER_OCTETS - 1) % octets;
    let has_last = builder.wire("has_last", all(keep.clone().slice(0, last_octet + 1)));
    let keeps =
        vec![intact.takes(and(intact.value(), all(keep))), when(last.clone(), vec![intact.takes(number(1, 1))])];
    builder.statement("Whether the header has all its octets", when(takes.clone(), keeps));
    let is_known = builder.register("is_known", 1, 0, "");
    let is_whole = builder.register("is_whole", 1, 0, "");
    let early = and(last, not(equal(place.value(), needed)));
    builder.statement("", is_known.takes(and(takes.clone(), or(completes.clone(), early))));
    builder.statement("", is_whole.takes(and(and(completes, intact.value()), has_last)));
    let length = builder.register("length", 16, 0, "");
    let source_port = builder.register("source_port", 3, 0, "");
    let has_source = builder.register("has_source", 1, 0, "");
    let queues = builder.register("queues", QUEUES, 0, "");
    let source = user.clone().slice(16, PORTS);
    let with = |mask: u64| any(and(source.clone(), number(mask, PORTS)));
    let others = and(source.clone(), subtract(source.clone(), number(1, PORTS)));
    let of_processor = any(and(destinations.clone(), number(0xaa, PORTS)));
    let of_macs = (0..4).rev().map(|mac| destinations.clone().slice(2 * mac, 1));
    let fields = vec![
        length.takes(user.slice(0, 16)),
        source_port.takes(join(vec![with(0xf0), with(0xcc), with(0xaa)])),
        has_source.takes(and(any(source.clone()), Expression::unary(Unary::Not, any(others)))),
        queues.takes(join([of_processor].into_iter().chain(of_macs).collect())),
    ];
    builder.statement("The first beat of a frame, or what stands there until it comes", when(begins, fields));
    let is_inserted = builder.register("is_inserted", 1, 0, "");
    let begins_frame = builder.wire("begins_frame", and(takes_frame, not(framing.value())));
    let out_first =
        builder.register("out_first", 1, 0, "The beat that goes out is the first one of a frame or feedback frame");
    builder.statement("", when(room.clone(), vec![out_first.takes(or(and(takes, is_first), begins_frame.clone()))]));
    let shown_first =
        builder.register("shown_first", 1, 0, "A first beat was shown in the cycle before, and not earlier");
    builder.statement("", shown_first.takes(and(out_first.value(), ready)));
    builder.statement("", when(shown_first.value(), vec![pauses.takes(not(taken))]));
    builder.statement("", is_inserted.takes(begins_frame.clone()));
    let inserted_port = builder.register("inserted_port", 3, 0, "");
    builder.statement("", when(begins_frame, vec![inserted_port.takes(port.value())]));

    let inserted = |mac: u64| equal(inserted_port.value(), 2 * mac);
    let inserted_queue = [inserted_port.value().slice(0, 1)].into_iter().chain((0..4).rev().map(inserted)).collect();
    let whole = builder.wire("header_octets", number(0, 24));
    let header_octets = target(&whole);
    builder.statement("", when(is_whole.value(), vec![assign(header_octets, number(HEADER_OCTETS as u64, 24))]));

    builder.output("s_axis_tready", "The beat is taken", and(room.clone(), turn));
    builder.output("m_axis_cnm_tready", "The beat of a feedback frame is taken", and(room, frame_turn));
    builder.output("next_tdata", "A beat of a frame; octet 0 in bits 7 to 0", out_data.value());
    builder.output("next_tkeep", "Its octets that are valid", out_keep.value());
    builder.output("next_tuser", user_meaning, out_user.value());
    builder.output("next_tlast", "It is the last one of its frame", out_last.value());
    builder.output("next_tvalid", "There is a beat; it does not change until `next_tready`", holds.value());
    builder.output("frame_enqueue", "The fields of a frame are known", is_known.value());
    builder.output("frame_enqueue_bytes", "22 if the frame has all octets of the header, otherwise 0", whole);
    builder.output("frame_octets", "Octets of the frame, as its TUSER says", length.value());
    builder.output("frame_queues", "Its output queues, a bit each", queues.value());
    builder.output("frame_source_port", "Number of its source port", source_port.value());
    builder.output("frame_has_source", "It has exactly one source port", has_source.value());
    builder.output("inserted", "A feedback frame was inserted", is_inserted.value());
    builder.output("inserted_queue", "Its output queue, as a bit", join(inserted_queue));
    builder.output("boundary", "Neither a frame nor a feedback frame is in progress", between);
    builder.finish()
}
