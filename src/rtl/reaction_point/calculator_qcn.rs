//! QCN's calculator: a state machine with stages, counters and a serial multiplier.

use crate::rtl::jitter::Jitter;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::sum_reaches::SumReaches;
use crate::rtl::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Computes QCN's rate: rate decrease, fast recovery, active and hyper-active increase, target reduction, extra
    /// fast recovery (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clause 32).
    ///
    /// It does one operation at a time: a decrease, or the increase at the end of a byte cycle or timer period. The
    /// operation starts in state 0, multiplies for six cycles (rate × QntzFb, or R_HAI × its count), computes the cut
    /// or the new target, computes the new rate, and applies both: rate, target and stages change together ten cycles
    /// after the start. Meanwhile `feedback_ready` is low. The end of a byte cycle or timer period waits in `byte_due`
    /// or `time_due`; it is served before a feedback that waits, the byte cycle first. In the cycle in which a feedback
    /// is taken it restarts the timer and, if it moves the target, the byte counter; bytes sent in that cycle count in
    /// the new byte cycle but cannot end it. One `sent` ends at most one byte cycle. The target rate may be above the
    /// line rate, the current rate not. The target saturates below 128 bytes per cycle, stages at 63.
    pub struct QcnCalculator: "calculator_qcn" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
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
        /// Smallest byte cycle, bytes.
        #[parameter]
        pub byte_cycle_low: Signal<In, Bits<24>>,
        /// Jitter of the byte cycle: (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter.
        #[parameter]
        pub byte_cycle_ratio: Signal<In, Bits<16>>,
        /// Smallest timer period, cycles; 0 = no timer.
        #[parameter]
        pub timer_low: Signal<In, Bits<24>>,
        /// Jitter of the timer period: (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter.
        #[parameter]
        pub timer_ratio: Signal<In, Bits<16>>,
        /// Value of the random sources after reset, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// First stage of active increase.
        #[parameter]
        pub increase_stage: Signal<In, Bits<6>>,
        /// First stage in which byte cycle and timer period are halved.
        #[parameter]
        pub half_stage: Signal<In, Bits<6>>,
        /// 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to
        /// 1/8.
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
        byte_jitter: Jitter,
        time_jitter: Jitter,
        byte_cycle_reached: SumReaches,
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
        /// The byte stage is `half_stage` or more. A register, so that this comparison is not in the path of
        /// `byte_period`.
        byte_half: Register<Bit>,
        /// The time stage is `half_stage` or more. A register, so that this comparison is not in the path of
        /// `time_period`.
        time_half: Register<Bit>,
        /// Bytes sent in the current byte cycle.
        elapsed_bytes: Register<Bits<24>>,
        /// Cycles of the current timer period, with the current one; not 0 while the timer runs.
        elapsed_cycles: Register<Bits<24>>,
        /// A byte cycle has ended; its increase waits.
        byte_due: Register<Bit>,
        /// A timer period has ended; its increase waits.
        time_due: Register<Bit>,
        /// State: 0 = idle, 1 to 6 = multiply, 7 = compute the cut or the new target, 8 = compute the new rate, 9 =
        /// apply.
        step: Register<Bits<4>>,
        /// The current operation is a decrease.
        decrease: DFF<Bit>,
        /// The current operation is the increase at the end of a timer period.
        of_time: DFF<Bit>,
        /// The current operation is a hyper-active increase.
        hyper: DFF<Bit>,
        /// The current operation, if it is an increase, reduces the target to 1/8.
        reduce: DFF<Bit>,
        /// The current operation, if it is a decrease, sets the target to the rate before the decrease.
        retarget: DFF<Bit>,
        /// Second factor of the serial multiplier; its next bit is bit 5.
        multiplier: DFF<Bits<6>>,
        /// The product, from state 9 on the new rate before its limits.
        product: DFF<Bits<31>>,
        /// The cut of a decrease, or the new target of an increase, bytes per cycle, 18 fraction bits.
        change: DFF<Bits<25>>,
        free: Signal<Local, Bit>,
        start_byte: Signal<Local, Bit>,
        start_time: Signal<Local, Bit>,
        start_decrease: Signal<Local, Bit>,
        moves_target: Signal<Local, Bit>,
        byte_stage_after: Signal<Local, Bits<6>>,
        time_stage_after: Signal<Local, Bits<6>>,
        byte_stage_lower: Signal<Local, Bit>,
        time_stage_lower: Signal<Local, Bit>,
        byte_past: Signal<Local, Bit>,
        time_past: Signal<Local, Bit>,
        last_stage: Signal<Local, Bits<6>>,
        byte_at_last: Signal<Local, Bit>,
        time_at_last: Signal<Local, Bit>,
        first_cycle: Signal<Local, Bit>,
        byte_increases: Signal<Local, Bit>,
        time_increases: Signal<Local, Bit>,
        less_offset: Signal<Local, Bits<7>>,
        byte_doubled: Signal<Local, Bits<7>>,
        time_doubled: Signal<Local, Bits<7>>,
        byte_is_least: Signal<Local, Bit>,
        byte_count: Signal<Local, Bits<7>>,
        time_count: Signal<Local, Bits<7>>,
        hyper_count: Signal<Local, Bits<6>>,
        eight_rates: Signal<Local, Bits<30>>,
        two_rates: Signal<Local, Bits<30>>,
        less_target: Signal<Local, Bits<30>>,
        excess_sums: Signal<Local, Bits<30>>,
        excess_carries: Signal<Local, Bits<30>>,
        excess: Signal<Local, Bits<30>>,
        byte_period: Signal<Local, Bits<24>>,
        time_period: Signal<Local, Bits<24>>,
        restart: Signal<Local, Bit>,
        counting: Signal<Local, Bit>,
        byte_full: Signal<Local, Bit>,
        timing: Signal<Local, Bit>,
        time_full: Signal<Local, Bit>,
        multiplicand: Signal<Local, Bits<25>>,
        addend: Signal<Local, Bits<31>>,
        product_doubled: Signal<Local, Bits<31>>,
        cut: Signal<Local, Bits<31>>,
        half_rate: Signal<Local, Bits<31>>,
        raised_target: Signal<Local, Bits<32>>,
        cut_rate: Signal<Local, Bits<25>>,
        new_rate: Signal<Local, Bits<25>>,
        sum: Signal<Local, Bits<26>>,
        mean: Signal<Local, Bits<25>>,
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
            byte_half,
            time_half,
            elapsed_bytes,
            elapsed_cycles,
            byte_due,
            time_due,
            step,
            decrease,
            of_time,
            hyper,
            reduce,
            retarget,
            multiplier,
            product,
            change
        );
        self.active.reset.next = self.reset.val();
        self.stage_of_bytes.reset.next = self.reset.val();
        self.stage_of_time.reset.next = self.reset.val();
        self.byte_half.reset.next = self.reset.val();
        self.time_half.reset.next = self.reset.val();
        self.elapsed_bytes.reset.next = self.reset.val();
        self.elapsed_cycles.reset.next = self.reset.val();
        self.byte_due.reset.next = self.reset.val();
        self.time_due.reset.next = self.reset.val();
        self.step.reset.next = self.reset.val();
        clock!(self, clock, byte_jitter, time_jitter);
        self.byte_jitter.reset.next = self.reset.val();
        self.byte_jitter.low.next = self.byte_cycle_low.val();
        self.byte_jitter.ratio.next = self.byte_cycle_ratio.val();
        self.byte_jitter.seed.next = self.seed.val();
        self.time_jitter.reset.next = self.reset.val();
        self.time_jitter.low.next = self.timer_low.val();
        self.time_jitter.ratio.next = self.timer_ratio.val();
        self.time_jitter.seed.next = (self.seed.val().to_bits() >> 8) | (self.seed.val().to_bits() << 8);

        comment!("The operation that starts: end of a byte cycle, end of a timer period, or a decrease");
        self.free.next = (self.step.q.val() == 0) & !self.byte_due.q.val() & !self.time_due.q.val();
        self.start_byte.next = (self.step.q.val() == 0) & self.byte_due.q.val();
        self.start_time.next = (self.step.q.val() == 0) & !self.byte_due.q.val() & self.time_due.q.val();
        self.start_decrease.next = self.free.val() & self.feedback_valid.val();
        self.feedback_ready.next = self.free.val();
        self.moves_target.next =
            !self.active.q.val() | self.stage_of_bytes.q.val().any() | !self.extra_fast_recovery.val();

        comment!("Kind of increase, from the stages; the one that has just ended counts one more");
        // The comparisons use the stages as stored and adapt the bound, so that no adder is in front of a comparator.
        self.byte_stage_lower.next = self.stage_of_bytes.q.val() < self.stage_of_time.q.val();
        self.time_stage_lower.next = self.stage_of_time.q.val() < self.stage_of_bytes.q.val();
        self.byte_past.next = self.stage_of_bytes.q.val() >= self.increase_stage.val();
        self.time_past.next = self.stage_of_time.q.val() >= self.increase_stage.val();
        self.last_stage.next = self.increase_stage.val() - 1;
        self.byte_at_last.next = self.stage_of_bytes.q.val() == self.last_stage.val();
        self.time_at_last.next = self.stage_of_time.q.val() == self.last_stage.val();
        self.byte_increases.next = self.byte_past.val() | (self.byte_due.q.val() & self.byte_at_last.val());
        self.time_increases.next = self.time_past.val() | (!self.byte_due.q.val() & self.time_at_last.val());

        comment!("Count of hyper-active increase: the smaller stage − `increase_stage` + 1");
        // The stage of the cycle that has just ended counts one more, by a carry into bit 0. Both differences are
        // computed in parallel with the comparison that selects one.
        self.less_offset.next = (bit_cast::<7, 6>(bits::<6>(1) - self.increase_stage.val()).to_bits() << 1) | 1;
        self.byte_doubled.next = bit_cast::<7, 6>(self.stage_of_bytes.q.val()).to_bits() << 1;
        self.time_doubled.next = (bit_cast::<7, 6>(self.stage_of_time.q.val()).to_bits() << 1) | 1;
        self.byte_is_least.next = !self.time_stage_lower.val();
        if self.byte_due.q.val() {
            self.byte_doubled.next = (bit_cast::<7, 6>(self.stage_of_bytes.q.val()).to_bits() << 1) | 1;
            self.time_doubled.next = bit_cast::<7, 6>(self.stage_of_time.q.val()).to_bits() << 1;
            self.byte_is_least.next = self.byte_stage_lower.val();
        }
        self.byte_count.next = self.byte_doubled.val() + self.less_offset.val();
        self.time_count.next = self.time_doubled.val() + self.less_offset.val();
        self.hyper_count.next = self.time_count.val().to_bits().get_bits::<6>(1);
        if self.byte_is_least.val() {
            self.hyper_count.next = self.byte_count.val().to_bits().get_bits::<6>(1);
        }

        comment!("Target reduction: bit 29 is 1 if 8 × rate + 2 × rate − target is negative");
        // A carry-save adder reduces the three numbers to two, so that one carry chain gives the sign.
        self.eight_rates.next = bit_cast::<30, 25>(self.rate.q.val()).to_bits() << 3;
        self.two_rates.next = bit_cast::<30, 25>(self.rate.q.val()).to_bits() << 1;
        self.less_target.next = bit_cast::<30, 25>(self.target.q.val()) ^ 0x3fff_ffff;
        self.excess_sums.next = self.eight_rates.val() ^ self.two_rates.val() ^ self.less_target.val();
        self.excess_carries.next = (self.eight_rates.val() & self.two_rates.val())
            | (self.eight_rates.val() & self.less_target.val())
            | (self.two_rates.val() & self.less_target.val());
        self.excess.next = self.excess_sums.val() + ((self.excess_carries.val().to_bits() << 1) | 1);

        // `reduce` is computed in every cycle and read in state 7. Rates and stages do not change from state 1 on, so
        // in state 7 it belongs to the current operation.
        self.first_cycle.next = (self.stage_of_time.q.val() == 1) | !self.stage_of_bytes.q.val().any();
        if self.of_time.q.val() {
            self.first_cycle.next = (self.stage_of_bytes.q.val() == 1) | !self.stage_of_time.q.val().any();
        }
        self.reduce.d.next = self.target_reduction.val() & self.first_cycle.val() & self.excess.val().get_bit(29);

        comment!("Serial multiplier, most significant bit of `multiplier` first");
        self.multiplicand.next = self.ai_rate.val();
        if self.decrease.q.val() {
            self.multiplicand.next = self.rate.q.val();
        } else if self.hyper.q.val() {
            self.multiplicand.next = self.hai_rate.val();
        }
        self.addend.next = 0.into();
        if self.multiplier.q.val().get_bit(5) {
            self.addend.next = bit_cast::<31, 25>(self.multiplicand.val());
        }
        self.product_doubled.next = self.product.q.val().to_bits() << 1;

        self.byte_stage_after.next = self.stage_of_bytes.q.val() + 1;
        self.time_stage_after.next = self.stage_of_time.q.val() + 1;

        comment!("Cut, new target and new rate");
        self.cut.next = self.product.q.val().to_bits() >> self.gd_shift.val();
        self.half_rate.next = bit_cast::<31, 25>(self.rate.q.val()).to_bits() >> 1;
        self.raised_target.next = bit_cast::<32, 25>(self.target.q.val()) + bit_cast::<32, 31>(self.product.q.val());
        self.cut_rate.next = self.rate.q.val() - self.change.q.val();
        self.new_rate.next = bit_cast::<25, 31>(self.product.q.val());
        self.sum.next = bit_cast::<26, 25>(self.rate.q.val()) + bit_cast::<26, 25>(self.change.q.val());
        self.mean.next = self.sum.val().to_bits().get_bits::<25>(1);

        comment!("State machine: select, multiply, compute, apply");
        if self.step.q.val() == 0 {
            self.product.d.next = 0.into();
            self.decrease.d.next = self.start_decrease.val();
            self.of_time.d.next = self.start_time.val();
            self.retarget.d.next = self.moves_target.val();
            self.hyper.d.next = false;
            self.multiplier.d.next = 0.into();
            if self.start_decrease.val() {
                self.multiplier.d.next = self.quantized_feedback.val();
            } else if self.byte_increases.val() & self.time_increases.val() & self.hai_rate.val().any() {
                self.hyper.d.next = true;
                self.multiplier.d.next = self.hyper_count.val();
            } else if self.byte_increases.val() | self.time_increases.val() {
                self.multiplier.d.next = 1.into();
            }
            if self.start_decrease.val() | self.start_byte.val() | self.start_time.val() {
                self.step.d.next = 1.into();
            }
            if self.start_decrease.val() {
                self.active.d.next = true;
            }
        } else if self.step.q.val() == 7 {
            self.step.d.next = 8.into();
            if self.decrease.q.val() {
                self.change.d.next = self.cut.val().to_bits().get_bits::<25>(0);
                if self.cut.val() > self.half_rate.val() {
                    self.change.d.next = self.half_rate.val().to_bits().get_bits::<25>(0);
                }
            } else if self.reduce.q.val() {
                self.change.d.next = self.target.q.val().to_bits() >> 3;
            } else {
                self.change.d.next = self.raised_target.val().to_bits().get_bits::<25>(0);
                if self.raised_target.val().to_bits().get_bits::<7>(25).any() {
                    self.change.d.next = 0x1ff_ffff.into();
                }
            }
        } else if self.step.q.val() == 8 {
            self.step.d.next = 9.into();
            self.product.d.next = bit_cast::<31, 25>(self.mean.val());
            if self.decrease.q.val() {
                self.product.d.next = bit_cast::<31, 25>(self.cut_rate.val());
            }
        } else if self.step.q.val() == 9 {
            self.step.d.next = 0.into();
            self.rate.d.next = self.new_rate.val();
            if self.new_rate.val() > self.line_rate.val() {
                self.rate.d.next = self.line_rate.val();
            } else if self.new_rate.val() < self.min_rate.val() {
                self.rate.d.next = self.min_rate.val();
            }
            if self.decrease.q.val() {
                if self.retarget.q.val() {
                    self.target.d.next = self.rate.q.val();
                }
                self.stage_of_bytes.d.next = 0.into();
                self.stage_of_time.d.next = 0.into();
                self.byte_half.d.next = false;
                self.time_half.d.next = false;
            } else {
                self.target.d.next = self.change.q.val();
                if self.of_time.q.val() {
                    if self.stage_of_time.q.val() != 63 {
                        self.stage_of_time.d.next = self.stage_of_time.q.val() + 1;
                        self.time_half.d.next = self.time_stage_after.val() >= self.half_stage.val();
                    }
                } else if self.stage_of_bytes.q.val() != 63 {
                    self.stage_of_bytes.d.next = self.stage_of_bytes.q.val() + 1;
                    self.byte_half.d.next = self.byte_stage_after.val() >= self.half_stage.val();
                }
            }
        } else {
            self.product.d.next = self.product_doubled.val() + self.addend.val();
            self.multiplier.d.next = self.multiplier.q.val().to_bits() << 1;
            self.step.d.next = self.step.q.val() + 1;
        }

        comment!("Byte cycle: its length, and whether it ends in this cycle");
        self.byte_period.next = self.byte_jitter.interval.val();
        if self.byte_half.q.val() {
            self.byte_period.next = self.byte_jitter.interval.val().to_bits() >> 1;
        }
        self.restart.next = self.start_decrease.val() & self.moves_target.val();
        self.byte_cycle_reached.count.next = self.elapsed_bytes.q.val();
        self.byte_cycle_reached.amount.next = self.sent_bytes.val();
        self.byte_cycle_reached.bound.next = self.byte_period.val();
        self.counting.next = self.sent.val() & self.active.q.val() & !self.restart.val();
        self.byte_full.next = self.counting.val() & self.byte_cycle_reached.reached.val();
        self.byte_jitter.draw.next = self.byte_full.val();
        comment!("Byte cycle: bytes so far, and whether it has ended");
        if self.restart.val() {
            self.elapsed_bytes.d.next = 0.into();
            if self.sent.val() {
                self.elapsed_bytes.d.next = self.sent_bytes.val();
            }
        } else if self.byte_full.val() {
            self.elapsed_bytes.d.next = 0.into();
        } else if self.counting.val() {
            self.elapsed_bytes.d.next = self.elapsed_bytes.q.val() + self.sent_bytes.val();
        }
        self.byte_due.d.next = self.byte_full.val() | (self.byte_due.q.val() & !self.start_byte.val());

        comment!("Timer: its period, and whether it ends in this cycle");
        self.time_period.next = self.time_jitter.interval.val();
        if self.time_half.q.val() {
            self.time_period.next = self.time_jitter.interval.val().to_bits() >> 1;
        }
        self.timing.next = self.active.q.val() & self.timer_low.val().any() & !self.start_decrease.val();
        self.time_full.next = self.timing.val() & (self.elapsed_cycles.q.val() >= self.time_period.val());
        self.time_jitter.draw.next = self.time_full.val();
        comment!("Timer: cycles so far, and whether the period has ended");
        self.elapsed_cycles.d.next = 1.into();
        if self.timing.val() & !self.time_full.val() {
            self.elapsed_cycles.d.next = self.elapsed_cycles.q.val() + 1;
        }
        self.time_due.d.next = self.time_full.val() | (self.time_due.q.val() & !self.start_time.val());

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
            & (self.rate.q.val() == self.line_rate.val())
        {
            self.active.d.next = false;
            self.target.d.next = self.line_rate.val();
            self.stage_of_bytes.d.next = 0.into();
            self.stage_of_time.d.next = 0.into();
            self.byte_half.d.next = false;
            self.time_half.d.next = false;
            self.elapsed_bytes.d.next = 0.into();
            self.byte_due.d.next = false;
            self.time_due.d.next = false;
        }
        self.current_rate.next = self.rate.q.val();
        self.target_rate.next = self.target.q.val();
        self.byte_stage.next = self.stage_of_bytes.q.val();
        self.time_stage.next = self.stage_of_time.q.val();
    }
}
