// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's calculator: multiplicative decrease, additive increase, and a stop.

use crate::rtl::block;
use crate::rtl::reaction_point::rate_bounds::RateBounds;
use crate::rtl::scaled_product::ScaledProduct;
use tidegate_hdl::prelude::*;

/// State of the calculator.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum BcnPhase {
    /// Wait for feedback; start the product w·ΔQ.
    Idle,
    /// Wait for w·ΔQ; add Qoff.
    Weigh,
    /// Get the sign of the sum; start the product that gives |Fb|.
    Measure,
    /// Wait for the product.
    Quantise,
    /// Limit |Fb| to six bits.
    Cut,
    /// Start the product that gives the change of the rate, or the waiting time of a stop.
    ScaleBegins,
    /// Wait for the product.
    Scale,
    /// Add the change to the rate, or subtract it.
    Add,
    /// Limit the new rate, apply it and take the feedback.
    Apply,
}

block! { $ bcn_parameters:
    /// r ← r·(1 − G_d·|Fb|) if Fb < 0; r ← r + G_i·R_u·Fb if Fb > 0 (Jiang 2015b, equation (2)). |Fb| is |Qoff + w·ΔQ|
    /// quantised to six bits, 63 at q0·(2w + 1) and above. Fb = 0 changes nothing. If QOffset and QDelta are both 0,
    /// the message is BCN(0,0): the rate is 0 for a random part of `stop_cycles`, then it is the minimum rate;
    /// meanwhile feedback is taken and ignored. Rate and stop are stored outside.
    ///
    /// Feedback that is valid from cycle t is taken in cycle t + 104, with the new rate: three products share one serial
    /// multiplier. A decrease or a stop is remembered; an increase is applied only if it comes from the `same_point`.
    /// Products are rounded towards zero.
    pub struct BcnStep: "step_bcn" {
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
        /// |Fb| for each 64 octets of |Qoff + w·ΔQ|, 24 fraction bits.
        #[parameter]
        pub feedback_gain: Signal<In, Bits<30>>,
        /// G_d = 2^-`gd_shift`.
        #[parameter]
        pub gd_shift: Signal<In, Bits<4>>,
        /// G_i * R_u, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub increase_unit: Signal<In, Bits<25>>,
        /// T_max, upper bound of the random waiting time after a stop, cycles.
        #[parameter]
        pub stop_cycles: Signal<In, Bits<25>>,
        /// Value of the random source after reset, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`.
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits; 0 while the source is stopped. Hold it until
        /// `feedback_ready`.
        pub rate: Signal<In, Bits<25>>,
        /// The source is stopped.
        pub stopped: Signal<In, Bit>,
        /// No feedback is worked on.
        pub idle: Signal<Out, Bit>,
        /// The rate changes; valid with `feedback_ready`.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        /// The source stops; valid with `changes`.
        pub stops: Signal<Out, Bit>,
        /// Cycles until it starts again; valid with `stops`, and held until the next feedback.
        pub wait_cycles: Signal<Out, Bits<25>>,
        scaled_product: ScaledProduct,
        /// State of the sequence of steps.
        phase: DFF<BcnPhase>,
        /// Linear-feedback shift register, the source of random numbers.
        random: DFF<Bits<16>>,
        /// Qoff + w·ΔQ in units of 64 octets, then the new rate before its limits; two's complement.
        total: DFF<Bits<28>>,
        /// Fb is 0: the rate does not change.
        no_change: DFF<Bit>,
        /// The feedback is BCN(0,0), a stop.
        stop: DFF<Bit>,
        /// The feedback increases the rate.
        increase: DFF<Bit>,
        /// |Fb|, 0 to 63.
        feedback: DFF<Bits<6>>,
        /// The product is 2^25 or more: too large for a rate.
        product_large: DFF<Bit>,
        offset_extended: Signal<Local, Bits<28>>,
        delta_extended: Signal<Local, Bits<32>>,
        total_extended: Signal<Local, Bits<32>>,
        feedback_shifted: Signal<Local, Bits<32>>,
        size: Signal<Local, Bits<28>>,
        base: Signal<Local, Bits<28>>,
        negative: Signal<Local, Bit>,
        addend: Signal<Local, Bits<29>>,
        addition: Signal<Local, Bits<29>>,
        next_random: Signal<Local, Bits<16>>,
        bounded: Signal<Local, Bits<25>>,
    }
}

