// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a transmit gate must know of a packet.

use tidegate_hdl::prelude::*;

module! {
    /// Watches the words of packets on their way to a transmit queue, and tells of each packet its flow, its length, and
    /// whether it waits for the rate limiter.
    ///
    /// `known` is high once for each packet, in the cycle after its third word; after its last word, if that comes
    /// before; after its eighth module header, if it has so many. The last two kinds, and packets without a module header
    /// with ctrl 0xff, do not wait for the limiter, and `rejected` is high together with `known`. Feedback frames
    /// (EtherType 0x22E7) do not wait either, nor do packets while `controlled` is low.
    pub struct OutgoingFields: "outgoing_fields" {
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
        /// Number of this gate.
        pub gate: Signal<In, Bits<2>>,
        /// Packets wait for the limiter.
        pub controlled: Signal<In, Bit>,
        /// What numbers the flow of a packet: 0 = the port at which it goes out, 1 = the flow identifier of its CN-TAG (flow
        /// 0 without one), 2 = the low bits of its source address, 3 = the low bits of its destination address.
        #[parameter]
        pub flow_source: Signal<In, Bits<2>>,
        /// Number of flows minus one: the bits that number a flow.
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// The outputs below are those of a packet.
        pub known: Signal<Out, Bit>,
        /// It waits for the limiter.
        pub waits: Signal<Out, Bit>,
        /// Its flow.
        pub flow: Signal<Out, Bits<12>>,
        /// Its octets without the check sequence, at most 16,383.
        pub bytes: Signal<Out, Bits<14>>,
        /// It has a CN-TAG.
        pub has_cn_tag: Signal<Out, Bit>,
        /// It has a VLAN tag.
        pub has_vlan: Signal<Out, Bit>,
        /// It has no fields to read.
        pub rejected: Signal<Out, Bit>,
        /// Module headers are over.
        within: Register<Bit>,
        /// Words of the packet so far, at most 3.
        place: Register<Bits<2>>,
        /// Module headers so far, at most 7.
        headers: Register<Bits<3>>,
        /// There was a module header with ctrl 0xff.
        headed: Register<Bit>,
        /// `known` was high for this packet.
        told: Register<Bit>,
        is_known: Register<Bit>,
        is_rejected: Register<Bit>,
        is_controlled: DFF<Bit>,
        /// Its length.
        length: DFF<Bits<14>>,
        /// Low bits of its destination address.
        destination: DFF<Bits<12>>,
        /// Low bits of its source address.
        source: DFF<Bits<12>>,
        /// Octets 14 and 15: the flow identifier of a CN-TAG that comes first.
        after_first: DFF<Bits<12>>,
        /// Octets 18 and 19: that of one behind a VLAN tag.
        after_second: DFF<Bits<12>>,
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
        of_packet: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        is_third: Signal<Local, Bit>,
        gives_up: Signal<Local, Bit>,
        tells: Signal<Local, Bit>,
        low_upper: Signal<Local, Bits<16>>,
        high_upper: Signal<Local, Bits<16>>,
        is_feedback: Signal<Local, Bit>,
        tag_flow: Signal<Local, Bits<12>>,
        found: Signal<Local, Bits<12>>,
    }
}

impl Logic for OutgoingFields {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            within,
            place,
            headers,
            headed,
            told,
            is_known,
            is_rejected,
            is_controlled,
            length,
            destination,
            source,
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
        self.headers.reset.next = self.reset.val();
        self.headed.reset.next = self.reset.val();
        self.told.reset.next = self.reset.val();
        self.is_known.reset.next = self.reset.val();
        self.is_rejected.reset.next = self.reset.val();

