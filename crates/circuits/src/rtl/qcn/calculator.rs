// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's calculator: a state machine with stages, counters and a serial multiplier.

use crate::rtl::block;
use crate::rtl::qcn::cycle_lengths::CycleLengths;
use crate::rtl::reaction_point::rate_bounds::RateBounds;
use tidegate_hdl::prelude::*;

/// What an operation does in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum QcnPhase {
    /// No operation: the next one starts.
    Idle,
    /// Of an increase: what to multiply, from the stages.
    Choose,
    /// Multiply by the first bit, the least significant one.
    Multiply1,
    /// Multiply by the second bit.
    Multiply2,
    /// Multiply by the third bit.
    Multiply3,
    /// Multiply by the fourth bit.
    Multiply4,
    /// Multiply by the fifth bit.
    Multiply5,
    /// Multiply by the last bit.
    Multiply6,
    /// The cut of a decrease, or the new target of an increase: the product, or less after target reduction.
    Change,
    /// The cut is half of the rate at most; the new target saturates.
    Limit,
    /// The new rate before its limits; the target changes.
    Average,
    /// The rate and the stages change.
    Apply,
}

block! { $ qcn_step_parameters:
    /// One operation on a rate of QCN: rate decrease, fast recovery, active and hyper-active increase, target reduction
    /// (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clause 32). Rates and stages are stored
    /// outside.
    ///
    /// An operation chooses what to multiply, multiplies for six cycles (rate × QntzFb, or R_AI or R_HAI × its count, which
    /// is added to the target), computes the cut or reduces the target, limits it, computes the new rate, and applies it.
    /// The target may be above the line rate, the current rate not. The target saturates below 128 bytes per cycle, stages
    /// at 63.
    pub struct QcnStep: "step_qcn" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A decrease starts in this cycle; not while `busy`, and only one of the three starts.
        pub start_decrease: Signal<In, Bit>,
        /// The increase at the end of a byte cycle starts.
        pub start_byte: Signal<In, Bit>,
        /// The increase at the end of a timer period starts.
        pub start_time: Signal<In, Bit>,
        /// QntzFb, quantised feedback, 0 to 63; valid with `start_decrease`.
        pub quantized_feedback: Signal<In, Bits<6>>,
        /// The decrease sets the target to the rate before it; valid with `start_decrease`.
        pub moves_target: Signal<In, Bit>,
        /// Line rate, the largest rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// R_AI, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub ai_rate: Signal<In, Bits<25>>,
        /// R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase.
        #[parameter]
        pub hai_rate: Signal<In, Bits<25>>,
        /// G_d = 2^-`gd_shift`.
        #[parameter]
        pub gd_shift: Signal<In, Bits<4>>,
        /// First stage of active increase.
        #[parameter]
        pub increase_stage: Signal<In, Bits<6>>,
        /// 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to
        /// 1/8.
        #[parameter]
        pub target_reduction: Signal<In, Bit>,
        /// Current rate r, bytes per cycle, 18 fraction bits. Hold it from the start to `changes`, and the stages too.
        pub rate: Signal<In, Bits<25>>,
        /// Target rate R, bytes per cycle, 18 fraction bits. Hold it until `target_changes`.
        pub target: Signal<In, Bits<25>>,
        /// Byte stage: byte cycles since the last feedback, at most 63.
        pub byte_stage: Signal<In, Bits<6>>,
        /// Time stage: timer periods since the last feedback, at most 63.
        pub time_stage: Signal<In, Bits<6>>,
        /// An operation is done.
        pub busy: Signal<Out, Bit>,
        /// The target changes: in the tenth cycle after the start.
        pub target_changes: Signal<Out, Bit>,
        /// New target rate, bytes per cycle, 18 fraction bits; valid with `target_changes`.
        pub new_target: Signal<Out, Bits<25>>,
        /// Rate and stages change, and the operation ends: in the eleventh cycle after the start.
        pub changes: Signal<Out, Bit>,
        /// New rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<Out, Bits<25>>,
        /// `new_rate` is the line rate.
        pub reaches_line_rate: Signal<Out, Bit>,
        /// New byte stage; valid with `changes`, and in the cycle after if the old stages are.
        pub new_byte_stage: Signal<Out, Bits<6>>,
        /// New time stage; valid with `changes`, and in the cycle after if the old stages are.
        pub new_time_stage: Signal<Out, Bits<6>>,
        /// What the current operation does in this cycle.
        phase: DFF<QcnPhase>,
        /// The phase is not `Idle`. Much depends on this: a register saves the comparison.
        works: Register<Bit>,
        /// The phase is one of the multiplication: the same for the product, whose sum comes late.
        multiplies: Register<Bit>,
        /// The current operation is a decrease.
        decrease: DFF<Bit>,
        /// The current operation is the increase at the end of a timer period.
        of_time: DFF<Bit>,
        /// R_HAI if the current operation is a hyper-active increase, R_AI otherwise; valid with `multiplies`. Bytes per
        /// cycle, 18 fraction bits.
        increment: DFF<Bits<25>>,
        /// The current operation, if it is an increase, reduces the target to 1/8.
        reduce: DFF<Bit>,
        /// The current operation, if it is a decrease, sets the target to the rate before the decrease.
        retarget: DFF<Bit>,
        /// The current operation, if it is a decrease, cuts the rate to its half.
        halves: DFF<Bit>,
        /// The byte stage is smaller than the time stage.
        byte_stage_lower: DFF<Bit>,
        /// The stages are equal.
        stages_equal: DFF<Bit>,
        /// The target changes in this cycle, unless the decrease does not set it; known a cycle before.
        ends_target: Register<Bit>,
        /// Rate and stages change in this cycle; known a cycle before.
        ends: Register<Bit>,
        /// First factor of the serial multiplier: QntzFb, or how often R_AI or R_HAI is added. Moves out to the right.
        factor: DFF<Bits<6>>,
        /// The product, and the target if it is an increase, which move to the right, too. Then the cut or the new target,
        /// the inverse of twice the cut or the new target, and the new rate before its limits: bytes per cycle, 18
        /// fraction bits.
        product: DFF<Bits<31>>,
        /// `increase_stage` − 1 of the cycle before. What depends on parameters only comes from registers, which
        /// constants remove.
        before_increase: Delay<Bits<6>>,
        /// In the cycle before, the byte stage was `increase_stage` or more.
        byte_past: DFF<Bit>,
        /// It was one less.
        byte_before: DFF<Bit>,
        /// In the cycle before, the time stage was `increase_stage` or more.
        time_past: DFF<Bit>,
        /// It was one less.
        time_before: DFF<Bit>,
        /// 2 × (1 − `increase_stage`) + 1 of the cycle before.
        less_offset: Delay<Bits<7>>,
        /// `hai_rate` was not 0 in the cycle before.
        has_hyper: Delay<Bit>,
        byte_increases: Signal<Local, Bit>,
        time_increases: Signal<Local, Bit>,
        hyper_active: Signal<Local, Bit>,
        stage_difference: Signal<Local, Bits<7>>,
        first_cycle: Signal<Local, Bit>,
        least_stage: Signal<Local, Bits<6>>,
        least_ended: Signal<Local, Bit>,
        least_doubled: Signal<Local, Bits<7>>,
        least_count: Signal<Local, Bits<7>>,
        hyper_count: Signal<Local, Bits<6>>,
        eight_rates: Signal<Local, Bits<30>>,
        two_rates: Signal<Local, Bits<30>>,
        less_target: Signal<Local, Bits<30>>,
        excess_sums: Signal<Local, Bits<30>>,
        excess_carries: Signal<Local, Bits<30>>,
        excess: Signal<Local, Bits<30>>,
        first_product: Signal<Local, Bits<31>>,
        multiplicand: Signal<Local, Bits<25>>,
        addend: Signal<Local, Bits<26>>,
        product_high: Signal<Local, Bits<26>>,
        product_sum: Signal<Local, Bits<31>>,
        product_low: Signal<Local, Bits<31>>,
        halved: Signal<Local, Bits<7>>,
        cut: Signal<Local, Bits<31>>,
        half_rate: Signal<Local, Bits<31>>,
        changed: Signal<Local, Bits<25>>,
        rates: Signal<Local, Bits<26>>,
        sum: Signal<Local, Bits<26>>,
    }
}

