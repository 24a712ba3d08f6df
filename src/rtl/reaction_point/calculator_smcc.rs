//! SMCC's calculator: two linear rules; the signs of Qoff and ΔQ select one.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// r ← r − a·Qoff if Qoff and ΔQ have the same sign (State A); r ← r − b·ΔQ if their signs differ (State B). Zero
    /// counts as positive (Jiang 2015b, equation (25) and section 4.4). There is no state machine: the state is the XOR
    /// of two sign bits.
    ///
    /// A pipeline of four stages: select the gain, multiply, add the two products, change the rate. Feedback of cycle t
    /// changes `current_rate` in cycle t + 4; a feedback can be taken in every cycle. In State A the gain is `gain_a`
    /// if |ΔQ| > `t1_units`, else `gain_a_small`. A decrease stores the CPID; an increase is applied only if its CPID
    /// is the stored one. Only the bits that are set in `cpid_mask` are stored and compared. Reset sets the rate to the
    /// line rate; the rate stays between minimum rate and line rate. Products are rounded towards zero; a step
    /// saturates below 128 bytes per cycle.
    pub struct SmccCalculator: "calculator_smcc" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// The feedback fields are valid.
        pub feedback_valid: Signal<In, Bit>,
        /// Always 1: a feedback is taken in the cycle in which it is valid.
        pub feedback_ready: Signal<Out, Bit>,
        /// QOffset, units of 64 octets, two's complement; positive means congestion.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<In, Bits<16>>,
        /// Congestion point identifier (CPID) of the feedback, bits 63 to 32.
        pub cpid_high: Signal<In, Bits<32>>,
        /// Congestion point identifier (CPID), bits 31 to 0.
        pub cpid_low: Signal<In, Bits<32>>,
        /// Line rate, the largest rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// Gain a if |QDelta| > `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits.
        #[parameter]
        pub gain_a: Signal<In, Bits<32>>,
        /// Gain a if |QDelta| <= `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits.
        #[parameter]
        pub gain_a_small: Signal<In, Bits<32>>,
        /// Gain b, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits.
        #[parameter]
        pub gain_b: Signal<In, Bits<32>>,
        /// T1, largest |QDelta| that selects `gain_a_small`, units of 64 octets.
        #[parameter]
        pub t1_units: Signal<In, Bits<16>>,
        /// Bits of the CPID that are stored and compared, bits 63 to 32.
        #[parameter]
        pub cpid_mask_high: Signal<In, Bits<32>>,
        /// Bits of the CPID that are stored and compared, bits 31 to 0.
        #[parameter]
        pub cpid_mask_low: Signal<In, Bits<32>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        rate: DFF<Bits<25>>,
        /// CPID of the last decrease, bits 63 to 32.
        stored_cpid_high: Register<Bits<32>>,
        /// The same CPID, bits 31 to 0.
        stored_cpid_low: Register<Bits<32>>,
        /// Stage 1: |Qoff| in State A, |ΔQ| in State B, units of 64 octets.
        chosen: DFF<Bits<16>>,
        /// Stage 1: the gain that belongs to `chosen`.
        chosen_gain: DFF<Bits<32>>,
        /// Stage 1 holds a feedback that changes the rate.
        chosen_valid: Register<Bit>,
        /// The feedback in stage 1 increases the rate.
        chosen_up: DFF<Bit>,
        /// Stage 2: magnitude times whole part of the gain, 2^-18 bytes per cycle.
        whole_product: DFF<Bits<32>>,
        /// Stage 2: magnitude times fraction of the gain, whole part, 2^-18 bytes per cycle.
        fraction_carry: DFF<Bits<16>>,
        /// Stage 2 holds a feedback that changes the rate.
        product_valid: Register<Bit>,
        /// The feedback in stage 2 increases the rate.
        product_up: DFF<Bit>,
        /// Stage 3: step of the rate, 2^-18 bytes per cycle; the bits of a decrease are inverted.
        step: DFF<Bits<25>>,
        /// Stage 3 holds a step that changes the rate.
        step_valid: Register<Bit>,
        /// The step in stage 3 increases the rate.
        step_up: DFF<Bit>,
        offset_magnitude: Signal<Local, Bits<16>>,
        delta_magnitude: Signal<Local, Bits<16>>,
        state_b: Signal<Local, Bit>,
        increase: Signal<Local, Bit>,
        magnitude: Signal<Local, Bits<16>>,
        gain: Signal<Local, Bits<32>>,
        gain_whole: Signal<Local, Bits<16>>,
        gain_fraction: Signal<Local, Bits<16>>,
        fraction_product: Signal<Local, Bits<32>>,
        product: Signal<Local, Bits<32>>,
        masked_high: Signal<Local, Bits<32>>,
        masked_low: Signal<Local, Bits<32>>,
        same_point: Signal<Local, Bit>,
        size: Signal<Local, Bits<25>>,
        summand: Signal<Local, Bits<26>>,
        stepped: Signal<Local, Bits<26>>,
        bound: Signal<Local, Bits<25>>,
        old_rate: Signal<Local, Bits<27>>,
        signed_step: Signal<Local, Bits<27>>,
        less_bound: Signal<Local, Bits<27>>,
        sums: Signal<Local, Bits<27>>,
        carries: Signal<Local, Bits<27>>,
        rate_less_bound: Signal<Local, Bits<27>>,
    }
}

