//! The tap in the user data path.

use super::event_queue::EventQueue;
use super::packet_events::PacketEvents;
use super::packet_fields::PacketFields;
use super::packet_sequencer::PacketSequencer;
use super::word_queue::WordQueue;
use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Stands in the user data path of a NetFPGA-1G: passes every packet unchanged and in order, tells a congestion
    /// point for eight queues what enters and leaves each output queue, and inserts its frames between packets.
    ///
    /// A word of cycle t goes out in cycle t + 2 at the earliest. Before the first word of a packet it may wait for a
    /// frame of nine words, and until the congestion point has taken the events of the packet before.
    pub struct Tap: "netfpga1g_tap" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub in_high: Signal<In, Bits<32>>,
        pub in_low: Signal<In, Bits<32>>,
        pub in_ctrl: Signal<In, Bits<8>>,
        pub in_wr: Signal<In, Bit>,
        pub in_rdy: Signal<Out, Bit>,
        pub out_high: Signal<Out, Bits<32>>,
        pub out_low: Signal<Out, Bits<32>>,
        pub out_ctrl: Signal<Out, Bits<8>>,
        pub out_wr: Signal<Out, Bit>,
        pub out_rdy: Signal<In, Bit>,
        /// The output queues have removed a packet.
        pub pkt_removed: Signal<In, Bit>,
        /// From this queue; valid with `pkt_removed`.
        pub removed_oq: Signal<In, Bits<3>>,
        /// Its words with the module header; valid with `pkt_removed`.
        pub removed_pkt_total_word_length: Signal<In, Bits<8>>,
        /// The output queues have dropped a packet, because its queue was full.
        pub pkt_dropped: Signal<In, Bit>,
        /// The queue of this packet; valid with `pkt_dropped`.
        pub dst_oq: Signal<In, Bits<3>>,
        /// Its words with the module header; valid with `pkt_dropped`.
        pub stored_pkt_total_word_length: Signal<In, Bits<8>>,
        #[parameter]
        pub controlled_ports: Signal<In, Bits<8>>,
        #[parameter]
        pub multicast_once: Signal<In, Bit>,
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
        pub ready: Signal<In, Bit>,
        /// A packet has left an output queue; taken if `dequeue_ready` is high.
        pub dequeue: Signal<Out, Bit>,
        /// Number of this queue; valid with `dequeue`.
        pub dequeue_queue: Signal<Out, Bits<6>>,
        /// What the queue stored of it, bytes; valid with `dequeue`.
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// The congestion point takes the event in this cycle.
        pub dequeue_ready: Signal<In, Bit>,
        pub data_high: Signal<In, Bits<32>>,
        pub data_low: Signal<In, Bits<32>>,
        pub last: Signal<In, Bit>,
        pub valid: Signal<In, Bit>,
        pub data_ready: Signal<Out, Bit>,
        pub frame_port: Signal<In, Bits<3>>,
        pub boundary: Signal<Out, Bit>,
        pub rejected: Signal<Out, Bit>,
        pub lost_word: Signal<Out, Bit>,
        pub lost_event: Signal<Out, Bit>,
        word_queue: WordQueue,
        packet_sequencer: PacketSequencer,
        packet_fields: PacketFields,
        packet_events: PacketEvents,
        /// Packets that were removed.
        removed: EventQueue,
        /// Packets that were dropped.
        dropped: EventQueue,
        may_leave: Signal<Local, Bit>,
        leaving_words: Signal<Local, Bits<8>>,
    }
}

