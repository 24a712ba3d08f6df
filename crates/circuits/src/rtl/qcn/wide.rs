// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's calculator with registers of 32 bits.

use crate::rtl::reaction_point::rate_bounds::RateBounds;
use tidegate_hdl::prelude::*;

module! {
    /// The main rules of QCN: rate decrease, fast recovery and active increase (Jiang 2015b, sections 2.2 and 5.1), with
    /// rate, target, byte counter and timer in registers of 32 bits, and each operation in one cycle.
    ///
    /// Its rates are those of [`QcnCalculator`](super::calculator::QcnCalculator) without jitter, hyper-active increase,
    /// target reduction and extra fast recovery, eleven cycles earlier. So the upper bits of both rates are 0. It shows
    /// what registers such a calculator needs; no part contains it.
    pub struct QcnCalculatorWide: "calculator_qcn_wide" {
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
        pub gd_shift: Signal<In, Bits<4>>,
        /// Bytes of a byte cycle.
        #[parameter]
        pub byte_cycle_low: Signal<In, Bits<32>>,
        /// Cycles of a timer period; 0 = no timer.
        #[parameter]
        pub timer_low: Signal<In, Bits<32>>,
        #[parameter]
        pub increase_stage: Signal<In, Bits<6>>,
        #[parameter]
        pub half_stage: Signal<In, Bits<6>>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        pub current_rate: Signal<Out, Bits<25>>,
        /// Target rate R, bytes per cycle, 18 fraction bits.
        pub target_rate: Signal<Out, Bits<25>>,
        /// Byte stage: byte cycles since the last feedback, at most 63.
        pub byte_stage: Signal<Out, Bits<6>>,
        /// Time stage: timer periods since the last feedback, at most 63.
        pub time_stage: Signal<Out, Bits<6>>,
        rate_bounds: RateBounds,
        /// The reaction point limits the rate: it has had feedback and has not become inactive since.
        active: Register<Bit>,
        /// Current rate r, bytes per cycle, 18 fraction bits.
        rate: DFF<Bits<32>>,
        /// Target rate R, bytes per cycle, 18 fraction bits.
        target: DFF<Bits<32>>,
        /// Byte stage.
        stage_of_bytes: Register<Bits<6>>,
        /// Time stage.
        stage_of_time: Register<Bits<6>>,
        /// Bytes to the end of the byte cycle, minus one.
        bytes_left: DFF<Bits<32>>,
        /// Cycles to the end of the timer period, minus one.
        cycles_left: DFF<Bits<32>>,
        /// A byte cycle has ended; its increase waits.
        byte_due: Register<Bit>,
        /// A timer period has ended; its increase waits.
        time_due: Register<Bit>,
        /// `timer_low` was not 0 in the cycle before: a timer that was off begins a period.
        had_timer: Delay<Bit>,
        has_timer: Signal<Local, Bit>,
        free: Signal<Local, Bit>,
        start_byte: Signal<Local, Bit>,
        start_time: Signal<Local, Bit>,
        start_decrease: Signal<Local, Bit>,
        changes: Signal<Local, Bit>,
        /// The bits of QntzFb that are left, the highest one first.
        factors: [Signal<Local, Bits<6>>; 7],
        /// Rate × QntzFb for the bits so far.
        products: [Signal<Local, Bits<38>>; 7],
        /// The rate that an operation changes: while inactive, it is the line rate.
        old_rate: Signal<Local, Bits<32>>,
        half_rate: Signal<Local, Bits<32>>,
        shifted: Signal<Local, Bits<38>>,
        cut: Signal<Local, Bits<32>>,
        next_byte_stage: Signal<Local, Bits<6>>,
        next_time_stage: Signal<Local, Bits<6>>,
        raised_target: Signal<Local, Bits<32>>,
        new_target: Signal<Local, Bits<32>>,
        average: Signal<Local, Bits<33>>,
        moved: Signal<Local, Bits<32>>,
        new_rate: Signal<Local, Bits<32>>,
        byte_length: Signal<Local, Bits<32>>,
        time_length: Signal<Local, Bits<32>>,
        bytes_after: Signal<Local, Bits<33>>,
        counting: Signal<Local, Bit>,
        byte_end: Signal<Local, Bit>,
        period_over: Signal<Local, Bit>,
        time_end: Signal<Local, Bit>,
    }
}

