// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of many flows: one datapath, the state of each flow in memory.

pub mod bucket_level;
pub mod bucket_memory;
pub mod flow_lists;
pub mod flow_sequencer;
pub mod flow_turns;
pub mod flow_visit;
pub mod frame_cost;
pub mod list_choice;
pub mod rate_exchange;
pub mod rate_memory;
pub mod reached_lists;
pub mod ready_queue;
pub mod tick_arithmetic;
pub mod tick_counter;

use self::bucket_level::BucketLevel;
use self::bucket_memory::BucketMemory;
use self::flow_lists::FlowLists;
use self::flow_sequencer::FlowSequencer;
use self::flow_turns::FlowTurns;
use self::flow_visit::FlowVisit;
use self::rate_exchange::RateExchange;
use self::rate_memory::RateMemory;
use self::ready_queue::ReadyQueue;
use self::tick_arithmetic::TickArithmetic;
use self::tick_counter::TickCounter;
use super::flow_numbers::FlowNumbers;
use tidegate_hdl::prelude::*;

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
    /// A flow whose level is negative is visited again after the time that it needs at its rate. Until then it waits in a
    /// list. Times are ticks of `last_cycle` + 1 cycles. Whatever the others do, one of four flows is looked at within
    /// 43,546 cycles after it was put into a list of one tick, 51,226 into one of 16 ticks, 174,106 into one of 256
    /// (proved). Waiting for the link does not cost a flow any rate. A flow that does not wait is visited about every 256
    /// cycles × flows, and every 64 cycles × flows if there are more than 256. Time counts in whole ticks. Rounding costs
    /// at most a quarter of a byte at each visit: a frame needs four to six, and one more for each 12 times 256 ticks that
    /// it waits. A visit takes some 10 to 70 cycles: many slow flows with short frames together cannot fill a fast link.
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
        /// The time.
        tick_counter: TickCounter,
        /// What is visited next.
        flow_turns: FlowTurns,
        /// The flow that is visited, and why.
        flow_visit: FlowVisit,
        /// The phases of the visit.
        flow_sequencer: FlowSequencer,
        /// The flows that wait for their time.
        flow_lists: FlowLists,
        /// The flows whose frames may go.
        ready_queue: ReadyQueue,
        /// The rate of each flow.
        rate_memory: RateMemory,
        /// The rate that the calculator has, and the one that it gives back.
        rate_exchange: RateExchange,
        /// The bucket of each flow.
        bucket_memory: BucketMemory,
        /// The bucket of the flow that is visited.
        bucket_level: BucketLevel,
        /// Rate × time, and the time to wait.
        tick_arithmetic: TickArithmetic,
    }
}

impl FlowLimiter {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowLimiter {
            flow_numbers: FlowNumbers::new(flow_bits),
            ready_queue: ReadyQueue::new(flow_bits),
            rate_memory: RateMemory::new(flow_bits),
            bucket_memory: BucketMemory::new(flow_bits),
            ..FlowLimiter::default()
        }
    }

    /// The same without modes: `mode` is 0.
    pub fn without_modes(flow_bits: usize) -> Self {
        FlowLimiter { rate_memory: RateMemory::without_modes(flow_bits), ..FlowLimiter::new(flow_bits) }
    }
}

