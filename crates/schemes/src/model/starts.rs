// SPDX-License-Identifier: MIT OR Apache-2.0
//! When sources start.

use super::random::Random;
use crate::scheme::parameters::Parameters;
use tidegate_core::units::{Cycles, FineTime};

/// The whole cycles of a packet at line rate, at least 1.
pub fn packet_cycles(parameters: &Parameters) -> Cycles {
    let bytes = parameters.integer("packet_bytes") as u32 + parameters.overhead();
    FineTime::of_bytes(bytes, parameters.rate("line_rate_mbps")).whole().max(1)
}

/// The cycles in which sources start: within the second packet time, spread by the seed. In the first, all buckets fill
/// alike.
pub struct Starts {
    packet_cycles: Cycles,
    random: Random,
}

impl Starts {
    /// Of sources with these packets and links.
    pub fn new(parameters: &Parameters) -> Self {
        Starts { packet_cycles: packet_cycles(parameters), random: Random::new(parameters.integer("seed")) }
    }

    /// The start of the next source.
    pub fn start(&mut self) -> Cycles {
        self.packet_cycles + self.random.number() % self.packet_cycles
    }
}

impl Iterator for Starts {
    type Item = Cycles;

    fn next(&mut self) -> Option<Cycles> {
        Some(self.start())
    }
}
