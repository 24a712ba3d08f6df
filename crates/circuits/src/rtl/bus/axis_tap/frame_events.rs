// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the frames of the data path mean for the lengths of output queues.

use super::event_store::EventStore;
use super::event_turns::EventTurns;
use super::queue_accounts::QueueAccounts;
use tidegate_hdl::prelude::*;

module! {
    /// Tells a congestion point of each frame that enters an output queue, once for each of its controlled queues, and of what
    /// leaves the queues.
    ///
    /// The data path never waits for the congestion point. 16 frames wait for it with their fields; a frame that comes while they
    /// wait is counted in `unsampled`, and its octets are told later in the sum of its queue, as those of a flow that is not
    /// controlled. So the lengths miss nothing, and only samples are fewer. The octets of an inserted frame are in the sum too.
    pub struct FrameEvents: "axis_frame_events" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The output queues that are controlled, a bit each.
        #[parameter]
        pub controlled_queues: Signal<In, Bits<5>>,
        /// A frame enters its output queues.
        pub frame_enqueue: Signal<In, Bit>,
        pub frame_octets: Signal<In, Bits<16>>,
        pub frame_queues: Signal<In, Bits<5>>,
        pub frame_source_port: Signal<In, Bits<3>>,
        /// It has exactly one source port.
        pub frame_has_source: Signal<In, Bit>,
        pub frame_source_mac_high: Signal<In, Bits<16>>,
        pub frame_source_mac_low: Signal<In, Bits<32>>,
        pub frame_destination_mac_high: Signal<In, Bits<16>>,
        pub frame_destination_mac_low: Signal<In, Bits<32>>,
        pub frame_has_tag: Signal<In, Bit>,
        pub frame_vlan_tci: Signal<In, Bits<16>>,
        pub frame_has_cn_tag: Signal<In, Bit>,
        pub frame_flow_id: Signal<In, Bits<16>>,
        /// Its kind may get feedback.
        pub frame_controlled: Signal<In, Bit>,
        /// It is too short for the fields.
        pub frame_rejected: Signal<In, Bit>,
        /// A frame was inserted; not together with `frame_enqueue`.
        pub inserted: Signal<In, Bit>,
        /// Its output queue, as a bit.
        pub inserted_queue: Signal<In, Bits<5>>,
        pub pkt_removed_0: Signal<In, Bit>,
        pub bytes_removed_0: Signal<In, Bits<32>>,
        pub pkt_removed_1: Signal<In, Bit>,
        pub bytes_removed_1: Signal<In, Bits<32>>,
        pub pkt_removed_2: Signal<In, Bit>,
        pub bytes_removed_2: Signal<In, Bits<32>>,
        pub pkt_removed_3: Signal<In, Bit>,
        pub bytes_removed_3: Signal<In, Bits<32>>,
        pub pkt_removed_4: Signal<In, Bit>,
        pub bytes_removed_4: Signal<In, Bits<32>>,
        pub pkt_dropped: Signal<In, Bits<5>>,
        pub bytes_dropped: Signal<In, Bits<32>>,
        /// Octets enter an output queue; taken if `ready` is high.
        pub enqueue: Signal<Out, Bit>,
        pub enqueue_queue: Signal<Out, Bits<6>>,
        pub enqueue_bytes: Signal<Out, Bits<24>>,
        pub source_port: Signal<Out, Bits<3>>,
        pub source_mac_high: Signal<Out, Bits<16>>,
        pub source_mac_low: Signal<Out, Bits<32>>,
        pub destination_mac_high: Signal<Out, Bits<16>>,
        pub destination_mac_low: Signal<Out, Bits<32>>,
        pub has_tag: Signal<Out, Bit>,
        pub vlan_tci: Signal<Out, Bits<16>>,
        pub has_cn_tag: Signal<Out, Bit>,
        pub flow_id: Signal<Out, Bits<16>>,
        pub controlled: Signal<Out, Bit>,
        /// The congestion point takes the event in this cycle.
        pub ready: Signal<In, Bit>,
        /// Octets have left an output queue; taken if `dequeue_ready` is high.
        pub dequeue: Signal<Out, Bit>,
        pub dequeue_queue: Signal<Out, Bits<6>>,
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// The congestion point takes the event in this cycle.
        pub dequeue_ready: Signal<In, Bit>,
        /// The frame of the cycle before cannot get feedback: it is too short for the fields, or has not exactly one source
        /// port.
        pub rejected: Signal<Out, Bit>,
        /// The frame of the cycle before is told in the sum of its queue.
        pub unsampled: Signal<Out, Bit>,
        event_store: EventStore,
        queue_accounts: QueueAccounts,
        event_turns: EventTurns,
        /// The queues of a frame that is told in the sum, in the cycle after it came.
        stored_queues: Register<Bits<5>>,
        stored_octets: DFF<Bits<16>>,
        was_rejected: Register<Bit>,
        was_unsampled: Register<Bit>,
        /// A frame comes and finds no room among those that wait.
        no_room: Signal<Local, Bit>,
        targets: Signal<Local, Bits<5>>,
        comes: Signal<Local, Bit>,
    }
}