impl Logic for QcnCalculatorWide {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, active, rate, target, stage_of_bytes, stage_of_time, bytes_left, cycles_left);
        dff_setup!(self, clock, byte_due, time_due, had_timer);
        self.active.reset.next = self.reset.val();
        self.stage_of_bytes.reset.next = self.reset.val();
        self.stage_of_time.reset.next = self.reset.val();
        self.byte_due.reset.next = self.reset.val();
        self.time_due.reset.next = self.reset.val();
        clock!(self, clock, rate_bounds);

        comment!("The operation of this cycle: end of a byte cycle, end of a timer period, or a decrease");
        self.free.next = !self.byte_due.q.val() & !self.time_due.q.val();
        self.start_byte.next = self.byte_due.q.val();
        self.start_time.next = !self.byte_due.q.val() & self.time_due.q.val();
        self.start_decrease.next = self.free.val() & self.feedback_valid.val();
        self.feedback_ready.next = self.free.val();
        self.changes.next = !self.free.val() | self.feedback_valid.val();

        comment!("Decrease: rate x QntzFb x G_d, at most half of the rate");
        self.old_rate.next = self.rate.q.val();
        if !self.active.q.val() {
            self.old_rate.next = bit_cast::<32, 25>(self.line_rate.val());
        }
        self.factors[0].next = self.quantized_feedback.val();
        self.products[0].next = 0.into();
        for i in 0..6 {
            self.factors[i + 1].next = self.factors[i].val().to_bits() << 1;
            self.products[i + 1].next = self.products[i].val() << 1;
            if self.factors[i].val().get_bit(5) {
                self.products[i + 1].next = (self.products[i].val() << 1) + bit_cast::<38, 32>(self.old_rate.val());
            }
        }
        self.shifted.next = self.products[6].val() >> self.gd_shift.val();
        self.half_rate.next = self.old_rate.val().to_bits() >> 1;
        self.cut.next = self.shifted.val().get_bits::<32>(0);
        if self.shifted.val() > bit_cast::<38, 32>(self.half_rate.val()) {
            self.cut.next = self.half_rate.val();
        }

        comment!("Increase: the stage that has ended counts one more; from a stage on, the target rises");
        self.next_byte_stage.next = self.stage_of_bytes.q.val();
        self.next_time_stage.next = self.stage_of_time.q.val();
        if self.start_byte.val() & (self.stage_of_bytes.q.val() != 63) {
            self.next_byte_stage.next = self.stage_of_bytes.q.val() + 1;
        }
        if self.start_time.val() & (self.stage_of_time.q.val() != 63) {
            self.next_time_stage.next = self.stage_of_time.q.val() + 1;
        }
        self.raised_target.next = self.target.q.val() + bit_cast::<32, 25>(self.ai_rate.val());
        self.new_target.next = self.target.q.val();
        if (self.next_byte_stage.val() >= self.increase_stage.val())
            | (self.next_time_stage.val() >= self.increase_stage.val())
        {
            self.new_target.next = self.raised_target.val();
            if self.raised_target.val() > 0x1ff_ffff {
                self.new_target.next = 0x1ff_ffff.into();
            }
        }
        self.average.next = (bit_cast::<33, 32>(self.rate.q.val()) + bit_cast::<33, 32>(self.new_target.val())) >> 1;

        comment!("The new rate");
        self.moved.next = self.average.val().get_bits::<32>(0);
        if self.start_decrease.val() {
            self.moved.next = self.old_rate.val() - self.cut.val();
        }
        self.new_rate.next = self.moved.val();
        if self.moved.val() >= bit_cast::<32, 25>(self.line_rate.val()) {
            self.new_rate.next = bit_cast::<32, 25>(self.line_rate.val());
        } else if self.moved.val() < bit_cast::<32, 25>(self.min_rate.val()) {
            self.new_rate.next = bit_cast::<32, 25>(self.min_rate.val());
        }
        self.rate_bounds.reset.next = self.reset.val();
        self.rate_bounds.rate.next = self.rate.q.val().to_bits().get_bits::<25>(0);
        self.rate_bounds.free.next = self.changes.val();
        self.rate_bounds.line_rate.next = self.line_rate.val();
        self.rate_bounds.min_rate.next = self.min_rate.val();
        if self.changes.val() {
            self.rate.d.next = self.new_rate.val();
            self.target.d.next = self.new_target.val();
            self.stage_of_bytes.d.next = self.next_byte_stage.val();
            self.stage_of_time.d.next = self.next_time_stage.val();
        } else if self.rate_bounds.binds.val() {
            self.rate.d.next = bit_cast::<32, 25>(self.rate_bounds.bound.val());
        }
        if self.start_decrease.val() {
            self.target.d.next = self.old_rate.val();
            self.stage_of_bytes.d.next = 0.into();
            self.stage_of_time.d.next = 0.into();
            self.active.d.next = true;
        }

        comment!("Byte cycle: a restart, or the bytes of a frame; half as long from a stage on");
        self.byte_length.next = self.byte_cycle_low.val() - 1;
        if bit_cast::<7, 6>(self.stage_of_bytes.q.val()) + 1 >= bit_cast::<7, 6>(self.half_stage.val()) {
            self.byte_length.next = (self.byte_cycle_low.val() - 1) >> 1;
        }
        self.bytes_after.next = bit_cast::<33, 32>(self.bytes_left.q.val()) - bit_cast::<33, 24>(self.sent_bytes.val());
        self.counting.next = self.sent.val() & self.active.q.val();
        self.byte_end.next = self.counting.val() & self.bytes_after.val().get_bit(32) & !self.start_decrease.val();
        if self.start_decrease.val() {
            self.bytes_left.d.next = self.byte_cycle_low.val() - 1;
        } else if self.byte_end.val() {
            self.bytes_left.d.next = self.byte_length.val();
        } else if self.counting.val() {
            self.bytes_left.d.next = self.bytes_after.val().get_bits::<32>(0);
        }
        self.byte_due.d.next = self.byte_end.val();

        comment!("Timer: a restart, or one cycle; half as long from a stage on");
        self.time_length.next = self.timer_low.val() - 1;
        if bit_cast::<7, 6>(self.stage_of_time.q.val()) + 1 >= bit_cast::<7, 6>(self.half_stage.val()) {
            self.time_length.next = (self.timer_low.val() - 1) >> 1;
        }
        self.has_timer.next = self.timer_low.val().any();
        self.had_timer.d.next = self.has_timer.val();
        self.period_over.next = !self.cycles_left.q.val().any();
        self.time_end.next = self.active.q.val()
            & self.has_timer.val()
            & self.had_timer.q.val()
            & self.period_over.val()
            & !self.start_decrease.val();
        self.cycles_left.d.next = self.cycles_left.q.val() - 1;
        if self.start_decrease.val() {
            self.cycles_left.d.next = self.timer_low.val() - 1;
        } else if self.period_over.val() | !self.had_timer.q.val() {
            self.cycles_left.d.next = self.time_length.val();
        }
        self.time_due.d.next =
            self.has_timer.val() & (self.time_end.val() | (self.time_due.q.val() & !self.start_time.val()));

        comment!("While inactive, both rates are the line rate");
        if self.reset.val() | (!self.active.q.val() & !self.start_decrease.val()) {
            self.rate.d.next = bit_cast::<32, 25>(self.line_rate.val());
            self.target.d.next = bit_cast::<32, 25>(self.line_rate.val());
        }

        comment!("At line rate and without a frame to send, the reaction point becomes inactive");
        if !self.changes.val() & self.active.q.val() & self.source_empty.val() & self.rate_bounds.at_line_rate.val() {
            self.active.d.next = false;
            self.target.d.next = bit_cast::<32, 25>(self.line_rate.val());
            self.stage_of_bytes.d.next = 0.into();
            self.stage_of_time.d.next = 0.into();
            self.byte_due.d.next = false;
            self.time_due.d.next = false;
        }
        self.current_rate.next = self.rate.q.val().to_bits().get_bits::<25>(0);
        self.target_rate.next = self.target.q.val().to_bits().get_bits::<25>(0);
        self.byte_stage.next = self.stage_of_bytes.q.val();
        self.time_stage.next = self.stage_of_time.q.val();
    }
}

