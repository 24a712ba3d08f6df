// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides which arriving packets are samples, for many queues.

use crate::rtl::random_share::{RandomShare, SpanMask};
use crate::rtl::random_step::RandomStep;
use crate::rtl::sum_reaches::SumReaches;
use tidegate_hdl::prelude::*;

module! {
    /// The sampler of each queue: what it has counted and its random number are in memories, which a visit reads in step
    /// 1 and writes in step 4. `sample` is high in step 4 of the visit of a packet that completes an interval.
    ///
    /// A queue is sampled as by a sampler of its own that has time for each change: after a sample `settled` is low until
    /// a random number fits, and the next packet and a change of the interval (`level`) wait so long. It is low in step 4 of
    /// each packet. The same search
    /// follows such a change, and when the state is cleared. It takes two cycles for each number, and begins in step 3 of
    /// the visit or, after a sample, in the cycle after step 4.
    ///
    /// The bounds of the interval are valid from step 2 on, and what is made of them alone from step 3 on, in registers: the
    /// interval itself would be too long for a cycle of its own where they are registers too.
    ///
    /// In the mode `time` the interval begins with the packet that was the last sample, not when the last interval
    /// ended: a packet is a sample if its step 4 is at least an interval after that of the sample before, or after the
    /// reset. Cycles are counted modulo 2^24.
    pub struct SamplerArray<const N: usize>: "sampler_array" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The queue whose state is visited.
        pub queue_index: Signal<In, Bits<N>>,
        /// Cycle of the visit, from 1.
        pub step: Signal<In, Bits<3>>,
        /// The visit counts a packet.
        pub packet: Signal<In, Bit>,
        /// The visit changes the interval.
        pub level: Signal<In, Bit>,
        /// The state of all queues has been cleared; if not, the visit clears that of this queue.
        pub cleared: Signal<In, Bit>,
        /// Length of the packet, bytes.
        pub packet_bytes: Signal<In, Bits<24>>,
        /// Smallest sampling interval of the queue from step 2 on: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval, in the same unit; 0 = no jitter.
        pub interval_span: Signal<In, Bits<24>>,
        /// What the sampling interval counts: 0 = packets, 1 = bytes, 2 = cycles.
        #[parameter]
        pub sample_mode: Signal<In, Bits<2>>,
        /// The first random number of each queue is made of this and of its number, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// The packet of this visit completes an interval; in step 4.
        pub sample: Signal<Out, Bit>,
        /// The sampler can begin a visit in the next cycle.
        pub settled: Signal<Out, Bit>,
        span_mask: SpanMask,
        random_share: RandomShare,
        random_step: RandomStep,
        interval_reached: SumReaches,
        /// Packets or bytes since the last interval of each queue ended; in the mode `time` the cycle in which it did.
        counts: LutRam<Bits<24>, N>,
        /// Random number of each queue.
        numbers: LutRam<Bits<24>, N>,
        /// Of the queue that is visited: packets or bytes; in the mode `time` cycles since the interval began.
        elapsed: DFF<Bits<24>>,
        /// Random number of the queue that is visited.
        number: DFF<Bits<24>>,
        /// As many ones as the random part of its interval has bits.
        mask: Delay<Bits<24>>,
        /// What the packet adds, less its smallest sampling interval, two's complement.
        lead: Delay<Bits<25>>,
        /// The packet of the visit completes the interval.
        full: DFF<Bit>,
        /// The visit is in step 4, in which it writes.
        writes: Register<Bit>,
        /// A random number that fits is searched.
        searches: Register<Bit>,
        /// `fitted` tells of the current number.
        judged: Register<Bit>,
        fitted: DFF<Bit>,
        /// Cycles since the reset.
        now: Register<Bits<24>>,
        by_bytes: Signal<Local, Bit>,
        by_time: Signal<Local, Bit>,
        amount: Signal<Local, Bits<24>>,
        completes: Signal<Local, Bit>,
        spread: Signal<Local, Bits<16>>,
        own_seed: Signal<Local, Bits<16>>,
    }
}

