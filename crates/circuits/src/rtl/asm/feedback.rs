// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM's feedback block: every sample is sent, quantised.

use crate::rtl::block;
use crate::rtl::congestion_point::frame_units::FrameUnits;
use tidegate_hdl::prelude::*;

module! {
    /// Quantises one number in units of 64 octets: saturates it to the range from −`limit` − 1 to `limit`, then clears
    /// the bits that are 0 in `mask`. Combinational.
    pub struct Quantiser: "quantiser" {
        /// Number to quantise, units of 64 octets, two's complement.
        pub units: Signal<In, Bits<16>>,
        /// Largest value, units of 64 octets; 2^n - 1.
        pub limit: Signal<In, Bits<16>>,
        /// Bits of the value that are kept.
        pub mask: Signal<In, Bits<16>>,
        /// Quantised number, units of 64 octets, two's complement, rounded down.
        pub quantised: Signal<Out, Bits<16>>,
        magnitude: Signal<Local, Bits<16>>,
        saturated: Signal<Local, Bits<16>>,
    }
}

impl Logic for Quantiser {
    #[hdl_gen]
    fn update(&mut self) {
        // The inverse of a negative number is its magnitude minus 1, and the negative bound is -limit - 1: compare with
        // `limit`.
        self.magnitude.next = self.units.val();
        self.saturated.next = self.limit.val();
        if self.units.val().get_bit(15) {
            self.magnitude.next = self.units.val() ^ 0xffff;
            self.saturated.next = self.limit.val() ^ 0xffff;
        }
        self.quantised.next = self.units.val() & self.mask.val();
        if self.magnitude.val() > self.limit.val() {
            self.quantised.next = self.saturated.val() & self.mask.val();
        }
    }
}

block! { $ asm_feedback_parameters:
    /// Turns the sample at the head of the queue into the fields of a frame: Qf and ΔQ, both signs, each quantised
    /// (Jiang 2014, sections 4.1 and 5.1). A frame can begin two cycles after its sample is at the head of the queue; a
    /// sample of a flow that no reaction point controls is dropped in that cycle.
    pub struct AsmFeedback: "feedback_asm" {
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
        /// Largest quantised value, units of 64 octets.
        #[parameter]
        pub quantiser_limit: Signal<In, Bits<16>>,
        /// Bits of QOffset and QDelta that the quantiser keeps.
        #[parameter]
        pub quantiser_mask: Signal<In, Bits<16>>,
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
        offset_quantiser: Quantiser,
        delta_quantiser: Quantiser,
        /// `held_offset` and `held_delta` belong to the sample at the head of the queue.
        held: Register<Bit>,
        /// They are quantised.
        quantised: Register<Bit>,
        /// Queue offset of the sample, units of 64 octets.
        held_offset: DFF<Bits<16>>,
        /// Queue change of the sample, units of 64 octets.
        held_delta: DFF<Bits<16>>,
        done: Signal<Local, Bit>,
    }
}

impl Logic for AsmFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, quantised, held_offset, held_delta);
        self.held.reset.next = self.reset.val();
        self.quantised.reset.next = self.reset.val();
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.offset.is_below.next = self.offset.below.val();
        self.offset.is_above.next = self.offset.above.val();
        self.delta.is_below.next = self.delta.below.val();
        self.delta.is_above.next = self.delta.above.val();
        self.offset_quantiser.units.next = self.held_offset.q.val();
        self.offset_quantiser.limit.next = self.quantiser_limit.val();
        self.offset_quantiser.mask.next = self.quantiser_mask.val();
        self.delta_quantiser.units.next = self.held_delta.q.val();
        self.delta_quantiser.limit.next = self.quantiser_limit.val();
        self.delta_quantiser.mask.next = self.quantiser_mask.val();
        if !self.held.q.val() {
            self.held_offset.d.next = self.offset.units.val();
            self.held_delta.d.next = self.delta.units.val();
        } else if !self.quantised.q.val() {
            self.held_offset.d.next = self.offset_quantiser.quantised.val();
            self.held_delta.d.next = self.delta_quantiser.quantised.val();
        }

        self.done.next = self.quantised.q.val() & (self.frame_done.val() | !self.controlled.val());
        self.held.d.next = self.sample_valid.val() & !self.done.val();
        self.quantised.d.next = self.held.q.val() & !self.done.val();
        self.feedback_valid.next = self.quantised.q.val() & self.controlled.val();
        self.pop.next = self.done.val();
        self.q_offset_units.next = self.held_offset.q.val();
        self.q_delta_units.next = self.held_delta.q.val();
        self.quantized_feedback.next = 0.into();
    }
}
