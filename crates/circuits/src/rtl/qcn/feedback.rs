// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's feedback block: the quantised feedback, and the level that selects the sampling interval.

use crate::rtl::block;
use crate::rtl::qcn::quantisation::QcnQuantisation;
use crate::rtl::qcn::sampling_table::SamplingTable;
use tidegate_hdl::prelude::*;

block! { $ qcn_feedback_parameters:
    /// Quantises the feedback of the sample at the head of the queue, and stores its level, QntzFb / 8, which selects
    /// the sampling interval (`interval_low`, `interval_span`) from a table.
    ///
    /// A frame can begin 13 cycles after its sample is at the head; a sample with Fb ≥ 0 is dropped 6 cycles after that.
    /// `interval_low` changes in the cycle after either, `interval_span` in the next one.
    pub struct QcnFeedback: "feedback_qcn" {
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
        /// w, weight of the queue change.
        #[parameter]
        pub weight: Signal<In, Bits<6>>,
        /// q0 * (2 * w + 1), the |Fb| that makes QntzFb 63, bytes.
        #[parameter]
        pub feedback_full_scale: Signal<In, Bits<26>>,
        /// Send a frame for Fb < 0 even if QntzFb is 0.
        #[parameter]
        pub send_zero_feedback: Signal<In, Bit>,
        /// Smallest sampling interval while the last QntzFb / 8 was 0: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_0: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 1: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_1: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 2: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_2: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 3: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_3: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 4: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_4: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 5: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_5: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 6: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_6: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 7: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_7: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 0, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_0: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 1, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_1: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 2, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_2: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 3, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_3: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 4, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_4: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 5, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_5: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 6, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_6: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 7, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_7: Signal<In, Bits<24>>,
        /// The frame fields below are valid; they are held until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// QOffset, units of 64 octets, two's complement.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Remove this sample from the sample queue.
        pub pop: Signal<Out, Bit>,
        /// Smallest sampling interval for the sampler: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<Out, Bits<24>>,
        /// Largest minus smallest sampling interval for the sampler, in the same unit; 0 = no jitter.
        pub interval_span: Signal<Out, Bits<24>>,
        quantisation: QcnQuantisation,
        sampling_table: SamplingTable,
        /// QntzFb / 8 of the last sample: selects the sampling interval.
        level: Register<Bits<3>>,
        /// `interval_span`. The table and what the sampler makes of the span are too long for one cycle.
        span: Delay<Bits<24>>,
    }
}

impl Logic for QcnFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, level, span);
        clock!(self, clock, quantisation);
        self.level.reset.next = self.reset.val();
        self.quantisation.reset.next = self.reset.val();
        self.quantisation.sample_valid.next = self.sample_valid.val();
        self.quantisation.controlled.next = self.controlled.val();
        self.quantisation.q_offset.next = self.q_offset.val();
        self.quantisation.q_delta.next = self.q_delta.val();
        self.quantisation.frame_done.next = self.frame_done.val();
        self.quantisation.weight.next = self.weight.val();
        self.quantisation.feedback_full_scale.next = self.feedback_full_scale.val();
        self.quantisation.send_zero_feedback.next = self.send_zero_feedback.val();
        self.feedback_valid.next = self.quantisation.feedback_valid.val();
        self.quantized_feedback.next = self.quantisation.quantized_feedback.val();
        self.q_offset_units.next = self.quantisation.q_offset_units.val();
        self.q_delta_units.next = self.quantisation.q_delta_units.val();
        self.pop.next = self.quantisation.pop.val();
        if self.quantisation.level_known.val() {
            self.level.d.next = self.quantisation.level.val();
        }
        self.sampling_table.level.next = self.level.q.val();
        self.sampling_table.interval_low_0.next = self.interval_low_0.val();
        self.sampling_table.interval_low_1.next = self.interval_low_1.val();
        self.sampling_table.interval_low_2.next = self.interval_low_2.val();
        self.sampling_table.interval_low_3.next = self.interval_low_3.val();
        self.sampling_table.interval_low_4.next = self.interval_low_4.val();
        self.sampling_table.interval_low_5.next = self.interval_low_5.val();
        self.sampling_table.interval_low_6.next = self.interval_low_6.val();
        self.sampling_table.interval_low_7.next = self.interval_low_7.val();
        self.sampling_table.interval_span_0.next = self.interval_span_0.val();
        self.sampling_table.interval_span_1.next = self.interval_span_1.val();
        self.sampling_table.interval_span_2.next = self.interval_span_2.val();
        self.sampling_table.interval_span_3.next = self.interval_span_3.val();
        self.sampling_table.interval_span_4.next = self.interval_span_4.val();
        self.sampling_table.interval_span_5.next = self.interval_span_5.val();
        self.sampling_table.interval_span_6.next = self.interval_span_6.val();
        self.sampling_table.interval_span_7.next = self.interval_span_7.val();
        self.interval_low.next = self.sampling_table.interval_low.val();
        self.span.d.next = self.sampling_table.interval_span.val();
        if self.reset.val() {
            self.span.d.next = self.interval_span_0.val();
        }
        self.interval_span.next = self.span.q.val();
    }
}