impl Logic for Tap {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, word_queue, packet_sequencer, packet_fields, packet_events, removed, dropped);
        self.word_queue.reset.next = self.reset.val();
        self.packet_sequencer.reset.next = self.reset.val();
        self.packet_fields.reset.next = self.reset.val();
        self.packet_events.reset.next = self.reset.val();
        self.removed.reset.next = self.reset.val();
        self.dropped.reset.next = self.reset.val();

        self.word_queue.in_high.next = self.in_high.val();
        self.word_queue.in_low.next = self.in_low.val();
        self.word_queue.in_ctrl.next = self.in_ctrl.val();
        self.word_queue.in_wr.next = self.in_wr.val();
        self.word_queue.pop.next = self.packet_sequencer.pop.val();
        self.in_rdy.next = self.word_queue.in_rdy.val();
        self.lost_word.next = self.word_queue.lost_word.val();

        self.packet_sequencer.word_valid.next = self.word_queue.word_valid.val();
        self.packet_sequencer.word_high.next = self.word_queue.word_high.val();
        self.packet_sequencer.word_low.next = self.word_queue.word_low.val();
        self.packet_sequencer.word_ctrl.next = self.word_queue.word_ctrl.val();
        self.packet_sequencer.word_is_data.next = self.word_queue.word_is_data.val();
        self.packet_sequencer.hold.next = self.packet_events.hold.val();
        self.packet_sequencer.hold_frame.next = self.packet_events.hold_frame.val();
        self.packet_sequencer.data_high.next = self.data_high.val();
        self.packet_sequencer.data_low.next = self.data_low.val();
        self.packet_sequencer.last.next = self.last.val();
        self.packet_sequencer.valid.next = self.valid.val();
        self.packet_sequencer.frame_port.next = self.frame_port.val();
        self.packet_sequencer.out_rdy.next = self.out_rdy.val();
        self.data_ready.next = self.packet_sequencer.data_ready.val();
        self.out_high.next = self.packet_sequencer.out_high.val();
        self.out_low.next = self.packet_sequencer.out_low.val();
        self.out_ctrl.next = self.packet_sequencer.out_ctrl.val();
        self.out_wr.next = self.packet_sequencer.out_wr.val();
        self.boundary.next = self.packet_sequencer.boundary.val();

        self.packet_fields.seen.next = self.packet_sequencer.out_of_packet.val();
        self.packet_fields.seen_high.next = self.packet_sequencer.out_high.val();
        self.packet_fields.seen_low.next = self.packet_sequencer.out_low.val();
        self.packet_fields.seen_ctrl.next = self.packet_sequencer.out_ctrl.val();
        self.rejected.next = self.packet_fields.rejected.val();
        self.source_port.next = self.packet_fields.source_port.val();
        self.source_mac_high.next = self.packet_fields.source_mac_high.val();
        self.source_mac_low.next = self.packet_fields.source_mac_low.val();
        self.destination_mac_high.next = self.packet_fields.destination_mac_high.val();
        self.destination_mac_low.next = self.packet_fields.destination_mac_low.val();
        self.has_tag.next = self.packet_fields.has_tag.val();
        self.vlan_tci.next = self.packet_fields.vlan_tci.val();
        self.has_cn_tag.next = self.packet_fields.has_cn_tag.val();
        self.flow_id.next = self.packet_fields.flow_id.val();

        self.packet_events.known.next = self.packet_fields.known.val();
        self.packet_events.destination_ports.next = self.packet_fields.destination_ports.val();
        self.packet_events.packet_words.next = self.packet_fields.packet_words.val();
        self.packet_events.is_feedback.next = self.packet_fields.is_feedback.val();
        self.packet_events.frame_ended.next = self.packet_sequencer.frame_ended.val();
        self.packet_events.ended_port.next = self.packet_sequencer.ended_port.val();
        self.packet_events.controlled_ports.next = self.controlled_ports.val();
        self.packet_events.multicast_once.next = self.multicast_once.val();
        self.packet_events.ready.next = self.ready.val();
        self.enqueue.next = self.packet_events.enqueue.val();
        self.enqueue_queue.next = self.packet_events.enqueue_queue.val();
        self.enqueue_bytes.next = self.packet_events.enqueue_bytes.val();
        self.controlled.next = self.packet_events.controlled.val();

        self.removed.controlled_ports.next = self.controlled_ports.val();
        self.removed.leaves.next = self.pkt_removed.val();
        self.removed.leaves_oq.next = self.removed_oq.val();
        self.removed.leaves_words.next = self.removed_pkt_total_word_length.val();
        self.dropped.controlled_ports.next = self.controlled_ports.val();
        self.dropped.leaves.next = self.pkt_dropped.val();
        self.dropped.leaves_oq.next = self.dst_oq.val();
        self.dropped.leaves_words.next = self.stored_pkt_total_word_length.val();
        self.lost_event.next = self.removed.lost_event.val() | self.dropped.lost_event.val();
        // A packet leaves after it has entered, also if its event waits.
        self.may_leave.next = !self.packet_events.hold.val() & !self.packet_events.hold_frame.val();
        self.dequeue.next = self.may_leave.val() & (self.removed.waits.val() | self.dropped.waits.val());
        self.dequeue_queue.next = bit_cast::<6, 3>(self.dropped.oldest_oq.val());
        self.leaving_words.next = self.dropped.oldest_words.val();
        if self.removed.waits.val() {
            self.dequeue_queue.next = bit_cast::<6, 3>(self.removed.oldest_oq.val());
            self.leaving_words.next = self.removed.oldest_words.val();
        }
        self.dequeue_bytes.next = bit_cast::<24, 8>(self.leaving_words.val()).to_bits() << 3;
        self.removed.pop.next = self.may_leave.val() & self.removed.waits.val() & self.dequeue_ready.val();
        self.dropped.pop.next =
            self.may_leave.val() & self.dropped.waits.val() & !self.removed.waits.val() & self.dequeue_ready.val();
    }
}
