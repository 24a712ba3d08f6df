//! The sampler, at the ports.

use super::{Reference, columns};
use crate::rtl::circuit::Port;
use crate::scheme::jitter::JitterParameters;
use crate::scheme::sampler::{self, SampleMode};
use crate::units::Cycles;

columns!(reset, enqueue, enqueue_bytes, interval_low, sample_mode, jitter_ratio, seed, sample);

/// The sampler of the model; `sample` depends on `enqueue` of the same cycle. In the mode `time`, `interval_low` must
/// not change and must be at least 16 cycles.
pub struct Sampler {
    at: Columns,
    model: sampler::Sampler,
    /// The model after the packet of this cycle.
    after: Option<sampler::Sampler>,
    interval_low: u32,
    /// Cycles since the last cycle of the reset.
    now: Cycles,
}

impl Sampler {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let model = sampler::Sampler::new(SampleMode::Packets, JitterParameters { low: 0, ratio: 0 }, 0);
        Sampler { at: Columns::of(ports), model, after: None, interval_low: 0, now: 0 }
    }

    fn heed_interval(&mut self, interval_low: u32) {
        if self.interval_low != interval_low {
            self.interval_low = interval_low;
            self.model.set_interval_low(self.now, interval_low);
        }
    }
}

impl Reference for Sampler {
    fn outputs(&mut self, row: &mut [u32]) {
        self.heed_interval(row[self.at.interval_low]);
        let mut sample = false;
        self.after = (row[self.at.enqueue] != 0).then(|| {
            let mut after = self.model.clone();
            sample = after.packet(self.now, row[self.at.enqueue_bytes]);
            after
        });
        row[self.at.sample] = u32::from(sample);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            let mode = match row[self.at.sample_mode] {
                1 => SampleMode::Bytes,
                2 => SampleMode::Time,
                _ => SampleMode::Packets,
            };
            self.interval_low = row[self.at.interval_low];
            let bounds = JitterParameters { low: self.interval_low, ratio: row[self.at.jitter_ratio] as u16 };
            self.model = sampler::Sampler::since(mode, bounds, row[self.at.seed] as u16, 1);
            self.now = 0;
        } else if let Some(after) = self.after.take() {
            self.model = after;
        }
        self.now += 1;
    }
}