impl<const N: usize> Logic for SamplerArray<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, elapsed, number, mask, lead, full, writes, searches, judged, fitted, now);
        clock!(self, clock, counts, numbers);
        self.writes.reset.next = self.reset.val();
        self.searches.reset.next = self.reset.val();
        self.judged.reset.next = self.reset.val();
        self.now.reset.next = self.reset.val();
        self.now.d.next = self.now.q.val() + 1;
        self.by_bytes.next = self.sample_mode.val() == 1;
        self.by_time.next = self.sample_mode.val() == 2;
        // In the mode `time`: from step 2, in which the time is read, to step 4.
        self.amount.next = 1.into();
        if self.by_bytes.val() {
            self.amount.next = self.packet_bytes.val();
        } else if self.by_time.val() {
            self.amount.next = 2.into();
        }

        // Two numbers of a queue make a different seed for each, and none is the inverse of another.
        self.spread.next = (bit_cast::<16, N>(self.queue_index.val()).to_bits() << 10)
            | (bit_cast::<16, N>(self.queue_index.val()).to_bits() << 2);
        self.own_seed.next = self.seed.val() ^ self.spread.val();
        self.random_step.seed.next = self.own_seed.val();
        if !self.own_seed.val().any() {
            self.random_step.seed.next = 0xffff.into();
        }
        self.random_step.random.next = self.number.q.val();
        self.random_share.random.next = self.number.q.val();
        self.span_mask.span.next = self.interval_span.val();
        self.mask.d.next = self.span_mask.mask.val();
        self.random_share.mask.next = self.mask.q.val();
        self.random_share.span.next = self.interval_span.val();
        self.random_share.settled.next = true;
        // The interval is its smallest value, which is in `lead`, and the random share.
        self.lead.d.next = bit_cast::<25, 24>(self.amount.val()) - bit_cast::<25, 24>(self.interval_low.val());
        self.interval_reached.count.next = self.elapsed.q.val();
        self.interval_reached.amount.next = self.lead.q.val();
        self.interval_reached.bound.next = self.random_share.share.val();
        // Step 4 follows if a packet is counted.
        self.writes.d.next = (self.step.val() == 3) & self.packet.val();
        self.completes.next = self.writes.q.val() & self.full.q.val();

        self.fitted.d.next = self.random_share.fits.val();
        self.judged.d.next = self.searches.q.val() & !self.judged.q.val();
        if self.judged.q.val() {
            if self.fitted.q.val() {
                self.searches.d.next = false;
            } else {
                self.number.d.next = self.random_step.next_random.val();
            }
        }
        self.full.d.next = self.interval_reached.reached.val();
        if self.step.val() == 1 {
            self.elapsed.d.next = self.counts.read_data.val();
            if self.packet.val() | self.level.val() {
                self.number.d.next = self.numbers.read_data.val();
            }
            if !self.cleared.val() {
                self.number.d.next = self.random_step.first_random.val();
            }
        } else if self.step.val() == 2 {
            if self.level.val() | !self.cleared.val() {
                self.searches.d.next = true;
            }
            if self.by_time.val() {
                self.elapsed.d.next = self.now.q.val() - self.elapsed.q.val();
            }
        } else if self.step.val() == 3 {
            self.elapsed.d.next = self.elapsed.q.val() + self.amount.val();
        } else if self.completes.val() {
            self.number.d.next = self.random_step.next_random.val();
            self.searches.d.next = true;
        }

        self.counts.read_address.next = self.queue_index.val();
        self.counts.write_address.next = self.queue_index.val();
        self.counts.write_enable.next = self.writes.q.val() & (self.full.q.val() | !self.by_time.val());
        self.counts.write_data.next = self.elapsed.q.val();
        if self.full.q.val() {
            self.counts.write_data.next = 0.into();
            if self.by_time.val() {
                self.counts.write_data.next = self.now.q.val();
            }
        }
        if !self.cleared.val() {
            self.counts.write_enable.next = true;
            self.counts.write_data.next = 0.into();
        }
        self.numbers.read_address.next = self.queue_index.val();
        self.numbers.write_address.next = self.queue_index.val();
        self.numbers.write_enable.next = self.judged.q.val() & self.fitted.q.val();
        self.numbers.write_data.next = self.number.q.val();

        self.sample.next = self.completes.val();
        // A register says whether it is step 4 of a packet. Whether the packet is a sample is known too late in the cycle for
        // the choice of the next visit.
        self.settled.next = !self.searches.q.val() & !self.writes.q.val();
    }
}
