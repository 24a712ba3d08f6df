// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that the congestion point has not been told of, with their fields.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue of 16 frames in LUT RAM.
    ///
    /// A frame may come in every cycle, but a congestion point for many queues takes one in four cycles at most. A frame of cycle
    /// t is the oldest one in cycle t + 1 at the earliest. One that comes while the queue is full is not stored.
    pub struct EventStore: "axis_event_store" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A frame comes.
        pub comes: Signal<In, Bit>,
        /// Its octets.
        pub frame_octets: Signal<In, Bits<16>>,
        /// Its output queues, a bit each.
        pub frame_queues: Signal<In, Bits<5>>,
        /// Number of its source port.
        pub frame_source_port: Signal<In, Bits<3>>,
        /// Its source address, bits 47 to 32.
        pub frame_source_mac_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub frame_source_mac_low: Signal<In, Bits<32>>,
        /// Its destination address, bits 47 to 32.
        pub frame_destination_mac_high: Signal<In, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub frame_destination_mac_low: Signal<In, Bits<32>>,
        /// It has a VLAN tag.
        pub frame_has_tag: Signal<In, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub frame_vlan_tci: Signal<In, Bits<16>>,
        /// It has a CN-TAG.
        pub frame_has_cn_tag: Signal<In, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub frame_flow_id: Signal<In, Bits<16>>,
        /// It may get feedback.
        pub frame_controlled: Signal<In, Bit>,
        /// There are 16 frames: another one is not stored.
        pub full: Signal<Out, Bit>,
        /// Remove the oldest frame.
        pub pop: Signal<In, Bit>,
        /// There is a frame: the outputs below are the oldest one.
        pub waits: Signal<Out, Bit>,
        /// Its octets.
        pub octets: Signal<Out, Bits<16>>,
        /// Its output queues, a bit each.
        pub queues: Signal<Out, Bits<5>>,
        /// Number of its source port.
        pub source_port: Signal<Out, Bits<3>>,
        /// Its source address, bits 47 to 32.
        pub source_mac_high: Signal<Out, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<Out, Bits<32>>,
        /// Its destination address, bits 47 to 32.
        pub destination_mac_high: Signal<Out, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_mac_low: Signal<Out, Bits<32>>,
        /// It has a VLAN tag.
        pub has_tag: Signal<Out, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub vlan_tci: Signal<Out, Bits<16>>,
        /// It has a CN-TAG.
        pub has_cn_tag: Signal<Out, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub flow_id: Signal<Out, Bits<16>>,
        /// It may get feedback.
        pub controlled: Signal<Out, Bit>,
        octets_words: LutRam<Bits<16>, 4>,
        queues_words: LutRam<Bits<5>, 4>,
        source_port_words: LutRam<Bits<3>, 4>,
        source_mac_high_words: LutRam<Bits<16>, 4>,
        source_mac_low_words: LutRam<Bits<32>, 4>,
        destination_mac_high_words: LutRam<Bits<16>, 4>,
        destination_mac_low_words: LutRam<Bits<32>, 4>,
        has_tag_words: LutRam<Bit, 4>,
        vlan_tci_words: LutRam<Bits<16>, 4>,
        has_cn_tag_words: LutRam<Bit, 4>,
        flow_id_words: LutRam<Bits<16>, 4>,
        controlled_words: LutRam<Bit, 4>,
        /// Place of the next frame; bit 4 toggles with each turn.
        write_pointer: Register<Bits<5>>,
        /// Place of the oldest frame; bit 4 toggles with each turn.
        read_pointer: Register<Bits<5>>,
        /// There is a frame.
        holds: Register<Bit>,
        /// There are 16.
        no_room: Register<Bit>,
        used: Signal<Local, Bits<5>>,
        room: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,
        write_place: Signal<Local, Bits<4>>,
        read_place: Signal<Local, Bits<4>>,
    }
}

