// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of many flows: one datapath, the state of each flow in memory.

use super::flow_numbers::FlowNumbers;
use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

/// What the limiter does in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FlowPhase {
    /// Clear the memories after a reset.
    Clear,
    /// Read the first flow of the list of this turn.
    Aim,
    /// Choose the next visit.
    Turn,
    /// The memories read the state of the flow.
    Fetch,
    /// The state goes into registers, because block RAM is slow.
    Load,
    /// See what is to do.
    Check,
    /// Multiply rate and time: one bit of the time.
    Multiply,
    /// Add the product to the level.
    Settle,
    /// The level is at most the depth of the bucket.
    Cap,
    /// Subtract a frame that is announced; if a frame is sent, see whether the bucket is full.
    Deduct,
    /// Write the state; the frame goes, or it waits.
    Write,
    /// Put the flow behind those whose frames may go.
    Release,
    /// Divide what is missing by the rate: find the highest bit of the quotient.
    Climb,
    /// One bit of the quotient after the other: whether it is 1.
    Descend,
    /// Subtract its share.
    Reduce,
    /// Round the time, and add it to that of the next cycle.
    Round,
    /// Choose the list for this time.
    Place,
    /// Not a list that comes to its turn before its time: the last one before it.
    Avoid,
    /// Read the first flow of this list.
    Follow,
    /// Put the flow into the list.
    Push,
}

/// Why a flow is visited.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FlowTask {
    /// Its waiting time is over, or part of it.
    Look,
    /// Its frame is sent.
    Send,
    /// A frame of it is announced.
    Announce,
    /// Its rate is read for the calculator.
    Read,
    /// Its rate changes.
    Change,
    /// Its turn has come: the time of its last visit must not be too long ago.
    Sweep,
}

