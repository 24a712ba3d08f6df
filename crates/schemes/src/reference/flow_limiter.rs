// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of many flows, at the ports.

use super::{Reference, columns};
use crate::model::flow_limiter::{FlowLimiterInputs, FlowLimiterModel, FlowRateBounds};
use crate::scheme::flow_bucket::FlowBucketParameters;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::reaction_point::flow_numbers::tick_bits;
use tidegate_core::units::{RATE_BITS, Rate};

columns!(
    reset,
    line_rate,
    min_rate,
    bucket_bytes,
    overhead_bytes,
    clearing,
    announce,
    announce_flow,
    announce_bytes,
    announce_ready,
    refused,
    grant,
    grant_flow,
    send_ready,
    send_bytes,
    sent,
    feedback_valid,
    feedback_flow,
    rate_valid,
    rate,
    mode,
    rate_waits,
    feedback_taken,
    change,
    new_rate,
    new_mode,
    visited,
    visited_flow,
    visited_rate,
);

/// The model that `sim` runs. The bucket is at least 128 bytes deep; the length with `send_ready` is the one that the
/// flow of the grant has announced.
pub(crate) struct FlowLimiter {
    at: Columns,
    flows: usize,
    modes: bool,
    model: FlowLimiterModel,
}

/// Whether this flow limiter stores a mode with each rate, and with the bit that says that it is the line rate.
pub fn stores_modes(circuit: &Circuit) -> bool {
    let mut memories = circuit.netlist.modules.iter().flat_map(|module| &module.memories);
    memories.any(|memory| memory.name == "rates" && memory.bits > RATE_BITS as usize + 1)
}

impl FlowLimiter {
    /// Before the first reset.
    pub(crate) fn new(circuit: &Circuit) -> Self {
        let (at, flows) = (Columns::of(&circuit.ports), circuit.flows() as usize);
        let bounds = FlowRateBounds { line_rate: Rate(0), min_rate: Rate(0) };
        let model = FlowLimiterModel::new(flows, bounds, bucket(flows, 0, 0));
        FlowLimiter { model, at, flows, modes: stores_modes(circuit) }
    }

    fn announced(&self, row: &[u32]) -> Option<(u16, u32)> {
        let at = &self.at;
        (row[at.announce] != 0).then_some((row[at.announce_flow] as u16, row[at.announce_bytes]))
    }

    fn parameters(&self, row: &[u32]) -> (FlowRateBounds, FlowBucketParameters) {
        let at = &self.at;
        let bounds = FlowRateBounds { line_rate: Rate(row[at.line_rate]), min_rate: Rate(row[at.min_rate]) };
        (bounds, bucket(self.flows, row[at.bucket_bytes], row[at.overhead_bytes]))
    }

    fn sendable(&self, row: &[u32]) -> Option<u32> {
        (row[self.at.send_ready] != 0).then_some(row[self.at.send_bytes])
    }
}

fn bucket(flows: usize, bucket_bytes: u32, overhead_bytes: u32) -> FlowBucketParameters {
    let tick_bits = tick_bits(flows.ilog2() as usize) as u32;
    FlowBucketParameters { bucket_bytes, overhead_bytes, tick_bits }
}

impl Reference for FlowLimiter {
    fn outputs(&mut self, row: &mut [u32]) {
        let (bounds, bucket) = self.parameters(row);
        self.model.set_parameters(bounds, bucket);
        let outputs = self.model.outputs(self.announced(row), self.sendable(row));
        let at = &self.at;
        row[at.clearing] = outputs.clearing.into();
        row[at.announce_ready] = outputs.announce_ready.into();
        row[at.refused] = outputs.refused.into();
        row[at.grant] = outputs.grant.is_some().into();
        row[at.grant_flow] = outputs.grant.map_or(0, u32::from);
        row[at.sent] = outputs.sent.into();
        row[at.rate_valid] = outputs.rate.is_some().into();
        let (rate, mode) = outputs.rate.unwrap_or((Rate(0), 0));
        (row[at.rate], row[at.mode]) = (rate.0, mode.into());
        row[at.visited] = outputs.visited.is_some().into();
        let (flow, rate) = outputs.visited.unwrap_or((0, Rate(0)));
        (row[at.visited_flow], row[at.visited_rate]) = (flow.into(), rate.0);
        row[at.rate_waits] = self.model.rate_read().is_some_and(|read| read.waits).into();
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            let (bounds, bucket) = self.parameters(row);
            self.model = FlowLimiterModel::new(self.flows, bounds, bucket);
            return;
        }
        let mode = if self.modes { row[at.new_mode] as u8 } else { 0 };
        self.model.cycle(&FlowLimiterInputs {
            announce: self.announced(row),
            send: self.sendable(row),
            feedback: (row[at.feedback_valid] != 0).then_some(row[at.feedback_flow] as u16),
            feedback_taken: row[at.feedback_taken] != 0,
            change: (row[at.change] != 0).then_some((Rate(row[at.new_rate]), mode)),
        });
    }

    fn settled(&self) -> bool {
        self.model.rests()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "grant_flow" => Some("grant"),
            "visited_flow" | "visited_rate" => Some("visited"),
            "rate" | "mode" | "rate_waits" => Some("rate_valid"),
            _ => None,
        }
    }
}
