// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reaction point that serves many flows: parser, calculator and rate limiter, exact to the cycle.

use super::codec::Codec;
use super::device::{FlowReactionPoint, FlowReactionPointCycle};
use super::flow_calculator::FlowCalculator;
use super::flow_limiter::{FlowLimiterInputs, FlowLimiterModel, FlowRateBounds};
use super::parser::ParserModel;
use super::wire::Address;
use crate::scheme::flow_bucket::FlowBucketParameters;
use crate::scheme::parameters::Parameters;
use crate::scheme::rate_levels;
use tidegate_core::units::{Cycles, Rate};

/// A reaction point of many flows.
pub struct ModelFlowReactionPoint {
    parser: ParserModel,
    calculator: FlowCalculator,
    limiter: FlowLimiterModel,
    /// The new rate of a flow that was not in force in the last cycle.
    changing: Option<(u16, Rate)>,
}

impl ModelFlowReactionPoint {
    /// At cycle 0, with empty buckets. `tick_bits` is the binary logarithm of the cycles of a tick of the circuit.
    pub fn new(calculator: FlowCalculator, codec: Codec, parameters: &Parameters, tick_bits: usize) -> Self {
        let flows = parameters.rp_flows();
        let bucket = FlowBucketParameters {
            bucket_bytes: parameters.integer("bucket_bytes") as u32,
            overhead_bytes: parameters.overhead(),
            tick_bits: tick_bits as u32,
        };
        let address = Address { flow_mask: flows - 1, ..Address::of(parameters, 0) };
        let bounds = FlowRateBounds {
            line_rate: parameters.rate("line_rate_mbps"),
            min_rate: rate_levels::min_rate(parameters),
        };
        ModelFlowReactionPoint {
            parser: ParserModel::new(codec, address),
            calculator,
            limiter: FlowLimiterModel::new(flows as usize, bounds, bucket),
            changing: None,
        }
    }
}

impl FlowReactionPoint for ModelFlowReactionPoint {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.parser.deliver(at, frame);
    }

    fn cycle(&mut self, now: Cycles, announce: Option<(u16, u32)>, link: Option<u32>) -> FlowReactionPointCycle {
        let offered = self.parser.offered(now);
        let feedback = offered.as_ref().map(|parsed| (parsed.flow, &parsed.feedback));
        let wanted = self.calculator.rate_wanted(feedback.map(|(flow, _)| flow));
        let send = link.filter(|_| self.calculator.sent_ready());
        let change = self.calculator.cycle(now, feedback, self.limiter.rate_read());
        let rate = self.changing.take_if(|&mut (flow, rate)| self.limiter.rate_of(flow) == rate);
        let outputs = self.limiter.cycle(&FlowLimiterInputs {
            announce,
            send,
            feedback: wanted,
            feedback_taken: change.rate_taken,
            change: change.rate.map(|rate| (rate, 0)),
        });
        debug_assert!(!outputs.refused, "a flow announced two frames, or one that is longer than the bucket");
        if let (Some(flow), Some(rate)) = (wanted, change.rate) {
            self.changing = Some((flow, rate));
        }
        let sent = outputs.grant.filter(|_| outputs.sent);
        if let (Some(flow), Some(bytes)) = (sent, link) {
            self.calculator.count(flow, bytes);
        }
        let taken = feedback.filter(|_| change.feedback_taken).map(|(flow, &feedback)| (flow, feedback));
        self.parser.cycle(now, taken.is_some());
        FlowReactionPointCycle { announced: outputs.announce_ready, sent, feedback: taken, rate }
    }
}