module! {
    /// Token buckets of many flows that count bytes with two fraction bits, rounded down at each visit. One datapath
    /// visits one flow after the other. A visit adds rate × time since the last visit, at most up to the depth of the
    /// bucket (Jiang 2015b, section 2.2: the rate limiter).
    ///
    /// A frame is announced with its flow and length; hold them until `announce_ready`. The announcement subtracts the
    /// length and the overhead from the bucket. As soon as a visit finds that the level is not negative, the frame may
    /// go: `grant` is high with its flow, and stays until `sent`, which comes in a cycle of `send_ready`. Drive the
    /// length of the frame with `send_ready`. A flow may announce its next frame after `sent`, and not before: what it
    /// announces before is refused, as is a frame that is longer than the bucket. Never more than rate × time + depth is
    /// sent. A flow loses no bytes if its bucket is deeper than its frame by at least the rate of the time from the end of
    /// its waiting time to `sent`, and of two ticks.
    ///
    /// A flow whose level is negative is visited again after the time that it needs at its rate. Times are ticks of
    /// `last_cycle` + 1 cycles. Each list holds the flows whose time ends within the same tick, the same 16 or the same
    /// 256 ticks, up to 12 times 256 ticks. A flow that comes out of a list early is put into a finer one. Whatever
    /// the others do, one of four flows is looked at within 43,546 cycles after it was put into a list of one tick, 51,226
    /// into one of 16 ticks, 174,106 into one of 256 (proved). Waiting for the link does not cost a flow any rate. A flow that does not wait is visited about every
    /// 256 cycles × flows, and every 64 cycles × flows if there are more than 256. Time
    /// counts from the begin of the tick of a visit; from the next tick if the rate changed, or if a frame was sent and
    /// the bucket may have been full, because until then less than a tick at this rate counts.
    /// Rounding costs at most a quarter of a byte at each visit: a frame needs four to six, and one more for each 12
    /// times 256 ticks that it waits. A visit takes some 10 to 70 cycles: many slow flows with short frames together
    /// cannot fill a fast link.
    ///
    /// The rate of a flow is read for the feedback that waits, and given to the calculator. A change of the rate takes
    /// effect at a visit: before it the old rate counts, then the new one. Until then no other rate is read. Reset makes
    /// all buckets empty and all rates the line rate; `clearing` is high until this has been done, and nothing is taken
    /// meanwhile.
    ///
    /// A visit that finds a rate at a line rate or above it writes that it is the line rate, and the flow then has whatever
    /// the line rate becomes; one that finds a rate below the minimum rate writes the minimum rate. A new rate is kept within
    /// the bounds in the same way, because it may come from a rate that was read before they changed. A visit that only
    /// reads the rate changes nothing. A flow has no other visit while it waits.
    pub struct FlowLimiter: "flow_limiter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Line rate, the largest rate, and that of each flow after a reset, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// Depth of the bucket, bytes, 128 to 16224.
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        /// Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0.
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// The memories are being cleared.
        pub clearing: Signal<Out, Bit>,
        /// A flow has a frame to send; hold until `announce_ready`.
        pub announce: Signal<In, Bit>,
        /// Number of this flow.
        pub announce_flow: Signal<In, Bits<12>>,
        /// Length of this frame, bytes.
        pub announce_bytes: Signal<In, Bits<14>>,
        /// The announcement is taken in this cycle, if `announce`.
        pub announce_ready: Signal<Out, Bit>,
        /// The last announcement that was taken is refused: no such flow, its frame is longer than the bucket, or
        /// another frame of this flow waits. Three cycles after it was taken, for one cycle.
        pub refused: Signal<Out, Bit>,
        /// The frame of `grant_flow` may be sent; held until `sent`.
        pub grant: Signal<Out, Bit>,
        /// Flow whose frame may be sent.
        pub grant_flow: Signal<Out, Bits<12>>,
        /// The frame can be sent now. It need not be held.
        pub send_ready: Signal<In, Bit>,
        /// Length of the frame of `grant_flow`, bytes; the length that was announced.
        pub send_bytes: Signal<In, Bits<14>>,
        /// The frame of `grant_flow` starts in this cycle.
        pub sent: Signal<Out, Bit>,
        /// A feedback waits; hold it until `feedback_taken`.
        pub feedback_valid: Signal<In, Bit>,
        /// Flow of the feedback; valid with `feedback_valid`.
        pub feedback_flow: Signal<In, Bits<12>>,
        /// `rate` and `mode` are those of `feedback_flow`; held until `feedback_taken`.
        pub rate_valid: Signal<Out, Bit>,
        /// Rate of `feedback_flow`, bytes per cycle, 18 fraction bits.
        pub rate: Signal<Out, Bits<25>>,
        /// What the calculator has stored with the rate; 0 after a reset.
        pub mode: Signal<Out, Bits<2>>,
        /// A frame of `feedback_flow` was announced when its rate was read, and not sent.
        pub rate_waits: Signal<Out, Bit>,
        /// The calculator takes the feedback in this cycle; not without `rate_valid`.
        pub feedback_taken: Signal<In, Bit>,
        /// `new_rate` and `new_mode` are valid; not without `feedback_taken`.
        pub change: Signal<In, Bit>,
        /// New rate of `feedback_flow`, bytes per cycle, 18 fraction bits.
        pub new_rate: Signal<In, Bits<25>>,
        /// New mode.
        pub new_mode: Signal<In, Bits<2>>,
        /// A flow is visited: the next two outputs are valid in this cycle.
        pub visited: Signal<Out, Bit>,
        /// The flow that is visited.
        pub visited_flow: Signal<Out, Bits<12>>,
        /// Its rate before this visit, bytes per cycle, 18 fraction bits.
        pub visited_rate: Signal<Out, Bits<25>>,
        flow_numbers: FlowNumbers,
        /// Bits 24 to 0: rate of each flow, bytes per cycle, 18 fraction bits. Bit 25: it is the line rate instead. Bits 27
        /// and 26: mode.
        rates: FlowMemory<28>,
        /// State of each flow: bit 29 = a frame is announced, bits 28 to 17 = tick from which on time counts, bits 16 to 0 =
        /// level of the bucket without the announced frame, bytes, 2 fraction bits, two's complement.
        states: FlowMemory<30>,
        /// The next flow in the list of each flow; the last one of a list that waits for a time names itself.
        followers: FlowMemory<12>,
        /// First flow of each list, and bit 12 = the list is not empty. Lists 0 to 15: of one tick, 16 to 31: of 16
        /// ticks, 32 to 47: of 256 ticks.
        heads: LutRam<Bits<13>, 6>,
        /// What happens in this cycle.
        phase: DFF<FlowPhase>,
        /// The phase is `Turn`: known without decoding `phase`.
        turns: DFF<Bit>,
        /// The same of `Check`.
        checks: Register<Bit>,
        /// The same of `Settle`.
        settles: Register<Bit>,
        /// The same of `Cap`.
        caps: Register<Bit>,
        /// The same of `Deduct`.
        deducts: Register<Bit>,
        /// The same of `Write`.
        writes: Register<Bit>,
        /// The same of `Descend`.
        descends: Register<Bit>,
        /// The phase is `Place`, and the flow waits at most 15 ticks: it is put into a list of one tick.
        places_fine: Register<Bit>,
        /// The same of a list of 16 ticks, for at most 255 ticks.
        places_middle: Register<Bit>,
        /// The same of a list of 256 ticks.
        places_coarse: Register<Bit>,
        /// The same of `Avoid`.
        avoids: Register<Bit>,
        /// Why the current flow is visited.
        task: DFF<FlowTask>,
        /// The current flow.
        flow: Register<Bits<12>>,
        /// What is looked for next.
        turn: Register<Bits<3>>,
        /// Cycles of the current tick.
        cycle: Register<Bits<7>>,
        /// Ticks since the memories were cleared.
        now: Register<Bits<12>>,
        /// `now` + 1.
        next_now: DFF<Bits<12>>,
        /// The tick ends in this cycle; known a cycle before.
        cycle_ends: Register<Bit>,
        /// Tick of the list of one tick that is being emptied.
        reached_fine: Register<Bits<4>>,
        /// A tick has ended since the lists of one tick went on: they are late, by 16 ticks if `reached_fine` is again the
        /// tick of now.
        fine_late: Register<Bit>,
        /// `reached_fine`, of the lists of 16 ticks.
        reached_middle: Register<Bits<4>>,
        /// The same, of the lists of 256 ticks.
        reached_coarse: Register<Bits<4>>,
        /// The next turn looks into a list.
        looks: DFF<Bit>,
        /// The time of the list that the next turn looks into is over.
        late: DFF<Bit>,
        /// Something is to be done in the next turn that is no look: read a rate, change it, or sweep.
        asks: DFF<Bit>,
        /// The rate is to be changed.
        asks_change: DFF<Bit>,
        /// The flow that this is for.
        asked_flow: DFF<Bits<12>>,
        /// The next turn has neither a list nor any of this to do: it may send a frame, or take an announcement.
        idle: DFF<Bit>,
        /// Cycles to the next sweep.
        sweep_cycle: Register<Bits<8>>,
        /// A sweep is due.
        sweep_due: Register<Bit>,
        /// Flow of the next sweep.
        sweep_flow: Register<Bits<12>>,
        /// Length of the frame and overhead, bytes.
        cost: DFF<Bits<15>>,
        /// Rate and mode of the current flow, as `rates` read them in the cycle before.
        old_rate: Delay<Bits<28>>,
        /// In the cycle before, the task was to store a new rate: known without decoding the task.
        is_change: DFF<Bit>,
        /// In the cycle before, the rate that this visit leaves was the line rate or above it: the one in the low bits of
        /// `old_rate`, or the new one.
        high: DFF<Bit>,
        /// In the cycle before, it was below the minimum rate, and not 0: BCN's flows that are stopped have 0.
        low: DFF<Bit>,
        /// The minimum rate in that cycle: it may change before the rate is written.
        least: Delay<Bits<25>>,
        /// State of the current flow, as `states` read it in the cycle before.
        old_state: Delay<Bits<30>>,
        /// The next flow in the list of the current flow, as `followers` read it in the cycle before.
        follower: Delay<Bits<12>>,
        /// Tick of this visit, then that from which on time counts.
        stamp: DFF<Bits<12>>,
        /// Time counts from the tick after this visit: no time since.
        early: DFF<Bit>,
        /// Ticks that count in this visit, shifted right; then the quotient: ticks to wait, less one.
        ticks: DFF<Bits<12>>,
        /// In the phase `Place`, the tick until which the flow waits.
        wake: DFF<Bits<12>>,
        /// The rate of a tick, shifted left, bytes, 14 fraction bits.
        factor: DFF<Bits<32>>,
        /// `factor` is 2^32 or more.
        factor_large: DFF<Bit>,
        /// Rate × time, bytes, 14 fraction bits; then what is missing, in the same unit.
        amount: DFF<Bits<32>>,
        /// `amount` is 2^32 or more.
        amount_large: DFF<Bit>,
        /// Level of the bucket, bytes, 2 fraction bits, two's complement.
        level: DFF<Bits<22>>,
        /// The highest level of the bucket without the announced frame, bytes; of the frame that is sent, less its length.
        highest: DFF<Bits<15>>,
        /// The highest level less what a tick brings, two's complement.
        nearly_full: DFF<Bits<22>>,
        /// In the cycle before, the bucket was full, or the rest of the tick may fill it.
        may_be_full: DFF<Bit>,
        /// The frame, with its overhead, is longer than the bucket.
        too_long: DFF<Bit>,
        /// A frame of the flow is announced.
        waits: DFF<Bit>,
        /// `factor`, or in the phase `Climb` that of the cycle before, is above what is missing.
        above: DFF<Bit>,
        /// Bit of the quotient.
        place: DFF<Bits<4>>,
        /// Number of a list: that of the next turn, except while another one is in use.
        list: DFF<Bits<6>>,
        /// Of `heads`, the word of the list in the cycle before.
        list_head: Delay<Bits<13>>,
        /// The head of `list` is written in this cycle; known a cycle before.
        writes_head: DFF<Bit>,
        /// A frame may be sent.
        ready: Register<Bit>,
        /// First flow whose frame may be sent.
        ready_first: DFF<Bits<12>>,
        /// Last flow whose frame may be sent.
        ready_last: DFF<Bits<12>>,
        /// Flow of the feedback.
        reader: DFF<Bits<12>>,
        /// Rate of that flow, then the new one.
        rate_read: DFF<Bits<25>>,
        /// Mode of that flow.
        mode_read: DFF<Bits<2>>,
        /// The new mode.
        mode_due: DFF<Bits<2>>,
        /// A frame of that flow was announced when its rate was read.
        reader_waits: DFF<Bit>,
        /// `rate_read` is that of the feedback that waits.
        rate_known: Register<Bit>,
        /// `rate_read` has not been written yet.
        change_due: Register<Bit>,
        needs_rate: Signal<Local, Bit>,
        sweep_ends: Signal<Local, Bit>,
        time_then: Signal<Local, Bits<12>>,
        digit: Signal<Local, Bits<4>>,
        reached: Signal<Local, Bits<4>>,
        next_turn: Signal<Local, Bits<3>>,
        next_list: Signal<Local, Bits<6>>,
        read_list: Signal<Local, Bits<6>>,
        chosen_list: Signal<Local, Bits<6>>,
        head: Signal<Local, Bits<12>>,
        head_valid: Signal<Local, Bit>,
        will_look: Signal<Local, Bit>,
        list_is_late: Signal<Local, Bit>,
        will_ask: Signal<Local, Bit>,
        takes_head: Signal<Local, Bit>,
        goes_on: Signal<Local, Bit>,
        advances: Signal<Local, Bit>,
        sends: Signal<Local, Bit>,
        takes_grant: Signal<Local, Bit>,
        takes_announcement: Signal<Local, Bit>,
        frame_bytes: Signal<Local, Bits<14>>,
        known_flow: Signal<Local, Bits<12>>,
        read_level: Signal<Local, Bits<22>>,
        read_time: Signal<Local, Bits<12>>,
        read_waits: Signal<Local, Bit>,
        next_tick: Signal<Local, Bits<12>>,
        stored_rate: Signal<Local, Bits<25>>,
        left_rate: Signal<Local, Bits<25>>,
        left_mode: Signal<Local, Bits<28>>,
        present_rate: Signal<Local, Bits<25>>,
        tick_rate: Signal<Local, Bits<32>>,
        depth: Signal<Local, Bits<15>>,
        room: Signal<Local, Bits<15>>,
        unknown: Signal<Local, Bit>,
        addend: Signal<Local, Bits<32>>,
        total: Signal<Local, Bits<33>>,
        bound: Signal<Local, Bits<22>>,
        below_bound: Signal<Local, Bits<22>>,
        over_bound: Signal<Local, Bit>,
        below_nearly_full: Signal<Local, Bits<22>>,
        deducted: Signal<Local, Bits<22>>,
        missing: Signal<Local, Bits<32>>,
        half: Signal<Local, Bits<32>>,
        left: Signal<Local, Bits<32>>,
        compared: Signal<Local, Bits<32>>,
        too_large: Signal<Local, Bit>,
        last_digit: Signal<Local, Bit>,
        stops: Signal<Local, Bit>,
        pays: Signal<Local, Bit>,
        wait: Signal<Local, Bits<12>>,
        end_of_list: Signal<Local, Bit>,
        list_digit: Signal<Local, Bits<4>>,
        list_now: Signal<Local, Bits<4>>,
        list_reached: Signal<Local, Bits<4>>,
        not_before: Signal<Local, Bit>,
        before_now: Signal<Local, Bit>,
        wraps: Signal<Local, Bit>,
        comes_before: Signal<Local, Bit>,
        avoided: Signal<Local, Bits<4>>,
        kept_digit: Signal<Local, Bits<4>>,
        other_digit: Signal<Local, Bits<4>>,
        last_clear: Signal<Local, Bit>,
        rounds: Signal<Local, Bit>,
        waits_16: Signal<Local, Bit>,
        waits_256: Signal<Local, Bit>,
    }
}

