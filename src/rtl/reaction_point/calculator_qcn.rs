//! QCN's calculator: a state machine over stages, counters and a serial multiplier.

use crate::rtl::jitter::Jitter;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::sum_reaches::SumReaches;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// Rate decrease, fast recovery, active and hyper-active increase, target reduction, extra fast recovery
    /// (smcc.txt section 2.2, qcn-phase-plane.txt section II; SCHEMES, QCN, for 802.1Q and the order of things).
    ///
    /// One operation at a time: a decrease, or the increase at the end of a byte cycle or timer period. It is taken in the idle
    /// state, multiplies for six cycles (rate × QntzFb, or R_HAI × its count), then makes the step, the new rate, and applies both:
    /// rate, target and stages change together ten cycles after it was taken. `feedback_ready` is low meanwhile; an end of cycle waits
    /// in `byte_due` or `time_due` and goes before a waiting feedback, the byte cycle first. A feedback restarts the timer, and
    /// the byte counter where it moves the target, in the cycle in which it is taken; bytes sent in that cycle count in the new
    /// byte cycle but cannot end it. One `sent` ends at most one byte cycle. The target may pass the line rate, the current rate does not; the target
    /// saturates below 128 bytes per cycle, stages at 63.
    pub struct QcnCalculator: "calculator_qcn" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Feedback waits.
        pub feedback_valid: Signal<In, Bit>,
        /// It is taken.
        pub feedback_ready: Signal<Out, Bit>,
        /// QntzFb.
        pub quantized_feedback: Signal<In, Bits<6>>,
        /// A frame left.
        pub sent: Signal<In, Bit>,
        /// Its length, bytes.
        pub sent_bytes: Signal<In, Bits<24>>,
        /// No frame waits: at line rate the reaction point becomes inactive.
        pub source_empty: Signal<In, Bit>,
        /// Line rate, bytes per cycle, 18 fraction bits.
        pub line_rate: Signal<In, Bits<25>>,
        /// Least rate, bytes per cycle, 18 fraction bits.
        pub min_rate: Signal<In, Bits<25>>,
        /// R_AI, bytes per cycle, 18 fraction bits.
        pub ai_rate: Signal<In, Bits<25>>,
        /// R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase.
        pub hai_rate: Signal<In, Bits<25>>,
        /// G_d = 2^-shift.
        pub gd_shift: Signal<In, Bits<4>>,
        /// Smallest byte cycle, bytes.
        pub byte_cycle_low: Signal<In, Bits<24>>,
        /// Its jitter: (largest - smallest + 1) / smallest, 13 fraction bits.
        pub byte_cycle_ratio: Signal<In, Bits<16>>,
        /// Smallest timer period, cycles; 0 = no timer.
        pub timer_low: Signal<In, Bits<24>>,
        /// Its jitter: (largest - smallest + 1) / smallest, 13 fraction bits.
        pub timer_ratio: Signal<In, Bits<16>>,
        /// Start of the random sources, not 0.
        pub seed: Signal<In, Bits<16>>,
        /// First stage of active increase.
        pub increase_stage: Signal<In, Bits<6>>,
        /// First stage whose period is halved.
        pub half_stage: Signal<In, Bits<6>>,
        /// With target rate reduction.
        pub target_reduction: Signal<In, Bit>,
        /// With extra fast recovery.
        pub extra_fast_recovery: Signal<In, Bit>,
        /// r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        /// R, bytes per cycle, 18 fraction bits.
        pub target_rate: Signal<Out, Bits<25>>,
        /// Byte cycles since the last feedback.
        pub byte_stage: Signal<Out, Bits<6>>,
        /// Timer periods since the last feedback.
        pub time_stage: Signal<Out, Bits<6>>,
        byte_jitter: Jitter,
        time_jitter: Jitter,
        byte_cycle_reached: SumReaches,
        /// It has had feedback.
        active: Register<Bit>,
        /// r.
        rate: DFF<Bits<25>>,
        /// R.
        target: DFF<Bits<25>>,
        /// Byte cycles since the last feedback.
        stage_of_bytes: Register<Bits<6>>,
        /// Timer periods since the last feedback.
        stage_of_time: Register<Bits<6>>,
        /// Whether the stage has reached `half_stage`: kept, so that no comparison stands before that of the period.
        byte_half: Register<Bit>,
        /// As `byte_half`.
        time_half: Register<Bit>,
        /// Sent in this byte cycle.
        elapsed_bytes: Register<Bits<24>>,
        /// Passed in this timer period, with the cycle under way; not 0 while the timer runs.
        elapsed_cycles: Register<Bits<24>>,
        /// A byte cycle ended and waits for its increase.
        byte_due: Register<Bit>,
        /// A timer period ended and waits for its increase.
        time_due: Register<Bit>,
        /// 0: idle; 1 to 6: multiply; 7: make the cut or the new target; 8: make the new rate; 9: apply.
        step: Register<Bits<4>>,
        /// The operation under way is a decrease.
        decrease: DFF<Bit>,
        /// It is the increase at the end of a timer period.
        of_time: DFF<Bit>,
        /// It is a hyper-active increase.
        hyper: DFF<Bit>,
        /// It reduces the target, if it is an increase.
        reduce: DFF<Bit>,
        /// The decrease moves the target.
        retarget: DFF<Bit>,
        /// What is multiplied by, its next bit on top.
        multiplier: DFF<Bits<6>>,
        /// The product, then the new rate.
        product: DFF<Bits<31>>,
        /// The cut, or the new target.
        change: DFF<Bits<25>>,
        free: Signal<Local, Bit>,
        start_byte: Signal<Local, Bit>,
        start_time: Signal<Local, Bit>,
        start_decrease: Signal<Local, Bit>,
        moves_target: Signal<Local, Bit>,
        byte_stage_after: Signal<Local, Bits<6>>,
        time_stage_after: Signal<Local, Bits<6>>,
        byte_behind: Signal<Local, Bit>,
        time_behind: Signal<Local, Bit>,
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

