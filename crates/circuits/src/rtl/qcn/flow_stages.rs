// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN's byte cycles and timer periods of many flows.

use crate::rtl::flow_memory::FlowMemory;
use crate::rtl::qcn::cycle_lengths::CycleLengths;
use crate::rtl::reaction_point::flow_numbers::FlowNumbers;
use tidegate_hdl::prelude::*;

/// What is done in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum StagesPhase {
    /// Clear the memories after a reset.
    Clear,
    /// Choose the next flow.
    Idle,
    /// The memories read the state of the flow.
    Fetch,
    /// The state goes into registers, because block RAM is slow.
    Load,
    /// See what is to do.
    Check,
    /// Store the byte counter, which counts on; or the length of the byte cycle that begins.
    StoreBytes,
    /// The length of the timer period that begins.
    RestartTimer,
    /// Store its end.
    StoreTimer,
    /// Of a look: wait for the rate of the flow, and whether it has a frame to send.
    Look,
    /// Wait for the rate of the flow.
    Ask,
    /// Wait for the new rate.
    Work,
    /// Of a look: the flow may become inactive.
    Judge,
}

module! {
    /// Target rates, stages, byte cycles and timers of many flows of QCN (Jiang 2015b, section 2.2; IEEE 802.1Q, clause
    /// 32). One after the other, a frame that was sent is counted, a feedback is taken, or the timer of the next flow is
    /// looked at, which takes four or five cycles. Where a byte cycle or timer period has ended, and for a feedback, the
    /// calculator gets the rate of the flow and computes the new one.
    ///
    /// A timer stores the time at which it ends, and the next period is counted from there. Its increase comes when the
    /// flow has its turn: 4 cycles × flows later at most, and as much more as other work takes in that time.
    ///
    /// A flow whose rate is the line rate is looked at after 1,024 cycles or more, one flow each time. It becomes
    /// inactive if it had no frame to send at two looks and sent none between them. It then has no limit but the line
    /// rate, and its bytes do not count. Reset makes all flows inactive.
    pub struct FlowStages: "flow_stages" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
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
        pub half_stage: Signal<In, Bits<6>>,
        /// 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte counter.
        #[parameter]
        pub extra_fast_recovery: Signal<In, Bit>,
        /// A frame is sent; not without `sent_ready`.
        pub sent: Signal<In, Bit>,
        /// Its flow; valid with `sent`.
        pub sent_flow: Signal<In, Bits<12>>,
        /// Its length, bytes; valid with `sent`.
        pub sent_bytes: Signal<In, Bits<14>>,
        /// A frame may be sent: the last one is counted.
        pub sent_ready: Signal<Out, Bit>,
        /// A feedback waits; hold it until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// Flow of the feedback; valid with `feedback_valid`.
        pub feedback_flow: Signal<In, Bits<12>>,
        /// The calculator takes the feedback in this cycle.
        pub feedback_ready: Signal<Out, Bit>,
        /// The rate of `flow` is needed, until `rate_taken`.
        pub rate_wanted: Signal<Out, Bit>,
        /// The flow that is visited.
        pub flow: Signal<Out, Bits<12>>,
        /// The rate of `flow` is valid; held until `rate_taken`.
        pub rate_valid: Signal<In, Bit>,
        /// A frame of `flow` waits; valid with `rate_valid`.
        pub rate_waits: Signal<In, Bit>,
        /// The rate is not needed any more.
        pub rate_taken: Signal<Out, Bit>,
        /// The calculator starts a decrease in this cycle; the rate is valid.
        pub start_decrease: Signal<Out, Bit>,
        /// It starts the increase at the end of a byte cycle.
        pub start_byte: Signal<Out, Bit>,
        /// It starts the increase at the end of a timer period.
        pub start_time: Signal<Out, Bit>,
        /// The decrease sets the target; valid with `start_decrease`.
        pub moves_target: Signal<Out, Bit>,
        /// Target rate of `flow`, bytes per cycle, 18 fraction bits; valid until it changes.
        pub target: Signal<Out, Bits<25>>,
        /// Byte stage of `flow`; valid until it changes.
        pub byte_stage: Signal<Out, Bits<6>>,
        /// Time stage of `flow`; valid until it changes.
        pub time_stage: Signal<Out, Bits<6>>,
        /// The target changes.
        pub target_changes: Signal<In, Bit>,
        /// New target rate; valid with `target_changes`.
        pub new_target: Signal<In, Bits<25>>,
        /// Rate and stages change.
        pub changes: Signal<In, Bit>,
        /// The new rate is the line rate; valid with `changes`.
        pub reaches_line_rate: Signal<In, Bit>,
        /// New byte stage; valid with `changes`, and in the cycle after.
        pub new_byte_stage: Signal<In, Bits<6>>,
        /// New time stage; valid with `changes`, and in the cycle after.
        pub new_time_stage: Signal<In, Bits<6>>,
        flow_numbers: FlowNumbers,
        cycle_lengths: CycleLengths,
        /// Target rate of each flow, bytes per cycle, 18 fraction bits.
        targets: FlowMemory<25>,
        /// Stages of each flow: bit 13 = the rate is the line rate, bit 12 = active, bits 11 to 6 = byte stage, bits 5 to
        /// 0 = time stage.
        stages: FlowMemory<14>,
        /// Byte counter of each flow: bit 24 = it had no frame when it was looked at and has sent none since, bits 23 to
        /// 0 = bytes to the end of the byte cycle, minus one.
        counts: FlowMemory<25>,
        /// Timer of each flow: last cycle of its period.
        expiries: FlowMemory<25>,
        /// What is done in this cycle.
        phase: DFF<StagesPhase>,
        /// The phase is `Ask`: known without decoding `phase`.
        asks: Register<Bit>,
        /// The flow is visited for a frame that was sent: its bytes count, and may end the byte cycle.
        for_frame: DFF<Bit>,
        /// It is visited for a feedback.
        for_feedback: DFF<Bit>,
        /// Its turn has come: its timer period may have ended, or it is looked at.
        for_timer: DFF<Bit>,
        /// The flow that is visited.
        visited: Register<Bits<12>>,
        /// Flow of the next sweep.
        sweep_flow: Register<Bits<12>>,
        /// The last flow was visited for its timer: it is the turn of a feedback.
        swept: Register<Bit>,
        /// Cycles since the reset.
        time: Register<Bits<25>>,
        /// A flow at line rate may be looked at.
        look_due: Register<Bit>,
        /// A frame that was sent has not been counted yet.
        count_due: Register<Bit>,
        /// Its flow.
        count_flow: DFF<Bits<12>>,
        /// Its length, bytes.
        count_bytes: DFF<Bits<14>>,
        /// Of the flow that is visited, as the memory read it in the cycle before.
        old_target: Delay<Bits<25>>,
        /// The same.
        old_stages: Delay<Bits<14>>,
        /// The same.
        old_count: Delay<Bits<25>>,
        /// The same.
        old_expiry: Delay<Bits<25>>,
        /// The decrease sets the target and restarts the byte cycle.
        retarget: DFF<Bit>,
        /// Of a look: the flow has no frame to send.
        empty: DFF<Bit>,
        /// Of a look: the flow had no frame either when it was looked at before, and becomes inactive.
        inactivates: DFF<Bit>,
        /// The byte cycle ends.
        restarts: DFF<Bit>,
        /// `length` takes the length of a byte cycle that begins.
        takes_bytes: DFF<Bit>,
        /// `length` takes the length of a timer period that begins.
        takes_cycles: DFF<Bit>,
        /// `length` is that of a byte cycle that begins, and is stored.
        stores_length: DFF<Bit>,
        /// Rate and stages changed in the cycle before: the stages are stored. The comparison with the line rate is late, so
        /// the memory does not wait for it.
        stores_stages: Register<Bit>,
        /// The rate that came in the cycle before is the line rate.
        new_at_line_rate: DFF<Bit>,
        /// What is left of the byte cycle, or the length of the byte cycle or timer period that begins, minus one. It
        /// does not depend on `phase`, so that few choices come after the adders.
        length: DFF<Bits<25>>,
        active: Signal<Local, Bit>,
        at_line_rate: Signal<Local, Bit>,
        quiet: Signal<Local, Bit>,
        bytes_left: Signal<Local, Bits<25>>,
        bytes_after: Signal<Local, Bits<25>>,
        byte_end: Signal<Local, Bit>,
        cycles_left: Signal<Local, Bits<25>>,
        time_end: Signal<Local, Bit>,
        period_start: Signal<Local, Bits<26>>,
        period_end: Signal<Local, Bits<26>>,
        looks: Signal<Local, Bit>,
        starts: Signal<Local, Bit>,
        seen: Signal<Local, Bit>,
    }
}

