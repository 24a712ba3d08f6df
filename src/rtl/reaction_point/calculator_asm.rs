//! ASM's calculator: one linear rule with four sets of coefficients.

use crate::rtl::register::Register;
use crate::rtl::scaled_product::ScaledProduct;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

/// What the calculator is about.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum AsmPhase {
    /// Waits for feedback, and begins w·ΔQ.
    Idle,
    /// Waits for w·ΔQ, and adds Qf.
    Weigh,
    /// Takes magnitudes and signs of the sums.
    Measure,
    /// Chooses the set.
    Choose,
    /// Begins α·Qf.
    OffsetBegins,
    /// Waits for it.
    Offset,
    /// Takes α·Qf, and begins β·ΔQ.
    DeltaBegins,
    /// Waits for it.
    Delta,
    /// Adds it.
    Add,
    /// Subtracts from the rate.
    Subtract,
    /// Keeps the rate in its bounds.
    Apply,
}

module! {
    /// r ← r − α·Qf − β·ΔQ (asm.txt equation (11)). α and β have one value between the lines Fb = 0 and q = q0, where Qf and
    /// Qf + w·ΔQ differ in sign, and another elsewhere; zero counts as positive. There are two such sets (section 4.3): the one for
    /// approaching holds until |Qf + w·ΔQ| < `b_sigma_units`, the one for sliding until |Qf| + |ΔQ| < `b_zero_units`.
    ///
    /// Feedback offered in cycle t is taken in cycle t + 25 and shows in `current_rate` in t + 26: three products share a
    /// multiplier. A decrease stores the CPID; an increase counts only if its CPID is the stored one. Only the bits set in
    /// `cpid_mask` are stored and compared. Reset sets the rate to the line rate; it stays within minimum and line rate.
    /// Products are cut, not rounded; one above 127 bytes per cycle saturates.
    pub struct AsmCalculator: "calculator_asm" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Feedback is there: it stays until it is taken.
        pub feedback_valid: Signal<In, Bit>,
        /// It is taken.
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
        /// w.
        pub weight: Signal<In, Bits<6>>,
        /// Alpha between the lines while approaching, 2^-18 bytes per cycle for 64 octets, 12 fraction bits.
        pub approach_alpha_between: Signal<In, Bits<32>>,
        /// Beta there, in the same unit.
        pub approach_beta_between: Signal<In, Bits<32>>,
        /// Alpha elsewhere.
        pub approach_alpha_outside: Signal<In, Bits<32>>,
        /// Beta elsewhere.
        pub approach_beta_outside: Signal<In, Bits<32>>,
        /// Alpha between the lines while sliding.
        pub sliding_alpha_between: Signal<In, Bits<32>>,
        /// Beta there.
        pub sliding_beta_between: Signal<In, Bits<32>>,
        /// Alpha elsewhere.
        pub sliding_alpha_outside: Signal<In, Bits<32>>,
        /// Beta elsewhere.
        pub sliding_beta_outside: Signal<In, Bits<32>>,
        /// B_sigma, 64 octets.
        pub b_sigma_units: Signal<In, Bits<22>>,
        /// B_0, 64 octets.
        pub b_zero_units: Signal<In, Bits<17>>,
        /// Bits of the CPID that are stored and compared, 63 to 32.
        pub cpid_mask_high: Signal<In, Bits<32>>,
        /// Bits 31 to 0.
        pub cpid_mask_low: Signal<In, Bits<32>>,
        /// r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        scaled_product: ScaledProduct,
        phase: DFF<AsmPhase>,
        /// r.
        rate: DFF<Bits<25>>,
        /// Congestion point of the last decrease, bits 63 to 32.
        stored_cpid_high: Register<Bits<32>>,
        /// Bits 31 to 0.
        stored_cpid_low: Register<Bits<32>>,
        /// It slides: has been near Fb = 0 since it was last near the stable point.
        slides: Register<Bit>,
        /// So it will, if this feedback counts.
        will_slide: DFF<Bit>,
        /// Qf + w·ΔQ, then what is to be subtracted, then the new rate; two's complement.
        total: DFF<Bits<28>>,
        /// |Qf + w·ΔQ|.
        distance: DFF<Bits<22>>,
        /// |Qf| + |ΔQ|.
        spread: DFF<Bits<17>>,
        /// Qf and Qf + w·ΔQ differ in sign.
        between: DFF<Bit>,
        /// The product is too large for a rate.
        large: DFF<Bit>,
        /// The rate is to rise.
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
        addition: Signal<Local, Bits<29>>,
        distance_wide: Signal<Local, Bits<28>>,
        masked_high: Signal<Local, Bits<32>>,
        masked_low: Signal<Local, Bits<32>>,
        same_point: Signal<Local, Bit>,
    }
}

parameter_inputs!(AsmCalculator:
    line_rate, min_rate, weight,
    approach_alpha_between, approach_beta_between, approach_alpha_outside, approach_beta_outside,
    sliding_alpha_between, sliding_beta_between, sliding_alpha_outside, sliding_beta_outside,
    b_sigma_units, b_zero_units, cpid_mask_high, cpid_mask_low;
    feedback_valid, q_offset_units, q_delta_units, cpid_high, cpid_low);