parameter_inputs!(QcnCalculator:
    line_rate, min_rate, ai_rate, hai_rate, gd_shift, byte_cycle_low, byte_cycle_ratio, timer_low, timer_ratio, seed,
    increase_stage, half_stage, target_reduction, extra_fast_recovery;
    feedback_valid, quantized_feedback, sent, sent_bytes, source_empty);

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

        // Which operation starts.
        self.free.next = (self.step.q.val() == 0) & !self.byte_due.q.val() & !self.time_due.q.val();
        self.start_byte.next = (self.step.q.val() == 0) & self.byte_due.q.val();
        self.start_time.next = (self.step.q.val() == 0) & !self.byte_due.q.val() & self.time_due.q.val();
        self.start_decrease.next = self.free.val() & self.feedback_valid.val();
        self.feedback_ready.next = self.free.val();
        self.moves_target.next =
            !self.active.q.val() | self.stage_of_bytes.q.val().any() | !self.extra_fast_recovery.val();

        // What the stages after the cycle that ended ask for: the stage of what ended counts as one more. Said of the stages as
        // they are, so that no sum stands before the comparisons.
        self.byte_behind.next = self.stage_of_bytes.q.val() < self.stage_of_time.q.val();
        self.time_behind.next = self.stage_of_time.q.val() < self.stage_of_bytes.q.val();
        self.byte_past.next = self.stage_of_bytes.q.val() >= self.increase_stage.val();
        self.time_past.next = self.stage_of_time.q.val() >= self.increase_stage.val();
        self.last_stage.next = self.increase_stage.val() - 1;
        self.byte_at_last.next = self.stage_of_bytes.q.val() == self.last_stage.val();
        self.time_at_last.next = self.stage_of_time.q.val() == self.last_stage.val();
        self.byte_increases.next = self.byte_past.val() | (self.byte_due.q.val() & self.byte_at_last.val());
        self.time_increases.next = self.time_past.val() | (!self.byte_due.q.val() & self.time_at_last.val());

        // The smaller stage less the first of active increase plus 1. What ended counts one more: that is a carry. Both stages
        // less the offset are there before it is known which is the smaller.
        self.less_offset.next = (bit_cast::<7, 6>(bits::<6>(1) - self.increase_stage.val()).to_bits() << 1) | 1;
        self.byte_doubled.next = bit_cast::<7, 6>(self.stage_of_bytes.q.val()).to_bits() << 1;
        self.time_doubled.next = (bit_cast::<7, 6>(self.stage_of_time.q.val()).to_bits() << 1) | 1;
        self.byte_is_least.next = !self.time_behind.val();
        if self.byte_due.q.val() {
            self.byte_doubled.next = (bit_cast::<7, 6>(self.stage_of_bytes.q.val()).to_bits() << 1) | 1;
            self.time_doubled.next = bit_cast::<7, 6>(self.stage_of_time.q.val()).to_bits() << 1;
            self.byte_is_least.next = self.byte_behind.val();
        }
        self.byte_count.next = self.byte_doubled.val() + self.less_offset.val();
        self.time_count.next = self.time_doubled.val() + self.less_offset.val();
        self.hyper_count.next = self.time_count.val().to_bits().get_bits::<6>(1);
        if self.byte_is_least.val() {
            self.hyper_count.next = self.byte_count.val().to_bits().get_bits::<6>(1);
        }
        // Is the target above ten times the rate? Eight times, two times and less the target, brought down to two numbers without
        // carries, so that one chain tells the sign.
        self.eight_rates.next = bit_cast::<30, 25>(self.rate.q.val()).to_bits() << 3;
        self.two_rates.next = bit_cast::<30, 25>(self.rate.q.val()).to_bits() << 1;
        self.less_target.next = bit_cast::<30, 25>(self.target.q.val()) ^ 0x3fff_ffff;
        self.excess_sums.next = self.eight_rates.val() ^ self.two_rates.val() ^ self.less_target.val();
        self.excess_carries.next = (self.eight_rates.val() & self.two_rates.val())
            | (self.eight_rates.val() & self.less_target.val())
            | (self.two_rates.val() & self.less_target.val());
        self.excess.next = self.excess_sums.val() + ((self.excess_carries.val().to_bits() << 1) | 1);

        // Said in every cycle and read in step 7: by then it has long been of this operation and of the rates as they stand.
        self.first_cycle.next = (self.stage_of_time.q.val() == 1) | !self.stage_of_bytes.q.val().any();
        if self.of_time.q.val() {
            self.first_cycle.next = (self.stage_of_bytes.q.val() == 1) | !self.stage_of_time.q.val().any();
        }
        self.reduce.d.next = self.target_reduction.val() & self.first_cycle.val() & self.excess.val().get_bit(29);

        // The serial multiplier, the most significant bit first.
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

        // Step and new rate.
        self.cut.next = self.product.q.val().to_bits() >> self.gd_shift.val();
        self.half_rate.next = bit_cast::<31, 25>(self.rate.q.val()).to_bits() >> 1;
        self.raised_target.next = bit_cast::<32, 25>(self.target.q.val()) + bit_cast::<32, 31>(self.product.q.val());
        self.cut_rate.next = self.rate.q.val() - self.change.q.val();
        self.new_rate.next = bit_cast::<25, 31>(self.product.q.val());
        self.sum.next = bit_cast::<26, 25>(self.rate.q.val()) + bit_cast::<26, 25>(self.change.q.val());
        self.mean.next = self.sum.val().to_bits().get_bits::<25>(1);

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

        // Byte cycle.
        self.byte_period.next = self.byte_jitter.interval.val();
        if self.byte_half.q.val() {
            self.byte_period.next = self.byte_jitter.interval.val().to_bits() >> 1;
        }
        self.restart.next = self.start_decrease.val() & self.moves_target.val();
        self.byte_cycle_reached.first.next = self.elapsed_bytes.q.val();
        self.byte_cycle_reached.second.next = self.sent_bytes.val();
        self.byte_cycle_reached.bound.next = self.byte_period.val();
        self.counting.next = self.sent.val() & self.active.q.val() & !self.restart.val();
        self.byte_full.next = self.counting.val() & self.byte_cycle_reached.reached.val();
        self.byte_jitter.draw.next = self.byte_full.val();
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

        // Timer.
        self.time_period.next = self.time_jitter.interval.val();
        if self.time_half.q.val() {
            self.time_period.next = self.time_jitter.interval.val().to_bits() >> 1;
        }
        self.timing.next = self.active.q.val() & self.timer_low.val().any() & !self.start_decrease.val();
        self.time_full.next = self.timing.val() & (self.elapsed_cycles.q.val() >= self.time_period.val());
        self.time_jitter.draw.next = self.time_full.val();
        self.elapsed_cycles.d.next = 1.into();
        if self.timing.val() & !self.time_full.val() {
            self.elapsed_cycles.d.next = self.elapsed_cycles.q.val() + 1;
        }
        self.time_due.d.next = self.time_full.val() | (self.time_due.q.val() & !self.start_time.val());

        // Without a limit both rates follow the line rate.
        if self.reset.val() | !self.active.q.val() {
            self.rate.d.next = self.line_rate.val();
            self.target.d.next = self.line_rate.val();
        }

        // Back at line rate with nothing to send: inactive.
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
