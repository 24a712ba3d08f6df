// SPDX-License-Identifier: MIT OR Apache-2.0
//! Valid inputs that are held until they are taken, and pops of existing samples.

use super::random::{PATTERNS, Pattern, Random, Willing};
use super::values::{Meaning, Mood, World};
use super::{Names, set};

/// An offer: its valid input, the inputs that are held with it, and the outputs that end it.
pub struct Held {
    valid: usize,
    fields: Vec<(usize, Meaning)>,
    done: Vec<usize>,
    /// It comes with a rate, which must fit the parameters.
    has_rate: bool,
    gaps: Willing,
    /// Largest number of idle cycles between two offers, and the number that is left.
    gap: u64,
    idle: u64,
    /// Choices for the largest number of idle cycles: in a busy epoch, in a calm epoch.
    busy: &'static [u64],
    calm: &'static [u64],
}

struct Offer {
    valid: &'static str,
    /// The outputs that end it; the circuit must have one of them.
    done: &'static [&'static str],
    fields: &'static [&'static str],
    busy: &'static [u64],
    calm: &'static [u64],
}

const OFFERS: [Offer; 3] = [
    Offer {
        valid: "feedback_valid",
        done: &["feedback_ready", "frame_done"],
        busy: &[0, 3, 40, 400],
        calm: &[400, 2000, 8000],
        fields: &[
            "quantized_feedback",
            "q_offset_units",
            "q_delta_units",
            "same_point",
            "source_mac_high",
            "source_mac_low",
            "destination_mac_high",
            "destination_mac_low",
            "has_tag",
            "vlan_tci",
            "has_cn_tag",
            "flow_id",
            "feedback_flow",
            "rate",
            "slides",
            "knows_point",
            "stopped",
        ],
    },
    Offer {
        valid: "sample_valid",
        done: &["pop"],
        busy: &[0, 0, 3, 40],
        calm: &[0, 400],
        fields: &["controlled", "q_offset", "q_delta"],
    },
    Offer {
        valid: "request",
        done: &["grant", "oversize"],
        busy: &[0, 0, 0, 3, 40, 400],
        calm: &[0, 0, 3],
        fields: &["request_bytes"],
    },
];

impl Held {
    /// The offer of a circuit that takes one.
    pub fn of(names: &Names) -> Option<Self> {
        OFFERS.iter().find_map(|offer| {
            let valid = names.input(offer.valid)?;
            let done: Vec<_> = offer.done.iter().filter_map(|name| names.output(name)).collect();
            let field = |name: &&str| {
                let column = names.input(name)?;
                // A feedback comes with the rate of its flow.
                let meaning = match *name {
                    "rate" => Meaning::CurrentRate,
                    _ => Meaning::of(name, names.ports[column].bits),
                };
                Some((column, meaning))
            };
            let fields = offer.fields.iter().filter_map(field).collect();
            let has_rate = offer.fields.contains(&"rate") && names.input("rate").is_some();
            let gaps = Willing::new(PATTERNS[0]);
            let (busy, calm) = (offer.busy, offer.calm);
            (!done.is_empty()).then_some(Held { valid, fields, done, has_rate, gaps, gap: 0, idle: 0, busy, calm })
        })
    }

    /// Its columns.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.fields.iter().map(|&(column, _)| column).chain([self.valid])
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random, calm: bool) {
        self.gaps = Willing::new(random.pick(&PATTERNS));
        self.gap = random.pick(if calm { self.calm } else { self.busy });
        self.idle = self.idle.min(self.gap);
    }

    /// No new offer until the next phase.
    pub fn rest(&mut self) {
        self.gaps = Willing::new(Pattern::Never);
    }

    /// The cycle before this one. Parameters change in a reset.
    pub fn see(&self, row: &mut [u32], resets: bool) {
        if resets && self.has_rate {
            set(row, self.valid, 0);
        }
    }

    /// Holds the offer, ends it if it was taken in the cycle before (in `row`), or makes a new one.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, raw: bool, row: &mut [u32]) {
        let done = self.done.iter().any(|&column| row[column] != 0);
        let withdrawn = raw && random.chance(2);
        if row[self.valid] != 0 && !done && !withdrawn {
            return;
        }
        if row[self.valid] != 0 {
            self.idle = random.between(0, self.gap);
        }
        self.idle = self.idle.saturating_sub(1);
        let valid = self.idle == 0 && self.gaps.next(random);
        set(row, self.valid, u32::from(valid));
        if valid || random.chance(5) {
            // Offset and change are both 0: a stop of BCN.
            let stops = random.chance(8);
            for &(column, meaning) in &self.fields {
                let value = world.value(meaning, random, mood);
                set(row, column, if stops && meaning == Meaning::Units { 0 } else { value });
            }
        }
    }
}

/// Pops from a queue of samples, only if a sample is at its head.
///
/// A stimulus gets the outputs of the cycle before, in which the head may have been popped, so it counts the samples
/// itself. An accepted sample is at the head after three cycles, and two cycles after the pop of the sample before.
pub struct Pops {
    pop: usize,
    sample: usize,
    ready: usize,
    /// Samples written one and two cycles ago.
    written: [bool; 2],
    waiting: u64,
    /// There was a pop in the cycle before.
    popped: bool,
    willing: Willing,
}

impl Pops {
    /// The pops of a circuit that is a queue.
    pub fn of(names: &Names) -> Option<Self> {
        let (pop, sample, ready) = (names.input("pop")?, names.input("sample")?, names.output("ready")?);
        Some(Pops {
            pop,
            sample,
            ready,
            written: [false; 2],
            waiting: 0,
            popped: false,
            willing: Willing::new(PATTERNS[0]),
        })
    }

    /// Its column.
    pub fn column(&self) -> usize {
        self.pop
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.willing = Willing::new(random.pick(&PATTERNS));
    }

    /// No pop until the next phase.
    pub fn rest(&mut self) {
        self.willing = Willing::new(Pattern::Never);
    }

    /// Counts what happened in the cycle before.
    pub fn see(&mut self, row: &[u32], was_reset: bool) {
        self.waiting += u64::from(self.written[1]);
        self.popped = row[self.pop] != 0;
        self.waiting -= u64::from(self.popped);
        self.written = [row[self.sample] != 0 && row[self.ready] != 0, self.written[0]];
        if was_reset {
            (self.written, self.waiting, self.popped) = ([false; 2], 0, false);
        }
    }

    /// Pops, if its pattern says so and a sample is at the head.
    pub fn drive(&mut self, random: &mut Random, row: &mut [u32]) {
        let wants = self.willing.next(random);
        set(row, self.pop, u32::from(wants && self.waiting > 0 && !self.popped));
    }
}