impl Logic for BcnStep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, random, total, no_change, stop, increase, feedback, product_large);
        clock!(self, clock, scaled_product);
        self.scaled_product.reset.next = self.reset.val();

        comment!("QOffset and QDelta with their signs");
        self.offset_extended.next = bit_cast::<28, 16>(self.q_offset_units.val());
        if self.q_offset_units.val().get_bit(15) {
            self.offset_extended.next = bit_cast::<28, 16>(self.q_offset_units.val()) | 0xfff_0000;
        }
        self.delta_extended.next = bit_cast::<32, 16>(self.q_delta_units.val());
        if self.q_delta_units.val().get_bit(15) {
            self.delta_extended.next = bit_cast::<32, 16>(self.q_delta_units.val()) | 0xffff_0000_u64;
        }
        self.total_extended.next = bit_cast::<32, 28>(self.total.q.val());
        if self.total.q.val().get_bit(27) {
            self.total_extended.next = bit_cast::<32, 28>(self.total.q.val()) | 0xf000_0000_u64;
        }
        self.feedback_shifted.next = bit_cast::<32, 6>(self.feedback.q.val()).to_bits() << 16;

        comment!("Numbers to multiply, by state");
        self.scaled_product.start.next = false;
        self.scaled_product.operand.next = bit_cast::<32, 25>(self.rate.val());
        self.scaled_product.factor.next = self.feedback_shifted.val().to_bits() >> self.gd_shift.val();
        if self.stop.q.val() {
            self.scaled_product.operand.next = bit_cast::<32, 25>(self.stop_cycles.val());
            self.scaled_product.factor.next = bit_cast::<32, 16>(self.random.q.val());
        } else if self.increase.q.val() {
            self.scaled_product.operand.next = bit_cast::<32, 25>(self.increase_unit.val());
            self.scaled_product.factor.next = self.feedback_shifted.val();
        }
        self.scaled_product.negate.next = false;
        if (self.phase.q.val() == BcnPhase::Idle) | (self.phase.q.val() == BcnPhase::Weigh) {
            self.scaled_product.start.next = (self.phase.q.val() == BcnPhase::Idle) & self.feedback_valid.val();
            self.scaled_product.operand.next = self.delta_extended.val();
            self.scaled_product.negate.next = self.q_delta_units.val().get_bit(15);
            self.scaled_product.factor.next = bit_cast::<32, 6>(self.weight.val()).to_bits() << 16;
        } else if (self.phase.q.val() == BcnPhase::Measure) | (self.phase.q.val() == BcnPhase::Quantise) {
            self.scaled_product.start.next = self.phase.q.val() == BcnPhase::Measure;
            self.scaled_product.operand.next = self.total_extended.val();
            self.scaled_product.negate.next = self.total.q.val().get_bit(27);
            self.scaled_product.factor.next = bit_cast::<32, 30>(self.feedback_gain.val());
        } else if self.phase.q.val() == BcnPhase::ScaleBegins {
            self.scaled_product.start.next = true;
        }

        comment!("The product gets its sign and is added to the base: Qoff, or the rate");
        self.size.next = bit_cast::<28, 25>(self.scaled_product.product.val().to_bits().get_bits::<25>(0));
        if self.product_large.q.val() {
            self.size.next = 0x1ff_ffff.into();
        }
        self.product_large.d.next = self.scaled_product.done.val()
            & (self.scaled_product.overflow.val()
                | self.scaled_product.product.val().to_bits().get_bits::<7>(25).any());
        self.base.next = bit_cast::<28, 25>(self.rate.val());
        self.negative.next = !self.increase.q.val();
        if self.phase.q.val() == BcnPhase::Weigh {
            self.base.next = self.offset_extended.val();
            self.negative.next = self.q_delta_units.val().get_bit(15);
        }
        // Two's complement: the inverse plus 1; the 1 is a carry into bit 0.
        self.addend.next = bit_cast::<29, 28>(self.size.val()).to_bits() << 1;
        if self.negative.val() {
            self.addend.next = (bit_cast::<29, 28>(self.size.val() ^ 0xfff_ffff).to_bits() << 1) | 1;
        }
        self.addition.next = ((bit_cast::<29, 28>(self.base.val()).to_bits() << 1) | 1) + self.addend.val();

        comment!("Next random number: eight steps of the shift register");
        self.next_random.next = (self.random.q.val().to_bits() << 8)
            | ((self.random.q.val().to_bits() >> 8)
                ^ ((self.random.q.val().to_bits() >> 6) & 0xff)
                ^ ((self.random.q.val().to_bits() >> 5) & 0xff)
                ^ ((self.random.q.val().to_bits() >> 3) & 0xff));

        comment!("The new rate");
        self.bounded.next = self.total.q.val().to_bits().get_bits::<25>(0);
        if self.stop.q.val() {
            self.bounded.next = 0.into();
        } else if self.total.q.val().get_bit(27) | (self.total.q.val() < bit_cast::<28, 25>(self.min_rate.val())) {
            self.bounded.next = self.min_rate.val();
        } else if self.total.q.val() > bit_cast::<28, 25>(self.line_rate.val()) {
            self.bounded.next = self.line_rate.val();
        }
        comment!("What is below a level is cut off");
        self.new_rate.next = self.bounded.val() & (self.rate_cut.val() ^ 0x1ff_ffff);
        self.stops.next = self.stop.q.val();
        self.wait_cycles.next = self.scaled_product.product.val().to_bits().get_bits::<25>(0);
        self.idle.next = self.phase.q.val() == BcnPhase::Idle;
        self.changes.next = false;
        self.feedback_ready.next = false;
        self.remember.next = false;
        comment!("State machine");
        match self.phase.q.val() {
            BcnPhase::Idle => {
                if self.feedback_valid.val() {
                    self.phase.d.next = BcnPhase::Weigh;
                }
            }
            BcnPhase::Weigh => {
                if self.scaled_product.done.val() {
                    self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                    self.phase.d.next = BcnPhase::Measure;
                }
            }
            BcnPhase::Measure => {
                self.no_change.d.next = !self.total.q.val().any();
                self.stop.d.next = !self.q_offset_units.val().any() & !self.q_delta_units.val().any();
                self.increase.d.next = self.total.q.val().get_bit(27);
                self.phase.d.next = BcnPhase::Quantise;
            }
            BcnPhase::Quantise => {
                if self.scaled_product.done.val() {
                    self.phase.d.next = BcnPhase::Cut;
                }
            }
            BcnPhase::Cut => {
                self.feedback.d.next = self.scaled_product.product.val().to_bits().get_bits::<6>(8);
                if self.product_large.q.val() | self.scaled_product.product.val().to_bits().get_bits::<11>(14).any() {
                    self.feedback.d.next = 63.into();
                }
                self.phase.d.next = BcnPhase::ScaleBegins;
            }
            BcnPhase::ScaleBegins => {
                self.phase.d.next = BcnPhase::Scale;
            }
            BcnPhase::Scale => {
                if self.scaled_product.done.val() {
                    self.phase.d.next = BcnPhase::Add;
                }
            }
            BcnPhase::Add => {
                self.total.d.next = self.addition.val().to_bits().get_bits::<28>(1);
                self.phase.d.next = BcnPhase::Apply;
            }
            BcnPhase::Apply => {
                self.feedback_ready.next = true;
                if !self.stopped.val() {
                    self.changes.next = self.stop.q.val()
                        | (!self.no_change.q.val() & (!self.increase.q.val() | self.same_point.val()));
                    if self.stop.q.val() {
                        self.random.d.next = self.next_random.val();
                    }
                    self.remember.next = self.stop.q.val() | (!self.no_change.q.val() & !self.increase.q.val());
                }
                self.phase.d.next = BcnPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = BcnPhase::Idle;
            self.random.d.next = self.seed.val();
        }
    }
}

