// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM's feedback block: the prediction, and the feedback of the last m samples.

use crate::rtl::block;
use crate::rtl::dsm::prediction::DsmPrediction;
use tidegate_hdl::prelude::*;

block! { $ dsm_feedback_parameters:
    /// Computes F, the rate step, of the sample at the head of the queue, from it and from the last m values of F
    /// (Cheng, equations (24) and (25), section IV.D).
    ///
    /// A frame can begin 213 cycles after its sample is at the head of the queue; a sample of a flow that no reaction
    /// point controls is dropped in that cycle. A new m counts from the next sample on, and empties the history: the sums
    /// are those of m values.
    pub struct DsmFeedback: "feedback_dsm" {
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
        /// m, delay of the loop in sampling periods, not 0.
        #[parameter]
        pub loop_delay: Signal<In, Bits<6>>,
        /// ω, weight of the queue change in the sliding line.
        #[parameter]
        pub omega: Signal<In, Bits<6>>,
        /// T, sampling period, cycles.
        #[parameter]
        pub period_cycles: Signal<In, Bits<24>>,
        /// Gain a, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_a: Signal<In, Bits<28>>,
        /// Gain b, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_b: Signal<In, Bits<28>>,
        /// Gain c, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_c: Signal<In, Bits<28>>,
        /// Largest |F|, 2^-18 bytes per cycle.
        #[parameter]
        pub step_max: Signal<In, Bits<25>>,
        /// The frame fields below are valid; they are held until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb: 0, this scheme does not use it.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// F, 2^-18 bytes per cycle, two's complement, bits 31 to 16.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// F, bits 15 to 0.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Remove this sample from the sample queue.
        pub pop: Signal<Out, Bit>,
        prediction: DsmPrediction,
        /// The last values of F, 2^-18 bytes per cycle, two's complement, bits 25 to 13. With 26 bits in one memory,
        /// synthesis takes a block RAM, whose read takes most of a cycle.
        high_history: LutRam<Bits<13>, 6>,
        /// Bits 12 to 0 of the last values of F.
        low_history: LutRam<Bits<13>, 6>,
        /// The m of the history and of the sample that is worked on.
        delay: Delay<Bits<6>>,
        /// Address of the next F in the history.
        place: Register<Bits<6>>,
        /// Number of values of F in the history, at most m.
        filled: Register<Bits<6>>,
        /// S1, sum of F(k−i) over i from 1 to m.
        s1: Register<Bits<32>>,
        /// S2, sum of i·F(k−i) over i from 1 to m.
        s2: Register<Bits<32>>,
        empties: Signal<Local, Bit>,
    }
}

impl Logic for DsmFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, delay, place, filled, s1, s2);
        clock!(self, clock, prediction, high_history, low_history);
        self.prediction.reset.next = self.reset.val();
        self.place.reset.next = self.reset.val();
        self.delay.d.next = self.delay.q.val();
        if self.prediction.idle.val() {
            self.delay.d.next = self.loop_delay.val();
        }
        self.empties.next = self.prediction.idle.val() & (self.delay.q.val() != self.loop_delay.val());
        self.filled.reset.next = self.reset.val() | self.empties.val();
        self.s1.reset.next = self.reset.val() | self.empties.val();
        self.s2.reset.next = self.reset.val() | self.empties.val();
        self.prediction.sample_valid.next = self.sample_valid.val();
        self.prediction.controlled.next = self.controlled.val();
        self.prediction.q_offset.next = self.q_offset.val();
        self.prediction.q_delta.next = self.q_delta.val();
        self.prediction.frame_done.next = self.frame_done.val();
        self.prediction.loop_delay.next = self.delay.q.val();
        self.prediction.omega.next = self.omega.val();
        self.prediction.period_cycles.next = self.period_cycles.val();
        self.prediction.gain_a.next = self.gain_a.val();
        self.prediction.gain_b.next = self.gain_b.val();
        self.prediction.gain_c.next = self.gain_c.val();
        self.prediction.step_max.next = self.step_max.val();
        self.prediction.place.next = self.place.q.val();
        self.place.d.next = self.prediction.next_place.val();
        self.prediction.filled.next = self.filled.q.val();
        self.filled.d.next = self.prediction.next_filled.val();
        self.prediction.s1.next = self.s1.q.val();
        self.s1.d.next = self.prediction.next_s1.val();
        self.prediction.s2.next = self.s2.q.val();
        self.s2.d.next = self.prediction.next_s2.val();
        self.high_history.write_address.next = self.place.q.val();
        self.high_history.write_data.next = self.prediction.rate_step.val().get_bits::<13>(13);
        self.high_history.write_enable.next = self.prediction.remember.val();
        self.high_history.read_address.next = self.prediction.oldest_place.val();
        self.low_history.write_address.next = self.place.q.val();
        self.low_history.write_data.next = self.prediction.rate_step.val().get_bits::<13>(0);
        self.low_history.write_enable.next = self.prediction.remember.val();
        self.low_history.read_address.next = self.prediction.oldest_place.val();
        self.prediction.oldest_word.next = (bit_cast::<26, 13>(self.high_history.read_data.val()) << 13)
            | bit_cast::<26, 13>(self.low_history.read_data.val());
        self.feedback_valid.next = self.prediction.feedback_valid.val();
        self.quantized_feedback.next = self.prediction.quantized_feedback.val();
        self.q_offset_units.next = self.prediction.q_offset_units.val();
        self.q_delta_units.next = self.prediction.q_delta_units.val();
        self.pop.next = self.prediction.pop.val();
    }
}
