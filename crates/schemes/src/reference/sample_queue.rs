// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue of samples, at the ports.

use super::{Reference, column, columns};
use crate::model::congestion_point::{POP_LATENCY, SAMPLE_QUEUE_DEPTH, SAMPLE_QUEUE_LATENCY};
use std::collections::VecDeque;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::Cycles;

columns!(reset, sample, pop, ready, lost, head_valid);

/// The fields of a sample. The two of the queue monitor come one cycle later than the others.
const FIELDS: [&str; 11] = [
    "q_offset",
    "q_delta",
    "controlled",
    "source_mac_high",
    "source_mac_low",
    "destination_mac_high",
    "destination_mac_low",
    "has_tag",
    "vlan_tci",
    "has_cn_tag",
    "flow_id",
];
const LATE_FIELDS: usize = 2;

#[derive(Clone, Copy)]
struct Sample {
    /// Cycle of its packet.
    entered: Cycles,
    fields: [u32; FIELDS.len()],
}

/// A list of at most four samples. A sample that comes while the queue is full is lost, and `lost` is high in the next
/// cycle. `sample` must come with `enqueue`, `pop` with `head_valid`.
pub struct SampleQueue {
    at: Columns,
    fields: [usize; FIELDS.len()],
    head: [usize; FIELDS.len()],
    waiting: VecDeque<Sample>,
    /// The sample of the cycle before, without the late fields, and whether there was room for it.
    sampled: Option<(bool, Sample)>,
    last_pop: Option<Cycles>,
    now: Cycles,
}

impl SampleQueue {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        SampleQueue {
            at: Columns::of(ports),
            fields: FIELDS.map(|field| column(ports, field)),
            head: FIELDS.map(|field| column(ports, &format!("head_{field}"))),
            waiting: VecDeque::with_capacity(SAMPLE_QUEUE_DEPTH + 1),
            sampled: None,
            last_pop: None,
            now: 0,
        }
    }

    /// The sample at the head.
    fn head(&self) -> Option<&Sample> {
        let read = self.last_pop.is_none_or(|pop| pop + POP_LATENCY <= self.now);
        self.waiting.front().filter(|head| read && head.entered + SAMPLE_QUEUE_LATENCY <= self.now)
    }

    fn room(&self) -> bool {
        self.waiting.len() + usize::from(self.sampled.is_some_and(|(room, _)| room)) < SAMPLE_QUEUE_DEPTH
    }
}

impl Reference for SampleQueue {
    fn outputs(&mut self, row: &mut [u32]) {
        let head = self.head();
        row[self.at.ready] = u32::from(self.room());
        row[self.at.lost] = u32::from(self.sampled.is_some_and(|(room, _)| !room));
        row[self.at.head_valid] = u32::from(head.is_some());
        if let Some(head) = head {
            for (&column, field) in self.head.iter().zip(head.fields) {
                row[column] = field;
            }
        }
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            self.waiting.clear();
            (self.sampled, self.last_pop) = (None, None);
            return;
        }
        let room = self.room();
        if row[self.at.pop] != 0 {
            self.waiting.pop_front();
            self.last_pop = Some(self.now);
        }
        let fields = self.fields.map(|column| row[column]);
        if let Some((true, mut sample)) = self.sampled {
            sample.fields[..LATE_FIELDS].copy_from_slice(&fields[..LATE_FIELDS]);
            self.waiting.push_back(sample);
        }
        self.sampled = (row[self.at.sample] != 0).then_some((room, Sample { entered: self.now, fields }));
        self.now += 1;
    }

    /// QCN's feedback block uses the weight of the cycle before a sample is at the head, too.
    fn settled(&self) -> bool {
        self.head().is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        (output.starts_with("head_") && output != "head_valid").then_some("head_valid")
    }
}
