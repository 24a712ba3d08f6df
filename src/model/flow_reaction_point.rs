//! A reaction point that serves many flows: one parser, one rate limiter, and a calculator for each flow.

use super::device::{Calculator, FlowReactionPoint, FlowReactionPointCycle};
use super::flow_limiter::{FlowLimiterInputs, FlowLimiterModel};
use super::parser::ParserModel;
use super::wire::Address;
use super::{Fields, NEVER};
use crate::scheme::flow_bucket::FlowBucketParameters;
use crate::scheme::parameters::Parameters;
use crate::units::{Cycles, Rate};

/// A reaction point of many flows. The circuit has one calculator, which reads and writes the state of a flow; here each
/// flow has its own, of which only one has a feedback at a time.
pub struct ModelFlowReactionPoint<C> {
    parser: ParserModel,
    calculators: Vec<C>,
    limiter: FlowLimiterModel,
    /// The new rate of a flow that was not in force in the last cycle.
    changing: Option<(u16, Rate)>,
}

impl<C: Calculator> ModelFlowReactionPoint<C> {
    /// At cycle 0, with empty buckets. Each feedback must be one step of the rate for a calculator, and nothing else may
    /// change it. `tick_bits` is the binary logarithm of the cycles of a tick of the circuit.
    pub fn new(calculators: Vec<C>, parameters: &Parameters, tick_bits: usize) -> Self {
        let flows = calculators.len();
        let bucket = FlowBucketParameters {
            bucket_bytes: parameters.integer("bucket_bytes") as u32,
            overhead_bytes: parameters.overhead(),
            tick_bits: tick_bits as u32,
        };
        let address = Address { flow_mask: flows as u64 - 1, ..Address::any_cpid(parameters.rp_mac(0)) };
        ModelFlowReactionPoint {
            parser: ParserModel::new(address),
            calculators,
            limiter: FlowLimiterModel::new(flows, parameters.rate("line_rate_mbps"), bucket),
            changing: None,
        }
    }
}

impl<C: Calculator> FlowReactionPoint for ModelFlowReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.parser.deliver(at, frame);
    }

    fn cycle(&mut self, now: Cycles, announce: Option<(u16, u32)>, link: Option<u32>) -> FlowReactionPointCycle {
        let offered = self.parser.offered(now);
        let mut inputs = FlowLimiterInputs {
            announce,
            send: link,
            feedback: offered.map(|parsed| parsed.flow),
            ..Default::default()
        };
        let mut taken = None;
        if let Some(parsed) = offered
            && self.limiter.rate_known()
        {
            let calculator = &mut self.calculators[usize::from(parsed.flow)];
            if calculator.cycle(now, Some(&parsed.feedback), None, false).0 {
                taken = Some((parsed.flow, Fields::of(&parsed.feedback)));
                inputs.feedback_taken = true;
                // A feedback that is ignored has no step that shows later.
                let shows = calculator.next(now + 1);
                if shows != NEVER {
                    let rate = calculator.cycle(shows, None, None, false).1.current_rate;
                    inputs.change = Some((rate, 0));
                }
            }
        }
        let rate = self.changing.take_if(|&mut (flow, rate)| self.limiter.rate_of(flow) == rate);
        let outputs = self.limiter.cycle(&inputs);
        debug_assert!(!outputs.refused, "a flow announced two frames, or one that is longer than the bucket");
        if let (Some((flow, _)), Some((rate, _))) = (taken, inputs.change) {
            self.changing = Some((flow, rate));
        }
        self.parser.cycle(now, taken.is_some());
        FlowReactionPointCycle {
            announced: outputs.announce_ready,
            sent: outputs.grant.filter(|_| outputs.sent),
            feedback: taken,
            rate,
        }
    }
}
