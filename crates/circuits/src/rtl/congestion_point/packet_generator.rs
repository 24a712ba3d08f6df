// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends congestion notification frames.

use tidegate_hdl::prelude::*;

module! {
    /// Sends a congestion notification message of IEEE 802.1Q (EtherType 0x22E7) as a frame of 60 octets: eight 64-bit
    /// words on a stream with back-pressure. The last word has four octets. No encapsulated data unit is sent: its
    /// length field is 0. If the sampled packet has a VLAN tag or a CN-TAG, the frame has the same: the VLAN tag first,
    /// then the CN-TAG, which returns the flow identifier to the source.
    ///
    /// The first word is valid in the cycle in which `feedback_valid` rises; while `ready` is high, a frame takes eight
    /// cycles. Hold the fields until `frame_done`, which is high in the cycle in which the last word is transferred.
    /// `valid` stays high between words. Layout of the frame: docs/frames.md.
    pub struct PacketGenerator: "packet_generator" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The frame fields below are valid; hold them until `frame_done`.
        pub feedback_valid: Signal<In, Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        pub quantized_feedback: Signal<In, Bits<6>>,
        /// QOffset, units of 64 octets, two's complement.
        pub q_offset_units: Signal<In, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<In, Bits<16>>,
        /// Source address of the sampled packet, bits 47 to 32: the destination of the frame.
        pub source_mac_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<In, Bits<32>>,
        /// Destination address of the sampled packet, bits 47 to 32.
        pub destination_mac_high: Signal<In, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_mac_low: Signal<In, Bits<32>>,
        /// The sampled packet has a VLAN tag; the frame then has one too.
        pub has_tag: Signal<In, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub vlan_tci: Signal<In, Bits<16>>,
        /// The sampled packet has a CN-TAG; the frame then has one too.
        pub has_cn_tag: Signal<In, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub flow_id: Signal<In, Bits<16>>,
        /// Congestion point identifier (CPID), bits 63 to 32.
        #[parameter]
        pub cpid_high: Signal<In, Bits<32>>,
        /// Congestion point identifier (CPID), bits 31 to 0.
        #[parameter]
        pub cpid_low: Signal<In, Bits<32>>,
        /// Address of the congestion point, bits 47 to 32: the source of the frame.
        #[parameter]
        pub cp_mac_high: Signal<In, Bits<16>>,
        /// Address of the congestion point, bits 31 to 0.
        #[parameter]
        pub cp_mac_low: Signal<In, Bits<32>>,
        /// The last word of the frame is transferred in this cycle.
        pub frame_done: Signal<Out, Bit>,
        /// Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24.
        pub data_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24.
        pub data_low: Signal<Out, Bits<32>>,
        /// Number of valid octets in the word, 8 or, in the last word, 4.
        pub octets: Signal<Out, Bits<4>>,
        /// The word is the last one of the frame.
        pub last: Signal<Out, Bit>,
        /// The stream word is valid.
        pub valid: Signal<Out, Bit>,
        /// The receiver takes the word in this cycle, if `valid`.
        pub ready: Signal<In, Bit>,
        /// Index of the word in the frame, 0 to 7.
        word: Register<Bits<3>>,
        /// Which field is in `data_high`. The fields of a frame without tags are numbered from 0, the source, on; in `data_low`
        /// is the next one. 1 = field 2, and a tag is next; 15 = the second of two tags, and field 3 is next. It is a register of
        /// its own, because the fields come late out of memories.
        field: Register<Bits<4>>,
        next_field: Signal<Local, Bits<4>>,
        vlan_tag: Signal<Local, Bits<32>>,
        cn_tag: Signal<Local, Bits<32>>,
        first_tag: Signal<Local, Bits<32>>,
        source_middle: Signal<Local, Bits<32>>,
        type_and_feedback: Signal<Local, Bits<32>>,
        offset_and_delta: Signal<Local, Bits<32>>,
        priority_bits: Signal<Local, Bits<16>>,
        priority_and_destination: Signal<Local, Bits<32>>,
    }
}

