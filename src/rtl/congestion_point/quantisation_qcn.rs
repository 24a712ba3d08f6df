//! QCN's feedback without its state: the weighted sum, quantised to six bits.

use super::frame_units::FrameUnits;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Computes −Fb = Qoff + w·ΔQ of the sample at the head of the queue and quantises it by long division: QntzFb =
    /// floor(63·|Fb| / (q0·(2w + 1))), at most 63 (Jiang 2015b, equation (1); IEEE 802.1Q).
    ///
    /// Only Fb < 0 is sent. With sampling by bytes, as in 802.1Q, only QntzFb > 0 is sent. From the cycle in which a
    /// sample is at the head: two cycles for w·ΔQ, one for the sum, one to scale it, six to divide. A frame can begin 10 cycles after
    /// that cycle; a sample with Fb ≥ 0 is dropped 4 cycles after it. Its level is known in the same cycle, and stays until
    /// the sample is popped.
    pub struct QcnQuantisation: "quantisation_qcn" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
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
        /// The level of the sample is known.
        pub level_known: Signal<Out, Bit>,
        /// QntzFb / 8 of the sample, which selects the sampling interval; valid with `level_known`.
        pub level: Signal<Out, Bits<3>>,
        offset: FrameUnits,
        delta: FrameUnits,
        /// Of the queue offset: too few units. A sample is sent many cycles after it has come, so registers can be in
        /// the path from the sample queue to the frame.
        low_offset: DFF<Bit>,
        /// Of the queue offset: too many units.
        high_offset: DFF<Bit>,
        /// Of the change of the queue: too few units.
        low_delta: DFF<Bit>,
        /// Of the change of the queue: too many units.
        high_delta: DFF<Bit>,
        /// State: 0 = wait for a sample, multiply; 1 = multiply; 2 = add; 3 = scale; 4 to 9 = divide; 10 = send or drop; 11
        /// (after 3) = drop.
        step: Register<Bits<4>>,
        /// ΔQ times the two lowest bits of w, then w·ΔQ.
        product: DFF<Bits<32>>,
        /// ΔQ times the two bits of w in the middle. It is nothing where they are zeros of a constant.
        middle_product: DFF<Bits<32>>,
        /// ΔQ times the two highest bits of w. It is nothing where they are zeros of a constant.
        high_product: DFF<Bits<32>>,
        /// The sum Qoff + w·ΔQ, then 63 times the sum, then the remainder of the division.
        remainder: DFF<Bits<32>>,
        /// Quotient so far; QntzFb after the last division step, if not `saturated`.
        quotient: DFF<Bits<6>>,
        /// The quotient is not 0.
        quotient_nonzero: DFF<Bit>,
        /// The sum is `feedback_full_scale` or more: QntzFb is 63.
        saturated: DFF<Bit>,
        offset_extended: Signal<Local, Bits<32>>,
        delta_extended: Signal<Local, Bits<32>>,
        delta_doubled: Signal<Local, Bits<32>>,
        times_1: Signal<Local, Bits<32>>,
        times_2: Signal<Local, Bits<32>>,
        times_4: Signal<Local, Bits<32>>,
        times_8: Signal<Local, Bits<32>>,
        times_16: Signal<Local, Bits<32>>,
        times_32: Signal<Local, Bits<32>>,
        whole_product: Signal<Local, Bits<32>>,
        sum: Signal<Local, Bits<32>>,
        negative: Signal<Local, Bit>,
        full_scale: Signal<Local, Bits<32>>,
        scaled: Signal<Local, Bits<32>>,
        divisor: Signal<Local, Bits<32>>,
        fits: Signal<Local, Bit>,
        doubled: Signal<Local, Bits<32>>,
        reduced: Signal<Local, Bits<32>>,
        quotient_doubled: Signal<Local, Bits<6>>,
        result: Signal<Local, Bits<6>>,
        worth_a_frame: Signal<Local, Bit>,
        send: Signal<Local, Bit>,
        finish: Signal<Local, Bit>,
    }
}

