//! BCN's feedback block: samples of both signs, and the message that stops a source.

use super::frame_units::FrameUnits;
use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// Turns the sample at the head of the queue into the fields of a frame: Qoff and ΔQ, of which the reaction point makes Fb
    /// (smcc.txt equation (1)). A queue that is longer than Q_sc sends two zeros, BCN(0,0), which stop the source; a sample that
    /// would look the same is not sent. A frame can begin one cycle after its sample is there; a sample that is not sent is
    /// dropped then.
    pub struct BcnFeedback: "feedback_bcn" {
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
        /// Q_sc less q0, bytes: a larger offset is severe congestion.
        pub severe_offset: Signal<In, Bits<24>>,
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
        /// What is below is of the sample that waits.
        held: Register<Bit>,
        /// The queue is longer than Q_sc.
        severe: DFF<Bit>,
        /// Its offset is not 0.
        some_offset: DFF<Bit>,
        /// Its change is not 0.
        some_delta: DFF<Bit>,
        sends: Signal<Local, Bit>,
        done: Signal<Local, Bit>,
    }
}

parameter_inputs!(BcnFeedback: severe_offset, interval_low_0;
    sample_valid, controlled, q_offset, q_delta, frame_done);

impl Logic for BcnFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, severe, some_offset, some_delta);
        self.held.reset.next = self.reset.val();
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.severe.d.next =
            !self.q_offset.val().get_bit(24) & (self.q_offset.val() > bit_cast::<25, 24>(self.severe_offset.val()));
        self.some_offset.d.next = self.offset.units.val().any();
        self.some_delta.d.next = self.delta.units.val().any();

        self.sends.next =
            self.controlled.val() & (self.severe.q.val() | self.some_offset.q.val() | self.some_delta.q.val());
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
        self.interval_low.next = self.interval_low_0.val();
    }
}
