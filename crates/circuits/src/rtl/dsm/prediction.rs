// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM's feedback without its state: it predicts the queue from the feedback of the last m samples, and sends a rate
//! step.

use crate::rtl::scaled_product::ScaledProduct;
use tidegate_hdl::prelude::*;

/// State of the block. In a state with a product, the product starts in its first cycles, and the state ends when it is
/// done.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum DsmPhase {
    /// Wait for a sample.
    Idle,
    /// Add T·S2 to the offset: the effect of earlier feedback on the predicted offset.
    OffsetOfHistory,
    /// Add m·Qv to the offset: the effect of the present change on the predicted offset.
    OffsetOfChange,
    /// Add T·S1 to the change: the effect of earlier feedback on the predicted change.
    ChangeOfHistory,
    /// Compute offset + ω·change; its sign is the side of the sliding line.
    Weigh,
    /// Multiply offset or change by its gain.
    Scale,
    /// Limit the step to `step_max`.
    Limit,
    /// Subtract m·F(k−m), the oldest value of the history, from S2, and update S1.
    Forget,
    /// Add S1 to S2, and write F to the history.
    Sum,
    /// Send the frame.
    Send,
}

/// The product of a state: what is multiplied, and by what.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum DsmProduct {
    /// T·S2.
    PeriodOfSecond,
    /// m·Qv.
    DelayOfChange,
    /// T·S1.
    PeriodOfFirst,
    /// ω·change.
    WeightOfChange,
    /// a·offset.
    GainA,
    /// b·change.
    GainB,
    /// c·offset.
    GainC,
    /// m·F(k−m).
    DelayOfOldest,
}

