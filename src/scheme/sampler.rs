//! Which arriving packet is a sample.

use super::jitter::{DRAWS_OF_A_TURN, Jitter, JitterParameters};
use super::parameters::Parameters;
use crate::units::Cycles;

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
    /// In mode `time`: start of the current period, and whether a period has ended without a packet since.
    period_start: Cycles,
    due: bool,
    jitter: Jitter,
}

impl Sampler {
    /// A sampler before its first packet, in cycle 0.
    pub fn new(mode: SampleMode, bounds: JitterParameters, seed: u16) -> Self {
        Sampler::since(mode, bounds, seed, 0)
    }

    /// A sampler before its first packet, in cycle `start`; during the reset it had these bounds.
    pub fn since(mode: SampleMode, bounds: JitterParameters, seed: u16, start: Cycles) -> Self {
        Sampler { mode, elapsed: 0, period_start: start, due: false, jitter: Jitter::since(bounds, seed, start) }
    }

    /// The feedback block changes the smallest interval from cycle `from` on.
    pub fn set_interval_low(&mut self, from: Cycles, low: u32) {
        self.jitter.set_low(from, low);
    }

    /// A packet of `bytes` enters the queue in cycle `now`. Returns whether it is a sample.
    pub fn packet(&mut self, now: Cycles, bytes: u32) -> bool {
        let amount = match self.mode {
            SampleMode::Packets => 1,
            SampleMode::Bytes => bytes,
            SampleMode::Time => return self.packet_in_time(now),
        };
        let total = self.elapsed + amount;
        let full = total >= self.jitter.interval(now);
        self.elapsed = if full { 0 } else { total };
        if full {
            self.jitter.draw(now);
        }
        full
    }

    /// If a period ends in a cycle, a packet of the next cycle can be its sample. A period is much longer than the
    /// pipeline of the jitter, so each period has the interval of its own draw. Whole turns of the random source are
    /// skipped: they change the time only.
    fn packet_in_time(&mut self, now: Cycles) -> bool {
        let gap = now - self.period_start;
        if gap >= DRAWS_OF_A_TURN * Cycles::from(self.jitter.low()) {
            let turn = self.jitter.turn();
            self.due |= gap >= turn;
            self.period_start += gap / turn * turn;
        }
        loop {
            let end = self.period_start + Cycles::from(self.jitter.settled());
            if end > now {
                break;
            }
            self.period_start = end;
            self.due = true;
            self.jitter.draw(end - 1);
        }
        std::mem::take(&mut self.due)
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

/// Bytes between samples for QntzFb / 8 from 0 to 7, if `sample_bytes` is 150000 (IEEE 802.1Q).
const SAMPLE_TABLE: [u64; 8] = [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500];

/// Smallest sampling interval for each QntzFb / 8, and its jitter ratio. All are equal unless sampling is by bytes.
pub fn sampling(parameters: &Parameters) -> ([u32; 8], u16) {
    let percent = parameters.integer("sample_jitter_percent") as u32;
    let nominal = |row: usize| match sample_mode(parameters) {
        SampleMode::Packets => parameters.integer("sample_packets") as u32,
        SampleMode::Time => parameters.sample_period() as u32,
        SampleMode::Bytes => {
            let bytes = parameters.integer("sample_bytes") * SAMPLE_TABLE[row] / SAMPLE_TABLE[0];
            bytes.max(1) as u32
        }
    };
    let bounds: [JitterParameters; 8] = std::array::from_fn(|row| JitterParameters::around(nominal(row), percent));
    (bounds.map(|bound| bound.low), bounds[0].ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of packets in these cycles, computed period by period.
    fn one_by_one(bounds: JitterParameters, seed: u16, packets: &[Cycles]) -> Vec<bool> {
        let (mut jitter, mut start, mut due) = (Jitter::new(bounds, seed), 0, false);
        let mut sample = |&now: &Cycles| {
            while start + Cycles::from(jitter.settled()) <= now {
                start += Cycles::from(jitter.settled());
                due = true;
                jitter.draw(start - 1);
            }
            std::mem::take(&mut due)
        };
        packets.iter().map(&mut sample).collect()
    }

    #[test]
    fn gaps_are_jumped_over_exactly() {
        for (percent, seed) in [(0, 1), (15, 40_503), (50, 65_535)] {
            let bounds = JitterParameters::around(16, percent);
            let turn = Jitter::new(bounds, seed).turn();
            // About one turn and several turns, and the packets after a gap.
            let mut packets: Vec<Cycles> = vec![3];
            for gap in [turn - 20, turn - 1, turn, turn + 1, 5 * turn + 7, 40, 2, 2, 2, 30, 11 * turn] {
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
