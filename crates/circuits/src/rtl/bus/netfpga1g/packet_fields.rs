// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of a packet that a congestion point reads.

use tidegate_hdl::prelude::*;

module! {
    /// Watches the words of packets, and reads the module header with ctrl 0xff, the addresses, and the tags.
    ///
    /// `known` is high in the cycle after the third word of a packet; the fields stay until the next packet. A packet is
    /// rejected, and `rejected` is high in a cycle instead, if it ends with its third word or before, if it has no
    /// module header with ctrl 0xff, or if this header says a source port above 7.
    pub struct PacketFields: "packet_fields" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// There is a word of a packet or a module header in this cycle.
        pub seen: Signal<In, Bit>,
        /// Its octets 0 to 3.
        pub seen_high: Signal<In, Bits<32>>,
        /// Its octets 4 to 7.
        pub seen_low: Signal<In, Bits<32>>,
        /// Its ctrl.
        pub seen_ctrl: Signal<In, Bits<8>>,
        /// The fields of a packet are known since this cycle.
        pub known: Signal<Out, Bit>,
        /// A packet without these fields was seen.
        pub rejected: Signal<Out, Bit>,
        /// Destination ports of the packet, a bit each.
        pub destination_ports: Signal<Out, Bits<8>>,
        /// Words of the packet, without module headers.
        pub packet_words: Signal<Out, Bits<8>>,
        /// Number of the port at which the packet came in.
        pub source_port: Signal<Out, Bits<3>>,
        /// Source address of the packet, bits 47 to 32.
        pub source_mac_high: Signal<Out, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<Out, Bits<32>>,
        /// Destination address of the packet, bits 47 to 32.
        pub destination_mac_high: Signal<Out, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_mac_low: Signal<Out, Bits<32>>,
        /// The packet has a VLAN tag.
        pub has_tag: Signal<Out, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub vlan_tci: Signal<Out, Bits<16>>,
        /// The packet has a CN-TAG.
        pub has_cn_tag: Signal<Out, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub flow_id: Signal<Out, Bits<16>>,
        /// The packet is a feedback frame (CNM).
        pub is_feedback: Signal<Out, Bit>,
        /// The packet has begun: module headers come no more.
        within: Register<Bit>,
        /// Words of the packet so far, at most 3.
        place: Register<Bits<2>>,
        /// There was a module header with ctrl 0xff.
        headed: Register<Bit>,
        is_known: Register<Bit>,
        is_rejected: Register<Bit>,
        ports: DFF<Bits<8>>,
        words: DFF<Bits<8>>,
        source: DFF<Bits<16>>,
        destination_high: DFF<Bits<16>>,
        destination_low: DFF<Bits<32>>,
        source_high: DFF<Bits<16>>,
        source_low: DFF<Bits<32>>,
        /// Octets 14 and 15, behind the first EtherType.
        after_first: DFF<Bits<16>>,
        /// Octets 18 and 19, behind the second one.
        after_second: DFF<Bits<16>>,
        /// What the first EtherType is, octets 12 and 13: 0x8100.
        first_vlan: DFF<Bit>,
        /// 0x22E9.
        first_cn: DFF<Bit>,
        /// 0x22E7.
        first_feedback: DFF<Bit>,
        /// The same of octets 16 and 17.
        second_cn: DFF<Bit>,
        second_feedback: DFF<Bit>,
        /// The same of octets 20 and 21.
        third_feedback: DFF<Bit>,
        is_data: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        early: Signal<Local, Bit>,
        both_tags: Signal<Local, Bit>,
        one_tag: Signal<Local, Bit>,
    }
}

