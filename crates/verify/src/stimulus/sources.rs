// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources and a link around a rate limiter of many flows.

use super::random::{PATTERNS, Pattern, Random, Willing};
use super::values::{Meaning, Mood, World};
use super::{Names, set};

/// Announces frames of flows, and sends those that are granted. What is announced may be refused: a second frame of a
/// flow, one that is longer than the bucket, one of a flow that does not exist.
pub struct Sources {
    announce: usize,
    announce_flow: usize,
    announce_bytes: usize,
    announce_ready: usize,
    refused: usize,
    grant: usize,
    grant_flow: usize,
    send_ready: usize,
    send_bytes: usize,
    sent: usize,
    /// Length of the frame that each flow has announced.
    waiting: Vec<Option<u32>>,
    /// The flow whose frame was taken last; it may be refused.
    taken: Option<usize>,
    announcing: Willing,
    link: Willing,
    /// The first flows announce frames in this phase, so many.
    active: u64,
}

impl Sources {
    /// The sources of a circuit that serves so many.
    pub fn of(names: &Names, flows: u64) -> Option<Self> {
        Some(Sources {
            announce: names.input("announce")?,
            announce_flow: names.input("announce_flow")?,
            announce_bytes: names.input("announce_bytes")?,
            announce_ready: names.output("announce_ready")?,
            refused: names.output("refused")?,
            grant: names.output("grant")?,
            grant_flow: names.output("grant_flow")?,
            send_ready: names.input("send_ready")?,
            send_bytes: names.input("send_bytes")?,
            sent: names.output("sent")?,
            waiting: vec![None; flows as usize],
            taken: None,
            announcing: Willing::new(PATTERNS[0]),
            link: Willing::new(PATTERNS[0]),
            active: flows,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 5] {
        [self.announce, self.announce_flow, self.announce_bytes, self.send_ready, self.send_bytes]
    }

    /// The cycle before this one.
    pub fn see(&mut self, row: &[u32], resets: bool) {
        if resets {
            self.waiting.fill(None);
            self.taken = None;
            return;
        }
        if row[self.refused] != 0
            && let Some(flow) = self.taken.take()
        {
            self.waiting[flow] = None;
        }
        if row[self.announce] != 0 && row[self.announce_ready] != 0 {
            let flow = row[self.announce_flow] as usize;
            self.taken = self.waiting.get(flow).is_some_and(Option::is_none).then_some(flow);
            if let Some(flow) = self.taken {
                self.waiting[flow] = Some(row[self.announce_bytes]);
            }
        }
        if row[self.sent] != 0
            && let Some(waiting) = self.waiting.get_mut(row[self.grant_flow] as usize)
        {
            *waiting = None;
        }
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.announcing = Willing::new(random.pick(&PATTERNS));
        self.link = Willing::new(random.pick(&PATTERNS));
        let flows = self.waiting.len() as u64;
        self.active = random.pick(&[1, flows, flows]);
    }

    /// No new frame until the next phase, and nothing that stops those that wait.
    pub fn rest(&mut self) {
        self.announcing = Willing::new(Pattern::Never);
        self.link = Willing::new(Pattern::Always);
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, raw: bool, row: &mut [u32]) {
        let held = row[self.announce] != 0 && row[self.announce_ready] == 0;
        if !held || raw && random.chance(2) {
            let flow = if random.chance(98) { random.below(self.active) as u32 } else { random.bus(12) };
            let waits = self.waiting.get(flow as usize).is_some_and(Option::is_some);
            let valid = self.announcing.next(random) && (!waits || random.chance(5));
            set(row, self.announce, u32::from(valid));
            set(row, self.announce_flow, flow);
            // Many short frames show the rate of a flow in a short time.
            let bytes = match random.chance(50) {
                true => random.between(1, 200) as u32,
                false => world.value(Meaning::Request, random, mood),
            };
            set(row, self.announce_bytes, bytes);
        }
        let granted = Some(row[self.grant_flow] as usize).filter(|_| row[self.grant] != 0);
        let length = granted.and_then(|flow| *self.waiting.get(flow)?);
        set(row, self.send_ready, u32::from(self.link.next(random)));
        set(row, self.send_bytes, length.unwrap_or_else(|| random.bus(14)));
    }
}