impl Logic for QcnStep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, works, multiplies, decrease, of_time, increment, reduce, retarget, halves);
        dff_setup!(self, clock, byte_stage_lower, stages_equal, ends_target, ends, factor, product);
        dff_setup!(
            self,
            clock,
            before_increase,
            byte_past,
            byte_before,
            time_past,
            time_before,
            less_offset,
            has_hyper
        );
        self.works.reset.next = self.reset.val();
        self.multiplies.reset.next = self.reset.val();
        self.ends_target.reset.next = self.reset.val();
        self.ends.reset.next = self.reset.val();

        comment!("Kind of increase, from the stages; the one that has just ended counts one more");
        // An increase is active from `increase_stage` on. Both stages are compared a cycle before: they do not change from the
        // start on.
        self.before_increase.d.next = self.increase_stage.val() - 1;
        self.byte_past.d.next = self.byte_stage.val() > self.before_increase.q.val();
        self.byte_before.d.next = self.byte_stage.val() == self.before_increase.q.val();
        self.time_past.d.next = self.time_stage.val() > self.before_increase.q.val();
        self.time_before.d.next = self.time_stage.val() == self.before_increase.q.val();
        self.byte_increases.next = self.byte_past.q.val() | (!self.of_time.q.val() & self.byte_before.q.val());
        self.time_increases.next = self.time_past.q.val() | (self.of_time.q.val() & self.time_before.q.val());
        self.has_hyper.d.next = self.hai_rate.val().any();
        self.hyper_active.next = self.byte_increases.val() & self.time_increases.val() & self.has_hyper.q.val();

        comment!("Count of hyper-active increase: the smaller stage − `increase_stage` + 1");
        // Which stage is smaller is known a cycle before: the stages do not change from the start on. So one carry chain
        // is enough, with nothing behind it. The smaller stage counts one more, by a carry, if it has just ended; of
        // equal stages the other one is the smaller.
        self.stage_difference.next = bit_cast::<7, 6>(self.byte_stage.val()) - bit_cast::<7, 6>(self.time_stage.val());
        self.byte_stage_lower.d.next = self.stage_difference.val().get_bit(6);
        self.stages_equal.d.next = self.byte_stage.val() == self.time_stage.val();
        self.least_stage.next = self.time_stage.val();
        if self.byte_stage_lower.q.val() {
            self.least_stage.next = self.byte_stage.val();
        }
        self.least_ended.next = !self.stages_equal.q.val() & (self.byte_stage_lower.q.val() ^ self.of_time.q.val());
        self.least_doubled.next =
            (bit_cast::<7, 6>(self.least_stage.val()).to_bits() << 1) | bit_cast::<7, 1>(self.least_ended.val().into());
        self.less_offset.d.next = (bit_cast::<7, 6>(bits::<6>(1) - self.increase_stage.val()).to_bits() << 1) | 1;
        self.least_count.next = self.least_doubled.val() + self.less_offset.q.val();
        self.hyper_count.next = self.least_count.val().to_bits().get_bits::<6>(1);

        comment!("Target reduction: bit 29 is 1 if 8 × rate + 2 × rate − target is negative");
        // A carry-save adder reduces the three numbers to two, so that one carry chain gives the sign.
        self.eight_rates.next = bit_cast::<30, 25>(self.rate.val()).to_bits() << 3;
        self.two_rates.next = bit_cast::<30, 25>(self.rate.val()).to_bits() << 1;
        self.less_target.next = bit_cast::<30, 25>(self.target.val()) ^ 0x3fff_ffff;
        self.excess_sums.next = self.eight_rates.val() ^ self.two_rates.val() ^ self.less_target.val();
        self.excess_carries.next = (self.eight_rates.val() & self.two_rates.val())
            | (self.eight_rates.val() & self.less_target.val())
            | (self.two_rates.val() & self.less_target.val());
        self.excess.next = self.excess_sums.val() + ((self.excess_carries.val().to_bits() << 1) | 1);

        // `reduce` is computed in every cycle and read in the phase `Change`. Rates and stages do not change during the
        // multiplication, so it then belongs to the current operation.
        self.first_cycle.next = (self.time_stage.val() == 1) | !self.byte_stage.val().any();
        if self.of_time.q.val() {
            self.first_cycle.next = (self.byte_stage.val() == 1) | !self.time_stage.val().any();
        }
        self.reduce.d.next = self.target_reduction.val() & self.first_cycle.val() & self.excess.val().get_bit(29);

        comment!("Serial multiplier, least significant bit of the first factor first");
        // An increase starts with the target, which is shifted right with the product and so added to it. 63 rates and a
        // target are less than 2^31.
        self.first_product.next = bit_cast::<31, 25>(self.target.val()).to_bits() << 6;
        if self.decrease.q.val() {
            self.first_product.next = 0.into();
        }
        // The kind of increase is known from the phase `Choose` on, and does not change during the multiplication.
        self.increment.d.next = self.ai_rate.val();
        if self.hyper_active.val() {
            self.increment.d.next = self.hai_rate.val();
        }
        self.multiplicand.next = self.increment.q.val();
        if self.decrease.q.val() {
            self.multiplicand.next = self.rate.val();
        }
        self.addend.next = 0.into();
        if self.factor.q.val().get_bit(0) {
            self.addend.next = bit_cast::<26, 25>(self.multiplicand.val());
        }
        self.product_high.next =
            bit_cast::<26, 25>(self.product.q.val().to_bits().get_bits::<25>(6)) + self.addend.val();
        self.product_sum.next = bit_cast::<31, 26>(self.product_high.val()).to_bits() << 5;
        self.product_low.next = bit_cast::<31, 5>(self.product.q.val().to_bits().get_bits::<5>(1));

        comment!("Cut, new target and new rate");
        // The cut is half of the rate at most: from QntzFb × G_d = 1/2 on.
        self.halved.next = bit_cast::<7, 6>(self.factor.q.val()).to_bits() << 1;
        self.halves.d.next = self.halves.q.val();
        if self.phase.q.val() == QcnPhase::Choose {
            self.halves.d.next = (self.halved.val().to_bits() >> self.gd_shift.val()).any();
        }
        self.cut.next = self.product.q.val().to_bits() >> self.gd_shift.val();
        self.half_rate.next = bit_cast::<31, 25>(self.rate.val()).to_bits() >> 1;
        self.changed.next = self.product.q.val().to_bits().get_bits::<25>(0);
        // Twice the new rate: rate + target, or 2 × rate + 1 plus the inverse of 2 × cut, which is the negative less 1. So
        // the sum is shifted by one in both cases, and nothing is chosen behind it.
        self.rates.next = bit_cast::<26, 25>(self.rate.val());
        if self.decrease.q.val() {
            self.rates.next = (bit_cast::<26, 25>(self.rate.val()).to_bits() << 1) | 1;
        }
        self.sum.next = self.rates.val() + self.product.q.val().to_bits().get_bits::<26>(0);

        comment!("The new rate and the new stages");
        self.new_rate.next = self.changed.val();
        self.reaches_line_rate.next = false;
        if self.changed.val() >= self.line_rate.val() {
            self.new_rate.next = self.line_rate.val();
            self.reaches_line_rate.next = true;
        } else if self.changed.val() < self.min_rate.val() {
            self.new_rate.next = self.min_rate.val();
            self.reaches_line_rate.next = self.min_rate.val() == self.line_rate.val();
        }
        self.new_byte_stage.next = self.byte_stage.val();
        self.new_time_stage.next = self.time_stage.val();
        if self.decrease.q.val() {
            self.new_byte_stage.next = 0.into();
            self.new_time_stage.next = 0.into();
        } else if self.of_time.q.val() {
            if self.time_stage.val() != 63 {
                self.new_time_stage.next = self.time_stage.val() + 1;
            }
        } else if self.byte_stage.val() != 63 {
            self.new_byte_stage.next = self.byte_stage.val() + 1;
        }

        comment!("Phases of an operation");
        self.factor.d.next = self.factor.q.val().to_bits() >> 1;
        self.product.d.next = self.first_product.val();
        self.ends_target.d.next =
            (self.phase.q.val() == QcnPhase::Limit) & (!self.decrease.q.val() | self.retarget.q.val());
        self.ends.d.next = self.phase.q.val() == QcnPhase::Average;
        self.target_changes.next = self.ends_target.q.val();
        self.new_target.next = self.changed.val();
        if self.decrease.q.val() {
            self.new_target.next = self.rate.val();
        }
        self.changes.next = self.ends.q.val();
        match self.phase.q.val() {
            QcnPhase::Idle => {
                self.factor.d.next = self.quantized_feedback.val();
                self.decrease.d.next = self.start_decrease.val();
                self.of_time.d.next = self.start_time.val();
                self.retarget.d.next = self.moves_target.val();
                if self.start_decrease.val() | self.start_byte.val() | self.start_time.val() {
                    self.phase.d.next = QcnPhase::Choose;
                    self.works.d.next = true;
                }
            }
            QcnPhase::Choose => {
                self.multiplies.d.next = true;
                if self.decrease.q.val() {
                    self.factor.d.next = self.factor.q.val();
                } else if self.hyper_active.val() {
                    self.factor.d.next = self.hyper_count.val();
                } else {
                    self.factor.d.next =
                        bit_cast::<6, 1>((self.byte_increases.val() | self.time_increases.val()).into());
                }
                self.phase.d.next = QcnPhase::Multiply1;
            }
            QcnPhase::Multiply1 => {
                self.phase.d.next = QcnPhase::Multiply2;
            }
            QcnPhase::Multiply2 => {
                self.phase.d.next = QcnPhase::Multiply3;
            }
            QcnPhase::Multiply3 => {
                self.phase.d.next = QcnPhase::Multiply4;
            }
            QcnPhase::Multiply4 => {
                self.phase.d.next = QcnPhase::Multiply5;
            }
            QcnPhase::Multiply5 => {
                self.phase.d.next = QcnPhase::Multiply6;
            }
            QcnPhase::Multiply6 => {
                self.phase.d.next = QcnPhase::Change;
                self.multiplies.d.next = false;
            }
            QcnPhase::Change => {
                self.phase.d.next = QcnPhase::Limit;
                if self.decrease.q.val() & self.halves.q.val() {
                    self.product.d.next = self.half_rate.val();
                } else if self.decrease.q.val() {
                    self.product.d.next = self.cut.val();
                } else if self.reduce.q.val() {
                    self.product.d.next = bit_cast::<31, 25>(self.target.val()).to_bits() >> 3;
                } else {
                    self.product.d.next = self.product.q.val();
                }
            }
            QcnPhase::Limit => {
                self.phase.d.next = QcnPhase::Average;
                self.product.d.next = bit_cast::<31, 25>(self.changed.val());
                if self.decrease.q.val() {
                    self.product.d.next = (self.product.q.val().to_bits() << 1) ^ 0x7fff_ffff;
                } else if self.product.q.val().to_bits().get_bits::<6>(25).any() {
                    self.product.d.next = 0x1ff_ffff.into();
                }
            }
            QcnPhase::Average => {
                self.phase.d.next = QcnPhase::Apply;
                self.product.d.next = bit_cast::<31, 25>(self.sum.val().to_bits().get_bits::<25>(1));
            }
            QcnPhase::Apply => {
                self.phase.d.next = QcnPhase::Idle;
                // As in `Average`.
                self.product.d.next = bit_cast::<31, 25>(self.sum.val().to_bits().get_bits::<25>(1));
                self.works.d.next = false;
            }
        }
        if self.multiplies.q.val() {
            self.product.d.next = self.product_sum.val() | self.product_low.val();
        }
        if self.reset.val() {
            self.phase.d.next = QcnPhase::Idle;
        }
        self.busy.next = self.works.q.val();
    }
}

