// SPDX-License-Identifier: MIT OR Apache-2.0
//! What it takes to make a feedback frame, beside the cycles of the circuit.

use super::topology::Latency;
use tidegate_core::units::Cycles;
use tidegate_schemes::model::congestion_point::POP_LATENCY;
use tidegate_schemes::model::random::Random;

/// The latency of each feedback frame of an output. Its frames come out of one packet generator, so none of them
/// overtakes another: one that is ready before the frame in front of it has left follows that at once.
pub(super) struct Latencies {
    latency: Latency,
    random: Random,
    /// When the packet generator can begin the next frame.
    free: Cycles,
}

impl Latencies {
    /// Before the first frame.
    pub fn new(latency: Latency) -> Self {
        Latencies { latency, random: Random::new(latency.seed), free: 0 }
    }

    /// The cycle in which the next frame leaves, of so many words: the circuit writes the last one in cycle `written`.
    pub fn leaves(&mut self, written: Cycles, words: Cycles) -> Cycles {
        let Latency { least, most, .. } = self.latency;
        let more = self.random.fraction() * (most - least + 1) as f64;
        let leaves = (self.free + words - 1).max(written + least + more as Cycles);
        self.free = leaves + POP_LATENCY;
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_schemes::model::wire::FRAME_WORDS;

    const WORDS: Cycles = FRAME_WORDS as Cycles;

    #[test]
    fn latencies_fill_their_range_evenly() {
        let latency = Latency { least: 3, most: 6, seed: 7 };
        let mut latencies = Latencies::new(latency);
        let mut found = [0; 10];
        // So far apart that no frame waits for another.
        (1..=4000).for_each(|frame| found[(latencies.leaves(100 * frame, WORDS) - 100 * frame) as usize] += 1);
        assert!(found[3..=6].iter().all(|frames| (850..1150).contains(frames)), "{found:?}");
        assert_eq!(found[3..=6].iter().sum::<u32>(), 4000, "{found:?}");
    }

    #[test]
    fn no_frame_overtakes_another() {
        let latency = Latency { least: 0, most: 500, seed: 7 };
        let (mut latencies, mut random) = (Latencies::new(latency), Random::new(7));
        let (mut earliest, mut waited) = (0, 0);
        for written in (0..200_000).step_by(20) {
            let own = written + (random.fraction() * 501.0) as Cycles;
            waited += u32::from(own < earliest);
            assert_eq!(latencies.leaves(written, WORDS), own.max(earliest));
            earliest = own.max(earliest) + 9;
        }
        assert!(waited > 5000, "{waited} frames wait for another");
    }

    #[test]
    fn a_range_of_one_cycle_is_a_constant() {
        let mut latencies = Latencies::new(Latency { least: 25, most: 25, seed: 1 });
        (0..100).map(|frame| 10 * frame).for_each(|written| assert_eq!(latencies.leaves(written, WORDS), written + 25));
    }
}