impl FlowStages {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowStages {
            flow_numbers: FlowNumbers::new(flow_bits),
            targets: FlowMemory::new(flow_bits),
            stages: FlowMemory::new(flow_bits),
            counts: FlowMemory::new(flow_bits),
            expiries: FlowMemory::new(flow_bits),
            ..FlowStages::default()
        }
    }
}

impl Logic for FlowStages {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            asks,
            for_frame,
            for_feedback,
            for_timer,
            visited,
            sweep_flow,
            swept,
            time,
            look_due,
            count_due,
            count_flow,
            count_bytes,
            old_target,
            old_stages,
            old_count,
            old_expiry,
            retarget,
            empty,
            inactivates,
            restarts,
            takes_bytes,
            takes_cycles,
            stores_length,
            stores_stages,
            new_at_line_rate,
            length
        );
        clock!(self, clock, cycle_lengths, targets, stages, counts, expiries);
        self.asks.reset.next = self.reset.val();
        self.visited.reset.next = self.reset.val();
        self.sweep_flow.reset.next = self.reset.val();
        self.swept.reset.next = self.reset.val();
        self.time.reset.next = self.reset.val();
        self.look_due.reset.next = self.reset.val();
        self.stores_stages.reset.next = self.reset.val();
        self.count_due.reset.next = self.reset.val();
        self.cycle_lengths.reset.next = self.reset.val();
        self.cycle_lengths.byte_cycle_low.next = self.byte_cycle_low.val();
        self.cycle_lengths.byte_cycle_span.next = self.byte_cycle_span.val();
        self.cycle_lengths.timer_low.next = self.timer_low.val();
        self.cycle_lengths.timer_span.next = self.timer_span.val();
        self.cycle_lengths.seed.next = self.seed.val();
        self.cycle_lengths.half_stage.next = self.half_stage.val();

        comment!("Time, and when a flow is looked at");
        self.time.d.next = self.time.q.val() + 1;
        if self.time.q.val().to_bits().get_bits::<10>(0).all() {
            self.look_due.d.next = true;
        }

        comment!("The frame that was sent last");
        self.sent_ready.next = !self.count_due.q.val();
        if self.sent.val() {
            self.count_due.d.next = true;
        }
        // They are stored in each cycle in which a frame may be sent, so that they do not wait for `sent`.
        if !self.count_due.q.val() {
            self.count_flow.d.next = self.sent_flow.val();
            self.count_bytes.d.next = self.sent_bytes.val();
        }

        comment!("State of the flow");
        self.targets.read_address.next = self.visited.q.val();
        self.stages.read_address.next = self.visited.q.val();
        self.counts.read_address.next = self.visited.q.val();
        self.expiries.read_address.next = self.visited.q.val();
        self.old_target.d.next = self.targets.read_data.val();
        self.old_stages.d.next = self.stages.read_data.val();
        self.old_count.d.next = self.counts.read_data.val();
        self.old_expiry.d.next = self.expiries.read_data.val();
        self.at_line_rate.next = self.old_stages.q.val().get_bit(13);
        self.active.next = self.old_stages.q.val().get_bit(12);
        self.byte_stage.next = self.old_stages.q.val().to_bits().get_bits::<6>(6);
        self.time_stage.next = self.old_stages.q.val().to_bits().get_bits::<6>(0);
        self.target.next = self.old_target.q.val();
        self.quiet.next = self.old_count.q.val().get_bit(24);
        self.cycle_lengths.byte_stage.next = self.old_stages.q.val().to_bits().get_bits::<6>(6);
        self.cycle_lengths.time_stage.next = self.old_stages.q.val().to_bits().get_bits::<6>(0);

        comment!("Whether the byte cycle ends");
        self.bytes_left.next = bit_cast::<25, 24>(self.old_count.q.val().to_bits().get_bits::<24>(0));
        self.bytes_after.next = self.bytes_left.val() - bit_cast::<25, 14>(self.count_bytes.q.val());
        self.byte_end.next = self.bytes_after.val().get_bit(24);

        comment!("Whether the timer period ends; the end of the next one");
        self.cycles_left.next = self.old_expiry.q.val() - self.time.q.val();
        self.time_end.next = self.timer_low.val().any() & self.cycles_left.val().get_bit(24);
        // Counted from the end of the last period, and one cycle more, by a carry into bit 0; or from now.
        self.period_start.next = (bit_cast::<26, 25>(self.old_expiry.q.val()).to_bits() << 1) | 1;
        if self.for_feedback.q.val() {
            self.period_start.next = bit_cast::<26, 25>(self.time.q.val()).to_bits() << 1;
        }
        self.period_end.next = self.period_start.val() + ((bit_cast::<26, 25>(self.length.q.val()).to_bits() << 1) | 1);

        comment!("Bytes or cycles that are left, or the length of what begins");
        self.length.d.next = self.bytes_after.val();
        if self.takes_cycles.q.val() {
            self.length.d.next = bit_cast::<25, 24>(self.cycle_lengths.next_cycles.val());
            if self.for_feedback.q.val() {
                self.length.d.next = bit_cast::<25, 24>(self.cycle_lengths.first_cycles.val());
            }
        } else if self.takes_bytes.q.val() {
            self.length.d.next = bit_cast::<25, 24>(self.cycle_lengths.next_bytes.val());
            if self.for_feedback.q.val() {
                self.length.d.next = bit_cast::<25, 24>(self.cycle_lengths.first_bytes.val());
            }
        }
        self.takes_bytes.d.next = self.phase.q.val() == StagesPhase::Check;
        self.takes_cycles.d.next = ((self.phase.q.val() == StagesPhase::Check) & self.for_timer.q.val())
            | (self.phase.q.val() == StagesPhase::StoreBytes);
        self.restarts.d.next = self.byte_end.val();
        self.stores_length.d.next = (self.phase.q.val() == StagesPhase::StoreBytes)
            & ((self.for_frame.q.val() & self.restarts.q.val()) | (self.for_feedback.q.val() & self.retarget.q.val()));

        comment!("Memories: written where the phases say so");
        self.targets.write_address.next = self.visited.q.val();
        // The target of an inactive flow is the line rate.
        self.targets.write_data.next = self.line_rate.val();
        if self.phase.q.val() == StagesPhase::Work {
            self.targets.write_data.next = self.new_target.val();
        }
        self.targets.write_enable.next = self.target_changes.val() | self.inactivates.q.val();
        self.stages.write_address.next = self.visited.q.val();
        self.stages.write_data.next = 0.into();
        self.stores_stages.d.next = self.changes.val();
        self.new_at_line_rate.d.next = self.reaches_line_rate.val();
        if self.stores_stages.q.val() {
            self.stages.write_data.next = bit_cast::<14, 6>(self.new_time_stage.val())
                | (bit_cast::<14, 6>(self.new_byte_stage.val()).to_bits() << 6)
                | (bit_cast::<14, 1>(self.new_at_line_rate.q.val().into()).to_bits() << 13)
                | 0x1000;
        }
        self.stages.write_enable.next = self.stores_stages.q.val() | self.inactivates.q.val();
        self.counts.write_address.next = self.visited.q.val();
        self.counts.write_data.next = self.length.q.val();
        self.counts.write_enable.next = self.stores_length.q.val();
        self.expiries.write_address.next = self.visited.q.val();
        self.expiries.write_data.next = self.period_end.val().to_bits().get_bits::<25>(1);
        self.expiries.write_enable.next = false;

        comment!("Phases of a visit");
        self.looks.next = self.active.val() & self.at_line_rate.val() & self.look_due.q.val();
        self.starts.next = self.asks.q.val() & self.rate_valid.val();
        self.seen.next = (self.phase.q.val() == StagesPhase::Look) & self.rate_valid.val();
        self.rate_wanted.next =
            self.asks.q.val() | (self.phase.q.val() == StagesPhase::Work) | (self.phase.q.val() == StagesPhase::Look);
        self.start_decrease.next = self.starts.val() & self.for_feedback.q.val();
        self.start_byte.next = self.starts.val() & self.for_frame.q.val();
        self.start_time.next = self.starts.val() & self.for_timer.q.val();
        self.moves_target.next = self.retarget.q.val();
        self.feedback_ready.next = self.start_decrease.val();
        self.rate_taken.next = self.seen.val() | self.changes.val();
        self.cycle_lengths.draw.next = false;
        self.asks.d.next = self.asks.q.val() & !self.rate_valid.val();
        self.empty.d.next = !self.rate_waits.val() & !self.count_due.q.val();
        self.inactivates.d.next = self.seen.val() & !self.rate_waits.val() & !self.count_due.q.val() & self.quiet.val();
        match self.phase.q.val() {
            StagesPhase::Clear => {
                self.stages.write_enable.next = true;
                self.targets.write_enable.next = true;
                self.visited.d.next = self.visited.q.val() + 1;
                if self.visited.q.val() == self.flow_numbers.last_flow.val() {
                    self.phase.d.next = StagesPhase::Idle;
                }
            }
            StagesPhase::Idle => {
                self.phase.d.next = StagesPhase::Fetch;
                self.for_frame.d.next = false;
                self.for_feedback.d.next = false;
                self.for_timer.d.next = false;
                if self.count_due.q.val() {
                    self.for_frame.d.next = true;
                    self.visited.d.next = self.count_flow.q.val();
                } else if self.feedback_valid.val() & self.swept.q.val() {
                    self.for_feedback.d.next = true;
                    self.visited.d.next = self.feedback_flow.val();
                    self.swept.d.next = false;
                } else {
                    self.for_timer.d.next = true;
                    self.visited.d.next = self.sweep_flow.q.val();
                    self.sweep_flow.d.next = (self.sweep_flow.q.val() + 1) & self.flow_numbers.last_flow.val();
                    self.swept.d.next = true;
                }
            }
            StagesPhase::Fetch => {
                self.phase.d.next = StagesPhase::Load;
            }
            StagesPhase::Load => {
                self.phase.d.next = StagesPhase::Check;
            }
            StagesPhase::Check => {
                self.phase.d.next = StagesPhase::Idle;
                self.retarget.d.next = !self.active.val()
                    | self.old_stages.q.val().to_bits().get_bits::<6>(6).any()
                    | !self.extra_fast_recovery.val();
                if self.for_frame.q.val() {
                    self.count_due.d.next = false;
                    if self.active.val() {
                        self.phase.d.next = StagesPhase::StoreBytes;
                    }
                } else if self.for_feedback.q.val() {
                    self.phase.d.next = StagesPhase::StoreBytes;
                } else if self.active.val() & self.time_end.val() {
                    self.phase.d.next = StagesPhase::RestartTimer;
                } else if self.looks.val() {
                    self.look_due.d.next = false;
                    self.phase.d.next = StagesPhase::Look;
                }
            }
            StagesPhase::StoreBytes => {
                // What is left, or where the byte cycle ends, its next length after that, by `stores_length`.
                self.counts.write_enable.next = self.for_frame.q.val();
                if self.for_feedback.q.val() {
                    self.phase.d.next = StagesPhase::RestartTimer;
                } else if self.restarts.q.val() {
                    self.cycle_lengths.draw.next = true;
                    self.asks.d.next = true;
                    self.phase.d.next = StagesPhase::Ask;
                } else {
                    self.phase.d.next = StagesPhase::Idle;
                }
            }
            StagesPhase::RestartTimer => {
                self.cycle_lengths.draw.next = true;
                self.phase.d.next = StagesPhase::StoreTimer;
            }
            StagesPhase::StoreTimer => {
                self.expiries.write_enable.next = true;
                self.asks.d.next = true;
                self.phase.d.next = StagesPhase::Ask;
            }
            StagesPhase::Look => {
                if self.rate_valid.val() {
                    self.phase.d.next = StagesPhase::Judge;
                }
            }
            StagesPhase::Ask => {
                if self.rate_valid.val() {
                    self.phase.d.next = StagesPhase::Work;
                }
            }
            StagesPhase::Work => {
                if self.changes.val() {
                    self.phase.d.next = StagesPhase::Idle;
                }
            }
            StagesPhase::Judge => {
                self.counts.write_enable.next = true;
                self.counts.write_data.next = self.bytes_left.val();
                if self.empty.q.val() {
                    self.counts.write_data.next = self.bytes_left.val() | 0x100_0000;
                }
                self.phase.d.next = StagesPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = StagesPhase::Clear;
        }
        self.flow.next = self.visited.q.val();
    }
}