module! {
    /// The same with the lengths of byte cycle and timer period in registers, which software sets while it runs.
    pub struct QcnCalculatorWideSet: "calculator_qcn_wide_set" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The byte cycle gets the length `set_value` in the next cycle, unless that is 0.
        pub set_byte_cycle: Signal<In, Bit>,
        /// The timer period gets it.
        pub set_timer: Signal<In, Bit>,
        /// Bytes or cycles.
        pub set_value: Signal<In, Bits<32>>,
        pub feedback_valid: Signal<In, Bit>,
        pub feedback_ready: Signal<Out, Bit>,
        pub quantized_feedback: Signal<In, Bits<6>>,
        pub sent: Signal<In, Bit>,
        pub sent_bytes: Signal<In, Bits<24>>,
        pub source_empty: Signal<In, Bit>,
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub ai_rate: Signal<In, Bits<25>>,
        #[parameter]
        pub gd_shift: Signal<In, Bits<4>>,
        /// Bytes of a byte cycle after reset.
        #[parameter]
        pub byte_cycle_low: Signal<In, Bits<32>>,
        /// Cycles of a timer period after reset; 0 = no timer.
        #[parameter]
        pub timer_low: Signal<In, Bits<32>>,
        #[parameter]
        pub increase_stage: Signal<In, Bits<6>>,
        #[parameter]
        pub half_stage: Signal<In, Bits<6>>,
        pub current_rate: Signal<Out, Bits<25>>,
        pub target_rate: Signal<Out, Bits<25>>,
        pub byte_stage: Signal<Out, Bits<6>>,
        pub time_stage: Signal<Out, Bits<6>>,
        calculator: QcnCalculatorWide,
        /// Bytes of a byte cycle.
        byte_cycle: DFF<Bits<32>>,
        /// Cycles of a timer period.
        timer: DFF<Bits<32>>,
    }
}

