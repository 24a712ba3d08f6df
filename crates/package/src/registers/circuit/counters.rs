// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of 64 bits. They stand in a small memory with one adder: an adder for each takes 64 LUTs and more.
//!
//! Events are first counted in a few bits for each counter. One counter after the other has its turn: what it counted so
//! is added to its word of the memory. A read takes the turn for the counter that is read, in cycle 3 of the access, so it gives
//! what has been counted until then. The turns pause in cycles 2 and 4, because a word that is read in the cycle after a
//! turn would be an old one.

use super::{LATENCY, Own, PartInputs, named, only_if};
use crate::registers::{Content, Registers};
use tidegate_hdl::netlist::builder::{Builder, Stored, Write, add, and, any, equal, not, number, or, when};
use tidegate_hdl::netlist::{Binary, Expression};

/// Width of a counter.
const BITS: usize = 64;
/// Fewer words than that the memory has not: the turns are then so far apart that each word is stored before its next turn.
const FEWEST: usize = 4;

/// The counters of a register file.
pub(super) struct Counters {
    /// The access is to the low word of a counter; known from cycle 3 on.
    pub accessed: Expression,
    /// The high word of the counter whose low word was read last.
    pub stored_high: Stored,
    /// What the counter whose turn was in the cycle before has counted: in cycle 4 of an access, the one that is read.
    sum: Expression,
}

impl Counters {
    /// Adds the counters to a register file that has some. `begin`: an access is taken.
    pub fn new(
        builder: &mut Builder,
        registers: &Registers,
        own: &Own,
        begin: Expression,
        inputs: &PartInputs,
    ) -> Self {
        let words = registers.counters.len().next_power_of_two().max(FEWEST);
        let place_bits = words.ilog2() as usize;
        // The counters have addresses in a row, each a double word: their last bits number the words of the memory.
        let low_words = registers.list.iter().filter(|register| matches!(register.content, Content::CounterLow(_)));
        let addresses: Vec<u16> = low_words.map(|register| register.address).collect();
        assert!(
            addresses.iter().all(|address| address % 8 == 0) && addresses.windows(2).all(|two| two[1] == two[0] + 8)
        );

        let is_here = addresses.iter().map(|&address| equal(own.address.value(), u64::from(address >> 2)));
        let accessed = builder.delayed("at_counter", is_here.reduce(or).expect("there is a counter"));

        let turn = builder.register("turn", place_bits, 0, "The counter that is next");
        let pauses = or(begin, or(own.taken_before(1), own.taken_before(2)));
        let goes_on = builder.wire("turns_go_on", not(pauses));
        let more = vec![turn.takes(add(turn.value(), number(1, place_bits)))];
        builder.statement("Turns of the counters", when(goes_on.clone(), more));
        let has_turn = builder.register("counter_has_turn", 1, 0, "A counter has its turn");
        builder.statement("", has_turn.takes(or(goes_on, own.taken_before(1))));
        let place = builder.register("counter_place", place_bits, 0, "Its word in the memory");
        builder.statement("", place.takes(turn.value()));
        // An access to another register takes a turn too: whether it is to a counter is not known yet.
        let accessed_place = own.address.value().slice(1, place_bits);
        builder.statement("", when(own.taken_before(1), vec![place.takes(accessed_place)]));
        let (has_turn, place) = (has_turn.value(), place.value());

        let mut amount = Vec::new();
        let mut initial = Vec::new();
        let most = registers.counters.iter().map(|counter| most_between_turns(counter.events[0].bits, words)).max();
        let amount_bits = bits_of(most.expect("there is a counter"));
        for (description, address) in registers.counters.iter().zip(&addresses) {
            let name = description.name;
            let events = description.events.iter().map(|event| named(inputs, &event.name));
            let event = events.reduce(and).expect("a counter has an event");
            let event_bits = event.shape.bits;
            // A register before it is counted, because much depends on an event in its part.
            let seen = builder.register(&format!("seen_{name}"), event_bits, 0, "");
            builder.statement("", seen.takes(event));
            let bits = bits_of(most_between_turns(event_bits, words));
            let ones = (0..event_bits).map(|bit| seen.value().slice(bit, 1).extend(bits));
            let ones = builder.wire(&format!("ones_{name}"), ones.reduce(add).expect("it has a bit"));
            let is_here = and(has_turn.clone(), equal(place.clone(), u64::from(address >> 3) % words as u64));
            let is_here = builder.wire(&format!("turn_of_{name}"), is_here);
            let counted = builder.register(&format!("counted_{name}"), bits, 0, "Counted since its turn");
            builder.statement("", counted.takes(add(counted.value(), ones.clone())));
            builder.statement("", when(is_here.clone(), vec![counted.takes(ones)]));
            let here =
                only_if(builder, &format!("amount_{name}"), is_here.clone(), counted.value().extend(amount_bits));
            amount.push(here);
            if description.reset != 0 {
                initial.push(only_if(builder, &format!("initial_{name}"), is_here, number(description.reset, BITS)));
            }
        }

        let stored_place = builder.register("stored_place", place_bits, 0, "The counter whose turn it was");
        builder.statement("", stored_place.takes(place.clone()));
        let stores = builder.register("count_is_stored", 1, 0, "A counter had its turn");
        builder.statement("", stores.takes(has_turn.clone()));
        let added = builder.register("added_to_count", amount_bits, 0, "What it had counted");
        builder.statement("", added.takes(amount.into_iter().reduce(or).expect("there is a counter")));
        let known = builder.register("count_is_known", words, 0, "For each counter: it has had a turn since the reset");
        let bit = Expression::binary(Binary::ShiftLeft, number(1, words), place.clone());
        let bit = builder.wire("counter_bit", bit);
        builder.statement("", when(has_turn, vec![known.takes(or(known.value(), bit.clone()))]));
        let is_known = any(and(known.value(), bit));
        let is_known = builder.wire("this_count_is_known", is_known);
        let before = builder.register("count_before", BITS, 0, "Its word of the memory");
        let sum = builder.wire("count", add(before.value(), added.value().extend(BITS)));
        let write = Write { enable: &stores.value(), address: &stored_place.value(), data: &sum };
        let word = builder.lut_ram(["counts", "count_at_place"], words, &place, write);
        builder.statement("", before.takes(initial.into_iter().reduce(or).unwrap_or_else(|| number(0, BITS))));
        builder.statement(
            "What the memory holds from before a reset does not count",
            when(is_known, vec![before.takes(word)]),
        );
        let stored_high =
            builder.register("stored_high", 32, 0, "The high word of the counter whose low word was read last");
        Counters { accessed, stored_high, sum }
    }

    /// The low word of the counter that is read, in cycle 4.
    pub fn low(&self) -> Expression {
        self.sum.clone().slice(0, 32)
    }

    /// Its high word.
    pub fn high(&self) -> Expression {
        self.sum.clone().slice(32, 32)
    }
}

/// How often an event of so many bits can happen from one turn of a counter to the next: of the six cycles of an access,
/// three are without turns for all.
fn most_between_turns(event_bits: usize, words: usize) -> u64 {
    let (cycles, turns) = (LATENCY + 1, LATENCY + 1 - 3);
    event_bits as u64 * (words as u64).div_ceil(turns) * cycles
}

fn bits_of(most: u64) -> usize {
    (u64::BITS - most.leading_zeros()) as usize
}
