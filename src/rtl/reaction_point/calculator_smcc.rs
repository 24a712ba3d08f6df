//! SMCC's calculator: two linear rules, chosen by the signs.

use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// r ← r − a·Qoff where Qoff and ΔQ have one sign (State A), r ← r − b·ΔQ where they differ (State B); zero counts as positive
    /// (smcc.txt equation (25) and section 4.4). No state machine: the state is the XOR of two sign bits.
    ///
    /// Feedback taken in cycle t chooses its gain, multiplies, adds up and shows in `current_rate` in cycle t + 4, with registers
    /// between; one is taken each cycle. In
    /// State A the gain is `gain_a` if |ΔQ| > `t1_units`, else `gain_a_small`. A decrease stores the CPID; an increase counts only
    /// if its CPID is the stored one. Only the bits set in `cpid_mask` are stored and compared. Reset sets the rate to the line rate; it
    /// stays within minimum and line rate. Products are cut, not rounded; a step above 127 bytes per cycle saturates.
    pub struct SmccCalculator: "calculator_smcc" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Feedback is there.
        pub feedback_valid: Signal<In, Bit>,
        /// It is taken: always.
        pub feedback_ready: Signal<Out, Bit>,
        /// QOffset, 64 octets, two's complement; positive is congestion.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, 64 octets, two's complement.
        pub q_delta_units: Signal<In, Bits<16>>,
        /// Congestion point that sent it, bits 63 to 32.
        pub cpid_high: Signal<In, Bits<32>>,
        /// Bits 31 to 0.
        pub cpid_low: Signal<In, Bits<32>>,
        /// Line rate, bytes per cycle, 18 fraction bits.
        pub line_rate: Signal<In, Bits<25>>,
        /// Least rate, bytes per cycle, 18 fraction bits.
        pub min_rate: Signal<In, Bits<25>>,
        /// a, for large QDelta, 2^-18 bytes per cycle for 64 octets, 16 fraction bits.
        pub gain_a: Signal<In, Bits<32>>,
        /// a, for small QDelta, in the same unit.
        pub gain_a_small: Signal<In, Bits<32>>,
        /// b, in the same unit.
        pub gain_b: Signal<In, Bits<32>>,
        /// T1: largest |QDelta| that is small, 64 octets.
        pub t1_units: Signal<In, Bits<16>>,
        /// Bits of the CPID that are stored and compared, 63 to 32.
        pub cpid_mask_high: Signal<In, Bits<32>>,
        /// Bits 31 to 0.
        pub cpid_mask_low: Signal<In, Bits<32>>,
        /// r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        /// r.
        rate: DFF<Bits<25>>,
        /// Congestion point of the last decrease, bits 63 to 32.
        stored_cpid_high: Register<Bits<32>>,
        /// Bits 31 to 0.
        stored_cpid_low: Register<Bits<32>>,
        /// Magnitude that the signs choose, 64 octets.
        chosen: DFF<Bits<16>>,
        /// With this gain.
        chosen_gain: DFF<Bits<32>>,
        /// It counts.
        chosen_valid: Register<Bit>,
        /// It is an increase.
        chosen_up: DFF<Bit>,
        /// Magnitude times whole part of the gain.
        whole_product: DFF<Bits<32>>,
        /// What the fraction of the gain adds.
        fraction_carry: DFF<Bits<16>>,
        /// It counts.
        product_valid: Register<Bit>,
        /// It is an increase.
        product_up: DFF<Bit>,
        /// Step of the rate; that of a decrease inverted, as what is to be subtracted.
        step: DFF<Bits<25>>,
        /// It counts.
        step_valid: Register<Bit>,
        /// It is an increase.
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
        beyond: Signal<Local, Bits<27>>,
    }
}

parameter_inputs!(SmccCalculator:
    line_rate, min_rate, gain_a, gain_a_small, gain_b, t1_units, cpid_mask_high, cpid_mask_low;
    feedback_valid, q_offset_units, q_delta_units, cpid_high, cpid_low);

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
        // The inverse of a decrease is one too small: a carry into the lowest bit makes up for it.
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

        // Rate and step less the bound are brought down to two numbers without carries, so that one chain says whether the new
        // rate reaches the bound: the sum is the difference after an increase, and one less after a decrease.
        self.old_rate.next = bit_cast::<27, 25>(self.rate.q.val());
        self.sums.next = self.old_rate.val() ^ self.signed_step.val() ^ self.less_bound.val();
        self.carries.next = (self.old_rate.val() & self.signed_step.val())
            | (self.old_rate.val() & self.less_bound.val())
            | (self.signed_step.val() & self.less_bound.val());
        self.beyond.next = self.sums.val() + (self.carries.val().to_bits() << 1);
        if self.step_valid.q.val() {
            self.rate.d.next = self.stepped.val().to_bits().get_bits::<25>(1);
            if self.beyond.val().get_bit(26) ^ self.step_up.q.val() {
                self.rate.d.next = self.bound.val();
            }
        }
        if self.reset.val() {
            self.rate.d.next = self.line_rate.val();
        }
    }
}
