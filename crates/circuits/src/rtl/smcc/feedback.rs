// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC's feedback block: every sample is sent.

use crate::rtl::congestion_point::frame_units::FrameUnits;
use tidegate_hdl::prelude::*;

module! {
    /// Turns the sample at the head of the queue into the fields of a frame: Qoff and ΔQ in fields of their own, both
    /// signs (Jiang 2015b, section 4.2). Combinational. A sample of a flow that no reaction point controls is dropped
    /// in one cycle.
    pub struct SmccFeedback: "feedback_smcc" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A sample is at the head of the sample queue; its fields below are valid.
        pub sample_valid: Signal<In, Bit>,
        /// A reaction point controls the flow of this sample.
        pub controlled: Signal<In, Bit>,
        /// Queue offset of this sample, bytes, two's complement.
        pub q_offset: Signal<In, Bits<25>>,
        /// Change of the queue since the sample before, bytes, two's complement.
        pub q_delta: Signal<In, Bits<25>>,
        /// The last word of the frame is transferred in this cycle.
        pub frame_done: Signal<In, Bit>,
        /// The frame fields below are valid; they are held until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb: 0, this scheme does not use it.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// QOffset, units of 64 octets, two's complement.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Remove this sample from the sample queue.
        pub pop: Signal<Out, Bit>,
        offset: FrameUnits,
        delta: FrameUnits,
    }
}

impl Logic for SmccFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.offset.is_below.next = self.offset.below.val();
        self.offset.is_above.next = self.offset.above.val();
        self.delta.is_below.next = self.delta.below.val();
        self.delta.is_above.next = self.delta.above.val();
        self.q_offset_units.next = self.offset.units.val();
        self.q_delta_units.next = self.delta.units.val();
        self.quantized_feedback.next = 0.into();
        self.feedback_valid.next = self.sample_valid.val() & self.controlled.val();
        self.pop.next = self.sample_valid.val() & (self.frame_done.val() | !self.controlled.val());
    }
}
