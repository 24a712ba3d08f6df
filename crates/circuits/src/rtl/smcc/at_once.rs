// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC's calculator without a state machine.

use super::calculator::smcc_parameters;
use crate::rtl::reaction_point::rate_calculator;
use tidegate_hdl::prelude::*;

module! {
    /// The step of [`SmccStep`](super::calculator::SmccStep) as logic without registers, as Jiang 2015b, section 5.1,
    /// says that it can be built: r ← r − a·Qoff if Qoff and ΔQ have the same sign, r ← r − b·ΔQ otherwise (equation (25)).
    ///
    /// A feedback is taken in the cycle in which it becomes valid, with the same new rate. The sixteen additions of the
    /// product follow one another in this cycle, so it is far too slow for 125 MHz. It shows what registers such a
    /// calculator needs; no part contains it.
    pub struct SmccStepAtOnce: "step_smcc_at_once" {
        /// Read by nothing: the ports are those of the step that takes 18 cycles.
        pub clock: Signal<In, Clock>,
        /// As the clock.
        pub reset: Signal<In, Bit>,
        pub feedback_valid: Signal<In, Bit>,
        /// The feedback is taken in this cycle.
        pub feedback_ready: Signal<Out, Bit>,
        /// QOffset, units of 64 octets, two's complement; positive means congestion.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<In, Bits<16>>,
        pub same_point: Signal<In, Bit>,
        pub knows_point: Signal<In, Bit>,
        /// Remember the congestion point of the feedback; valid with `feedback_ready`.
        pub remember: Signal<Out, Bit>,
        /// A congestion point is remembered after this feedback; valid with `changes`.
        pub will_know_point: Signal<Out, Bit>,
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub gain_a: Signal<In, Bits<32>>,
        #[parameter]
        pub gain_a_small: Signal<In, Bits<32>>,
        #[parameter]
        pub gain_b: Signal<In, Bits<32>>,
        #[parameter]
        pub t1_units: Signal<In, Bits<16>>,
        #[parameter]
        pub zero_in_state_a: Signal<In, Bit>,
        #[parameter]
        pub store_any: Signal<In, Bit>,
        #[parameter]
        pub store_weight: Signal<In, Bits<6>>,
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// The rate changes; valid with `feedback_ready`.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        signs_differ: Signal<Local, Bit>,
        state_b: Signal<Local, Bit>,
        delta_magnitude: Signal<Local, Bits<16>>,
        number: Signal<Local, Bits<16>>,
        increase: Signal<Local, Bit>,
        magnitude: Signal<Local, Bits<16>>,
        gain: Signal<Local, Bits<32>>,
        /// The bits of the magnitude that are left, before each addition.
        factors: [Signal<Local, Bits<16>>; 17],
        /// The product of the bits so far, shifted right by as many.
        products: [Signal<Local, Bits<33>>; 17],
        size: Signal<Local, Bits<25>>,
        raised: Signal<Local, Bits<26>>,
        lowered: Signal<Local, Bits<26>>,
        bounded: Signal<Local, Bits<25>>,
        /// The bits of `store_weight` that are left, the highest one first.
        weights: [Signal<Local, Bits<6>>; 7],
        /// `store_weight` × ΔQ for the bits so far.
        weighted: [Signal<Local, Bits<24>>; 7],
        line: Signal<Local, Bits<24>>,
        line_above: Signal<Local, Bit>,
        remembers: Signal<Local, Bit>,
    }
}

impl Logic for SmccStepAtOnce {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The rule: which number decides, and which gain belongs to it");
        self.signs_differ.next = self.q_offset_units.val().get_bit(15) ^ self.q_delta_units.val().get_bit(15);
        self.state_b.next = self.signs_differ.val() & !(self.zero_in_state_a.val() & !self.q_delta_units.val().any());
        self.delta_magnitude.next = self.q_delta_units.val();
        if self.q_delta_units.val().get_bit(15) {
            self.delta_magnitude.next = bits::<16>(0) - self.q_delta_units.val();
        }
        self.number.next = self.q_offset_units.val();
        self.gain.next = self.gain_a_small.val();
        if self.state_b.val() {
            self.number.next = self.q_delta_units.val();
            self.gain.next = self.gain_b.val();
        } else if self.delta_magnitude.val() > self.t1_units.val() {
            self.gain.next = self.gain_a.val();
        }
        self.increase.next = self.number.val().get_bit(15);
        self.magnitude.next = self.number.val();
        if self.increase.val() {
            self.magnitude.next = bits::<16>(0) - self.number.val();
        }

