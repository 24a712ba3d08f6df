// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gate before a transmit queue.

use super::outgoing_fields::OutgoingFields;
use super::packet_payment::PacketPayment;
use super::tag_inserter::TagInserter;
use super::word_queue::WordQueue;
use tidegate_hdl::prelude::*;

module! {
    /// Holds each packet before its first word, until the rate limiter has granted it, and passes it unchanged. A packet
    /// that does not wait for the limiter passes at once. If `insert_cn_tag` is high, a packet that waits gets a CN-TAG with
    /// the number of its flow, unless it has one or is longer than 16,379 octets: then it pays four octets more.
    ///
    /// `out_rdy` ends in one register. A word of cycle t goes out in cycle t + 2 at the earliest, the first word of a packet three
    /// cycles after its third word, six if it waits, and the time that its grant takes. While one packet goes out, the grant for the
    /// next one may come: then it follows at once. A packet with a new CN-TAG takes one cycle more on its way out, if its last word has more than four
    /// octets.
    pub struct TransmitGate: "transmit_gate" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub in_high: Signal<In, Bits<32>>,
        pub in_low: Signal<In, Bits<32>>,
        pub in_ctrl: Signal<In, Bits<8>>,
        pub in_wr: Signal<In, Bit>,
        pub in_rdy: Signal<Out, Bit>,
        /// Octets 0 to 3 of the word that goes out.
        pub out_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out.
        pub out_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub out_ctrl: Signal<Out, Bits<8>>,
        /// A word goes out in this cycle.
        pub out_wr: Signal<Out, Bit>,
        /// The receiver has room.
        pub out_rdy: Signal<In, Bit>,
        pub gate: Signal<In, Bits<2>>,
        pub controlled: Signal<In, Bit>,
        #[parameter]
        pub flow_source: Signal<In, Bits<2>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// 1: packets that wait for the limiter get a CN-TAG with their flow. 0: no packet is changed.
        #[parameter]
        pub insert_cn_tag: Signal<In, Bit>,
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// A packet waits for the limiter; held with the next two outputs until `grant` or `refuse`.
        pub request: Signal<Out, Bit>,
        /// Its flow.
        pub request_flow: Signal<Out, Bits<12>>,
        /// Its octets without the check sequence, or a part of them.
        pub request_bytes: Signal<Out, Bits<14>>,
        /// The limiter grants what is requested.
        pub grant: Signal<In, Bit>,
        /// The limiter can never grant so many octets.
        pub refuse: Signal<In, Bit>,
        pub rejected: Signal<Out, Bit>,
        pub lost_word: Signal<Out, Bit>,
        word_queue: WordQueue,
        outgoing_fields: OutgoingFields,
        packet_payment: PacketPayment,
        tag_inserter: TagInserter,
        /// What is known of packets whose first word is in the queue: bit 28 = it gets a CN-TAG, bit 27 = it has a VLAN tag,
        /// bit 26 = it waits for the limiter, bits 25 to 14 = flow, bits 13 to 0 = octets. A packet has two words or more,
        /// so eight at most are there.
        known: LutRam<Bits<29>, 4>,
        /// Place for the next packet.
        known_place: Register<Bits<4>>,
        /// Place of the next packet that goes out.
        next_place: Register<Bits<4>>,
        /// The next packet is known: `next` is what is known of it.
        next_known: Register<Bit>,
        next: DFF<Bits<29>>,
        /// A packet or its module headers have begun to go out.
        started: Register<Bit>,
        /// The first word of a packet that waited for the limiter is in the tag inserter: the next packet is not paid before it
        /// has gone out.
        opens: Register<Bit>,
        /// The module headers of this packet are over.
        within: Register<Bit>,
        inserts: DFF<Bit>,
        tagged: Signal<Local, Bit>,
        bytes: Signal<Local, Bits<14>>,
        marks: Signal<Local, Bits<29>>,
        is_known: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        goes: Signal<Local, Bit>,
        begins: Signal<Local, Bit>,
    }
}