block! { $ qcn_parameters:
    /// Computes QCN's rate: rate decrease, fast recovery, active and hyper-active increase, target reduction, extra
    /// fast recovery (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clause 32).
    ///
    /// It does one operation at a time: a decrease, or the increase at the end of a byte cycle or timer period. The
    /// target changes eleven cycles after the start, rate and stages twelve. Meanwhile `feedback_ready` is low. The end
    /// of a byte cycle or timer period waits in `byte_due` or `time_due`; it is served before a feedback that waits, the
    /// byte cycle first.
    ///
    /// The byte counter and the timer count down. A feedback that is taken restarts the timer and, if it moves the
    /// target, the byte counter; bytes sent in that cycle do not count. One `sent` ends at most one byte cycle. When a
    /// counter restarts, the next random number is taken.
    pub struct QcnCalculator: "calculator_qcn" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The feedback field is valid; hold it until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// The feedback is taken in this cycle, if `feedback_valid`.
        pub feedback_ready: Signal<Out, Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        pub quantized_feedback: Signal<In, Bits<6>>,
        /// A frame is sent: its grant is in this cycle.
        pub sent: Signal<In, Bit>,
        /// Length of the frame that is sent, bytes; valid with `sent`.
        pub sent_bytes: Signal<In, Bits<24>>,
        /// The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive.
        pub source_empty: Signal<In, Bit>,
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub ai_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub hai_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub gd_shift: Signal<In, Bits<4>>,
        #[parameter]
        pub byte_cycle_low: Signal<In, Bits<24>>,
        #[parameter]
        pub byte_cycle_span: Signal<In, Bits<24>>,
        #[parameter]
        pub timer_low: Signal<In, Bits<24>>,
        #[parameter]
        pub timer_span: Signal<In, Bits<24>>,
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        #[parameter]
        pub increase_stage: Signal<In, Bits<6>>,
        #[parameter]
        pub half_stage: Signal<In, Bits<6>>,
        #[parameter]
        pub target_reduction: Signal<In, Bit>,
        /// 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte
        /// counter.
        #[parameter]
        pub extra_fast_recovery: Signal<In, Bit>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        /// Target rate R, bytes per cycle, 18 fraction bits.
        pub target_rate: Signal<Out, Bits<25>>,
        /// Byte stage: byte cycles since the last feedback, at most 63.
        pub byte_stage: Signal<Out, Bits<6>>,
        /// Time stage: timer periods since the last feedback, at most 63.
        pub time_stage: Signal<Out, Bits<6>>,
        rule: QcnStep,
        rate_bounds: RateBounds,
        cycle_lengths: CycleLengths,
        /// The reaction point limits the rate: it has had feedback and has not become inactive since.
        active: Register<Bit>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        rate: DFF<Bits<25>>,
        /// Target rate R, bytes per cycle, 18 fraction bits.
        target: DFF<Bits<25>>,
        /// Byte stage: byte cycles since the last feedback, at most 63.
        stage_of_bytes: Register<Bits<6>>,
        /// Time stage: timer periods since the last feedback, at most 63.
        stage_of_time: Register<Bits<6>>,
        /// Bytes to the end of the byte cycle, minus one.
        bytes_left: DFF<Bits<24>>,
        /// Cycles to the end of the timer period, minus one.
        cycles_left: DFF<Bits<24>>,
        /// A byte cycle has ended; its increase waits.
        byte_due: Register<Bit>,
        /// A timer period has ended; its increase waits.
        time_due: Register<Bit>,
        /// `timer_low` was not 0 in the cycle before.
        has_timer: Delay<Bit>,
        /// `has_timer` of the cycle before. Until then a period begins in each cycle, so that a timer that was off begins one.
        had_timer: Delay<Bit>,
        free: Signal<Local, Bit>,
        start_byte: Signal<Local, Bit>,
        start_time: Signal<Local, Bit>,
        start_decrease: Signal<Local, Bit>,
        moves_target: Signal<Local, Bit>,
        bytes_extended: Signal<Local, Bits<25>>,
        sent_extended: Signal<Local, Bits<25>>,
        bytes_after: Signal<Local, Bits<25>>,
        bytes_counted: Signal<Local, Bits<24>>,
        restart: Signal<Local, Bit>,
        counting: Signal<Local, Bit>,
        byte_end: Signal<Local, Bit>,
        byte_full: Signal<Local, Bit>,
        cycles_after: Signal<Local, Bits<25>>,
        period_over: Signal<Local, Bit>,
        time_end: Signal<Local, Bit>,
        time_full: Signal<Local, Bit>,
    }
}