impl Logic for QcnCalculatorWideSet {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, byte_cycle, timer);
        clock!(self, clock, calculator);
        if self.reset.val() {
            self.byte_cycle.d.next = self.byte_cycle_low.val();
            self.timer.d.next = self.timer_low.val();
        } else {
            if self.set_byte_cycle.val() & self.set_value.val().any() {
                self.byte_cycle.d.next = self.set_value.val();
            }
            if self.set_timer.val() {
                self.timer.d.next = self.set_value.val();
            }
        }
        self.calculator.reset.next = self.reset.val();
        self.calculator.feedback_valid.next = self.feedback_valid.val();
        self.feedback_ready.next = self.calculator.feedback_ready.val();
        self.calculator.quantized_feedback.next = self.quantized_feedback.val();
        self.calculator.sent.next = self.sent.val();
        self.calculator.sent_bytes.next = self.sent_bytes.val();
        self.calculator.source_empty.next = self.source_empty.val();
        self.calculator.line_rate.next = self.line_rate.val();
        self.calculator.min_rate.next = self.min_rate.val();
        self.calculator.ai_rate.next = self.ai_rate.val();
        self.calculator.gd_shift.next = self.gd_shift.val();
        self.calculator.byte_cycle_low.next = self.byte_cycle.q.val();
        self.calculator.timer_low.next = self.timer.q.val();
        self.calculator.increase_stage.next = self.increase_stage.val();
        self.calculator.half_stage.next = self.half_stage.val();
        self.current_rate.next = self.calculator.current_rate.val();
        self.target_rate.next = self.calculator.target_rate.val();
        self.byte_stage.next = self.calculator.byte_stage.val();
        self.time_stage.next = self.calculator.time_stage.val();
    }
}
