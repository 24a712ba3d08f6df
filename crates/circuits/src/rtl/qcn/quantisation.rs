// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's feedback without its state: the weighted sum, quantised to six bits.

use crate::rtl::block;
use crate::rtl::congestion_point::frame_units::FrameUnits;
use tidegate_hdl::prelude::*;

/// What is done with the sample at the head of the queue in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum QuantisationPhase {
    /// Wait for a sample, and multiply ΔQ by the highest two bits of w; if w has only two bits, this is the product.
    Idle,
    /// Multiply ΔQ by the two bits in the middle.
    MultiplyMiddle,
    /// Add that product, and multiply ΔQ by the lowest two bits.
    AddMiddle,
    /// Add that product.
    AddLowest,
    /// Add Qoff.
    AddOffset,
    /// Multiply the sum by 63, or find that Fb is not negative.
    Scale,
    /// Divide: with this bit of the quotient, QntzFb is 63.
    Divide64,
    /// Bit 5 of the quotient.
    Divide32,
    /// Bit 4.
    Divide16,
    /// Bit 3.
    Divide8,
    /// Bit 2.
    Divide4,
    /// Bit 1.
    Divide2,
    /// Bit 0, and the decision to send.
    Divide1,
    /// Send a frame, or remove the sample without one.
    Send,
    /// Remove a sample with Fb ≥ 0.
    Drop,
}

