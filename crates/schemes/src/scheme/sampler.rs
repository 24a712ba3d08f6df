// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which arriving packet is a sample.

use super::jitter::{Jitter, JitterParameters};
use super::parameters::Parameters;
use tidegate_core::units::Cycles;

/// The unit of the intervals between samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleMode {
    /// Arriving packets (the sampling probability of the papers).
    Packets,
    /// Arriving bytes (802.1Q).
    Bytes,
    /// Clock cycles: the first packet after the end of each period is a sample.
    Time,
}

/// Counts packets, bytes or cycles; the packet that completes an interval is the sample.
#[derive(Clone, Debug)]
pub struct Sampler {
    mode: SampleMode,
    elapsed: u32,
    /// In mode `time`: first and last cycle of the current period, and whether a period has ended without a packet
    /// since.
    period_start: Cycles,
    period_end: Cycles,
    due: bool,
    jitter: Jitter,
    /// In mode `time`: the cycles of a whole turn of the random source, if a gap was so long that they were needed.
    turn: Option<Cycles>,
}

impl Sampler {
    /// A sampler before its first packet, in cycle 0.
    pub fn new(mode: SampleMode, bounds: JitterParameters, seed: u16) -> Self {
        // Its registers of the span are valid from the second cycle on.
        let jitter = Jitter::of_one(bounds, seed).after_a_cycle();
        let mut sampler = Sampler { mode, elapsed: 0, period_start: 0, period_end: 0, due: false, jitter, turn: None };
        sampler.begin_period(0);
        sampler
    }

    /// The same, so many cycles later.
    pub fn later(self, cycles: Cycles) -> Self {
        let (period_start, period_end) = (self.period_start + cycles, self.period_end + cycles);
        Sampler { period_start, period_end, jitter: self.jitter.later(cycles), ..self }
    }

    /// The interval has these bounds from cycle `from` on: its smallest value from this one, the span, which comes from a
    /// register, from the next one.
    pub fn set_interval(&mut self, from: Cycles, bounds: JitterParameters) {
        let before = self.jitter.bounds();
        if bounds == before {
            return;
        }
        if self.mode == SampleMode::Time {
            self.end_periods(from);
            self.turn = None;
        }
        self.jitter.set_bounds(from, JitterParameters { low: bounds.low, ..before });
        self.jitter.set_bounds(from + 1, bounds);
        self.begin_period(self.period_start);
    }

    /// Counts in another mode from cycle `now` on, in which a packet `enters` or not; `bytes` is what stands at the port of its
    /// length. What was counted stays. In this cycle the circuit still compares what the mode before counts: its counter of
    /// 24 bits can pass its end, because the interval is compared with one more only, and the bytes are added. Returns
    /// whether the packet is a sample. Cycle `now` is not before that of as many cycles as were counted.
    pub fn set_mode(&mut self, now: Cycles, mode: SampleMode, enters: bool, bytes: u32) -> bool {
        if self.mode == SampleMode::Time {
            self.end_periods(now);
            (self.elapsed, self.due) = ((now - self.period_start) as u32, false);
        }
        let amount = |mode| if mode == SampleMode::Bytes { bytes } else { 1 };
        let counts = enters || mode == SampleMode::Time;
        let full = counts && self.elapsed + amount(self.mode) >= self.jitter.first_before(now);
        if full {
            self.elapsed = 0;
            self.jitter.draw(now);
        } else if counts {
            self.elapsed = (self.elapsed + amount(mode)) & 0xff_ffff;
        }
        (self.mode, self.turn) = (mode, None);
        if mode == SampleMode::Time {
            self.due = full;
            // Cycles are compared from the next cycle on, also if enough was counted before: in this one a packet of no
            // bytes may have been.
            self.jitter.pass_to(now + 1);
            self.begin_period(now + 1 - Cycles::from(self.elapsed));
        }
        full && mode != SampleMode::Time
    }

    /// What it counts.
    pub fn mode(&self) -> SampleMode {
        self.mode
    }

    /// In mode `time`, a period begins in cycle `start`. The source of its length changes only where it ends.
    fn begin_period(&mut self, start: Cycles) {
        if self.mode == SampleMode::Time {
            self.period_start = start;
            self.period_end = self.jitter.period_end(start);
        }
    }

    /// A packet of `bytes` enters the queue in cycle `now`. Returns whether it is a sample.
    #[inline]
    pub fn packet(&mut self, now: Cycles, bytes: u32) -> bool {
        let amount = match self.mode {
            SampleMode::Packets => 1,
            SampleMode::Bytes => bytes,
            SampleMode::Time => return self.packet_in_time(now),
        };
        let total = self.elapsed + amount;
        let full = total >= self.jitter.first_before(now);
        self.elapsed = if full { 0 } else { total };
        if full {
            self.jitter.draw(now);
        }
        full
    }