module! {
    /// BCN's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in cycle t + 104 and
    /// changes `current_rate` in t + 105. A stop that is over ends as soon as no feedback is worked on: the rate is then
    /// the minimum rate.
    pub struct BcnCalculator: "calculator_bcn" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub feedback_valid: Signal<In, Bit>,
        pub feedback_ready: Signal<Out, Bit>,
        pub q_offset_units: Signal<In, Bits<16>>,
        pub q_delta_units: Signal<In, Bits<16>>,
        pub same_point: Signal<In, Bit>,
        pub remember: Signal<Out, Bit>,
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub weight: Signal<In, Bits<6>>,
        #[parameter]
        pub feedback_gain: Signal<In, Bits<30>>,
        #[parameter]
        pub gd_shift: Signal<In, Bits<4>>,
        #[parameter]
        pub increase_unit: Signal<In, Bits<25>>,
        #[parameter]
        pub stop_cycles: Signal<In, Bits<25>>,
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        #[parameter]
        pub rate_cut: Signal<In, Bits<25>>,
        /// Current rate r, bytes per cycle, 18 fraction bits; 0 while the source is stopped.
        pub current_rate: Signal<Out, Bits<25>>,
        rule: BcnStep,
        rate_bounds: RateBounds,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        rate: DFF<Bits<25>>,
        /// The source is stopped.
        stopped: Register<Bit>,
        /// Cycles until the source starts again.
        wait_left: DFF<Bits<25>>,
    }
}

