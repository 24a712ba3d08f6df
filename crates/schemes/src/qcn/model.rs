// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN with the latencies of its circuits.

use super::flow_stages::FlowStagesModel;
use crate::model::codec::Payload;
use crate::model::device::{Calculator, CalculatorState};
use crate::model::flow_calculator::FlowCalculator;
use crate::model::rate_bounds::RateBounds;
use crate::model::{Fate, FeedbackModel, Fields, NEVER};
use crate::qcn::rule::{self as qcn, Ended, Rates};
use crate::scheme::Feedback;
use crate::scheme::parameters::Parameters;
use tidegate_core::units::{Cycles, OCTETS_PER_UNIT, Rate};

/// From the head of the queue until a sample with Fb ≥ 0 is dropped.
pub(crate) const DROP_LATENCY: Cycles = 6;
/// From the head of the queue to the first word of the frame.
pub const FEEDBACK_LATENCY: Cycles = 13;
/// From the cycle in which an operation is taken to the one in which the new rate and the new stages show; the new
/// target shows one cycle before.
pub const OPERATION_LATENCY: Cycles = 12;

/// QCN's feedback block.
pub struct FeedbackBlock(pub qcn::FeedbackParameters);

impl FeedbackModel for FeedbackBlock {
    fn sample(&mut self, q_offset: i32, q_delta: i32, _controlled: bool) -> Fate {
        let parameters = &self.0;
        match parameters.quantize(parameters.congestion(q_offset, q_delta)) {
            None => Fate { latency: DROP_LATENCY, send: None, interval: Some(parameters.interval(0)) },
            Some(quantized) => Fate {
                latency: FEEDBACK_LATENCY,
                send: parameters.sends(quantized).then(|| Fields::of_sample(quantized, q_offset, q_delta).into()),
                interval: Some(parameters.interval(quantized)),
            },
        }
    }

    fn change_parameters(&mut self, parameters: &Parameters) -> bool {
        self.0 = qcn::FeedbackParameters::new(parameters);
        true
    }
}

/// QCN's calculator.
pub struct CalculatorBlock {
    algorithm: qcn::ReactionPoint,
    /// As [`OPERATION_LATENCY`].
    latency: Cycles,
    /// How it quantises Qoff and ΔQ of a frame itself, if it does not take QntzFb.
    own: Option<OwnQuantiser>,
    operation: Option<(Cycles, Operation)>,
    byte_due: bool,
    time_due: bool,
    source_empty: bool,
    /// It became inactive in the last cycle: the registers show it in the next.
    deactivated: bool,
    bounds: RateBounds,
}

/// A quantiser in the reaction point, with more bits than a frame has for QntzFb.
#[derive(Clone, Copy)]
struct OwnQuantiser {
    parameters: qcn::FeedbackParameters,
    bits: u32,
}

impl OwnQuantiser {
    /// The parameters of a calculator for so many bits: G_d belongs to those of a frame.
    fn scaled(&self, parameters: qcn::CalculatorParameters) -> qcn::CalculatorParameters {
        qcn::CalculatorParameters { gd_shift: parameters.gd_shift + self.bits - qcn::FEEDBACK_BITS, ..parameters }
    }

    /// Of Qoff and ΔQ of a frame, which are rounded down to 64 octets.
    fn quantize(&self, feedback: &Feedback) -> u16 {
        let units = self.parameters.congestion(feedback.q_offset.into(), feedback.q_delta.into());
        self.parameters.quantize_to(self.bits, units * OCTETS_PER_UNIT)
    }
}

/// What a calculator does with rates and stages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// A decrease, which may set the target.
    Decrease {
        /// QntzFb, or the same in more bits.
        quantized_feedback: u16,
        /// The target becomes the rate before the decrease.
        moves_target: bool,
    },
    /// The increase at the end of a byte cycle or timer period.
    Increase(Ended),
}

impl Operation {
    fn apply(self, algorithm: &mut qcn::ReactionPoint) {
        match self {
            Operation::Decrease { quantized_feedback, moves_target } => {
                algorithm.decrease(quantized_feedback, moves_target)
            }
            Operation::Increase(ended) => algorithm.increase(ended),
        }
    }
}

/// One operation after the other on rates that are stored outside.
pub(crate) struct StepBlock {
    parameters: qcn::CalculatorParameters,
    /// Cycle in which the new rate shows outside, whether the target changes, and what there is then.
    operation: Option<(Cycles, bool, Rates)>,
}

impl StepBlock {
    /// Without an operation.
    pub(crate) fn new(parameters: qcn::CalculatorParameters) -> Self {
        StepBlock { parameters, operation: None }
    }

    /// Other parameters for the operations that start from now on.
    pub(crate) fn set_parameters(&mut self, parameters: qcn::CalculatorParameters) {
        self.parameters = parameters;
    }