module! {
    /// Computes F, the rate step, of the sample at the head of the queue (Cheng, equations (24) and (25)). The sums S1
    /// and S2 over the last m values of F are updated by recurrences (section IV.D).
    ///
    /// The frame carries F in 2^-18 bytes per cycle as 32-bit two's complement: bits 31 to 16 in QOffset, bits 15 to 0
    /// in QDelta. Six products share one serial multiplier: a frame can begin 213 cycles after its sample is at the
    /// head of the queue. A sample of a flow that no reaction point controls is dropped in that cycle; its F is 0. Zero
    /// counts as positive; Qf and Qv saturate at 2 MiB; products are rounded towards zero; |F| is at most `step_max`.
    ///
    /// The sums, the last values of F and their number stand outside: they change at the end of each cycle to `next_s1`,
    /// `next_s2`, `next_place` and `next_filled`, and the word at `place` to `step` if `remember` is high.
    pub struct DsmPrediction: "prediction_dsm" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A sample is at the head of the sample queue; its fields below are valid.
        pub sample_valid: Signal<In, Bit>,
        /// A reaction point controls the flow of this sample.
        pub controlled: Signal<In, Bit>,
        /// Queue offset of this sample, bytes, two's complement.
        pub q_offset: Signal<In, Bits<25>>,
        /// Change of the queue since the sample before, bytes, two's complement.
        pub q_delta: Signal<In, Bits<25>>,
        /// The last word of the frame is transferred in this cycle.
        pub frame_done: Signal<In, Bit>,
        /// m, delay of the loop in sampling periods, not 0; that of the history.
        #[parameter]
        pub loop_delay: Signal<In, Bits<6>>,
        /// ω, weight of the queue change in the sliding line.
        #[parameter]
        pub omega: Signal<In, Bits<6>>,
        /// T, sampling period, cycles.
        #[parameter]
        pub period_cycles: Signal<In, Bits<24>>,
        /// Gain a, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_a: Signal<In, Bits<28>>,
        /// Gain b, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_b: Signal<In, Bits<28>>,
        /// Gain c, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_c: Signal<In, Bits<28>>,
        /// Largest |F|, 2^-18 bytes per cycle.
        #[parameter]
        pub step_max: Signal<In, Bits<25>>,
        /// The frame fields below are valid; they are held until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb: 0, this scheme does not use it.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// F, 2^-18 bytes per cycle, two's complement, bits 31 to 16.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// F, bits 15 to 0.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Remove this sample from the sample queue.
        pub pop: Signal<Out, Bit>,
        /// No sample is worked on: m may change in this cycle, and the sums with it.
        pub idle: Signal<Out, Bit>,
        /// The sums, the place and the number stay as they are until the sample is removed.
        pub decided: Signal<Out, Bit>,
        /// Address of the next F in the history.
        pub place: Signal<In, Bits<6>>,
        /// Number of values of F in the history, at most m.
        pub filled: Signal<In, Bits<6>>,
        /// S1, sum of F(k−i) over i from 1 to m.
        pub s1: Signal<In, Bits<32>>,
        /// S2, sum of i·F(k−i) over i from 1 to m.
        pub s2: Signal<In, Bits<32>>,
        /// `place` in the next cycle.
        pub next_place: Signal<Out, Bits<6>>,
        /// `filled` in the next cycle.
        pub next_filled: Signal<Out, Bits<6>>,
        /// `s1` in the next cycle.
        pub next_s1: Signal<Out, Bits<32>>,
        /// `s2` in the next cycle.
        pub next_s2: Signal<Out, Bits<32>>,
        /// Address of F(k−m) in the history.
        pub oldest_place: Signal<Out, Bits<6>>,
        /// The word of the history at `oldest_place`, 2^-18 bytes per cycle, two's complement.
        pub oldest_word: Signal<In, Bits<26>>,
        /// Write F to the history.
        pub remember: Signal<Out, Bit>,
        /// F, 2^-18 bytes per cycle, two's complement; valid with `remember`.
        pub rate_step: Signal<Out, Bits<26>>,
        scaled_product: ScaledProduct,
        /// State of the sequence of steps.
        phase: DFF<DsmPhase>,
        /// The state is `Send`, and the sample is of a flow that is controlled. The frame and the end of the state depend
        /// on it: a register saves the comparison.
        sends: Register<Bit>,
        /// `source` tells the product of this state.
        selects: Register<Bit>,
        /// The product of this state has started.
        begun: Register<Bit>,
        /// The product of this state.
        source: DFF<DsmProduct>,
        /// What the number is multiplied by, from the cycle after its start on: the additions of the product wait for no choice.
        factor: DFF<Bits<32>>,
        /// It is T·S1 or T·S2: shift the product right by two to get bytes.
        of_history: DFF<Bit>,
        /// The number to multiply is negative.
        negative: DFF<Bit>,
        /// Queue offset of the sample, then the predicted offset, bytes, two's complement.
        offset: DFF<Bits<32>>,
        /// Queue change of the sample, then the predicted change, bytes, two's complement.
        change: DFF<Bits<32>>,
        /// offset + ω·change of the predictions is negative.
        delta_negative: DFF<Bit>,
        /// |F| is above `step_max`.
        too_large: DFF<Bit>,
        /// F, 2^-18 bytes per cycle, two's complement.
        step: DFF<Bits<26>>,
        /// F(k−m), the oldest F of the history; 0 while the history has less than m values.
        oldest: DFF<Bits<26>>,
        works: Signal<Local, Bit>,
        start: Signal<Local, Bit>,
        done: Signal<Local, Bit>,
        product: Signal<Local, Bits<32>>,
        bytes: Signal<Local, Bits<32>>,
        q_offset_extended: Signal<Local, Bits<32>>,
        q_delta_extended: Signal<Local, Bits<32>>,
        offset_top: Signal<Local, Bits<4>>,
        delta_top: Signal<Local, Bits<4>>,
        oldest_extended: Signal<Local, Bits<32>>,
        by_change: Signal<Local, Bit>,
        selected: Signal<Local, Bits<32>>,
        term: Signal<Local, Bits<32>>,
        addend: Signal<Local, Bits<33>>,
        offset_total: Signal<Local, Bits<33>>,
        change_total: Signal<Local, Bits<33>>,
        magnitude: Signal<Local, Bits<26>>,
        step_extended: Signal<Local, Bits<32>>,
    }
}

