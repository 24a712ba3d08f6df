// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM's calculator: one linear rule with four sets of coefficients.

use crate::rtl::block;
use crate::rtl::scaled_product::ScaledProduct;
use tidegate_hdl::prelude::*;

/// State of the calculator.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum AsmPhase {
    /// Wait for feedback; start the product w·ΔQ.
    Idle,
    /// Wait for w·ΔQ; add Qf.
    Weigh,
    /// Get magnitudes and signs of the sums.
    Measure,
    /// Choose the set of coefficients.
    Choose,
    /// Start the product α·Qf.
    OffsetBegins,
    /// Wait for the product.
    Offset,
    /// Take α·Qf; start the product β·ΔQ.
    DeltaBegins,
    /// Wait for the product.
    Delta,
    /// Add β·ΔQ to α·Qf.
    Add,
    /// Subtract the sum from the rate.
    Subtract,
    /// Limit the new rate, apply it and take the feedback.
    Apply,
}

block! { $ asm_parameters:
    /// r ← r − α·Qf − β·ΔQ (Jiang 2014, equation (11)). α and β have one value between the lines Fb = 0 and q = q0,
    /// where Qf and Qf + w·ΔQ differ in sign, and another value outside; zero counts as positive. There are two such
    /// sets (section 4.3): the approach set is used until |Qf + w·ΔQ| < `b_sigma_units`, then the sliding set until
    /// |Qf| + |ΔQ| < `b_zero_units`.
    ///
    /// Rate and set are stored outside. Feedback that is valid from cycle t is taken in cycle t + 106, with the new rate
    /// and set; hold its fields, the rate and the set until then. Three products share one serial multiplier. A decrease
    /// is remembered; an increase is applied only if it comes from the `same_point`. The rate stays between minimum rate
    /// and line rate. Products are rounded towards zero; a product saturates below 128 bytes per cycle.
    pub struct AsmStep: "step_asm" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The feedback fields are valid; hold them until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// High for one cycle: the feedback is taken in this cycle.
        pub feedback_ready: Signal<Out, Bit>,
        /// QOffset, units of 64 octets, two's complement; positive means congestion.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
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
        /// w, weight of the queue change.
        #[parameter]
        pub weight: Signal<In, Bits<6>>,
        /// Approach set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub approach_alpha_between: Signal<In, Bits<32>>,
        /// Approach set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub approach_beta_between: Signal<In, Bits<32>>,
        /// Approach set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub approach_alpha_outside: Signal<In, Bits<32>>,
        /// Approach set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub approach_beta_outside: Signal<In, Bits<32>>,
        /// Sliding set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub sliding_alpha_between: Signal<In, Bits<32>>,
        /// Sliding set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub sliding_beta_between: Signal<In, Bits<32>>,
        /// Sliding set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub sliding_alpha_outside: Signal<In, Bits<32>>,
        /// Sliding set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits.
        #[parameter]
        pub sliding_beta_outside: Signal<In, Bits<32>>,
        /// B_sigma, bound of |Fb| below which sliding begins, units of 64 octets.
        #[parameter]
        pub b_sigma_units: Signal<In, Bits<22>>,
        /// B_0, bound of |Qf| + |dQ| below which sliding ends, units of 64 octets.
        #[parameter]
        pub b_zero_units: Signal<In, Bits<17>>,
        /// Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`.
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// Rate and set change; valid with `feedback_ready`.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        /// The sliding set is in use.
        pub slides: Signal<In, Bit>,
        /// New value of `slides`; valid with `changes`.
        pub will_slide: Signal<Out, Bit>,
        scaled_product: ScaledProduct,
        /// State of the sequence of steps.
        phase: DFF<AsmPhase>,
        /// The sliding set will be in use, if the current feedback is applied.
        sliding: DFF<Bit>,
        /// Qf + w·ΔQ in units of 64 octets, then the amount to subtract, then the new rate before its limits; two's
        /// complement.
        total: DFF<Bits<28>>,
        /// |Qf + w·ΔQ|, units of 64 octets.
        distance: DFF<Bits<22>>,
        /// |Qf| + |ΔQ|, units of 64 octets.
        spread: DFF<Bits<17>>,
        /// Qf and Qf + w·ΔQ differ in sign: the point is between the lines.
        between: DFF<Bit>,
        /// The product is 2^25 or more: too large for a rate.
        product_large: DFF<Bit>,
        /// The feedback increases the rate.
        increase: DFF<Bit>,
        offset_magnitude: Signal<Local, Bits<16>>,
        delta_magnitude: Signal<Local, Bits<16>>,
        offset_extended: Signal<Local, Bits<28>>,
        alpha: Signal<Local, Bits<32>>,
        beta: Signal<Local, Bits<32>>,
        size: Signal<Local, Bits<28>>,
        base: Signal<Local, Bits<28>>,
        term: Signal<Local, Bits<28>>,
        negative: Signal<Local, Bit>,
        addend: Signal<Local, Bits<29>>,
        addition: Signal<Local, Bits<29>>,
        distance_wide: Signal<Local, Bits<28>>,
        bounded: Signal<Local, Bits<25>>,
    }
}