impl Logic for PacketFields {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            within,
            place,
            headed,
            is_known,
            is_rejected,
            ports,
            words,
            source,
            destination_high,
            destination_low,
            source_high,
            source_low,
            after_first,
            after_second,
            first_vlan,
            first_cn,
            first_feedback,
            second_cn,
            second_feedback,
            third_feedback
        );
        self.within.reset.next = self.reset.val();
        self.place.reset.next = self.reset.val();
        self.headed.reset.next = self.reset.val();
        self.is_known.reset.next = self.reset.val();
        self.is_rejected.reset.next = self.reset.val();

        self.is_data.next = self.seen_ctrl.val() == 0;
        self.ends.next = self.seen.val() & self.within.q.val() & !self.is_data.val();
        self.early.next = self.ends.val() & (self.place.q.val() != 3);
        comment!("A module header");
        if self.seen.val() & !self.within.q.val() & (self.seen_ctrl.val() == 0xff) {
            self.headed.d.next = true;
            self.ports.d.next = self.seen_high.val().to_bits().get_bits::<8>(16);
            self.words.d.next = self.seen_high.val().to_bits().get_bits::<8>(0);
            self.source.d.next = self.seen_low.val().to_bits().get_bits::<16>(16);
        }
        comment!("Where the next word of the packet is");
        if self.seen.val() & self.is_data.val() {
            self.within.d.next = true;
            if self.place.q.val() != 3 {
                self.place.d.next = self.place.q.val() + 1;
            }
        }
        if self.ends.val() {
            self.within.d.next = false;
            self.place.d.next = 0.into();
            self.headed.d.next = false;
        }
        comment!("The fields; octets behind the end of a packet do not matter, because it is rejected");
        if self.seen.val() & (self.place.q.val() == 0) {
            self.destination_high.d.next = self.seen_high.val().to_bits().get_bits::<16>(16);
            self.destination_low.d.next =
                (bit_cast::<32, 16>(self.seen_high.val().to_bits().get_bits::<16>(0)).to_bits() << 16)
                    | bit_cast::<32, 16>(self.seen_low.val().to_bits().get_bits::<16>(16));
            self.source_high.d.next = self.seen_low.val().to_bits().get_bits::<16>(0);
        }
        if self.seen.val() & (self.place.q.val() == 1) {
            self.source_low.d.next = self.seen_high.val();
            self.after_first.d.next = self.seen_low.val().to_bits().get_bits::<16>(0);
            self.first_vlan.d.next = self.seen_low.val().to_bits().get_bits::<16>(16) == 0x8100;
            self.first_cn.d.next = self.seen_low.val().to_bits().get_bits::<16>(16) == 0x22e9;
            self.first_feedback.d.next = self.seen_low.val().to_bits().get_bits::<16>(16) == 0x22e7;
        }
        if self.seen.val() & (self.place.q.val() == 2) {
            self.after_second.d.next = self.seen_high.val().to_bits().get_bits::<16>(0);
            self.second_cn.d.next = self.seen_high.val().to_bits().get_bits::<16>(16) == 0x22e9;
            self.second_feedback.d.next = self.seen_high.val().to_bits().get_bits::<16>(16) == 0x22e7;
            self.third_feedback.d.next = self.seen_low.val().to_bits().get_bits::<16>(16) == 0x22e7;
        }
        self.is_known.d.next = false;
        self.is_rejected.d.next = self.early.val();
        if self.seen.val() & self.is_data.val() & (self.place.q.val() == 2) {
            self.is_known.d.next = self.headed.q.val() & (self.source.q.val() < 8);
            self.is_rejected.d.next = !self.headed.q.val() | (self.source.q.val() >= 8);
        }

        self.known.next = self.is_known.q.val();
        self.rejected.next = self.is_rejected.q.val();
        self.destination_ports.next = self.ports.q.val();
        self.packet_words.next = self.words.q.val();
        self.source_port.next = self.source.q.val().to_bits().get_bits::<3>(0);
        self.source_mac_high.next = self.source_high.q.val();
        self.source_mac_low.next = self.source_low.q.val();
        self.destination_mac_high.next = self.destination_high.q.val();
        self.destination_mac_low.next = self.destination_low.q.val();
        comment!("A VLAN tag comes before a CN-TAG");
        self.both_tags.next = self.first_vlan.q.val() & self.second_cn.q.val();
        self.one_tag.next = self.first_vlan.q.val() | self.first_cn.q.val();
        self.has_tag.next = self.first_vlan.q.val();
        self.vlan_tci.next = self.after_first.q.val();
        self.has_cn_tag.next = self.first_cn.q.val() | self.both_tags.val();
        self.flow_id.next = self.after_first.q.val();
        if self.first_vlan.q.val() {
            self.flow_id.next = self.after_second.q.val();
        }
        self.is_feedback.next = self.first_feedback.q.val()
            | (self.one_tag.val() & self.second_feedback.q.val())
            | (self.both_tags.val() & self.third_feedback.q.val());
    }
}