impl FlowLimiter {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowLimiter {
            flow_numbers: FlowNumbers::new(flow_bits),
            rates: FlowMemory::new(flow_bits),
            states: FlowMemory::new(flow_bits),
            followers: FlowMemory::narrow(flow_bits, flow_bits),
            ..FlowLimiter::default()
        }
    }

    /// The same without modes: `mode` is 0.
    pub fn without_modes(flow_bits: usize) -> Self {
        FlowLimiter { rates: FlowMemory::narrow(flow_bits, 26), ..FlowLimiter::new(flow_bits) }
    }
}

impl Logic for FlowLimiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            phase,
            turns,
            checks,
            settles,
            caps,
            deducts,
            writes,
            descends,
            places_fine,
            places_middle,
            places_coarse,
            avoids,
            task,
            flow,
            turn,
            cycle,
            now,
            next_now,
            cycle_ends,
            reached_fine,
            fine_late,
            reached_middle,
            reached_coarse,
            looks,
            late,
            asks,
            asks_change,
            asked_flow,
            idle,
            sweep_cycle,
            sweep_due,
            sweep_flow,
            cost,
            old_rate,
            is_change,
            high,
            low,
            least,
            old_state,
            follower,
            stamp,
            early,
            ticks,
            wake,
            factor,
            factor_large,
            amount,
            amount_large,
            level,
            highest,
            nearly_full,
            may_be_full,
            too_long,
            waits,
            above,
            place,
            list,
            list_head,
            writes_head,
            ready,
            ready_first,
            ready_last,
            reader,
            rate_read,
            mode_read,
            mode_due,
            reader_waits,
            rate_known,
            change_due
        );
        clock!(self, clock, rates, states, followers, heads);
        self.checks.reset.next = self.reset.val();
        self.settles.reset.next = self.reset.val();
        self.caps.reset.next = self.reset.val();
        self.deducts.reset.next = self.reset.val();
        self.writes.reset.next = self.reset.val();
        self.descends.reset.next = self.reset.val();
        self.places_fine.reset.next = self.reset.val();
        self.places_middle.reset.next = self.reset.val();
        self.places_coarse.reset.next = self.reset.val();
        self.avoids.reset.next = self.reset.val();
        self.flow.reset.next = self.reset.val();
        self.turn.reset.next = self.reset.val();
        self.cycle.reset.next = self.reset.val();
        self.now.reset.next = self.reset.val();
        self.cycle_ends.reset.next = self.reset.val();
        self.reached_fine.reset.next = self.reset.val();
        self.fine_late.reset.next = self.reset.val();
        self.reached_middle.reset.next = self.reset.val();
        self.reached_coarse.reset.next = self.reset.val();
        self.sweep_cycle.reset.next = self.reset.val();
        self.sweep_due.reset.next = self.reset.val();
        self.sweep_flow.reset.next = self.reset.val();
        self.ready.reset.next = self.reset.val();
        self.rate_known.reset.next = self.reset.val();
        self.change_due.reset.next = self.reset.val();

        comment!("Time, in ticks");
        self.sweep_ends.next = self.sweep_cycle.q.val() == self.flow_numbers.last_of_sweep.val();
        self.cycle.d.next = (self.cycle.q.val() + 1) & self.flow_numbers.last_cycle.val();
        self.cycle_ends.d.next = self.cycle.q.val() == self.flow_numbers.last_cycle.val() - 1;
        self.time_then.next = self.now.q.val();
        if self.cycle_ends.q.val() {
            self.time_then.next = self.next_now.q.val();
            self.next_now.d.next = self.next_now.q.val() + 1;
            self.fine_late.d.next = true;
        }
        self.now.d.next = self.time_then.val();
        self.sweep_cycle.d.next = (self.sweep_cycle.q.val() + 1) & self.flow_numbers.last_of_sweep.val();
        if self.sweep_ends.val() {
            self.sweep_due.d.next = true;
        }

        comment!("What comes next: every other turn looks into a list, at a feedback, or sweeps");
        self.reached.next = self.reached_fine.q.val();
        self.digit.next = self.now.q.val().to_bits().get_bits::<4>(0);
        if self.turn.q.val() == 2 {
            self.reached.next = self.reached_middle.q.val();
            self.digit.next = self.now.q.val().to_bits().get_bits::<4>(4);
        } else if self.turn.q.val() == 4 {
            self.reached.next = self.reached_coarse.q.val();
            self.digit.next = self.now.q.val().to_bits().get_bits::<4>(8);
        }
        self.heads.read_address.next = self.list.q.val();
        // The list of the next turn, before it is read.
        self.next_turn.next = self.turn.q.val();
        if self.turns.q.val() {
            self.next_turn.next = self.turn.q.val() + 1;
        }
        self.next_list.next = bit_cast::<6, 4>(self.reached_fine.q.val());
        if self.next_turn.val() == 2 {
            self.next_list.next = bit_cast::<6, 4>(self.reached_middle.q.val()) | 0x10;
        } else if self.next_turn.val() == 4 {
            self.next_list.next = bit_cast::<6, 4>(self.reached_coarse.q.val()) | 0x20;
        }
        self.read_list.next = self.next_list.val();
        self.list_head.d.next = self.heads.read_data.val();
        self.head.next = self.list_head.q.val().to_bits().get_bits::<12>(0);
        self.head_valid.next = self.list_head.q.val().get_bit(12);
        // What the next turn may do is known a cycle before it.
        self.will_look.next = (self.next_turn.val() == 0) | (self.next_turn.val() == 2) | (self.next_turn.val() == 4);
        self.looks.d.next = self.will_look.val();
        self.list_is_late.next =
            (self.reached.val() != self.digit.val()) | ((self.turn.q.val() == 0) & self.fine_late.q.val());
        self.late.d.next = self.list_is_late.val();
        self.needs_rate.next = self.feedback_valid.val() & !self.rate_known.q.val();
        self.will_ask.next = (self.next_turn.val() == 6) & (self.change_due.q.val() | self.needs_rate.val());
        self.asks_change.d.next = self.change_due.q.val();
        self.asked_flow.d.next = self.feedback_flow.val();
        if self.change_due.q.val() {
            self.asked_flow.d.next = self.reader.q.val();
        }
        if self.next_turn.val() == 7 {
            self.will_ask.next = self.sweep_due.q.val();
            self.asked_flow.d.next = self.sweep_flow.q.val();
        }
        self.asks.d.next = self.will_ask.val();
        self.idle.d.next = !self.will_ask.val()
            & !(self.will_look.val() & (self.heads.read_data.val().get_bit(12) | self.list_is_late.val()));
        self.takes_head.next = self.looks.q.val() & self.head_valid.val();
        // A list whose time is over and that is empty: the next one, in the same turn.
        self.advances.next = self.looks.q.val() & !self.head_valid.val() & self.late.q.val();
        self.sends.next = self.ready.q.val() & self.send_ready.val();
        self.takes_grant.next = self.idle.q.val() & self.sends.val();
        self.takes_announcement.next = self.idle.q.val() & self.announce.val() & !self.sends.val();
        self.sent.next = self.turns.q.val() & self.takes_grant.val();
        self.announce_ready.next = self.turns.q.val() & self.takes_announcement.val();
        // Where a visit ends without the use of a list, the list of the next turn has been read already.
        self.goes_on.next = (self.task.q.val() == FlowTask::Look) | (self.task.q.val() == FlowTask::Announce);
        self.turns.d.next = (self.phase.q.val() == FlowPhase::Aim)
            | (self.phase.q.val() == FlowPhase::Release)
            | (self.writes.q.val() & !self.goes_on.val());

        comment!("State of the flow");
        // With fewer flows than 4,096, the upper bits of all that stores the number of a flow are 0.
        self.known_flow.next = self.flow.q.val() & self.flow_numbers.last_flow.val();
        self.rates.read_address.next = self.flow.q.val();
        self.states.read_address.next = self.flow.q.val();
        self.followers.read_address.next = self.flow.q.val();
        self.old_rate.d.next = self.rates.read_data.val();
        self.old_state.d.next = self.states.read_data.val();
        self.follower.d.next = self.followers.read_data.val();
        self.read_level.next = bit_cast::<22, 17>(self.old_state.q.val().to_bits().get_bits::<17>(0));
        if self.old_state.q.val().get_bit(16) {
            self.read_level.next = bit_cast::<22, 17>(self.old_state.q.val().to_bits().get_bits::<17>(0)) | 0x3e_0000;
        }
        self.read_time.next = self.old_state.q.val().to_bits().get_bits::<12>(17);
        self.read_waits.next = self.old_state.q.val().get_bit(29);
        self.stored_rate.next = self.old_rate.q.val().to_bits().get_bits::<25>(0);
        self.present_rate.next = self.stored_rate.val();
        if self.old_rate.q.val().get_bit(25) {
            self.present_rate.next = self.line_rate.val();
        }
        self.tick_rate.next =
            bit_cast::<32, 25>(self.present_rate.val()).to_bits() << self.flow_numbers.tick_scale.val();
        self.left_rate.next = self.stored_rate.val();
        self.left_mode.next = self.old_rate.q.val() & 0xc00_0000;
        self.is_change.d.next = self.task.q.val() == FlowTask::Change;
        if self.is_change.q.val() {
            self.left_rate.next = self.rate_read.q.val();
            self.left_mode.next = bit_cast::<28, 2>(self.mode_due.q.val()).to_bits() << 26;
        }
        // Both bounds are registers of software that may have changed since the rate was written, or read.
        self.high.d.next = self.left_rate.val() >= self.line_rate.val();
        self.low.d.next = (self.left_rate.val() < self.min_rate.val()) & self.left_rate.val().any();
        self.least.d.next = self.min_rate.val();
        self.end_of_list.next = self.follower.q.val() == self.known_flow.val();
        self.next_tick.next = self.stamp.q.val() + 1;
        // Whether `read_time` is `stamp` + 1. No adder is needed: both differ in bit 0, and above it where the bit below carries.
        self.early.d.next = (self.stamp.q.val() ^ self.read_time.val())
            == (((self.stamp.q.val() & !self.read_time.val()).to_bits() << 1) | 1);

        comment!("Announcements that are refused");
        self.frame_bytes.next = self.announce_bytes.val();
        if self.takes_grant.val() {
            self.frame_bytes.next = self.send_bytes.val();
        }
        self.depth.next = bit_cast::<15, 14>(self.bucket_bytes.val());
        self.too_long.d.next = self.cost.q.val() > self.depth.val();
        self.room.next = self.depth.val() - self.cost.q.val();
        if self.too_long.q.val() {
            self.room.next = 0.into();
        }
        self.highest.d.next = self.depth.val();
        if self.task.q.val() == FlowTask::Send {
            self.highest.d.next = self.room.val();
        }
        self.unknown.next = self.flow.q.val() != self.known_flow.val();

        comment!("Rate times time, least significant bit of the time first");
        self.addend.next = 0.into();
        if self.ticks.q.val().get_bit(0) & !self.early.q.val() {
            self.addend.next = self.factor.q.val();
        }
        self.total.next = bit_cast::<33, 32>(self.amount.q.val()) + bit_cast::<33, 32>(self.addend.val());

        comment!("Level");
        self.bound.next = bit_cast::<22, 15>(self.highest.q.val()).to_bits() << 2;
        self.below_bound.next = self.bound.val() - self.level.q.val();
        self.over_bound.next = self.amount_large.q.val() | self.below_bound.val().get_bit(21);
        self.nearly_full.d.next =
            self.bound.val() - bit_cast::<22, 20>(self.tick_rate.val().to_bits().get_bits::<20>(12));
        self.below_nearly_full.next = self.level.q.val() - self.nearly_full.q.val();
        self.may_be_full.d.next = self.over_bound.val() | !self.below_nearly_full.val().get_bit(21);
        self.deducted.next = self.level.q.val() - (bit_cast::<22, 15>(self.cost.q.val()).to_bits() << 2);

        comment!("What is missing, divided by the rate");
        self.missing.next = (bit_cast::<32, 22>(bits::<22>(0) - self.level.q.val())).to_bits() << 12;
        self.half.next = self.factor.q.val().to_bits() >> 1;
        self.left.next = self.amount.q.val() - self.factor.q.val();
        // One comparison for both phases.
        self.compared.next = self.factor.q.val();
        if self.descends.q.val() {
            self.compared.next = self.half.val();
        }
        self.too_large.next = self.compared.val() > self.amount.q.val();
        // The quotient is rounded up, and then the frame may go. It is at most 12 times 256, so that a list of 256 ticks
        // never comes to its turn before its time. Here it is one less, and the sum adds one: `a - !b` is `a + b + 1`.
        self.wait.next = self.ticks.q.val();
        if self.ticks.q.val() > 3071 {
            self.wait.next = 3071.into();
        }
        if (self.ticks.q.val() >= 240) & (self.ticks.q.val() < 255) {
            self.wait.next = 239.into();
        }
        self.wake.d.next = self.time_then.val() - !self.wait.val();

        comment!("Whether the list comes to its turn once more before its time, because the lists are late");
        // Then a flow that waits 15 ticks would be taken out at once, again and again. Nor may it be the list that is
        // being emptied: if a tick ends here, the lists may just have become 16 late.
        self.list_digit.next = self.list.q.val().to_bits().get_bits::<4>(0);
        self.list_now.next = self.now.q.val().to_bits().get_bits::<4>(0);
        self.list_reached.next = self.reached_fine.q.val();
        if self.list.q.val().get_bit(4) {
            self.list_now.next = self.now.q.val().to_bits().get_bits::<4>(4);
            self.list_reached.next = self.reached_middle.q.val();
        } else if self.list.q.val().get_bit(5) {
            self.list_now.next = self.now.q.val().to_bits().get_bits::<4>(8);
            self.list_reached.next = self.reached_coarse.q.val();
        }
        // From the list that is being emptied to the one of now, around the end of the sixteen if it is there.
        self.not_before.next = self.list_digit.val() >= self.list_reached.val();
        self.before_now.next = self.list_digit.val() < self.list_now.val();
        self.wraps.next = self.list_reached.val() > self.list_now.val();
        self.comes_before.next = (self.list_digit.val() == self.list_reached.val())
            | (self.not_before.val() & self.before_now.val())
            | (self.wraps.val() & (self.not_before.val() | self.before_now.val()));
        // With `&` and `|`: then all this is in the data of the register, and not in what enables it.
        self.avoided.next = bits::<4>(0) - bit_cast::<4, 1>(self.comes_before.val().into());
        self.kept_digit.next = self.list_digit.val() & !self.avoided.val();
        self.other_digit.next = (self.list_reached.val() - 1) & self.avoided.val();

        comment!("Memories: written where the phases say so");
        self.last_clear.next = (self.flow.q.val() >= self.flow_numbers.last_flow.val()) & (self.flow.q.val() >= 63);
        self.rates.write_address.next = self.flow.q.val();
        self.rates.write_data.next = bit_cast::<28, 25>(self.rate_read.q.val()) | self.left_mode.val();
        if self.high.q.val() | self.low.q.val() {
            // A rate that is not within the bounds: the line rate, or else the minimum rate.
            self.rates.write_data.next = bit_cast::<28, 25>(self.least.q.val())
                | (bit_cast::<28, 1>(self.high.q.val().into()).to_bits() << 25)
                | self.left_mode.val();
        }
        self.rates.write_enable.next = false;
        self.states.write_address.next = self.flow.q.val();
        self.states.write_data.next = bit_cast::<30, 17>(self.level.q.val().to_bits().get_bits::<17>(0))
            | (bit_cast::<30, 12>(self.stamp.q.val()).to_bits() << 17);
        if self.waits.q.val() {
            self.states.write_data.next = bit_cast::<30, 17>(self.level.q.val().to_bits().get_bits::<17>(0))
                | (bit_cast::<30, 12>(self.stamp.q.val()).to_bits() << 17)
                | 0x2000_0000_u64;
        }
        self.states.write_enable.next = false;
        self.followers.write_address.next = self.flow.q.val();
        self.followers.write_data.next = self.known_flow.val();
        self.followers.write_enable.next = false;
        self.heads.write_address.next = self.list.q.val();
        // Of a list that is empty, the flow does not matter.
        self.heads.write_data.next = bit_cast::<13, 12>(self.known_flow.val());
        self.heads.write_enable.next = self.writes_head.q.val();
        self.writes_head.d.next = false;
        self.refused.next = false;

        comment!("Level, and what product and division start with; the phases, known without decoding them");
        self.last_digit.next = self.early.q.val() | !self.ticks.q.val().to_bits().get_bits::<11>(1).any();
        self.pays.next = (self.task.q.val() == FlowTask::Announce) | (self.task.q.val() == FlowTask::Send);
        self.checks.d.next = self.phase.q.val() == FlowPhase::Load;
        self.settles.d.next = (self.phase.q.val() == FlowPhase::Multiply) & self.last_digit.val();
        self.caps.d.next = self.settles.q.val();
        self.deducts.d.next = self.caps.q.val() & self.pays.val();
        self.writes.d.next = self.deducts.q.val() | (self.caps.q.val() & !self.pays.val());
        self.stops.next = (self.place.q.val() == 12) | self.above.q.val();
        self.descends.d.next =
            ((self.phase.q.val() == FlowPhase::Climb) & self.stops.val()) | (self.phase.q.val() == FlowPhase::Reduce);
        // Where a register is not in use it may change, so that fewer phases must be told apart: product and ticks move on
        // as in `Multiply`, but not during a division.
        self.ticks.d.next = self.ticks.q.val().to_bits() >> 1;
        self.factor.d.next = self.factor.q.val().to_bits() << 1;
        self.amount.d.next = self.total.val().get_bits::<32>(0);
        self.above.d.next = self.too_large.val();
        if self.checks.q.val() {
            self.ticks.d.next = self.stamp.q.val() - self.read_time.val();
            self.factor.d.next = self.tick_rate.val();
            self.factor_large.d.next = false;
            self.amount.d.next = 0.into();
            self.amount_large.d.next = false;
            self.level.d.next = self.read_level.val();
        }
        if self.settles.q.val() {
            self.level.d.next =
                self.level.q.val() + bit_cast::<22, 20>(self.amount.q.val().to_bits().get_bits::<20>(12));
            // Where a visit brings nothing, the time goes on to count, unless the rate changes or a frame is sent.
            if self.task.q.val() == FlowTask::Change {
                self.stamp.d.next = self.next_tick.val();
            } else if (self.task.q.val() != FlowTask::Send)
                & !self.amount_large.q.val()
                & !self.amount.q.val().to_bits().get_bits::<20>(12).any()
            {
                self.stamp.d.next = self.read_time.val();
            }
        }
        if self.descends.q.val() {
            self.ticks.d.next = self.ticks.q.val();
            self.factor.d.next = self.half.val();
            self.amount.d.next = self.amount.q.val();
        }
        if self.caps.q.val() & self.over_bound.val() {
            self.level.d.next = self.bound.val();
        }
        if self.deducts.q.val() {
            if self.task.q.val() == FlowTask::Announce {
                self.level.d.next = self.deducted.val();
            } else if self.may_be_full.q.val() | self.early.q.val() {
                self.stamp.d.next = self.next_tick.val();
            }
        }
        if self.writes.q.val() {
            self.ticks.d.next = 0.into();
            self.factor.d.next = self.tick_rate.val();
            self.amount.d.next = self.missing.val();
            self.above.d.next = false;
            self.place.d.next = 0.into();
        }

        comment!("Phases of a visit");
        match self.phase.q.val() {
            FlowPhase::Clear => {
                self.cycle.d.next = 0.into();
                self.next_now.d.next = 1.into();
                self.sweep_cycle.d.next = 0.into();
                self.rates.write_enable.next = true;
                self.rates.write_data.next = 0x200_0000.into();
                self.states.write_enable.next = true;
                self.states.write_data.next = 0.into();
                self.writes_head.d.next = !self.last_clear.val();
                self.heads.write_address.next = self.flow.q.val().to_bits().get_bits::<6>(0);
                self.flow.d.next = self.flow.q.val() + 1;
                if self.last_clear.val() {
                    self.phase.d.next = FlowPhase::Aim;
                }
            }
            FlowPhase::Aim => {
                self.phase.d.next = FlowPhase::Turn;
            }
            FlowPhase::Turn => {
                self.turn.d.next = self.next_turn.val();
                self.phase.d.next = FlowPhase::Aim;
                self.cost.d.next = bit_cast::<15, 14>(self.frame_bytes.val());
                // A flow and a task that are not taken do not matter.
                self.task.d.next = FlowTask::Announce;
                self.flow.d.next = self.announce_flow.val();
                if self.takes_head.val() {
                    self.read_list.next = self.list.q.val();
                    self.task.d.next = FlowTask::Look;
                    self.flow.d.next = self.head.val();
                } else if self.asks.q.val() {
                    self.task.d.next = FlowTask::Read;
                    self.flow.d.next = self.asked_flow.q.val();
                    if self.turn.q.val() == 7 {
                        self.task.d.next = FlowTask::Sweep;
                        self.sweep_flow.d.next = (self.sweep_flow.q.val() + 1) & self.flow_numbers.last_flow.val();
                        self.sweep_due.d.next = self.sweep_ends.val();
                    } else if self.asks_change.q.val() {
                        self.task.d.next = FlowTask::Change;
                    }
                } else if self.sends.val() {
                    self.task.d.next = FlowTask::Send;
                    self.flow.d.next = self.ready_first.q.val();
                }
                if self.takes_head.val() | self.asks.q.val() | self.takes_grant.val() | self.takes_announcement.val() {
                    self.phase.d.next = FlowPhase::Fetch;
                }
                if self.advances.val() {
                    self.turn.d.next = self.turn.q.val();
                    self.read_list.next = (self.list.q.val() & 0x30) | bit_cast::<6, 4>(self.reached.val() + 1);
                    if self.turn.q.val() == 0 {
                        self.reached_fine.d.next = self.reached.val() + 1;
                        self.fine_late.d.next = self.cycle_ends.q.val();
                    } else if self.turn.q.val() == 2 {
                        self.reached_middle.d.next = self.reached.val() + 1;
                    } else {
                        self.reached_coarse.d.next = self.reached.val() + 1;
                    }
                }
            }
            FlowPhase::Fetch => {
                self.cost.d.next = self.cost.q.val() + bit_cast::<15, 5>(self.overhead_bytes.val());
                self.read_list.next = self.list.q.val();
                self.phase.d.next = FlowPhase::Load;
            }
            FlowPhase::Load => {
                self.read_list.next = self.list.q.val();
                self.stamp.d.next = self.now.q.val();
                self.writes_head.d.next = self.task.q.val() == FlowTask::Look;
                self.phase.d.next = FlowPhase::Check;
            }
            FlowPhase::Check => {
                self.waits.d.next = self.read_waits.val();
                self.phase.d.next = FlowPhase::Multiply;
                match self.task.q.val() {
                    FlowTask::Look => {
                        self.heads.write_data.next = bit_cast::<13, 12>(self.follower.q.val()) | 0x1000;
                        if self.end_of_list.val() {
                            self.heads.write_data.next = bit_cast::<13, 12>(self.follower.q.val());
                        }
                    }
                    FlowTask::Send => {
                        self.waits.d.next = false;
                        self.ready_first.d.next = self.follower.q.val();
                        self.ready.d.next = self.ready_last.q.val() != self.known_flow.val();
                    }
                    FlowTask::Announce => {
                        self.waits.d.next = true;
                        if self.read_waits.val() | self.too_long.q.val() | self.unknown.val() {
                            self.refused.next = true;
                            self.phase.d.next = FlowPhase::Aim;
                        }
                    }
                    FlowTask::Read => {
                        self.reader.d.next = self.known_flow.val();
                        self.rate_known.d.next = true;
                        self.rate_read.d.next = self.present_rate.val();
                        self.mode_read.d.next = self.old_rate.q.val().to_bits().get_bits::<2>(26);
                        self.reader_waits.d.next = self.read_waits.val();
                        self.phase.d.next = FlowPhase::Aim;
                    }
                    FlowTask::Change => {}
                    FlowTask::Sweep => {
                        if self.read_waits.val() {
                            self.phase.d.next = FlowPhase::Aim;
                        }
                    }
                }
            }
            FlowPhase::Multiply => {
                self.amount_large.d.next = self.amount_large.q.val()
                    | self.total.val().get_bit(32)
                    | (self.ticks.q.val().get_bit(0) & self.factor_large.q.val() & !self.early.q.val());
                self.factor_large.d.next = self.factor_large.q.val() | self.factor.q.val().get_bit(31);
                if self.last_digit.val() {
                    self.phase.d.next = FlowPhase::Settle;
                }
            }
            FlowPhase::Settle => {
                self.phase.d.next = FlowPhase::Cap;
            }
            FlowPhase::Cap => {
                self.phase.d.next = FlowPhase::Write;
                if self.pays.val() {
                    self.phase.d.next = FlowPhase::Deduct;
                }
            }
            FlowPhase::Deduct => {
                self.phase.d.next = FlowPhase::Write;
            }
            FlowPhase::Write => {
                self.states.write_enable.next = true;
                self.phase.d.next = FlowPhase::Turn;
                self.rates.write_enable.next =
                    !self.old_rate.q.val().get_bit(25) & (self.high.q.val() | self.low.q.val());
                if self.task.q.val() == FlowTask::Change {
                    self.rates.write_enable.next = true;
                    self.change_due.d.next = false;
                }
                if self.goes_on.val() {
                    self.phase.d.next = FlowPhase::Release;
                    if self.level.q.val().get_bit(21) {
                        self.phase.d.next = FlowPhase::Climb;
                    }
                }
            }
            FlowPhase::Release => {
                self.ready.d.next = true;
                self.ready_last.d.next = self.known_flow.val();
                self.followers.write_address.next = self.ready_last.q.val();
                self.followers.write_enable.next = self.ready.q.val();
                if !self.ready.q.val() {
                    self.ready_first.d.next = self.known_flow.val();
                }
                self.phase.d.next = FlowPhase::Turn;
            }
            FlowPhase::Climb => {
                self.amount.d.next = self.amount.q.val();
                if self.stops.val() {
                    self.factor.d.next = self.factor.q.val();
                    self.phase.d.next = FlowPhase::Descend;
                } else {
                    self.place.d.next = self.place.q.val() + 1;
                }
            }
            FlowPhase::Descend => {
                self.place.d.next = self.place.q.val() - 1;
                self.phase.d.next = FlowPhase::Reduce;
                if !self.place.q.val().any() {
                    self.phase.d.next = FlowPhase::Round;
                }
            }
            FlowPhase::Reduce => {
                self.ticks.d.next = self.ticks.q.val().to_bits() << 1;
                self.factor.d.next = self.factor.q.val();
                self.amount.d.next = self.amount.q.val();
                if !self.above.q.val() {
                    self.ticks.d.next = (self.ticks.q.val().to_bits() << 1) | 1;
                    self.amount.d.next = self.left.val();
                }
                self.phase.d.next = FlowPhase::Descend;
            }
            FlowPhase::Round => {
                self.phase.d.next = FlowPhase::Place;
            }
            FlowPhase::Place => {
                self.read_list.next = 0.into();
                self.phase.d.next = FlowPhase::Avoid;
            }
            FlowPhase::Avoid => {
                self.read_list.next = 0.into();
                self.phase.d.next = FlowPhase::Follow;
            }
            FlowPhase::Follow => {
                self.read_list.next = self.list.q.val();
                self.writes_head.d.next = true;
                self.phase.d.next = FlowPhase::Push;
            }
            FlowPhase::Push => {
                self.heads.write_data.next = bit_cast::<13, 12>(self.known_flow.val()) | 0x1000;
                self.followers.write_enable.next = true;
                if self.head_valid.val() {
                    self.followers.write_data.next = self.head.val();
                }
                self.phase.d.next = FlowPhase::Aim;
            }
        }

        comment!("The list that a flow is put into, in the phases `Place` and `Avoid`");
        // Both are late, so they do not wait for the choice of the phase, nor for that of the kind of list.
        self.rounds.next = self.phase.q.val() == FlowPhase::Round;
        self.waits_16.next = self.ticks.q.val() >= 15;
        self.waits_256.next = self.ticks.q.val() >= 255;
        self.places_fine.d.next = self.rounds.val() & !self.waits_16.val();
        self.places_middle.d.next = self.rounds.val() & self.waits_16.val() & !self.waits_256.val();
        self.places_coarse.d.next = self.rounds.val() & self.waits_256.val();
        self.avoids.d.next = self.phase.q.val() == FlowPhase::Place;
        self.chosen_list.next = 0.into();
        if self.places_fine.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(0));
        }
        if self.places_middle.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(4)) | 0x10;
        }
        if self.places_coarse.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(8)) | 0x20;
        }
        if self.avoids.q.val() {
            self.chosen_list.next =
                (self.list.q.val() & 0x30) | bit_cast::<6, 4>(self.kept_digit.val() | self.other_digit.val());
        }
        self.list.d.next = self.read_list.val() | self.chosen_list.val();

        comment!("A new rate");
        if self.feedback_taken.val() {
            self.rate_known.d.next = false;
        }
        if self.change.val() {
            self.rate_read.d.next = self.new_rate.val();
            self.mode_due.d.next = self.new_mode.val();
            self.change_due.d.next = true;
        }
        if self.reset.val() {
            self.turns.d.next = false;
            self.writes_head.d.next = true;
            self.phase.d.next = FlowPhase::Clear;
        }
        self.clearing.next = self.phase.q.val() == FlowPhase::Clear;
        self.grant.next = self.ready.q.val();
        self.grant_flow.next = self.ready_first.q.val();
        self.rate_valid.next = self.rate_known.q.val();
        self.rate_waits.next = self.reader_waits.q.val();
        self.rate.next = self.rate_read.q.val();
        self.mode.next = self.mode_read.q.val();
        self.visited.next = self.phase.q.val() == FlowPhase::Check;
        self.visited_flow.next = self.known_flow.val();
        self.visited_rate.next = self.present_rate.val();
    }
}