impl Logic for AsmStep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, sliding, total, distance, spread, between, product_large, increase);
        clock!(self, clock, scaled_product);
        self.scaled_product.reset.next = self.reset.val();

        comment!("Magnitudes of QOffset and QDelta; QOffset with its sign");
        self.offset_magnitude.next = self.q_offset_units.val();
        self.offset_extended.next = bit_cast::<28, 16>(self.q_offset_units.val());
        if self.q_offset_units.val().get_bit(15) {
            self.offset_magnitude.next = bits::<16>(0) - self.q_offset_units.val();
            self.offset_extended.next = bit_cast::<28, 16>(self.q_offset_units.val()) | 0xfff_0000;
        }
        self.delta_magnitude.next = self.q_delta_units.val();
        if self.q_delta_units.val().get_bit(15) {
            self.delta_magnitude.next = bits::<16>(0) - self.q_delta_units.val();
        }
        comment!("Coefficients: approach or sliding set, between or outside the lines");
        self.alpha.next = self.approach_alpha_outside.val();
        self.beta.next = self.approach_beta_outside.val();
        if self.between.q.val() & self.sliding.q.val() {
            self.alpha.next = self.sliding_alpha_between.val();
            self.beta.next = self.sliding_beta_between.val();
        } else if self.between.q.val() {
            self.alpha.next = self.approach_alpha_between.val();
            self.beta.next = self.approach_beta_between.val();
        } else if self.sliding.q.val() {
            self.alpha.next = self.sliding_alpha_outside.val();
            self.beta.next = self.sliding_beta_outside.val();
        }

        comment!("Numbers to multiply, by state");
        self.scaled_product.start.next = false;
        self.scaled_product.operand.next = bit_cast::<32, 16>(self.delta_magnitude.val()).to_bits() << 4;
        self.scaled_product.factor.next = self.beta.val();
        self.scaled_product.negate.next = false;
        if (self.phase.q.val() == AsmPhase::Idle) | (self.phase.q.val() == AsmPhase::Weigh) {
            self.scaled_product.start.next = (self.phase.q.val() == AsmPhase::Idle) & self.feedback_valid.val();
            self.scaled_product.operand.next = bit_cast::<32, 16>(self.delta_magnitude.val());
            self.scaled_product.factor.next = bit_cast::<32, 6>(self.weight.val()).to_bits() << 16;
        } else if (self.phase.q.val() == AsmPhase::OffsetBegins) | (self.phase.q.val() == AsmPhase::Offset) {
            self.scaled_product.start.next = self.phase.q.val() == AsmPhase::OffsetBegins;
            self.scaled_product.operand.next = bit_cast::<32, 16>(self.offset_magnitude.val()).to_bits() << 4;
            self.scaled_product.factor.next = self.alpha.val();
        } else if self.phase.q.val() == AsmPhase::DeltaBegins {
            self.scaled_product.start.next = true;
        }

        comment!("The product gets its sign and is added to the base: Qf, 0 or α·Qf");
        // In the state Subtract the sum is subtracted from the rate.
        self.size.next = bit_cast::<28, 25>(self.scaled_product.product.val().to_bits().get_bits::<25>(0));
        if self.product_large.q.val() {
            self.size.next = 0x1ff_ffff.into();
        }
        self.product_large.d.next = self.scaled_product.done.val()
            & (self.scaled_product.overflow.val()
                | self.scaled_product.product.val().to_bits().get_bits::<7>(25).any());
        self.base.next = self.total.q.val();
        self.term.next = self.size.val();
        self.negative.next = self.q_delta_units.val().get_bit(15);
        if self.phase.q.val() == AsmPhase::Weigh {
            self.base.next = self.offset_extended.val();
        } else if self.phase.q.val() == AsmPhase::DeltaBegins {
            self.base.next = 0.into();
            self.negative.next = self.q_offset_units.val().get_bit(15);
        } else if self.phase.q.val() == AsmPhase::Subtract {
            self.base.next = bit_cast::<28, 25>(self.rate.val());
            self.term.next = self.total.q.val();
            self.negative.next = true;
        }
        // Two's complement: the inverse plus 1; the 1 is a carry into bit 0.
        self.addend.next = bit_cast::<29, 28>(self.term.val()).to_bits() << 1;
        if self.negative.val() {
            self.addend.next = (bit_cast::<29, 28>(self.term.val() ^ 0xfff_ffff).to_bits() << 1) | 1;
        }
        self.addition.next = ((bit_cast::<29, 28>(self.base.val()).to_bits() << 1) | 1) + self.addend.val();

        comment!("Magnitude of the sum");
        self.distance_wide.next = self.total.q.val();
        if self.total.q.val().get_bit(27) {
            self.distance_wide.next = bits::<28>(0) - self.total.q.val();
        }
        comment!("The new rate");
        self.bounded.next = self.total.q.val().to_bits().get_bits::<25>(0);
        if self.total.q.val().get_bit(27) | (self.total.q.val() < bit_cast::<28, 25>(self.min_rate.val())) {
            self.bounded.next = self.min_rate.val();
        } else if self.total.q.val() > bit_cast::<28, 25>(self.line_rate.val()) {
            self.bounded.next = self.line_rate.val();
        }
        comment!("What is below a level is cut off");
        self.new_rate.next = self.bounded.val() & (self.rate_cut.val() ^ 0x1ff_ffff);
        self.will_slide.next = self.sliding.q.val();
        self.changes.next = false;
        self.feedback_ready.next = false;
        self.remember.next = false;
        comment!("State machine");
        match self.phase.q.val() {
            AsmPhase::Idle => {
                if self.feedback_valid.val() {
                    self.phase.d.next = AsmPhase::Weigh;
                }
            }
            AsmPhase::Weigh => {
                if self.scaled_product.done.val() {
                    self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                    self.phase.d.next = AsmPhase::Measure;
                }
            }
            AsmPhase::Measure => {
                self.distance.d.next = self.distance_wide.val().to_bits().get_bits::<22>(0);
                self.spread.d.next =
                    bit_cast::<17, 16>(self.offset_magnitude.val()) + bit_cast::<17, 16>(self.delta_magnitude.val());
                self.between.d.next = self.q_offset_units.val().get_bit(15) ^ self.total.q.val().get_bit(27);
                self.phase.d.next = AsmPhase::Choose;
            }
            AsmPhase::Choose => {
                self.sliding.d.next = (self.spread.q.val() >= self.b_zero_units.val())
                    & (self.slides.val() | (self.distance.q.val() < self.b_sigma_units.val()));
                self.phase.d.next = AsmPhase::OffsetBegins;
            }
            AsmPhase::OffsetBegins => {
                self.phase.d.next = AsmPhase::Offset;
            }
            AsmPhase::Offset => {
                if self.scaled_product.done.val() {
                    self.phase.d.next = AsmPhase::DeltaBegins;
                }
            }
            AsmPhase::DeltaBegins => {
                self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                self.phase.d.next = AsmPhase::Delta;
            }
            AsmPhase::Delta => {
                if self.scaled_product.done.val() {
                    self.phase.d.next = AsmPhase::Add;
                }
            }
            AsmPhase::Add => {
                self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                self.phase.d.next = AsmPhase::Subtract;
            }
            AsmPhase::Subtract => {
                self.increase.d.next = self.total.q.val().get_bit(27);
                self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                self.phase.d.next = AsmPhase::Apply;
            }
            AsmPhase::Apply => {
                self.feedback_ready.next = true;
                self.changes.next = !self.increase.q.val() | self.same_point.val();
                self.remember.next = !self.increase.q.val();
                self.phase.d.next = AsmPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = AsmPhase::Idle;
        }
    }
}
