// SPDX-License-Identifier: MIT OR Apache-2.0
//! The feedback frames that wait for the parser.

use crate::bus::width::Width;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::netlist::builder::{Builder, Write, assign, equal, join, target, when};

/// Bits of a word of the parser.
const WORD_BITS: usize = 64;
/// Words of a frame that are stored.
const WORDS: usize = 8;
/// Places for frames.
const SLOTS: usize = 4;

const MEANING: &str = "The first 64 octets of four frames, in LUT RAM: written as beats, read as words. The word at `read_slot` and \
    `read_word` of cycle t is at the outputs in cycle t + 1.";

/// The module for a width of more than 64 bits.
pub fn cut_memory(width: Width) -> Netlist {
    let mut builder = Builder::new(&format!("axis_cut_memory_{}", width.bits()), MEANING);
    let lanes = width.bits() / WORD_BITS;
    let lane_bits = lanes.ilog2() as usize;
    let beat = builder.input("beat_data", width.bits(), "A beat of a frame; octet 0 in bits 7 to 0");
    let write_enable = builder.input("write_enable", 1, "The beat is written in this cycle");
    let slots = SLOTS.ilog2() as usize;
    let mut place = |kind: &str, slot, word| {
        let slot = builder.input(&format!("{kind}_slot"), slots, slot);
        let word = builder.input(&format!("{kind}_word"), WORDS.ilog2() as usize, word);
        let beats = word.shape.bits - lane_bits;
        let parts = if beats == 0 { vec![slot] } else { vec![slot, word.clone().slice(lane_bits, beats)] };
        (builder.wire(&format!("{kind}_place"), join(parts)), word.slice(0, lane_bits))
    };
    let (write_place, _) = place("write", "The place of its frame", "Its first word in the frame");
    let (read_place, lane) = place("read", "The place of the frame that is read", "The word of it that is read");
    let write = Write { enable: &write_enable, address: &write_place, data: &beat };
    let shown = builder.lut_ram(["beats", "shown"], SLOTS * WORDS / lanes, &read_place, write);
    let of_lane = |lane: usize| shown.clone().slice(WORD_BITS * lane, WORD_BITS);
    let word = builder.wire("word_shown", of_lane(0));
    for other in 1..lanes {
        let here = equal(lane.clone(), other as u64);
        builder.statement("", when(here, vec![assign(target(&word), of_lane(other))]));
    }
    let stored = builder.register("seen_word", WORD_BITS, 0, "The word that the parser sees");
    builder.statement("", stored.takes(word));
    let octets = |first: usize| join((first..first + 4).map(|octet| stored.value().slice(8 * octet, 8)).collect());
    builder.output("data_high", "Octets 0 to 3 of a word for the parser", octets(0));
    builder.output("data_low", "Octets 4 to 7 of a word for the parser", octets(4));
    builder.finish()
}