    /// If a period ends in a cycle, a packet of the next cycle can be its sample.
    fn packet_in_time(&mut self, now: Cycles) -> bool {
        self.end_periods(now);
        std::mem::take(&mut self.due)
    }

    /// Ends the periods whose last cycle is before cycle `now`. Of a gap that is longer than a turn of
    /// the random source, whole turns are skipped: they change the time only.
    fn end_periods(&mut self, now: Cycles) {
        while self.period_end < now {
            self.jitter.draw(self.period_end);
            let mut start = self.period_end + 1;
            self.due = true;
            let gap = now - start;
            if gap >= self.jitter.shortest_turn() && self.jitter.recurs() {
                let turn = *self.turn.get_or_insert_with(|| self.jitter.turn());
                let skipped = gap / turn * turn;
                start += skipped;
                self.jitter = self.jitter.later(skipped);
            }
            self.begin_period(start);
        }
    }
}

/// What the sampler counts.
pub fn sample_mode(parameters: &Parameters) -> SampleMode {
    match parameters.choice("sample_mode") {
        "bytes" => SampleMode::Bytes,
        "time" => SampleMode::Time,
        _ => SampleMode::Packets,
    }
}

/// The seed of a queue, not 0, where one congestion point serves many: each has another one.
pub fn seed_of_queue(seed: u16, queue: u16) -> u16 {
    match seed ^ (queue << 10) ^ (queue << 2) {
        0 => u16::MAX,
        seed => seed,
    }
}

/// Bytes between samples for QntzFb / 8 from 0 to 7, if `sample_bytes` is 150000 (IEEE 802.1Q).
const SAMPLE_TABLE: [u64; 8] = [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500];

/// The sampling interval for each QntzFb / 8. All are equal unless sampling is by bytes.
pub fn sampling(parameters: &Parameters) -> [JitterParameters; 8] {
    let percent = parameters.integer("sample_jitter_percent") as u32;
    let nominal = |row: usize| match sample_mode(parameters) {
        SampleMode::Packets => parameters.integer("sample_packets") as u32,
        SampleMode::Time => parameters.sample_period() as u32,
        SampleMode::Bytes => {
            let bytes = parameters.integer("sample_bytes") * SAMPLE_TABLE[row] / SAMPLE_TABLE[0];
            bytes.max(1) as u32
        }
    };
    std::array::from_fn(|row| JitterParameters::around(nominal(row), percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of packets in these cycles, computed period by period.
    fn one_by_one(bounds: JitterParameters, seed: u16, packets: &[Cycles]) -> Vec<bool> {
        let (mut jitter, mut start, mut due) = (Jitter::of_one(bounds, seed).after_a_cycle(), 0, false);
        let mut sample = |&now: &Cycles| {
            loop {
                let end = jitter.period_end(start);
                if end >= now {
                    break;
                }
                start = end + 1;
                due = true;
                jitter.draw(end);
            }
            std::mem::take(&mut due)
        };
        packets.iter().map(&mut sample).collect()
    }

    #[test]
    fn gaps_are_jumped_over_exactly() {
        for (percent, seed) in [(0, 1), (50, 65_535)] {
            let bounds = JitterParameters::around(16, percent);
            let mut jitter = Jitter::of_one(bounds, seed);
            jitter.draw(jitter.period_end(0));
            assert!(jitter.recurs());
            let turn = if percent == 0 { 1 << 27 } else { jitter.turn() };
            // About one turn and more than two, and the packets after a gap.
            let mut packets: Vec<Cycles> = vec![3];
            for gap in [turn - 1, turn, turn + 1, 40, 2, 2, 2, 30, 2 * turn + 7] {
                let last = packets[packets.len() - 1];
                packets.extend((0..40).map(|packet| last + gap + 3 * packet));
            }
            let mut sampler = Sampler::new(SampleMode::Time, bounds, seed);
            let samples: Vec<bool> = packets.iter().map(|&now| sampler.packet(now, 60)).collect();
            assert_eq!(samples, one_by_one(bounds, seed, &packets), "± {percent} %");
            assert!(samples.contains(&true) && samples.contains(&false));
        }
    }

    /// 2³² seconds at 125 MHz, in periods of 16 cycles.
    #[test]
    fn a_gap_of_a_century_takes_no_time() {
        let mut sampler = Sampler::new(SampleMode::Time, JitterParameters::around(16, 15), 1);
        assert!((1..20).all(|century| sampler.packet(century * (125_000_000 << 32) / 2, 60)));
    }
}
