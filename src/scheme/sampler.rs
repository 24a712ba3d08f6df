//! Which arriving packet is a sample.

use super::jitter::{Jitter, JitterParameters};
use crate::units::Cycles;

/// What the intervals between samples are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleMode {
    /// One sample each so many arriving packets (the papers' sampling probability).
    Packets,
    /// One sample each so many arriving bytes (802.1Q).
    Bytes,
    /// The first packet after each period of so many cycles.
    Time,
}

/// Counts packets, bytes or cycles; the packet with which an interval is full is the sample (SCHEMES, Sampling).
#[derive(Clone, Debug)]
pub struct Sampler {
    mode: SampleMode,
    elapsed: u32,
    /// In mode `time`: start of the period under way, and whether one has ended with no packet since.
    period_start: Cycles,
    due: bool,
    jitter: Jitter,
}

impl Sampler {
    /// A sampler that has counted nothing yet, at cycle 0.
    pub fn new(mode: SampleMode, bounds: JitterParameters, seed: u16) -> Self {
        Sampler::since(mode, bounds, seed, 0)
    }

    /// A sampler that has counted nothing yet, at cycle `start`; while it was reset the bounds were these.
    pub fn since(mode: SampleMode, bounds: JitterParameters, seed: u16, start: Cycles) -> Self {
        Sampler { mode, elapsed: 0, period_start: start, due: false, jitter: Jitter::since(bounds, seed, start) }
    }

    /// The feedback block asks for another smallest interval from cycle `from` on.
    pub fn set_interval_low(&mut self, from: Cycles, low: u32) {
        self.jitter.set_low(from, low);
    }

    /// A packet of `bytes` enters the queue in cycle `now`: is it a sample?
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

    /// A period that ends in a cycle makes the packets of the next cycle due. Periods are far longer than the pipeline of the
    /// jitter, so that each has the interval that its draw leads to.
    fn packet_in_time(&mut self, now: Cycles) -> bool {
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
