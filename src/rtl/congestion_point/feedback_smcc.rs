//! SMCC's feedback block: every sample is sent.

use super::frame_units::FrameUnits;
use crate::rtl::module;
use rust_hdl::prelude::*;

module! {
    /// Turns the sample at the head of the queue into the fields of a frame (smcc.txt section 4.2: Qoff and ΔQ travel apart, both
    /// signs). Combinational; a sample of a flow that no reaction point governs is dropped in one cycle.
    pub struct SmccFeedback: "feedback_smcc" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// A sample waits: the fields below are its.
        pub sample_valid: Signal<In, Bit>,
        /// A reaction point governs its flow.
        pub controlled: Signal<In, Bit>,
        /// Its queue offset, bytes, two's complement.
        pub q_offset: Signal<In, Bits<25>>,
        /// Its change of the queue, bytes, two's complement.
        pub q_delta: Signal<In, Bits<25>>,
        /// The packet generator sends its last word.
        pub frame_done: Signal<In, Bit>,
        /// The fields below make a frame; they hold until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb: not used by this scheme, 0.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// QOffset, 64 octets, two's complement.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// QDelta, 64 octets, two's complement.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Done with this sample.
        pub pop: Signal<Out, Bit>,
        /// Smallest sampling interval from now on.
        pub interval_low: Signal<Out, Bits<24>>,
        /// Smallest sampling interval, in what the sampler counts.
        pub interval_low_0: Signal<In, Bits<24>>,
        offset: FrameUnits,
        delta: FrameUnits,
    }
}

crate::rtl::parameter_inputs!(SmccFeedback: interval_low_0;
    sample_valid, controlled, q_offset, q_delta, frame_done);

impl Logic for SmccFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.q_offset_units.next = self.offset.units.val();
        self.q_delta_units.next = self.delta.units.val();
        self.quantized_feedback.next = 0.into();
        self.interval_low.next = self.interval_low_0.val();
        self.feedback_valid.next = self.sample_valid.val() & self.controlled.val();
        self.pop.next = self.sample_valid.val() & (self.frame_done.val() | !self.controlled.val());
    }
}
