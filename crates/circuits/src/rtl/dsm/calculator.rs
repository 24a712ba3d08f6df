// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM's calculator: one saturating addition.

use crate::rtl::block;
use tidegate_hdl::prelude::*;

block! { $ dsm_parameters:
    /// r ← r + F (Cheng, equation (26)). QOffset and QDelta of the frame hold F as 32-bit two's complement. The rate
    /// itself is stored outside.
    ///
    /// Feedback that is valid from cycle t is taken in cycle t + 1, with the new rate; hold its fields and the rate
    /// until then. A decrease is remembered, and F = 0 is none; an increase is applied only if it comes from the
    /// `same_point`. The rate stays between minimum rate and line rate.
    pub struct DsmStep: "step_dsm" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The feedback fields are valid; hold them until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// High for one cycle: the feedback is taken in this cycle.
        pub feedback_ready: Signal<Out, Bit>,
        /// F, 2^-18 bytes per cycle, two's complement, bits 31 to 16.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// F, bits 15 to 0.
        pub q_delta_units: Signal<In, Bits<16>>,
        /// The feedback comes from the congestion point of the last one that was taken with `remember`.
        pub same_point: Signal<In, Bit>,
        /// The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`.
        pub remember: Signal<Out, Bit>,
        /// Line rate, the largest rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`.
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// The rate changes; valid with `feedback_ready`.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        /// r + F before the limits, 2^-18 bytes per cycle, two's complement.
        sum: DFF<Bits<27>>,
        /// `sum` belongs to the current feedback, which is taken in this cycle.
        summed: Register<Bit>,
        /// F, saturated to 2^25 in magnitude.
        step: Signal<Local, Bits<27>>,
        top: Signal<Local, Bits<7>>,
        increase: Signal<Local, Bit>,
        sum_unsigned: Signal<Local, Bits<26>>,
        bounded: Signal<Local, Bits<25>>,
    }
}

impl Logic for DsmStep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, summed);
        self.summed.reset.next = self.reset.val();

        self.top.next = self.q_offset_units.val().to_bits().get_bits::<7>(9);
        self.step.next = (bit_cast::<27, 9>(self.q_offset_units.val().to_bits().get_bits::<9>(0)).to_bits() << 16)
            | bit_cast::<27, 16>(self.q_delta_units.val());
        if self.q_offset_units.val().get_bit(15) {
            self.step.next = (bit_cast::<27, 9>(self.q_offset_units.val().to_bits().get_bits::<9>(0)).to_bits() << 16)
                | bit_cast::<27, 16>(self.q_delta_units.val())
                | 0x600_0000;
            if self.top.val() != 0x7f {
                self.step.next = 0x600_0000.into();
            }
        } else if self.top.val().any() {
            self.step.next = 0x1ff_ffff.into();
        }
        self.increase.next =
            !self.q_offset_units.val().get_bit(15) & (self.q_offset_units.val().any() | self.q_delta_units.val().any());
        self.summed.d.next = self.feedback_valid.val() & !self.summed.q.val();
        self.feedback_ready.next = self.summed.q.val();
        self.remember.next = self.summed.q.val() & self.q_offset_units.val().get_bit(15);
        self.sum.d.next = bit_cast::<27, 25>(self.rate.val()) + self.step.val();

        self.sum_unsigned.next = self.sum.q.val().to_bits().get_bits::<26>(0);
        self.changes.next = self.summed.q.val() & (!self.increase.val() | self.same_point.val());
        self.bounded.next = self.sum.q.val().to_bits().get_bits::<25>(0);
        if self.sum.q.val().get_bit(26) | (self.sum_unsigned.val() < bit_cast::<26, 25>(self.min_rate.val())) {
            self.bounded.next = self.min_rate.val();
        } else if self.sum_unsigned.val() > bit_cast::<26, 25>(self.line_rate.val()) {
            self.bounded.next = self.line_rate.val();
        }
        comment!("What is below a level is cut off");
        self.new_rate.next = self.bounded.val() & (self.rate_cut.val() ^ 0x1ff_ffff);
    }
}
