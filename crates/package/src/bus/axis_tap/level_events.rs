// SPDX-License-Identifier: MIT OR Apache-2.0
//! What leaves output queues whose levels are known, but not their events.

use super::{FRAME_OCTETS, QUEUES};
use crate::bus::width::Width;
use tidegate_hdl::netlist::builder::{
    Builder, add, and, any, assign, equal, join, not, number, or, subtract, target, when,
};
use tidegate_hdl::netlist::{Expression, Netlist};

/// Cycles for which a beat that has gone out is on its way: it must be in the level after them.
pub const WAY: usize = 16;
/// Of these cycles, those that are stored: that a beat was taken is told a cycle later.
const SEEN: usize = WAY - 1;
/// Bits of a level.
pub(crate) const LEVEL_BITS: usize = 24;
/// Cycles of a look at a queue: the last one tells what has left.
const STEPS: u64 = 6;

const MEANING: &str = "Tells what has left five output queues whose levels are known, in octets, as queues with events tell it.\n\n\
    It counts the octets that enter each queue. One queue after the other, in six cycles each, it compares its count with the \
    level and the octets on their way: those of the frame in progress that have not come to the output, if it enters this queue, \
    the beat that waits there, and those taken in the last 16 cycles, to whichever queue. What is more has left the queue, or \
    never came there. So a beat must be in the level in the 17th cycle after it has gone out, and until it leaves.";