    /// Whether an operation that started before is done in cycle `now`.
    pub(crate) fn busy(&self, now: Cycles) -> bool {
        self.operation.is_some_and(|(shows, ..)| now < shows)
    }

    /// Starts an operation in cycle `now`.
    pub(crate) fn start(&mut self, now: Cycles, operation: Operation, rates: Rates) {
        let (mut after, mut sets_target) = (rates, true);
        match operation {
            Operation::Decrease { quantized_feedback, moves_target } => {
                after.decrease(&self.parameters, quantized_feedback, moves_target);
                sets_target = moves_target;
            }
            Operation::Increase(ended) => after.increase(&self.parameters, ended),
        }
        self.operation = Some((now + OPERATION_LATENCY, sets_target, after));
    }

    /// The new target, in the cycle in which it changes.
    pub(crate) fn target(&self, now: Cycles) -> Option<Rate> {
        let (.., after) = self.operation.filter(|&(shows, sets_target, _)| sets_target && now + 2 == shows)?;
        Some(after.target)
    }

    /// The new rate and the new stages, in the cycle in which they change.
    pub(crate) fn change(&self, now: Cycles) -> Option<Rates> {
        self.operation.filter(|&(shows, ..)| now + 1 == shows).map(|(.., after)| after)
    }
}

impl CalculatorBlock {
    /// See [`qcn::ReactionPoint::set_registers`]. Not while an operation is done or waits.
    pub(crate) fn set_registers(&mut self, now: Cycles, parameters: qcn::CalculatorParameters) {
        self.algorithm.set_registers(now, parameters);
    }

    /// Whether parameters may change in cycle `now`: no operation is done or waits.
    pub(crate) fn rests(&self, now: Cycles) -> bool {
        self.operation.is_none_or(|(done, _)| done <= now) && !self.byte_due && !self.time_due
    }

    /// Inactive, at line rate. `latency` is [`OPERATION_LATENCY`], or that of another circuit.
    pub(crate) fn new(parameters: qcn::CalculatorParameters, latency: Cycles) -> Self {
        CalculatorBlock {
            algorithm: qcn::ReactionPoint::new(parameters),
            latency,
            own: None,
            operation: None,
            byte_due: false,
            time_due: false,
            source_empty: false,
            deactivated: false,
            bounds: RateBounds::default(),
        }
    }

    /// What stands at the ports in cycle `now` whatever comes in: the registers, with an operation that shows in this
    /// cycle, and whether a feedback would be taken.
    pub(crate) fn begin(&mut self, now: Cycles) -> (CalculatorState, bool) {
        let mut target = None;
        if let Some((done, operation)) = self.operation {
            if done == now {
                operation.apply(&mut self.algorithm);
                self.operation = None;
            } else if done == now + 1 {
                let mut after = self.algorithm;
                operation.apply(&mut after);
                target = Some(after.target_rate());
            }
        }
        let (byte_stage, time_stage) = self.algorithm.stages();
        let state = CalculatorState {
            current_rate: self.algorithm.current_rate(),
            target: Some((target.unwrap_or(self.algorithm.target_rate()), byte_stage, time_stage)),
        };
        (state, self.operation.is_none() && !self.byte_due && !self.time_due)
    }
}

impl Calculator for CalculatorBlock {
    /// See [`qcn::ReactionPoint::start_at`].
    fn set_rate(&mut self, rate: Rate) {
        self.algorithm.start_at(rate);
        self.bounds = RateBounds::of_any_rate();
    }

    /// Returns whether the frame ends the byte cycle.
    #[inline]
    fn sent(&mut self, now: Cycles, bytes: u32) -> bool {
        let ends = self.algorithm.sent(now, bytes);
        self.byte_due |= ends;
        ends
    }