impl Logic for EventStore {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_pointer, read_pointer, holds, no_room);
        clock!(
            self,
            clock,
            octets_words,
            queues_words,
            source_port_words,
            source_mac_high_words,
            source_mac_low_words,
            destination_mac_high_words,
            destination_mac_low_words,
            has_tag_words,
            vlan_tci_words,
            has_cn_tag_words,
            flow_id_words,
            controlled_words
        );
        self.write_pointer.reset.next = self.reset.val();
        self.read_pointer.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();
        self.no_room.reset.next = self.reset.val();

        self.used.next = self.write_pointer.q.val() - self.read_pointer.q.val();
        self.full.next = self.no_room.q.val();
        // While there is room, the next place is written in each cycle: that a frame comes is known too late for so many
        // memories, and moves the pointer only.
        self.room.next = !self.no_room.q.val();
        self.stores.next = self.comes.val() & self.room.val();
        if self.stores.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        self.holds.d.next = self.stores.val() | (self.holds.q.val() & !(self.pop.val() & (self.used.val() == 1)));
        self.no_room.d.next = !self.pop.val() & (self.no_room.q.val() | (self.stores.val() & (self.used.val() == 15)));
        self.waits.next = self.holds.q.val();
        self.write_place.next = self.write_pointer.q.val().to_bits().get_bits::<4>(0);
        self.read_place.next = self.read_pointer.q.val().to_bits().get_bits::<4>(0);

        self.octets_words.write_address.next = self.write_place.val();
        self.octets_words.write_enable.next = self.room.val();
        self.octets_words.write_data.next = self.frame_octets.val();
        self.octets_words.read_address.next = self.read_place.val();
        self.octets.next = self.octets_words.read_data.val();

        self.queues_words.write_address.next = self.write_place.val();
        self.queues_words.write_enable.next = self.room.val();
        self.queues_words.write_data.next = self.frame_queues.val();
        self.queues_words.read_address.next = self.read_place.val();
        self.queues.next = self.queues_words.read_data.val();

        self.source_port_words.write_address.next = self.write_place.val();
        self.source_port_words.write_enable.next = self.room.val();
        self.source_port_words.write_data.next = self.frame_source_port.val();
        self.source_port_words.read_address.next = self.read_place.val();
        self.source_port.next = self.source_port_words.read_data.val();

        self.source_mac_high_words.write_address.next = self.write_place.val();
        self.source_mac_high_words.write_enable.next = self.room.val();
        self.source_mac_high_words.write_data.next = self.frame_source_mac_high.val();
        self.source_mac_high_words.read_address.next = self.read_place.val();
        self.source_mac_high.next = self.source_mac_high_words.read_data.val();

        self.source_mac_low_words.write_address.next = self.write_place.val();
        self.source_mac_low_words.write_enable.next = self.room.val();
        self.source_mac_low_words.write_data.next = self.frame_source_mac_low.val();
        self.source_mac_low_words.read_address.next = self.read_place.val();
        self.source_mac_low.next = self.source_mac_low_words.read_data.val();

        self.destination_mac_high_words.write_address.next = self.write_place.val();
        self.destination_mac_high_words.write_enable.next = self.room.val();
        self.destination_mac_high_words.write_data.next = self.frame_destination_mac_high.val();
        self.destination_mac_high_words.read_address.next = self.read_place.val();
        self.destination_mac_high.next = self.destination_mac_high_words.read_data.val();

        self.destination_mac_low_words.write_address.next = self.write_place.val();
        self.destination_mac_low_words.write_enable.next = self.room.val();
        self.destination_mac_low_words.write_data.next = self.frame_destination_mac_low.val();
        self.destination_mac_low_words.read_address.next = self.read_place.val();
        self.destination_mac_low.next = self.destination_mac_low_words.read_data.val();

        self.has_tag_words.write_address.next = self.write_place.val();
        self.has_tag_words.write_enable.next = self.room.val();
        self.has_tag_words.write_data.next = self.frame_has_tag.val();
        self.has_tag_words.read_address.next = self.read_place.val();
        self.has_tag.next = self.has_tag_words.read_data.val();

        self.vlan_tci_words.write_address.next = self.write_place.val();
        self.vlan_tci_words.write_enable.next = self.room.val();
        self.vlan_tci_words.write_data.next = self.frame_vlan_tci.val();
        self.vlan_tci_words.read_address.next = self.read_place.val();
        self.vlan_tci.next = self.vlan_tci_words.read_data.val();

        self.has_cn_tag_words.write_address.next = self.write_place.val();
        self.has_cn_tag_words.write_enable.next = self.room.val();
        self.has_cn_tag_words.write_data.next = self.frame_has_cn_tag.val();
        self.has_cn_tag_words.read_address.next = self.read_place.val();
        self.has_cn_tag.next = self.has_cn_tag_words.read_data.val();

        self.flow_id_words.write_address.next = self.write_place.val();
        self.flow_id_words.write_enable.next = self.room.val();
        self.flow_id_words.write_data.next = self.frame_flow_id.val();
        self.flow_id_words.read_address.next = self.read_place.val();
        self.flow_id.next = self.flow_id_words.read_data.val();

        self.controlled_words.write_address.next = self.write_place.val();
        self.controlled_words.write_enable.next = self.room.val();
        self.controlled_words.write_data.next = self.frame_controlled.val();
        self.controlled_words.read_address.next = self.read_place.val();
        self.controlled.next = self.controlled_words.read_data.val();
    }
}