impl Logic for BcnCalculator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rate, stopped, wait_left);
        clock!(self, clock, rule, rate_bounds);
        self.rule.reset.next = self.reset.val();
        self.stopped.reset.next = self.reset.val();
        self.rule.feedback_valid.next = self.feedback_valid.val();
        self.rule.q_offset_units.next = self.q_offset_units.val();
        self.rule.q_delta_units.next = self.q_delta_units.val();
        self.rule.same_point.next = self.same_point.val();
        self.rule.line_rate.next = self.line_rate.val();
        self.rule.min_rate.next = self.min_rate.val();
        self.rule.weight.next = self.weight.val();
        self.rule.feedback_gain.next = self.feedback_gain.val();
        self.rule.gd_shift.next = self.gd_shift.val();
        self.rule.increase_unit.next = self.increase_unit.val();
        self.rule.stop_cycles.next = self.stop_cycles.val();
        self.rule.seed.next = self.seed.val();
        self.rule.rate_cut.next = self.rate_cut.val();
        self.rule.rate.next = self.rate.q.val();
        self.rule.stopped.next = self.stopped.q.val();
        self.feedback_ready.next = self.rule.feedback_ready.val();
        self.remember.next = self.rule.remember.val();

        comment!("Cycles until a stopped source starts again");
        if self.wait_left.q.val().any() {
            self.wait_left.d.next = self.wait_left.q.val() - 1;
        }
        if self.rule.idle.val() & self.stopped.q.val() & !self.wait_left.q.val().any() {
            self.stopped.d.next = false;
            self.rate.d.next = self.min_rate.val();
        }
        self.rate_bounds.reset.next = self.reset.val();
        self.rate_bounds.rate.next = self.rate.q.val();
        self.rate_bounds.free.next = self.rule.changes.val() | self.stopped.q.val();
        self.rate_bounds.line_rate.next = self.line_rate.val();
        self.rate_bounds.min_rate.next = self.min_rate.val();
        if self.rate_bounds.binds.val() {
            self.rate.d.next = self.rate_bounds.bound.val();
        }
        if self.rule.changes.val() {
            self.rate.d.next = self.rule.new_rate.val();
            self.stopped.d.next = self.rule.stops.val();
            if self.rule.stops.val() {
                self.wait_left.d.next = self.rule.wait_cycles.val();
            }
        }
        if self.reset.val() {
            self.rate.d.next = self.line_rate.val();
        }
        self.current_rate.next = self.rate.q.val();
    }
}
