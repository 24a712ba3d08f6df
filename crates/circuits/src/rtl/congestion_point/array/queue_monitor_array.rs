// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows the lengths of many output queues.

use crate::rtl::congestion_point::queue_length::QueueLength;
use tidegate_hdl::prelude::*;

module! {
    /// The length of each queue and its length at the last sample are in memories, which a visit reads in step 1 and
    /// writes in steps 3 and 4.
    ///
    /// `q_offset` and `q_delta` belong to a sample of step 4 in the cycle after it. `queue_bytes` and `clamped` are valid
    /// in step 3, when `counted` is high. A length is clamped as in the monitor of one queue.
    pub struct QueueMonitorArray<const N: usize>: "queue_monitor_array" {
        pub clock: Signal<In, Clock>,
        /// The queue that is visited.
        pub queue_index: Signal<In, Bits<N>>,
        /// Cycle of the visit, from 1.
        pub step: Signal<In, Bits<3>>,
        /// The visit counts a packet.
        pub packet: Signal<In, Bit>,
        /// Length of the packet, bytes.
        pub packet_bytes: Signal<In, Bits<24>>,
        /// The visit counts a dequeue.
        pub leave: Signal<In, Bit>,
        /// Number of bytes that leave.
        pub leave_bytes: Signal<In, Bits<24>>,
        /// The state of all queues has been cleared; if not, the visit clears that of this queue.
        pub cleared: Signal<In, Bit>,
        /// The packet of the visit is a sample; in step 4.
        pub sample: Signal<In, Bit>,
        /// Target queue length q0, bytes.
        #[parameter]
        pub q0_bytes: Signal<In, Bits<24>>,
        /// The events of the visit have been counted: the next two outputs are valid in this cycle.
        pub counted: Signal<Out, Bit>,
        /// Length of the queue that is visited, after these events, bytes.
        pub queue_bytes: Signal<Out, Bits<24>>,
        /// The length was clamped: the events would have made it less than 0 or more than 24 bits hold.
        pub clamped: Signal<Out, Bit>,
        /// Qoff = length - q0, bytes, two's complement; belongs to a sample of the cycle before.
        pub q_offset: Signal<Out, Bits<25>>,
        /// ΔQ = length - length at the sample before, bytes, two's complement; belongs to a sample of the cycle before.
        pub q_delta: Signal<Out, Bits<25>>,
        queue_length: QueueLength,
        /// Length of each queue, bytes.
        lengths: LutRam<Bits<24>, N>,
        /// Length of each queue at its last sample, bytes.
        old_lengths: LutRam<Bits<24>, N>,
        /// Length of the queue that is visited before its events, bytes.
        present: DFF<Bits<24>>,
        /// Its length at the last sample, bytes.
        queue_old: DFF<Bits<24>>,
        /// Its length after its events, before it is clamped, bytes, two's complement.
        sum: DFF<Bits<26>>,
        length: Signal<Local, Bits<24>>,
        writes: Signal<Local, Bit>,
    }
}

impl<const N: usize> Logic for QueueMonitorArray<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, present, queue_old, sum);
        clock!(self, clock, lengths, old_lengths);
        self.queue_length.present.next = self.present.q.val();
        self.queue_length.enqueue.next = self.packet.val();
        self.queue_length.enqueue_bytes.next = self.packet_bytes.val();
        self.queue_length.dequeue.next = self.leave.val();
        self.queue_length.dequeue_bytes.next = self.leave_bytes.val();
        self.queue_length.sum.next = self.sum.q.val();
        self.length.next = self.queue_length.length.val();
        if self.step.val() == 1 {
            self.present.d.next = self.lengths.read_data.val();
            self.queue_old.d.next = self.old_lengths.read_data.val();
        }
        if self.step.val() == 2 {
            self.sum.d.next = self.queue_length.next_sum.val();
        }

        self.writes.next = (self.step.val() == 3) & (self.packet.val() | self.leave.val());
        self.lengths.read_address.next = self.queue_index.val();
        self.lengths.write_address.next = self.queue_index.val();
        self.lengths.write_enable.next = self.writes.val() | !self.cleared.val();
        self.lengths.write_data.next = self.length.val();
        self.old_lengths.read_address.next = self.queue_index.val();
        self.old_lengths.write_address.next = self.queue_index.val();
        self.old_lengths.write_enable.next = self.sample.val() | !self.cleared.val();
        self.old_lengths.write_data.next = self.length.val();
        if !self.cleared.val() {
            self.lengths.write_data.next = 0.into();
            self.old_lengths.write_data.next = 0.into();
        }

        self.counted.next = self.writes.val();
        self.queue_bytes.next = self.length.val();
        self.clamped.next = self.writes.val() & self.queue_length.clamped.val();
        self.q_offset.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.q0_bytes.val());
        self.q_delta.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.queue_old.q.val());
    }
}
