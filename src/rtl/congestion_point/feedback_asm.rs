//! ASM's feedback block: every sample is sent, quantised.

use super::frame_units::FrameUnits;
use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// Quantises one number of 64-octet units: saturated at `limit` and −`limit` − 1, then cut to the bits of `mask`.
    /// Combinational.
    pub struct Quantiser: "quantiser" {
        /// 64 octets, two's complement.
        pub units: Signal<In, Bits<16>>,
        /// The largest value: ones below its top bit, 64 octets.
        pub limit: Signal<In, Bits<16>>,
        /// The bits that are kept.
        pub mask: Signal<In, Bits<16>>,
        /// 64 octets, two's complement, rounded down.
        pub quantised: Signal<Out, Bits<16>>,
        magnitude: Signal<Local, Bits<16>>,
        saturated: Signal<Local, Bits<16>>,
    }
}

impl Logic for Quantiser {
    #[hdl_gen]
    fn update(&mut self) {
        // The inverse of a negative number is its magnitude less 1, as that of the bound is.
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

module! {
    /// Turns the sample at the head of the queue into the fields of a frame: Qf and ΔQ, both signs, each quantised (asm.txt sections
    /// 4.1 and 5.1). A frame can begin one cycle after its sample is there, and a sample of a flow that no reaction point governs
    /// is dropped then.
    pub struct AsmFeedback: "feedback_asm" {
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
        /// Largest quantised value, 64 octets.
        pub quantiser_limit: Signal<In, Bits<16>>,
        /// Bits that the quantiser keeps.
        pub quantiser_mask: Signal<In, Bits<16>>,
        /// Smallest sampling interval, in what the sampler counts.
        pub interval_low_0: Signal<In, Bits<24>>,
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
        offset: FrameUnits,
        delta: FrameUnits,
        offset_quantiser: Quantiser,
        delta_quantiser: Quantiser,
        /// The sample that waits is quantised.
        held: Register<Bit>,
        /// Its offset.
        held_offset: DFF<Bits<16>>,
        /// Its change of the queue.
        held_delta: DFF<Bits<16>>,
        done: Signal<Local, Bit>,
    }
}

parameter_inputs!(AsmFeedback: quantiser_limit, quantiser_mask, interval_low_0;
    sample_valid, controlled, q_offset, q_delta, frame_done);

impl Logic for AsmFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, held_offset, held_delta);
        self.held.reset.next = self.reset.val();
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.offset_quantiser.units.next = self.offset.units.val();
        self.offset_quantiser.limit.next = self.quantiser_limit.val();
        self.offset_quantiser.mask.next = self.quantiser_mask.val();
        self.delta_quantiser.units.next = self.delta.units.val();
        self.delta_quantiser.limit.next = self.quantiser_limit.val();
        self.delta_quantiser.mask.next = self.quantiser_mask.val();
        if !self.held.q.val() {
            self.held_offset.d.next = self.offset_quantiser.quantised.val();
            self.held_delta.d.next = self.delta_quantiser.quantised.val();
        }

        self.done.next = self.held.q.val() & (self.frame_done.val() | !self.controlled.val());
        self.held.d.next = self.sample_valid.val() & !self.done.val();
        self.feedback_valid.next = self.held.q.val() & self.controlled.val();
        self.pop.next = self.done.val();
        self.q_offset_units.next = self.held_offset.q.val();
        self.q_delta_units.next = self.held_delta.q.val();
        self.quantized_feedback.next = 0.into();
        self.interval_low.next = self.interval_low_0.val();
    }
}