    /// The random source stays. See [`qcn::ReactionPoint::set_parameters`].
    fn change_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        let ports = qcn::CalculatorParameters::new(parameters);
        self.algorithm.set_parameters(now, self.own.map_or(ports, |own| own.scaled(ports)));
    }

    fn quantize_itself(&mut self, parameters: &Parameters) {
        let bits = parameters.integer("fb_bits") as u32;
        if bits > qcn::FEEDBACK_BITS {
            self.own = Some(OwnQuantiser { parameters: qcn::FeedbackParameters::new(parameters), bits });
            self.change_parameters(0, parameters);
        }
    }

    fn next(&self, now: Cycles) -> Cycles {
        let mut next = self.algorithm.timer_end(now).unwrap_or(NEVER);
        if let Some((done, _)) = self.operation {
            next = next.min((done - 1).max(now));
        } else if self.byte_due
            || self.time_due
            || self.deactivated
            || (self.source_empty && self.algorithm.at_line_rate())
        {
            next = now;
        }
        next
    }

    fn uneventful(&self, bytes: u32) -> u64 {
        self.algorithm.frames_in_byte_cycle(bytes)
    }

    fn count(&mut self, frames: u64, bytes: u32) {
        self.algorithm.sent_in_byte_cycle(frames, bytes);
    }

    fn cycle(
        &mut self,
        now: Cycles,
        feedback: Option<&Payload>,
        sent: Option<u32>,
        source_empty: bool,
    ) -> (bool, CalculatorState) {
        self.source_empty = source_empty;
        let (state, _) = self.begin(now);
        let (rate, (min_rate, line_rate)) = (state.current_rate, self.algorithm.bounds());
        let at_line_rate = self.algorithm.active() && self.bounds.at_line_rate(now, rate, line_rate);
        let inactive = !self.algorithm.active();
        let mut taken = false;
        let mut deactivate = false;
        if self.operation.is_none() {
            let operation = if self.byte_due {
                self.byte_due = false;
                Some(Operation::Increase(Ended::ByteCycle))
            } else if self.time_due {
                self.time_due = false;
                Some(Operation::Increase(Ended::TimerPeriod))
            } else if let Some(&payload) = feedback {
                taken = true;
                let feedback = Feedback::from(payload);
                let moves_target = self.algorithm.take_feedback(now);
                let quantized_feedback =
                    self.own.map_or(feedback.quantized_feedback.into(), |own| own.quantize(&feedback));
                Some(Operation::Decrease { quantized_feedback, moves_target })
            } else {
                deactivate = source_empty && at_line_rate;
                None
            };
            self.operation = operation.map(|operation| (now + self.latency, operation));
        }
        let changes = self.operation.is_some_and(|(done, _)| done == now + 1);
        let bound = self.bounds.cycle(now, rate, (min_rate, line_rate), changes);
        if let Some(bytes) = sent {
            self.byte_due |= self.algorithm.sent(now, bytes);
        }
        if self.algorithm.timer_end(now) == Some(now) {
            self.algorithm.restart_timer(now);
            self.time_due = true;
        }
        self.time_due &= self.algorithm.has_timer();
        if inactive {
            self.algorithm.follow_line_rate();
        } else if let Some(rate) = bound.filter(|_| !changes) {
            self.algorithm.set_rate(rate);
        }
        self.deactivated = deactivate;
        if deactivate {
            self.algorithm.deactivate();
            self.byte_due = false;
            self.time_due = false;
        }
        (taken, state)
    }
}

/// The feedback block.
pub(crate) fn feedback(parameters: &Parameters) -> FeedbackBlock {
    FeedbackBlock(qcn::FeedbackParameters::new(parameters))
}

/// The calculator, inactive, at line rate.
pub fn calculator(parameters: &Parameters, seed: u16) -> CalculatorBlock {
    let parameters = qcn::CalculatorParameters { seed, ..qcn::CalculatorParameters::new(parameters) };
    CalculatorBlock::new(parameters, OPERATION_LATENCY)
}

/// The calculator of many flows.
pub(crate) fn flows(parameters: &Parameters) -> FlowCalculator {
    let ports = qcn::CalculatorParameters::new(parameters);
    FlowCalculator::Stages(FlowStagesModel::new(parameters.rp_flows() as usize, ports))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// The rate after one feedback, from line rate.
    fn rate_after(settings: &[(&str, &str)], quantized_feedback: u8) -> Rate {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters = registry::find("qcn").unwrap().parameters(&settings).unwrap();
        let mut calculator = calculator(&parameters, 1);
        calculator.quantize_itself(&parameters);
        let feedback = Feedback { quantized_feedback, q_offset: 300, q_delta: -10, ..Feedback::default() };
        assert!(calculator.cycle(0, Some(&feedback.into()), None, false).0);
        calculator.begin(OPERATION_LATENCY).0.current_rate
    }

    #[test]
    fn with_more_bits_the_feedback_of_the_frame_is_quantised_in_the_reaction_point() {
        let line_rate = rate_after(&[], 0).0;
        // Fb is 64·(300 − 2·10) bytes, of 65,536·5; G_d = 1/128 belongs to six bits.
        let (feedback, full_scale) = (64 * 280, 65_536 * 5);
        let six = 63 * feedback / full_scale;
        assert_eq!((six, rate_after(&[], six as u8).0), (3, line_rate - ((line_rate * six) >> 7)));
        let twelve = 4095 * feedback / full_scale;
        let expected = line_rate - ((u64::from(line_rate) * u64::from(twelve)) >> (7 + 6)) as u32;
        assert_eq!((twelve, rate_after(&[("fb_bits", "12")], 63).0), (223, expected));
        let half = [("fb_bits", "12"), ("fb_full_scale_bytes", "163840")];
        let twice = 4095 * feedback / (full_scale / 2);
        let expected = line_rate - ((u64::from(line_rate) * u64::from(twice)) >> (7 + 6)) as u32;
        assert_eq!((twice, rate_after(&half, 63).0), (447, expected));
    }
}