impl Logic for AsmCalculator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            rate,
            stored_cpid_high,
            stored_cpid_low,
            slides,
            will_slide,
            total,
            distance,
            spread,
            between,
            large,
            increase
        );
        clock!(self, clock, scaled_product);
        self.scaled_product.reset.next = self.reset.val();
        self.stored_cpid_high.reset.next = self.reset.val();
        self.stored_cpid_low.reset.next = self.reset.val();
        self.slides.reset.next = self.reset.val();

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
        self.alpha.next = self.approach_alpha_outside.val();
        self.beta.next = self.approach_beta_outside.val();
        if self.between.q.val() & self.will_slide.q.val() {
            self.alpha.next = self.sliding_alpha_between.val();
            self.beta.next = self.sliding_beta_between.val();
        } else if self.between.q.val() {
            self.alpha.next = self.approach_alpha_between.val();
            self.beta.next = self.approach_beta_between.val();
        } else if self.will_slide.q.val() {
            self.alpha.next = self.sliding_alpha_outside.val();
            self.beta.next = self.sliding_beta_outside.val();
        }

        self.scaled_product.start.next = false;
        self.scaled_product.operand.next = bit_cast::<32, 16>(self.delta_magnitude.val()).to_bits() << 4;
        self.scaled_product.factor.next = self.beta.val();
        if self.phase.q.val() == AsmPhase::Idle {
            self.scaled_product.start.next = self.feedback_valid.val();
            self.scaled_product.operand.next = bit_cast::<32, 16>(self.delta_magnitude.val());
            self.scaled_product.factor.next = bit_cast::<32, 6>(self.weight.val()).to_bits() << 16;
        } else if self.phase.q.val() == AsmPhase::OffsetBegins {
            self.scaled_product.start.next = true;
            self.scaled_product.operand.next = bit_cast::<32, 16>(self.offset_magnitude.val()).to_bits() << 4;
            self.scaled_product.factor.next = self.alpha.val();
        } else if self.phase.q.val() == AsmPhase::DeltaBegins {
            self.scaled_product.start.next = true;
        }

        // A product gets its sign, and is added to what is there.
        self.size.next = bit_cast::<28, 25>(self.scaled_product.product.val().to_bits().get_bits::<25>(0));
        if self.large.q.val() {
            self.size.next = 0x1ff_ffff.into();
        }
        self.large.d.next = (self.phase.q.val() != AsmPhase::Idle)
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
            self.base.next = bit_cast::<28, 25>(self.rate.q.val());
            self.term.next = self.total.q.val();
            self.negative.next = true;
        }
        // Two's complement is the inverse plus 1: a carry into the lowest bit.
        self.addition.next = ((bit_cast::<29, 28>(self.base.val()).to_bits() << 1) | 1)
            + (bit_cast::<29, 28>(self.term.val()).to_bits() << 1);
        if self.negative.val() {
            self.addition.next = ((bit_cast::<29, 28>(self.base.val()).to_bits() << 1) | 1)
                + ((bit_cast::<29, 28>(self.term.val() ^ 0xfff_ffff).to_bits() << 1) | 1);
        }

        self.distance_wide.next = self.total.q.val();
        if self.total.q.val().get_bit(27) {
            self.distance_wide.next = bits::<28>(0) - self.total.q.val();
        }
        self.masked_high.next = self.cpid_high.val() & self.cpid_mask_high.val();
        self.masked_low.next = self.cpid_low.val() & self.cpid_mask_low.val();
        self.same_point.next = (self.masked_high.val() == self.stored_cpid_high.q.val())
            & (self.masked_low.val() == self.stored_cpid_low.q.val());
        self.feedback_ready.next = false;
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
                self.will_slide.d.next = (self.spread.q.val() >= self.b_zero_units.val())
                    & (self.slides.q.val() | (self.distance.q.val() < self.b_sigma_units.val()));
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
                if !self.increase.q.val() | self.same_point.val() {
                    self.slides.d.next = self.will_slide.q.val();
                    self.rate.d.next = self.total.q.val().to_bits().get_bits::<25>(0);
                    if self.total.q.val().get_bit(27) | (self.total.q.val() < bit_cast::<28, 25>(self.min_rate.val())) {
                        self.rate.d.next = self.min_rate.val();
                    } else if self.total.q.val() > bit_cast::<28, 25>(self.line_rate.val()) {
                        self.rate.d.next = self.line_rate.val();
                    }
                }
                if !self.increase.q.val() {
                    self.stored_cpid_high.d.next = self.masked_high.val();
                    self.stored_cpid_low.d.next = self.masked_low.val();
                }
                self.phase.d.next = AsmPhase::Idle;
            }
        }
        self.current_rate.next = self.rate.q.val();
        if self.reset.val() {
            self.phase.d.next = AsmPhase::Idle;
            self.rate.d.next = self.line_rate.val();
        }
    }
}