impl Logic for DsmPrediction {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            sends,
            selects,
            begun,
            source,
            factor,
            of_history,
            negative,
            offset,
            change,
            delta_negative,
            too_large,
            step,
            oldest
        );
        clock!(self, clock, scaled_product);
        self.scaled_product.reset.next = self.reset.val();
        self.sends.reset.next = self.reset.val();
        self.selects.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.remember.next = self.phase.q.val() == DsmPhase::Sum;
        self.oldest_place.next = self.place.val() - self.loop_delay.val();
        self.rate_step.next = self.step.q.val();
        self.next_place.next = self.place.val();
        self.next_filled.next = self.filled.val();
        self.next_s1.next = self.s1.val();
        self.next_s2.next = self.s2.val();

        // Offset and change of the sample, saturated to 22 bits, two's complement.
        self.offset_top.next = self.q_offset.val().to_bits().get_bits::<4>(21);
        self.q_offset_extended.next = bit_cast::<32, 21>(self.q_offset.val().to_bits().get_bits::<21>(0));
        if self.q_offset.val().get_bit(24) {
            self.q_offset_extended.next =
                bit_cast::<32, 21>(self.q_offset.val().to_bits().get_bits::<21>(0)) | 0xffe0_0000_u64;
            if self.offset_top.val() != 0xf {
                self.q_offset_extended.next = 0xffe0_0000_u64.into();
            }
        } else if self.offset_top.val().any() {
            self.q_offset_extended.next = 0x1f_ffff.into();
        }
        self.delta_top.next = self.q_delta.val().to_bits().get_bits::<4>(21);
        self.q_delta_extended.next = bit_cast::<32, 21>(self.q_delta.val().to_bits().get_bits::<21>(0));
        if self.q_delta.val().get_bit(24) {
            self.q_delta_extended.next =
                bit_cast::<32, 21>(self.q_delta.val().to_bits().get_bits::<21>(0)) | 0xffe0_0000_u64;
            if self.delta_top.val() != 0xf {
                self.q_delta_extended.next = 0xffe0_0000_u64.into();
            }
        } else if self.delta_top.val().any() {
            self.q_delta_extended.next = 0x1f_ffff.into();
        }
        self.oldest.d.next = 0.into();
        if self.filled.val() == self.loop_delay.val() {
            self.oldest.d.next = self.oldest_word.val();
        }
        self.oldest_extended.next = bit_cast::<32, 26>(self.oldest.q.val());
        if self.oldest.q.val().get_bit(25) {
            self.oldest_extended.next = bit_cast::<32, 26>(self.oldest.q.val()) | 0xfc00_0000_u64;
        }

        self.start.next = self.selects.q.val() & !self.begun.q.val();
        // The rule: gain c if both predictions have the same sign; otherwise a or b, by the side of the sliding line.
        self.by_change.next = (self.offset.q.val().get_bit(31) ^ self.change.q.val().get_bit(31))
            & (self.change.q.val().get_bit(31) == self.delta_negative.q.val());
        if !self.selects.q.val() {
            self.of_history.d.next =
                (self.phase.q.val() == DsmPhase::ChangeOfHistory) | (self.phase.q.val() == DsmPhase::OffsetOfHistory);
            self.source.d.next = DsmProduct::GainC;
            if self.phase.q.val() == DsmPhase::OffsetOfHistory {
                self.source.d.next = DsmProduct::PeriodOfSecond;
            } else if self.phase.q.val() == DsmPhase::OffsetOfChange {
                self.source.d.next = DsmProduct::DelayOfChange;
            } else if self.phase.q.val() == DsmPhase::ChangeOfHistory {
                self.source.d.next = DsmProduct::PeriodOfFirst;
            } else if self.phase.q.val() == DsmPhase::Weigh {
                self.source.d.next = DsmProduct::WeightOfChange;
            } else if self.phase.q.val() == DsmPhase::Forget {
                self.source.d.next = DsmProduct::DelayOfOldest;
            } else if self.by_change.val() {
                self.source.d.next = DsmProduct::GainB;
            } else if self.offset.q.val().get_bit(31) ^ self.change.q.val().get_bit(31) {
                self.source.d.next = DsmProduct::GainA;
            }
        }

        self.product.next = self.scaled_product.product.val();
        self.bytes.next = self.scaled_product.product.val().to_bits() >> 2;
        // The number to multiply, and by what.
        self.selected.next = self.offset.q.val();
        self.factor.d.next = bit_cast::<32, 28>(self.gain_c.val());
        if self.source.q.val() == DsmProduct::PeriodOfSecond {
            self.selected.next = self.s2.val();
            self.factor.d.next = bit_cast::<32, 24>(self.period_cycles.val());
        } else if self.source.q.val() == DsmProduct::DelayOfChange {
            self.selected.next = self.change.q.val();
            self.factor.d.next = bit_cast::<32, 6>(self.loop_delay.val()).to_bits() << 16;
        } else if self.source.q.val() == DsmProduct::PeriodOfFirst {
            self.selected.next = self.s1.val();
            self.factor.d.next = bit_cast::<32, 24>(self.period_cycles.val());
        } else if self.source.q.val() == DsmProduct::WeightOfChange {
            self.selected.next = self.change.q.val();
            self.factor.d.next = bit_cast::<32, 6>(self.omega.val()).to_bits() << 16;
        } else if self.source.q.val() == DsmProduct::GainA {
            self.factor.d.next = bit_cast::<32, 28>(self.gain_a.val());
        } else if self.source.q.val() == DsmProduct::GainB {
            self.selected.next = self.change.q.val();
            self.factor.d.next = bit_cast::<32, 28>(self.gain_b.val());
        } else if self.source.q.val() == DsmProduct::DelayOfOldest {
            self.selected.next = self.oldest_extended.val();
            self.factor.d.next = bit_cast::<32, 6>(self.loop_delay.val()).to_bits() << 16;
        }
        self.scaled_product.operand.next = self.selected.val();
        self.scaled_product.factor.next = self.factor.q.val();
        self.scaled_product.negate.next = self.negative.q.val();
        if self.start.val() {
            self.negative.d.next = self.selected.val().get_bit(31);
        }

        // The product gets its sign: its inverse, and plus 1 as a carry into bit 0.
        self.term.next = self.product.val();
        if self.of_history.q.val() {
            self.term.next = self.bytes.val();
        }
        self.addend.next = bit_cast::<33, 32>(self.term.val()) << 1;
        if self.negative.q.val() {
            self.addend.next = (bit_cast::<33, 32>(self.term.val() ^ 0xffff_ffff_u64) << 1) | 1;
        }
        self.offset_total.next = ((bit_cast::<33, 32>(self.offset.q.val()) << 1) | 1) + self.addend.val();
        self.change_total.next = ((bit_cast::<33, 32>(self.change.q.val()) << 1) | 1) + self.addend.val();
        self.magnitude.next = bit_cast::<26, 25>(self.step_max.val());
        if !self.too_large.q.val() {
            self.magnitude.next = bit_cast::<26, 25>(self.product.val().to_bits().get_bits::<25>(0));
        }
        self.step_extended.next = bit_cast::<32, 26>(self.step.q.val());
        if self.step.q.val().get_bit(25) {
            self.step_extended.next = bit_cast::<32, 26>(self.step.q.val()) | 0xfc00_0000_u64;
        }

        self.scaled_product.start.next = self.start.val();
        self.works.next = false;
        self.done.next = self.scaled_product.done.val();
        self.idle.next = self.phase.q.val() == DsmPhase::Idle;
        self.decided.next = self.phase.q.val() == DsmPhase::Send;
        self.feedback_valid.next = self.sends.q.val();
        self.pop.next = self.sends.q.val() & self.frame_done.val();
        match self.phase.q.val() {
            DsmPhase::Idle => {
                self.offset.d.next = self.q_offset_extended.val();
                self.change.d.next = self.q_delta_extended.val();
                if self.sample_valid.val() {
                    self.phase.d.next = DsmPhase::OffsetOfHistory;
                }
            }
            DsmPhase::OffsetOfHistory => {
                self.works.next = true;
                if self.done.val() {
                    self.offset.d.next = self.offset_total.val().get_bits::<32>(1);
                    self.phase.d.next = DsmPhase::OffsetOfChange;
                }
            }
            DsmPhase::OffsetOfChange => {
                self.works.next = true;
                if self.done.val() {
                    self.offset.d.next = self.offset_total.val().get_bits::<32>(1);
                    self.phase.d.next = DsmPhase::ChangeOfHistory;
                }
            }
            DsmPhase::ChangeOfHistory => {
                self.works.next = true;
                if self.done.val() {
                    self.change.d.next = self.change_total.val().get_bits::<32>(1);
                    self.phase.d.next = DsmPhase::Weigh;
                }
            }
            DsmPhase::Weigh => {
                self.works.next = true;
                if self.done.val() {
                    self.delta_negative.d.next = self.offset_total.val().get_bit(32);
                    self.phase.d.next = DsmPhase::Scale;
                }
            }
            DsmPhase::Scale => {
                self.works.next = true;
                if self.done.val() {
                    self.too_large.d.next = self.scaled_product.overflow.val()
                        | (self.product.val() > bit_cast::<32, 25>(self.step_max.val()));
                    self.phase.d.next = DsmPhase::Limit;
                }
            }
            DsmPhase::Limit => {
                self.step.d.next = bits::<26>(0) - self.magnitude.val();
                if self.negative.q.val() {
                    self.step.d.next = self.magnitude.val();
                }
                if !self.controlled.val() {
                    self.step.d.next = 0.into();
                }
                self.phase.d.next = DsmPhase::Forget;
            }
            DsmPhase::Forget => {
                self.works.next = true;
                if self.start.val() {
                    self.next_s1.next = self.s1.val() + self.step_extended.val();
                }
                if self.done.val() {
                    self.next_s1.next = self.s1.val() - self.oldest_extended.val();
                    self.next_s2.next = self.s2.val() - self.product.val();
                    if self.negative.q.val() {
                        self.next_s2.next = self.s2.val() + self.product.val();
                    }
                    self.phase.d.next = DsmPhase::Sum;
                }
            }
            DsmPhase::Sum => {
                self.next_s2.next = self.s2.val() + self.s1.val();
                self.next_place.next = self.place.val() + 1;
                if self.filled.val() != self.loop_delay.val() {
                    self.next_filled.next = self.filled.val() + 1;
                }
                self.sends.d.next = self.controlled.val();
                self.phase.d.next = DsmPhase::Send;
            }
            DsmPhase::Send => {
                if self.frame_done.val() | !self.sends.q.val() {
                    self.pop.next = true;
                    self.sends.d.next = false;
                    self.phase.d.next = DsmPhase::Idle;
                }
            }
        }
        self.selects.d.next = self.works.val() & !self.done.val();
        self.begun.d.next = self.selects.q.val() & !self.done.val();
        if self.reset.val() {
            self.phase.d.next = DsmPhase::Idle;
        }
        self.q_offset_units.next = self.step_extended.val().to_bits().get_bits::<16>(16);
        self.q_delta_units.next = self.step_extended.val().to_bits().get_bits::<16>(0);
        self.quantized_feedback.next = 0.into();
    }
}