impl Logic for PacketGenerator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word, field);
        self.word.reset.next = self.reset.val();
        self.field.reset.next = self.reset.val();
        self.valid.next = self.feedback_valid.val();
        self.last.next = self.word.q.val() == 7;
        self.octets.next = 8.into();
        if self.word.q.val() == 7 {
            self.octets.next = 4.into();
        }
        self.frame_done.next = self.feedback_valid.val() & self.ready.val() & (self.word.q.val() == 7);
        comment!("A word has two fields, and a tag counts as one");
        self.next_field.next = self.field.q.val() + 2;
        if self.word.q.val() == 7 {
            self.next_field.next = 0.into();
        } else if self.field.q.val() == 0 {
            if self.has_tag.val() | self.has_cn_tag.val() {
                self.next_field.next = 1.into();
            }
        } else if self.field.q.val() == 1 {
            if self.has_tag.val() & self.has_cn_tag.val() {
                self.next_field.next = 15.into();
            }
        } else if self.field.q.val() == 15 {
            self.next_field.next = 4.into();
        }
        if self.feedback_valid.val() & self.ready.val() {
            self.word.d.next = self.word.q.val() + 1;
            self.field.d.next = self.next_field.val();
        }
        self.vlan_tag.next = bit_cast::<32, 16>(self.vlan_tci.val()) | 0x8100_0000_u64;
        self.cn_tag.next = bit_cast::<32, 16>(self.flow_id.val()) | 0x22e9_0000;
        self.first_tag.next = self.cn_tag.val();
        if self.has_tag.val() {
            self.first_tag.next = self.vlan_tag.val();
        }

        comment!("The fields");
        self.source_middle.next = (bit_cast::<32, 16>(self.source_mac_low.val().to_bits().get_bits::<16>(0)).to_bits()
            << 16)
            | bit_cast::<32, 16>(self.cp_mac_high.val());
        self.type_and_feedback.next = bit_cast::<32, 6>(self.quantized_feedback.val()) | 0x22e7_0000;
        self.offset_and_delta.next = (bit_cast::<32, 16>(self.q_offset_units.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.q_delta_units.val());
        self.priority_bits.next = 0.into();
        if self.has_tag.val() {
            self.priority_bits.next = self.vlan_tci.val() & 0xe000;
        }
        self.priority_and_destination.next = (bit_cast::<32, 16>(self.priority_bits.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.destination_mac_high.val());

        comment!("The word");
        self.data_high.next = 0.into();
        self.data_low.next = 0.into();
        if self.field.q.val() == 0 {
            self.data_high.next = (bit_cast::<32, 16>(self.source_mac_high.val()).to_bits() << 16)
                | bit_cast::<32, 16>(self.source_mac_low.val().to_bits().get_bits::<16>(16));
            self.data_low.next = self.source_middle.val();
        } else if self.field.q.val() == 1 {
            self.data_high.next = self.cp_mac_low.val();
            self.data_low.next = self.first_tag.val();
        } else if self.field.q.val() == 2 {
            self.data_high.next = self.cp_mac_low.val();
            self.data_low.next = self.type_and_feedback.val();
        } else if self.field.q.val() == 15 {
            self.data_high.next = self.cn_tag.val();
            self.data_low.next = self.type_and_feedback.val();
        } else if self.field.q.val() == 3 {
            self.data_high.next = self.type_and_feedback.val();
            self.data_low.next = self.cpid_high.val();
        } else if self.field.q.val() == 4 {
            self.data_high.next = self.cpid_high.val();
            self.data_low.next = self.cpid_low.val();
        } else if self.field.q.val() == 5 {
            self.data_high.next = self.cpid_low.val();
            self.data_low.next = self.offset_and_delta.val();
        } else if self.field.q.val() == 6 {
            self.data_high.next = self.offset_and_delta.val();
            self.data_low.next = self.priority_and_destination.val();
        } else if self.field.q.val() == 7 {
            self.data_high.next = self.priority_and_destination.val();
            self.data_low.next = self.destination_mac_low.val();
        } else if self.field.q.val() == 8 {
            self.data_high.next = self.destination_mac_low.val();
        }
    }
}
