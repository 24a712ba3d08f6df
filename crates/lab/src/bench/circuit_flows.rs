// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuit of a reaction point that serves many flows, as a device of a bench, on any machine.

use super::circuit::FieldOutputs;
use super::machine::Machine;
use super::received_frames::ReceivedFrames;
use tidegate_core::units::{Cycles, RATE_MAX, Rate};
use tidegate_schemes::model::device::{FlowReactionPoint, FlowReactionPointCycle};

/// A reaction point circuit of many flows and the frames on their way to it.
pub struct CircuitFlowReactionPoint<M: Machine> {
    machine: M,
    frames: ReceivedFrames<M::Input>,
    announce: M::Input,
    announce_flow: M::Input,
    announce_bytes: M::Input,
    send_ready: M::Input,
    send_bytes: M::Input,
    announce_ready: M::Output,
    refused: M::Output,
    grant_flow: M::Output,
    sent: M::Output,
    feedback_flow: M::Output,
    feedback_valid: M::Output,
    feedback_ready: M::Output,
    feedback: FieldOutputs<M::Output>,
    change_due: M::Output,
    changing_flow: M::Output,
    new_rate: M::Output,
    /// In the last cycle a new rate was not in force yet.
    changes: bool,
}

/// Signals inside that a [`CircuitFlowReactionPoint`] reads.
pub const FLOW_REACTION_POINT_PROBES: &[&str] = &[
    "parser.feedback_valid",
    "parser.feedback_ready",
    "parser.quantized_feedback",
    "parser.q_offset_units",
    "parser.q_delta_units",
    "feedback_flow.flow",
    "flow_limiter.rate_exchange.change_due",
    "flow_limiter.rate_exchange.reader",
    "flow_limiter.rate_exchange.rate_read",
];

impl<M: Machine> CircuitFlowReactionPoint<M> {
    /// A circuit after reset, made with [`FLOW_REACTION_POINT_PROBES`].
    pub fn new(machine: M) -> Self {
        CircuitFlowReactionPoint {
            frames: ReceivedFrames::new(&machine),
            announce: machine.input("announce"),
            announce_flow: machine.input("announce_flow"),
            announce_bytes: machine.input("announce_bytes"),
            send_ready: machine.input("send_ready"),
            send_bytes: machine.input("send_bytes"),
            announce_ready: machine.output("announce_ready"),
            refused: machine.output("refused"),
            grant_flow: machine.output("grant_flow"),
            sent: machine.output("sent"),
            feedback_flow: machine.output("feedback_flow.flow"),
            feedback_valid: machine.output("parser.feedback_valid"),
            feedback_ready: machine.output("parser.feedback_ready"),
            feedback: FieldOutputs::of(&machine, "parser"),
            change_due: machine.output("flow_limiter.rate_exchange.change_due"),
            changing_flow: machine.output("flow_limiter.rate_exchange.reader"),
            new_rate: machine.output("flow_limiter.rate_exchange.rate_read"),
            changes: false,
            machine,
        }
    }
}

impl<M: Machine> FlowReactionPoint for CircuitFlowReactionPoint<M> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.frames.deliver(at, frame);
    }

    fn cycle(&mut self, now: Cycles, announce: Option<(u16, u32)>, link: Option<u32>) -> FlowReactionPointCycle {
        self.frames.drive(&mut self.machine, now);
        let to = &mut self.machine;
        to.set(self.announce, u64::from(announce.is_some()));
        if let Some((flow, bytes)) = announce {
            to.set(self.announce_flow, flow.into());
            to.set(self.announce_bytes, bytes.into());
        }
        to.set(self.send_ready, u64::from(link.is_some()));
        to.set(self.send_bytes, link.unwrap_or(0).into());
        to.step(now);
        let from = &self.machine;
        debug_assert_eq!(from.get(self.refused), 0, "a flow announced two frames, or one longer than the bucket");
        let taken = from.get(self.feedback_valid) != 0 && from.get(self.feedback_ready) != 0;
        let due = from.get(self.change_due) != 0;
        let changed = std::mem::replace(&mut self.changes, due) && !due;
        FlowReactionPointCycle {
            announced: announce.is_some() && from.get(self.announce_ready) != 0,
            sent: (from.get(self.sent) != 0).then(|| from.get(self.grant_flow) as u16),
            feedback: taken.then(|| (from.get(self.feedback_flow) as u16, self.feedback.read(from).into())),
            rate: changed.then(|| {
                let rate = Rate(from.get(self.new_rate) as u32 & RATE_MAX);
                (from.get(self.changing_flow) as u16, rate)
            }),
        }
    }
}