impl Logic for FrameEvents {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, event_store, queue_accounts, event_turns);
        dff_setup!(self, clock, stored_queues, stored_octets, was_rejected, was_unsampled);
        self.stored_queues.reset.next = self.reset.val();
        self.was_rejected.reset.next = self.reset.val();
        self.was_unsampled.reset.next = self.reset.val();
        self.event_store.reset.next = self.reset.val();
        self.queue_accounts.reset.next = self.reset.val();
        self.event_turns.reset.next = self.reset.val();

        self.targets.next = self.frame_queues.val() & self.controlled_queues.val();
        self.comes.next = self.frame_enqueue.val() & self.targets.val().any();
        self.was_rejected.d.next =
            self.frame_rejected.val() | (self.frame_enqueue.val() & !self.frame_has_source.val());
        self.rejected.next = self.was_rejected.q.val();
        self.event_store.comes.next = self.comes.val();
        self.event_store.frame_octets.next = self.frame_octets.val();
        self.event_store.frame_queues.next = self.targets.val();
        self.event_store.frame_controlled.next = self.frame_controlled.val() & self.frame_has_source.val();
        self.event_store.frame_source_port.next = self.frame_source_port.val();
        self.event_store.frame_source_mac_high.next = self.frame_source_mac_high.val();
        self.event_store.frame_source_mac_low.next = self.frame_source_mac_low.val();
        self.event_store.frame_destination_mac_high.next = self.frame_destination_mac_high.val();
        self.event_store.frame_destination_mac_low.next = self.frame_destination_mac_low.val();
        self.event_store.frame_has_tag.next = self.frame_has_tag.val();
        self.event_store.frame_vlan_tci.next = self.frame_vlan_tci.val();
        self.event_store.frame_has_cn_tag.next = self.frame_has_cn_tag.val();
        self.event_store.frame_flow_id.next = self.frame_flow_id.val();
        self.source_port.next = self.event_store.source_port.val();
        self.source_mac_high.next = self.event_store.source_mac_high.val();
        self.source_mac_low.next = self.event_store.source_mac_low.val();
        self.destination_mac_high.next = self.event_store.destination_mac_high.val();
        self.destination_mac_low.next = self.event_store.destination_mac_low.val();
        self.has_tag.next = self.event_store.has_tag.val();
        self.vlan_tci.next = self.event_store.vlan_tci.val();
        self.has_cn_tag.next = self.event_store.has_cn_tag.val();
        self.flow_id.next = self.event_store.flow_id.val();

        // What is told in a sum.
        self.no_room.next = self.comes.val() & self.event_store.full.val();
        self.was_unsampled.d.next = self.no_room.val();
        self.unsampled.next = self.was_unsampled.q.val();
        self.queue_accounts.controlled_queues.next = self.controlled_queues.val();
        self.stored_queues.d.next = 0.into();
        self.stored_octets.d.next = self.frame_octets.val();
        if self.inserted.val() {
            self.stored_queues.d.next = self.inserted_queue.val() & self.controlled_queues.val();
            self.stored_octets.d.next = 60.into();
        } else if self.frame_enqueue.val() & self.event_store.full.val() {
            self.stored_queues.d.next = self.targets.val();
        }
        self.queue_accounts.stores.next = self.stored_queues.q.val();
        self.queue_accounts.stored_octets.next = self.stored_octets.q.val();
        self.queue_accounts.pkt_removed_0.next = self.pkt_removed_0.val();
        self.queue_accounts.bytes_removed_0.next = self.bytes_removed_0.val();
        self.queue_accounts.pkt_removed_1.next = self.pkt_removed_1.val();
        self.queue_accounts.bytes_removed_1.next = self.bytes_removed_1.val();
        self.queue_accounts.pkt_removed_2.next = self.pkt_removed_2.val();
        self.queue_accounts.bytes_removed_2.next = self.bytes_removed_2.val();
        self.queue_accounts.pkt_removed_3.next = self.pkt_removed_3.val();
        self.queue_accounts.bytes_removed_3.next = self.bytes_removed_3.val();
        self.queue_accounts.pkt_removed_4.next = self.pkt_removed_4.val();
        self.queue_accounts.bytes_removed_4.next = self.bytes_removed_4.val();
        self.queue_accounts.pkt_dropped.next = self.pkt_dropped.val();
        self.queue_accounts.bytes_dropped.next = self.bytes_dropped.val();

        // What is told next.
        self.event_turns.waits.next = self.event_store.waits.val();
        self.event_turns.octets.next = self.event_store.octets.val();
        self.event_turns.queues.next = self.event_store.queues.val();
        self.event_turns.may_get_feedback.next = self.event_store.controlled.val();
        self.event_store.pop.next = self.event_turns.pop.val();
        self.event_turns.sum_octets.next = self.queue_accounts.sum_octets.val();
        self.event_turns.sum_waits.next = self.queue_accounts.sum_waits.val();
        self.queue_accounts.sum_queue.next = self.event_turns.sum_queue.val();
        self.queue_accounts.sum_taken.next = self.event_turns.sum_taken.val();
        self.queue_accounts.told_octets.next = self.event_turns.enqueue_bytes.val();
        self.event_turns.leave_octets.next = self.queue_accounts.leave_octets.val();
        self.event_turns.leave_waits.next = self.queue_accounts.leave_waits.val();
        self.queue_accounts.leave_queue.next = self.event_turns.leave_queue.val();
        self.queue_accounts.leave_taken.next = self.event_turns.leave_taken.val();
        self.queue_accounts.left_octets.next = self.event_turns.dequeue_bytes.val();
        self.event_turns.ready.next = self.ready.val();
        self.event_turns.dequeue_ready.next = self.dequeue_ready.val();
        self.enqueue.next = self.event_turns.enqueue.val();
        self.enqueue_queue.next = bit_cast::<6, 3>(self.event_turns.enqueue_queue.val());
        self.enqueue_bytes.next = self.event_turns.enqueue_bytes.val();
        self.controlled.next = self.event_turns.controlled.val();
        self.dequeue.next = self.event_turns.dequeue.val();
        self.dequeue_queue.next = bit_cast::<6, 3>(self.event_turns.dequeue_queue.val());
        self.dequeue_bytes.next = self.event_turns.dequeue_bytes.val();

        self.queue_accounts.counted.next = self.event_turns.counted.val();
        self.queue_accounts.counted_octets.next = self.event_turns.counted_octets.val();
    }
}
