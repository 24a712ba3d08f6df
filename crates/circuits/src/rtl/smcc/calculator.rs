// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC's calculator: two linear rules; the signs of Qoff and ΔQ select one.

use crate::rtl::block;
use tidegate_hdl::prelude::*;

/// What the calculator does with a feedback in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum SmccPhase {
    /// Wait for a feedback.
    Idle,
    /// Multiply by one bit of the magnitude after the other.
    Multiply,
    /// Limit the product to a step of the rate.
    Limit,
    /// Change the rate.
    Apply,
}

block! { $ smcc_parameters:
    /// r ← r − a·Qoff if Qoff and ΔQ have the same sign (State A); r ← r − b·ΔQ if their signs differ (State B; Jiang
    /// 2015b, equation (25)). The scheme has no state: the XOR of two sign bits selects the rule (section 5.1), so zero
    /// is positive; with `zero_in_state_a`, ΔQ = 0 is State A. The rate itself is stored outside.
    ///
    /// A frame comes at most each eight words, so one feedback is worked on at a time: its fields and the rate must be
    /// held until `feedback_ready`. It becomes valid in cycle t; 16 cycles multiply, one limits the step, one applies
    /// it: it is taken in cycle t + 18, with the new rate. In State A the gain is `gain_a` if |ΔQ| > `t1_units`, else
    /// `gain_a_small`. An increase is applied only if it comes from the `same_point`. The rate stays between minimum rate
    /// and line rate. Products are rounded towards zero; a step saturates below 128 bytes per cycle.
    ///
    /// Which decreases are remembered is a choice, because the paper leaves it open: the first one; each of a queue above
    /// its target (Qoff > 0, which is State A), or with Qoff + `store_weight` × ΔQ > 0; with `store_any` each. Qoff or
    /// ΔQ = 0 is no decrease.
    pub struct SmccStep: "step_smcc" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The feedback fields are valid; hold them until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// The feedback is taken in this cycle.
        pub feedback_ready: Signal<Out, Bit>,
        /// QOffset, units of 64 octets, two's complement; positive means congestion.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<In, Bits<16>>,
        /// The feedback comes from the congestion point of the last one that was taken with `remember`.
        pub same_point: Signal<In, Bit>,
        /// A congestion point is remembered for this rate.
        pub knows_point: Signal<In, Bit>,
        /// Remember the congestion point of the feedback; valid with `feedback_ready`.
        pub remember: Signal<Out, Bit>,
        /// A congestion point is remembered after this feedback; valid with `changes`.
        pub will_know_point: Signal<Out, Bit>,
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
        /// QDelta = 0 is State A, whatever the sign of QOffset; otherwise zero is positive.
        #[parameter]
        pub zero_in_state_a: Signal<In, Bit>,
        /// Each decrease is remembered.
        #[parameter]
        pub store_any: Signal<In, Bit>,
        /// Without `store_any`: the first decrease is remembered, and each with QOffset + `store_weight` x QDelta > 0; 0 = with QOffset > 0.
        #[parameter]
        pub store_weight: Signal<In, Bits<6>>,
        /// Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`.
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// The rate changes; valid with `feedback_ready`.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        /// What happens in this cycle.
        phase: DFF<SmccPhase>,
        /// Number of the bit of Qoff or ΔQ that is multiplied in the next cycle.
        place: Register<Bits<4>>,
        /// A bit of the number below this one is 1; in the phases after the product: the number is not 0.
        nonzero: Register<Bit>,
        /// The bit of the magnitude that is multiplied in this cycle.
        factor: DFF<Bit>,
        /// |ΔQ| is above `t1_units`.
        delta_large: DFF<Bit>,
        /// The rule of State B holds.
        state_b: DFF<Bit>,
        /// The feedback raises the rate.
        increase: DFF<Bit>,
        /// The negative of the rate that `increase` must not pass: of the line rate or of the minimum rate.
        less_bound: DFF<Bits<27>>,
        /// Gain × the lowest bits of the magnitude, shifted right by as many bits; then the step of the rate, whose
        /// bits are inverted if it is a decrease; 2^-18 bytes per cycle.
        product: DFF<Bits<32>>,
        /// The bit of Qoff at the place of `factor`.
        offset_bit: DFF<Bit>,
        /// In State B, if ΔQ is above 0: `store_weight` × ΔQ + Qoff as a number of 16 bits without sign, of the bits so
        /// far, shifted right by as many.
        line: DFF<Bits<6>>,
        /// A bit that was shifted out of it is 1.
        line_rest: DFF<Bit>,
        signs_differ: Signal<Local, Bit>,
        by_delta: Signal<Local, Bit>,
        gain: Signal<Local, Bits<32>>,
        delta_doubled: Signal<Local, Bits<17>>,
        raw_bit: Signal<Local, Bit>,
        addend: Signal<Local, Bits<33>>,
        product_sum: Signal<Local, Bits<33>>,
        line_addend: Signal<Local, Bits<6>>,
        line_sum: Signal<Local, Bits<8>>,
        line_above: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,
        remembers: Signal<Local, Bit>,
        size: Signal<Local, Bits<25>>,
        step: Signal<Local, Bits<25>>,
        summand: Signal<Local, Bits<26>>,
        stepped: Signal<Local, Bits<26>>,
        bound: Signal<Local, Bits<25>>,
        old_rate: Signal<Local, Bits<27>>,
        signed_step: Signal<Local, Bits<27>>,
        raises: Signal<Local, Bit>,
        sums: Signal<Local, Bits<27>>,
        carries: Signal<Local, Bits<27>>,
        rate_less_bound: Signal<Local, Bits<27>>,
        bounded: Signal<Local, Bits<25>>,
    }
}