impl Logic for FlowLimiter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            tick_counter,
            flow_turns,
            flow_visit,
            flow_sequencer,
            flow_lists,
            ready_queue,
            rate_memory,
            rate_exchange,
            bucket_memory,
            bucket_level,
            tick_arithmetic
        );
        self.tick_counter.reset.next = self.reset.val();
        self.flow_turns.reset.next = self.reset.val();
        self.flow_visit.reset.next = self.reset.val();
        self.flow_sequencer.reset.next = self.reset.val();
        self.flow_lists.reset.next = self.reset.val();
        self.ready_queue.reset.next = self.reset.val();
        self.rate_exchange.reset.next = self.reset.val();

        self.tick_counter.last_flow.next = self.flow_numbers.last_flow.val();
        self.tick_counter.last_cycle.next = self.flow_numbers.last_cycle.val();
        self.tick_counter.last_of_sweep.next = self.flow_numbers.last_of_sweep.val();
        self.tick_counter.in_clear.next = self.flow_sequencer.in_clear.val();
        self.tick_counter.in_turn.next = self.flow_sequencer.in_turn.val();
        self.tick_counter.begins_sweep.next = self.flow_turns.begins_sweep.val();

        self.flow_turns.in_turn.next = self.flow_sequencer.in_turn.val();
        self.flow_turns.head.next = self.flow_lists.head.val();
        self.flow_turns.head_valid.next = self.flow_lists.head_valid.val();
        self.flow_turns.next_head_valid.next = self.flow_lists.next_head_valid.val();
        self.flow_turns.list_is_late.next = self.flow_lists.list_is_late.val();
        self.flow_turns.feedback_valid.next = self.feedback_valid.val();
        self.flow_turns.feedback_flow.next = self.feedback_flow.val();
        self.flow_turns.rate_known.next = self.rate_exchange.rate_valid.val();
        self.flow_turns.change_due.next = self.rate_exchange.change_waits.val();
        self.flow_turns.reader.next = self.rate_exchange.rate_flow.val();
        self.flow_turns.sweep_due.next = self.tick_counter.sweep_waits.val();
        self.flow_turns.sweep_flow.next = self.tick_counter.next_flow.val();
        self.flow_turns.ready.next = self.ready_queue.some.val();
        self.flow_turns.ready_first.next = self.ready_queue.first.val();
        self.flow_turns.send_ready.next = self.send_ready.val();
        self.flow_turns.announce.next = self.announce.val();
        self.flow_turns.announce_flow.next = self.announce_flow.val();

        self.flow_visit.last_flow.next = self.flow_numbers.last_flow.val();
        self.flow_visit.in_clear.next = self.flow_sequencer.in_clear.val();
        self.flow_visit.in_turn.next = self.flow_sequencer.in_turn.val();
        self.flow_visit.begins_look.next = self.flow_turns.begins_look.val();
        self.flow_visit.begins_read.next = self.flow_turns.begins_read.val();
        self.flow_visit.begins_change.next = self.flow_turns.begins_change.val();
        self.flow_visit.begins_sweep.next = self.flow_turns.begins_sweep.val();
        self.flow_visit.begins_send.next = self.flow_turns.begins_send.val();
        self.flow_visit.visit_flow.next = self.flow_turns.visit_flow.val();
        self.flow_visit.in_check.next = self.flow_sequencer.in_check.val();
        self.flow_visit.read_waits.next = self.bucket_memory.read_waits.val();
        self.flow_visit.too_long.next = self.bucket_level.exceeds.val();

        self.flow_sequencer.last_clear.next = self.flow_visit.last_clear.val();
        self.flow_sequencer.begins.next = self.flow_turns.begins.val();
        self.flow_sequencer.ends_early.next = self.flow_visit.ends_early.val();
        self.flow_sequencer.pays.next = self.flow_visit.pays.val();
        self.flow_sequencer.goes_on.next = self.flow_visit.goes_on.val();
        self.flow_sequencer.product_ends.next = self.tick_arithmetic.product_ends.val();
        self.flow_sequencer.level_negative.next = self.bucket_level.new_level.val().get_bit(21);
        self.flow_sequencer.climb_ends.next = self.tick_arithmetic.climb_ends.val();
        self.flow_sequencer.quotient_ends.next = self.tick_arithmetic.quotient_ends.val();

        self.flow_lists.now.next = self.tick_counter.tick.val();
        self.flow_lists.time_then.next = self.tick_counter.time_then.val();
        self.flow_lists.tick_ends.next = self.tick_counter.tick_ends.val();
        self.flow_lists.turn.next = self.flow_turns.this_turn.val();
        self.flow_lists.next_turn.next = self.flow_turns.next_turn.val();
        self.flow_lists.advances.next = self.flow_turns.advances.val();
        self.flow_lists.begins_look.next = self.flow_turns.begins_look.val();
        self.flow_lists.flow.next = self.flow_visit.this_flow.val();
        self.flow_lists.known_flow.next = self.flow_visit.known_flow.val();
        self.flow_lists.follower.next = self.ready_queue.next_flow.val();
        self.flow_lists.end_of_list.next = self.ready_queue.end_of_list.val();
        self.flow_lists.for_look.next = self.flow_visit.for_look.val();
        self.flow_lists.wait_ticks.next = self.tick_arithmetic.quotient.val();
        self.flow_lists.in_clear.next = self.flow_sequencer.in_clear.val();
        self.flow_lists.last_clear.next = self.flow_visit.last_clear.val();
        self.flow_lists.in_turn.next = self.flow_sequencer.in_turn.val();
        self.flow_lists.in_fetch.next = self.flow_sequencer.in_fetch.val();
        self.flow_lists.in_load.next = self.flow_sequencer.in_load.val();
        self.flow_lists.in_check.next = self.flow_sequencer.in_check.val();
        self.flow_lists.in_round.next = self.flow_sequencer.in_round.val();
        self.flow_lists.in_place.next = self.flow_sequencer.in_place.val();
        self.flow_lists.in_avoid.next = self.flow_sequencer.in_avoid.val();
        self.flow_lists.in_follow.next = self.flow_sequencer.in_follow.val();
        self.flow_lists.in_push.next = self.flow_sequencer.in_push.val();

        self.ready_queue.flow.next = self.flow_visit.this_flow.val();
        self.ready_queue.known_flow.next = self.flow_visit.known_flow.val();
        self.ready_queue.in_check.next = self.flow_sequencer.in_check.val();
        self.ready_queue.for_send.next = self.flow_visit.for_send.val();
        self.ready_queue.in_release.next = self.flow_sequencer.in_release.val();
        self.ready_queue.in_push.next = self.flow_sequencer.in_push.val();
        self.ready_queue.head.next = self.flow_lists.head.val();
        self.ready_queue.head_valid.next = self.flow_lists.head_valid.val();

        self.rate_memory.line_rate.next = self.line_rate.val();
        self.rate_memory.min_rate.next = self.min_rate.val();
        self.rate_memory.tick_scale.next = self.flow_numbers.tick_scale.val();
        self.rate_memory.flow.next = self.flow_visit.this_flow.val();
        self.rate_memory.in_clear.next = self.flow_sequencer.in_clear.val();
        self.rate_memory.in_write.next = self.flow_sequencer.in_write.val();
        self.rate_memory.for_change.next = self.flow_visit.for_change.val();
        self.rate_memory.rate_read.next = self.rate_exchange.rate.val();
        self.rate_memory.mode_due.next = self.rate_exchange.stored_mode.val();

        self.rate_exchange.known_flow.next = self.flow_visit.known_flow.val();
        self.rate_exchange.in_check.next = self.flow_sequencer.in_check.val();
        self.rate_exchange.present_rate.next = self.rate_memory.present_rate.val();
        self.rate_exchange.present_mode.next = self.rate_memory.present_mode.val();
        self.rate_exchange.read_waits.next = self.bucket_memory.read_waits.val();
        self.rate_exchange.for_read.next = self.flow_visit.for_read.val();
        self.rate_exchange.in_write.next = self.flow_sequencer.in_write.val();
        self.rate_exchange.for_change.next = self.flow_visit.for_change.val();
        self.rate_exchange.feedback_taken.next = self.feedback_taken.val();
        self.rate_exchange.change.next = self.change.val();
        self.rate_exchange.new_rate.next = self.new_rate.val();
        self.rate_exchange.new_mode.next = self.new_mode.val();

        self.bucket_memory.now.next = self.tick_counter.tick.val();
        self.bucket_memory.flow.next = self.flow_visit.this_flow.val();
        self.bucket_memory.in_clear.next = self.flow_sequencer.in_clear.val();
        self.bucket_memory.in_load.next = self.flow_sequencer.in_load.val();
        self.bucket_memory.in_check.next = self.flow_sequencer.in_check.val();
        self.bucket_memory.in_settle.next = self.flow_sequencer.in_settle.val();
        self.bucket_memory.in_deduct.next = self.flow_sequencer.in_deduct.val();
        self.bucket_memory.in_write.next = self.flow_sequencer.in_write.val();
        self.bucket_memory.for_send.next = self.flow_visit.for_send.val();
        self.bucket_memory.for_announce.next = self.flow_visit.for_announce.val();
        self.bucket_memory.for_change.next = self.flow_visit.for_change.val();
        self.bucket_memory.brings.next = self.tick_arithmetic.brings.val();
        self.bucket_memory.fills.next = self.bucket_level.fills.val();
        self.bucket_memory.level.next = self.bucket_level.new_level.val();

        self.bucket_level.bucket_bytes.next = self.bucket_bytes.val();
        self.bucket_level.overhead_bytes.next = self.overhead_bytes.val();
        self.bucket_level.announce_bytes.next = self.announce_bytes.val();
        self.bucket_level.send_bytes.next = self.send_bytes.val();
        self.bucket_level.takes_grant.next = self.flow_turns.takes_grant.val();
        self.bucket_level.in_turn.next = self.flow_sequencer.in_turn.val();
        self.bucket_level.in_fetch.next = self.flow_sequencer.in_fetch.val();
        self.bucket_level.in_check.next = self.flow_sequencer.in_check.val();
        self.bucket_level.in_settle.next = self.flow_sequencer.in_settle.val();
        self.bucket_level.in_cap.next = self.flow_sequencer.in_cap.val();
        self.bucket_level.in_deduct.next = self.flow_sequencer.in_deduct.val();
        self.bucket_level.for_send.next = self.flow_visit.for_send.val();
        self.bucket_level.for_announce.next = self.flow_visit.for_announce.val();
        self.bucket_level.read_level.next = self.bucket_memory.read_level.val();
        self.bucket_level.brought.next = self.tick_arithmetic.brought.val();
        self.bucket_level.brought_more.next = self.tick_arithmetic.brought_more.val();
        self.bucket_level.tick_rate.next = self.rate_memory.tick_rate.val();

        self.tick_arithmetic.tick_rate.next = self.rate_memory.tick_rate.val();
        self.tick_arithmetic.elapsed.next = self.bucket_memory.elapsed.val();
        self.tick_arithmetic.rests.next = self.bucket_memory.rests.val();
        self.tick_arithmetic.missing.next = self.bucket_level.missing.val();
        self.tick_arithmetic.in_check.next = self.flow_sequencer.in_check.val();
        self.tick_arithmetic.in_multiply.next = self.flow_sequencer.in_multiply.val();
        self.tick_arithmetic.in_write.next = self.flow_sequencer.in_write.val();
        self.tick_arithmetic.in_climb.next = self.flow_sequencer.in_climb.val();
        self.tick_arithmetic.in_descend.next = self.flow_sequencer.in_descend.val();
        self.tick_arithmetic.in_reduce.next = self.flow_sequencer.in_reduce.val();

        self.clearing.next = self.flow_sequencer.in_clear.val();
        self.announce_ready.next = self.flow_turns.announce_ready.val();
        self.refused.next = self.flow_visit.refused.val();
        self.grant.next = self.ready_queue.some.val();
        self.grant_flow.next = self.ready_queue.first.val();
        self.sent.next = self.flow_turns.sent.val();
        self.rate_valid.next = self.rate_exchange.rate_valid.val();
        self.rate.next = self.rate_exchange.rate.val();
        self.mode.next = self.rate_exchange.mode.val();
        self.rate_waits.next = self.rate_exchange.rate_waits.val();
        self.visited.next = self.flow_sequencer.in_check.val();
        self.visited_flow.next = self.flow_visit.known_flow.val();
        self.visited_rate.next = self.rate_memory.present_rate.val();
    }
}
