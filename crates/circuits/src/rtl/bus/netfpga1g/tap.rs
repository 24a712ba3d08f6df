// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tap in the user data path.

use super::packet_events::PacketEvents;
use super::packet_fields::PacketFields;
use super::packet_sequencer::PacketSequencer;
use super::word_queue::WordQueue;
use tidegate_hdl::prelude::*;

module! {
    /// Stands in the user data path of a NetFPGA-1G: passes every packet unchanged and in order, tells a congestion
    /// point for eight queues what enters each output queue, and inserts its frames between packets.
    ///
    /// A word of cycle t goes on in cycle t + 2 at the earliest. Before the first word of a packet it may wait for a
    /// frame, ten cycles, and until the congestion point has taken the events of the packet before.
    pub struct Tap: "netfpga1g_tap" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub in_high: Signal<In, Bits<32>>,
        pub in_low: Signal<In, Bits<32>>,
        pub in_ctrl: Signal<In, Bits<8>>,
        pub in_wr: Signal<In, Bit>,
        pub in_rdy: Signal<Out, Bit>,
        pub next_high: Signal<Out, Bits<32>>,
        pub next_low: Signal<Out, Bits<32>>,
        pub next_ctrl: Signal<Out, Bits<8>>,
        pub next_wr: Signal<Out, Bit>,
        pub next_rdy: Signal<In, Bit>,
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
        /// No event of a packet or frame waited in the cycle before: a packet that has left an output queue has been counted.
        pub may_leave: Signal<Out, Bit>,
        /// The fields of a packet are known since this cycle.
        pub packet_known: Signal<Out, Bit>,
        /// Words of the packet, without module headers; valid with `packet_known`.
        pub packet_words: Signal<Out, Bits<8>>,
        /// The output queues that the packet enters, a bit each; from `packet_known` to its end.
        pub packet_queues: Signal<Out, Bits<8>>,
        pub out_of_packet: Signal<Out, Bit>,
        pub data_high: Signal<In, Bits<32>>,
        pub data_low: Signal<In, Bits<32>>,
        pub last: Signal<In, Bit>,
        pub valid: Signal<In, Bit>,
        pub data_ready: Signal<Out, Bit>,
        pub frame_port: Signal<In, Bits<3>>,
        pub boundary: Signal<Out, Bit>,
        pub rejected: Signal<Out, Bit>,
        pub lost_word: Signal<Out, Bit>,
        word_queue: WordQueue,
        packet_sequencer: PacketSequencer,
        packet_fields: PacketFields,
        packet_events: PacketEvents,
    }
}

impl Logic for Tap {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, word_queue, packet_sequencer, packet_fields, packet_events);
        self.word_queue.reset.next = self.reset.val();
        self.packet_sequencer.reset.next = self.reset.val();
        self.packet_fields.reset.next = self.reset.val();
        self.packet_events.reset.next = self.reset.val();

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
        self.packet_sequencer.next_rdy.next = self.next_rdy.val();
        self.data_ready.next = self.packet_sequencer.data_ready.val();
        self.next_high.next = self.packet_sequencer.next_high.val();
        self.next_low.next = self.packet_sequencer.next_low.val();
        self.next_ctrl.next = self.packet_sequencer.next_ctrl.val();
        self.next_wr.next = self.packet_sequencer.next_wr.val();
        self.boundary.next = self.packet_sequencer.boundary.val();

        self.packet_fields.seen.next = self.packet_sequencer.out_of_packet.val();
        self.packet_fields.seen_high.next = self.packet_sequencer.next_high.val();
        self.packet_fields.seen_low.next = self.packet_sequencer.next_low.val();
        self.packet_fields.seen_ctrl.next = self.packet_sequencer.next_ctrl.val();
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

        self.may_leave.next = self.packet_events.may_leave.val();
        self.packet_known.next = self.packet_fields.known.val();
        self.packet_words.next = self.packet_fields.packet_words.val();
        self.packet_queues.next = self.packet_events.queues.val();
        self.out_of_packet.next = self.packet_sequencer.out_of_packet.val();
    }
}
