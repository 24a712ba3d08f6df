// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sampler, at the ports.

use super::{Reference, columns};
use crate::rtl::circuit::Port;
use crate::scheme::jitter::JitterParameters;
use crate::scheme::sampler::{self, SampleMode};
use crate::units::Cycles;

columns!(reset, enqueue, enqueue_bytes, interval_low, interval_span, sample_mode, seed, sample);

/// The sampler of the model; `sample` depends on `enqueue` of the same cycle.
pub struct Sampler {
    at: Columns,
    model: sampler::Sampler,
    /// The model after the packet of this cycle.
    after: Option<sampler::Sampler>,
    /// Cycles since the reset.
    now: Cycles,
}

impl Sampler {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let model = sampler::Sampler::new(SampleMode::Packets, JitterParameters { low: 0, span: 0 }, 0);
        Sampler { at: Columns::of(ports), model, after: None, now: 0 }
    }

    fn interval(&self, row: &[u32]) -> JitterParameters {
        JitterParameters { low: row[self.at.interval_low], span: row[self.at.interval_span] }
    }
}

impl Reference for Sampler {
    fn outputs(&mut self, row: &mut [u32]) {
        self.model.set_interval(self.now, self.interval(row));
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
            self.model = sampler::Sampler::new(mode, self.interval(row), row[self.at.seed] as u16);
            self.now = 0;
            return;
        }
        if let Some(after) = self.after.take() {
            self.model = after;
        }
        self.now += 1;
    }
}