impl Logic for QcnCalculator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            active,
            rate,
            target,
            stage_of_bytes,
            stage_of_time,
            bytes_left,
            cycles_left,
            byte_due,
            time_due,
            has_timer,
            had_timer
        );
        self.active.reset.next = self.reset.val();
        self.stage_of_bytes.reset.next = self.reset.val();
        self.stage_of_time.reset.next = self.reset.val();
        self.byte_due.reset.next = self.reset.val();
        self.time_due.reset.next = self.reset.val();
        clock!(self, clock, rule, rate_bounds, cycle_lengths);
        self.rule.reset.next = self.reset.val();
        self.cycle_lengths.reset.next = self.reset.val();
        self.cycle_lengths.seed.next = self.seed.val();

        comment!("The operation that starts: end of a byte cycle, end of a timer period, or a decrease");
        self.free.next = !self.rule.busy.val() & !self.byte_due.q.val() & !self.time_due.q.val();
        self.start_byte.next = !self.rule.busy.val() & self.byte_due.q.val();
        self.start_time.next = !self.rule.busy.val() & !self.byte_due.q.val() & self.time_due.q.val();
        self.start_decrease.next = self.free.val() & self.feedback_valid.val();
        self.feedback_ready.next = self.free.val();
        self.moves_target.next =
            !self.active.q.val() | self.stage_of_bytes.q.val().any() | !self.extra_fast_recovery.val();

        comment!("What an operation changes");
        self.rule.start_decrease.next = self.start_decrease.val();
        self.rule.start_byte.next = self.start_byte.val();
        self.rule.start_time.next = self.start_time.val();
        self.rule.quantized_feedback.next = self.quantized_feedback.val();
        self.rule.moves_target.next = self.moves_target.val();
        self.rule.line_rate.next = self.line_rate.val();
        self.rule.min_rate.next = self.min_rate.val();
        self.rule.ai_rate.next = self.ai_rate.val();
        self.rule.hai_rate.next = self.hai_rate.val();
        self.rule.gd_shift.next = self.gd_shift.val();
        self.rule.increase_stage.next = self.increase_stage.val();
        self.rule.target_reduction.next = self.target_reduction.val();
        self.rule.rate.next = self.rate.q.val();
        self.rule.target.next = self.target.q.val();
        self.rule.byte_stage.next = self.stage_of_bytes.q.val();
        self.rule.time_stage.next = self.stage_of_time.q.val();
        if self.start_decrease.val() {
            self.active.d.next = true;
        }
        if self.rule.target_changes.val() {
            self.target.d.next = self.rule.new_target.val();
        }
        self.rate_bounds.reset.next = self.reset.val();
        self.rate_bounds.rate.next = self.rate.q.val();
        self.rate_bounds.free.next = self.rule.changes.val();
        self.rate_bounds.line_rate.next = self.line_rate.val();
        self.rate_bounds.min_rate.next = self.min_rate.val();
        if self.rate_bounds.binds.val() {
            self.rate.d.next = self.rate_bounds.bound.val();
        }
        if self.rule.changes.val() {
            self.rate.d.next = self.rule.new_rate.val();
            self.stage_of_bytes.d.next = self.rule.new_byte_stage.val();
            self.stage_of_time.d.next = self.rule.new_time_stage.val();
        }

        self.cycle_lengths.byte_cycle_low.next = self.byte_cycle_low.val();
        self.cycle_lengths.byte_cycle_span.next = self.byte_cycle_span.val();
        self.cycle_lengths.timer_low.next = self.timer_low.val();
        self.cycle_lengths.timer_span.next = self.timer_span.val();
        self.cycle_lengths.half_stage.next = self.half_stage.val();
        self.cycle_lengths.byte_stage.next = self.stage_of_bytes.q.val();
        self.cycle_lengths.time_stage.next = self.stage_of_time.q.val();
        if self.rule.changes.val() {
            self.cycle_lengths.byte_stage.next = self.rule.new_byte_stage.val();
            self.cycle_lengths.time_stage.next = self.rule.new_time_stage.val();
        }

        comment!("Byte cycle: whether the current one ends in this cycle");
        self.restart.next = self.start_decrease.val() & self.moves_target.val();
        self.bytes_extended.next = bit_cast::<25, 24>(self.bytes_left.q.val());
        self.sent_extended.next = bit_cast::<25, 24>(self.sent_bytes.val());
        self.bytes_after.next = self.bytes_extended.val() - self.sent_extended.val();
        self.counting.next = self.sent.val() & self.active.q.val();
        self.byte_end.next = self.counting.val() & self.bytes_after.val().get_bit(24);
        self.byte_full.next = self.byte_end.val() & !self.restart.val();
        // The carry chooses without a condition, because it comes late.
        self.bytes_counted.next = self.bytes_after.val().to_bits().get_bits::<24>(0);
        if self.bytes_after.val().get_bit(24) {
            self.bytes_counted.next = self.cycle_lengths.next_bytes.val();
        }
        if self.restart.val() {
            self.bytes_left.d.next = self.cycle_lengths.first_bytes.val();
        } else if self.counting.val() {
            self.bytes_left.d.next = self.bytes_counted.val();
        }
        self.byte_due.d.next = self.byte_full.val() | (self.byte_due.q.val() & !self.start_byte.val());

        comment!("Timer: whether the current period ends in this cycle");
        // The carry of the subtraction says it, sooner than a comparison with 0.
        self.cycles_after.next = bit_cast::<25, 24>(self.cycles_left.q.val()) - 1;
        self.period_over.next = self.cycles_after.val().get_bit(24);
        self.has_timer.d.next = self.timer_low.val().any();
        self.had_timer.d.next = self.has_timer.q.val();
        self.time_end.next =
            self.active.q.val() & self.has_timer.q.val() & self.had_timer.q.val() & self.period_over.val();
        self.time_full.next = self.time_end.val() & !self.start_decrease.val();
        // While inactive, what is left does not matter.
        self.cycles_left.d.next = self.cycles_after.val().to_bits().get_bits::<24>(0);
        if self.start_decrease.val() {
            self.cycles_left.d.next = self.cycle_lengths.first_cycles.val();
        } else if self.period_over.val() | !self.had_timer.q.val() {
            self.cycles_left.d.next = self.cycle_lengths.next_cycles.val();
        }
        // Without a timer nothing is ever due: synthesis cannot see it if the register holds itself.
        self.time_due.d.next =
            self.has_timer.q.val() & (self.time_full.val() | (self.time_due.q.val() & !self.start_time.val()));

        comment!("The next random number");
        // A restart draws too, so it makes no difference that it keeps a counter from ending.
        self.cycle_lengths.draw.next = self.byte_end.val() | self.time_end.val() | self.start_decrease.val();

        comment!("While inactive, both rates are the line rate");
        if self.reset.val() | !self.active.q.val() {
            self.rate.d.next = self.line_rate.val();
            self.target.d.next = self.line_rate.val();
        }

        comment!("At line rate and without a frame to send, the reaction point becomes inactive");
        if self.free.val()
            & !self.feedback_valid.val()
            & self.active.q.val()
            & self.source_empty.val()
            & self.rate_bounds.at_line_rate.val()
        {
            self.active.d.next = false;
            self.target.d.next = self.line_rate.val();
            self.stage_of_bytes.d.next = 0.into();
            self.stage_of_time.d.next = 0.into();
            self.byte_due.d.next = false;
            self.time_due.d.next = false;
        }
        self.current_rate.next = self.rate.q.val();
        self.target_rate.next = self.target.q.val();
        self.byte_stage.next = self.stage_of_bytes.q.val();
        self.time_stage.next = self.stage_of_time.q.val();
    }
}