impl Logic for SmccCalculator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            rate,
            stored_cpid_high,
            stored_cpid_low,
            chosen,
            chosen_gain,
            chosen_valid,
            chosen_up,
            whole_product,
            fraction_carry,
            product_valid,
            product_up,
            step,
            step_valid,
            step_up
        );
        self.chosen_valid.reset.next = self.reset.val();
        self.product_valid.reset.next = self.reset.val();
        self.step_valid.reset.next = self.reset.val();
        self.stored_cpid_high.reset.next = self.reset.val();
        self.stored_cpid_low.reset.next = self.reset.val();
        self.feedback_ready.next = true;

        self.offset_magnitude.next = self.q_offset_units.val();
        if self.q_offset_units.val().get_bit(15) {
            self.offset_magnitude.next = bits::<16>(0) - self.q_offset_units.val();
        }
        self.delta_magnitude.next = self.q_delta_units.val();
        if self.q_delta_units.val().get_bit(15) {
            self.delta_magnitude.next = bits::<16>(0) - self.q_delta_units.val();
        }
        self.state_b.next = self.q_offset_units.val().get_bit(15) ^ self.q_delta_units.val().get_bit(15);
        self.magnitude.next = self.offset_magnitude.val();
        self.increase.next = self.q_offset_units.val().get_bit(15);
        self.gain.next = self.gain_a_small.val();
        if self.state_b.val() {
            self.magnitude.next = self.delta_magnitude.val();
            self.increase.next = self.q_delta_units.val().get_bit(15);
            self.gain.next = self.gain_b.val();
        } else if self.delta_magnitude.val() > self.t1_units.val() {
            self.gain.next = self.gain_a.val();
        }
        self.chosen.d.next = self.magnitude.val();
        self.chosen_gain.d.next = self.gain.val();
        self.chosen_up.d.next = self.increase.val();

        self.gain_whole.next = self.chosen_gain.q.val().to_bits().get_bits::<16>(16);
        self.gain_fraction.next = self.chosen_gain.q.val().to_bits().get_bits::<16>(0);
        self.whole_product.d.next = self.chosen.q.val() * self.gain_whole.val();
        self.fraction_product.next = self.chosen.q.val() * self.gain_fraction.val();
        self.fraction_carry.d.next = self.fraction_product.val().to_bits().get_bits::<16>(16);
        self.product_valid.d.next = self.chosen_valid.q.val();
        self.product_up.d.next = self.chosen_up.q.val();

        self.product.next = self.whole_product.q.val() + bit_cast::<32, 16>(self.fraction_carry.q.val());
        self.size.next = self.product.val().to_bits().get_bits::<25>(0);
        if self.product.val().to_bits().get_bits::<7>(25).any() {
            self.size.next = 0x1ff_ffff.into();
        }
        self.step.d.next = self.size.val() ^ 0x1ff_ffff;
        if self.product_up.q.val() {
            self.step.d.next = self.size.val();
        }
        self.step_valid.d.next = self.product_valid.q.val();
        self.step_up.d.next = self.product_up.q.val();

        self.masked_high.next = self.cpid_high.val() & self.cpid_mask_high.val();
        self.masked_low.next = self.cpid_low.val() & self.cpid_mask_low.val();
        self.same_point.next = (self.masked_high.val() == self.stored_cpid_high.q.val())
            & (self.masked_low.val() == self.stored_cpid_low.q.val());
        self.chosen_valid.d.next = self.feedback_valid.val() & (!self.increase.val() | self.same_point.val());
        if self.feedback_valid.val() & !self.increase.val() {
            self.stored_cpid_high.d.next = self.masked_high.val();
            self.stored_cpid_low.d.next = self.masked_low.val();
        }

        self.current_rate.next = self.rate.q.val();
        // The inverse of a decrease is the negative step minus 1; a carry into bit 0 adds the 1.
        self.summand.next = bit_cast::<26, 25>(self.step.q.val()).to_bits() << 1;
        self.signed_step.next = bit_cast::<27, 25>(self.step.q.val());
        self.bound.next = self.line_rate.val();
        self.less_bound.next = bits::<27>(0) - bit_cast::<27, 25>(self.line_rate.val());
        if !self.step_up.q.val() {
            self.summand.next = (bit_cast::<26, 25>(self.step.q.val()).to_bits() << 1) | 1;
            self.signed_step.next = bit_cast::<27, 25>(self.step.q.val()) | 0x600_0000;
            self.bound.next = self.min_rate.val();
            self.less_bound.next = bits::<27>(0) - bit_cast::<27, 25>(self.min_rate.val());
        }
        self.stepped.next = ((bit_cast::<26, 25>(self.rate.q.val()).to_bits() << 1) | 1) + self.summand.val();

        // Does the new rate pass the bound? A carry-save adder reduces rate + step − bound to two numbers, so that one
        // carry chain gives the sign. `rate_less_bound` is new rate − bound after an increase, and one less after a
        // decrease.
        self.old_rate.next = bit_cast::<27, 25>(self.rate.q.val());
        self.sums.next = self.old_rate.val() ^ self.signed_step.val() ^ self.less_bound.val();
        self.carries.next = (self.old_rate.val() & self.signed_step.val())
            | (self.old_rate.val() & self.less_bound.val())
            | (self.signed_step.val() & self.less_bound.val());
        self.rate_less_bound.next = self.sums.val() + (self.carries.val().to_bits() << 1);
        if self.step_valid.q.val() {
            self.rate.d.next = self.stepped.val().to_bits().get_bits::<25>(1);
            if self.rate_less_bound.val().get_bit(26) ^ self.step_up.q.val() {
                self.rate.d.next = self.bound.val();
            }
        }
        if self.reset.val() {
            self.rate.d.next = self.line_rate.val();
        }
    }
}
