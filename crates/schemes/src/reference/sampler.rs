// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sampler, at the ports.

use super::{Reference, columns};
use crate::scheme::jitter::JitterParameters;
use crate::scheme::sampler::{self, SampleMode};
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

columns!(reset, enqueue, enqueue_bytes, interval_low, interval_span, sample_mode, seed, sample);

/// The first cycle after the reset: bytes or packets that were counted can become cycles.
const FIRST: Cycles = 1 << 25;

/// The sampler of the model; `sample` depends on `enqueue` of the same cycle.
pub struct Sampler {
    at: Columns,
    model: sampler::Sampler,
    /// The model after the packet of this cycle.
    after: Option<sampler::Sampler>,
    /// Mode and interval in the last cycle of the reset. The seed is read in the next one.
    begins: Option<(SampleMode, JitterParameters)>,
    /// Cycles since the reset, and `FIRST`.
    now: Cycles,
}

impl Sampler {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let model = sampler::Sampler::new(SampleMode::Packets, JitterParameters { low: 0, span: 0 }, 0);
        Sampler { at: Columns::of(ports), model, after: None, begins: None, now: FIRST }
    }

    fn mode(&self, row: &[u32]) -> SampleMode {
        match row[self.at.sample_mode] {
            1 => SampleMode::Bytes,
            2 => SampleMode::Time,
            _ => SampleMode::Packets,
        }
    }

    fn interval(&self, row: &[u32]) -> JitterParameters {
        JitterParameters { low: row[self.at.interval_low], span: row[self.at.interval_span] }
    }
}

impl Reference for Sampler {
    fn outputs(&mut self, row: &mut [u32]) {
        if let Some((mode, interval)) = self.begins {
            self.model = sampler::Sampler::new(mode, interval, row[self.at.seed] as u16).later(FIRST);
        }
        self.model.set_interval(self.now, self.interval(row));
        let mut sample = false;
        let (mode, enters, bytes) = (self.mode(row), row[self.at.enqueue] != 0, row[self.at.enqueue_bytes]);
        let changes = mode != self.model.mode();
        self.after = (enters || changes).then(|| {
            let mut after = self.model.clone();
            sample = match changes {
                true => after.set_mode(self.now, mode, enters, bytes),
                false => after.packet(self.now, bytes),
            };
            after
        });
        row[self.at.sample] = u32::from(sample);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            (self.begins, self.now) = (Some((self.mode(row), self.interval(row))), FIRST);
            return;
        }
        self.begins = None;
        if let Some(after) = self.after.take() {
            self.model = after;
        }
        self.now += 1;
    }
}