impl Logic for QcnQuantisation {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            low_offset,
            high_offset,
            low_delta,
            high_delta,
            step,
            product,
            middle_product,
            high_product,
            remainder,
            quotient,
            quotient_nonzero,
            saturated
        );
        self.step.reset.next = self.reset.val();

        comment!("The product w·ΔQ, whose magnitude is below 2^30: two bits of w at a time, which take one adder");
        // Where w is a register, one product of the sample queue's ΔQ and the sum with Qoff is too long for a cycle. Where w
        // is a constant, only the adders of its ones remain.
        self.delta_extended.next = bit_cast::<32, 25>(self.q_delta.val());
        if self.q_delta.val().get_bit(24) {
            self.delta_extended.next = bit_cast::<32, 25>(self.q_delta.val()) | 0xfe00_0000_u64;
        }
        self.delta_doubled.next = self.delta_extended.val().to_bits() << 1;
        self.times_1.next = 0.into();
        if self.weight.val().get_bit(0) {
            self.times_1.next = self.delta_extended.val();
        }
        self.times_2.next = 0.into();
        if self.weight.val().get_bit(1) {
            self.times_2.next = self.delta_doubled.val();
        }
        self.times_4.next = 0.into();
        if self.weight.val().get_bit(2) {
            self.times_4.next = self.delta_extended.val();
        }
        self.times_8.next = 0.into();
        if self.weight.val().get_bit(3) {
            self.times_8.next = self.delta_doubled.val();
        }
        self.times_16.next = 0.into();
        if self.weight.val().get_bit(4) {
            self.times_16.next = self.delta_extended.val();
        }
        self.times_32.next = 0.into();
        if self.weight.val().get_bit(5) {
            self.times_32.next = self.delta_doubled.val();
        }
        self.middle_product.d.next = self.times_4.val() + self.times_8.val();
        self.high_product.d.next = self.times_16.val() + self.times_32.val();
        self.whole_product.next = self.product.q.val()
            + (self.middle_product.q.val().to_bits() << 2)
            + (self.high_product.q.val().to_bits() << 4);

        comment!("The sum Qoff + w·ΔQ; its magnitude is below 2^31");
        self.offset_extended.next = bit_cast::<32, 25>(self.q_offset.val());
        if self.q_offset.val().get_bit(24) {
            self.offset_extended.next = bit_cast::<32, 25>(self.q_offset.val()) | 0xfe00_0000_u64;
        }
        self.sum.next = self.offset_extended.val() + self.product.q.val();

        comment!("63 times the sum; it fits 32 bits if the sum is below full scale, otherwise it is not used");
        self.full_scale.next = bit_cast::<32, 26>(self.feedback_full_scale.val());
        self.negative.next = self.remainder.q.val().get_bit(31) | !self.remainder.q.val().any();
        self.scaled.next = (self.remainder.q.val().to_bits() << 6) - self.remainder.q.val();

        comment!("Long division, most significant bit of the quotient first");
        // The divisor stays 32 times full scale, and the remainder doubles in each step.
        self.divisor.next = self.full_scale.val().to_bits() << 5;
        self.fits.next = self.remainder.q.val() >= self.divisor.val();
        self.reduced.next = self.remainder.q.val();
        if self.fits.val() {
            self.reduced.next = self.remainder.q.val() - self.divisor.val();
        }
        self.doubled.next = self.reduced.val().to_bits() << 1;
        self.quotient_doubled.next = self.quotient.q.val().to_bits() << 1;

        comment!("QntzFb, and whether it is sent");
        self.result.next = self.quotient.q.val();
        if self.saturated.q.val() {
            self.result.next = 63.into();
        }
        // `pop` depends on this and leads to the sample queue. So `quotient_nonzero` is computed during the division,
        // and no comparison of the quotient with 0 lies in this path.
        self.worth_a_frame.next =
            self.quotient_nonzero.q.val() | self.saturated.q.val() | self.send_zero_feedback.val();
        self.send.next = (self.step.q.val() == 10) & self.controlled.val() & self.worth_a_frame.val();
        self.finish.next = (self.step.q.val() == 10) & (self.frame_done.val() | !self.send.val());
        self.pop.next = self.finish.val();
        self.level_known.next = (self.step.q.val() == 10) | (self.step.q.val() == 11);
        self.level.next = self.result.val().to_bits().get_bits::<3>(3);
        if self.step.q.val() == 11 {
            self.level.next = 0.into();
        }
        comment!("State machine: multiply, add, scale, divide, send or drop");
        if self.step.q.val() == 0 {
            self.product.d.next = self.times_1.val() + self.times_2.val();
            self.quotient.d.next = 0.into();
            self.quotient_nonzero.d.next = false;
            self.saturated.d.next = false;
            if self.sample_valid.val() {
                self.step.d.next = 1.into();
            }
        } else if self.step.q.val() == 1 {
            self.product.d.next = self.whole_product.val();
            self.step.d.next = 2.into();
        } else if self.step.q.val() == 2 {
            self.remainder.d.next = self.sum.val();
            self.step.d.next = 3.into();
        } else if self.step.q.val() == 3 {
            self.remainder.d.next = self.scaled.val();
            self.saturated.d.next = self.remainder.q.val() >= self.full_scale.val();
            self.step.d.next = 4.into();
            if self.negative.val() {
                self.step.d.next = 11.into();
            }
        } else if self.step.q.val() == 11 {
            // The pop is one cycle after the comparison of the sum with 0, because the comparison and the path of `pop`
            // into the sample queue together are too long for one cycle.
            self.pop.next = true;
            self.step.d.next = 0.into();
        } else if self.step.q.val() == 10 {
            if self.finish.val() {
                self.step.d.next = 0.into();
            }
        } else {
            self.remainder.d.next = self.doubled.val();
            self.quotient.d.next = self.quotient_doubled.val();
            if self.fits.val() {
                self.quotient.d.next = self.quotient_doubled.val() | 1;
                self.quotient_nonzero.d.next = true;
            }
            self.step.d.next = self.step.q.val() + 1;
        }

        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.low_offset.d.next = self.offset.below.val();
        self.high_offset.d.next = self.offset.above.val();
        self.low_delta.d.next = self.delta.below.val();
        self.high_delta.d.next = self.delta.above.val();
        self.offset.is_below.next = self.low_offset.q.val();
        self.offset.is_above.next = self.high_offset.q.val();
        self.delta.is_below.next = self.low_delta.q.val();
        self.delta.is_above.next = self.high_delta.q.val();
        self.q_offset_units.next = self.offset.units.val();
        self.q_delta_units.next = self.delta.units.val();
        self.quantized_feedback.next = self.result.val();
        self.feedback_valid.next = self.send.val();
    }
}
