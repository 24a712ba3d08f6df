// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of congestion of many queues.

use crate::rtl::qcn::sampling_table::SamplingTable;
use tidegate_hdl::prelude::*;

module! {
    /// The level of each queue, QntzFb / 8 of its last sample, is in a memory. It selects the sampling interval of the
    /// queue that is visited, from step 2 of the visit on. Where the table is no constant, memory, table and sampler are
    /// too long for one cycle: the level is read before step 1, and the interval is in a register.
    ///
    /// A level that the feedback block tells waits until a visit stores it. The next sample waits so long.
    pub struct SamplingLevels<const N: usize>: "sampling_levels" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The queue whose sampling state is visited.
        pub queue_index: Signal<In, Bits<N>>,
        /// The queue of the packet that waits.
        pub waiting_packet: Signal<In, Bits<N>>,
        /// If a visit begins in the next cycle, it counts this packet.
        pub packet_next: Signal<In, Bit>,
        /// Cycle of the visit, from 1.
        pub step: Signal<In, Bits<3>>,
        /// The visit counts a packet.
        pub packet: Signal<In, Bit>,
        /// The visit stores the level that waits.
        pub stores: Signal<In, Bit>,
        /// The state of all queues has been cleared; if not, the visit clears that of this queue.
        pub cleared: Signal<In, Bit>,
        /// The level of the oldest sample is known.
        pub level_known: Signal<In, Bit>,
        /// This level; valid with `level_known`.
        pub level: Signal<In, Bits<3>>,
        /// The queue of the oldest sample.
        pub head_queue: Signal<In, Bits<N>>,
        /// The oldest sample leaves the sample queue.
        pub pop: Signal<In, Bit>,
        /// A level waits to be stored.
        pub level_waits: Signal<Out, Bit>,
        /// The queue of this level.
        pub level_queue: Signal<Out, Bits<N>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 0: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_0: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 1: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_1: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 2: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_2: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 3: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_3: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 4: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_4: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 5: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_5: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 6: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_6: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 7: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_7: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 0, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_0: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 1, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_1: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 2, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_2: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 3, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_3: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 4, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_4: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 5, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_5: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 6, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_6: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 7, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_7: Signal<In, Bits<24>>,
        /// Smallest sampling interval for the sampler: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<Out, Bits<24>>,
        /// Largest minus smallest sampling interval for the sampler, in the same unit; 0 = no jitter.
        pub interval_span: Signal<Out, Bits<24>>,
        sampling_table: SamplingTable,
        /// The level of each queue.
        levels: LutRam<Bits<3>, N>,
        waits: Register<Bit>,
        /// The level of the oldest sample was told before.
        told: Register<Bit>,
        waiting_level: DFF<Bits<3>>,
        waiting_queue: DFF<Bits<N>>,
        /// The level of a visit that begins in this cycle.
        visited_level: Delay<Bits<3>>,
        /// The interval of the queue that is visited.
        low: Delay<Bits<24>>,
        span: Delay<Bits<24>>,
    }
}

impl<const N: usize> Logic for SamplingLevels<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waits, told, waiting_level, waiting_queue, visited_level, low, span);
        clock!(self, clock, levels);
        self.waits.reset.next = self.reset.val();
        self.told.reset.next = self.reset.val();
        self.told.d.next = (self.told.q.val() | self.level_known.val()) & !self.pop.val();
        if self.level_known.val() & !self.told.q.val() {
            self.waits.d.next = true;
            self.waiting_level.d.next = self.level.val();
            self.waiting_queue.d.next = self.head_queue.val();
        } else if self.stores.val() & (self.step.val() == 1) {
            self.waits.d.next = false;
        }
        self.visited_level.d.next = self.waiting_level.q.val();
        if !self.cleared.val() {
            self.visited_level.d.next = 0.into();
        } else if self.packet_next.val() {
            self.visited_level.d.next = self.levels.read_data.val();
        }
        self.sampling_table.level.next = self.visited_level.q.val();
        self.low.d.next = self.low.q.val();
        self.span.d.next = self.span.q.val();
        if (self.step.val() == 1) & (self.packet.val() | self.stores.val() | !self.cleared.val()) {
            self.low.d.next = self.sampling_table.interval_low.val();
            self.span.d.next = self.sampling_table.interval_span.val();
        }
        self.levels.read_address.next = self.waiting_packet.val();
        self.levels.write_address.next = self.queue_index.val();
        self.levels.write_data.next = self.waiting_level.q.val();
        self.levels.write_enable.next = self.stores.val() & (self.step.val() == 1);
        if !self.cleared.val() {
            self.levels.write_data.next = 0.into();
            self.levels.write_enable.next = true;
        }
        self.level_waits.next = self.waits.q.val();
        self.level_queue.next = self.waiting_queue.q.val();
        self.sampling_table.interval_low_0.next = self.interval_low_0.val();
        self.sampling_table.interval_low_1.next = self.interval_low_1.val();
        self.sampling_table.interval_low_2.next = self.interval_low_2.val();
        self.sampling_table.interval_low_3.next = self.interval_low_3.val();
        self.sampling_table.interval_low_4.next = self.interval_low_4.val();
        self.sampling_table.interval_low_5.next = self.interval_low_5.val();
        self.sampling_table.interval_low_6.next = self.interval_low_6.val();
        self.sampling_table.interval_low_7.next = self.interval_low_7.val();
        self.sampling_table.interval_span_0.next = self.interval_span_0.val();
        self.sampling_table.interval_span_1.next = self.interval_span_1.val();
        self.sampling_table.interval_span_2.next = self.interval_span_2.val();
        self.sampling_table.interval_span_3.next = self.interval_span_3.val();
        self.sampling_table.interval_span_4.next = self.interval_span_4.val();
        self.sampling_table.interval_span_5.next = self.interval_span_5.val();
        self.sampling_table.interval_span_6.next = self.interval_span_6.val();
        self.sampling_table.interval_span_7.next = self.interval_span_7.val();
        self.interval_low.next = self.low.q.val();
        self.interval_span.next = self.span.q.val();
    }
}