impl Logic for TransmitGate {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, known_place, next_place, next_known, next, started, opens, within, inserts);
        clock!(self, clock, word_queue, outgoing_fields, packet_payment, tag_inserter, known);
        self.word_queue.reset.next = self.reset.val();
        self.outgoing_fields.reset.next = self.reset.val();
        self.packet_payment.reset.next = self.reset.val();
        self.tag_inserter.reset.next = self.reset.val();
        self.known_place.reset.next = self.reset.val();
        self.next_place.reset.next = self.reset.val();
        self.next_known.reset.next = self.reset.val();
        self.started.reset.next = self.reset.val();
        self.opens.reset.next = self.reset.val();
        self.within.reset.next = self.reset.val();

        comment!("What comes in: a lost word is not seen");
        self.word_queue.in_high.next = self.in_high.val();
        self.word_queue.in_low.next = self.in_low.val();
        self.word_queue.in_ctrl.next = self.in_ctrl.val();
        self.word_queue.in_wr.next = self.in_wr.val();
        self.in_rdy.next = self.word_queue.in_rdy.val();
        self.lost_word.next = self.word_queue.lost_word.val();
        self.outgoing_fields.seen.next = self.word_queue.stores.val();
        self.outgoing_fields.seen_high.next = self.in_high.val();
        self.outgoing_fields.seen_low.next = self.in_low.val();
        self.outgoing_fields.seen_ctrl.next = self.in_ctrl.val();
        self.outgoing_fields.gate.next = self.gate.val();
        self.outgoing_fields.controlled.next = self.controlled.val();
        self.outgoing_fields.flow_source.next = self.flow_source.val();
        self.outgoing_fields.flow_mask.next = self.flow_mask.val();
        self.rejected.next = self.outgoing_fields.rejected.val();
        self.known.write_address.next = self.known_place.q.val();
        self.known.write_enable.next = self.outgoing_fields.known.val();
        self.inserts.d.next = self.insert_cn_tag.val();
        self.tagged.next = self.inserts.q.val()
            & self.outgoing_fields.waits.val()
            & !self.outgoing_fields.has_cn_tag.val()
            & (self.outgoing_fields.bytes.val() < 0x3ffc);
        self.marks.next = 0.into();
        if self.tagged.val() & self.outgoing_fields.has_vlan.val() {
            self.marks.next = 0x1c00_0000.into();
        } else if self.tagged.val() {
            self.marks.next = 0x1400_0000.into();
        } else if self.outgoing_fields.waits.val() {
            self.marks.next = 0x400_0000.into();
        }
        self.known.write_data.next = self.marks.val()
            | (bit_cast::<29, 12>(self.outgoing_fields.flow.val()).to_bits() << 14)
            | bit_cast::<29, 14>(self.outgoing_fields.bytes.val());
        if self.outgoing_fields.known.val() {
            self.known_place.d.next = self.known_place.q.val() + 1;
        }

        comment!("The next packet");
        self.known.read_address.next = self.next_place.q.val();
        self.is_known.next = self.known_place.q.val() != self.next_place.q.val();
        self.next.d.next = self.known.read_data.val();
        // A tag is four octets more.
        self.bytes.next = self.known.read_data.val().get_bits::<14>(0);
        if self.known.read_data.val().get_bit(28) {
            self.next.d.next = (self.known.read_data.val() & 0x1fff_c000) | bit_cast::<29, 14>(self.bytes.val() + 4);
        }
        self.waits.next = self.next.q.val().get_bit(26);
        self.packet_payment.bucket_bytes.next = self.bucket_bytes.val();
        self.packet_payment.overhead_bytes.next = self.overhead_bytes.val();
        self.packet_payment.waits.next = self.next_known.q.val() & self.waits.val();
        self.packet_payment.bytes.next = self.next.q.val().to_bits().get_bits::<14>(0);
        self.packet_payment.grant.next = self.grant.val();
        self.packet_payment.refuse.next = self.refuse.val();
        self.request.next = self.packet_payment.request.val();
        self.request_bytes.next = self.packet_payment.request_bytes.val();
        self.request_flow.next = self.next.q.val().to_bits().get_bits::<12>(14);

        comment!("What goes out");
        self.goes.next = self.tag_inserter.ready.val()
            & self.word_queue.word_valid.val()
            & (self.started.q.val() | (self.next_known.q.val() & (!self.waits.val() | self.packet_payment.paid.val())));
        self.begins.next = self.goes.val() & !self.started.q.val();
        self.opens.d.next =
            (self.begins.val() & self.waits.val()) | (self.opens.q.val() & !self.tag_inserter.out_wr.val());
        self.packet_payment.begins.next = self.opens.q.val() & self.tag_inserter.out_wr.val();
        // A packet has two words or more, so nothing is lost if the next one is known two cycles after a begin.
        self.next_known.d.next = self.is_known.val() & !self.begins.val();
        if self.begins.val() {
            self.next_place.d.next = self.next_place.q.val() + 1;
        }
        if self.goes.val() {
            self.started.d.next = !self.within.q.val() | self.word_queue.word_is_data.val();
            self.within.d.next = self.word_queue.word_is_data.val();
        }
        self.word_queue.pop.next = self.goes.val();
        self.tag_inserter.word_high.next = self.word_queue.word_high.val();
        self.tag_inserter.word_low.next = self.word_queue.word_low.val();
        self.tag_inserter.word_ctrl.next = self.word_queue.word_ctrl.val();
        self.tag_inserter.is_length.next = self.word_queue.word_is_length.val() & !self.within.q.val();
        self.tag_inserter.fills.next = self.word_queue.word_fills.val();
        self.tag_inserter.goes.next = self.goes.val();
        self.tag_inserter.first.next = !self.started.q.val();
        self.tag_inserter.tag.next = self.next.q.val().get_bit(28);
        self.tag_inserter.behind_vlan.next = self.next.q.val().get_bit(27);
        self.tag_inserter.flow.next = self.request_flow.val();
        self.tag_inserter.of_packet.next = self.word_queue.word_is_data.val() | self.within.q.val();
        self.tag_inserter.ends.next = !self.word_queue.word_is_data.val() & self.within.q.val();
        self.tag_inserter.out_rdy.next = self.out_rdy.val();
        self.out_high.next = self.tag_inserter.out_high.val();
        self.out_low.next = self.tag_inserter.out_low.val();
        self.out_ctrl.next = self.tag_inserter.out_ctrl.val();
        self.out_wr.next = self.tag_inserter.out_wr.val();
    }
}
