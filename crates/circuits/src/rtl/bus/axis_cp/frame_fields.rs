// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of a frame that a congestion point reads.

use tidegate_hdl::prelude::*;

module! {
    /// Reads addresses and tags from the first octets of a frame. Combinational.
    ///
    /// A VLAN tag (0x8100) comes before a CN-TAG (0x22E9). A frame of fewer than 22 octets may end before them: it is not
    /// controlled, and it is rejected.
    pub struct FrameFields: "axis_frame_fields" {
        /// Octets 0 to 3 of the frame; octet 0 in bits 31 to 24.
        pub header_0: Signal<In, Bits<32>>,
        /// Octets 4 to 7.
        pub header_1: Signal<In, Bits<32>>,
        /// Octets 8 to 11.
        pub header_2: Signal<In, Bits<32>>,
        /// Octets 12 to 15.
        pub header_3: Signal<In, Bits<32>>,
        /// Octets 16 to 19.
        pub header_4: Signal<In, Bits<32>>,
        /// Octets 20 to 23.
        pub header_5: Signal<In, Bits<32>>,
        /// The frame enters the queue in this cycle.
        pub enqueue: Signal<In, Bit>,
        /// Its length, octets; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Source address of the frame, bits 47 to 32.
        pub source_mac_high: Signal<Out, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<Out, Bits<32>>,
        /// Destination address of the frame, bits 47 to 32.
        pub destination_mac_high: Signal<Out, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_mac_low: Signal<Out, Bits<32>>,
        /// The frame has a VLAN tag.
        pub has_tag: Signal<Out, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub vlan_tci: Signal<Out, Bits<16>>,
        /// The frame has a CN-TAG.
        pub has_cn_tag: Signal<Out, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub flow_id: Signal<Out, Bits<16>>,
        /// The frame may get feedback: it has all fields, and is no feedback frame (CNM) itself; valid with `enqueue`.
        pub controlled: Signal<Out, Bit>,
        /// The frame that enters is too short for the fields.
        pub rejected: Signal<Out, Bit>,
        short: Signal<Local, Bit>,
        first_cn: Signal<Local, Bit>,
        second_cn: Signal<Local, Bit>,
        both_tags: Signal<Local, Bit>,
        one_tag: Signal<Local, Bit>,
        is_feedback: Signal<Local, Bit>,
    }
}

impl Logic for FrameFields {
    #[hdl_gen]
    fn update(&mut self) {
        self.destination_mac_high.next = self.header_0.val().to_bits().get_bits::<16>(16);
        self.destination_mac_low.next = (bit_cast::<32, 16>(self.header_0.val().to_bits().get_bits::<16>(0)).to_bits()
            << 16)
            | bit_cast::<32, 16>(self.header_1.val().to_bits().get_bits::<16>(16));
        self.source_mac_high.next = self.header_1.val().to_bits().get_bits::<16>(0);
        self.source_mac_low.next = self.header_2.val();

        comment!("Octets 12, 16 and 20 begin the first three EtherTypes");
        self.has_tag.next = self.header_3.val().to_bits().get_bits::<16>(16) == 0x8100;
        self.first_cn.next = self.header_3.val().to_bits().get_bits::<16>(16) == 0x22e9;
        self.second_cn.next = self.header_4.val().to_bits().get_bits::<16>(16) == 0x22e9;
        self.both_tags.next = self.has_tag.val() & self.second_cn.val();
        self.one_tag.next = self.has_tag.val() | self.first_cn.val();
        self.vlan_tci.next = self.header_3.val().to_bits().get_bits::<16>(0);
        self.has_cn_tag.next = self.first_cn.val() | self.both_tags.val();
        self.flow_id.next = self.header_3.val().to_bits().get_bits::<16>(0);
        if self.has_tag.val() {
            self.flow_id.next = self.header_4.val().to_bits().get_bits::<16>(0);
        }
        self.is_feedback.next = (self.header_3.val().to_bits().get_bits::<16>(16) == 0x22e7)
            | (self.one_tag.val() & (self.header_4.val().to_bits().get_bits::<16>(16) == 0x22e7))
            | (self.both_tags.val() & (self.header_5.val().to_bits().get_bits::<16>(16) == 0x22e7));

        self.short.next = self.enqueue_bytes.val() < 22;
        self.controlled.next = !self.short.val() & !self.is_feedback.val();
        self.rejected.next = self.enqueue.val() & self.short.val();
    }
}