        comment!("Magnitude x gain / 2^16, rounded down: an addition and a shift for each bit");
        self.factors[0].next = self.magnitude.val();
        self.products[0].next = 0.into();
        for i in 0..16 {
            self.factors[i + 1].next = self.factors[i].val().to_bits() >> 1;
            self.products[i + 1].next = self.products[i].val() >> 1;
            if self.factors[i].val().get_bit(0) {
                self.products[i + 1].next = (self.products[i].val() + bit_cast::<33, 32>(self.gain.val())) >> 1;
            }
        }

        comment!("Limit of the step, and the new rate");
        self.size.next = self.products[16].val().get_bits::<25>(0);
        if self.products[16].val().get_bits::<8>(25).any() {
            self.size.next = 0x1ff_ffff.into();
        }
        self.raised.next = bit_cast::<26, 25>(self.rate.val()) + bit_cast::<26, 25>(self.size.val());
        self.lowered.next = bit_cast::<26, 25>(self.rate.val()) - bit_cast::<26, 25>(self.size.val());
        self.bounded.next = self.lowered.val().to_bits().get_bits::<25>(0);
        if self.increase.val() {
            self.bounded.next = self.raised.val().to_bits().get_bits::<25>(0);
            if self.raised.val() > bit_cast::<26, 25>(self.line_rate.val()) {
                self.bounded.next = self.line_rate.val();
            }
        } else if self.lowered.val().get_bit(25) | (self.bounded.val() < self.min_rate.val()) {
            self.bounded.next = self.min_rate.val();
        }
        self.new_rate.next = self.bounded.val() & (self.rate_cut.val() ^ 0x1ff_ffff);

        comment!("Whether a decrease is remembered");
        // A decrease in State B has a change above 0, so the product has no sign.
        self.weights[0].next = self.store_weight.val();
        self.weighted[0].next = 0.into();
        for i in 0..6 {
            self.weights[i + 1].next = self.weights[i].val().to_bits() << 1;
            self.weighted[i + 1].next = self.weighted[i].val().to_bits() << 1;
            if self.weights[i].val().get_bit(5) {
                self.weighted[i + 1].next =
                    (self.weighted[i].val().to_bits() << 1) + bit_cast::<24, 16>(self.q_delta_units.val());
            }
        }
        self.line.next = self.weighted[6].val() + bit_cast::<24, 16>(self.q_offset_units.val());
        if self.q_offset_units.val().get_bit(15) {
            self.line.next = self.weighted[6].val() + (bit_cast::<24, 16>(self.q_offset_units.val()) | 0xff_0000);
        }
        self.line_above.next = !self.line.val().get_bit(23) & self.line.val().any();
        self.remembers.next = !self.increase.val()
            & self.number.val().any()
            & (self.store_any.val()
                | !self.knows_point.val()
                | !self.state_b.val()
                | (self.store_weight.val().any() & self.line_above.val()));
        self.will_know_point.next = self.knows_point.val() | self.remembers.val();

        self.feedback_ready.next = self.feedback_valid.val();
        self.changes.next = self.feedback_valid.val() & (!self.increase.val() | self.same_point.val());
        self.remember.next = self.feedback_valid.val() & self.remembers.val();
    }
}

smcc_parameters!(rate_calculator:
    /// SMCC's rate as the only register. Feedback that is valid in cycle t changes `current_rate` in cycle t + 1.
    SmccCalculatorAtOnce, "calculator_smcc_at_once", SmccStepAtOnce;
    mode:
    /// A congestion point is remembered.
    knows_point => will_know_point
);
