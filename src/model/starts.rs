//! When sources start.

use crate::scheme::parameters::Parameters;
use crate::units::{Cycles, FineTime};

/// The whole cycles of a packet at line rate, at least 1.
pub fn packet_cycles(parameters: &Parameters) -> Cycles {
    let bytes = parameters.integer("packet_bytes") as u32 + parameters.overhead();
    FineTime::of_bytes(bytes, parameters.rate("line_rate_mbps")).whole().max(1)
}

/// The cycles in which sources start: within the second packet time, spread by the seed. In the first, all buckets fill
/// alike.
pub struct Starts {
    packet_cycles: Cycles,
    random: u64,
}

impl Starts {
    /// Of sources with these packets and links.
    pub fn new(parameters: &Parameters) -> Self {
        Starts { packet_cycles: packet_cycles(parameters), random: parameters.integer("seed") }
    }

    /// The start of the next source.
    pub fn start(&mut self) -> Cycles {
        // splitmix64
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.packet_cycles + (mixed ^ (mixed >> 31)) % self.packet_cycles
    }
}

impl Iterator for Starts {
    type Item = Cycles;

    fn next(&mut self) -> Option<Cycles> {
        Some(self.start())
    }
}