        comment!("Where the word is, and whether it decides");
        self.is_data.next = self.seen_ctrl.val() == 0;
        self.of_packet.next = self.seen.val() & (self.is_data.val() | self.within.q.val());
        self.ends.next = self.of_packet.val() & !self.is_data.val();
        self.is_third.next = self.of_packet.val() & (self.place.q.val() == 2);
        self.gives_up.next = self.seen.val() & !self.of_packet.val() & (self.headers.q.val() == 7);
        self.tells.next = !self.told.q.val() & (self.is_third.val() | self.ends.val() | self.gives_up.val());
        self.is_known.d.next = self.tells.val();
        self.is_rejected.d.next = self.tells.val() & (self.ends.val() | self.gives_up.val() | !self.headed.q.val());
        self.is_controlled.d.next = self.controlled.val();
        if self.tells.val() {
            self.told.d.next = true;
        }
        if self.seen.val() {
            self.within.d.next = self.is_data.val();
        }
        if self.of_packet.val() & (self.place.q.val() != 3) {
            self.place.d.next = self.place.q.val() + 1;
        }
        if self.ends.val() {
            self.headers.d.next = 0.into();
        } else if self.seen.val() & !self.of_packet.val() & (self.headers.q.val() != 7) {
            self.headers.d.next = self.headers.q.val() + 1;
        }
        comment!("A module header");
        if self.seen.val() & !self.of_packet.val() & self.seen_ctrl.val().all() {
            self.headed.d.next = true;
            self.length.d.next = self.seen_low.val().to_bits().get_bits::<14>(0);
            if self.seen_low.val().to_bits().get_bits::<2>(14).any() {
                self.length.d.next = 0x3fff.into();
            }
        }
        if self.ends.val() {
            self.place.d.next = 0.into();
            self.headed.d.next = false;
            self.told.d.next = false;
        }

        comment!("The fields; octets behind the end of a packet do not matter, because it is rejected");
        self.low_upper.next = self.seen_low.val().to_bits().get_bits::<16>(16);
        self.high_upper.next = self.seen_high.val().to_bits().get_bits::<16>(16);
        if self.of_packet.val() & (self.place.q.val() == 0) {
            self.destination.d.next = self.seen_low.val().to_bits().get_bits::<12>(16);
        }
        if self.of_packet.val() & (self.place.q.val() == 1) {
            self.source.d.next = self.seen_high.val().to_bits().get_bits::<12>(0);
            self.after_first.d.next = self.seen_low.val().to_bits().get_bits::<12>(0);
            self.first_vlan.d.next = self.low_upper.val() == 0x8100;
            self.first_cn.d.next = self.low_upper.val() == 0x22e9;
            self.first_feedback.d.next = self.low_upper.val() == 0x22e7;
        }
        if self.is_third.val() {
            self.after_second.d.next = self.seen_high.val().to_bits().get_bits::<12>(0);
            self.second_cn.d.next = self.high_upper.val() == 0x22e9;
            self.second_feedback.d.next = self.high_upper.val() == 0x22e7;
            self.third_feedback.d.next = self.low_upper.val() == 0x22e7;
        }

        comment!("A VLAN tag comes before a CN-TAG");
        self.is_feedback.next = self.first_feedback.q.val()
            | ((self.first_vlan.q.val() | self.first_cn.q.val()) & self.second_feedback.q.val())
            | (self.first_vlan.q.val() & self.second_cn.q.val() & self.third_feedback.q.val());
        self.tag_flow.next = 0.into();
        if self.first_cn.q.val() {
            self.tag_flow.next = self.after_first.q.val();
        } else if self.first_vlan.q.val() & self.second_cn.q.val() {
            self.tag_flow.next = self.after_second.q.val();
        }
        self.found.next = bit_cast::<12, 2>(self.gate.val());
        if self.flow_source.val() == 1 {
            self.found.next = self.tag_flow.val();
        } else if self.flow_source.val() == 2 {
            self.found.next = self.source.q.val();
        } else if self.flow_source.val() == 3 {
            self.found.next = self.destination.q.val();
        }
        self.known.next = self.is_known.q.val();
        self.rejected.next = self.is_rejected.q.val();
        self.waits.next = self.is_controlled.q.val() & !self.is_rejected.q.val() & !self.is_feedback.val();
        self.flow.next = self.found.val() & self.flow_mask.val();
        self.bytes.next = self.length.q.val();
        self.has_cn_tag.next = self.first_cn.q.val() | (self.first_vlan.q.val() & self.second_cn.q.val());
        self.has_vlan.next = self.first_vlan.q.val();
    }
}
