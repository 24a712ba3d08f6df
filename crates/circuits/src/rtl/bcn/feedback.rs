// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's feedback block: samples of both signs, and the message that stops a source.

use crate::rtl::block;
use crate::rtl::congestion_point::frame_units::FrameUnits;
use tidegate_hdl::prelude::*;

block! { $ bcn_feedback_parameters:
    /// Turns the sample at the head of the queue into the fields of a frame: Qoff and ΔQ, from which the reaction point
    /// computes Fb (Jiang 2015b, equation (1)). If the queue is longer than Q_sc, both fields are 0: this is BCN(0,0),
    /// which stops the source. Any other sample with two fields of 0 is not sent. A frame can begin one cycle after its
    /// sample is at the head of the queue; a sample that is not sent is dropped in that cycle.
    pub struct BcnFeedback: "feedback_bcn" {
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
        /// Q_sc - q0, bytes: a larger queue offset is severe congestion.
        #[parameter]
        pub severe_offset: Signal<In, Bits<24>>,
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
        /// `severe`, `offset_nonzero` and `delta_nonzero` belong to the sample at the head of the queue.
        held: Register<Bit>,
        /// The queue is longer than Q_sc.
        severe: DFF<Bit>,
        /// The queue offset of the sample is not 0 units.
        offset_nonzero: DFF<Bit>,
        /// The queue change of the sample is not 0 units.
        delta_nonzero: DFF<Bit>,
        sends: Signal<Local, Bit>,
        done: Signal<Local, Bit>,
    }
}

impl Logic for BcnFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, severe, offset_nonzero, delta_nonzero);
        self.held.reset.next = self.reset.val();
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.offset.is_below.next = self.offset.below.val();
        self.offset.is_above.next = self.offset.above.val();
        self.delta.is_below.next = self.delta.below.val();
        self.delta.is_above.next = self.delta.above.val();
        if !self.held.q.val() {
            self.severe.d.next =
                !self.q_offset.val().get_bit(24) & (self.q_offset.val() > bit_cast::<25, 24>(self.severe_offset.val()));
            self.offset_nonzero.d.next = self.offset.units.val().any();
            self.delta_nonzero.d.next = self.delta.units.val().any();
        }

        self.sends.next =
            self.controlled.val() & (self.severe.q.val() | self.offset_nonzero.q.val() | self.delta_nonzero.q.val());
        self.done.next = self.held.q.val() & (self.frame_done.val() | !self.sends.val());
        self.held.d.next = self.sample_valid.val() & !self.done.val();
        self.feedback_valid.next = self.held.q.val() & self.sends.val();
        self.pop.next = self.done.val();
        self.q_offset_units.next = self.offset.units.val();
        self.q_delta_units.next = self.delta.units.val();
        if self.severe.q.val() {
            self.q_offset_units.next = 0.into();
            self.q_delta_units.next = 0.into();
        }
        self.quantized_feedback.next = 0.into();
    }
}