impl Logic for SmccStep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            place,
            nonzero,
            factor,
            delta_large,
            state_b,
            increase,
            less_bound,
            product,
            offset_bit,
            line,
            line_rest
        );
        self.place.reset.next = self.reset.val();
        self.nonzero.reset.next = self.reset.val();

        comment!("The rule: which number decides, and which gain belongs to it");
        self.signs_differ.next = self.q_offset_units.val().get_bit(15) ^ self.q_delta_units.val().get_bit(15);
        self.by_delta.next = self.signs_differ.val() & !(self.zero_in_state_a.val() & !self.q_delta_units.val().any());
        // The first cycle of a feedback, in which these are not yet its own, needs neither gain nor direction.
        self.state_b.d.next = self.by_delta.val();
        self.raises.next = self.q_offset_units.val().get_bit(15);
        if self.by_delta.val() {
            self.raises.next = self.q_delta_units.val().get_bit(15);
        }
        self.increase.d.next = self.raises.val();
        self.less_bound.d.next = bits::<27>(0) - bit_cast::<27, 25>(self.min_rate.val());
        if self.raises.val() {
            self.less_bound.d.next = bits::<27>(0) - bit_cast::<27, 25>(self.line_rate.val());
        }
        // Twice |ΔQ|, or one less if ΔQ is negative: its inverse is |ΔQ| − 1, so that one carry chain compares.
        self.delta_doubled.next = bit_cast::<17, 16>(self.q_delta_units.val()).to_bits() << 1;
        if self.q_delta_units.val().get_bit(15) {
            self.delta_doubled.next = (bit_cast::<17, 16>(self.q_delta_units.val() ^ 0xffff).to_bits() << 1) | 1;
        }
        self.delta_large.d.next = self.delta_doubled.val() > (bit_cast::<17, 16>(self.t1_units.val()).to_bits() << 1);
        self.gain.next = self.gain_a_small.val();
        if self.state_b.q.val() {
            self.gain.next = self.gain_b.val();
        } else if self.delta_large.q.val() {
            self.gain.next = self.gain_a.val();
        }

        comment!("Serial multiplier, least significant bit of the magnitude first");
        // The product is shifted right by 16 in all, and each shift rounds down: this is the whole product, rounded down
        // once. A negative number is replaced by its magnitude bit by bit: the bits above its lowest 1 are inverted.
        self.raw_bit.next = (self.q_offset_units.val() >> self.place.q.val()).get_bit(0);
        if self.by_delta.val() {
            self.raw_bit.next = (self.q_delta_units.val() >> self.place.q.val()).get_bit(0);
        }
        self.factor.d.next = self.raw_bit.val() ^ (self.increase.q.val() & self.nonzero.q.val());
        self.addend.next = 0.into();
        if self.factor.q.val() {
            self.addend.next = bit_cast::<33, 32>(self.gain.val());
        }
        self.product_sum.next = bit_cast::<33, 32>(self.product.q.val()) + self.addend.val();

        comment!("Whether a decrease is remembered");
        // A decrease in State A has Qoff > 0 and ΔQ >= 0. In State B, ΔQ is above 0, its bits are those of `factor`, and
        // Qoff is below 0: as a number without sign it is larger by 2^16. The sum is added bit by bit, like the product.
        self.offset_bit.d.next = (self.q_offset_units.val() >> self.place.q.val()).get_bit(0);
        self.line_addend.next = 0.into();
        if self.factor.q.val() {
            self.line_addend.next = self.store_weight.val();
        }
        self.line_sum.next = ((bit_cast::<8, 6>(self.line.q.val()).to_bits() << 1) | 1)
            + ((bit_cast::<8, 6>(self.line_addend.val()).to_bits() << 1)
                | bit_cast::<8, 1>(self.offset_bit.q.val().into()));
        self.line_above.next = (self.line.q.val() > 1) | ((self.line.q.val() == 1) & self.line_rest.q.val());
        // Without a weight the sum is not needed.
        self.stores.next = self.store_any.val()
            | !self.knows_point.val()
            | !self.state_b.q.val()
            | (self.store_weight.val().any() & self.line_above.val());
        self.remembers.next = !self.increase.q.val() & self.nonzero.q.val() & self.stores.val();
        self.will_know_point.next = self.knows_point.val() | self.remembers.val();

        comment!("Limit of the step");
        self.size.next = self.product.q.val().to_bits().get_bits::<25>(0);
        if self.product.q.val().to_bits().get_bits::<7>(25).any() {
            self.size.next = 0x1ff_ffff.into();
        }

        comment!("The new rate");
        // The inverse of a decrease is the negative step minus 1; a carry into bit 0 adds the 1.
        self.step.next = self.product.q.val().to_bits().get_bits::<25>(0);
        self.summand.next = bit_cast::<26, 25>(self.step.val()).to_bits() << 1;
        self.signed_step.next = bit_cast::<27, 25>(self.step.val());
        self.bound.next = self.line_rate.val();
        if !self.increase.q.val() {
            self.summand.next = (bit_cast::<26, 25>(self.step.val()).to_bits() << 1) | 1;
            self.signed_step.next = bit_cast::<27, 25>(self.step.val()) | 0x600_0000;
            self.bound.next = self.min_rate.val();
        }
        self.stepped.next = ((bit_cast::<26, 25>(self.rate.val()).to_bits() << 1) | 1) + self.summand.val();

        comment!("Whether the new rate passes the bound");
        // A carry-save adder reduces rate + step − bound to two numbers, so that one carry chain gives the sign.
        // `rate_less_bound` is new rate − bound after an increase, and one less after a decrease.
        self.old_rate.next = bit_cast::<27, 25>(self.rate.val());
        self.sums.next = self.old_rate.val() ^ self.signed_step.val() ^ self.less_bound.q.val();
        self.carries.next = (self.old_rate.val() & self.signed_step.val())
            | (self.old_rate.val() & self.less_bound.q.val())
            | (self.signed_step.val() & self.less_bound.q.val());
        self.rate_less_bound.next = self.sums.val() + (self.carries.val().to_bits() << 1);

        self.bounded.next = self.stepped.val().to_bits().get_bits::<25>(1);
        if self.rate_less_bound.val().get_bit(26) ^ self.increase.q.val() {
            self.bounded.next = self.bound.val();
        }
        comment!("What is below a level is cut off");
        self.new_rate.next = self.bounded.val() & (self.rate_cut.val() ^ 0x1ff_ffff);

        comment!("Phases of a feedback");
        self.changes.next = false;
        self.feedback_ready.next = false;
        self.remember.next = false;
        match self.phase.q.val() {
            SmccPhase::Idle => {
                self.product.d.next = 0.into();
                self.line.d.next = 0.into();
                self.line_rest.d.next = false;
                if self.feedback_valid.val() {
                    self.nonzero.d.next = self.raw_bit.val();
                    self.place.d.next = 1.into();
                    self.phase.d.next = SmccPhase::Multiply;
                }
            }
            SmccPhase::Multiply => {
                self.product.d.next = self.product_sum.val().get_bits::<32>(1);
                self.line.d.next = self.line_sum.val().get_bits::<6>(2);
                self.line_rest.d.next = self.line_rest.q.val() | self.line_sum.val().get_bit(1);
                self.nonzero.d.next = self.nonzero.q.val() | self.raw_bit.val();
                self.place.d.next = self.place.q.val() + 1;
                if !self.place.q.val().any() {
                    self.phase.d.next = SmccPhase::Limit;
                }
            }
            SmccPhase::Limit => {
                self.product.d.next = bit_cast::<32, 25>(self.size.val());
                if !self.increase.q.val() {
                    self.product.d.next = bit_cast::<32, 25>(self.size.val() ^ 0x1ff_ffff);
                }
                self.place.d.next = 0.into();
                self.phase.d.next = SmccPhase::Apply;
            }
            SmccPhase::Apply => {
                self.feedback_ready.next = true;
                self.changes.next = !self.increase.q.val() | self.same_point.val();
                self.remember.next = self.remembers.val();
                self.nonzero.d.next = false;
                self.phase.d.next = SmccPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = SmccPhase::Idle;
        }
    }
}