block! { $ qcn_quantisation_parameters:
    /// Computes −Fb = Qoff + w·ΔQ of the sample at the head of the queue and quantises it by long division: QntzFb =
    /// floor(63·|Fb| / (q0·(2w + 1))), at most 63 (Jiang 2015b, equation (1); IEEE 802.1Q).
    ///
    /// Only Fb < 0 is sent. With sampling by bytes, as in 802.1Q, only QntzFb > 0 is sent. From the cycle in which a
    /// sample is at the head: four cycles for w·ΔQ, one for the sum, one to scale it, seven to divide. A frame can begin 13
    /// cycles after that cycle; a sample with Fb ≥ 0 is dropped 6 cycles after it. Its level is known in the same cycle,
    /// and stays until the sample is popped. After a change of w, a cycle without a sample must pass.
    pub struct QcnQuantisation: "quantisation_qcn" {
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
        /// What is done in this cycle.
        phase: DFF<QuantisationPhase>,
        /// The phase is `Send`, and the sample is sent. The frame and the pop depend on it: a register saves the decision.
        sends: Register<Bit>,
        /// The two bits of w that ΔQ is multiplied by in this cycle.
        digit: Delay<Bits<2>>,
        /// ΔQ times the two bits of w of the cycle before. It is nothing where w is a constant below 4.
        term: DFF<Bits<32>>,
        /// ΔQ times the bits of w so far; then w·ΔQ.
        product: DFF<Bits<32>>,
        /// If the product is written in this cycle, it is not the first one. It comes from a register, because the first
        /// product is at the end of a long path, from the memories of the sample queue.
        later: Register<Bit>,
        /// The sum Qoff + w·ΔQ, then 63 times the sum, then the remainder of the division, two's complement; without its
        /// six lowest bits, which no divisor changes.
        remainder: DFF<Bits<28>>,
        /// Its six lowest bits.
        low_remainder: DFF<Bits<6>>,
        /// Quotient so far; QntzFb after the last division step, if not `saturated`.
        quotient: DFF<Bits<6>>,
        /// The quotient is not 0.
        quotient_nonzero: DFF<Bit>,
        /// 63 times the sum is 64 times `feedback_full_scale` or more: QntzFb is 63.
        saturated: DFF<Bit>,
        offset_extended: Signal<Local, Bits<32>>,
        delta_extended: Signal<Local, Bits<32>>,
        delta_doubled: Signal<Local, Bits<32>>,
        times_1: Signal<Local, Bits<32>>,
        times_2: Signal<Local, Bits<32>>,
        digit_product: Signal<Local, Bits<32>>,
        /// w has more than two bits.
        wide: Signal<Local, Bit>,
        augend: Signal<Local, Bits<32>>,
        product_term: Signal<Local, Bits<32>>,
        next_product: Signal<Local, Bits<32>>,
        sum: Signal<Local, Bits<32>>,
        whole_sum: Signal<Local, Bits<32>>,
        negative: Signal<Local, Bit>,
        scaled: Signal<Local, Bits<32>>,
        subtracts: Signal<Local, Bit>,
        addend: Signal<Local, Bits<29>>,
        total: Signal<Local, Bits<29>>,
        fits: Signal<Local, Bit>,
        divides: Signal<Local, Bit>,
        doubled: Signal<Local, Bits<28>>,
        carried: Signal<Local, Bits<28>>,
        quotient_doubled: Signal<Local, Bits<6>>,
        result: Signal<Local, Bits<6>>,
        worth_a_frame: Signal<Local, Bit>,
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
            phase,
            sends,
            digit,
            term,
            product,
            later,
            remainder,
            low_remainder,
            quotient,
            quotient_nonzero,
            saturated
        );
        self.sends.reset.next = self.reset.val();
        self.later.reset.next = self.reset.val();

        comment!("The product w·ΔQ, whose magnitude is below 2^30: two bits of w at a time, highest first");
        // Where w is a constant below 4, only the product of its two bits remains.
        self.delta_extended.next = bit_cast::<32, 25>(self.q_delta.val());
        if self.q_delta.val().get_bit(24) {
            self.delta_extended.next = bit_cast::<32, 25>(self.q_delta.val()) | 0xfe00_0000_u64;
        }
        self.delta_doubled.next = self.delta_extended.val().to_bits() << 1;
        self.wide.next = self.weight.val().to_bits().get_bits::<4>(2).any();
        self.digit.d.next = self.weight.val().to_bits().get_bits::<2>(0);
        if self.wide.val() {
            self.digit.d.next = self.weight.val().to_bits().get_bits::<2>(4);
            if (self.phase.q.val() == QuantisationPhase::Idle) & self.sample_valid.val() & !self.reset.val() {
                self.digit.d.next = self.weight.val().to_bits().get_bits::<2>(2);
            } else if (self.phase.q.val() == QuantisationPhase::MultiplyMiddle) & !self.reset.val() {
                self.digit.d.next = self.weight.val().to_bits().get_bits::<2>(0);
            }
        }
        self.times_1.next = 0.into();
        if self.digit.q.val().get_bit(0) {
            self.times_1.next = self.delta_extended.val();
        }
        self.times_2.next = 0.into();
        if self.digit.q.val().get_bit(1) {
            self.times_2.next = self.delta_doubled.val();
        }
        self.digit_product.next = self.times_1.val() + self.times_2.val();
        self.term.d.next = self.digit_product.val();
        // One sum for the first product and for the others, which are written in `AddMiddle` and `AddLowest` if w is
        // wide.
        self.later.d.next = self.wide.val()
            & ((self.phase.q.val() == QuantisationPhase::MultiplyMiddle)
                | (self.phase.q.val() == QuantisationPhase::AddMiddle));
        self.augend.next = self.times_1.val();
        self.product_term.next = self.times_2.val();
        if self.later.q.val() {
            self.augend.next = self.product.q.val().to_bits() << 2;
            self.product_term.next = self.term.q.val();
        }
        self.next_product.next = self.augend.val() + self.product_term.val();

        comment!("The sum Qoff + w·ΔQ; its magnitude is below 2^31");
        self.offset_extended.next = bit_cast::<32, 25>(self.q_offset.val());
        if self.q_offset.val().get_bit(24) {
            self.offset_extended.next = bit_cast::<32, 25>(self.q_offset.val()) | 0xfe00_0000_u64;
        }
        self.sum.next = self.offset_extended.val() + self.product.q.val();

        comment!("63 times the sum; it fits 32 bits if the sum is below 2^26, otherwise it is not used");
        self.whole_sum.next =
            (bit_cast::<32, 28>(self.remainder.q.val()).to_bits() << 6) | bit_cast::<32, 6>(self.low_remainder.q.val());
        self.negative.next = self.remainder.q.val().get_bit(25) | !self.whole_sum.val().any();
        self.scaled.next = (self.whole_sum.val().to_bits() << 6) - self.whole_sum.val();

        comment!("Long division without restoring, most significant bit of the quotient first");
        // The divisor stays 64 times full scale, and the remainder doubles in each step. A remainder below 0 gets the
        // divisor back in the next step, doubled as the remainder is. So a register decides what is added, and no
        // multiplexer waits for a comparison. The lowest bit of `total` is the carry.
        self.subtracts.next = !self.remainder.q.val().get_bit(27);
        self.addend.next = bit_cast::<29, 26>(self.feedback_full_scale.val()).to_bits() << 1;
        if self.subtracts.val() {
            self.addend.next = !(bit_cast::<29, 26>(self.feedback_full_scale.val()).to_bits() << 1);
        }
        self.total.next = ((bit_cast::<29, 28>(self.remainder.q.val()).to_bits() << 1) | 1) + self.addend.val();
        self.fits.next = !self.total.val().get_bit(28);
        self.carried.next = 0.into();
        if self.low_remainder.q.val().get_bit(5) {
            self.carried.next = 1.into();
        }
        self.doubled.next =
            (bit_cast::<28, 27>(self.total.val().to_bits().get_bits::<27>(1)).to_bits() << 1) | self.carried.val();
        self.quotient_doubled.next = self.quotient.q.val().to_bits() << 1;

        comment!("QntzFb, and whether it is sent");
        self.result.next = self.quotient.q.val();
        if self.saturated.q.val() {
            self.result.next = 63.into();
        }
        // Decided with the last step of the division. The frame and `pop` begin at a register, and `quotient_nonzero` saves a
        // comparison with 0 behind that step.
        self.worth_a_frame.next =
            self.quotient_nonzero.q.val() | self.fits.val() | self.saturated.q.val() | self.send_zero_feedback.val();
        self.sends.d.next = (self.sends.q.val() & !self.frame_done.val())
            | ((self.phase.q.val() == QuantisationPhase::Divide1) & self.controlled.val() & self.worth_a_frame.val());
        self.finish.next = (self.sends.q.val() & self.frame_done.val())
            | ((self.phase.q.val() == QuantisationPhase::Send) & !self.sends.q.val());
        self.pop.next = self.finish.val();
        self.level_known.next =
            (self.phase.q.val() == QuantisationPhase::Send) | (self.phase.q.val() == QuantisationPhase::Drop);
        self.level.next = self.result.val().to_bits().get_bits::<3>(3);
        if self.phase.q.val() == QuantisationPhase::Drop {
            self.level.next = 0.into();
        }
        self.divides.next = (self.phase.q.val() == QuantisationPhase::Divide64)
            | (self.phase.q.val() == QuantisationPhase::Divide32)
            | (self.phase.q.val() == QuantisationPhase::Divide16)
            | (self.phase.q.val() == QuantisationPhase::Divide8)
            | (self.phase.q.val() == QuantisationPhase::Divide4)
            | (self.phase.q.val() == QuantisationPhase::Divide2)
            | (self.phase.q.val() == QuantisationPhase::Divide1);
        if self.divides.val() {
            self.remainder.d.next = self.doubled.val();
            self.low_remainder.d.next = self.low_remainder.q.val().to_bits() << 1;
            self.quotient.d.next = self.quotient_doubled.val();
            if self.fits.val() {
                self.quotient.d.next = self.quotient_doubled.val() | 1;
                self.quotient_nonzero.d.next = true;
            }
        }

        comment!("Phases: multiply, add, scale, divide, send or drop");
        match self.phase.q.val() {
            QuantisationPhase::Idle => {
                self.product.d.next = self.next_product.val();
                self.quotient.d.next = 0.into();
                self.quotient_nonzero.d.next = false;
                self.saturated.d.next = false;
                if self.sample_valid.val() {
                    self.phase.d.next = QuantisationPhase::MultiplyMiddle;
                }
            }
            QuantisationPhase::MultiplyMiddle => {
                self.phase.d.next = QuantisationPhase::AddMiddle;
            }
            QuantisationPhase::AddMiddle => {
                if self.wide.val() {
                    self.product.d.next = self.next_product.val();
                }
                self.phase.d.next = QuantisationPhase::AddLowest;
            }
            QuantisationPhase::AddLowest => {
                if self.wide.val() {
                    self.product.d.next = self.next_product.val();
                }
                self.phase.d.next = QuantisationPhase::AddOffset;
            }
            QuantisationPhase::AddOffset => {
                self.remainder.d.next = bit_cast::<28, 26>(self.sum.val().to_bits().get_bits::<26>(6));
                self.low_remainder.d.next = bit_cast::<6, 32>(self.sum.val());
                self.phase.d.next = QuantisationPhase::Scale;
            }
            QuantisationPhase::Scale => {
                self.remainder.d.next = bit_cast::<28, 26>(self.scaled.val().to_bits().get_bits::<26>(6));
                self.low_remainder.d.next = bit_cast::<6, 32>(self.scaled.val());
                // Full scale is below 2^26.
                self.saturated.d.next = self.whole_sum.val().to_bits().get_bits::<5>(26).any();
                self.phase.d.next = QuantisationPhase::Divide64;
                if self.negative.val() {
                    self.phase.d.next = QuantisationPhase::Drop;
                }
            }
            QuantisationPhase::Divide64 => {
                if self.fits.val() {
                    self.saturated.d.next = true;
                }
                self.phase.d.next = QuantisationPhase::Divide32;
            }
            QuantisationPhase::Divide32 => {
                self.phase.d.next = QuantisationPhase::Divide16;
            }
            QuantisationPhase::Divide16 => {
                self.phase.d.next = QuantisationPhase::Divide8;
            }
            QuantisationPhase::Divide8 => {
                self.phase.d.next = QuantisationPhase::Divide4;
            }
            QuantisationPhase::Divide4 => {
                self.phase.d.next = QuantisationPhase::Divide2;
            }
            QuantisationPhase::Divide2 => {
                self.phase.d.next = QuantisationPhase::Divide1;
            }
            QuantisationPhase::Divide1 => {
                self.phase.d.next = QuantisationPhase::Send;
            }
            QuantisationPhase::Send => {
                if self.finish.val() {
                    self.phase.d.next = QuantisationPhase::Idle;
                }
            }
            QuantisationPhase::Drop => {
                // The pop is one cycle after the comparison of the sum with 0, because the comparison and the path of `pop`
                // into the sample queue together are too long for one cycle.
                self.pop.next = true;
                self.phase.d.next = QuantisationPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = QuantisationPhase::Idle;
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
        self.feedback_valid.next = self.sends.q.val();
    }
}