/// The module for a width.
pub fn level_events(width: Width) -> Netlist {
    let mut builder = Builder::new(&format!("axis_level_events_{}", width.bits()), MEANING);
    let is_known = builder.input("frame_enqueue", 1, "The fields of a frame are known: it is in progress");
    let frame_octets = builder.input("frame_octets", 16, "Octets of the frame, as its TUSER says");
    let frame_queues = builder.input("frame_queues", QUEUES, "Its output queues, a bit each");
    let inserted = builder.input("inserted", 1, "A feedback frame is in progress; not together with `frame_enqueue`");
    let inserted_queue = builder.input("inserted_queue", QUEUES, "Its output queue, as a bit");
    let there = builder.input("next_tvalid", 1, "There is a beat of what is in progress");
    let ready = builder.input("next_tready", 1, "It goes to the output");
    let last = builder.input("next_tlast", 1, "It is the last one");
    let taken = builder.input("taken", 1, "The beat that was at the output in the cycle before was taken");
    let levels: Vec<Expression> = (0..QUEUES)
        .map(|queue| builder.input(&format!("queue_octets_{queue}"), LEVEL_BITS, "Octets in this output queue"))
        .collect();

    let enters = builder.wire("enters", or(is_known, inserted.clone()));
    let octets = builder.wire("octets", frame_octets);
    let queues = builder.wire("queues", frame_queues);
    let of_feedback = vec![assign(target(&octets), number(FRAME_OCTETS, 16)), assign(target(&queues), inserted_queue)];
    builder.statement("", when(inserted, of_feedback));

    // A frame is known while a beat of it is before the output: its last one at the latest.
    let goes = builder.wire("goes", and(there, ready));
    let entering = builder.register("entering", QUEUES, 0, "The output queues of the frame in progress, a bit each");
    builder.statement("", when(enters.clone(), vec![entering.takes(queues.clone())]));
    let coming = builder.register("coming", 16, 0, "Its octets that have not gone out");
    let ahead = builder.wire("ahead", coming.value());
    builder.statement("", when(enters.clone(), vec![assign(target(&ahead), octets.clone())]));
    let place = width.octet_bits();
    let beats = ahead.clone().slice(place, 16 - place);
    let fewer = join(vec![subtract(beats.clone(), number(1, 16 - place)), ahead.clone().slice(0, place)]);
    let rest = builder.wire("rest", number(0, 16));
    builder.statement("", when(and(any(beats), not(last)), vec![assign(target(&rest), fewer)]));
    builder.statement("", coming.takes(ahead));
    builder.statement("A beat less, and nothing after the last one", when(goes.clone(), vec![coming.takes(rest)]));

    let recent = builder.register("recent", SEEN, 0, "In which of the cycles before the last one a beat was taken");
    let gone = builder.register("gone", 5, 0, "How many of the last cycles, and one that is at the output");
    builder.statement("", recent.takes(join(vec![recent.value().slice(0, SEEN - 1), taken])));
    let oldest = recent.value().slice(SEEN - 1, 1);
    builder.statement("", gone.takes(subtract(add(gone.value(), goes.clone().resize(5)), oldest.resize(5))));

    let step = builder.register("step", 3, 0, "Cycle of the look");
    let turn = builder.register("turn", QUEUES, 1, "The queue that is looked at, as a bit");
    let tells = builder.wire("tells", equal(step.value(), STEPS - 1));
    builder.statement("", step.takes(add(step.value(), number(1, 3))));
    let next = join(vec![turn.value().slice(0, QUEUES - 1), turn.value().slice(QUEUES - 1, 1)]);
    builder.statement("", when(tells.clone(), vec![step.takes(number(0, 3)), turn.takes(next)]));

    let told = builder.register("told", 16, 0, "Octets that have left it");
    let count = builder.wire("count", number(0, LEVEL_BITS));
    let level = builder.wire("level", number(0, LEVEL_BITS));
    for (queue, of_queue) in levels.into_iter().enumerate() {
        let is_turn = turn.value().slice(queue, 1);
        let counted =
            builder.register(&format!("counted_{queue}"), LEVEL_BITS, 0, "Octets that came and have not left");
        let comes = builder.wire(&format!("comes_{queue}"), number(0, 16));
        let enters_this = and(enters.clone(), queues.clone().slice(queue, 1));
        builder.statement("", when(enters_this, vec![assign(target(&comes), octets.clone())]));
        let leaves = builder.wire(&format!("leaves_{queue}"), number(0, 16));
        let left_this = and(tells.clone(), is_turn.clone());
        builder.statement("", when(left_this, vec![assign(target(&leaves), told.value())]));
        let sum = add(counted.value(), comes.resize(LEVEL_BITS));
        builder.statement("", counted.takes(subtract(sum, leaves.resize(LEVEL_BITS))));
        let looked_at = vec![assign(target(&count), counted.value()), assign(target(&level), of_queue)];
        builder.statement("", when(is_turn, looked_at));
    }

    let seen_count = builder.register("seen_count", LEVEL_BITS, 0, "");
    let seen_level = builder.register("seen_level", LEVEL_BITS, 0, "");
    let seen_coming = builder.register("seen_coming", 16, 0, "");
    let seen_gone = builder.register("seen_gone", 5, 0, "");
    let to_this = builder.wire("to_this", number(0, 16));
    let is_coming = any(and(entering.value(), turn.value()));
    builder.statement("", when(is_coming, vec![assign(target(&to_this), coming.value())]));
    let seen = vec![
        seen_count.takes(count),
        seen_level.takes(level),
        seen_coming.takes(to_this),
        seen_gone.takes(gone.value()),
    ];
    builder.statement("All of a look is of one cycle", when(equal(step.value(), 0), seen));
    let beats = join(vec![seen_gone.value(), number(0, place)]).resize(17);
    let on_their_way = builder.delayed("on_their_way", add(seen_coming.value().resize(17), beats));
    let sum = add(seen_level.value().resize(25), on_their_way.resize(25));
    let may_be_there = builder.delayed("may_be_there", sum);
    let excess = builder.delayed("excess", subtract(seen_count.value().resize(26), may_be_there.resize(26)));
    let few = builder.wire("few", excess.clone().slice(0, 16));
    let many = any(excess.clone().slice(16, 9));
    builder
        .statement("The rest is told after another look", when(many, vec![assign(target(&few), number(0xffff, 16))]));
    builder.statement("", when(excess.slice(25, 1), vec![assign(target(&few), number(0, 16))]));
    builder.statement("", told.takes(few));

    for queue in 0..QUEUES {
        let removed = and(tells.clone(), turn.value().slice(queue, 1));
        builder.output(&format!("pkt_removed_{queue}"), "Octets have left this output queue", removed);
        builder.output(&format!("bytes_removed_{queue}"), "So many, or none", told.value().resize(32));
    }
    builder.output("pkt_dropped", "Never: what is dropped is not in a level", number(0, QUEUES));
    builder.output("bytes_dropped", "None", number(0, 32));
    builder.finish()
}
